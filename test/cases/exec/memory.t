Loads and stores of every size, on the stack and in memory.

-- case store and load u8 on the stack
-- asm
r1 = -1
*(u64 *)(r10 -8) = r1
r1 = 0x8182838485868788 ll
*(u8 *)(r10 -8) = r1
r0 = *(u8 *)(r10 -8)
exit
-- result
0x88

-- case store of u8 leaves its neighbours
-- asm
r1 = -1
*(u64 *)(r10 -8) = r1
r1 = 0x8182838485868788 ll
*(u8 *)(r10 -8) = r1
r0 = *(u64 *)(r10 -8)
exit
-- result
0xffffffffffffff88

-- case store of immediate u8
-- asm
r1 = 0x1111111111111111 ll
*(u64 *)(r10 -16) = r1
*(u8 *)(r10 -16) = -2
r0 = *(u64 *)(r10 -16)
exit
-- result
0x11111111111111fe

-- case store and load u16 on the stack
-- asm
r1 = -1
*(u64 *)(r10 -8) = r1
r1 = 0x8182838485868788 ll
*(u16 *)(r10 -8) = r1
r0 = *(u16 *)(r10 -8)
exit
-- result
0x8788

-- case store of u16 leaves its neighbours
-- asm
r1 = -1
*(u64 *)(r10 -8) = r1
r1 = 0x8182838485868788 ll
*(u16 *)(r10 -8) = r1
r0 = *(u64 *)(r10 -8)
exit
-- result
0xffffffffffff8788

-- case store of immediate u16
-- asm
r1 = 0x1111111111111111 ll
*(u64 *)(r10 -16) = r1
*(u16 *)(r10 -16) = -2
r0 = *(u64 *)(r10 -16)
exit
-- result
0x111111111111fffe

-- case store and load u32 on the stack
-- asm
r1 = -1
*(u64 *)(r10 -8) = r1
r1 = 0x8182838485868788 ll
*(u32 *)(r10 -8) = r1
r0 = *(u32 *)(r10 -8)
exit
-- result
0x85868788

-- case store of u32 leaves its neighbours
-- asm
r1 = -1
*(u64 *)(r10 -8) = r1
r1 = 0x8182838485868788 ll
*(u32 *)(r10 -8) = r1
r0 = *(u64 *)(r10 -8)
exit
-- result
0xffffffff85868788

-- case store of immediate u32
-- asm
r1 = 0x1111111111111111 ll
*(u64 *)(r10 -16) = r1
*(u32 *)(r10 -16) = -2
r0 = *(u64 *)(r10 -16)
exit
-- result
0x11111111fffffffe

-- case store and load u64 on the stack
-- asm
r1 = -1
*(u64 *)(r10 -8) = r1
r1 = 0x8182838485868788 ll
*(u64 *)(r10 -8) = r1
r0 = *(u64 *)(r10 -8)
exit
-- result
0x8182838485868788

-- case store of u64 leaves its neighbours
-- asm
r1 = -1
*(u64 *)(r10 -8) = r1
r1 = 0x8182838485868788 ll
*(u64 *)(r10 -8) = r1
r0 = *(u64 *)(r10 -8)
exit
-- result
0x8182838485868788

-- case store of immediate u64
-- asm
r1 = 0x1111111111111111 ll
*(u64 *)(r10 -16) = r1
*(u64 *)(r10 -16) = -2
r0 = *(u64 *)(r10 -16)
exit
-- result
0xfffffffffffffffe

-- case load s8 of 0x8182838485868788
-- asm
r1 = 0x8182838485868788 ll
*(u64 *)(r10 -8) = r1
r0 = 0
r0 = *(s8 *)(r10 -8)
exit
-- result
0xffffffffffffff88

-- case load s8 of 0x102030405060708
-- asm
r1 = 0x102030405060708 ll
*(u64 *)(r10 -8) = r1
r0 = 0
r0 = *(s8 *)(r10 -8)
exit
-- result
0x8

-- case load s8 of 0x7f7f7f7f7f7f7f7f
-- asm
r1 = 0x7f7f7f7f7f7f7f7f ll
*(u64 *)(r10 -8) = r1
r0 = 0
r0 = *(s8 *)(r10 -8)
exit
-- result
0x7f

-- case load s16 of 0x8182838485868788
-- asm
r1 = 0x8182838485868788 ll
*(u64 *)(r10 -8) = r1
r0 = 0
r0 = *(s16 *)(r10 -8)
exit
-- result
0xffffffffffff8788

-- case load s16 of 0x102030405060708
-- asm
r1 = 0x102030405060708 ll
*(u64 *)(r10 -8) = r1
r0 = 0
r0 = *(s16 *)(r10 -8)
exit
-- result
0x708

