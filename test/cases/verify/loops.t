Loops as a compiler leaves them (clang 19, -O2 -mcpu=v3): bounded, and to be accepted within the limit of steps.

-- case binary search for 16 keys in 1024 numbers
-- type
raw 4096
-- asm
r2 = 0
r3 = r1
r3 += 2048
r0 = 0
goto +22
w6 = w7
if w7 < w5 goto +5
w4 = w7
r0 += r4
r2 += 1
if r2 == 16 goto +24
goto +15
w7 = w5
w7 += w6
w7 >>= 1
w8 = w7
w8 &= 1023
r8 <<= 1
r9 = r1
r9 += r8
r8 = *(u16 *)(r9 +0)
if w8 < w4 goto +1
w5 = w7
w7 += 1
if w8 < w4 goto -20
w7 = w6
goto -22
r4 = r2
r4 <<= 1
r7 = r3
r7 += r4
w6 = 0
w5 = 1024
r4 = *(u16 *)(r7 +0)
goto -23
exit
-- accept
-- walked 500000

-- case binary search for one key, with equality
-- type
raw 8192
-- asm
w3 = 1024
w2 = 0
r4 = *(u32 *)(r1 +4096)
w6 = 0
goto +6
r0 = -1
if w2 > 9 goto +3
w2 += 1
w6 = w5
if w5 < w3 goto +1
exit
w5 = w3
w5 += w6
r0 = -1
if w5 > 2047 goto -5
w5 >>= 1
r0 = r5
r0 <<= 2
r7 = r1
r7 += r0
r7 = *(u32 *)(r7 +0)
r0 = r5
if w7 == w4 goto -13
if w7 < w4 goto +1
w3 = w5
w5 += 1
if w7 < w4 goto -22
w5 = w6
goto -24
-- accept
-- walked 60000

-- case bubble sort of 32 numbers on the stack
-- type
raw 4096
-- asm
r2 = *(u32 *)(r1 +88)
r3 = *(u32 *)(r1 +92)
r3 <<= 32
r3 |= r2
*(u64 *)(r10 -136) = r3
r2 = *(u32 *)(r1 +96)
r3 = *(u32 *)(r1 +100)
r3 <<= 32
r3 |= r2
*(u64 *)(r10 -144) = r3
r2 = *(u32 *)(r1 +104)
r3 = *(u32 *)(r1 +108)
r3 <<= 32
r3 |= r2
*(u64 *)(r10 -152) = r3
r2 = *(u32 *)(r1 +112)
r3 = *(u32 *)(r1 +116)
r3 <<= 32
r3 |= r2
*(u64 *)(r10 -168) = r3
r2 = *(u32 *)(r1 +8)
r3 = *(u32 *)(r1 +12)
r3 <<= 32
r3 |= r2
*(u64 *)(r10 -160) = r3
r2 = *(u32 *)(r1 +16)
r3 = *(u32 *)(r1 +20)
r3 <<= 32
r3 |= r2
*(u64 *)(r10 -176) = r3
r2 = *(u32 *)(r1 +24)
r3 = *(u32 *)(r1 +28)
r3 <<= 32
r3 |= r2
*(u64 *)(r10 -184) = r3
r2 = *(u32 *)(r1 +32)
r8 = *(u32 *)(r1 +36)
r8 <<= 32
r8 |= r2
r2 = *(u32 *)(r1 +40)
r9 = *(u32 *)(r1 +44)
r9 <<= 32
r9 |= r2
r2 = *(u32 *)(r1 +48)
r0 = *(u32 *)(r1 +52)
r0 <<= 32
r0 |= r2
r2 = *(u32 *)(r1 +56)
r5 = *(u32 *)(r1 +60)
r5 <<= 32
r5 |= r2
r2 = *(u32 *)(r1 +64)
r4 = *(u32 *)(r1 +68)
r4 <<= 32
r4 |= r2
r2 = *(u32 *)(r1 +72)
r3 = *(u32 *)(r1 +76)
r3 <<= 32
r3 |= r2
r6 = *(u32 *)(r1 +80)
r2 = *(u32 *)(r1 +84)
r2 <<= 32
r2 |= r6
r6 = *(u32 *)(r1 +120)
r7 = *(u32 *)(r1 +124)
r7 <<= 32
r7 |= r6
*(u64 *)(r10 -8) = r7
r6 = *(u64 *)(r10 -168)
*(u64 *)(r10 -16) = r6
r6 = *(u64 *)(r10 -152)
*(u64 *)(r10 -24) = r6
r6 = *(u64 *)(r10 -144)
*(u64 *)(r10 -32) = r6
r6 = *(u64 *)(r10 -136)
*(u64 *)(r10 -40) = r6
*(u64 *)(r10 -48) = r2
*(u64 *)(r10 -56) = r3
*(u64 *)(r10 -64) = r4
*(u64 *)(r10 -72) = r5
*(u64 *)(r10 -80) = r0
*(u64 *)(r10 -88) = r9
*(u64 *)(r10 -96) = r8
r2 = *(u64 *)(r10 -184)
*(u64 *)(r10 -104) = r2
r2 = *(u64 *)(r10 -176)
*(u64 *)(r10 -112) = r2
r2 = *(u64 *)(r10 -160)
*(u64 *)(r10 -120) = r2
r2 = *(u32 *)(r1 +0)
r1 = *(u32 *)(r1 +4)
r1 <<= 32
r1 |= r2
*(u64 *)(r10 -128) = r1
r1 = 0
r2 = r10
r2 += -124
goto +5
r1 += 1
if r1 != 31 goto +3
r1 = 0
r0 = 0
goto +17
r3 = 31
r3 -= r1
r0 = *(u32 *)(r10 -128)
r4 = r2
r5 = 0
goto +5
r5 += 1
r4 += 4
w0 = w6
if r5 < r3 goto +1
goto -16
r6 = *(u32 *)(r4 +0)
if w0 <= w6 goto -7
*(u32 *)(r4 +0) = r0
*(u32 *)(r4 -4) = r6
w6 = w0
goto -11
r2 = r10
r2 += -128
r2 += r1
r2 = *(u32 *)(r2 +0)
r0 *= 31
r0 += r2
r1 += 4
if r1 == 128 goto +1
goto -9
exit
-- accept
-- walked 10000

