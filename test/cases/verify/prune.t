A path that arrives where another has been: it may be given up only when nothing that counts is different. All of
these do something on one path only, walk far enough that a state is kept, and then rely on it.

-- case slot written on one path
-- asm
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r6 = *(u32 *)(r1 +12)
*(u64 *)(r10 -16) = 0
if r6 == 0 goto skip
*(u64 *)(r10 -8) = 0
skip:
r0 = *(u64 *)(r10 -8)
exit
-- accept
-- facts
0: r4 = 1 ; value=0x1
1: r4 += 1 ; dst_upper_zero value=0x2
2: r4 += 1 ; dst_upper_zero value=0x3
3: r4 += 1 ; dst_upper_zero value=0x4
4: r4 += 1 ; dst_upper_zero value=0x5
5: r4 += 1 ; dst_upper_zero value=0x6
6: r4 += 1 ; dst_upper_zero value=0x7
7: r6 = *(u32 *)(r1 +12) ; ctx+12
8: *(u64 *)(r10 -16) = 0 ; stack-16
9: if r6 == 0 goto +1 ; dst_upper_zero
10: *(u64 *)(r10 -8) = 0 ; stack-8
11: r0 = *(u64 *)(r10 -8) ; stack-8
stack: 16
uninit 0: 0x1

-- case byte within a slot written on one path
-- asm
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r6 = *(u32 *)(r1 +12)
*(u64 *)(r10 -16) = 0
if r6 == 0 goto skip
*(u8 *)(r10 -7) = 1
skip:
r0 = *(u8 *)(r10 -7)
exit
-- accept
-- facts
0: r4 = 1 ; value=0x1
1: r4 += 1 ; dst_upper_zero value=0x2
2: r4 += 1 ; dst_upper_zero value=0x3
3: r4 += 1 ; dst_upper_zero value=0x4
4: r4 += 1 ; dst_upper_zero value=0x5
5: r4 += 1 ; dst_upper_zero value=0x6
6: r4 += 1 ; dst_upper_zero value=0x7
7: r6 = *(u32 *)(r1 +12) ; ctx+12
8: *(u64 *)(r10 -16) = 0 ; stack-16
9: if r6 == 0 goto +1 ; dst_upper_zero
10: *(u8 *)(r10 -7) = 1 ; stack-7
11: r0 = *(u8 *)(r10 -7) ; stack-7
12: exit ; dst_upper_zero
stack: 16
uninit 0: 0x1

-- case slot written on one path, then one byte of it on both
-- asm
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r6 = *(u32 *)(r1 +12)
if r6 == 0 goto skip
*(u64 *)(r10 -8) = 0
skip:
*(u8 *)(r10 -8) = 1
r0 = *(u32 *)(r10 -8)
exit
-- accept
-- facts
0: r4 = 1 ; value=0x1
1: r4 += 1 ; dst_upper_zero value=0x2
2: r4 += 1 ; dst_upper_zero value=0x3
3: r4 += 1 ; dst_upper_zero value=0x4
4: r4 += 1 ; dst_upper_zero value=0x5
5: r4 += 1 ; dst_upper_zero value=0x6
6: r4 += 1 ; dst_upper_zero value=0x7
7: r6 = *(u32 *)(r1 +12) ; ctx+12
8: if r6 == 0 goto +1 ; dst_upper_zero
9: *(u64 *)(r10 -8) = 0 ; stack-8
10: *(u8 *)(r10 -8) = 1 ; stack-8
11: r0 = *(u32 *)(r10 -8) ; stack-8
12: exit ; dst_upper_zero
stack: 8
uninit 0: 0x1

-- case slot written on one path, read through an address from the stack
-- asm
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r6 = *(u32 *)(r1 +12)
r2 = r10
r2 += -8
*(u64 *)(r10 -16) = r2
if r6 == 0 goto skip
*(u64 *)(r10 -8) = 0
skip:
r2 = *(u64 *)(r10 -16)
r0 = *(u64 *)(r2 +0)
exit
-- accept
-- facts
0: r4 = 1 ; value=0x1
1: r4 += 1 ; dst_upper_zero value=0x2
2: r4 += 1 ; dst_upper_zero value=0x3
3: r4 += 1 ; dst_upper_zero value=0x4
4: r4 += 1 ; dst_upper_zero value=0x5
5: r4 += 1 ; dst_upper_zero value=0x6
6: r4 += 1 ; dst_upper_zero value=0x7
7: r6 = *(u32 *)(r1 +12) ; ctx+12
10: *(u64 *)(r10 -16) = r2 ; stack-16
11: if r6 == 0 goto +1 ; dst_upper_zero
12: *(u64 *)(r10 -8) = 0 ; stack-8
13: r2 = *(u64 *)(r10 -16) ; stack-16
14: r0 = *(u64 *)(r2 +0) ; stack-8
stack: 16
uninit 0: 0x1

