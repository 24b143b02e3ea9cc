Stores to the stack that nobody reads go.

-- case by byte
-- asm
*(u64 *)(r10 -8) = 1
*(u64 *)(r10 -16) = 2
*(u32 *)(r10 -20) = 3
*(u8 *)(r10 -21) = 4
r0 = *(u8 *)(r10 -13)
r2 = *(u8 *)(r10 -21)
r0 += r2
exit
-- after dead_store
   0: *(u64 *)(r10 -16) = 2
   1: *(u8 *)(r10 -21) = 4
   2: r0 = *(u8 *)(r10 -13)
   3: r2 = *(u8 *)(r10 -21)
   4: r0 += r2
   5: exit

-- case the address of the stack is taken: all stay
-- maps
m hash 4 8 16
-- asm
*(u64 *)(r10 -16) = 2
*(u32 *)(r10 -4) = 1
r2 = r10
r2 += -4
r1 = map[0] ll
call 3
r0 = 0
exit
-- after dead_store
   0: *(u64 *)(r10 -16) = 2
   1: *(u32 *)(r10 -4) = 1
   2: r2 = r10
   3: r2 += -4
   4: r1 = map[0] ll
   6: call 3
   7: r0 = 0
   8: exit

-- case an atomic reads
-- asm
r2 = 1
*(u64 *)(r10 -8) = 1
lock *(u64 *)(r10 -8) += r2
r0 = 0
exit
-- after dead_store
   0: r2 = 1
   1: *(u64 *)(r10 -8) = 1
   2: lock *(u64 *)(r10 -8) += r2
   3: r0 = 0
   4: exit
