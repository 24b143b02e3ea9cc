Helpers that call back.

-- case a loop counts on the caller's stack
-- needs passes
-- asm
*(u64 *)(r10 - 8) = 0
r1 = 10
r2 = func add ll
r3 = r10
r3 += -8
r4 = 0
call 181
r1 = *(u64 *)(r10 - 8)
r0 *= 1000
r0 += r1
exit
add: r3 = *(u64 *)(r2 + 0)
r3 += r1
*(u64 *)(r2 + 0) = r3
r0 = 0
exit
-- result
10045

-- case a loop that its callback ends
-- needs passes
-- asm
r1 = 100
r2 = func until ll
r3 = 0
r4 = 0
call 181
exit
until: r0 = 0
if r1 != 6 goto l
r0 = 1
l: exit
-- result
7

-- case no round at all
-- needs passes
-- asm
r1 = 0
r2 = func never ll
r3 = 0
r4 = 0
call 181
exit
never: r0 = 1
exit
-- result
0

-- case flags are refused
-- needs passes
-- asm
r1 = 1
r2 = func never ll
r3 = 0
r4 = 1
call 181
exit
never: r0 = 1
exit
-- result
-22

-- case too many rounds
-- needs passes
-- asm
r1 = 8388609
r2 = func never ll
r3 = 0
r4 = 0
call 181
exit
never: r0 = 1
exit
-- result
0xfffffff9

-- case the callback differs by path
-- needs passes
-- mem
02 00 00 00 00 00 00 00
-- asm
*(u64 *)(r10 - 8) = 0
r0 = *(u64 *)(r1 + 0)
r1 = 5
r2 = func one ll
if r0 == 1 goto go
r2 = func two ll
go: r3 = r10
r3 += -8
r4 = 0
call 181
r0 = *(u64 *)(r10 - 8)
exit
one: r3 = *(u64 *)(r2 + 0)
r3 += 1
*(u64 *)(r2 + 0) = r3
r0 = 0
exit
two: r3 = *(u64 *)(r2 + 0)
r3 += 2
*(u64 *)(r2 + 0) = r3
r0 = 0
exit
-- result
10

-- case loops in loops, registers of all frames kept
-- needs passes
-- asm
r6 = 6
r7 = 7
*(u64 *)(r10 - 8) = 0
r1 = 3
r2 = func outer ll
r3 = r10
r3 += -8
r4 = 0
call 181
r0 = *(u64 *)(r10 - 8)
r0 += r6
r0 += r7
exit
outer: r6 = r1
r7 = r2
r1 = 4
r2 = func inner ll
r3 = r7
r4 = 0
call 181
r3 = *(u64 *)(r7 + 0)
r3 += r6
*(u64 *)(r7 + 0) = r3
r0 = 0
exit
inner: r3 = *(u64 *)(r2 + 0)
r3 += 100
*(u64 *)(r2 + 0) = r3
r0 = 0
exit
-- result
1216

-- case every element of an array
-- needs passes
-- maps
numbers array 4 8 5
-- asm
*(u64 *)(r10 - 8) = 0
*(u32 *)(r10 - 12) = 3
r1 = map[0] ll
r2 = r10
r2 += -12
*(u64 *)(r10 - 24) = 1000
r3 = r10
r3 += -24
r4 = 0
call 2
r1 = map[0] ll
r2 = func add ll
r3 = r10
r3 += -8
r4 = 0
call 164
r1 = *(u64 *)(r10 - 8)
r0 *= 100000
r0 += r1
exit
add: r5 = *(u32 *)(r2 + 0)
r0 = *(u64 *)(r3 + 0)
r5 += r0
r0 = *(u64 *)(r4 + 0)
r5 += r0
*(u64 *)(r4 + 0) = r5
r0 = 0
exit
-- result
501010

-- case every element of a hash, the callback deletes each
-- needs passes
-- maps
table hash 8 8 16
-- asm
*(u64 *)(r10 - 8) = 0
r1 = 10
r2 = func insert ll
r3 = 0
r4 = 0
call 181
r1 = map[0] ll
r2 = func take ll
r3 = r10
r3 += -8
r4 = 0
call 164
r6 = r0
r1 = map[0] ll
r2 = func take ll
r3 = r10
r3 += -8
r4 = 0
call 164
r6 *= 10
r6 += r0
r6 *= 1000000
r0 = *(u64 *)(r10 - 8)
r0 += r6
exit
insert: *(u64 *)(r10 - 8) = r1
r1 *= 100
*(u64 *)(r10 - 16) = r1
r1 = map[0] ll
r2 = r10
r2 += -8
r3 = r10
r3 += -16
r4 = 0
call 2
r0 = 0
exit
take: r5 = *(u64 *)(r2 + 0)
r0 = *(u64 *)(r3 + 0)
r5 += r0
r0 = *(u64 *)(r4 + 0)
r5 += r0
*(u64 *)(r4 + 0) = r5
call 3
r0 = 0
exit
-- result
100004545

-- case every element of a per-CPU array
-- needs passes
-- maps
counts percpu_array 4 8 4
-- asm
r1 = map[0] ll
r2 = func set ll
r3 = 0
r4 = 0
call 164
*(u64 *)(r10 - 8) = 0
r1 = map[0] ll
r2 = func add ll
r3 = r10
r3 += -8
r4 = 0
call 164
r0 = *(u64 *)(r10 - 8)
exit
set: r1 = *(u32 *)(r2 + 0)
r1 *= 3
*(u64 *)(r3 + 0) = r1
r0 = 0
exit
add: r5 = *(u64 *)(r3 + 0)
r0 = *(u64 *)(r4 + 0)
r5 += r0
*(u64 *)(r4 + 0) = r5
r0 = 0
exit
-- result
18

-- case every element of a per-CPU LRU hash
-- needs passes
-- maps
table lru_percpu_hash 4 8 8
-- asm
r1 = 5
r2 = func insert ll
r3 = 0
r4 = 0
call 181
*(u64 *)(r10 - 8) = 0
r1 = map[0] ll
r2 = func add ll
r3 = r10
r3 += -8
r4 = 0
call 164
r1 = *(u64 *)(r10 - 8)
r0 *= 1000
r0 += r1
exit
insert: *(u32 *)(r10 - 4) = r1
*(u64 *)(r10 - 16) = r1
r1 = map[0] ll
r2 = r10
r2 += -4
r3 = r10
r3 += -16
r4 = 0
call 2
r0 = 0
exit
add: r0 = *(u32 *)(r2 + 0)
r5 = *(u64 *)(r3 + 0)
r0 += r5
r5 = *(u64 *)(r4 + 0)
r0 += r5
*(u64 *)(r4 + 0) = r0
r0 = 0
exit
-- result
5020

-- case a walk that its callback ends
-- needs passes
-- maps
values array 4 8 9
-- asm
r1 = map[0] ll
r2 = func until ll
r3 = 0
r4 = 0
call 164
exit
until: r1 = *(u32 *)(r2 + 0)
r0 = 0
if r1 != 3 goto l
r0 = 1
l: exit
-- result
4

-- case flags of a walk are refused
-- needs passes
-- maps
values array 4 8 9
-- asm
r1 = map[0] ll
r2 = func cb ll
r3 = 0
r4 = 7
call 164
exit
cb: r0 = 0
exit
-- result
-22
