What may be done to pointers, and where they may not go.

-- case register never written
-- asm
r0 = r3
exit
-- reject
EACCES insn 0: R3 !read_ok

-- case r0 never written
-- asm
exit
-- reject
EACCES insn 0: R0 !read_ok

-- case r0 written on one path only
-- asm
r2 = *(u32 *)(r1 +12)
if r2 == 5 goto out
r0 = 1
out:
exit
-- reject
EACCES insn 3: R0 !read_ok

-- case r1 to r5 are gone after a call
-- asm
call 7
r0 = r1
exit
-- reject
EACCES insn 1: R1 !read_ok

-- case context as return value
-- asm
r0 = r1
exit
-- reject
EACCES insn 1: R0 leaks addr as return value
-- kernel
accepts

-- case stack address as return value
-- asm
r0 = r10
exit
-- reject
EACCES insn 1: R0 leaks addr as return value
-- kernel
accepts

-- case number used as address
-- asm
r2 = 5
r0 = *(u8 *)(r2 +0)
exit
-- reject
EACCES insn 1: R2 invalid mem access 'scalar'

-- case multiplied
-- asm
r1 *= 8
r0 = 0
exit
-- reject
EACCES insn 0: R1 pointer arithmetic with *= operator prohibited

-- case masked
-- asm
r1 &= -8
r0 = 0
exit
-- reject
EACCES insn 0: R1 bitwise operator &= on pointer prohibited

-- case two pointers added
-- asm
r1 += r10
r0 = 0
exit
-- reject
EACCES insn 0: R1 pointer += pointer prohibited

-- case pointers to different things subtracted
-- asm
r2 = r10
r2 -= r1
r0 = 0
exit
-- reject
EACCES insn 1: R2 pointer -= pointer prohibited
-- kernel
accepts

-- case subtracted from a number
-- asm
r2 = 5
r2 -= r1
r0 = 0
exit
-- reject
EACCES insn 1: R2 tried to subtract pointer from scalar

-- case 32-bit arithmetic
-- asm
w1 += 8
r0 = 0
exit
-- reject
EACCES insn 0: R1 32-bit pointer arithmetic prohibited

-- case half of it copied
-- asm
w2 = w1
r0 = 0
exit
-- reject
EACCES insn 0: R1 partial copy of pointer
-- kernel
accepts

-- case negated
-- asm
r1 = -r1
r0 = 0
exit
-- reject
EACCES insn 0: R1 pointer arithmetic prohibited
-- kernel
accepts

-- case byte-swapped
-- asm
r1 = bswap64 r1
r0 = 0
exit
-- reject
EACCES insn 0: R1 pointer arithmetic prohibited
-- kernel
accepts

-- case sign-extended
-- asm
r2 = (s32)r1
r0 = 0
exit
-- reject
EACCES insn 0: R1 sign-extension part of pointer
-- kernel
accepts

-- case constant too big
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = 0x10000000000 ll
r2 += r4
r0 = 0
exit
-- reject
EINVAL insn 4: math between pkt pointer and 1099511627776 is not allowed

-- case context read beyond its end
-- asm
r0 = *(u32 *)(r1 +200)
exit
-- reject
EACCES insn 0: invalid bpf_context access off=200 size=4
the access is behind the end of the context

-- case context read across a field
-- asm
r0 = *(u32 *)(r1 +1)
exit
-- reject
EACCES insn 0: invalid bpf_context access off=1 size=4
the offset is not a multiple of the size (data)

-- case context written
-- asm
*(u32 *)(r1 +0) = 1
r0 = 0
exit
-- reject
EACCES insn 0: invalid bpf_context access off=0 size=4
the field is read-only (data)

-- case moved context pointer
-- asm
r1 += 4
r0 = *(u32 *)(r1 +0)
exit
-- reject
EACCES insn 1: dereference of modified ctx ptr R1 off=4 disallowed

-- case context pointer moved by a variable
-- asm
r2 = *(u32 *)(r1 +12)
r1 += r2
r0 = *(u32 *)(r1 +0)
exit
-- reject
EACCES insn 2: variable ctx access var_off=(0x0; 0xffffffff) disallowed

-- case atomic on the context
-- asm
r2 = 1
lock *(u64 *)(r1 +0) += r2
r0 = 0
exit
-- reject
EACCES insn 1: BPF_ATOMIC stores into R1 ctx is not allowed

-- case atomic on uninitialised stack
-- asm
r2 = 1
lock *(u64 *)(r10 -8) += r2
r0 = 0
exit
-- accept
-- facts
0: r2 = 1 ; value=0x1
1: lock *(u64 *)(r10 -8) += r2 ; stack-8
2: r0 = 0 ; value=0x0
3: exit ; dst_upper_zero
stack: 8
uninit 0: 0x1

-- case atomic with an uninitialised operand
-- asm
*(u64 *)(r10 -8) = 0
lock *(u64 *)(r10 -8) += r3
r0 = 0
exit
-- reject
EACCES insn 1: R3 !read_ok

