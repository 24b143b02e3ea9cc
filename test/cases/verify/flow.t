Control flow: reachability, endless and bounded loops, decided branches.

-- case code behind exit
-- asm
r0 = 0
exit
r0 = 0
exit
-- reject
EINVAL insn 2: unreachable insn 2

-- case jump to itself
-- asm
r0 = 0
goto -1
exit
-- reject
EINVAL insn 2: unreachable insn 2

-- case loop without a way out
-- asm
r0 = 0
r1 = 0
l:
r1 += 1
goto l
-- reject
E2BIG insn 2: BPF program is too large. Processed 1000001 insn

-- case condition that never changes
-- asm
r0 = 0
r2 = *(u32 *)(r1 +12)
l:
if r2 != 0 goto l
exit
-- reject
EINVAL insn 2: infinite loop detected at insn 2

-- case loop that reads the same again
-- asm
r0 = 0
l:
r2 = *(u32 *)(r1 +12)
if r2 != 0 goto l
exit
-- reject
EINVAL insn 1: infinite loop detected at insn 1

-- case loop through two states
-- asm
r0 = 0
r6 = r1
l:
r0 ^= 1
r2 = *(u32 *)(r6 +12)
if r2 != 0 goto l
r0 = 0
exit
-- reject
EINVAL insn 2: infinite loop detected at insn 2

-- case counted loop
-- asm
r0 = 0
l:
r0 += 1
if r0 < 1000 goto l
r0 = 0
exit
-- facts
0: r0 = 0 ; value=0x0
1: r0 += 1 ; dst_upper_zero
2: if r0 < 1000 goto -2 ; dst_upper_zero
3: r0 = 0 ; dst_upper_zero value=0x0
4: exit ; dst_upper_zero
stack: 0

-- case counted loop down
-- asm
r1 = 100
l:
r1 += -1
if r1 != 0 goto l
r0 = r1
exit
-- facts
0: r1 = 100 ; value=0x64
3: r0 = r1 ; value=0x0
4: exit ; dst_upper_zero
stack: 0

-- case loop bounded by an unknown number below a constant
-- asm
r2 = *(u32 *)(r1 +12)
if r2 > 64 goto out
r3 = 0
l:
if r3 >= r2 goto out
r3 += 1
goto l
out:
r0 = 0
exit
-- accept

-- case nested loops
-- asm
r0 = 0
r1 = 0
o:
r2 = 0
i:
r0 += 1
r2 += 1
if r2 < 20 goto i
r1 += 1
if r1 < 20 goto o
exit
-- accept

-- case walk over headers in a packet
-- asm
r6 = *(u32 *)(r1 +0)
r7 = *(u32 *)(r1 +4)
r8 = 0
r9 = 0
l:
if r9 > 0xff00 goto out
r2 = r6
r2 += r9
r3 = r2
r3 += 8
if r3 > r7 goto out
r4 = *(u8 *)(r2 +1)
r4 += 1
r4 <<= 3
r9 += r4
r8 += 1
if r8 < 32 goto l
out:
r0 = 0
exit
-- accept

-- case both ways give the same: pruned
-- asm
r2 = *(u32 *)(r1 +12)
r0 = 0
if r2 == 1 goto a
r0 = 1
a:
if r2 == 2 goto b
r0 += 1
b:
if r2 == 3 goto c
r0 += 1
c:
r0 = 0
exit
-- accept

-- case decided by a constant
-- asm
r2 = 5
r0 = 0
if r2 == 5 goto out
r0 = *(u64 *)(r2 +0)
out:
exit
-- facts
0: r2 = 5 ; value=0x5
1: r0 = 0 ; value=0x0
2: if r2 == 5 goto +1 ; taken dst_upper_zero
3: r0 = *(u64 *)(r2 +0) ; unreached
4: exit ; dst_upper_zero
stack: 0

-- case decided by a range
-- asm
r2 = *(u32 *)(r1 +12)
r2 &= 15
r0 = 0
if r2 > 15 goto bad
exit
bad:
r0 = *(u64 *)(r0 +0)
exit
-- facts
0: r2 = *(u32 *)(r1 +12) ; ctx+12
1: r2 &= 15 ; dst_upper_zero
2: r0 = 0 ; value=0x0
3: if r2 > 15 goto +1 ; not_taken dst_upper_zero
4: exit ; dst_upper_zero
5: r0 = *(u64 *)(r0 +0) ; unreached
6: exit ; unreached
stack: 0

-- case decided by bits
-- asm
r2 = *(u32 *)(r1 +12)
r2 |= 1
r0 = 0
if r2 & 1 goto out
r0 = *(u64 *)(r0 +0)
out:
exit
-- facts
0: r2 = *(u32 *)(r1 +12) ; ctx+12
1: r2 |= 1 ; dst_upper_zero
2: r0 = 0 ; value=0x0
3: if r2 & 1 goto +1 ; taken dst_upper_zero
4: r0 = *(u64 *)(r0 +0) ; unreached
5: exit ; dst_upper_zero
stack: 0

