Arithmetic of 64 bits on values at the edges.

-- case 0xffffffffffffffff += 0x1, register
-- asm
r0 = -1
r1 = 1
r0 += r1
exit
-- result
0x0

-- case 0x7fffffffffffffff += 0x1, register
-- asm
r0 = 0x7fffffffffffffff ll
r1 = 1
r0 += r1
exit
-- result
0x8000000000000000

-- case 0x123456789abcdef0 += 0xfedcba987654321, register
-- asm
r0 = 0x123456789abcdef0 ll
r1 = 0xfedcba987654321 ll
r0 += r1
exit
-- result
0x2222222222222211

-- case 0x1 += -1
-- asm
r0 = 1
r0 += -1
exit
-- result
0x0

-- case 0x7fffffffffffffff += 2147483647
-- asm
r0 = 0x7fffffffffffffff ll
r0 += 2147483647
exit
-- result
0x800000007ffffffe

-- case 0x0 -= 0x1, register
-- asm
r0 = 0
r1 = 1
r0 -= r1
exit
-- result
0xffffffffffffffff

-- case 0x8000000000000000 -= 0x1, register
-- asm
r0 = 0x8000000000000000 ll
r1 = 1
r0 -= r1
exit
-- result
0x7fffffffffffffff

-- case 0x5 -= 0xffffffffffffffff, register
-- asm
r0 = 5
r1 = -1
r0 -= r1
exit
-- result
0x6

-- case 0x0 -= -1
-- asm
r0 = 0
r0 -= -1
exit
-- result
0x1

-- case 0x1 -= 2147483647
-- asm
r0 = 1
r0 -= 2147483647
exit
-- result
0xffffffff80000002

-- case 0x100000001 *= 0x100000001, register
-- asm
r0 = 0x100000001 ll
r1 = 0x100000001 ll
r0 *= r1
exit
-- result
0x200000001

-- case 0x7fffffffffffffff *= 0x2, register
-- asm
r0 = 0x7fffffffffffffff ll
r1 = 2
r0 *= r1
exit
-- result
0xfffffffffffffffe

-- case 0xffffffffffffffff *= 0xffffffffffffffff, register
-- asm
r0 = -1
r1 = -1
r0 *= r1
exit
-- result
0x1

-- case 0x7fffffffffffffff *= -1
-- asm
r0 = 0x7fffffffffffffff ll
r0 *= -1
exit
-- result
0x8000000000000001

-- case 0xdeadbeef *= 65537
-- asm
w0 = 0xdeadbeef
r0 *= 65537
exit
-- result
0xdeae9d9cbeef

-- case 0xffffffffffffffff /= 0x2, register
-- asm
r0 = -1
r1 = 2
r0 /= r1
exit
-- result
0x7fffffffffffffff

-- case 0x8000000000000000 /= 0xffffffffffffffff, register
-- asm
r0 = 0x8000000000000000 ll
r1 = -1
r0 /= r1
exit
-- result
0x0

-- case 0x7 /= 0x0, register
-- asm
r0 = 7
r1 = 0
r0 /= r1
exit
-- result
0x0

-- case 0x100000007 /= 0x100000000, register
-- asm
r0 = 0x100000007 ll
r1 = 0x100000000 ll
r0 /= r1
exit
-- result
0x1

-- case 0xffffffffffffffff /= 10
-- asm
r0 = -1
r0 /= 10
exit
-- result
0x1999999999999999

-- case 0x64 /= -1
-- asm
r0 = 100
r0 /= -1
exit
-- result
0x0

-- case 0xffffffffffffffff %= 0xa, register
-- asm
r0 = -1
r1 = 10
r0 %= r1
exit
-- result
0x5

-- case 0x7 %= 0x0, register
-- asm
r0 = 7
r1 = 0
r0 %= r1
exit
-- result
0x7

-- case 0x1234567800000007 %= 0x100000000, register
-- asm
r0 = 0x1234567800000007 ll
r1 = 0x100000000 ll
r0 %= r1
exit
-- result
0x7

-- case 0x8000000000000000 %= 0xffffffffffffffff, register
-- asm
r0 = 0x8000000000000000 ll
r1 = -1
r0 %= r1
exit
-- result
0x8000000000000000

-- case 0xffffffffffffffff %= 7
-- asm
r0 = -1
r0 %= 7
exit
-- result
0x1

-- case 0x64 %= -1
-- asm
r0 = 100
r0 %= -1
exit
-- result
0x64

-- case 0x8000000000000000 s/= 0xffffffffffffffff, register
-- asm
r0 = 0x8000000000000000 ll
r1 = -1
r0 s/= r1
exit
-- result
0x8000000000000000

-- case 0xfffffffffffffff9 s/= 0x2, register
-- asm
r0 = -7
r1 = 2
r0 s/= r1
exit
-- result
0xfffffffffffffffd

-- case 0x7 s/= 0xfffffffffffffffe, register
-- asm
r0 = 7
r1 = -2
r0 s/= r1
exit
-- result
0xfffffffffffffffd

