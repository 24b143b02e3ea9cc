
Dynptrs on the stack.

-- case a dynptr over a map value, read and written
-- maps
a array 4 32 1
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r1 = r0
r2 = 32
r3 = 0
r4 = r10
r4 += -24
call 197
r1 = r10
r1 += -24
r2 = 8
r3 = 8
call 203
if r0 == 0 goto out
*(u64 *)(r0 +0) = 5
r1 = r10
r1 += -32
r2 = 8
r3 = r10
r3 += -24
r4 = 8
r5 = 0
call 201
r0 = *(u64 *)(r10 -32)
exit
out:
r0 = 0
exit
-- accept

-- case what a dynptr holds is smaller than the slice
-- maps
a array 4 32 1
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r1 = r0
r2 = 32
r3 = 0
r4 = r10
r4 += -24
call 197
r1 = r10
r1 += -24
r2 = 8
r3 = 8
call 203
if r0 == 0 goto out
r0 = *(u64 *)(r0 +1)
out:
r0 = 0
exit
-- reject
EACCES insn 19: invalid access to memory, mem_size=8 off=1 size=8
R0 min value is outside of the allowed memory range

-- case a slice without a null check
-- maps
a array 4 32 1
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r1 = r0
r2 = 32
r3 = 0
r4 = r10
r4 += -24
call 197
r1 = r10
r1 += -24
r2 = 8
r3 = 8
call 203
r0 = *(u64 *)(r0 +0)
out:
r0 = 0
exit
-- reject
EACCES insn 18: R0 invalid mem access 'mem_or_null'

-- case a slice ends with its dynptr
-- maps
a array 4 32 1
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r1 = r0
r2 = 32
r3 = 0
r4 = r10
r4 += -24
call 197
r1 = r10
r1 += -24
r2 = 8
r3 = 8
call 203
if r0 == 0 goto out
*(u8 *)(r10 -9) = 1
r0 = *(u64 *)(r0 +0)
out:
r0 = 0
exit
-- reject
EACCES insn 20: R0 invalid mem access 'scalar'

-- case half of a dynptr is written over
-- maps
a array 4 32 1
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r1 = r0
r2 = 32
r3 = 0
r4 = r10
r4 += -24
call 197
*(u64 *)(r10 -16) = 1
r1 = r10
r1 += -24
r2 = 8
r3 = 8
call 203
out:
r0 = 0
exit
-- reject
EINVAL insn 18: Expected an initialized dynptr as arg #0

-- case nothing is a dynptr before it was made
-- asm
r1 = r10
r1 += -16
r2 = 0
r3 = 8
call 203
r0 = 0
exit
-- reject
EINVAL insn 4: Expected an initialized dynptr as arg #0

-- case the upper half of a dynptr is none
-- maps
a array 4 32 1
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r1 = r0
r2 = 32
r3 = 0
r4 = r10
r4 += -32
call 197
r1 = r10
r1 += -24
r2 = 8
r3 = 8
call 203
out:
r0 = 0
exit
-- reject
EINVAL insn 17: Expected an initialized dynptr as arg #0

-- case dynptrs are 16 bytes at multiples of 8
-- maps
a array 4 32 1
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r1 = r0
r2 = 32
r3 = 0
r4 = r10
r4 += -28
call 197
out:
r0 = 0
exit
-- reject
EINVAL insn 12: cannot pass in dynptr at an offset=-28

-- case a dynptr over the stack
-- asm
*(u64 *)(r10 -8) = 0
r1 = r10
r1 += -8
r2 = 8
r3 = 0
r4 = r10
r4 += -24
call 197
r0 = 0
exit
-- reject
EACCES insn 7: Unsupported reg type fp for bpf_dynptr_from_mem data

-- case a dynptr is not to be looked into
-- maps
a array 4 32 1
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r1 = r0
r2 = 32
r3 = 0
r4 = r10
r4 += -24
call 197
r0 = *(u64 *)(r10 -24)
out:
r0 = 0
exit
-- reject
EACCES insn 13: invalid read from stack off -24+0 size 8

-- case a helper writes over a dynptr
-- maps
a array 4 32 1
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r1 = r0
r2 = 32
r3 = 0
r4 = r10
r4 += -24
call 197
r1 = r10
r1 += -16
r2 = 8
r3 = r10
r3 += -24
r4 = 0
r5 = 0
call 201
out:
r0 = 0
exit
-- reject
EACCES insn 20: potential write to dynptr at off=-16 disallowed

-- case a record as a dynptr, submitted
-- maps
ring ringbuf 0 0 4096
-- asm
r1 = map[0] ll
r2 = 16
r3 = 0
r4 = r10
r4 += -16
call 198
r1 = r10
r1 += -16
r2 = 0
r3 = 8
call 203
if r0 == 0 goto out
*(u64 *)(r0 +0) = 5
out:
r1 = r10
r1 += -16
r2 = 0
call 199
r0 = 0
exit
-- accept

-- case a record as a dynptr that nobody gives up
-- maps
ring ringbuf 0 0 4096
-- asm
r1 = map[0] ll
r2 = 16
r3 = 0
r4 = r10
r4 += -16
call 198
r0 = 0
exit
-- reject
EINVAL insn 8: Unreleased reference id=2 alloc_insn=6
BPF_EXIT instruction in main prog would lead to reference leak

-- case a record as a dynptr that is written over
-- maps
ring ringbuf 0 0 4096
-- asm
r1 = map[0] ll
r2 = 16
r3 = 0
r4 = r10
r4 += -16
call 198
*(u64 *)(r10 -8) = 0
r0 = 0
exit
-- reject
EINVAL insn 7: cannot overwrite referenced dynptr

-- case a slice of a record behind its submission
-- maps
ring ringbuf 0 0 4096
-- asm
r1 = map[0] ll
r2 = 16
r3 = 0
r4 = r10
r4 += -16
call 198
r1 = r10
r1 += -16
r2 = 0
r3 = 8
call 203
r6 = r0
r1 = r10
r1 += -16
r2 = 0
call 200
if r6 == 0 goto out
r0 = *(u64 *)(r6 +0)
out:
r0 = 0
exit
-- reject
EACCES insn 18: R6 invalid mem access 'scalar'

-- case a record as a dynptr, given up twice
-- maps
ring ringbuf 0 0 4096
-- asm
r1 = map[0] ll
r2 = 16
r3 = 0
r4 = r10
r4 += -16
call 198
r1 = r10
r1 += -16
r2 = 0
call 200
r1 = r10
r1 += -16
r2 = 0
call 199
r0 = 0
exit
-- reject
EINVAL insn 14: arg 1 is an unacquired reference

-- case a dynptr of another kind is submitted
-- maps
a array 4 32 1
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r1 = r0
r2 = 32
r3 = 0
r4 = r10
r4 += -24
call 197
r1 = r10
r1 += -24
r2 = 0
call 199
out:
r0 = 0
exit
-- reject
EINVAL insn 16: arg 1 is an unacquired reference

-- case the dynptr of one path only
-- maps
a array 4 32 1
-- asm
r7 = *(u32 *)(r1 +16)
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r1 = r0
*(u64 *)(r10 -24) = 0
*(u64 *)(r10 -16) = 0
if r7 == 3 goto use
r2 = 32
r3 = 0
r4 = r10
r4 += -24
call 197
use:
r1 = r10
r1 += -24
r2 = 8
r3 = 8
call 203
out:
r0 = 0
exit
-- reject
EINVAL insn 21: Expected an initialized dynptr as arg #0
