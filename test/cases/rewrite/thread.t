Ways go past conditional jumps that are decided on them.

-- case the same comparison again, with a short block before it: each way has its own
-- asm
r6 = *(u32 *)(r1 +0)
r7 = *(u32 *)(r1 +4)
r8 = *(u32 *)(r1 +8)
if w6 < w7 goto +1
w8 *= 3
w8 += 1
if w6 < w7 goto +1
w8 <<= 2
w0 = w8
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: r7 = *(u32 *)(r1 +4)
   2: r8 = *(u32 *)(r1 +8)
   3: if w6 < w7 goto +5
   4: w8 *= 3
   5: w8 += 1
   6: w8 <<= 2
   7: w0 = w8
   8: exit
   9: w8 += 1
  10: goto -4

-- case both halves of a binary search
-- asm
r6 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
w4 = 0
w5 = 100
again:
w7 = w4
w7 += w5
w7 >>= 1
if w6 < w3 goto +1
w5 = w7
w7 += 1
if w6 < w3 goto lower
w7 = w4
lower:
w4 = w7
w6 += 7
if w7 < w5 goto again
w0 = w4
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: r3 = *(u32 *)(r1 +4)
   2: w4 = 0
   3: w5 = 100
   4: w7 = w4
   5: w7 += w5
   6: w7 >>= 1
   7: if w6 < w3 goto +7
   8: w5 = w7
   9: w7 = w4
  10: w4 = w7
  11: w6 += 7
  12: if w7 < w5 goto -9
  13: w0 = w4
  14: exit
  15: w7 += 1
  16: goto -7

-- case an operand is written in between
-- asm
r6 = *(u32 *)(r1 +0)
r7 = *(u32 *)(r1 +4)
w8 = 1
if w6 < w7 goto +1
w8 *= 3
w7 += 1
if w6 < w7 goto +1
w8 <<= 2
w0 = w8
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: r7 = *(u32 *)(r1 +4)
   2: w8 = 1
   3: if w6 < w7 goto +1
   4: w8 *= 3
   5: w7 += 1
   6: if w6 < w7 goto +1
   7: w8 <<= 2
   8: w0 = w8
   9: exit

-- case less implies less or equal, and other than equal
-- asm
r6 = *(u64 *)(r1 +0)
r7 = *(u64 *)(r1 +8)
w0 = 1
if r6 < r7 goto le
w0 = 2
if r7 == 0 goto ne
w0 = 3
le:
if r7 >= r6 goto +1
w0 += 7
exit
ne:
if r6 != r7 goto le
w0 = 4
exit
-- after dead_result
   0: r6 = *(u64 *)(r1 +0)
   1: r7 = *(u64 *)(r1 +8)
   2: w0 = 1
   3: if r6 < r7 goto +5
   4: w0 = 2
   5: if r7 == 0 goto +4
   6: w0 = 3
   7: if r7 >= r6 goto +1
   8: w0 += 7
   9: exit
  10: if r6 != r7 goto -3
  11: w0 = 4
  12: exit

-- case equal implies neither less nor greater with signs
-- asm
r6 = *(u64 *)(r1 +0)
r7 = *(u64 *)(r1 +8)
w0 = 1
if r6 == r7 goto +1
w0 = 2
if r6 s< r7 goto +1
w0 += 7
exit
-- after dead_result
   0: r6 = *(u64 *)(r1 +0)
   1: r7 = *(u64 *)(r1 +8)
   2: w0 = 1
   3: if r6 == r7 goto +2
   4: w0 = 2
   5: if r6 s< r7 goto +1
   6: w0 += 7
   7: exit

-- case 32 bits say nothing about 64
-- asm
r6 = *(u64 *)(r1 +0)
r7 = *(u64 *)(r1 +8)
w0 = 1
if w6 < w7 goto +1
w0 = 2
if r6 < r7 goto +1
w0 += 7
exit
-- after dead_result
   0: r6 = *(u64 *)(r1 +0)
   1: r7 = *(u64 *)(r1 +8)
   2: w0 = 1
   3: if w6 < w7 goto +1
   4: w0 = 2
   5: if r6 < r7 goto +1
   6: w0 += 7
   7: exit

-- case 64 bits say nothing about 32
-- asm
r6 = *(u64 *)(r1 +0)
r7 = *(u64 *)(r1 +8)
w0 = 1
if r6 < r7 goto +1
w0 = 2
if w6 < w7 goto +1
w0 += 7
exit
-- after dead_result
   0: r6 = *(u64 *)(r1 +0)
   1: r7 = *(u64 *)(r1 +8)
   2: w0 = 1
   3: if r6 < r7 goto +1
   4: w0 = 2
   5: if w6 < w7 goto +1
   6: w0 += 7
   7: exit

