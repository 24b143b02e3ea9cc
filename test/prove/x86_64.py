"""x86-64's instructions, as far as the compare has them; Intel's order of operands."""
import re

from machine import STACK, Machine, Unknown
from smt import number

OPTIONS = ["-triple=x86_64", "-output-asm-variant=1"]
ARGUMENTS, RESULT = ("rdi", "rsi", "rdx"), "rax"
SIZES = {"byte": 1, "word": 2, "dword": 4, "qword": 8}


def name_registers():
    """(register, width) by name. The second bytes, ah ... bh, are none of them."""
    names = {}
    for r in "abcd":
        names |= {f"r{r}x": (f"r{r}x", 64), f"e{r}x": (f"r{r}x", 32), f"{r}x": (f"r{r}x", 16), f"{r}l": (f"r{r}x", 8)}
    for r in ("si", "di", "bp", "sp"):
        names |= {f"r{r}": (f"r{r}", 64), f"e{r}": (f"r{r}", 32), r: (f"r{r}", 16), f"{r}l": (f"r{r}", 8)}
    for n in range(8, 16):
        names |= {f"r{n}": (f"r{n}", 64), f"r{n}d": (f"r{n}", 32), f"r{n}w": (f"r{n}", 16), f"r{n}b": (f"r{n}", 8)}
    return names


REGISTERS = name_registers()


