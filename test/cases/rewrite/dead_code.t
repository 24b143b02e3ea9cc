What never runs goes.

-- case a branch that is always taken
-- asm
r0 = 1
if r0 == 1 goto out
r0 = 2
out:
exit
-- after dead_code
   0: r0 = 1
   1: exit

-- case a branch that is never taken
-- asm
r0 = 1
if r0 == 2 goto other
exit
other:
r0 = 2
exit
-- after dead_code
   0: r0 = 1
   1: exit

-- case a branch taken over code that other paths reach becomes a goto
-- asm
r6 = *(u32 *)(r1 +0)
r0 = 1
if r6 == 3 goto middle
if r0 == 1 goto out
middle:
r0 = 2
out:
exit
-- after dead_code
   0: r6 = *(u32 *)(r1 +0)
   1: r0 = 1
   2: if r6 == 3 goto +1
   3: goto +1
   4: r0 = 2
   5: exit

-- case gotos to the next instruction, one behind the other
-- asm
r0 = 1
if r1 == r1 goto a
a:
goto b
b:
goto c
c:
exit
-- after dead_code
   0: r0 = 1
   1: exit

-- case a 64-bit load in dead code, and one behind it
-- asm
r0 = 1
if r0 == 1 goto out
r0 = 0x1122334455667788 ll
r0 += 1
out:
r1 = 0x8877665544332211 ll
r0 ^= r1
exit
-- after dead_code
   0: r0 = 1
   1: r1 = ADDRESS ll
   3: r0 ^= r1
   4: exit

-- case a subprogram that nobody calls any more
-- asm
r0 = 1
if r0 == 1 goto out
call unused
out:
exit
unused:
r0 = 2
exit
-- after dead_code
   0: r0 = 1
   1: exit

-- case a loop stays
-- asm
r0 = 10
again:
r0 += -1
if r0 != 0 goto again
exit
-- after dead_code
   0: r0 = 10
   1: r0 += -1
   2: if r0 != 0 goto -2
   3: exit

-- case a branch of which the walk rules out one way and the joined values the other stays as the walk has it
-- asm
r6 = *(u64 *)(r1 +0)
r0 = 0
*(u64 *)(r10 -8) = r0
r2 = *(s16 *)(r10 -2)
r3 = r6
if r6 != 4096 goto out
if r3 s>= r2 goto out
if r2 s<= 64 goto other
r0 = 1
exit
other:
r0 = 2
out:
exit
-- after dead_code
   0: r6 = *(u64 *)(r1 +0)
   1: r0 = 0
   2: *(u64 *)(r10 -8) = r0
   3: r2 = *(s16 *)(r10 -2)
   4: r3 = r6
   5: if r6 != 4096 goto +3
   6: if r3 s>= r2 goto +2
   7: r0 = 1
   8: exit
   9: exit

-- case what a helper may have filled isn't known
-- maps
stack stack 0 8 4
-- asm
*(u64 *)(r10 -8) = 5
r2 = r10
r2 += -8
r1 = map[0] ll
call 88
r1 = *(u64 *)(r10 -8)
r0 = 0
if r1 == 5 goto out
r0 = 1
out:
exit
-- after dead_code
   0: *(u64 *)(r10 -8) = 5
   1: r2 = r10
   2: r2 += -8
   3: r1 = map[0] ll
   5: call 88
   6: r1 = *(u64 *)(r10 -8)
   7: r0 = 0
   8: if r1 == 5 goto +1
   9: r0 = 1
  10: exit

-- case another slot's value may not be there, whatever the key
-- maps
counts percpu_array 4 8 4
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
r3 = 1000
call 195
r1 = r0
r0 = 0
if r1 == 0 goto out
r0 = 1
out:
exit
-- after dead_code
   0: *(u32 *)(r10 -4) = 0
   1: r2 = r10
   2: r2 += -4
   3: r1 = map[0] ll
   5: r3 = 1000
   6: call 195
   7: r1 = r0
   8: r0 = 0
   9: if r1 == 0 goto +1
  10: r0 = 1
  11: exit
