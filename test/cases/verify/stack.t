The stack: bounds, alignment, what is initialised, spilled registers.

-- case write below the stack
-- asm
*(u64 *)(r10 -520) = 0
r0 = 0
exit
-- reject
EACCES insn 0: invalid write to stack R10 off=-520 size=8

-- case write at r10
-- asm
*(u64 *)(r10 +0) = 0
r0 = 0
exit
-- reject
EACCES insn 0: invalid write to stack R10 off=0 size=8

-- case read above r10
-- asm
r0 = *(u64 *)(r10 +8)
exit
-- reject
EACCES insn 0: invalid read from stack R10 off=8 size=8

-- case misaligned write
-- asm
*(u64 *)(r10 -12) = 0
r0 = 0
exit
-- reject
EACCES insn 0: misaligned stack access off 0+0+-12 size 8

-- case read of a slot never written
-- asm
r0 = *(u64 *)(r10 -8)
exit
-- accept
-- facts
0: r0 = *(u64 *)(r10 -8) ; stack-8
stack: 8
uninit 0: 0x1

-- case read of a half written slot
-- asm
*(u32 *)(r10 -8) = 1
r0 = *(u64 *)(r10 -8)
exit
-- accept
-- facts
0: *(u32 *)(r10 -8) = 1 ; stack-8
1: r0 = *(u64 *)(r10 -8) ; stack-8
stack: 8
uninit 0: 0x1

-- case read of the byte behind the one written
-- asm
*(u8 *)(r10 -8) = 1
r0 = *(u8 *)(r10 -7)
exit
-- accept
-- facts
0: *(u8 *)(r10 -8) = 1 ; stack-8
1: r0 = *(u8 *)(r10 -7) ; stack-7
2: exit ; dst_upper_zero
stack: 8
uninit 0: 0x1

-- case written on one path only
-- asm
r0 = 0
r2 = *(u32 *)(r1 +12)
if r2 == 5 goto skip
*(u64 *)(r10 -8) = 1
skip:
r0 = *(u64 *)(r10 -8)
exit
-- accept
-- facts
0: r0 = 0 ; value=0x0
1: r2 = *(u32 *)(r1 +12) ; ctx+12
2: if r2 == 5 goto +1 ; dst_upper_zero
3: *(u64 *)(r10 -8) = 1 ; stack-8
4: r0 = *(u64 *)(r10 -8) ; stack-8 dst_upper_zero
stack: 8
uninit 0: 0x1

-- case variable offset beyond the end
-- asm
r2 = *(u32 *)(r1 +12)
r2 &= 7
r3 = r10
r3 += r2
*(u8 *)(r3 -4) = 0
r0 = 0
exit
-- reject
EACCES insn 4: invalid variable-offset write to stack R3 var_off=(0x0; 0x7) off=-4 size=1

-- case variable offset into bytes never written
-- asm
r2 = *(u32 *)(r1 +12)
r2 &= 7
r3 = r10
r3 += r2
r0 = *(u8 *)(r3 -16)
exit
-- accept
-- facts
0: r2 = *(u32 *)(r1 +12) ; ctx+12
1: r2 &= 7 ; dst_upper_zero
4: r0 = *(u8 *)(r3 -16) ; stack
5: exit ; dst_upper_zero
stack: 16
uninit 0: 0x2

-- case unbounded variable offset
-- asm
r2 = *(u32 *)(r1 +12)
r3 = r10
r3 += r2
r0 = *(u8 *)(r3 -16)
exit
-- reject
EACCES insn 3: invalid unbounded variable-offset read from stack R3

-- case spill of half a pointer
-- asm
*(u32 *)(r10 -8) = r1
r0 = 0
exit
-- reject
EACCES insn 0: invalid size of register spill

-- case fill of half a pointer
-- asm
*(u64 *)(r10 -8) = r1
r0 = *(u32 *)(r10 -8)
exit
-- reject
EACCES insn 1: invalid size of register fill

-- case byte written into a spilled pointer
-- asm
*(u64 *)(r10 -8) = r1
*(u8 *)(r10 -8) = 0
r0 = 0
exit
-- reject
EACCES insn 1: attempt to corrupt spilled pointer on stack
-- kernel
accepts

-- case store by variable offset over a spilled pointer
-- asm
*(u64 *)(r10 -8) = r1
*(u64 *)(r10 -16) = 0
r2 = *(u32 *)(r1 +12)
r2 &= 7
r3 = r10
r3 += r2
*(u8 *)(r3 -16) = 1
r4 = *(u64 *)(r10 -8)
r0 = *(u32 *)(r4 +12)
*(u8 *)(r3 -15) = 1
r0 = 0
exit
-- reject
EINVAL insn 9: spilled ptr in range of var-offset stack write; insn 9, ptr off: -8
-- kernel
accepts

-- case spilled pointer is gone after a scalar was stored
-- asm
*(u64 *)(r10 -8) = r1
*(u64 *)(r10 -8) = 7
r2 = *(u64 *)(r10 -8)
r0 = *(u32 *)(r2 +12)
exit
-- reject
EACCES insn 3: R2 invalid mem access 'scalar'

-- case subtraction from a stack pointer
-- asm
r2 = r10
r3 = 8
r2 -= r3
r0 = 0
exit
-- reject
EACCES insn 2: R2 subtraction from stack pointer prohibited

-- case spill and fill of the context
-- asm
*(u64 *)(r10 -8) = r1
r2 = *(u64 *)(r10 -8)
r0 = *(u32 *)(r2 +12)
exit
-- accept

-- case spilled scalars keep their range
-- asm
r2 = *(u32 *)(r1 +12)
if r2 > 7 goto out
*(u64 *)(r10 -8) = r2
*(u64 *)(r10 -16) = 0
*(u64 *)(r10 -24) = 0
r3 = *(u64 *)(r10 -8)
r4 = r10
r4 += r3
r0 = *(u8 *)(r4 -24)
exit
out:
r0 = 0
exit
-- accept

-- case a bound learnt after the spill holds for the spilled copy
-- asm
r2 = *(u32 *)(r1 +12)
*(u64 *)(r10 -8) = r2
*(u64 *)(r10 -16) = 0
*(u64 *)(r10 -24) = 0
if r2 > 7 goto out
r3 = *(u64 *)(r10 -8)
r4 = r10
r4 += r3
r0 = *(u8 *)(r4 -24)
exit
out:
r0 = 0
exit
-- accept

-- case variable offset inside what was written
-- asm
r2 = *(u32 *)(r1 +12)
*(u64 *)(r10 -8) = 0
*(u64 *)(r10 -16) = 0
r2 &= 7
r3 = r10
r3 += r2
r0 = *(u8 *)(r3 -16)
exit
-- accept

-- case bytes written one by one
-- asm
*(u8 *)(r10 -8) = 1
*(u8 *)(r10 -7) = 2
*(u16 *)(r10 -6) = 3
r0 = *(u32 *)(r10 -8)
exit
-- accept

-- case all 512 bytes
-- asm
*(u64 *)(r10 -512) = 1
r0 = *(u64 *)(r10 -512)
exit
-- facts
0: *(u64 *)(r10 -512) = 1 ; stack-512
1: r0 = *(u64 *)(r10 -512) ; stack-512 value=0x1
2: exit ; dst_upper_zero
stack: 512
