Arithmetic of 32 bits on values at the edges.

-- case 0xffffffffffffffff += 0x1, register
-- asm
r0 = -1
r1 = 1
w0 += w1
exit
-- result
0x0

-- case 0x7fffffff += 0x1, register
-- asm
r0 = 2147483647
r1 = 1
w0 += w1
exit
-- result
0x80000000

-- case 0x123456789abcdef0 += 0xfedcba987654321, register
-- asm
r0 = 0x123456789abcdef0 ll
r1 = 0xfedcba987654321 ll
w0 += w1
exit
-- result
0x22222211

-- case 0x1 += -1
-- asm
r0 = 1
w0 += -1
exit
-- result
0x0

-- case 0x7fffffff += 2147483647
-- asm
r0 = 2147483647
w0 += 2147483647
exit
-- result
0xfffffffe

-- case 0x0 -= 0x1, register
-- asm
r0 = 0
r1 = 1
w0 -= w1
exit
-- result
0xffffffff

-- case 0x80000000 -= 0x1, register
-- asm
w0 = 0x80000000
r1 = 1
w0 -= w1
exit
-- result
0x7fffffff

-- case 0x5 -= 0xffffffffffffffff, register
-- asm
r0 = 5
r1 = -1
w0 -= w1
exit
-- result
0x6

-- case 0x0 -= -1
-- asm
r0 = 0
w0 -= -1
exit
-- result
0x1

-- case 0x1 -= 2147483647
-- asm
r0 = 1
w0 -= 2147483647
exit
-- result
0x80000002

-- case 0x100000001 *= 0x100000001, register
-- asm
r0 = 0x100000001 ll
r1 = 0x100000001 ll
w0 *= w1
exit
-- result
0x1

-- case 0x7fffffff *= 0x2, register
-- asm
r0 = 2147483647
r1 = 2
w0 *= w1
exit
-- result
0xfffffffe

-- case 0xffffffffffffffff *= 0xffffffffffffffff, register
-- asm
r0 = -1
r1 = -1
w0 *= w1
exit
-- result
0x1

-- case 0x7fffffff *= -1
-- asm
r0 = 2147483647
w0 *= -1
exit
-- result
0x80000001

-- case 0xdeadbeef *= 65537
-- asm
w0 = 0xdeadbeef
w0 *= 65537
exit
-- result
0x9d9cbeef

-- case 0xffffffffffffffff /= 0x2, register
-- asm
r0 = -1
r1 = 2
w0 /= w1
exit
-- result
0x7fffffff

-- case 0x80000000 /= 0xffffffffffffffff, register
-- asm
w0 = 0x80000000
r1 = -1
w0 /= w1
exit
-- result
0x0

-- case 0x7 /= 0x0, register
-- asm
r0 = 7
r1 = 0
w0 /= w1
exit
-- result
0x0

-- case 0x100000007 /= 0x100000000, register
-- asm
r0 = 0x100000007 ll
r1 = 0x100000000 ll
w0 /= w1
exit
-- result
0x0

-- case 0xffffffffffffffff /= 10
-- asm
r0 = -1
w0 /= 10
exit
-- result
0x19999999

-- case 0x64 /= -1
-- asm
r0 = 100
w0 /= -1
exit
-- result
0x0

-- case 0xffffffffffffffff %= 0xa, register
-- asm
r0 = -1
r1 = 10
w0 %= w1
exit
-- result
0x5

-- case 0x7 %= 0x0, register
-- asm
r0 = 7
r1 = 0
w0 %= w1
exit
-- result
0x7

-- case 0x1234567800000007 %= 0x100000000, register
-- asm
r0 = 0x1234567800000007 ll
r1 = 0x100000000 ll
w0 %= w1
exit
-- result
0x7

-- case 0x80000000 %= 0xffffffffffffffff, register
-- asm
w0 = 0x80000000
r1 = -1
w0 %= w1
exit
-- result
0x80000000

-- case 0xffffffffffffffff %= 7
-- asm
r0 = -1
w0 %= 7
exit
-- result
0x3

-- case 0x64 %= -1
-- asm
r0 = 100
w0 %= -1
exit
-- result
0x64

-- case 0x80000000 s/= 0xffffffffffffffff, register
-- asm
w0 = 0x80000000
r1 = -1
w0 s/= w1
exit
-- result
0x80000000

-- case 0xfffffffffffffff9 s/= 0x2, register
-- asm
r0 = -7
r1 = 2
w0 s/= w1
exit
-- result
0xfffffffd

-- case 0x7 s/= 0xfffffffffffffffe, register
-- asm
r0 = 7
r1 = -2
w0 s/= w1
exit
-- result
0xfffffffd

