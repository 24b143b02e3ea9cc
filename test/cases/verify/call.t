Helpers and subprograms.

-- case helper that nobody knows
-- asm
call 9999
exit
-- reject
EINVAL insn 0: invalid func unknown#9999

-- case helper of the kernel's that isn't here
-- asm
call 86
exit
-- reject
EINVAL insn 0: unknown func bpf_sk_release#86
-- kernel
says R1 type=ctx expected=sock

-- case calling without arguments
-- asm
call 1
exit
-- reject
EACCES insn 0: R1 type=ctx expected=map_ptr

-- case context expected, number given
-- asm
r1 = 1
r2 = 0
call 44
exit
-- reject
EACCES insn 2: R1 type=scalar expected=ctx

-- case pointer where a number is expected
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
r4 = r10
r1 = map[1] ll
call 2
r0 = 0
exit
-- reject
EACCES insn 10: R4 leaks addr into helper function
-- kernel
accepts

-- case endless recursion
-- asm
call f
exit
f:
call f
exit
-- reject
E2BIG insn 2: the call stack of 9 frames is too deep

-- case nine frames
-- asm
call a
exit
a:
call b
exit
b:
call c
exit
c:
call d
exit
d:
call e
exit
e:
call f
exit
f:
call g
exit
g:
call h
exit
h:
r0 = 0
exit
-- reject
E2BIG insn 14: the call stack of 9 frames is too deep

-- case combined stack too big
-- asm
*(u64 *)(r10 -512) = 0
call f
exit
f:
*(u64 *)(r10 -8) = 0
r0 = 0
exit
-- reject
EACCES insn 0: combined stack size of 2 calls is 528. Too large

-- case stack of the frames in between counts
-- asm
*(u64 *)(r10 -200) = 0
call f
exit
f:
*(u64 *)(r10 -200) = 0
call g
exit
g:
*(u64 *)(r10 -200) = 0
r0 = 0
exit
-- reject
EACCES insn 0: combined stack size of 3 calls is 624. Too large

-- case own stack address returned
-- asm
call f
r0 = 0
exit
f:
r0 = r10
exit
-- reject
EINVAL insn 4: cannot return stack pointer to the caller

-- case r6 of the caller isn't the callee's
-- asm
r6 = 1
call f
exit
f:
r0 = r6
exit
-- reject
EACCES insn 3: R6 !read_ok

-- case callee returns nothing
-- asm
call f
exit
f:
exit
-- reject
EACCES insn 1: R0 !read_ok

-- case r1 is gone after a local call
-- asm
call f
r0 = r1
exit
f:
r0 = 0
exit
-- reject
EACCES insn 1: R1 !read_ok

-- case jump into another subprogram
-- asm
call f
exit
f:
r0 = 0
if r0 == 1 goto -4
exit
-- reject
EINVAL insn 3: jump out of range from insn 3 to 0

-- case stack pointer spilled into the caller's frame
-- asm
r1 = r10
r1 += -8
call f
r0 = 0
exit
f:
*(u64 *)(r1 +0) = r10
r0 = 0
exit
-- reject
EINVAL insn 5: cannot spill pointers to stack into stack frame of the caller

-- case caller's stack read where the caller wrote nothing
-- asm
r1 = r10
r1 += -8
call f
r0 = 0
exit
f:
r0 = *(u64 *)(r1 +0)
exit
-- accept
-- facts
3: r0 = 0 ; value=0x0
4: exit ; dst_upper_zero
5: r0 = *(u64 *)(r1 +0) ; stack
stack: 8 0
uninit 0: 0x1

-- case callee's reads are checked with each caller's argument
-- asm
r1 = 4
call f
r1 = 12
call f
exit
f:
*(u64 *)(r10 -16) = 0
*(u64 *)(r10 -8) = 0
r2 = r10
r2 += r1
r0 = *(u8 *)(r2 -8)
exit
-- reject
EACCES insn 9: invalid read from stack R2 off=4 size=1

-- case callee writes into the caller's stack
-- asm
r1 = r10
r1 += -8
call f
r0 = *(u64 *)(r10 -8)
exit
f:
*(u64 *)(r1 +0) = 5
r0 = 0
exit
-- facts
3: r0 = *(u64 *)(r10 -8) ; stack-8
5: *(u64 *)(r1 +0) = 5 ; stack
6: r0 = 0 ; value=0x0
7: exit ; dst_upper_zero
stack: 8 0