class X86(Machine):
    @staticmethod
    def pieces(code):
        return [code]

    def start(self):
        for reg, bits in REGISTERS.values():
            if bits == 64:
                self.regs.setdefault(reg, self.script.unknown(64))
        self.regs["rsp"] = number(64, STACK)

    def address(self, operand):
        match = re.fullmatch(r"(?:(\w+) ptr )?\[(\w+)(?: ([+-]) (\w+))?\]", operand)
        if not match or match[2] not in REGISTERS:
            raise Unknown(f"address {operand} at {self.pc}")
        off = int(match[4] or "0", 0) * (-1 if match[3] == "-" else 1)
        return self.script.add(self.regs[match[2]], number(64, off)), SIZES.get(match[1])

    def read(self, operand, bits):
        """bits: what an immediate has, and what others must have."""
        if operand in REGISTERS:
            reg, width = REGISTERS[operand]
            value = self.script.cut(self.regs[reg], 0, width)
        elif "[" in operand:
            address, size = self.address(operand)
            value = self.load(address, size)
        else:
            return number(bits, int(operand, 0))
        if bits is not None and value.bits != bits:
            raise Unknown(f"width of {operand} at {self.pc}")
        return value

    def width(self, operand):
        return REGISTERS[operand][1] if operand in REGISTERS else 8 * self.address(operand)[1]

    def write(self, operand, value):
        if operand not in REGISTERS:
            address, size = self.address(operand)
            assert value.bits == 8 * size
            self.store(address, value)
            return
        reg, width = REGISTERS[operand]
        assert value.bits == width
        if width == 32:
            value = self.script.widen(value, 64)
        elif width < 32:
            value = self.script.join(self.script.cut(self.regs[reg], width, 64 - width), value)
        self.regs[reg] = value

    def set_zero(self, value):
        """Other flags aren't kept: who asks for them has no proof."""
        self.flags = {"z": self.script.is_zero(value)}

    def zero(self):
        if "z" not in self.flags:
            raise Unknown(f"flags that aren't known at {self.pc}")
        return self.flags["z"]

    def holds(self, condition):
        if condition in ("e", "z"):
            return self.zero()
        if condition in ("ne", "nz"):
            return self.script.invert(self.zero())
        raise Unknown(f"condition {condition} at {self.pc}")

    # ---- instructions ----

    def arithmetic(self, insn, op):
        dst, src = insn.operands
        bits = self.width(dst)
        if insn.name == "xor" and dst == src:
            value = number(bits, 0)
        else:
            value = op(self.read(dst, bits), self.read(src, bits))
        self.write(dst, value)
        self.set_zero(value)

    def compare(self, insn, op):
        bits = self.width(insn.operands[0])
        self.set_zero(op(self.read(insn.operands[0], bits), self.read(insn.operands[1], bits)))

    def shift(self, insn, op, flags=True):
        dst, *rest = insn.operands
        a = self.read(dst, self.width(dst))
        value = op(a, int(rest[0], 0) if rest else 1)
        self.write(dst, value)
        if flags:
            self.set_zero(value)

    def rotate_into(self, insn):
        dst, src, n = insn.operands
        self.write(dst, self.script.rotate_right(self.read(src, self.width(dst)), int(n, 0)))

    def move(self, insn):
        dst, src = insn.operands
        self.write(dst, self.read(src, self.width(dst)))

    def move_wide(self, insn):
        dst, src = insn.operands
        self.write(dst, self.script.widen(self.read(src, None), self.width(dst)))

    def push(self, insn):
        value = self.read(insn.operands[0], 64)
        self.regs["rsp"] = self.script.sub(self.regs["rsp"], number(64, 8))
        self.store(self.regs["rsp"], value)

    def pop(self, insn):
        self.write(insn.operands[0], self.load(self.regs["rsp"], 8))
        self.regs["rsp"] = self.script.add(self.regs["rsp"], number(64, 8))

    def and_not(self, insn):
        dst, a, b = insn.operands
        bits = self.width(dst)
        value = self.script.and_(self.script.invert(self.read(a, bits)), self.read(b, bits))
        self.write(dst, value)
        self.set_zero(value)

    def change_bit(self, insn, op):
        """Flags become unknown: who asks for them has no proof."""
        dst, n = insn.operands
        bits = self.width(dst)
        bit = number(bits, 1 << int(n, 0))
        a = self.read(dst, bits)
        self.write(dst, op(a, self.script.invert(bit) if insn.name == "btr" else bit))
        self.flags = {}

    def step(self, insn):
        s = self.script
        simple = {
            "xor": lambda: self.arithmetic(insn, s.xor),
            "and": lambda: self.arithmetic(insn, s.and_),
            "or": lambda: self.arithmetic(insn, s.or_),
            "add": lambda: self.arithmetic(insn, s.add),
            "sub": lambda: self.arithmetic(insn, s.sub),
            "cmp": lambda: self.compare(insn, s.sub),
            "test": lambda: self.compare(insn, s.and_),
            "shl": lambda: self.shift(insn, s.shl),
            "shr": lambda: self.shift(insn, s.shr),
            "ror": lambda: self.shift(insn, s.rotate_right, flags=False),
            "rorx": lambda: self.rotate_into(insn),
            "btr": lambda: self.change_bit(insn, s.and_),
            "bts": lambda: self.change_bit(insn, s.or_),
            "btc": lambda: self.change_bit(insn, s.xor),
            "andn": lambda: self.and_not(insn),
            "bswap": lambda: self.write(insn.operands[0], s.swap_bytes(self.read(insn.operands[0], None))),
            "mov": lambda: self.move(insn),
            "movabs": lambda: self.move(insn),
            "movzx": lambda: self.move_wide(insn),
            "endbr64": lambda: None,
            "push": lambda: self.push(insn),
            "pop": lambda: self.pop(insn),
        }
        if insn.name in simple:
            simple[insn.name]()
            return None, None
        if insn.name.startswith("set"):
            self.write(insn.operands[0], s.widen(self.holds(insn.name[3:]), 8))
            return None, None
        if insn.name == "jmp":
            return insn.at + insn.length + int(insn.operands[0], 0), None
        if insn.name[0] == "j":
            return insn.at + insn.length + int(insn.operands[0], 0), self.holds(insn.name[1:])
        if insn.name == "ret" and not insn.operands:
            if self.regs["rsp"].value != STACK:
                raise Unknown(f"the stack pointer isn't where it was, at {insn.at}")
            self.result = self.regs[RESULT]
            return None, None
        raise Unknown(f"instruction {insn}")
