Refusals of the assembler: line, column, what would fit.

-- case no instruction
-- asm
r0 = 1
foo r1
exit
-- error
2:1: expected r0 ... r10, w0 ... w10, 'goto', 'gotol', 'if', 'call', 'exit', 'r0', '*', 'lock', not 'foo'

-- case no such register
-- asm
r11 = 1
r0 = r12
r1 = w2
w1 = r2
exit
-- error
1:1: expected r0 ... r10, w0 ... w10, 'goto', 'gotol', 'if', 'call', 'exit', 'r0', '*', 'lock', not 'r11'
2:6: expected '-', a number, r0 ... r10, '(', '&', 'le16', 'le32', 'le64', 'be16', 'be32', 'be64', 'bswap16', ..., not 'r12'
3:6: expected '-', a number, r0 ... r10, '(', '&', 'le16', 'le32', 'le64', 'be16', 'be32', 'be64', 'bswap16', ..., not 'w2'
4:6: expected '-', a number, w0 ... w10, '(', not 'r2'

-- case no operator
-- asm
r0 1
r0
r0 := 1
-- error
1:4: expected '+=', '-=', '*=', '/=', 's/=', '|=', '&=', '<<=', '>>=', '=', '%=', 's%=', '^=', 's>>=', not '1'
2:3: expected '+=', '-=', '*=', '/=', 's/=', '|=', '&=', '<<=', '>>=', '=', '%=', 's%=', '^=', 's>>='
3:5: expected r0 ... r10, w0 ... w10, 'goto', 'gotol', 'if', 'call', 'exit', 'r0', '*', 'lock', not '='

-- case operand missing
-- asm
r0 +=
w0 =
if r1 ==
if r1 == 5
if r1 == 5 goto
lock
call
goto
-- error
1:6: expected a number, r0 ... r10
2:5: expected '-', a number, w0 ... w10, '('
3:9: expected a number, r0 ... r10
4:11: expected 'goto'
5:16: expected a label or a distance (+2, -2)
6:5: expected '*'
7:5: expected a number, a label, pc+N or the number of a helper, 'kfunc'
8:5: expected a label or a distance (+2, -2)

-- case too much
-- asm
r0 = 1 2
exit 1
r0 = r1 r2
exit exit
-- error
1:8: expected the end of the line, 'll', not '2'
2:6: expected the end of the line, not '1'
3:9: expected the end of the line, not 'r2'
4:6: expected the end of the line, not 'exit'

-- case number too large
-- asm
r0 = 0x80000000
r0 += 4294967296
w0 = 4294967296
r0 = -0x80000001
r0 = 0x123456789
r0 = 0x10000000000000000 ll
if r1 == 0xffffffff goto +1
*(u64 *)(r1 +0) = 0xffffffff
-- error
1:16: expected 'll'
2:7: expected a number of 32 bits with sign (-0x80000000 ... 0x7fffffff), not '4294967296'
3:6: expected a number of 32 bits, not '4294967296'
4:17: expected 'll'
5:17: expected 'll'
6:6: expected a number of at most 64 bits (decimal, 0x or 0 octal), not '0x10000000000000000'
7:10: expected a number of 32 bits with sign (-0x80000000 ... 0x7fffffff), not '0xffffffff'
8:19: expected a number of 32 bits with sign (-0x80000000 ... 0x7fffffff), not '0xffffffff'

-- case offset too large
-- asm
r0 = *(u8 *)(r1 +32768)
*(u8 *)(r1 -32769) = r0
goto +32768
if r1 == 1 goto -32769
gotol +2147483648
-- error
1:18: expected an offset of 16 bits (-32768 ... 32767), not '32768'
2:13: expected an offset of 16 bits (-32768 ... 32767), not '32769'
3:7: expected a distance of 16 bits (-32768 ... 32767; gotol jumps farther), not '32768'
4:18: expected a distance of 16 bits (-32768 ... 32767; gotol jumps farther), not '32769'
5:8: expected a distance of 32 bits, not '2147483648'

