Stack that is read where nothing has been written holds zeros.

-- case the rest of a slot
-- asm
*(u32 *)(r10 -8) = 1
r0 = *(u64 *)(r10 -8)
exit
-- after stack_zero
   0: *(u64 *)(r10 -8) = 0
   1: *(u32 *)(r10 -8) = 1
   2: r0 = *(u64 *)(r10 -8)
   3: exit

-- case jumps to the first instruction don't write again
-- asm
loop: r0 = *(u64 *)(r10 -8)
r0 += 1
*(u64 *)(r10 -8) = r0
if r0 < 5 goto loop
exit
-- after stack_zero
   0: *(u64 *)(r10 -8) = 0
   1: r0 = *(u64 *)(r10 -8)
   2: r0 += 1
   3: *(u64 *)(r10 -8) = r0
   4: if r0 < 5 goto -4
   5: exit

-- case each subprogram its own, the caller's at the caller
-- asm
r1 = r10
r1 += -16
call f
r1 = *(u64 *)(r10 -16)
r0 += r1
exit
f: r0 = *(u64 *)(r1 +0)
r2 = *(u32 *)(r10 -24)
r0 += r2
exit
-- after stack_zero
   0: *(u64 *)(r10 -16) = 0
   1: r1 = r10
   2: r1 += -16
   3: call pc+3
   4: r1 = *(u64 *)(r10 -16)
   5: r0 += r1
   6: exit
   7: *(u64 *)(r10 -24) = 0
   8: r0 = *(u64 *)(r1 +0)
   9: r2 = *(u32 *)(r10 -24)
  10: r0 += r2
  11: exit

-- case written on every path: nothing
-- asm
*(u64 *)(r10 -8) = 1
r0 = *(u64 *)(r10 -8)
exit
-- after stack_zero
   0: *(u64 *)(r10 -8) = 1
   1: r0 = *(u64 *)(r10 -8)
   2: exit
