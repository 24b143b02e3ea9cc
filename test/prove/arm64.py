"""arm64's instructions, as far as the compare has them."""
import re

from machine import CODE, STACK, Machine, Unknown
from smt import number

OPTIONS = ["-triple=aarch64", "-mattr=+lse,+bti"]
ARGUMENTS, RESULT = ("x0", "x1", "x2"), "x0"


class Arm64(Machine):
    @staticmethod
    def pieces(code):
        """Each word is an instruction, or none."""
        return [code[i : i + 4] for i in range(0, len(code) // 4 * 4, 4)]

    def start(self):
        for i in range(31):
            self.regs.setdefault(i, self.script.unknown(64))
        self.regs["sp"] = number(64, STACK)

    def register(self, name):
        """Number and width."""
        if name == "sp":
            return "sp", 64
        if name in ("xzr", "wzr"):
            return None, 64 if name[0] == "x" else 32
        match = re.fullmatch(r"([xw])(\d+)", name)
        if not match:
            raise Unknown(f"operand {name} at {self.pc}")
        return int(match[2]), 64 if match[1] == "x" else 32

    def read(self, name):
        reg, bits = self.register(name)
        return number(bits, 0) if reg is None else self.script.cut(self.regs[reg], 0, bits)

    def write(self, name, value):
        reg, bits = self.register(name)
        assert value.bits == bits
        if reg is not None:
            self.regs[reg] = self.script.widen(value, 64)

    @staticmethod
    def immediate(text):
        return int(text.lstrip("#"), 0)

    def shifted(self, value, shift):
        kind, amount = shift.split()
        amount = self.immediate(amount)
        if kind == "lsl":
            return self.script.shl(value, amount)
        if kind == "lsr":
            return self.script.shr(value, amount)
        if kind == "ror":
            return self.script.rotate_right(value, amount)
        raise Unknown(f"shift {shift} at {self.pc}")

    def second(self, operands, bits):
        """A register or immediate, with its shift if it has one."""
        if operands[0].startswith("#"):
            value = number(bits, self.immediate(operands[0]))
        else:
            value = self.read(operands[0])
        if value.bits != bits:
            raise Unknown(f"operand {operands[0]} at {self.pc}")
        return self.shifted(value, operands[1]) if len(operands) > 1 else value

    def address(self, operands):
        """Of [reg] or [reg, #n], with what comes behind it."""
        inside = operands[0]
        pre = inside.endswith("!")
        parts = inside.rstrip("!").strip("[]").split(",")
        base = parts[0].strip()
        if len(parts) > 1 and not parts[1].strip().startswith("#"):
            raise Unknown(f"address {inside} at {self.pc}")
        off = self.immediate(parts[1].strip()) if len(parts) > 1 else 0
        address = self.script.add(self.read(base), number(64, off))
        if pre:
            self.write(base, address)
        if len(operands) > 1:
            self.write(base, self.script.add(address, number(64, self.immediate(operands[1]))))
        return address

    # ---- instructions ----

    def two_operands(self, insn, op, invert=False):
        dst, rest = insn.operands[0], insn.operands[1:]
        a = self.read(rest[0])
        b = self.second(rest[1:], a.bits)
        self.write(dst, op(a, self.script.invert(b) if invert else b))

    def set_zero(self, value):
        """N, C and V aren't kept: who asks for them has no proof."""
        self.flags = {"z": self.script.is_zero(value)}

    def compare(self, insn, op):
        a = self.read(insn.operands[0])
        self.set_zero(op(a, self.second(insn.operands[1:], a.bits)))

    def holds(self, condition):
        if condition == "eq":
            return self.flags["z"]
        if condition == "ne":
            return self.script.invert(self.flags["z"])
        raise Unknown(f"condition {condition} at {self.pc}")

    def conditional_compare(self, insn):
        a = self.read(insn.operands[0])
        equal = self.script.is_zero(self.script.sub(a, self.second(insn.operands[1:2], a.bits)))
        otherwise = number(1, self.immediate(insn.operands[2]) >> 2)
        self.flags = {"z": self.script.choose(self.holds(insn.operands[3]), equal, otherwise)}

    def place(self, insn, operand):
        """What stands in the code, relative to the instruction."""
        return number(64, CODE + insn.at + self.immediate(insn.operands[operand]))

    def load_one(self, insn, size):
        literal = insn.operands[1].startswith("#")
        address = self.place(insn, 1) if literal else self.address(insn.operands[1:])
        value = self.load(address, size)
        self.write(insn.operands[0], self.script.widen(value, self.register(insn.operands[0])[1]))

    def load_pair(self, insn):
        bits = self.register(insn.operands[0])[1]
        address = self.address(insn.operands[2:])
        for i in range(2):
            self.write(insn.operands[i], self.load(self.script.add(address, number(64, i * bits // 8)), bits // 8))

    def store_some(self, insn, count):
        values = [self.read(name) for name in insn.operands[:count]]
        address = self.address(insn.operands[count:])
        for i, value in enumerate(values):
            self.store(self.script.add(address, number(64, i * value.bits // 8)), value)

    def move(self, insn):
        bits = self.register(insn.operands[0])[1]
        self.write(insn.operands[0], self.second(insn.operands[1:], bits))

    def move_keep(self, insn):
        old = self.read(insn.operands[0])
        shift = self.immediate(insn.operands[2].split()[1]) if len(insn.operands) > 2 else 0
        kept = self.script.and_(old, number(old.bits, ~(0xFFFF << shift)))
        self.write(insn.operands[0], self.script.or_(kept, number(old.bits, self.immediate(insn.operands[1]) << shift)))

    def extract(self, insn):
        low, high = self.read(insn.operands[2]), self.read(insn.operands[1])
        n = self.immediate(insn.operands[3])
        self.write(insn.operands[0], self.script.cut(self.script.join(high, low), n, low.bits))

    def shift_right_or_left(self, insn):
        a = self.read(insn.operands[1])
        self.write(insn.operands[0], self.shifted(a, f"{insn.name} {insn.operands[2]}"))

    def set_where(self, insn):
        bits = self.register(insn.operands[0])[1]
        self.write(insn.operands[0], self.script.widen(self.holds(insn.operands[1]), bits))

    def bit_field(self, insn):
        a = self.read(insn.operands[1])
        low, width = (self.immediate(o) for o in insn.operands[2:])
        self.write(insn.operands[0], self.script.widen(self.script.cut(a, low, width), a.bits))

    def flag_and(self, insn):
        self.two_operands(insn, self.script.and_)
        self.set_zero(self.read(insn.operands[0]))

    def jump_if_zero(self, insn):
        zero = self.script.is_zero(self.read(insn.operands[0]))
        target = insn.at + self.immediate(insn.operands[1])
        return target, zero if insn.name == "cbz" else self.script.invert(zero)

    def jump_if_bit(self, insn):
        bit = self.script.cut(self.read(insn.operands[0]), self.immediate(insn.operands[1]), 1)
        target = insn.at + self.immediate(insn.operands[2])
        return target, bit if insn.name == "tbnz" else self.script.invert(bit)

    def step(self, insn):
        s = self.script
        simple = {
            "add": lambda: self.two_operands(insn, s.add),
            "sub": lambda: self.two_operands(insn, s.sub),
            "and": lambda: self.two_operands(insn, s.and_),
            "orr": lambda: self.two_operands(insn, s.or_),
            "eor": lambda: self.two_operands(insn, s.xor),
            "bic": lambda: self.two_operands(insn, s.and_, invert=True),
            "eon": lambda: self.two_operands(insn, s.xor, invert=True),
            "orn": lambda: self.two_operands(insn, s.or_, invert=True),
            "ands": lambda: self.flag_and(insn),
            "cmp": lambda: self.compare(insn, s.sub),
            "tst": lambda: self.compare(insn, s.and_),
            "ccmp": lambda: self.conditional_compare(insn),
            "ldr": lambda: self.load_one(insn, self.register(insn.operands[0])[1] // 8),
            "ldur": lambda: self.load_one(insn, self.register(insn.operands[0])[1] // 8),
            "ldrh": lambda: self.load_one(insn, 2),
            "ldrb": lambda: self.load_one(insn, 1),
            "ldp": lambda: self.load_pair(insn),
            "str": lambda: self.store_some(insn, 1),
            "stp": lambda: self.store_some(insn, 2),
            "mov": lambda: self.move(insn),
            "adr": lambda: self.write(insn.operands[0], self.place(insn, 1)),
            "movk": lambda: self.move_keep(insn),
            "extr": lambda: self.extract(insn),
            "lsl": lambda: self.shift_right_or_left(insn),
            "lsr": lambda: self.shift_right_or_left(insn),
            "ror": lambda: self.shift_right_or_left(insn),
            "rev": lambda: self.write(insn.operands[0], s.swap_bytes(self.read(insn.operands[1]))),
            "ubfx": lambda: self.bit_field(insn),
            "cset": lambda: self.set_where(insn),
        }
        if insn.name in simple:
            simple[insn.name]()
            return None, None
        if insn.name in ("cbz", "cbnz"):
            return self.jump_if_zero(insn)
        if insn.name in ("tbz", "tbnz"):
            return self.jump_if_bit(insn)
        if insn.name == "b":
            return insn.at + self.immediate(insn.operands[0]), None
        if insn.name.startswith("b."):
            return insn.at + self.immediate(insn.operands[0]), self.holds(insn.name[2:])
        if insn.name == "ret" and not insn.operands:
            self.result = self.read(RESULT)
            return None, None
        raise Unknown(f"instruction {insn}")