-- case slot written on one path, read by a callee
-- asm
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r6 = *(u32 *)(r1 +12)
if r6 == 0 goto skip
*(u64 *)(r10 -8) = 0
skip:
r1 = r10
r1 += -8
call f
exit
f:
r0 = *(u64 *)(r1 +0)
exit
-- accept
-- facts
0: r4 = 1 ; value=0x1
1: r4 += 1 ; dst_upper_zero value=0x2
2: r4 += 1 ; dst_upper_zero value=0x3
3: r4 += 1 ; dst_upper_zero value=0x4
4: r4 += 1 ; dst_upper_zero value=0x5
5: r4 += 1 ; dst_upper_zero value=0x6
6: r4 += 1 ; dst_upper_zero value=0x7
7: r6 = *(u32 *)(r1 +12) ; ctx+12
8: if r6 == 0 goto +1 ; dst_upper_zero
9: *(u64 *)(r10 -8) = 0 ; stack-8
14: r0 = *(u64 *)(r1 +0) ; stack
stack: 8 0
uninit 0: 0x1

-- case slot written on one path, read as a key
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r6 = *(u32 *)(r1 +12)
if r6 == 0 goto skip
*(u32 *)(r10 -4) = 0
skip:
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
r0 = 0
exit
-- accept
-- facts
0: r4 = 1 ; value=0x1
1: r4 += 1 ; dst_upper_zero value=0x2
2: r4 += 1 ; dst_upper_zero value=0x3
3: r4 += 1 ; dst_upper_zero value=0x4
4: r4 += 1 ; dst_upper_zero value=0x5
5: r4 += 1 ; dst_upper_zero value=0x6
6: r4 += 1 ; dst_upper_zero value=0x7
7: r6 = *(u32 *)(r1 +12) ; ctx+12
8: if r6 == 0 goto +1 ; dst_upper_zero
9: *(u32 *)(r10 -4) = 0 ; stack-4
14: call 1 ; map[0] key_off=-4
15: r0 = 0 ; value=0x0
16: exit ; dst_upper_zero
stack: 8
uninit 0: 0x1

-- case number used as an offset
-- asm
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r6 = *(u32 *)(r1 +12)
r5 = 4
if r6 != 0 goto skip
r5 = 16
skip:
*(u64 *)(r10 -8) = 0
*(u64 *)(r10 -16) = 0
r3 = r10
r3 += -16
r3 += r5
r0 = *(u8 *)(r3 +0)
exit
-- reject
EACCES insn 16: invalid read from stack R3 off=0 size=1

-- case number used as an offset by way of the stack and another register
-- asm
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r6 = *(u32 *)(r1 +12)
r5 = 4
if r6 != 0 goto skip
r5 = 16
skip:
*(u64 *)(r10 -8) = 0
*(u64 *)(r10 -16) = 0
*(u64 *)(r10 -24) = r5
r7 = *(u64 *)(r10 -24)
r7 += r4
r7 += -7
r3 = r10
r3 += -16
r3 += r7
r0 = *(u8 *)(r3 +0)
exit
-- reject
EACCES insn 20: invalid read from stack R3 off=0 size=1

-- case number that decides a jump
-- asm
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r6 = *(u32 *)(r1 +12)
r5 = 0
if r6 != 0 goto skip
r5 = 1
skip:
r0 = 0
if r5 == 0 goto out
r0 = *(u64 *)(r0 +0)
out:
exit
-- reject
EACCES insn 13: R0 invalid mem access 'scalar'

-- case numbers that are equal on one path
-- asm
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r6 = *(u32 *)(r1 +12)
r7 = *(u32 *)(r1 +16)
*(u64 *)(r10 -8) = 0
r8 = r7
r3 = r7
if r6 != 0 goto skip
r3 = r6
skip:
if r3 > 7 goto out
r2 = r10
r2 += -8
r2 += r7
r0 = *(u8 *)(r2 +0)
exit
out:
r0 = r8
exit
-- reject
EACCES insn 18: invalid unbounded variable-offset read from stack R2

