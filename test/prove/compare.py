#!/usr/bin/env python3
"""usage: compare.py Z3 LLVM-MC COMPARE-CODE [-- ARCHITECTURE COMPILER ...]

Proves that the masked compare is ((address ^ want) & mask) != 0 over 128 bits, for all inputs: in the machine code of
programs, which COMPARE-CODE prints, and in the code that compilers make of include/weir/addr.h. Z3 and LLVM-MC may be
missing: then their name is empty, and the test is skipped."""
import collections
import pathlib
import subprocess
import sys
import tempfile

import arm64
import x86_64
from machine import AREA, FIRST, SECOND, THIRD, Unknown, disassemble
from smt import Script, number

MACHINES = {"arm64": (arm64, arm64.Arm64), "x86_64": (x86_64, x86_64.X86)}
PACKET_BYTES, SOURCE_AT = 64, 8
INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"


class Proof:
    def __init__(self, llvm_mc):
        self.script, self.llvm_mc, self.known_pieces = Script(), llvm_mc, {}
        self.count = collections.Counter()

    def learn(self, arch, codes):
        """Disassembles all of them at once, since starting the disassembler takes longer than what it does."""
        module, machine = MACHINES[arch]
        pieces = sorted({piece for code in codes for piece in machine.pieces(code)})
        self.known_pieces[arch] = dict(zip(pieces, disassemble(self.llvm_mc, module.OPTIONS, pieces)))

    def instructions(self, arch, code):
        found, at = {}, 0
        for piece in MACHINES[arch][1].pieces(code):
            found |= {at + off: insn.moved(at) for off, insn in self.known_pieces[arch][piece].items()}
            at += len(piece)
        return found

    def result(self, arch, code, areas):
        """What the code returns with the addresses of the areas as arguments: {address: bytes}."""
        module, machine = MACHINES[arch]
        m = machine(self.script, self.instructions(arch, code), code)
        m.start()
        for argument, (base, content) in zip(module.ARGUMENTS, areas.items()):
            m.write(argument, number(64, base))
            m.add_area(base, content)
        return m, lambda: m.run()

    def bytes(self, n):
        return [self.script.unknown(8) for _ in range(n)]

    def word(self, content):
        """Bytes as one number, the first the lowest."""
        result = content[0]
        for byte in content[1:]:
            result = self.script.join(byte, result)
        return result

    def masked_bits(self, a, b, mask):
        return self.script.and_(self.script.xor(self.word(a), self.word(b)), self.word(mask))

    def ask_about(self, what, is_equal, result, a, b, mask):
        """The result's bit must be the meaning's. With a bit of the mask flipped the two must not be the same any more: so
        it is seen that the question can be answered with no."""
        s = self.script
        asked = sum(self.count.values())
        for flip in (None, asked * 37 % 128, (asked * 53 + 64) % 128):
            bits = list(mask)
            if flip is not None:
                bits[flip // 8] = s.xor(bits[flip // 8], number(8, 1 << flip % 8))
            want = s.is_zero(self.masked_bits(a, b, bits))
            if not is_equal:
                want = s.invert(want)
            s.differ((what, flip), result, s.widen(want, result.bits))
        self.count[what.split(":")[0]] += 1


def known(hexed):
    return [number(8, b) for b in bytes.fromhex(hexed)]


def prove_program(proof, row):
    arch, way, kind, *rest, code = row
    packet = proof.bytes(PACKET_BYTES)
    machine, run = proof.result(arch, bytes.fromhex(code), {FIRST: packet})
    if kind == "constant":
        want, mask = known(rest[0]), known(rest[1])
    else:
        value = proof.bytes(32)
        machine.add_area(int(rest[0], 16), value)
        want, mask = value[:16], value[16:]
    what = f"{arch} {way} {kind}: {' '.join(rest)}"
    proof.ask_about(what, True, run(), packet[SOURCE_AT : SOURCE_AT + 16], want, mask)


# ---- what compilers make of the C function ----

def masks():
    """Prefixes, and some with holes."""
    for bits in range(129):
        yield ((1 << bits) - 1 << 128 - bits).to_bytes(16, "big")
    for n in range(1, 33):
        yield bytes((n * (i + 3) ** 5 >> i % 7) % 256 if (n >> i % 5) & 1 else 0 for i in range(16))


def source():
    lines = ['#include "weir/addr.h"', "bool f_any(const void *a, const void *b, const void *m);",
             "bool f_any(const void *a, const void *b, const void *m) { return weir_ipv6_masked_differs(a, b, m); }"]
    for mask in masks():
        name = f"f_{mask.hex()}"
        lines += [f"bool {name}(const void *a, const void *b);", f"bool {name}(const void *a, const void *b)",
                  "{ const uint64_t m[2] = {" + ", ".join(f"{int.from_bytes(half, 'little'):#x}" for half in (mask[:8], mask[8:])) +
                  "}; return weir_ipv6_masked_differs(a, b, m); }"]
    return "\n".join(dict.fromkeys(lines)) + "\n"


def functions(path):
    """(name, code) of each function in an object without relocations in its code."""
    data = path.read_bytes()
    at, size, count = (int.from_bytes(data[o : o + n], "little") for o, n in ((0x28, 8), (0x3A, 2), (0x3C, 2)))
    heads = [data[at + i * size : at + (i + 1) * size] for i in range(count)]
    field = lambda head, off, n: int.from_bytes(head[off : off + n], "little")
    body = lambda head: data[field(head, 0x18, 8) : field(head, 0x18, 8) + field(head, 0x20, 8)]
    code_sections = {i for i, h in enumerate(heads) if field(h, 8, 8) & 4}
    if any(field(h, 4, 4) == 4 and field(h, 0x2C, 4) in code_sections for h in heads):
        raise Unknown(f"relocations in the code of {path.name}")
    symbols = next(h for h in heads if field(h, 4, 4) == 2)
    names, table = body(heads[field(symbols, 0x28, 4)]), body(symbols)
    for i in range(0, len(table), 24):
        name, info, section = field(table, i, 4), table[i + 4], field(table, i + 6, 2)
        start, length = field(table, i + 8, 8), field(table, i + 16, 8)
        if info & 15 == 2 and section in code_sections:
            yield names[name : names.index(0, name)].decode(), body(heads[section])[start : start + length]


def prove_compiled(proof, arch, compiler, level, folder):
    """The function with the mask from memory, and with constant masks, in general registers."""
    c, o = folder / "compare.c", folder / "compare.o"
    c.write_text(source())
    command = [*compiler, level, "-mgeneral-regs-only", "-fno-asynchronous-unwind-tables", "-I", INCLUDE, "-c", c, "-o", o]
    subprocess.run(command, check=True)
    found = list(functions(o))
    proof.learn(arch, [code for _, code in found])
    for name, code in found:
        a, b, mask = proof.bytes(16), proof.bytes(16), proof.bytes(16)
        areas = {FIRST: a, SECOND: b, THIRD: mask}
        if name != "f_any":
            del areas[THIRD]
            mask = known(name[2:])
        _, run = proof.result(arch, code, areas)
        what = f"{arch} {' '.join(compiler)} {level}: {name}"
        proof.ask_about(what, False, proof.script.cut(run(), 0, 8), a, b, mask)


def check(proof, z3):
    """True when all is proved, and each question about another mask was answered with a counterexample."""
    right = True
    for (what, flip), answer in proof.script.ask(z3):
        if flip is None and answer == "sat":
            print(f"{what}\n  is not the masked compare")
            right = False
        if flip is not None and answer == "unsat":
            print(f"{what}\n  would be the compare as well with bit {flip} of the mask flipped: the proof proves nothing")
            right = False
    return right


def prove_all(proof, rows, compilers):
    for arch in MACHINES:
        proof.learn(arch, [bytes.fromhex(row[-1]) for row in rows if row[0] == arch])
    for row in rows:
        prove_program(proof, row)
    with tempfile.TemporaryDirectory() as folder:
        for arch, *compiler in compilers:
            for level in ("-O1", "-O2", "-O3"):
                prove_compiled(proof, arch, compiler, level, pathlib.Path(folder))


def main():
    tools, *compilers = (words.split("\n") for words in "\n".join(sys.argv[1:]).split("\n--\n"))
    z3, llvm_mc, compare_code = tools
    for tool, name in ((z3, "z3"), (llvm_mc, "llvm-mc")):
        if not tool:
            print(f"skipped: {name} isn't installed")
            sys.exit(77)
    proof = Proof(llvm_mc)
    rows = subprocess.run([compare_code], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    try:
        prove_all(proof, [row.split() for row in rows], compilers)
    except Unknown as e:
        sys.exit(f"not proved: {e}")
    if not check(proof, z3):
        sys.exit(1)
    for form, n in proof.count.items():
        print(f"{form}: {n} proved")


if __name__ == "__main__":
    main()