-- case 0xfffffffffffffff9 s/= 0x0, register
-- asm
r0 = -7
r1 = 0
w0 s/= w1
exit
-- result
0x0

-- case 0x80000000 s/= -1
-- asm
w0 = 0x80000000
w0 s/= -1
exit
-- result
0x80000000

-- case 0xffffffffffffff9c s/= 7
-- asm
r0 = -100
w0 s/= 7
exit
-- result
0xfffffff2

-- case 0x80000000 s%= 0xffffffffffffffff, register
-- asm
w0 = 0x80000000
r1 = -1
w0 s%= w1
exit
-- result
0x0

-- case 0xfffffffffffffff9 s%= 0x2, register
-- asm
r0 = -7
r1 = 2
w0 s%= w1
exit
-- result
0xffffffff

-- case 0x7 s%= 0xfffffffffffffffe, register
-- asm
r0 = 7
r1 = -2
w0 s%= w1
exit
-- result
0x1

-- case 0xfffffffffffffff9 s%= 0x0, register
-- asm
r0 = -7
r1 = 0
w0 s%= w1
exit
-- result
0xfffffff9

-- case 0x80000000 s%= -1
-- asm
w0 = 0x80000000
w0 s%= -1
exit
-- result
0x0

-- case 0xffffffffffffff9c s%= 7
-- asm
r0 = -100
w0 s%= 7
exit
-- result
0xfffffffe

-- case 0xf0f0f0f00f0f0f0f |= 0xf0f0f0f00000000, register
-- asm
r0 = 0xf0f0f0f00f0f0f0f ll
r1 = 0xf0f0f0f00000000 ll
w0 |= w1
exit
-- result
0xf0f0f0f

-- case 0x0 |= -2147483648
-- asm
r0 = 0
w0 |= -2147483648
exit
-- result
0x80000000

-- case 0xff00 |= 255
-- asm
r0 = 65280
w0 |= 255
exit
-- result
0xffff

-- case 0xffffffffffffffff &= 0xf0f0f0f00f0f0f0f, register
-- asm
r0 = -1
r1 = 0xf0f0f0f00f0f0f0f ll
w0 &= w1
exit
-- result
0xf0f0f0f

-- case 0xffffffffffffffff &= -2147483648
-- asm
r0 = -1
w0 &= -2147483648
exit
-- result
0x80000000

-- case 0xffffffffffffffff &= 2147483647
-- asm
r0 = -1
w0 &= 2147483647
exit
-- result
0x7fffffff

-- case 0xffffffffffffffff ^= 0xf0f0f0f00f0f0f0f, register
-- asm
r0 = -1
r1 = 0xf0f0f0f00f0f0f0f ll
w0 ^= w1
exit
-- result
0xf0f0f0f0

-- case 0x5555555555555555 ^= 0x5555555555555555, register
-- asm
r0 = 0x5555555555555555 ll
r1 = 0x5555555555555555 ll
w0 ^= w1
exit
-- result
0x0

-- case 0x0 ^= -1
-- asm
r0 = 0
w0 ^= -1
exit
-- result
0xffffffff

-- case 0xffffffffffffffff ^= 2147483647
-- asm
r0 = -1
w0 ^= 2147483647
exit
-- result
0x80000000

-- case 0x0 = 0xfedcba9876543210, register
-- asm
r0 = 0
r1 = 0xfedcba9876543210 ll
w0 = w1
exit
-- result
0x76543210

-- case 0xffffffffffffffff = -1
-- asm
r0 = -1
w0 = -1
exit
-- result
0xffffffff

-- case 0xffffffffffffffff = 2147483647
-- asm
r0 = -1
w0 = 2147483647
exit
-- result
0x7fffffff

-- case 0x0 = -2147483648
-- asm
r0 = 0
w0 = -2147483648
exit
-- result
0x80000000

-- case 0x8123456789abcdef <<= 0x0, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 0
w0 <<= w1
exit
-- result
0x89abcdef

-- case 0x8123456789abcdef <<= 0x1, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 1
w0 <<= w1
exit
-- result
0x13579bde

-- case 0x8123456789abcdef <<= 0x1f, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 31
w0 <<= w1
exit
-- result
0x80000000

-- case 0x81234567 <<= 0x20, register
-- asm
w0 = 0x81234567
r1 = 32
w0 <<= w1
exit
-- result
0x81234567

-- case 0xfedcba9887654321 <<= 0x25, register
-- asm
r0 = 0xfedcba9887654321 ll
r1 = 37
w0 <<= w1
exit
-- result
0xeca86420

