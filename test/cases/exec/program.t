Small programs that use several instructions together.

-- case greatest common divisor
-- asm
r1 = 1071
r2 = 462
r4 = 0
again: r3 = r1
r3 %= r2
r1 = r2
r2 = r3
r4 += 1
if r4 > 30 goto out
if r2 != 0 goto again
out: r0 = r1
exit
-- result
21

-- case FNV-1a of eight bytes
-- asm
r1 = 0x0706050403020100 ll
*(u64 *)(r10 -8) = r1
r2 = r10
r2 += -8
r0 = 0xcbf29ce484222325 ll
r3 = 0x100000001b3 ll
r4 = 0
again: r5 = *(u8 *)(r2 +0)
r0 ^= r5
r0 *= r3
r2 += 1
r4 += 1
if r4 < 8 goto again
exit
-- result
0xa4dc49e2b28ecb7d

-- case murmur finalizer
-- asm
r0 = 0x123456789abcdef ll
r1 = r0
r1 >>= 33
r0 ^= r1
r1 = 0xff51afd7ed558ccd ll
r0 *= r1
r1 = r0
r1 >>= 33
r0 ^= r1
r1 = 0xc4ceb9fe1a85ec53 ll
r0 *= r1
r1 = r0
r1 >>= 33
r0 ^= r1
exit
-- result
0x87cbfbfe89022cea

-- case rotate of 32 bits
-- asm
w1 = 0x81234567
w0 = w1
w0 <<= 7
w1 >>= 25
w0 |= w1
exit
-- result
0x91a2b3c0

-- case absolute value
-- asm
r0 = -77
if r0 s>= 0 goto +1
r0 = -r0
exit
-- result
77

-- case internet checksum fold
-- asm
r0 = 0x2ddf0
r1 = r0
r1 >>= 16
r0 &= 0xffff
r0 += r1
r0 ^= 0xffff
exit
-- result
0x220d

-- case bits counted
-- asm
r1 = 0xf0f0f0f0f0f0f0f1 ll
r0 = 0
again: if r1 == 0 goto out
r2 = r1
r2 -= 1
r1 &= r2
r0 += 1
goto again
out: exit
-- result
33

-- case fibonacci
-- asm
r0 = 0
r1 = 1
r2 = 0
again: r3 = r0
r0 = r1
r1 += r3
r2 += 1
if r2 != 90 goto again
exit
-- result
2880067194370816120

-- case every register
-- asm
r1 = 1
r2 = 2
r3 = 3
r4 = 4
r5 = 5
r6 = 6
r7 = 7
r8 = 8
r9 = 9
r0 = r1
r0 += r2
r0 += r3
r0 += r4
r0 += r5
r0 += r6
r0 += r7
r0 += r8
r0 += r9
exit
-- result
45

-- case two-operand forms on r1
-- asm
r1 = 100
r1 += 7
r1 *= r1
w1 -= 1
r0 = r1
exit
-- result
11448

-- case two-operand forms on r2
-- asm
r2 = 100
r2 += 7
r2 *= r2
w2 -= 1
r0 = r2
exit
-- result
11448

-- case two-operand forms on r3
-- asm
r3 = 100
r3 += 7
r3 *= r3
w3 -= 1
r0 = r3
exit
-- result
11448

-- case two-operand forms on r4
-- asm
r4 = 100
r4 += 7
r4 *= r4
w4 -= 1
r0 = r4
exit
-- result
11448

-- case two-operand forms on r5
-- asm
r5 = 100
r5 += 7
r5 *= r5
w5 -= 1
r0 = r5
exit
-- result
11448

-- case two-operand forms on r6
-- asm
r6 = 100
r6 += 7
r6 *= r6
w6 -= 1
r0 = r6
exit
-- result
11448

-- case two-operand forms on r7
-- asm
r7 = 100
r7 += 7
r7 *= r7
w7 -= 1
r0 = r7
exit
-- result
11448

-- case two-operand forms on r8
-- asm
r8 = 100
r8 += 7
r8 *= r8
w8 -= 1
r0 = r8
exit
-- result
11448

-- case two-operand forms on r9
-- asm
r9 = 100
r9 += 7
r9 *= r9
w9 -= 1
r0 = r9
exit
-- result
11448

-- case division with operands in every place
-- asm
r3 = 1000
r4 = 7
r0 = r3
r0 /= r4
r1 = r3
r1 %= r4
r2 = 3000
r2 /= r0
r0 *= 100
r0 += r1
r0 *= 100
r0 += r2
r0 += r3
r0 += r4
exit
-- result
1421628

-- case shift count in every register
-- asm
r4 = 3
r0 = 1
r0 <<= r4
r1 = 4
r2 = 256
r2 >>= r1
r0 += r2
r5 = -64
r5 s>>= r4
r0 += r5
r3 = 2
r3 <<= r3
r0 += r3
exit
-- result
24
