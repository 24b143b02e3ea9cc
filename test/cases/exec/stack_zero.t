Stack that nobody has written holds zeros, however it is reached.

-- case a count that starts there
-- needs passes
-- asm
loop: r0 = *(u64 *)(r10 -8)
r0 += 1
*(u64 *)(r10 -8) = r0
if r0 < 5 goto loop
exit
-- result
0x5

-- case after another subprogram has left something there
-- needs passes
-- asm
call leave
call look
exit
leave: r1 = -1
*(u64 *)(r10 -8) = r1
*(u64 *)(r10 -16) = r1
r0 = *(u64 *)(r10 -8)
exit
look: r0 = *(u64 *)(r10 -8)
r1 = *(u8 *)(r10 -11)
r0 |= r1
exit
-- result
0x0

-- case padding of a key
-- needs passes
-- maps
m hash 16 8 4
-- asm
*(u32 *)(r10 -16) = 7
*(u64 *)(r10 -8) = 8
*(u64 *)(r10 -24) = 9
r1 = map[0] ll
r2 = r10
r2 += -16
r3 = r10
r3 += -24
r4 = 0
call 2
r1 = 7
*(u64 *)(r10 -40) = r1
*(u64 *)(r10 -32) = 8
r1 = map[0] ll
r2 = r10
r2 += -40
call 1
if r0 == 0 goto out
r0 = *(u64 *)(r0 +0)
out: exit
-- result
9