-- case 0xffffffffffffffff <<= 0x100000003, register
-- asm
r0 = -1
r1 = 0x100000003 ll
w0 <<= w1
exit
-- result
0xfffffff8

-- case 0x81234567 <<= 0xffffffffffffffff, register
-- asm
w0 = 0x81234567
r1 = -1
w0 <<= w1
exit
-- result
0x80000000

-- case 0x8123456789abcdef <<= 0
-- asm
r0 = 0x8123456789abcdef ll
w0 <<= 0
exit
-- result
0x89abcdef

-- case 0x8123456789abcdef <<= 1
-- asm
r0 = 0x8123456789abcdef ll
w0 <<= 1
exit
-- result
0x13579bde

-- case 0x8123456789abcdef <<= 31
-- asm
r0 = 0x8123456789abcdef ll
w0 <<= 31
exit
-- result
0x80000000

-- case 0x8123456789abcdef >>= 0x0, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 0
w0 >>= w1
exit
-- result
0x89abcdef

-- case 0x8123456789abcdef >>= 0x1, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 1
w0 >>= w1
exit
-- result
0x44d5e6f7

-- case 0x8123456789abcdef >>= 0x1f, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 31
w0 >>= w1
exit
-- result
0x1

-- case 0x81234567 >>= 0x20, register
-- asm
w0 = 0x81234567
r1 = 32
w0 >>= w1
exit
-- result
0x81234567

-- case 0xfedcba9887654321 >>= 0x25, register
-- asm
r0 = 0xfedcba9887654321 ll
r1 = 37
w0 >>= w1
exit
-- result
0x43b2a19

-- case 0xffffffffffffffff >>= 0x100000003, register
-- asm
r0 = -1
r1 = 0x100000003 ll
w0 >>= w1
exit
-- result
0x1fffffff

-- case 0x81234567 >>= 0xffffffffffffffff, register
-- asm
w0 = 0x81234567
r1 = -1
w0 >>= w1
exit
-- result
0x1

-- case 0x8123456789abcdef >>= 0
-- asm
r0 = 0x8123456789abcdef ll
w0 >>= 0
exit
-- result
0x89abcdef

-- case 0x8123456789abcdef >>= 1
-- asm
r0 = 0x8123456789abcdef ll
w0 >>= 1
exit
-- result
0x44d5e6f7

-- case 0x8123456789abcdef >>= 31
-- asm
r0 = 0x8123456789abcdef ll
w0 >>= 31
exit
-- result
0x1

-- case 0x8123456789abcdef s>>= 0x0, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 0
w0 s>>= w1
exit
-- result
0x89abcdef

-- case 0x8123456789abcdef s>>= 0x1, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 1
w0 s>>= w1
exit
-- result
0xc4d5e6f7

-- case 0x8123456789abcdef s>>= 0x1f, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 31
w0 s>>= w1
exit
-- result
0xffffffff

-- case 0x81234567 s>>= 0x20, register
-- asm
w0 = 0x81234567
r1 = 32
w0 s>>= w1
exit
-- result
0x81234567

-- case 0xfedcba9887654321 s>>= 0x25, register
-- asm
r0 = 0xfedcba9887654321 ll
r1 = 37
w0 s>>= w1
exit
-- result
0xfc3b2a19

-- case 0xffffffffffffffff s>>= 0x100000003, register
-- asm
r0 = -1
r1 = 0x100000003 ll
w0 s>>= w1
exit
-- result
0xffffffff

-- case 0x81234567 s>>= 0xffffffffffffffff, register
-- asm
w0 = 0x81234567
r1 = -1
w0 s>>= w1
exit
-- result
0xffffffff

-- case 0x8123456789abcdef s>>= 0
-- asm
r0 = 0x8123456789abcdef ll
w0 s>>= 0
exit
-- result
0x89abcdef

-- case 0x8123456789abcdef s>>= 1
-- asm
r0 = 0x8123456789abcdef ll
w0 s>>= 1
exit
-- result
0xc4d5e6f7

-- case 0x8123456789abcdef s>>= 31
-- asm
r0 = 0x8123456789abcdef ll
w0 s>>= 31
exit
-- result
0xffffffff

-- case -0x0
-- asm
r0 = 0
w0 = -w0
exit
-- result
0x0

-- case -0x1
-- asm
r0 = 1
w0 = -w0
exit
-- result
0xffffffff

-- case -0x80000000
-- asm
w0 = 0x80000000
w0 = -w0
exit
-- result
0x80000000

-- case -0xfedcba9876543210
-- asm
r0 = 0xfedcba9876543210 ll
w0 = -w0
exit
-- result
0x89abcdf0
