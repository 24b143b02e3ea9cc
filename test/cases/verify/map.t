Map values, keys, and the null check between them.

-- case no null check
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
r0 = *(u8 *)(r0 +0)
exit
-- reject
EACCES insn 6: R0 invalid mem access 'map_value_or_null'

-- case null check the wrong way round
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 != 0 goto out
r0 = *(u8 *)(r0 +0)
exit
out:
r0 = 0
exit
-- reject
EACCES insn 7: R0 invalid mem access 'scalar'

-- case null check of another lookup
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
r6 = r0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r0 = *(u8 *)(r6 +0)
exit
out:
r0 = 0
exit
-- reject
EACCES insn 13: R6 invalid mem access 'map_value_or_null'

-- case arithmetic before the null check
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
r0 += 8
if r0 == 0 goto out
r0 = *(u8 *)(r0 +0)
exit
out:
r0 = 0
exit
-- reject
EACCES insn 6: R0 pointer arithmetic on map_value_or_null prohibited, null-check it first

-- case one byte behind the value
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r1 = *(u64 *)(r0 +9)
out:
r0 = 0
exit
-- reject
EACCES insn 7: invalid access to map value, value_size=16 off=9 size=8
R0 min value is outside of the allowed memory range

-- case before the value
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r1 = *(u8 *)(r0 -1)
out:
r0 = 0
exit
-- reject
EACCES insn 7: invalid access to map value, value_size=16 off=-1 size=1
R0 min value is outside of the allowed memory range

-- case variable index too big
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r1 = *(u8 *)(r0 +0)
r0 += r1
r1 = *(u8 *)(r0 +0)
out:
r0 = 0
exit
-- reject
EACCES insn 9: invalid access to map value, value_size=16 off=255 size=1
R0 max value is outside of the allowed memory range

-- case variable index may be negative
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r1 = *(u8 *)(r0 +0)
r1 &= 7
r2 = 3
r2 -= r1
r0 += r2
r1 = *(u8 *)(r0 +0)
out:
r0 = 0
exit
-- reject
EACCES insn 12: R0 min value is negative, either use unsigned index or do a if (index >=0) check.

-- case index without a lower bound
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r1 = *(u64 *)(r0 +0)
if r1 s> 5 goto out
r0 += r1
r1 = *(u8 *)(r0 +0)
out:
r0 = 0
exit
-- reject
EINVAL insn 9: math between map_value pointer and register with unbounded min value is not allowed

-- case index without an upper bound
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r1 = *(u32 *)(r0 +0)
r0 += r1
r1 = *(u8 *)(r0 +0)
out:
r0 = 0
exit
-- reject
EACCES insn 9: R0 unbounded memory access, make sure to bounds check any such access

-- case offset far out
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r0 += 0x7fffffff
out:
r0 = 0
exit
-- reject
EINVAL insn 7: math between map_value pointer and 2147483647 is not allowed

-- case write into a read-only map
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[2] ll
call 1
if r0 == 0 goto out
*(u8 *)(r0 +0) = 1
out:
r0 = 0
exit
-- reject
EACCES insn 7: write into map forbidden, value_size=16 off=0 size=1

-- case the map itself is not memory
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
r1 = map[0] ll
*(u8 *)(r1 +0) = 1
r0 = 0
exit
-- reject
EACCES insn 2: R1 invalid mem access 'map_ptr'
-- kernel
says only read from bpf_array is supported

-- case key never written
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
r0 = 0
exit
-- accept
-- facts
4: call 1 ; map[0] key_off=-4
5: r0 = 0 ; value=0x0
6: exit ; dst_upper_zero
stack: 8
uninit 0: 0x1

-- case key runs over the end of the stack
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
r2 = r10
r2 += -2
r1 = map[0] ll
call 1
r0 = 0
exit
-- reject
EACCES insn 4: invalid read from stack R2 off=-2 size=4