-- case 0xfffffffffffffff9 s/= 0x0, register
-- asm
r0 = -7
r1 = 0
r0 s/= r1
exit
-- result
0x0

-- case 0x8000000000000000 s/= -1
-- asm
r0 = 0x8000000000000000 ll
r0 s/= -1
exit
-- result
0x8000000000000000

-- case 0xffffffffffffff9c s/= 7
-- asm
r0 = -100
r0 s/= 7
exit
-- result
0xfffffffffffffff2

-- case 0x8000000000000000 s%= 0xffffffffffffffff, register
-- asm
r0 = 0x8000000000000000 ll
r1 = -1
r0 s%= r1
exit
-- result
0x0

-- case 0xfffffffffffffff9 s%= 0x2, register
-- asm
r0 = -7
r1 = 2
r0 s%= r1
exit
-- result
0xffffffffffffffff

-- case 0x7 s%= 0xfffffffffffffffe, register
-- asm
r0 = 7
r1 = -2
r0 s%= r1
exit
-- result
0x1

-- case 0xfffffffffffffff9 s%= 0x0, register
-- asm
r0 = -7
r1 = 0
r0 s%= r1
exit
-- result
0xfffffffffffffff9

-- case 0x8000000000000000 s%= -1
-- asm
r0 = 0x8000000000000000 ll
r0 s%= -1
exit
-- result
0x0

-- case 0xffffffffffffff9c s%= 7
-- asm
r0 = -100
r0 s%= 7
exit
-- result
0xfffffffffffffffe

-- case 0xf0f0f0f00f0f0f0f |= 0xf0f0f0f00000000, register
-- asm
r0 = 0xf0f0f0f00f0f0f0f ll
r1 = 0xf0f0f0f00000000 ll
r0 |= r1
exit
-- result
0xffffffff0f0f0f0f

-- case 0x0 |= -2147483648
-- asm
r0 = 0
r0 |= -2147483648
exit
-- result
0xffffffff80000000

-- case 0xff00 |= 255
-- asm
r0 = 65280
r0 |= 255
exit
-- result
0xffff

-- case 0xffffffffffffffff &= 0xf0f0f0f00f0f0f0f, register
-- asm
r0 = -1
r1 = 0xf0f0f0f00f0f0f0f ll
r0 &= r1
exit
-- result
0xf0f0f0f00f0f0f0f

-- case 0xffffffffffffffff &= -2147483648
-- asm
r0 = -1
r0 &= -2147483648
exit
-- result
0xffffffff80000000

-- case 0xffffffffffffffff &= 2147483647
-- asm
r0 = -1
r0 &= 2147483647
exit
-- result
0x7fffffff

-- case 0xffffffffffffffff ^= 0xf0f0f0f00f0f0f0f, register
-- asm
r0 = -1
r1 = 0xf0f0f0f00f0f0f0f ll
r0 ^= r1
exit
-- result
0xf0f0f0ff0f0f0f0

-- case 0x5555555555555555 ^= 0x5555555555555555, register
-- asm
r0 = 0x5555555555555555 ll
r1 = 0x5555555555555555 ll
r0 ^= r1
exit
-- result
0x0

-- case 0x0 ^= -1
-- asm
r0 = 0
r0 ^= -1
exit
-- result
0xffffffffffffffff

-- case 0xffffffffffffffff ^= 2147483647
-- asm
r0 = -1
r0 ^= 2147483647
exit
-- result
0xffffffff80000000

-- case 0x0 = 0xfedcba9876543210, register
-- asm
r0 = 0
r1 = 0xfedcba9876543210 ll
r0 = r1
exit
-- result
0xfedcba9876543210

-- case 0xffffffffffffffff = -1
-- asm
r0 = -1
r0 = -1
exit
-- result
0xffffffffffffffff

-- case 0xffffffffffffffff = 2147483647
-- asm
r0 = -1
r0 = 2147483647
exit
-- result
0x7fffffff

-- case 0x0 = -2147483648
-- asm
r0 = 0
r0 = -2147483648
exit
-- result
0xffffffff80000000

-- case 0x8123456789abcdef <<= 0x0, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 0
r0 <<= r1
exit
-- result
0x8123456789abcdef

-- case 0x8123456789abcdef <<= 0x1, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 1
r0 <<= r1
exit
-- result
0x2468acf13579bde

-- case 0x8123456789abcdef <<= 0x3f, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 63
r0 <<= r1
exit
-- result
0x8000000000000000

-- case 0x81234567 <<= 0x40, register
-- asm
w0 = 0x81234567
r1 = 64
r0 <<= r1
exit
-- result
0x81234567

-- case 0xfedcba9887654321 <<= 0x45, register
-- asm
r0 = 0xfedcba9887654321 ll
r1 = 69
r0 <<= r1
exit
-- result
0xdb975310eca86420

