Results that nobody reads go, and what only they read.

-- case a chain of them
-- asm
r0 = 1
r2 = 5
r3 = r2
r3 <<= 3
w4 = w3
exit
-- after dead_result
   0: r0 = 1
   1: exit

-- case a load, both halves of a 64-bit one, a division
-- asm
r2 = *(u32 *)(r1 +0)
r3 = 0x1122334455667788 ll
r4 = 7
r4 /= 3
r0 = 1
exit
-- after dead_result
   0: r0 = 1
   1: exit

-- case what lives around a loop stays
-- asm
r6 = 0
r7 = 0
r8 = 0
again:
r8 += r7
r7 += 2
r6 += 1
if r6 < 5 goto again
r0 = r7
exit
-- skip
d
-- after dead_result
   0: r6 = 0
   1: r7 = 0
   2: r7 += 2
   3: r6 += 1
   4: if r6 < 5 goto -3
   5: r0 = r7
   6: exit

-- case only as many arguments of a helper as it has
-- maps
m hash 4 8 16
-- asm
*(u32 *)(r10 -4) = 1
r2 = r10
r2 += -4
r1 = map[0] ll
r3 = 5
call 3
exit
-- after dead_result
   0: *(u32 *)(r10 -4) = 1
   1: r2 = r10
   2: r2 += -4
   3: r1 = map[0] ll
   5: call 3
   6: exit

-- case a subprogram's arguments
-- asm
r1 = 1
r2 = 2
r3 = 3
call sum
r6 = r0
exit
sum:
r0 = r1
r0 += r2
r7 = 1
exit
-- after dead_result
   0: r1 = 1
   1: r2 = 2
   2: r3 = 3
   3: call pc+1
   4: exit
   5: r0 = r1
   6: r0 += r2
   7: exit

-- case what a call overwrites
-- asm
r3 = 5
r0 = 6
call 7
exit
-- after dead_result
   0: call 7
   1: exit

-- case jumps around what nobody reads, and what they asked
-- asm
r6 = *(u32 *)(r1 +0)
r7 = *(u32 *)(r1 +4)
r0 = 0
if r6 == 0 goto +4
r8 = 1
if r7 != 5 goto +2
r8 = 0x123456789 ll
exit
-- after dead_result
   0: r0 = 0
   1: exit

-- case a jump around what somebody reads stays
-- asm
r6 = *(u32 *)(r1 +0)
r0 = 0
if r6 == 0 goto +2
r8 = 1
r0 = 2
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: r0 = 0
   2: if r6 == 0 goto +1
   3: r0 = 2
   4: exit