-- case key half written
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u16 *)(r10 -4) = 1
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
r0 = 0
exit
-- accept
-- facts
0: *(u16 *)(r10 -4) = 1 ; stack-4
5: call 1 ; map[0] key_off=-4
6: r0 = 0 ; value=0x0
7: exit ; dst_upper_zero
stack: 8
uninit 0: 0x1

-- case key is a number
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
r2 = 0
r1 = map[0] ll
call 1
r0 = 0
exit
-- reject
EACCES insn 3: R2 type=scalar expected=fp, pkt, pkt_meta, map_key, map_value, mem, ringbuf_mem
-- kernel
says R2 type=scalar expected=fp, pkt, pkt_meta

-- case key is the context
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
r2 = r1
r1 = map[0] ll
call 1
r0 = 0
exit
-- reject
EACCES insn 3: R2 type=ctx expected=fp, pkt, pkt_meta, map_key, map_value, mem, ringbuf_mem
-- kernel
says R2 type=ctx expected=fp, pkt, pkt_meta

-- case key in a packet that wasn't checked
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r1 = map[0] ll
call 1
r0 = 0
exit
-- reject
EACCES insn 4: invalid access to packet, off=0 size=4, R2(id=0,off=0,r=0)
R2 offset is outside of the packet

-- case value for an update half written
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
*(u64 *)(r10 -16) = 0
r2 = r10
r2 += -4
r3 = r10
r3 += -24
r4 = 0
r1 = map[0] ll
call 2
r0 = 0
exit
-- accept
-- facts
0: *(u32 *)(r10 -4) = 0 ; stack-4
1: *(u64 *)(r10 -16) = 0 ; stack-16
6: r4 = 0 ; value=0x0
9: call 2 ; map[0] key_off=-4
10: r0 = 0 ; value=0x0
11: exit ; dst_upper_zero
stack: 24
uninit 0: 0x4

-- case map argument is a number
-- asm
r1 = 5
r2 = r10
r2 += -4
call 1
r0 = 0
exit
-- reject
EACCES insn 3: R1 type=scalar expected=map_ptr

-- case constant key beyond the array: still maybe null
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -8) = 4
r2 = r10
r2 += -8
r1 = map[0] ll
call 1
r0 = *(u8 *)(r0 +0)
exit
-- reject
EACCES insn 6: R0 invalid mem access 'map_value_or_null'

-- case address stored in a map
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
*(u64 *)(r0 +0) = r10
out:
r0 = 0
exit
-- reject
EACCES insn 7: R10 leaks addr into map
-- kernel
accepts

-- case direct value outside of the value
-- maps
values array 4 16 1
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
r1 = map[0]+16 ll
r0 = 0
exit
-- reject
EINVAL insn 0: invalid access to map value pointer, value_size=16 off=16

-- case lookup and count
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 2
r2 = r10
r2 += -4
r1 = map[3] ll
call 1
if r0 == 0 goto out
r1 = *(u64 *)(r0 +0)
r1 += 1
*(u64 *)(r0 +0) = r1
out:
r0 = 0
exit
-- facts
0: *(u32 *)(r10 -4) = 2 ; stack-4
5: call 1 ; map[3] key_off=-4 key=2 key_in_range
6: if r0 == 0 goto +3 ; not_taken
7: r1 = *(u64 *)(r0 +0) ; map_value map[3]
9: *(u64 *)(r0 +0) = r1 ; map_value map[3]
10: r0 = 0 ; value=0x0
11: exit ; dst_upper_zero
stack: 8

-- case constant key that exists needs no null check
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -8) = 3
r2 = r10
r2 += -8
r1 = map[0] ll
call 1
r0 = *(u32 *)(r0 +12)
exit
-- facts
0: *(u32 *)(r10 -8) = 3 ; stack-8
5: call 1 ; map[0] key_off=-8 key=3 key_in_range
6: r0 = *(u32 *)(r0 +12) ; map_value map[0]
7: exit ; dst_upper_zero
stack: 8