-- case unsigned order says nothing about signed
-- asm
r6 = *(u64 *)(r1 +0)
r7 = *(u64 *)(r1 +8)
w0 = 1
if r6 < r7 goto +1
w0 = 2
if r6 s< r7 goto +1
w0 += 7
exit
-- after dead_result
   0: r6 = *(u64 *)(r1 +0)
   1: r7 = *(u64 *)(r1 +8)
   2: w0 = 1
   3: if r6 < r7 goto +1
   4: w0 = 2
   5: if r6 s< r7 goto +1
   6: w0 += 7
   7: exit

-- case a half register that is zero is not the whole
-- asm
r6 = *(u64 *)(r1 +0)
w0 = 1
if w6 == 0 goto +1
w0 = 2
if r6 == 0 goto +1
w0 += 7
exit
-- after dead_result
   0: r6 = *(u64 *)(r1 +0)
   1: w0 = 1
   2: if w6 == 0 goto +1
   3: w0 = 2
   4: if r6 == 0 goto +1
   5: w0 += 7
   6: exit

-- case a whole register that is zero has a lower half of zero
-- asm
r6 = *(u64 *)(r1 +0)
w0 = 1
if r6 == 0 goto +1
w0 = 2
if w6 == 0 goto +1
w0 += 7
exit
-- after dead_result
   0: r6 = *(u64 *)(r1 +0)
   1: w0 = 1
   2: if r6 == 0 goto +3
   3: w0 = 2
   4: if w6 == 0 goto +1
   5: w0 += 7
   6: exit

-- case intervals: below 10 is below 20; not below 10 may be
-- asm
r6 = *(u32 *)(r1 +0)
w0 = 1
if r6 < 10 goto +1
w0 = 2
if r6 < 20 goto +1
w0 += 7
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: w0 = 1
   2: if r6 < 10 goto +3
   3: w0 = 2
   4: if r6 < 20 goto +1
   5: w0 += 7
   6: exit

-- case constants of a diamond
-- asm
r6 = *(u32 *)(r1 +0)
r7 = *(u32 *)(r1 +4)
w2 = 1
if r6 == 3 goto +1
w2 = 0
r7 += 1
if w2 != 0 goto +1
r7 = 5
r0 = r7
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: r7 = *(u32 *)(r1 +4)
   2: if r6 == 3 goto +3
   3: r7 = 5
   4: r0 = r7
   5: exit
   6: r7 += 1
   7: goto -4

-- case && as clang makes it stays: back ends select constants without jumps
-- asm
r6 = *(u32 *)(r1 +0)
r7 = *(u32 *)(r1 +4)
w2 = 1
w3 = 1
if r6 == 3 goto +1
w3 = 0
if r7 < 100 goto +1
w2 = 0
w3 &= w2
if w3 != 0 goto +2
r0 = 5
exit
r0 = 6
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: r7 = *(u32 *)(r1 +4)
   2: w2 = 1
   3: w3 = 1
   4: if r6 == 3 goto +1
   5: w3 = 0
   6: if r7 < 100 goto +1
   7: w2 = 0
   8: w3 &= w2
   9: if w3 != 0 goto +2
  10: r0 = 5
  11: exit
  12: r0 = 6
  13: exit

-- case what is and'ed with 0 is 0
-- asm
r6 = *(u32 *)(r1 +0)
r7 = *(u32 *)(r1 +4)
w2 = 1
w3 = w6
if r7 < 100 goto +2
w2 = 0
r8 = 1
w3 &= w2
if w3 != 0 goto +2
r0 = 5
exit
r0 = 6
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: r7 = *(u32 *)(r1 +4)
   2: w2 = 1
   3: w3 = w6
   4: if r7 < 100 goto +1
   5: goto +2
   6: w3 &= w2
   7: if w3 != 0 goto +2
   8: r0 = 5
   9: exit
  10: r0 = 6
  11: exit

-- case goto into the block
-- asm
r6 = *(u32 *)(r1 +0)
r0 = 1
if r6 == 3 goto other
r2 = 7
r0 += 2
goto join
other:
r2 = *(u32 *)(r1 +4)
join:
r0 += r2
if r2 > 5 goto +1
r0 += 20
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: r0 = 1
   2: if r6 == 3 goto +2
   3: r0 = 10
   4: goto +4
   5: r2 = *(u32 *)(r1 +4)
   6: r0 += r2
   7: if r2 > 5 goto +1
   8: r0 += 20
   9: exit

