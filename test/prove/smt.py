"""Bit vectors, as numbers where they are known and as definitions of an SMT-LIB text where not."""
import subprocess


class Term:
    """`bits` wide; `value` is its number, or None and `name` is what the text calls it."""

    def __init__(self, bits, value=None, name=None):
        self.bits, self.value, self.name = bits, value, name

    def text(self):
        return self.name if self.value is None else f"(_ bv{self.value} {self.bits})"


def number(bits, value):
    return Term(bits, value & ((1 << bits) - 1))


class Script:
    """Collects definitions and questions; `ask` answers all of them in one run of z3."""

    def __init__(self):
        self.lines = ["(set-logic QF_BV)"]
        self.names = 0
        self.questions = []

    def _define(self, bits, text):
        self.names += 1
        name = f"t{self.names}"
        self.lines.append(f"(define-fun {name} () (_ BitVec {bits}) {text})")
        return Term(bits, name=name)

    def unknown(self, bits):
        self.names += 1
        name = f"u{self.names}"
        self.lines.append(f"(declare-const {name} (_ BitVec {bits}))")
        return Term(bits, name=name)

    def _binary(self, op, known, a, b):
        assert a.bits == b.bits, (op, a.bits, b.bits)
        if a.value is not None and b.value is not None:
            return number(a.bits, known(a.value, b.value))
        return self._define(a.bits, f"({op} {a.text()} {b.text()})")

    def xor(self, a, b):
        return self._binary("bvxor", lambda x, y: x ^ y, a, b)

    def and_(self, a, b):
        return self._binary("bvand", lambda x, y: x & y, a, b)

    def or_(self, a, b):
        return self._binary("bvor", lambda x, y: x | y, a, b)

    def add(self, a, b):
        return self._binary("bvadd", lambda x, y: x + y, a, b)

    def sub(self, a, b):
        return self._binary("bvsub", lambda x, y: x - y, a, b)

    def shl(self, a, n):
        return self._binary("bvshl", lambda x, y: x << y, a, number(a.bits, n))

    def shr(self, a, n):
        return self._binary("bvlshr", lambda x, y: x >> y, a, number(a.bits, n))

    def invert(self, a):
        return self.xor(a, number(a.bits, -1))

    def rotate_right(self, a, n):
        n %= a.bits
        return self.or_(self.shr(a, n), self.shl(a, a.bits - n)) if n else a

    def cut(self, a, low, bits):
        """Bits low ... low + bits - 1."""
        assert low + bits <= a.bits
        if bits == a.bits:
            return a
        if a.value is not None:
            return number(bits, a.value >> low)
        return self._define(bits, f"((_ extract {low + bits - 1} {low}) {a.text()})")

    def join(self, high, low):
        if high.value is not None and low.value is not None:
            return number(high.bits + low.bits, high.value << low.bits | low.value)
        return self._define(high.bits + low.bits, f"(concat {high.text()} {low.text()})")

    def widen(self, a, bits):
        return a if bits == a.bits else self.join(number(bits - a.bits, 0), a)

    def swap_bytes(self, a):
        result = self.cut(a, 0, 8)
        for low in range(8, a.bits, 8):
            result = self.join(result, self.cut(a, low, 8))
        return result

    def is_zero(self, a):
        """One bit."""
        if a.value is not None:
            return number(1, a.value == 0)
        return self._define(1, f"(ite (= {a.text()} {number(a.bits, 0).text()}) #b1 #b0)")

    def choose(self, bit, a, b):
        """a where the bit is set, else b."""
        assert bit.bits == 1 and a.bits == b.bits
        if bit.value is not None:
            return a if bit.value else b
        return self._define(a.bits, f"(ite (= {bit.text()} #b1) {a.text()} {b.text()})")

    def differ(self, what, a, b):
        """The question whether a and b can be different."""
        assert a.bits == b.bits
        self.questions.append(what)
        self.lines += ["(push)", f"(assert (not (= {a.text()} {b.text()})))", "(check-sat)", "(pop)"]

    def ask(self, z3):
        """(question, "sat" or "unsat") of each; anything else z3 says is an error."""
        run = subprocess.run([z3, "-in", "-smt2"], input="\n".join(self.lines), capture_output=True, text=True)
        answers = run.stdout.split()
        if len(answers) != len(self.questions) or not set(answers) <= {"sat", "unsat"}:
            raise SystemExit(f"z3 says: {run.stdout[:500]} {run.stderr[:500]}")
        return list(zip(self.questions, answers))