-- case decided on each path, differently
-- asm
r2 = *(u32 *)(r1 +12)
r3 = 0
if r2 == 7 goto a
r3 = 1
a:
r0 = 0
if r3 == 0 goto out
r0 = 1
out:
exit
-- facts
0: r2 = *(u32 *)(r1 +12) ; ctx+12
1: r3 = 0 ; value=0x0
2: if r2 == 7 goto +1 ; dst_upper_zero
3: r3 = 1 ; dst_upper_zero value=0x1
4: r0 = 0 ; value=0x0
5: if r3 == 0 goto +1 ; dst_upper_zero
6: r0 = 1 ; dst_upper_zero value=0x1
7: exit ; dst_upper_zero
stack: 0

-- case contradiction between two comparisons
-- asm
r2 = *(u32 *)(r1 +12)
r0 = 0
if r2 < 10 goto out
if r2 > 9 goto out
r0 = *(u64 *)(r0 +0)
out:
exit
-- facts
0: r2 = *(u32 *)(r1 +12) ; ctx+12
1: r0 = 0 ; value=0x0
2: if r2 < 10 goto +2 ; dst_upper_zero
3: if r2 > 9 goto +1 ; taken dst_upper_zero
4: r0 = *(u64 *)(r0 +0) ; unreached
5: exit ; dst_upper_zero
stack: 0

-- case pruning must not forget that a number was relied on
-- asm
r6 = *(u32 *)(r1 +12)
r7 = *(u32 *)(r1 +16)
*(u64 *)(r10 -8) = 0
*(u64 *)(r10 -16) = 0
r5 = 4
if r6 == 0 goto a
r5 = 16
a:
r4 = 0
if r7 == 0 goto b
r4 = 1
b:
r0 = r4
r0 += 1
r3 = r10
r3 += -16
r3 += r5
r0 = *(u8 *)(r3 +0)
exit
-- reject
EACCES insn 15: invalid read from stack R3 off=0 size=1

-- case pruning must not forget a decided branch
-- asm
r6 = *(u32 *)(r1 +12)
r5 = 0
if r6 == 0 goto a
r5 = 1
a:
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r0 = 0
if r5 == 0 goto out
r0 = *(u64 *)(r0 +0)
out:
exit
-- reject
EACCES insn 12: R0 invalid mem access 'scalar'

-- case equal numbers: linked on one path only
-- asm
r6 = *(u32 *)(r1 +12)
r7 = *(u32 *)(r1 +16)
*(u64 *)(r10 -8) = 0
r3 = r7
if r6 == 0 goto a
r3 = r6
a:
r4 = 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
r4 += 1
if r3 > 7 goto out
r2 = r10
r2 += -8
r2 += r7
r0 = *(u8 *)(r2 +0)
exit
out:
r0 = 0
exit
-- reject
EACCES insn 16: invalid unbounded variable-offset read from stack R2

-- case divisor can't be zero
-- asm
r2 = *(u32 *)(r1 +12)
r3 = *(u32 *)(r1 +16)
r2 |= 1
r3 /= r2
r4 = r3
r4 %= r2
r5 = *(u32 *)(r1 +16)
r4 /= r5
r0 = 0
exit
-- facts
0: r2 = *(u32 *)(r1 +12) ; ctx+12
1: r3 = *(u32 *)(r1 +16) ; ctx+16
2: r2 |= 1 ; dst_upper_zero
3: r3 /= r2 ; src_nonzero dst_upper_zero
5: r4 %= r2 ; src_nonzero dst_upper_zero
6: r5 = *(u32 *)(r1 +16) ; ctx+16
7: r4 /= r5 ; dst_upper_zero
8: r0 = 0 ; value=0x0
9: exit ; dst_upper_zero
stack: 0

-- case upper halves
-- asm
r2 = *(u32 *)(r1 +12)
r3 = r2
r3 += 1
w3 += 1
r4 = r3
r4 = -r4
r5 = (s32)r3
r0 = 0
exit
-- facts
0: r2 = *(u32 *)(r1 +12) ; ctx+12
2: r3 += 1 ; dst_upper_zero
5: r4 = -r4 ; dst_upper_zero
7: r0 = 0 ; value=0x0
8: exit ; dst_upper_zero
stack: 0

-- case how small a register is that another is compared with
-- asm
r2 = *(u32 *)(r1 +12)
r3 = r2
r3 &= 0xff
r4 = r2
r4 &= 0x1ff
r5 = r2
r5 &= 0x1ffff
r0 = 0
if r2 > r3 goto +3
if w2 < w4 goto +2
if r2 == r5 goto +1
if r2 > 7 goto +0
exit
-- facts
0: r2 = *(u32 *)(r1 +12) ; ctx+12
2: r3 &= 255 ; dst_upper_zero
4: r4 &= 511 ; dst_upper_zero
6: r5 &= 131071 ; dst_upper_zero
7: r0 = 0 ; value=0x0
8: if r2 > r3 goto +3 ; dst_upper_zero src_byte
9: if w2 < w4 goto +2 ; dst_upper_zero src_short
10: if r2 == r5 goto +1 ; dst_upper_zero
11: if r2 > 7 goto +0 ; dst_upper_zero
12: exit ; dst_upper_zero
stack: 0