-- case a call isn't copied
-- asm
r6 = *(u32 *)(r1 +0)
w7 = 1
if r6 == 3 goto +1
w7 = 0
call 8
if w7 != 0 goto +1
r0 = 5
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: if r6 == 3 goto +2
   2: r0 = 5
   3: exit
   4: r0 = 0
   5: r0 = &(void __percpu *)(r0)
   6: r0 = *(u32 *)(r0 +0)
   7: goto -5

-- case an atomic operation isn't copied
-- asm
r6 = *(u32 *)(r1 +0)
w7 = 1
if r6 == 3 goto +1
w7 = 0
lock *(u64 *)(r1 +8) += r6
r0 = 9
if w7 != 0 goto +1
r0 = 5
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: w7 = 1
   2: if r6 == 3 goto +1
   3: w7 = 0
   4: lock *(u64 *)(r1 +8) += r6
   5: r0 = 9
   6: if w7 != 0 goto +1
   7: r0 = 5
   8: exit

-- case loads, stores and 64-bit constants are
-- asm
r6 = *(u32 *)(r1 +0)
w7 = 1
if r6 == 3 goto +1
w7 = 0
r3 = 0x123456789ab ll
*(u64 *)(r1 +8) = r3
r0 = *(u8 *)(r1 +9)
if w7 != 0 goto +1
r0 = 5
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: if r6 == 3 goto +5
   2: r3 = ADDRESS ll
   4: *(u64 *)(r1 +8) = r3
   5: r0 = 5
   6: exit
   7: r3 = ADDRESS ll
   9: *(u64 *)(r1 +8) = r3
  10: r0 = *(u8 *)(r1 +9)
  11: goto -6

-- case a long block isn't copied
-- asm
r6 = *(u32 *)(r1 +0)
w7 = 1
if r6 == 3 goto +1
w7 = 0
r6 += 1
r6 *= 3
r6 += 1
r6 *= 3
r6 += 1
r6 *= 3
r6 += 1
r0 = r6
if w7 != 0 goto +1
r0 = 5
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: w7 = 1
   2: if r6 == 3 goto +1
   3: w7 = 0
   4: r6 += 1
   5: r6 *= 3
   6: r6 += 1
   7: r6 *= 3
   8: r6 += 1
   9: r6 *= 3
  10: r6 += 1
  11: r0 = r6
  12: if w7 != 0 goto +1
  13: r0 = 5
  14: exit

-- case a loop isn't unrolled
-- asm
r6 = *(u32 *)(r1 +0)
w7 = 4
r0 = 0
again:
r0 += r6
w7 -= 1
if w7 != 0 goto again
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: w7 = 4
   2: r0 = 0
   3: r0 += r6
   4: w7 -= 1
   5: if w7 != 0 goto -3
   6: exit

-- case a constant lives on past ways that meet behind it
-- asm
r6 = *(u32 *)(r1 +0)
r0 = 0
w7 = 1
if r6 > 3 goto +1
r0 += 2
if r6 > 5 goto tested
r6 = *(u32 *)(r1 +4)
r7 = *(u32 *)(r1 +8)
tested:
if w7 != 1 goto +1
r0 += 5
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: r0 = 0
   2: if r6 > 3 goto +1
   3: r0 += 2
   4: if r6 > 5 goto +2
   5: r7 = *(u32 *)(r1 +8)
   6: if w7 != 1 goto +1
   7: r0 += 5
   8: exit

-- case calls come to the start of a subprogram with anything
-- asm
r6 = r1
r1 = 1
call sub
r7 = r0
r1 = *(u32 *)(r6 +0)
call sub
r0 += r7
exit
sub:
r0 = 3
if r1 != 1 goto +1
r0 = 4
exit
-- after dead_result
   0: r6 = r1
   1: r1 = 1
   2: call pc+5
   3: r7 = r0
   4: r1 = *(u32 *)(r6 +0)
   5: call pc+2
   6: r0 += r7
   7: exit
   8: r0 = 3
   9: if r1 != 1 goto +1
  10: r0 = 4
  11: exit

-- case a half register of ones isn't -1
-- asm
r6 = *(u32 *)(r1 +0)
w2 = -1
if r6 == 3 goto +1
r2 = -1
r6 += 1
if r2 s< 0 goto +1
r6 += 20
r0 = r6
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: if r6 == 3 goto +5
   2: r6 += 1
   3: goto +1
   4: r6 += 20
   5: r0 = r6
   6: exit
   7: r6 = 4
   8: goto -5

-- case the address of a map is no number
-- maps
array array 4 8 1
-- asm
r6 = *(u32 *)(r1 +0)
if r6 == 0 goto zero
r7 = map[0] ll
goto ask
zero:
r7 = 0
ask:
if r7 == 0 goto +2
r0 = 1
exit
r0 = 2
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: if r6 == 0 goto +5
   2: r7 = map[0] ll
   4: if r7 == 0 goto +2
   5: r0 = 1
   6: exit
   7: r0 = 2
   8: exit

