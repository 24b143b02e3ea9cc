Packets: comparisons with the end in every direction, ids, variable offsets.

-- case no check at all
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r0 = *(u8 *)(r2 +0)
exit
-- reject
EACCES insn 2: invalid access to packet, off=0 size=1, R2(id=0,off=0,r=0)
R2 offset is outside of the packet

-- case one byte behind what was checked
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 8
if r4 > r3 goto out
r0 = *(u8 *)(r2 +8)
exit
out:
r0 = 0
exit
-- reject
EACCES insn 5: invalid access to packet, off=8 size=1, R2(id=0,off=8,r=8)
R2 offset is outside of the packet

-- case before the start
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 8
if r4 > r3 goto out
r0 = *(u8 *)(r2 -1)
exit
out:
r0 = 0
exit
-- reject
EACCES insn 5: invalid access to packet, off=-1 size=1, R2(id=0,off=-1,r=8)
R2 offset is outside of the packet

-- case on the wrong way of the check
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 8
if r4 > r3 goto out
r0 = 0
exit
out:
r0 = *(u8 *)(r2 +0)
exit
-- reject
EACCES insn 7: invalid access to packet, off=0 size=1, R2(id=0,off=0,r=0)
R2 offset is outside of the packet

-- case >= is one less than > the other way
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 8
if r4 >= r3 goto out
r0 = *(u8 *)(r2 +9)
exit
out:
r0 = 0
exit
-- reject
EACCES insn 5: invalid access to packet, off=9 size=1, R2(id=0,off=9,r=9)
R2 offset is outside of the packet

-- case load from the end
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r0 = *(u8 *)(r3 +0)
exit
-- reject
EACCES insn 2: R3 invalid mem access 'pkt_end'

-- case arithmetic on the end
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r3 += 1
r0 = 0
exit
-- reject
EACCES insn 2: R3 pointer arithmetic on pkt_end prohibited

-- case variable offset added after the check
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r5 = *(u32 *)(r1 +12)
r5 &= 7
r4 = r2
r4 += 16
if r4 > r3 goto out
r2 += r5
r0 = *(u8 *)(r2 +0)
exit
out:
r0 = 0
exit
-- reject
EACCES insn 8: invalid access to packet, off=0 size=1, R2(id=1,off=0,r=0)
R2 offset is outside of the packet

-- case offset that may be huge: the sum might wrap
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r5 = *(u32 *)(r1 +12)
r2 += r5
r4 = r2
r4 += 8
if r4 > r3 goto out
r0 = *(u8 *)(r2 +0)
exit
out:
r0 = 0
exit
-- reject
EACCES insn 7: invalid access to packet, off=0 size=1, R2(id=1,off=0,r=0)
R2 offset is outside of the packet

-- case offset up to 0xffff and a header behind it: too far
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r5 = *(u32 *)(r1 +12)
r5 &= 0xffff
r2 += r5
r4 = r2
r4 += 1
if r4 > r3 goto out
r0 = *(u8 *)(r2 +0)
exit
out:
r0 = 0
exit
-- reject
EACCES insn 8: invalid access to packet, off=0 size=1, R2(id=1,off=0,r=0)
R2 offset is outside of the packet

-- case unbounded 64-bit offset
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r5 = *(u32 *)(r1 +12)
r5 <<= 32
r2 += r5
r0 = 0
exit
-- reject
EINVAL insn 4: math between pkt pointer and register with unbounded min value is not allowed

-- case check of another base
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r5 = *(u32 *)(r1 +12)
r5 &= 63
r6 = *(u32 *)(r1 +16)
r6 &= 63
r7 = r2
r7 += r5
r8 = r2
r8 += r6
r4 = r7
r4 += 8
if r4 > r3 goto out
r0 = *(u8 *)(r8 +0)
exit
out:
r0 = 0
exit
-- reject
EACCES insn 13: invalid access to packet, off=0 size=1, R8(id=2,off=0,r=0)
R8 offset is outside of the packet

-- case atomic on a packet
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 8
if r4 > r3 goto out
r5 = 1
lock *(u64 *)(r2 +0) += r5
out:
r0 = 0
exit
-- reject
EACCES insn 6: BPF_ATOMIC stores into R2 pkt is not allowed

-- case packets of rule sets are read only
-- type
packet
-- asm
r2 = *(u64 *)(r1 +0)
r3 = *(u64 *)(r1 +8)
r4 = r2
r4 += 8
if r4 > r3 goto out
*(u8 *)(r2 +0) = 0
out:
r0 = 0
exit
-- reject
EACCES insn 5: cannot write into packet

