Atomics of 32 and 64 bits: r0 combines the register afterwards (xor) with the memory.

-- case add of u32
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
lock *(u32 *)(r10 -8) += r2
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x123456600000002

-- case fetch and add of u32
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
r2 = atomic_fetch_add((u32 *)(r10 -8), r2)
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x8000000176543213

-- case or of u32
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
lock *(u32 *)(r10 -8) |= r2
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x123456676543210

-- case fetch and or of u32
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
r2 = atomic_fetch_or((u32 *)(r10 -8), r2)
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x8000000100000001

-- case and of u32
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
lock *(u32 *)(r10 -8) &= r2
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x123456600000001

-- case fetch and and of u32
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
r2 = atomic_fetch_and((u32 *)(r10 -8), r2)
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x8000000176543210

-- case xor of u32
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
lock *(u32 *)(r10 -8) ^= r2
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x1234566fffffffe

-- case fetch and xor of u32
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
r2 = atomic_fetch_xor((u32 *)(r10 -8), r2)
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x8000000189abcdef

-- case exchange of u32
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
r2 = atomic_xchg((u32 *)(r10 -8), r2)
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x8000000176543211

-- case compare and exchange of u32, equal, r0
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r0 = 0xabcdef00fffffffe ll
r2 = 0x8123456789abcdef ll
r0 = atomic_cmpxchg((u32 *)(r10 -8), r0, r2)
exit
-- result
0xfffffffe

-- case compare and exchange of u32, equal, memory
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r0 = 0xabcdef00fffffffe ll
r2 = 0x8123456789abcdef ll
r0 = atomic_cmpxchg((u32 *)(r10 -8), r0, r2)
r0 = *(u64 *)(r10 -8)
exit
-- result
0x8000000189abcdef

-- case compare and exchange of u32, unequal, r0
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r0 = 0x80000001ffffffff ll
r2 = 0x8123456789abcdef ll
r0 = atomic_cmpxchg((u32 *)(r10 -8), r0, r2)
exit
-- result
0xfffffffe

-- case compare and exchange of u32, unequal, memory
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r0 = 0x80000001ffffffff ll
r2 = 0x8123456789abcdef ll
r0 = atomic_cmpxchg((u32 *)(r10 -8), r0, r2)
r0 = *(u64 *)(r10 -8)
exit
-- result
0x80000001fffffffe

-- case add of u64
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
lock *(u64 *)(r10 -8) += r2
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x8000000e00000002

-- case fetch and add of u64
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
r2 = atomic64_fetch_add((u64 *)(r10 -8), r2)
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x8123456876543213

-- case or of u64
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
lock *(u64 *)(r10 -8) |= r2
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x76543210

-- case fetch and or of u64
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
r2 = atomic64_fetch_or((u64 *)(r10 -8), r2)
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x123456600000001

-- case and of u64
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
lock *(u64 *)(r10 -8) &= r2
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x123456600000001

-- case fetch and and of u64
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
r2 = atomic64_fetch_and((u64 *)(r10 -8), r2)
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x76543210

-- case xor of u64
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
lock *(u64 *)(r10 -8) ^= r2
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x80000001fffffffe

-- case fetch and xor of u64
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
r2 = atomic64_fetch_xor((u64 *)(r10 -8), r2)
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x8123456789abcdef

-- case exchange of u64
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r2 = 0x8123456789abcdef ll
r2 = atomic64_xchg((u64 *)(r10 -8), r2)
r0 = *(u64 *)(r10 -8)
r0 ^= r2
exit
-- result
0x123456676543211

-- case compare and exchange of u64, equal, r0
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r0 = 0x80000001fffffffe ll
r2 = 0x8123456789abcdef ll
r0 = atomic64_cmpxchg((u64 *)(r10 -8), r0, r2)
exit
-- result
0x80000001fffffffe

-- case compare and exchange of u64, equal, memory
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r0 = 0x80000001fffffffe ll
r2 = 0x8123456789abcdef ll
r0 = atomic64_cmpxchg((u64 *)(r10 -8), r0, r2)
r0 = *(u64 *)(r10 -8)
exit
-- result
0x8123456789abcdef

-- case compare and exchange of u64, unequal, r0
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r0 = 0x80000001ffffffff ll
r2 = 0x8123456789abcdef ll
r0 = atomic64_cmpxchg((u64 *)(r10 -8), r0, r2)
exit
-- result
0x80000001fffffffe

-- case compare and exchange of u64, unequal, memory
-- asm
r1 = 0x80000001fffffffe ll
*(u64 *)(r10 -8) = r1
r0 = 0x80000001ffffffff ll
r2 = 0x8123456789abcdef ll
r0 = atomic64_cmpxchg((u64 *)(r10 -8), r0, r2)
r0 = *(u64 *)(r10 -8)
exit
-- result
0x80000001fffffffe

-- case add twice in memory
-- asm
r3 = 5
lock *(u64 *)(r1 +8) += r3
lock *(u32 *)(r1 +0) += r3
r0 = 0
exit
-- mem
ff ff ff ff 01 00 00 00 fe ff ff ff ff ff ff ff
-- result
0
-- mem after
04 00 00 00 01 00 00 00 03 00 00 00 00 00 00 00
-- no kernel
BPF_ATOMIC stores into R1 pkt is not allowed

-- case operand register is the base
-- asm
r1 = r10
r1 += -8
r2 = 0
*(u64 *)(r1 +0) = r2
r2 = r1
r2 = atomic64_fetch_add((u64 *)(r2 +0), r2)
r0 = r2
exit
-- result
0
-- no kernel
the verifier checks the store with the fetched value as address
