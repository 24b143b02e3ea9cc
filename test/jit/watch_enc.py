#!/usr/bin/env python3
"""watch_enc.py ENC_H OUT_H: makes a header that puts a watcher before each encoder of ENC_H, for the test that holds the encoders
against an assembler. watch_check then fails for every encoder that was never called, and for every operand that didn't take all
the values, or all the bits both ways, that it can have. What an operand can be follows from its type or name; a new name has to
be entered here."""
import re
import sys

# What isn't an instruction by itself but a part of one.
PARTS = set("""a64_reg a64_signed a64_branch_off a64_ldst_head a64_bitmask a64_cond_not a64_fits_signed a64_is_addsub_imm
a64_is_ldst_scaled a64_is_pair_off x86_at x86_indexed x86_fits8 x86_fits32 x86_add8 x86_add32 x86_add8_or_32 x86_put x86_begin
x86_rr x86_rm x86_vex_rr""".split())

# Bits that must be seen set and clear, by the name of an operand, or by encoder and name.
BITS = {name: 0x1f for name in ("rd", "rn", "rm", "ra", "rt", "rt2", "rs")}
BITS |= {
    "imm": 0xffffffff, "imm16": 0xffff, "imm5": 0x1f, "nzcv": 0xf, "bitmask": 0x1fff, "amount": 0x3f, "immr": 0x3f, "imms": 0x3f,
    "lsb": 0x3f, "bit": 0x3f, "shift": 0x30, "count": 0x3f, "disp": 0xffffffff, "hint": 0x7f, "scaled": 1,
    "a64_addsub_imm.imm": 0xffffff, "a64_addsub_ext.amount": 7, "a64_ldst_scaled.off": 0x7fff, "a64_ldst_unscaled.off": 0x1ff,
    "a64_ldst_indexed.off": 0x1ff, "a64_pair.off": 0x3fc, "a64_b.delta": 0xffffffc, "a64_bl.delta": 0xffffffc,
    "a64_bcond.delta": 0x1ffffc, "a64_cbz.delta": 0x1ffffc, "a64_ldr_literal.delta": 0x1ffffc, "a64_tbz.delta": 0xfffc,
    "a64_adr.delta": 0x1fffff, "a64_mrs.reg": 0x4684 ^ 0x5e82 | 0x6682 ^ 0x4208, "x86_mov_imm64.imm": 2 ** 64 - 1,
    "x86_test_imm8.imm": 0xff, "x86_jmp_rel8.disp": 0xff, "x86_jcc_rel8.disp": 0xff, "x86_add_segment.segment": 3 << 11,
    "x86_nop.bytes": 0xf, "x86_long_jump.opcode": 0x9f,
}
# Of each enum all values must be seen, but for these.
NEVER = {
    "x86_reg": {"X86_NO_REG"}, "a64_cond": {"A64_AL"},
    "a64_addsub_reg.shift": {"A64_ROR"}, "a64_logic_imm.op": {"A64_BIC", "A64_ORN", "A64_EON", "A64_BICS"},
    "a64_ldst_indexed.index": {"A64_OFFSET"}, "a64_ldst_reg.extend": {"A64_UXTB", "A64_UXTH", "A64_SXTB", "A64_SXTH"},
    "a64_atomic_store.op": {"A64_SWP"}, "x86_movzx.from": {"X86_M32", "X86_M64"}, "x86_movsx.from": {"X86_M64"},
    "x86_load_signed.size": {"X86_M64"}, "x86_test_mem_imm.size": {"X86_M16"}, "x86_lock_alu.op": {"X86_CMP"},
    "x86_shift_into.op": {"X86_ROL", "X86_ROR"},
}
# These are numbers rather than a few values.
NUMBERS = {"a64_sysreg", "a64_hint"}


