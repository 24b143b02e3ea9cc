"""What a program of the corpus says about itself in its first comment.

    build: WORD ...           legacy: maps by MAP(), built without -g too, in the old form then
                              g: only with -g    v2, v3, v4: the oldest CPU version    clang-19: not with older compilers
    type: PROG TYPE           of a program whose section doesn't say
    init: MAP OFF HEX         bytes of global data, before the load
    set: MAP KEY VALUE        what maps begin with; KEY and VALUE: parts joined by +, each hex or u8: u32: u64: and a number
    push: MAP VALUE
    prog: MAP INDEX PROG
    inner: MAP KEY OTHERMAP
    run: PROG PACKET ... [FIELD=NUMBER ...]      cb=1,2,3 are cb[0], cb[1], cb[2]
    ignore: WHAT NAME         map, retval, data or ctx: not compared
    refuse: PROG TEXT         must be refused, with this text as the reason
    pending: TEXT             what weir hasn't yet: only the kernel runs it
"""
import pathlib
import re
import struct

from packets import PACKETS

LINE = re.compile(r"^ \* (build|type|init|set|push|prog|inner|run|ignore|refuse|pending): (.*)$")
SIZES = {"u8": "<B", "u16": "<H", "u32": "<I", "u64": "<Q"}


def to_hex(text):
    out = b""
    for part in text.split("+"):
        if ":" in part:
            kind, number = part.split(":")
            out += struct.pack(SIZES[kind], int(number, 0))
        else:
            out += bytes.fromhex(part)
    return out.hex()


class Source:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.name = self.path.name.removesuffix(".bpf.c")
        self.build, self.before, self.after, self.refuse, self.ignore = set(), [], [], {}, set()
        self.pending = ""
        comment = self.path.read_text().split("*/")[0]
        for line in comment.split("\n"):
            m = LINE.match(line)
            if m:
                getattr(self, "on_" + m[1])(m[2])
            elif re.match(r"^ \* \w+: ", line):
                raise ValueError(f"{path}: not a directive: {line}")

    def on_build(self, text):
        self.build |= set(text.split())

    def on_type(self, text):
        self.before.append("type " + text)

    def on_init(self, text):
        self.before.append("init " + text)

    def on_set(self, text):
        name, key, value = text.split()
        self.after.append(f"set {name} {to_hex(key)} {to_hex(value)}")

    def on_push(self, text):
        name, value = text.split()
        self.after.append(f"push {name} {to_hex(value)}")

    def on_prog(self, text):
        self.after.append("prog " + text)

    def on_inner(self, text):
        name, key, inner = text.split()
        self.after.append(f"inner {name} {to_hex(key)} {inner}")

    def on_run(self, text):
        prog, *words = text.split()
        fields = []
        for word in words:
            if word.startswith("cb="):
                fields += [f"cb[{i}]={v}" for i, v in enumerate(word[3:].split(","))]
            elif "=" in word:
                fields.append(word)
        for word in words:
            if "=" not in word:
                self.after.append(" ".join(["run", prog, PACKETS[word].hex()] + fields))

    def on_ignore(self, text):
        self.ignore.add(tuple(text.split()))

    def on_refuse(self, text):
        prog, _, reason = text.partition(" ")
        self.refuse[prog] = reason

    def on_pending(self, text):
        self.pending = text

    def plans(self):
        """(program that is refused or None, the plan) for each load."""
        skips = [f"skip {p}" for p in self.refuse]
        yield None, "\n".join(skips + self.before + ["load"] + self.after + ["maps", ""])
        for prog in self.refuse:
            yield prog, "\n".join([f"only {prog}"] + self.before + ["load", ""])


def sources(folder):
    return [Source(p) for p in sorted(pathlib.Path(folder).glob("*.bpf.c"))]
