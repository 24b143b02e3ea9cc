References that a path must give up, and maps in maps.

-- case a record, reserved and submitted
-- maps
ring ringbuf 0 0 4096
-- asm
r1 = map[0] ll
r2 = 16
r3 = 0
call 131
if r0 == 0 goto out
*(u64 *)(r0 +8) = 7
lock *(u64 *)(r0 +8) += r0
r1 = r0
r2 = 0
call 132
out:
r0 = 0
exit
-- reject
EACCES insn 7: R0 leaks addr into mem
-- kernel
accepts

-- case a record, reserved and given up on each path
-- maps
ring ringbuf 0 0 4096
-- asm
r6 = *(u32 *)(r1 +16)
r1 = map[0] ll
r2 = 16
r3 = 0
call 131
if r0 == 0 goto out
r7 = r0
*(u64 *)(r7 +8) = 7
r2 = 1
lock *(u64 *)(r7 +8) += r2
if r6 == 3 goto discard
r1 = r7
r2 = 0
call 132
goto out
discard:
r1 = r7
r2 = 0
call 133
out:
r0 = 0
exit
-- accept

-- case a record that one path keeps
-- maps
ring ringbuf 0 0 4096
-- asm
r6 = *(u32 *)(r1 +16)
r1 = map[0] ll
r2 = 16
r3 = 0
call 131
if r0 == 0 goto out
if r6 == 3 goto out
r1 = r0
r2 = 0
call 132
out:
r0 = 0
exit
-- reject
EINVAL insn 12: Unreleased reference id=2 alloc_insn=5
BPF_EXIT instruction in main prog would lead to reference leak

-- case a record given up twice
-- maps
ring ringbuf 0 0 4096
-- asm
r1 = map[0] ll
r2 = 16
r3 = 0
call 131
if r0 == 0 goto out
r6 = r0
r1 = r0
r2 = 0
call 132
r1 = r6
r2 = 0
call 132
out:
r0 = 0
exit
-- reject
EACCES insn 12: R1 type=scalar expected=ringbuf_mem

-- case a record that was submitted is gone
-- maps
ring ringbuf 0 0 4096
-- asm
r1 = map[0] ll
r2 = 16
r3 = 0
call 131
if r0 == 0 goto out
r6 = r0
r1 = r0
r2 = 0
call 132
*(u8 *)(r6 +0) = 1
out:
r0 = 0
exit
-- reject
EACCES insn 10: R6 invalid mem access 'scalar'

-- case beyond a record
-- maps
ring ringbuf 0 0 4096
-- asm
r1 = map[0] ll
r2 = 16
r3 = 0
call 131
if r0 == 0 goto out
*(u64 *)(r0 +9) = 7
r1 = r0
r2 = 0
call 132
out:
r0 = 0
exit
-- reject
EACCES insn 6: invalid access to memory, mem_size=16 off=9 size=8
R0 min value is outside of the allowed memory range

-- case a record whose size isn't known
-- maps
ring ringbuf 0 0 4096
-- asm
r2 = *(u32 *)(r1 +16)
r1 = map[0] ll
r3 = 0
call 131
r0 = 0
exit
-- reject
EACCES insn 4: R2 is not a known constant'

-- case the middle of a record is submitted
-- maps
ring ringbuf 0 0 4096
-- asm
r1 = map[0] ll
r2 = 16
r3 = 0
call 131
if r0 == 0 goto out
r1 = r0
r1 += 8
r2 = 0
call 132
out:
r0 = 0
exit
-- reject
EINVAL insn 9: R1 must have zero offset when passed to release func or trusted arg to kfunc

-- case a record that may be null
-- maps
ring ringbuf 0 0 4096
-- asm
r1 = map[0] ll
r2 = 16
r3 = 0
call 131
r1 = r0
r2 = 0
call 132
r0 = 0
exit
-- reject
EACCES insn 7: R1 type=ringbuf_mem_or_null expected=ringbuf_mem

-- case a map value is submitted
-- maps
v array 4 16 1
-- asm
r1 = map[0]+0 ll
r2 = 0
call 132
r0 = 0
exit
-- reject
EACCES insn 3: R1 type=map_value expected=ringbuf_mem

-- case records in a loop, each given up
-- maps
ring ringbuf 0 0 4096
-- asm
r6 = 0
loop:
r1 = map[0] ll
r2 = 8
r3 = 0
call 131
if r0 == 0 goto next
r1 = r0
r2 = 0
call 132
next:
r6 += 1
if r6 < 10 goto loop
r0 = 0
exit
-- accept

-- case records in a loop, of which one is kept: a state with a record isn't like one without
-- maps
ring ringbuf 0 0 4096
-- asm
r7 = *(u32 *)(r1 +16)
r6 = 0
loop:
r1 = map[0] ll
r2 = 8
r3 = 0
call 131
if r0 == 0 goto next
if r7 == 5 goto next
r1 = r0
r2 = 0
call 132
next:
r6 += 1
if r6 < 3 goto loop
r0 = 0
exit
-- reject
EINVAL insn 15: Unreleased reference id=6 alloc_insn=6
BPF_EXIT instruction in main prog would lead to reference leak

-- case an inner map
-- maps
like array 4 8 4
outer array_of_maps 4 4 2 inner=0
-- asm
*(u32 *)(r10 -4) = 1
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r2 = r10
r2 += -4
r1 = r0
call 1
if r0 == 0 goto out
r1 = *(u64 *)(r0 +0)
r1 += 1
*(u64 *)(r0 +0) = r1
out:
r0 = 0
exit
-- facts
0: *(u32 *)(r10 -4) = 1 ; stack-4
5: call 1 ; map[1] key_off=-4
10: call 1 ; key_off=-4
12: r1 = *(u64 *)(r0 +0) ; map_value
14: *(u64 *)(r0 +0) = r1 ; map_value
15: r0 = 0 ; value=0x0
16: exit ; dst_upper_zero
stack: 8

-- case an inner map that may be null
-- maps
like array 4 8 4
outer array_of_maps 4 4 2 inner=0
-- asm
*(u32 *)(r10 -4) = 1
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
r2 = r10
r2 += -4
r1 = r0
call 1
r0 = 0
exit
-- reject
EACCES insn 9: R1 type=map_value_or_null expected=map_ptr

-- case an inner map is no memory
-- maps
like array 4 8 4
outer array_of_maps 4 4 2 inner=0
-- asm
*(u32 *)(r10 -4) = 1
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
*(u64 *)(r0 +0) = 1
out:
r0 = 0
exit
-- reject
EACCES insn 7: R0 invalid mem access 'map_ptr'
-- kernel
says only read from bpf_array is supported

-- case beyond the value of an inner map
-- maps
like hash 4 8 4
outer hash_of_maps 4 4 2 inner=0
-- asm
*(u32 *)(r10 -4) = 1
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r2 = r10
r2 += -4
r1 = r0
call 1
if r0 == 0 goto out
r1 = *(u64 *)(r0 +8)
out:
r0 = 0
exit
-- reject
EACCES insn 12: invalid access to map value, value_size=8 off=8 size=8
R0 min value is outside of the allowed memory range
