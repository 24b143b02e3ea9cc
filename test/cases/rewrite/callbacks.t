Helpers that call back become local calls.

-- case one callback, two loops
-- asm
r1 = 3
r2 = func cb ll
r3 = 0
r4 = 0
call 181
r1 = 4
r2 = func cb ll
r3 = 0
r4 = 0
call 181
r0 = 0
exit
cb: r0 = 0
exit
-- after callbacks
   0: r1 = 3
   1: r2 = 0x2 ll
   3: r3 = 0
   4: r4 = 0
   5: call pc+10
   6: r1 = 4
   7: r2 = 0x2 ll
   9: r3 = 0
  10: r4 = 0
  11: call pc+4
  12: r0 = 0
  13: exit
  14: r0 = 0
  15: exit
  16: if r4 != 0 goto +13
  17: if r1 > 8388608 goto +14
  18: r6 = r1
  19: r7 = r3
  20: r8 = 0
  21: r9 = r2
  22: if r8 >= r6 goto +5
  23: r1 = r8
  24: r2 = r7
  25: call pc-12
  26: r8 += 1
  27: if r0 == 0 goto -6
  28: r0 = r8
  29: exit
  30: r0 = -22
  31: exit
  32: w0 = -7
  33: exit

-- case the callback differs by path
-- asm
r0 = *(u8 *)(r1 + 0)
r1 = 3
r2 = func one ll
if r0 == 0 goto l
r2 = func two ll
l: r3 = 0
r4 = 0
call 181
r0 = 0
exit
one: r0 = 0
exit
two: r0 = 1
exit
-- after callbacks
   0: r0 = *(u8 *)(r1 +0)
   1: r1 = 3
   2: r2 = 0x2 ll
   4: if r0 == 0 goto +2
   5: r2 = 0x3 ll
   7: r3 = 0
   8: r4 = 0
   9: call pc+6
  10: r0 = 0
  11: exit
  12: r0 = 0
  13: exit
  14: r0 = 1
  15: exit
  16: if r4 != 0 goto +19
  17: if r1 > 8388608 goto +20
  18: r6 = r1
  19: r7 = r3
  20: r8 = 0
  21: r9 = r2
  22: if r8 >= r6 goto +11
  23: r1 = r8
  24: r2 = r7
  25: if r9 != 2 goto +2
  26: call pc-15
  27: goto +4
  28: if r9 != 3 goto +2
  29: call pc-16
  30: goto +1
  31: r0 = 1
  32: r8 += 1
  33: if r0 == 0 goto -12
  34: r0 = r8
  35: exit
  36: r0 = -22
  37: exit
  38: w0 = -7
  39: exit

-- case a walk over a map
-- maps
values array 4 8 4
-- asm
r1 = map[0] ll
r2 = func cb ll
r3 = 0
r4 = 0
call 164
r0 = 0
exit
cb: r0 = 0
exit
-- after callbacks
   0: r1 = map[0] ll
   2: r2 = 0x2 ll
   4: r3 = 0
   5: r4 = 0
   6: call pc+4
   7: r0 = 0
   8: exit
   9: r0 = 0
  10: exit
  11: if r4 != 0 goto +21
  12: r6 = r1
  13: r7 = r3
  14: r8 = 0
  15: r9 = r2
  16: *(u64 *)(r10 -24) = 0
  17: *(u64 *)(r10 -16) = 0
  18: *(u64 *)(r10 -8) = 0
  19: r1 = r6
  20: r2 = r10
  21: r2 += -24
  22: call 65553
  23: if r0 == 0 goto +7
  24: r1 = r6
  25: r2 = *(u64 *)(r10 -24)
  26: r3 = r0
  27: r4 = r7
  28: call pc-20
  29: r8 += 1
  30: if r0 == 0 goto -12
  31: r0 = r8
  32: exit
  33: r0 = -22
  34: exit

-- case a callback that is never called
-- asm
r1 = 0
r2 = func cb ll
r3 = 0
r4 = 0
call 181
r0 = 0
exit
cb: r0 = 0
exit
-- after dead_code
   0: r1 = 0
   1: r2 = 0x2 ll
   3: r3 = 0
   4: r4 = 0
   5: call pc+2
   6: r0 = 0
   7: exit
   8: if r4 != 0 goto +13
   9: if r1 > 8388608 goto +14
  10: r6 = r1
  11: r7 = r3
  12: r8 = 0
  13: r9 = r2
  14: if r8 >= r6 goto +5
  15: r1 = r8
  16: r2 = r7
  17: r0 = 1
  18: r8 += 1
  19: if r0 == 0 goto -6
  20: r0 = r8
  21: exit
  22: r0 = -22
  23: exit
  24: w0 = -7
  25: exit