-- case checksum over 1500 bytes, folded
-- type
raw 1500
-- asm
r0 = 0
if r2 < 2 goto +17
r3 = 0
r4 = 0
r5 = r1
r5 += r3
r5 = *(u16 *)(r5 +0)
r0 += r5
r4 += 2
r5 = r3
r5 += 3
r3 = r4
if r5 < r2 goto -9
if r0 < 65536 goto +5
r1 = r0
r1 >>= 16
r0 &= 65535
r0 += r1
if r0 > 65535 goto -5
exit
-- accept
-- walked 10000

-- case walk over up to 256 extension headers
-- type
packet
-- asm
r0 = 0
r2 = *(u64 *)(r1 +8)
r1 = *(u64 *)(r1 +0)
r3 = r1
r3 += 40
if r3 > r2 goto +43
w3 = 40
w4 = 256
r6 = r1
r6 += 6
r5 = 0x1008180000000001 ll
goto +28
if w3 > 65280 goto +35
r6 = r1
r6 += r3
r8 = r6
r8 += 8
if r8 > r2 goto +30
w8 = 8
if w7 == 44 goto +6
w9 = 2
if w7 == 51 goto +1
w9 = 3
r8 = *(u8 *)(r6 +1)
w8 <<= w9
w8 += 8
w8 += w3
w4 += -1
w3 = w8
if w4 != 0 goto +10
if w3 > 65280 goto +17
r1 += r3
r3 = r1
r3 += 4
if r3 > r2 goto +13
r1 = *(u16 *)(r1 +2)
w0 = 1
if w1 == 13568 goto +10
w0 = 0
goto +8
r7 = *(u8 *)(r6 +0)
if w7 > 60 goto +4
r6 = 1
r6 <<= r7
r6 &= r5
if r6 != 0 goto -34
if w7 == 135 goto -35
goto -18
exit
-- accept
-- walked 100000
