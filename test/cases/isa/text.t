What may stand in a text: labels, comments, numbers, blanks.

-- case labels
-- asm
start:
	if r1 == 0 goto end      ; forwards
	r1 -= 1
	goto start
middle: other: r0 = 1            # two labels, one place
	if w0 != 1 goto other
	gotol middle
	call start
	r2 = func end ll
end:
	exit
-- print
   0: if r1 == 0 goto +8
   1: r1 -= 1
   2: goto -3
   3: r0 = 1
   4: if w0 != 1 goto -2
   5: gotol -3
   6: call pc-7
   7: r2 = func pc+1 ll
   9: exit

-- case a label behind the last instruction
-- asm
goto end
exit
end:
-- print
   0: goto +1
   1: exit
-- check
insn 0: jump out of range: the target is outside of the program (code 0x05, dst 0, src 0, off 1, imm 0)

-- case comments
-- asm
; a whole line
# another
r0 = 1 ; behind
r0 = 2 # behind


   
exit;close
call bpf_map_lookup_elem#1
-- print
   0: r0 = 1
   1: r0 = 2
   2: exit
   3: call 1

-- case numbers
-- asm
r0 = 0x7fffffff
r0 = -0x80000000
r0 = +5
r0 = 010
w0 = 0xffffffff
w0 = 4294967295
w0 = -1
r0 = 0xffffffffffffffff ll
r0 = -1 ll
r0 = 18446744073709551615 ll
*(u32 *)(r1 +0) = 0xffffffff
if w1 == 0xffffffff goto +0x10
r0 = map[0x2]+0x10 ll
exit
-- print
   0: r0 = 2147483647
   1: r0 = -2147483648
   2: r0 = 5
   3: r0 = 8
   4: w0 = -1
   5: w0 = -1
   6: w0 = -1
   7: r0 = 0xffffffffffffffff ll
   9: r0 = 0xffffffffffffffff ll
  11: r0 = 0xffffffffffffffff ll
  13: *(u32 *)(r1 +0) = -1
  14: if w1 == -1 goto +16
  15: r0 = map[2]+16 ll
  17: exit

-- case blanks do not matter
-- asm
r0=r1
r0+=1
*(u8*)(r1)=r2
if   r1   s>=   -1   goto   +1
r0 = *( u64 * ) ( r1 - 8 )
r1=0x1ll
lock*(u64*)(r1+0)+=r2
exit
-- error
6:4: expected a number of at most 64 bits (decimal, 0x or 0 octal), not '0x1ll'

-- case blanks may be few or many
-- asm
r0=r1
r0+=1
*(u8*)(r1)=r2
if   r1   s>=   -1   goto   +1
r0 = *( u64 * ) ( r1 - 8 )
lock*(u64*)(r1+0)+=r2
exit
-- print
   0: r0 = r1
   1: r0 += 1
   2: *(u8 *)(r1 +0) = r2
   3: if r1 s>= -1 goto +1
   4: r0 = *(u64 *)(r1 -8)
   5: lock *(u64 *)(r1 +0) += r2
   6: exit

-- case distances with pc
-- asm
goto pc+1
if r1 > 2 goto pc-1
gotol pc+5
call pc+0
exit
-- print
   0: goto +1
   1: if r1 > 2 goto -1
   2: gotol +5
   3: call pc+0
   4: exit

-- case a listing is read back
-- asm
; source line
   0: r1 = 0x1 ll
   2: if r1 == 1 goto +1
   3: r0 = 1
   4: exit
-- hex
18 01 00 00 01 00 00 00
00 00 00 00 00 00 00 00
15 01 01 00 01 00 00 00
b7 00 00 00 01 00 00 00
95 00 00 00 00 00 00 00

-- case raw bytes
-- asm
.insn 0xb700000001000000
.insn 0xff12345678abcdef
.insn 0x1800000001000000
exit
-- hex
b7 00 00 00 01 00 00 00
ff 12 34 56 78 ab cd ef
18 00 00 00 01 00 00 00
95 00 00 00 00 00 00 00
-- print
   0: r0 = 1
   1: .insn 0xff12345678abcdef
   2: .insn 0x1800000001000000
   3: exit

-- case per-CPU move
-- asm
r1 = &(void __percpu *)(r2)
exit
-- hex
bf 21 ff ff 00 00 00 00
95 00 00 00 00 00 00 00
-- check
insn 0: internal-only instruction (per-CPU address, mov with off -1) (code 0xbf, dst 1, src 2, off -1, imm 0)

-- case empty text
-- asm
; nothing
-- check
insn 0: a program needs an instruction at least
