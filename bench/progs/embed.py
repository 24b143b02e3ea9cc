#!/usr/bin/env python3
"""usage: embed.py OUTPUT.c TABLE NAME=BPF.o[,NATIVE.o,PLAIN.o] ...

The code of compiled benchmark programs as C: TABLE_codes and how many there are, TABLE_nr_codes. It must stand alone: one section, no relocations and no constants
outside, so that it can be copied to any place. PLAIN is left out where that isn't so."""
import pathlib
import struct
import sys

SECTION, RELOCATIONS, ALLOCATED = "program", {4, 9}, 2


class NotAlone(Exception):
    pass


def code_of(path):
    data = pathlib.Path(path).read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        sys.exit(f"{path}: not a little-endian ELF file of 64 bits")
    at, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3a)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, at + i * size) for i in range(count)]
    name = lambda h: data[headers[names][4] + h[0]:].split(b"\0")[0].decode()
    code = None
    for h in headers:
        _, kind, flags, _, offset, length, _, info, _, _ = h
        if name(h) == SECTION:
            code = data[offset:offset + length]
        elif kind in RELOCATIONS and length and name(headers[info]) == SECTION:
            raise NotAlone(f"{path}: the code refers to something outside of it")
        elif flags & ALLOCATED and kind != 8 and length and name(h).startswith((".rodata", ".data", ".text")):
            raise NotAlone(f"{path}: there is something in {name(h)}")
    if not code:
        sys.exit(f"{path}: no section '{SECTION}'")
    return code


def code_or_nothing(path):
    try:
        return code_of(path)
    except NotAlone:
        return b""


def table(kind, name, values, digits):
    rows = [", ".join(f"0x{v:0{digits}x}" for v in values[i:i + 8]) for i in range(0, len(values), 8)]
    return f"static const {kind} {name}[] = {{\n\t" + ",\n\t".join(rows) + "};\n"


def main():
    output, table_name, *programs = sys.argv[1:]
    text = "/* Made by embed.py. */\n#include \"bench/program.h\"\n\n#include \"base/types.h\"\n\n"
    rows = ""
    for program in programs:
        name, objects = program.split("=")
        bpf, *host = objects.split(",")
        bpf = code_of(bpf)
        native, plain = (code_of(host[0]), code_or_nothing(host[1])) if host else (b"", b"")
        insns = struct.unpack(f"<{len(bpf) // 8}Q", bpf)
        text += table("u64", f"bpf_{name}", insns, 16)
        row = f"\"{name}\", bpf_{name}, {len(insns)}"
        for kind, code in ("native", native), ("plain", plain):
            text += table("u8", f"{kind}_{name}", code, 2) if code else ""
            row += f", {kind}_{name}, {len(code)}" if code else ", NULL, 0"
        rows += f"\t{{{row}}},\n"
    codes = f"{table_name}_codes"
    text += f"\nextern const struct bench_code {codes}[];\nextern const size_t {table_name}_nr_codes;\n"
    text += f"const struct bench_code {codes}[] = {{\n{rows}}};\nconst size_t {table_name}_nr_codes = ARRAY_LEN({codes});\n"
    pathlib.Path(output).write_text(text)


main()
