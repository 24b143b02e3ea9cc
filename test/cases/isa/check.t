Verdicts of prog_check, which knows whole programs.

-- case well formed
-- asm
r0 = 0
exit
-- check
ok

-- case fall through the end
-- asm
r0 = 0
-- check
insn 0: last insn is not an exit or jmp (code 0xb7, dst 0, src 0, off 0, imm 0)

-- case conditional jump at the end
-- asm
if r1 == 0 goto -1
-- check
insn 0: last insn is not an exit or jmp (code 0x15, dst 1, src 0, off -1, imm 0)

-- case jump at the end
-- asm
r0 = 0
goto -2
-- check
ok

-- case jump behind the end
-- asm
goto +1
exit
-- check
insn 0: jump out of range: the target is outside of the program (code 0x05, dst 0, src 0, off 1, imm 0)

-- case jump before the start
-- asm
r0 = 0
if r0 == 0 goto -3
exit
-- check
insn 1: jump out of range: the target is outside of the program (code 0x15, dst 0, src 0, off -3, imm 0)

-- case far jump behind the end
-- asm
gotol +70000
exit
-- check
insn 0: jump out of range: the target is outside of the program (code 0x06, dst 0, src 0, off 0, imm 70000)

-- case into a 64-bit immediate
-- asm
if r1 == 0 goto +1
r0 = 1 ll
exit
-- check
insn 0: jump into the middle of a 64-bit immediate load (code 0x15, dst 1, src 0, off 1, imm 0)

-- case call behind the end
-- asm
call pc+1
exit
-- check
insn 0: jump out of range: the target is outside of the program (code 0x85, dst 0, src 1, off 0, imm 1)

-- case call before the start
-- asm
call pc-2
exit
-- check
insn 0: jump out of range: the target is outside of the program (code 0x85, dst 0, src 1, off 0, imm -2)

-- case call into a 64-bit immediate
-- asm
call pc+1
r0 = 1 ll
exit
-- check
insn 0: jump into the middle of a 64-bit immediate load (code 0x85, dst 0, src 1, off 0, imm 1)

-- case map that is not there
-- asm
r1 = map[4] ll
exit
-- check
insn 0: map index is beyond the program's maps (code 0x18, dst 1, src 5, off 0, imm 4)

-- case value of a map that is not there
-- asm
r1 = map[4]+8 ll
exit
-- check
insn 0: map index is beyond the program's maps (code 0x18, dst 1, src 6, off 0, imm 4)

-- case maps that are there
-- asm
r1 = map[3] ll
r2 = map[0]+8 ll
exit
-- check
ok

-- case map by descriptor
-- asm
r1 = map_fd[3] ll
exit
-- check
insn 0: map by file descriptor is not supported: use its index in the program's maps (code 0x18, dst 1, src 1, off 0, imm 3)

-- case map value by descriptor
-- asm
r1 = map_fd[3]+4 ll
exit
-- check
insn 0: map by file descriptor is not supported: use its index in the program's maps (code 0x18, dst 1, src 2, off 0, imm 3)

-- case kernel variable
-- asm
r1 = btf_id[3]+0 ll
exit
-- check
insn 0: load of a kernel variable by BTF id is not supported (code 0x18, dst 1, src 3, off 0, imm 3)

-- case kernel function
-- asm
call kfunc#77
exit
-- check
ok

-- case callback
-- asm
r1 = func pc+1 ll
exit
exit
-- check
ok

-- case internal-only instruction
-- asm
r0 = 0
r1 = &(void __percpu *)(r0)
exit
-- check
insn 1: internal-only instruction (per-CPU address, mov with off -1) (code 0xbf, dst 1, src 0, off -1, imm 0)

-- case legacy packet access, absolute
-- asm
.insn 0x3000000000000000
exit
-- check
insn 0: BPF_LD_[ABS|IND] instructions not allowed for this program type (code 0x30, dst 0, src 0, off 0, imm 0)

-- case legacy packet access, indirect
-- asm
.insn 0x5010000000000000
exit
-- check
insn 0: BPF_LD_[ABS|IND] instructions not allowed for this program type (code 0x50, dst 0, src 1, off 0, imm 0)

-- case unknown opcode
-- asm
.insn 0xf700000000000000
exit
-- check
insn 0: unknown opcode (code 0xf7, dst 0, src 0, off 0, imm 0)

-- case callx
-- asm
.insn 0x8d00000000000000
exit
-- check
insn 0: call through a register (callx) is not part of RFC 9669 (code 0x8d, dst 0, src 0, off 0, imm 0)

-- case cut 64-bit immediate
-- asm
.insn 0x1800000000000000
-- check
insn 0: 64-bit immediate load lacks its second half (code 0x18, dst 0, src 0, off 0, imm 0)

-- case second half with a register
-- asm
.insn 0x1800000000000000
.insn 0x0001000000000000
exit
-- check
insn 0: second half of a 64-bit immediate load must be zero but for imm (code 0x18, dst 0, src 0, off 0, imm 0)

-- case reserved off
-- asm
.insn 0xb700010000000000
exit
-- check
insn 0: reserved field off must be 0 (code 0xb7, dst 0, src 0, off 1, imm 0)

-- case reserved src
-- asm
.insn 0xb710000000000000
exit
-- check
insn 0: reserved field src must be 0 (code 0xb7, dst 0, src 1, off 0, imm 0)

-- case reserved imm
-- asm
.insn 0x0f10000001000000
exit
-- check
insn 0: reserved field imm must be 0 (code 0x0f, dst 0, src 1, off 0, imm 1)

-- case exit with a value
-- asm
.insn 0x9500000001000000
-- check
insn 0: reserved field imm must be 0 (code 0x95, dst 0, src 0, off 0, imm 1)

-- case register 11
-- asm
.insn 0xbfb0000000000000
exit
-- check
insn 0: src must be r0 ... r10 (code 0xbf, dst 0, src 11, off 0, imm 0)