-- case misaligned with strict alignment
-- strict
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 8
if r4 > r3 goto out
r0 = *(u32 *)(r2 +1)
exit
out:
r0 = 0
exit
-- reject
EACCES insn 5: misaligned packet access off 2+0+0+1 size 4

-- case metadata is checked against the start of the packet
-- asm
r2 = *(u32 *)(r1 +8)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 4
if r4 > r3 goto out
r0 = *(u32 *)(r2 +0)
exit
out:
r0 = 0
exit
-- reject
EACCES insn 5: invalid access to packet, off=0 size=4, R2(id=0,off=0,r=0)
R2 offset is outside of the packet

-- case pkt > end
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 8
if r4 > r3 goto out
r0 = *(u64 *)(r2 +0)
exit
out:
r0 = 0
exit
-- accept

-- case pkt >= end
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 8
if r4 >= r3 goto out
r0 = *(u8 *)(r2 +8)
exit
out:
r0 = 0
exit
-- accept

-- case pkt <= end
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 8
if r4 <= r3 goto ok
r0 = 0
exit
ok:
r0 = *(u64 *)(r2 +0)
exit
-- accept

-- case pkt < end
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 8
if r4 < r3 goto ok
r0 = 0
exit
ok:
r0 = *(u8 *)(r2 +8)
exit
-- accept

-- case end > pkt
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 8
if r3 > r4 goto ok
r0 = 0
exit
ok:
r0 = *(u8 *)(r2 +8)
exit
-- accept

-- case end >= pkt
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 8
if r3 >= r4 goto ok
r0 = 0
exit
ok:
r0 = *(u64 *)(r2 +0)
exit
-- accept

-- case end < pkt
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 8
if r3 < r4 goto out
r0 = *(u64 *)(r2 +0)
exit
out:
r0 = 0
exit
-- accept

-- case end <= pkt
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 8
if r3 <= r4 goto out
r0 = *(u8 *)(r2 +8)
exit
out:
r0 = 0
exit
-- accept

-- case a header of variable length, then a load behind it
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 20
if r4 > r3 goto out
r5 = *(u8 *)(r2 +0)
r5 &= 15
r5 <<= 2
r2 += r5
r4 = r2
r4 += 4
if r4 > r3 goto out
r0 = *(u16 *)(r2 +2)
exit
out:
r0 = 0
exit
-- accept

-- case the check reaches copies of the pointer, also spilled ones
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
*(u64 *)(r10 -8) = r2
r5 = r2
r4 = r2
r4 += 8
if r4 > r3 goto out
r6 = *(u64 *)(r10 -8)
r0 = *(u32 *)(r6 +4)
r0 = *(u32 *)(r5 +4)
exit
out:
r0 = 0
exit
-- accept

-- case metadata
-- asm
r2 = *(u32 *)(r1 +8)
r3 = *(u32 *)(r1 +0)
r4 = r2
r4 += 4
if r4 > r3 goto out
r0 = *(u32 *)(r2 +0)
exit
out:
r0 = 0
exit
-- accept

-- case length of a packet
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r3 -= r2
r0 = r3
exit
-- accept

-- case write into the packet of an xdp program
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r4 = r2
r4 += 8
if r4 > r3 goto out
*(u32 *)(r2 +4) = 1
out:
r0 = 0
exit
-- facts
0: r2 = *(u32 *)(r1 +0) ; ctx
1: r3 = *(u32 *)(r1 +4) ; ctx+4
5: *(u32 *)(r2 +4) = 1 ; packet
6: r0 = 0 ; value=0x0
7: exit ; dst_upper_zero
stack: 0

-- case lengths are taken from the lower halves of pointers
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
w4 = w3
w4 -= w2
w5 = w3
w6 = 100
w6 -= w3
w3 -= w2
w0 = w4
w0 ^= w3
w0 += w6
w0 += w5
exit
-- accept

-- case a half isn't a pointer
-- asm
r2 = *(u32 *)(r1 +0)
w4 = w2
r0 = *(u8 *)(r4 +0)
exit
-- reject
EACCES insn 2: R4 invalid mem access 'scalar'

-- case halves are subtracted, not added
-- asm
r2 = *(u32 *)(r1 +0)
w2 += 4
r0 = 0
exit
-- reject
EACCES insn 1: R2 32-bit pointer arithmetic prohibited

-- case the same question twice: a select, then a jump
-- asm
r2 = *(u32 *)(r1 +4)
r4 = *(u32 *)(r1 +0)
r6 = r4
r6 += 20
r3 = r4
r0 = 1
if r6 > r2 goto select
r3 = r6
select:
if r6 > r2 goto out
r3 += -20
r0 = *(u8 *)(r3 +0)
r0 &= 1
out:
exit
-- accept