-- case r6 to r9 survive
-- asm
r6 = r1
call f
r0 = *(u32 *)(r6 +12)
exit
f:
r6 = 5
r0 = 0
exit
-- accept

-- case callee used with different arguments
-- asm
r6 = 0
r1 = 1
call f
r6 += r0
r1 = 2
call f
r6 += r0
r0 = r6
exit
f:
r0 = r1
r0 += 1
exit
-- facts
0: r6 = 0 ; value=0x0
1: r1 = 1 ; value=0x1
3: r6 += r0 ; dst_upper_zero
4: r1 = 2 ; value=0x2
10: r0 += 1 ; dst_upper_zero
11: exit ; dst_upper_zero
stack: 0 0

-- case eight frames
-- asm
call a
exit
a:
call b
exit
b:
call c
exit
c:
call d
exit
d:
call e
exit
e:
call f
exit
f:
call g
exit
g:
r0 = 0
exit
-- accept

-- case callee never returns to code behind a decided branch
-- asm
r1 = 0
call f
if r0 == 7 goto dead
r0 = 0
exit
dead:
r0 = 1
exit
f:
r0 = 3
if r1 == 0 goto out
r0 = 7
out:
exit
-- accept

-- case a pointer to a map value as argument
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
r1 = r0
call f
out:
r0 = 0
exit
f:
*(u64 *)(r1 +8) = 1
r0 = 0
exit
-- facts
0: *(u32 *)(r10 -4) = 0 ; stack-4
5: call 1 ; map[1] key_off=-4
9: r0 = 0 ; value=0x0
10: exit ; dst_upper_zero
11: *(u64 *)(r1 +8) = 1 ; map_value map[1]
12: r0 = 0 ; value=0x0
13: exit ; dst_upper_zero
stack: 8 0

-- case a lock, taken and given
-- maps
v hash 4 16 4 lock=4
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r6 = r0
r1 = r0
r1 += 4
call 93
*(u32 *)(r6 +0) = 7
r1 = r6
r1 += 4
call 94
out:
r0 = 0
exit
-- accept

-- case a lock that one path keeps
-- maps
v hash 4 16 4 lock=4
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r6 = r0
r1 = r0
r1 += 4
call 93
r0 = *(u32 *)(r6 +0)
if r0 == 3 goto out
r1 = r6
r1 += 4
call 94
out:
r0 = 0
exit
-- reject
EINVAL insn 17: BPF_EXIT instruction in main prog cannot be used inside bpf_spin_lock-ed region

-- case a lock of another value
-- maps
v hash 4 16 4 lock=4
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r6 = r0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r7 = r0
r1 = r6
r1 += 4
call 93
r1 = r7
r1 += 4
call 94
out:
r0 = 0
exit
-- reject
EINVAL insn 20: bpf_spin_unlock of different lock

-- case a call under a lock
-- maps
v hash 4 16 4 lock=4
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r6 = r0
r1 = r0
r1 += 4
call 93
call 7
r1 = r6
r1 += 4
call 94
out:
r0 = 0
exit
-- reject
EINVAL insn 11: function calls are not allowed while holding a lock

-- case a lock is no number
-- maps
v hash 4 16 4 lock=4
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r0 = *(u64 *)(r0 +0)
out:
r0 = 0
exit
-- reject
EACCES insn 7: bpf_spin_lock cannot be accessed directly by load/store

-- case a lock that isn't there
-- maps
v hash 4 16 4 lock=4
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r1 = r0
call 93
out:
r0 = 0
exit
-- reject
EINVAL insn 8: off 0 doesn't point to 'struct bpf_spin_lock' that is at 4

-- case two locks
-- maps
v hash 4 16 4 lock=4
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r6 = r0
r1 = r6
r1 += 4
call 93
r1 = r6
r1 += 4
call 93
out:
r0 = 0
exit
-- reject
EINVAL insn 13: function calls are not allowed while holding a lock

-- case unlocking what isn't locked
-- maps
v hash 4 16 4 lock=4
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r1 = r0
r1 += 4
call 94
out:
r0 = 0
exit
-- reject
EINVAL insn 9: bpf_spin_unlock without taking a lock

-- case the arguments of a message may be anything, or nothing
-- asm
r6 = r1
*(u64 *)(r10 -8) = 25637
r1 = r10
r1 += -8
r2 = 8
r3 = r6
call 6
r0 = 0
exit
-- accept
