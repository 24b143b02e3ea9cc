"""What both machines share: instructions by offset, memory, and running through all branches."""
import re
import subprocess

from smt import number

# Where things stand; any addresses would do that are far from each other.
FIRST, SECOND, THIRD, CODE, STACK = 0x10_0000, 0x20_0000, 0x30_0000, 0x40_0000, 0x7000_0000
AREA = 256


class Unknown(Exception):
    """An instruction, operand or address that isn't translated: then there is no proof."""


class Insn:
    def __init__(self, at, length, name, operands):
        self.at, self.length, self.name, self.operands = at, length, name, operands

    def moved(self, by):
        return Insn(self.at + by, self.length, self.name, self.operands)

    def __str__(self):
        return f"{self.name} {', '.join(self.operands)} at {self.at}"


def split_operands(text):
    """At commas that stand in no brackets."""
    parts = re.split(r",\s*(?![^\[]*\])", text.strip())
    return [p.strip() for p in parts if p.strip()]


def disassemble(llvm_mc, options, pieces):
    """For each piece of code its instructions by offset, of all in one run; none where there are bytes that are no code."""
    text = "".join("[" + " ".join(f"0x{b:02x}" for b in piece) + "]\n" for piece in pieces)
    run = subprocess.run([llvm_mc, "--disassemble", "--show-encoding", *options], input=text, capture_output=True, text=True)
    no_code = {int(line) - 1 for line in re.findall(r"^<stdin>:(\d+):\d+: warning: invalid", run.stderr, re.M)}
    found = [{} for _ in pieces]
    left = (i for i in range(len(pieces)) if i not in no_code)
    piece = at = length = 0
    for line in run.stdout.splitlines():
        match = re.match(r"\t([a-z]\S*)\s*(.*?)\s*[#/]+ encoding: \[(.*)\]", line)
        if not match:
            continue
        if at == length:
            piece, at = next(left), 0
            length = len(pieces[piece])
        size = match[3].count(",") + 1
        found[piece][at] = Insn(at, size, match[1], split_operands(match[2]))
        at += size
        assert at <= length, (pieces[piece].hex(), match[0])
    assert at == length and next(left, None) is None
    return found


class Machine:
    """The state of one path: registers, flags and memory. Subclasses say what instructions do."""

    def __init__(self, script, insns, code):
        self.script, self.insns, self.code = script, insns, code
        self.regs, self.flags, self.written = {}, {}, {}
        self.areas = {CODE + i: number(8, byte) for i, byte in enumerate(code)}
        self.pc = 0
        self.result = None

    def copy(self):
        other = type(self)(self.script, self.insns, self.code)
        other.regs, other.flags, other.written = dict(self.regs), dict(self.flags), dict(self.written)
        other.areas, other.pc = self.areas, self.pc
        return other

    def add_area(self, base, content):
        """Bytes that stand at `base` when the code starts."""
        for i, byte in enumerate(content):
            self.areas[base + i] = byte

    def load(self, address, size):
        if address.value is None:
            raise Unknown(f"an address that isn't known at {self.pc}")
        result = None
        for at in range(address.value, address.value + size):
            byte = self.written.get(at, self.areas.get(at))
            if byte is None:
                raise Unknown(f"a load from {at:#x} at {self.pc}, where there is nothing")
            result = byte if result is None else self.script.join(byte, result)
        return result

    def store(self, address, value):
        """Into the stack only: nothing else is the code's to change."""
        if address.value is None or not STACK - AREA <= address.value < STACK:
            raise Unknown(f"a store outside the stack at {self.pc}")
        for i in range(value.bits // 8):
            self.written[address.value + i] = self.script.cut(value, 8 * i, 8)

    def run(self):
        """The result over all branches. Code has no loops, so this ends."""
        while self.result is None:
            insn = self.insns.get(self.pc)
            if insn is None:
                raise Unknown(f"no instruction at {self.pc}")
            target, taken = self.step(insn)
            after = insn.at + insn.length
            if target is not None and target < after:
                raise Unknown(f"a jump back: {insn}")
            if target is None:
                self.pc = after
            elif taken is None:
                self.pc = target
            elif taken.value is not None:
                self.pc = target if taken.value else after
            else:
                other = self.copy()
                self.pc, other.pc = target, after
                return self.script.choose(taken, self.run(), other.run())
        return self.result