-- case 0xffffffffffffffff <<= 0x100000003, register
-- asm
r0 = -1
r1 = 0x100000003 ll
r0 <<= r1
exit
-- result
0xfffffffffffffff8

-- case 0x81234567 <<= 0xffffffffffffffff, register
-- asm
w0 = 0x81234567
r1 = -1
r0 <<= r1
exit
-- result
0x8000000000000000

-- case 0x8123456789abcdef <<= 0
-- asm
r0 = 0x8123456789abcdef ll
r0 <<= 0
exit
-- result
0x8123456789abcdef

-- case 0x8123456789abcdef <<= 1
-- asm
r0 = 0x8123456789abcdef ll
r0 <<= 1
exit
-- result
0x2468acf13579bde

-- case 0x8123456789abcdef <<= 63
-- asm
r0 = 0x8123456789abcdef ll
r0 <<= 63
exit
-- result
0x8000000000000000

-- case 0x8123456789abcdef >>= 0x0, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 0
r0 >>= r1
exit
-- result
0x8123456789abcdef

-- case 0x8123456789abcdef >>= 0x1, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 1
r0 >>= r1
exit
-- result
0x4091a2b3c4d5e6f7

-- case 0x8123456789abcdef >>= 0x3f, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 63
r0 >>= r1
exit
-- result
0x1

-- case 0x81234567 >>= 0x40, register
-- asm
w0 = 0x81234567
r1 = 64
r0 >>= r1
exit
-- result
0x81234567

-- case 0xfedcba9887654321 >>= 0x45, register
-- asm
r0 = 0xfedcba9887654321 ll
r1 = 69
r0 >>= r1
exit
-- result
0x7f6e5d4c43b2a19

-- case 0xffffffffffffffff >>= 0x100000003, register
-- asm
r0 = -1
r1 = 0x100000003 ll
r0 >>= r1
exit
-- result
0x1fffffffffffffff

-- case 0x81234567 >>= 0xffffffffffffffff, register
-- asm
w0 = 0x81234567
r1 = -1
r0 >>= r1
exit
-- result
0x0

-- case 0x8123456789abcdef >>= 0
-- asm
r0 = 0x8123456789abcdef ll
r0 >>= 0
exit
-- result
0x8123456789abcdef

-- case 0x8123456789abcdef >>= 1
-- asm
r0 = 0x8123456789abcdef ll
r0 >>= 1
exit
-- result
0x4091a2b3c4d5e6f7

-- case 0x8123456789abcdef >>= 63
-- asm
r0 = 0x8123456789abcdef ll
r0 >>= 63
exit
-- result
0x1

-- case 0x8123456789abcdef s>>= 0x0, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 0
r0 s>>= r1
exit
-- result
0x8123456789abcdef

-- case 0x8123456789abcdef s>>= 0x1, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 1
r0 s>>= r1
exit
-- result
0xc091a2b3c4d5e6f7

-- case 0x8123456789abcdef s>>= 0x3f, register
-- asm
r0 = 0x8123456789abcdef ll
r1 = 63
r0 s>>= r1
exit
-- result
0xffffffffffffffff

-- case 0x81234567 s>>= 0x40, register
-- asm
w0 = 0x81234567
r1 = 64
r0 s>>= r1
exit
-- result
0x81234567

-- case 0xfedcba9887654321 s>>= 0x45, register
-- asm
r0 = 0xfedcba9887654321 ll
r1 = 69
r0 s>>= r1
exit
-- result
0xfff6e5d4c43b2a19

-- case 0xffffffffffffffff s>>= 0x100000003, register
-- asm
r0 = -1
r1 = 0x100000003 ll
r0 s>>= r1
exit
-- result
0xffffffffffffffff

-- case 0x81234567 s>>= 0xffffffffffffffff, register
-- asm
w0 = 0x81234567
r1 = -1
r0 s>>= r1
exit
-- result
0x0

-- case 0x8123456789abcdef s>>= 0
-- asm
r0 = 0x8123456789abcdef ll
r0 s>>= 0
exit
-- result
0x8123456789abcdef

-- case 0x8123456789abcdef s>>= 1
-- asm
r0 = 0x8123456789abcdef ll
r0 s>>= 1
exit
-- result
0xc091a2b3c4d5e6f7

-- case 0x8123456789abcdef s>>= 63
-- asm
r0 = 0x8123456789abcdef ll
r0 s>>= 63
exit
-- result
0xffffffffffffffff

-- case -0x0
-- asm
r0 = 0
r0 = -r0
exit
-- result
0x0

-- case -0x1
-- asm
r0 = 1
r0 = -r0
exit
-- result
0xffffffffffffffff

-- case -0x8000000000000000
-- asm
r0 = 0x8000000000000000 ll
r0 = -r0
exit
-- result
0x8000000000000000

-- case -0xfedcba9876543210
-- asm
r0 = 0xfedcba9876543210 ll
r0 = -r0
exit
-- result
0x123456789abcdf0