-- case key in a register, bounded
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
r6 = *(u32 *)(r1 +12)
if r6 > 3 goto out
*(u32 *)(r10 -4) = r6
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
*(u32 *)(r0 +0) = 1
out:
r0 = 0
exit
-- facts
0: r6 = *(u32 *)(r1 +12) ; ctx+12
1: if r6 > 3 goto +8 ; dst_upper_zero
2: *(u32 *)(r10 -4) = r6 ; stack-4
7: call 1 ; map[0] key_off=-4 key_in_range
8: if r0 == 0 goto +1 ; not_taken
9: *(u32 *)(r0 +0) = 1 ; map_value map[0]
10: r0 = 0 ; value=0x0
11: exit ; dst_upper_zero
stack: 8

-- case key of two constants: no single key
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
r6 = 1
r2 = *(u32 *)(r1 +12)
if r2 == 0 goto go
r6 = 2
go:
*(u32 *)(r10 -4) = r6
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
*(u32 *)(r0 +0) = 1
out:
r0 = 0
exit
-- facts
0: r6 = 1 ; value=0x1
1: r2 = *(u32 *)(r1 +12) ; ctx+12
2: if r2 == 0 goto +1 ; dst_upper_zero
3: r6 = 2 ; dst_upper_zero value=0x2
4: *(u32 *)(r10 -4) = r6 ; stack-4
5: r2 = r10 ; dst_upper_zero
9: call 1 ; map[0] key_off=-4 key_in_range
10: if r0 == 0 goto +1 ; not_taken
11: *(u32 *)(r0 +0) = 1 ; map_value map[0]
12: r0 = 0 ; value=0x0
13: exit ; dst_upper_zero
stack: 8

-- case two maps at one access
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = *(u32 *)(r1 +12)
r1 = map[0] ll
if r2 == 0 goto go
r1 = map[1] ll
go:
r2 = r10
r2 += -4
call 1
if r0 == 0 goto out
*(u32 *)(r0 +0) = 1
out:
r0 = 0
exit
-- facts
0: *(u32 *)(r10 -4) = 0 ; stack-4
1: r2 = *(u32 *)(r1 +12) ; ctx+12
4: if r2 == 0 goto +2 ; dst_upper_zero
7: r2 = r10 ; dst_upper_zero
9: call 1 ; key_off=-4
11: *(u32 *)(r0 +0) = 1 ; map_value
12: r0 = 0 ; value=0x0
13: exit ; dst_upper_zero
stack: 8

-- case null check of a copy counts for all copies
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
*(u64 *)(r10 -16) = r0
r6 = r0
if r6 == 0 goto out
r1 = *(u64 *)(r0 +0)
r2 = *(u64 *)(r10 -16)
r1 = *(u64 *)(r2 +8)
out:
r0 = 0
exit
-- accept

-- case index bounded by and
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r1 = *(u64 *)(r0 +0)
r1 &= 15
r0 += r1
r1 = *(u8 *)(r0 +0)
out:
r0 = 0
exit
-- accept

-- case index bounded by two signed comparisons
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r1 = *(u64 *)(r0 +0)
if r1 s< 0 goto out
if r1 s> 15 goto out
r0 += r1
r1 = *(u8 *)(r0 +0)
out:
r0 = 0
exit
-- accept

-- case index bounded by a remainder
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r1 = *(u64 *)(r0 +0)
r1 %= 16
r0 += r1
r1 = *(u8 *)(r0 +0)
out:
r0 = 0
exit
-- accept
-- kernel
refuses

-- case index of a 32-bit comparison
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r1 = *(u32 *)(r0 +0)
if w1 > 3 goto out
w1 <<= 2
r0 += r1
*(u32 *)(r0 +0) = 1
out:
r0 = 0
exit
-- accept