def enums_of(text):
    found = {}
    for name, body in re.findall(r"enum (\w+) \{(.*?)\}", re.sub(r"/\*.*?\*/", "", text, flags=re.S), re.S):
        found[name] = [v.split("=")[0].strip() for v in body.split(",") if v.strip()]
    return found


def functions_of(text):
    for result, name, params in re.findall(r"^static inline ([\w ]+?) ?(\w+)\(([^)]*)\)\s*\{", text, re.M):
        if name not in PARTS:
            yield result, name, [] if params == "void" else [split(p) for p in params.split(",")]


def split(param):
    m = re.match(r"\s*(.*?)\s*(\**)(\w+)$", re.sub(r"\s+", " ", param))
    return (m[1] + m[2], m[3])


def watches_of(function, kind, name, enums):
    """Of one operand: rows of text, value, values that are needed, bits that are needed."""
    key = f"{function}.{name}"
    enum = kind.removeprefix("enum ")
    if kind == "struct buf*" or kind == "u8*":
        return []
    if kind == "struct x86_mem":
        return [("base", f"{name}.base", "0xffff", "0"), ("disp", f"(u32){name}.disp", "1", hex(BITS["disp"]))]
    if kind.startswith("enum ") and enum not in NUMBERS:
        skip = NEVER.get(key, NEVER.get(enum, set()))
        values = " | ".join(f"1ull << {v}" for v in enums[enum] if v not in skip)
        return [(name, name, values, "0")]
    bits = BITS.get(key, BITS.get(name))
    if bits is None:
        sys.exit(f"watch_enc.py: {key}: say in BITS what it can be")
    return [(name, name, "0", hex(bits))]


def is_register(kind, name):
    return kind == "enum x86_reg" or (kind == "unsigned" and BITS.get(name) == 0x1f and name[0] == "r")


def rows_of(function, params, enums):
    rows = [r for kind, name in params for r in watches_of(function, kind, name, enums)]
    registers = [name for kind, name in params if is_register(kind, name)]
    # Two that are always the same could have changed places.
    rows += [(f"{a} is {b}", f"{a} == {b}", "1", "0") for i, a in enumerate(registers) for b in registers[i + 1:]]
    return rows


def write_watch(out, result, name, params, enums):
    rows = rows_of(name, params, enums)
    typed = ", ".join(f"{kind} {param}" for kind, param in params) or "void"
    call = f"{name}({', '.join(param for _, param in params)})"
    out.append(f"static struct watch watch_{name}[] = {{")
    out.append(f'\t{{"{name}", "call", 1, 0, 0, 0, 0}},')
    out += [f'\t{{"{name}", "{text}", {values}, {bits}, 0, 0, 0}},' for text, _, values, bits in rows]
    out.append("};\n")
    out.append(f"static inline {result} watched_{name}({typed})\n{{")
    out.append(f"\twatch_note(&watch_{name}[0], 0);")
    out += [f"\twatch_note(&watch_{name}[{n}], (u64)({value}));" for n, (_, value, _, _) in enumerate(rows, 1)]
    out.append(f"\t{'return ' if result != 'void' else ''}{call};\n}}\n")


def main():
    text = open(sys.argv[1]).read()
    enums, functions = enums_of(text), list(functions_of(text))
    guard = re.search(r"#ifndef (\w+)", text)[1] + "_WATCHED"
    out = [f"#ifndef {guard}\n#define {guard}\n"]
    for result, name, params in functions:
        write_watch(out, result, name, params, enums)
    # Like functions, since enums may have the same name.
    out += [f"#define {name}(...) watched_{name}(__VA_ARGS__)" for _, name, _ in functions]
    out.append("\nstatic unsigned watch_check(void)\n{\n\tunsigned wrong = 0;\n")
    out += [f"\twrong += watch_missing(watch_{name}, ARRAY_LEN(watch_{name}));" for _, name, _ in functions]
    out.append("\treturn wrong;\n}\n\n#endif")
    open(sys.argv[2], "w").write("\n".join(out) + "\n")


main()