-- case atomic stores an address
-- asm
*(u64 *)(r10 -8) = 0
lock *(u64 *)(r10 -8) += r1
r0 = 0
exit
-- reject
EACCES insn 1: R1 leaks addr into mem
-- kernel
accepts

-- case compare exchange needs r0
-- asm
*(u64 *)(r10 -8) = 0
r2 = 1
r0 = atomic64_cmpxchg((u64 *)(r10 -8), r0, r2)
r0 = 0
exit
-- reject
EACCES insn 2: R0 !read_ok

-- case one instruction, context and stack
-- asm
r2 = *(u32 *)(r1 +12)
*(u64 *)(r10 -16) = 0
r3 = r10
r3 += -28
if r2 == 0 goto go
r3 = r1
go:
r0 = *(u32 *)(r3 +12)
exit
-- reject
EINVAL insn 6: same insn cannot be used with different pointers

-- case comparison with an uninitialised register
-- asm
r1 = 1
if r1 > r5 goto out
out:
r0 = 0
exit
-- reject
EACCES insn 1: R5 !read_ok

-- case return value out of range
-- type
packet
-- asm
r0 = 7
exit
-- reject
EINVAL insn 1: At program exit the register R0 has smin=7 smax=7 should have been in [0, 2]

-- case return value unknown
-- type
packet
-- asm
r0 = *(u32 *)(r1 +16)
exit
-- reject
EINVAL insn 1: At program exit the register R0 has unknown scalar value should have been in [0, 2]

-- case write to a read-only field
-- type
packet
-- asm
*(u32 *)(r1 +16) = 5
r0 = 0
exit
-- reject
EACCES insn 0: invalid bpf_context access off=16 size=4
the field is read-only (len)

-- case raw memory: one byte too far
-- type
raw 16
-- asm
r0 = *(u64 *)(r1 +9)
exit
-- reject
EACCES insn 0: invalid access to memory, mem_size=16 off=9 size=8
R1 min value is outside of the allowed memory range

-- case raw memory: variable index one too far
-- type
raw 16
-- asm
r3 = *(u8 *)(r1 +0)
r3 &= 15
r1 += r3
r0 = *(u16 *)(r1 +0)
exit
-- reject
EACCES insn 3: invalid access to memory, mem_size=16 off=15 size=2
R1 max value is outside of the allowed memory range

-- case raw memory: before the start
-- type
raw 16
-- asm
r0 = *(u8 *)(r1 -1)
exit
-- reject
EACCES insn 0: invalid access to memory, mem_size=16 off=-1 size=1
R1 min value is outside of the allowed memory range

-- case raw memory: address stored in it
-- type
raw 16
-- asm
*(u64 *)(r1 +0) = r1
r0 = 0
exit
-- reject
EACCES insn 0: R1 leaks addr into mem

-- case raw memory: nothing there
-- type
raw 0
-- asm
r0 = *(u8 *)(r1 +0)
exit
-- reject
EACCES insn 0: invalid access to memory, mem_size=0 off=0 size=1
R1 min value is outside of the allowed memory range

-- case raw memory: the last byte
-- type
raw 16
-- asm
r3 = *(u8 *)(r1 +0)
r3 &= 15
r1 += r3
r0 = *(u8 *)(r1 +0)
exit
-- facts
0: r3 = *(u8 *)(r1 +0) ; raw
1: r3 &= 15 ; dst_upper_zero
3: r0 = *(u8 *)(r1 +0) ; raw
4: exit ; dst_upper_zero
stack: 0

-- case raw memory: the length in r2 is known
-- type
raw 16
-- asm
r3 = r1
r3 += r2
r0 = *(u8 *)(r3 -1)
exit
-- facts
2: r0 = *(u8 *)(r3 -1) ; raw
3: exit ; dst_upper_zero
stack: 0

-- case mark may be written, and read back
-- type
packet
-- asm
*(u32 *)(r1 +20) = 5
r0 = *(u32 *)(r1 +20)
r0 &= 1
exit
-- facts
0: *(u32 *)(r1 +20) = 5 ; ctx+20
1: r0 = *(u32 *)(r1 +20) ; ctx+20
2: r0 &= 1 ; dst_upper_zero
3: exit ; dst_upper_zero
stack: 0

-- case stack or map value at one load
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
*(u64 *)(r10 -8) = 7
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r0 == 0 goto out
r1 = *(u32 *)(r0 +0)
if r1 == 0 goto go
r0 = r10
r0 += -8
go:
r1 = *(u8 *)(r0 +0)
out:
r0 = 0
exit
-- facts
0: *(u64 *)(r10 -8) = 7 ; stack-8
1: *(u32 *)(r10 -4) = 0 ; stack-4
6: call 1 ; map[1] key_off=-4
8: r1 = *(u32 *)(r0 +0) ; map_value map[1]
9: if r1 == 0 goto +2 ; dst_upper_zero
12: r1 = *(u8 *)(r0 +0) ; mixed dst_upper_zero
13: r0 = 0 ; value=0x0
14: exit ; dst_upper_zero
stack: 8

-- case pointers of one kind compared
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
if r2 == r3 goto out
r0 = 1
exit
out:
r0 = 0
exit
-- accept