-- case update and delete
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
*(u64 *)(r10 -24) = 0
*(u64 *)(r10 -16) = 0
r2 = r10
r2 += -4
r3 = r10
r3 += -24
r4 = 0
r1 = map[1] ll
call 2
r2 = r10
r2 += -4
r1 = map[1] ll
call 3
r0 = 0
exit
-- facts
0: *(u32 *)(r10 -4) = 0 ; stack-4
1: *(u64 *)(r10 -24) = 0 ; stack-24
2: *(u64 *)(r10 -16) = 0 ; stack-16
7: r4 = 0 ; value=0x0
10: call 2 ; map[1] key_off=-4
15: call 3 ; map[1] key_off=-4
16: r0 = 0 ; value=0x0
17: exit ; dst_upper_zero
stack: 24

-- case atomics on a value
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r1 = 1
lock *(u64 *)(r0 +8) += r1
r1 = atomic_fetch_add((u32 *)(r0 +4), r1)
out:
r0 = 0
exit
-- facts
0: *(u32 *)(r10 -4) = 0 ; stack-4
5: call 1 ; map[1] key_off=-4
7: r1 = 1 ; value=0x1
8: lock *(u64 *)(r0 +8) += r1 ; map_value map[1]
9: r1 = atomic_fetch_add((u32 *)(r0 +4), r1) ; map_value map[1]
10: r0 = 0 ; value=0x0
11: exit ; dst_upper_zero
stack: 8

-- case a bloom filter is asked for a value that the program has
-- maps
seen bloom_filter 0 8 4
-- asm
*(u64 *)(r10 -8) = 0
loop:
r1 = *(u64 *)(r10 -8)
r1 += 1
*(u64 *)(r10 -8) = r1
r2 = r10
r2 += -8
r1 = map[0] ll
call 89
r1 = *(u64 *)(r10 -8)
if r1 < 5 goto loop
r0 = 0
exit
-- accept

-- case a switch in a frozen read-only map cuts a branch that couldn't be verified
-- maps
rodata array 4 8 1 128 data=0100000007000000 frozen
-- asm
r1 = map[0]+0 ll
r2 = *(u32 *)(r1 +0)
r0 = 0
if r2 == 1 goto out
r0 = r9
out:
r0 = *(s8 *)(r1 +4)
r0 = *(u8 *)(r1 +4)
exit
-- facts
2: r2 = *(u32 *)(r1 +0) ; map_value map[0] value=0x1
3: r0 = 0 ; value=0x0
4: if r2 == 1 goto +1 ; taken dst_upper_zero
5: r0 = r9 ; unreached
6: r0 = *(s8 *)(r1 +4) ; map_value map[0] dst_upper_zero value=0x7
7: r0 = *(u8 *)(r1 +4) ; map_value map[0] dst_upper_zero value=0x7
8: exit ; dst_upper_zero
stack: 0
-- accept

-- case the same map while it isn't frozen
-- maps
rodata array 4 8 1 128 data=0100000007000000
-- asm
r1 = map[0]+0 ll
r2 = *(u32 *)(r1 +0)
r0 = 0
if r2 == 1 goto out
r0 = r9
out:
exit
-- reject
EACCES insn 5: R9 !read_ok

-- case a constant at an offset that isn't known
-- maps
rodata array 4 8 1 128 data=0101010101010101 frozen
-- asm
r3 = *(u32 *)(r1 +16)
r3 &= 7
r1 = map[0]+0 ll
r1 += r3
r2 = *(u8 *)(r1 +0)
r0 = 0
if r2 == 1 goto out
r0 = r9
out:
exit
-- reject
EACCES insn 8: R9 !read_ok

-- case direct value of a map with more entries
-- maps
values array 4 16 2
-- asm
r1 = map[0]+4 ll
r0 = 0
exit
-- reject
EOPNOTSUPP insn 0: invalid access to map value pointer, value_size=16 off=4: the map has 2 entries, and must have 1
-- kernel
says invalid access to map value pointer, value_size=16 off=4