-- case packet range learnt on one path
-- asm
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r6 = *(u32 *)(r1 +12)
r4 = r2
r4 += 8
if r4 > r3 goto out
if r6 == 0 goto skip
r4 = r2
r4 += 16
if r4 > r3 goto out
skip:
r0 = *(u8 *)(r2 +12)
exit
out:
r0 = 0
exit
-- reject
EACCES insn 17: invalid access to packet, off=12 size=1, R2(id=0,off=12,r=8)
R2 offset is outside of the packet

-- case null check on one path
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r6 = *(u32 *)(r1 +12)
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[1] ll
call 1
if r6 == 0 goto skip
if r0 == 0 goto out
skip:
r1 = *(u64 *)(r0 +0)
out:
r0 = 0
exit
-- reject
EACCES insn 16: R0 invalid mem access 'map_value_or_null'

-- case key that needs no null check on one path
-- maps
values array 4 16 4
table hash 4 16 4
fixed array 4 16 4 128
counts percpu_array 4 8 1000
-- asm
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r6 = *(u32 *)(r1 +12)
*(u32 *)(r10 -8) = 3
if r6 == 0 goto go
*(u32 *)(r10 -8) = 2
go:
r2 = r10
r2 += -8
r1 = map[0] ll
call 1
if r6 != 0 goto skip
*(u32 *)(r10 -8) = 4
r2 = r10
r2 += -8
r1 = map[0] ll
call 1
skip:
r1 = *(u64 *)(r0 +0)
r0 = 0
exit
-- reject
EACCES insn 23: R0 invalid mem access 'map_value_or_null'

-- case a store to an unknown place leaves no constant behind
-- asm
r6 = *(u32 *)(r1 +12)
*(u64 *)(r10 -8) = 0
r6 &= 7
r2 = r10
r2 += r6
*(u8 *)(r2 -8) = 5
r3 = *(u64 *)(r10 -8)
if r3 == 0 goto out
r0 = *(u64 *)(r3 +0)
out:
r0 = 0
exit
-- reject
EACCES insn 8: R3 invalid mem access 'scalar'

-- case what a callee may have overwritten is no fact
-- asm
*(u64 *)(r10 -8) = 7
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
0: *(u64 *)(r10 -8) = 7 ; stack-8
4: r0 = *(u64 *)(r10 -8) ; stack-8
6: *(u64 *)(r1 +0) = 5 ; stack
7: r0 = 0 ; value=0x0
8: exit ; dst_upper_zero
stack: 8 0

-- case what was pruned counts for facts
-- asm
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r6 = *(u32 *)(r1 +12)
r5 = 1
if r6 == 7 goto skip
r5 = 2
skip:
r0 = r5
exit
-- facts
0: r4 = 1 ; value=0x1
1: r4 += 1 ; dst_upper_zero value=0x2
2: r4 += 1 ; dst_upper_zero value=0x3
3: r4 += 1 ; dst_upper_zero value=0x4
4: r4 += 1 ; dst_upper_zero value=0x5
5: r4 += 1 ; dst_upper_zero value=0x6
6: r4 += 1 ; dst_upper_zero value=0x7
7: r6 = *(u32 *)(r1 +12) ; ctx+12
8: r5 = 1 ; value=0x1
9: if r6 == 7 goto +1 ; dst_upper_zero
10: r5 = 2 ; dst_upper_zero value=0x2
12: exit ; dst_upper_zero
stack: 0

-- case a thousand paths that differ in a number nobody asks for
-- asm
r6 = *(u32 *)(r1 +12)
r7 = 0
if r6 & 1 goto +1
r7 += 1
if r6 & 2 goto +1
r7 += 2
if r6 & 4 goto +1
r7 += 4
if r6 & 8 goto +1
r7 += 8
if r6 & 16 goto +1
r7 += 16
if r6 & 32 goto +1
r7 += 32
if r6 & 64 goto +1
r7 += 64
if r6 & 128 goto +1
r7 += 128
if r6 & 256 goto +1
r7 += 256
if r6 & 512 goto +1
r7 += 512
r0 = r7
exit
-- accept

-- case a comparison of lower halves that the whole number decides: one path has 4096 and more, the other hasn't
-- type
raw 64
-- asm
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r5 = *(u64 *)(r1 +0)
r5 = (s16)r5
if r5 < 4096 goto small
r0 = 0
small:
r0 = 0
if w5 >= 8 goto out
r0 = r9
out:
exit
-- reject
EACCES insn 13: R9 !read_ok