-- case offset without sign
-- asm
r0 = *(u8 *)(r1 4)
r0 = *(u8 *)(r1 4
r0 = *(u8 *) r1
-- error
1:17: expected an offset (+8, -8) or ')', not '4'
2:17: expected an offset (+8, -8) or ')', not '4'
3:14: expected 'skb', '(', not 'r1'

-- case memory of another size
-- asm
r0 = *(u24 *)(r1 +0)
r0 = *(s64 *)(r1 +0)
*(s8 *)(r1 +0) = r0
lock *(u8 *)(r1 +0) += r2
-- error
1:8: expected 'u8', 'u16', 'u32', 'u64', 's8', 's16', 's32', not 'u24'
2:8: expected 'u8', 'u16', 'u32', 'u64', 's8', 's16', 's32', not 's64'
3:3: expected 'u8', 'u16', 'u32', 'u64', not 's8'
4:8: expected 'u32', 'u64', not 'u8'

-- case atomics
-- asm
r1 = atomic_fetch_add((u64 *)(r2 +0), r1)
r1 = atomic64_fetch_add((u64 *)(r2 +0), r3)
r1 = atomic64_cmpxchg((u64 *)(r2 +0), r0, r1)
r1 = atomic64_fetch_sub((u64 *)(r2 +0), r1)
-- error
1:24: expected 'u32', not 'u64'
2:41: expected the same register again, not 'r3'
3:6: expected '-', a number, r0 ... r10, '(', '&', 'le16', 'le32', 'le64', 'be16', 'be32', 'be64', 'bswap16', ..., not 'atomic64_cmpxchg'
4:6: expected '-', a number, r0 ... r10, '(', '&', 'le16', 'le32', 'le64', 'be16', 'be32', 'be64', 'bswap16', ..., not 'atomic64_fetch_sub'

-- case one register twice
-- asm
r0 = -r1
r0 = be16 r1
w0 = -w1
-- error
1:7: expected the same register again, not 'r1'
2:11: expected the same register again, not 'r1'
3:7: expected the same register again, not 'w1'

-- case valid text, invalid values
-- asm
r0 <<= 64
w0 >>= 32
r0 /= 0
r10 = 1
r10 += r1
r0 s%= 0
r10 = *(u64 *)(r1 +0)
r10 = atomic64_xchg((u64 *)(r2 +0), r10)
-- error
1:1: invalid shift: imm must be 0 ... 63
2:1: invalid shift: imm must be 0 ... 31
3:1: division by zero: imm must not be 0
4:1: frame pointer is read only (r10)
5:1: frame pointer is read only (r10)
6:1: division by zero: imm must not be 0
7:1: frame pointer is read only (r10)
8:1: frame pointer is read only (r10)

-- case labels
-- asm
a: r0 = 1
a: exit
goto b
call c
1x: exit
goto 5
if r1 > 2 goto
d: d: goto d
-- error
5:1: a label begins with a letter, '_' or '.'
6:6: expected a label or a distance (+2, -2), not '5'
7:15: expected a label or a distance (+2, -2)
2:1: label 'a' is already defined
1:1: here
8:4: label 'd' is already defined
8:1: here
3:6: label 'b' is not defined
4:6: label 'c' is not defined; call a helper by its number

-- case calls
-- asm
call map_lookup_elem
call bpf_map_lookup_elem
call bpf_foo#x
call kfunc
call r1
call 0x100000000
-- error
3:14: expected a number, not 'x'
6:6: expected a number of 32 bits with sign (-0x80000000 ... 0x7fffffff), not '0x100000000'
1:6: label 'map_lookup_elem' is not defined; call a helper by its number
2:6: label 'bpf_map_lookup_elem' is not defined; call a helper by its number
4:6: label 'kfunc' is not defined; call a helper by its number
5:6: label 'r1' is not defined; call a helper by its number

-- case maps
-- asm
r1 = map ll
r1 = map[x] ll
r1 = map[0]
r1 = map[0]-4 ll
r0 += map[0] ll
-- error
1:10: expected '[', not 'll'
2:10: expected a number, not 'x'
3:12: expected 'll', '+'
4:12: expected 'll', '+', not '-'
5:7: expected a number, r0 ... r10, not 'map'

-- case raw bytes
-- asm
.insn
.insn 5
.insn 0x12
.insn 0x12345678901234567
.insn 0xzz00000000000000
.insn 0xb700000001000000 7
-- error
1:1: expected .insn 0x and 16 hexadecimal digits
2:1: expected .insn 0x and 16 hexadecimal digits
3:1: expected .insn 0x and 16 hexadecimal digits
4:1: expected .insn 0x and 16 hexadecimal digits
5:1: expected .insn 0x and 16 hexadecimal digits
6:1: expected .insn 0x and 16 hexadecimal digits

-- case two instructions in a line
-- asm
r0 = 1 exit
r0 = 1; exit
r0 = r1 r2 = r3 r4 = r5 r6 = r7 r8 = r9 r0 = r1 r2 = r3 r4 = r5 r6 = r7 r8 = r9 r0 = r1
-- error
1:8: expected the end of the line, 'll', not 'exit'
3:1: more than one instruction in a line

-- case strange bytes
-- asm
r0 = é
é
@
r0 = $5
r0 = "a"
-- error
1:6: expected '-', a number, r0 ... r10, '(', '&', 'le16', 'le32', 'le64', 'be16', 'be32', 'be64', 'bswap16', ..., not 'é'
2:1: expected r0 ... r10, w0 ... w10, 'goto', 'gotol', 'if', 'call', 'exit', 'r0', '*', 'lock', not 'é'
3:1: expected r0 ... r10, w0 ... w10, 'goto', 'gotol', 'if', 'call', 'exit', 'r0', '*', 'lock', not '@'
4:6: expected '-', a number, r0 ... r10, '(', '&', 'le16', 'le32', 'le64', 'be16', 'be32', 'be64', 'bswap16', ..., not '$'
5:6: expected '-', a number, r0 ... r10, '(', '&', 'le16', 'le32', 'le64', 'be16', 'be32', 'be64', 'bswap16', ..., not '"'
