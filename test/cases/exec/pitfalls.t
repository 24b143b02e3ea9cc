What engines are known to have got wrong.

-- case a swap to little endian cuts the value to 16 bits
-- asm
r0 = 0x1122334455667788 ll
r0 = le16 r0
exit
-- result
0x7788

-- case a swap to little endian cuts the value to 32 bits
-- asm
r0 = 0x1122334455667788 ll
r0 = le32 r0
exit
-- result
0x55667788

-- case a 32-bit move from a register clears the upper half
-- asm
r1 = 0x1122334455667788 ll
r0 = -1
w0 = w1
exit
-- result
0x55667788

-- case a 32-bit move to itself clears the upper half
-- asm
r0 = 0x1122334455667788 ll
w0 = w0
exit
-- result
0x55667788

-- case a signed comparison with a negative constant
-- asm
r1 = -2
r0 = 0
if r1 s< -1 goto a
exit
a: r0 += 1
if r1 s> -3 goto b
exit
b: r0 += 2
if r1 s>= -1 goto c
r0 += 4
c: if r1 s<= -2 goto d
exit
d: r0 += 8
exit
-- result
0xf

-- case a signed comparison of 32 bits looks at the lower half only
-- asm
r1 = 0x7fffffffffffffff ll
r0 = 0
if w1 s< 0 goto a
exit
a: r0 = 1
exit
-- result
0x1

-- case an arithmetic shift of 64 bits keeps the sign
-- asm
r0 = 0x8000000000000000 ll
r0 s>>= 63
exit
-- result
0xffffffffffffffff

-- case an arithmetic shift by a register masks its count
-- asm
r0 = 0x8000000000000000 ll
r1 = 0x143
r0 s>>= r1
exit
-- result
0xf000000000000000

-- case an arithmetic shift of 32 bits doesn't smear into the upper half
-- asm
r0 = 0xffffffff80000000 ll
w0 s>>= 4
exit
-- result
0xf8000000

-- case a negation of 64 bits
-- asm
r0 = 1
r0 = -r0
exit
-- result
0xffffffffffffffff

-- case a negation of 32 bits clears the upper half
-- asm
r0 = 0x1122334400000001 ll
w0 = -w0
exit
-- result
0xffffffff

-- case a division by zero goes on with zero
-- asm
r0 = 7
r1 = 0
r0 /= r1
r0 += 5
exit
-- result
0x5

-- case a remainder of zero goes on with the dividend
-- asm
r0 = 7
r1 = 0
r0 %= r1
r0 += 5
exit
-- result
0xc

-- case a 32-bit remainder of zero cuts the dividend
-- asm
r0 = 0x100000007 ll
r1 = 0
w0 %= w1
exit
-- result
0x7

-- case a division of 32 bits looks at the lower half of the divisor
-- asm
r0 = 7
r1 = 0x100000000 ll
w0 /= w1
r0 += 3
exit
-- result
0x3

-- case an exchange returns what was there
-- asm
r1 = 5
*(u64 *)(r10 -8) = r1
r1 = 7
r1 = atomic64_xchg((u64 *)(r10 -8), r1)
r0 = *(u64 *)(r10 -8)
r0 <<= 8
r0 |= r1
exit
-- result
0x705

-- case a comparison that fails returns what was there and leaves it
-- asm
r1 = 5
*(u64 *)(r10 -8) = r1
r0 = 6
r2 = 9
r0 = atomic64_cmpxchg((u64 *)(r10 -8), r0, r2)
r1 = *(u64 *)(r10 -8)
r1 <<= 8
r0 |= r1
exit
-- result
0x505

-- case a test of bits with a constant that fits a byte, above the lower half
-- asm
r1 = 0x100000000 ll
r0 = 0
if r1 & 0x7f goto a
if r1 & -1 goto b
exit
a: r0 = 1
b: r0 += 2
exit
-- result
0x2

-- case a sum that only the way behind a jump over a jump wants, when its operand is overwritten in between
-- asm
r4 = 0xffffffff7fffffff ll
r0 = 1
r0 <<= 54
r4 += r0
r0 = *(u64 *)(r1 +0)
if r0 & 65535 goto +1
goto other
r0 = r4
exit
other:
r0 = 2
exit
-- mem
01 00 00 01 00 00 00 00
-- result
0x3fffff7fffffff

-- case a constant behind a jump target, of a register that was a dead copy before it
-- asm
r1 = 3
*(u64 *)(r10 -16) = r1
r1 = *(u64 *)(r10 -16)
r0 = r1
r1 <<= 3
*(u64 *)(r10 -8) = r0
b: r0 = -5
if r1 & 8 goto c
r1 += 1
if r1 < 30 goto b
r0 = 7
c: exit
-- result
0xfffffffffffffffb

-- case a result goes to a copy's register, over a decision that reads it
-- asm
r1 = 5
r2 = 2
r3 = 3
r6 = 4
r6 *= 7
r7 = 9
r6 = be32 r6
if r2 < r3 goto +1
r7 = 0
r3 = r6
r0 = r7
r0 <<= 32
r0 |= r3
exit
-- result
0x91c000000
