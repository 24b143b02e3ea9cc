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

-- case an atomic reads
-- asm
r2 = 1
*(u64 *)(r10 -8) = 1
lock *(u64 *)(r10 -8) += r2
r0 = 0
exit
-- after dead_store
