Maps with calls of their own. What is in them stays from engine to engine, so programs take out what they put in.

-- case stack: the newest comes first
-- needs passes
-- maps
s stack 0 8 4
-- asm
*(u64 *)(r10 -8) = 5
r1 = map[0] ll
r2 = r10
r2 += -8
r3 = 0
call 87
*(u64 *)(r10 -8) = 6
r1 = map[0] ll
r2 = r10
r2 += -8
r3 = 0
call 87
r1 = map[0] ll
r2 = r10
r2 += -16
call 88
r6 = *(u64 *)(r10 -16)
r6 *= 10
r1 = map[0] ll
r2 = r10
r2 += -16
call 89
r1 = *(u64 *)(r10 -16)
r6 += r1
r1 = map[0] ll
r2 = r10
r2 += -16
call 88
r1 = map[0] ll
r2 = r10
r2 += -16
call 88
r1 = *(u64 *)(r10 -16)
r0 += r1
r6 *= 10
r6 -= r0
r0 = r6
exit
-- result
652

-- case queue: a full one drops the oldest if it is told so
-- needs passes
-- maps
q queue 0 8 1
-- asm
*(u64 *)(r10 -8) = 5
r1 = map[0] ll
r2 = r10
r2 += -8
r3 = 0
call 87
*(u64 *)(r10 -8) = 6
r1 = map[0] ll
r2 = r10
r2 += -8
r3 = 0
call 87
r6 = r0
r1 = map[0] ll
r2 = r10
r2 += -8
r3 = 2
call 87
r6 += r0
r1 = map[0] ll
r2 = r10
r2 += -16
call 88
r0 = *(u64 *)(r10 -16)
r0 -= r6
exit
-- result
13

-- case bloom filter: what was pushed is there
-- needs passes
-- maps
b bloom_filter 0 8 1000
-- asm
*(u64 *)(r10 -8) = 5
r1 = map[0] ll
r2 = r10
r2 += -8
r3 = 0
call 87
r1 = map[0] ll
r2 = r10
r2 += -8
call 89
r6 = r0
*(u64 *)(r10 -8) = 77
r1 = map[0] ll
r2 = r10
r2 += -8
call 89
r0 *= 10
r0 += r6
exit
-- result
0xffffffffffffffec

-- case lru_hash: one place, the last key has it
-- needs passes
-- maps
l lru_hash 4 8 1
-- asm
*(u32 *)(r10 -4) = 1
*(u64 *)(r10 -16) = 11
r1 = map[0] ll
r2 = r10
r2 += -4
r3 = r10
r3 += -16
r4 = 0
call 2
*(u32 *)(r10 -4) = 2
*(u64 *)(r10 -16) = 22
r1 = map[0] ll
r2 = r10
r2 += -4
r3 = r10
r3 += -16
r4 = 0
call 2
r1 = map[0] ll
r2 = r10
r2 += -4
call 1
if r0 == 0 goto out
r6 = *(u64 *)(r0 +0)
*(u32 *)(r10 -4) = 1
r1 = map[0] ll
r2 = r10
r2 += -4
call 1
if r0 != 0 goto out
r0 = r6
exit
out:
r0 = 1
exit
-- result
22

-- case lru_percpu_hash: this slot's value, and none of a slot that isn't there
-- needs passes
-- maps
p lru_percpu_hash 4 8 10
-- asm
*(u32 *)(r10 -4) = 1
*(u64 *)(r10 -16) = 11
r1 = map[0] ll
r2 = r10
r2 += -4
r3 = r10
r3 += -16
r4 = 0
call 2
call 8
r3 = r0
r1 = map[0] ll
r2 = r10
r2 += -4
call 195
if r0 == 0 goto out
r6 = *(u64 *)(r0 +0)
r1 = map[0] ll
r2 = r10
r2 += -4
r3 = 1000
call 195
if r0 != 0 goto out
r1 = map[0] ll
r2 = r10
r2 += -4
call 1
if r0 == 0 goto out
r0 = *(u64 *)(r0 +0)
r0 *= 100
r0 += r6
exit
out:
r0 = 1
exit
-- result
1111