-- case load s16 of 0x7f7f7f7f7f7f7f7f
-- asm
r1 = 0x7f7f7f7f7f7f7f7f ll
*(u64 *)(r10 -8) = r1
r0 = 0
r0 = *(s16 *)(r10 -8)
exit
-- result
0x7f7f

-- case load s32 of 0x8182838485868788
-- asm
r1 = 0x8182838485868788 ll
*(u64 *)(r10 -8) = r1
r0 = 0
r0 = *(s32 *)(r10 -8)
exit
-- result
0xffffffff85868788

-- case load s32 of 0x102030405060708
-- asm
r1 = 0x102030405060708 ll
*(u64 *)(r10 -8) = r1
r0 = 0
r0 = *(s32 *)(r10 -8)
exit
-- result
0x5060708

-- case load s32 of 0x7f7f7f7f7f7f7f7f
-- asm
r1 = 0x7f7f7f7f7f7f7f7f ll
*(u64 *)(r10 -8) = r1
r0 = 0
r0 = *(s32 *)(r10 -8)
exit
-- result
0x7f7f7f7f

-- case bytes stand in little-endian order
-- asm
r1 = 0x1122334455667788 ll
*(u64 *)(r10 -8) = r1
r0 = *(u8 *)(r10 -8)
r2 = *(u8 *)(r10 -1)
r2 <<= 8
r0 |= r2
exit
-- result
0x1188

-- case load into its own base
-- asm
r1 = r10
r1 += -8
r2 = 42
*(u64 *)(r1 +0) = r2
r1 = *(u64 *)(r1 +0)
r0 = r1
exit
-- result
42

-- case whole stack
-- asm
r1 = 1
*(u64 *)(r10 -512) = r1
r1 = 2
*(u64 *)(r10 -8) = r1
r0 = *(u64 *)(r10 -512)
r2 = *(u64 *)(r10 -8)
r0 <<= 4
r0 |= r2
exit
-- result
0x12

-- case load u8 from memory
-- asm
r0 = *(u8 *)(r1 +8)
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
0x88

-- case store u8 to memory
-- asm
r3 = 0x8182838485868788 ll
*(u8 *)(r1 +4) = r3
r0 = 0
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
0
-- mem after
00 01 02 03 88 05 06 07 88 89 8a 8b 8c 8d 8e 8f

-- case load s8 from memory
-- asm
r0 = *(s8 *)(r1 +8)
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
0xffffffffffffff88

-- case load u16 from memory
-- asm
r0 = *(u16 *)(r1 +8)
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
0x8988

-- case store u16 to memory
-- asm
r3 = 0x8182838485868788 ll
*(u16 *)(r1 +4) = r3
r0 = 0
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
0
-- mem after
00 01 02 03 88 87 06 07 88 89 8a 8b 8c 8d 8e 8f

-- case load s16 from memory
-- asm
r0 = *(s16 *)(r1 +8)
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
0xffffffffffff8988

-- case load u32 from memory
-- asm
r0 = *(u32 *)(r1 +8)
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
0x8b8a8988

-- case store u32 to memory
-- asm
r3 = 0x8182838485868788 ll
*(u32 *)(r1 +4) = r3
r0 = 0
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
0
-- mem after
00 01 02 03 88 87 86 85 88 89 8a 8b 8c 8d 8e 8f

-- case load s32 from memory
-- asm
r0 = *(s32 *)(r1 +8)
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
0xffffffff8b8a8988

-- case load u64 from memory
-- asm
r0 = *(u64 *)(r1 +8)
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
0x8f8e8d8c8b8a8988

-- case store u64 to memory
-- asm
r3 = 0x8182838485868788 ll
*(u64 *)(r1 +4) = r3
r0 = 0
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
0
-- mem after
00 01 02 03 88 87 86 85 84 83 82 81 8c 8d 8e 8f

-- case unaligned load of u16
-- asm
r0 = *(u16 *)(r1 +1)
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
0x201

-- case unaligned load of u32
-- asm
r0 = *(u32 *)(r1 +1)
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
0x4030201

-- case unaligned load of u64
-- asm
r0 = *(u64 *)(r1 +1)
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
0x8807060504030201

-- case negative offset from memory
-- asm
r1 += 16
r0 = *(u8 *)(r1 -16)
r2 = *(u8 *)(r1 -1)
r0 += r2
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
0x8f

-- case sum of all bytes
-- asm
r3 = r1
r3 += 16
r0 = 0
again: r4 = *(u8 *)(r1 +0)
r0 += r4
r1 += 1
if r1 != r3 goto again
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
1144
-- no kernel
an access in a loop whose bound is compared by != only

-- case length in r2
-- asm
r0 = r2
exit
-- mem
00 01 02 03 04 05 06 07 88 89 8a 8b 8c 8d 8e 8f
-- result
16