-- case ways to one end with different constants don't share their copies
-- asm
r6 = *(u32 *)(r1 +0)
r8 = 1
if r6 == 3 goto add
r8 = 5
if r6 == 4 goto add
r8 = *(u32 *)(r1 +4)
add:
r8 += 1
if r6 != 9 goto done
r0 = 99
exit
done:
r0 = r8
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: if r6 == 3 goto +8
   2: if r6 == 4 goto +5
   3: r8 = *(u32 *)(r1 +4)
   4: r8 += 1
   5: if r6 != 9 goto +5
   6: r0 = 99
   7: exit
   8: r8 = 6
   9: goto +1
  10: r8 = 2
  11: r0 = r8
  12: exit

-- case nor with the same number, once added and once moved
-- asm
r6 = *(u32 *)(r1 +0)
r8 = *(u32 *)(r1 +4)
if r6 == 3 goto add
r8 = 0
if r6 == 4 goto add
r8 = *(u32 *)(r1 +8)
add:
r8 += 1
if r6 != 9 goto done
r0 = 99
exit
done:
r0 = r8
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: r8 = *(u32 *)(r1 +4)
   2: if r6 == 3 goto +8
   3: if r6 == 4 goto +5
   4: r8 = *(u32 *)(r1 +8)
   5: r8 += 1
   6: if r6 != 9 goto +5
   7: r0 = 99
   8: exit
   9: r8 = 1
  10: goto +1
  11: r8 += 1
  12: r0 = r8
  13: exit

-- case nor with other registers
-- asm
r6 = *(u32 *)(r1 +0)
r7 = *(u32 *)(r1 +4)
r8 = *(u32 *)(r1 +8)
if r6 == 3 goto one
if r6 == 4 goto other
r7 += r8
one:
r7 += 1
if r6 != 9 goto done
r8 += 3
other:
r8 += 1
if r6 != 9 goto done
r0 = 99
exit
done:
r0 = r7
r0 <<= 8
r0 += r8
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: r7 = *(u32 *)(r1 +4)
   2: r8 = *(u32 *)(r1 +8)
   3: if r6 == 3 goto +8
   4: if r6 == 4 goto +5
   5: r7 += r8
   6: r7 += 1
   7: if r6 != 9 goto +5
   8: r0 = 99
   9: exit
  10: r8 += 1
  11: goto +1
  12: r7 += 1
  13: r0 = r7
  14: r0 <<= 8
  15: r0 += r8
  16: exit

-- case copies don't run into a subprogram that starts where they lead
-- asm
r3 = 0
call sub
exit
sub:
r3 += 1
if r3 > 4 goto out
r2 = *(u32 *)(r1 +0)
if r2 == 3 goto again
if r2 == 5 goto out
again:
*(u32 *)(r1 +0) = 7
if r2 == 3 goto sub
out:
r0 = r3
exit
-- after dead_result
   0: r3 = 0
   1: call pc+1
   2: exit
   3: r3 += 1
   4: if r3 > 4 goto +4
   5: r2 = *(u32 *)(r1 +0)
   6: if r2 == 3 goto +4
   7: if r2 == 5 goto +1
   8: *(u32 *)(r1 +0) = 7
   9: r0 = r3
  10: exit
  11: *(u32 *)(r1 +0) = 7
  12: goto -10

-- case a constant that is negative on a way is that in the next round, too
-- asm
r6 = *(u32 *)(r1 +0)
r7 = *(u32 *)(r1 +8)
r8 = -3
if r6 == 3 goto add
r8 = *(u32 *)(r1 +4)
add:
r8 += 1
if r6 == 3 goto ask
r8 += 2
ask:
r7 += 1
r7 *= 3
r7 ^= 5
r7 += 7
r7 *= 9
r7 ^= r6
if r8 s< 0 goto out
r0 = r7
exit
out:
r0 = 2
exit
-- after dead_result
   0: r6 = *(u32 *)(r1 +0)
   1: r7 = *(u32 *)(r1 +8)
   2: if r6 == 3 goto +12
   3: r8 = *(u32 *)(r1 +4)
   4: r8 += 1
   5: r8 += 2
   6: r7 += 1
   7: r7 *= 3
   8: r7 ^= 5
   9: r7 += 7
  10: r7 *= 9
  11: r7 ^= r6
  12: if r8 s< 0 goto +2
  13: r0 = r7
  14: exit
  15: r0 = 2
  16: exit
