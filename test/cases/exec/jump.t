Every condition, both outcomes, 64 and 32 bits, register and immediate; then loops and distances.
r0 is 1 when the jump was taken.

-- case 0x5 == 0x5, 64 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if r1 == r2 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff == 0x1, 64 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if r1 == r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x100000001 == 0x1, 64 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if r1 == r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x7fffffff == 0x80000000, 64 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if r1 == r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x8000000000000000 == 0x7fffffffffffffff, 64 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if r1 == r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 == 5, 64 bits
-- asm
r1 = 5
r0 = 1
if r1 == 5 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff == -1, 64 bits
-- asm
r1 = -1
r0 = 1
if r1 == -1 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffff == -1, 64 bits
-- asm
w1 = 0xffffffff
r0 = 1
if r1 == -1 goto +1
r0 = 0
exit
-- result
0

-- case 0x80000000 == 2147483647, 64 bits
-- asm
w1 = 0x80000000
r0 = 1
if r1 == 2147483647 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 == 0x5, 32 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if w1 == w2 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff == 0x1, 32 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if w1 == w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x100000001 == 0x1, 32 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if w1 == w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x7fffffff == 0x80000000, 32 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if w1 == w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x8000000000000000 == 0x7fffffffffffffff, 32 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if w1 == w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 == 5, 32 bits
-- asm
r1 = 5
r0 = 1
if w1 == 5 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff == -1, 32 bits
-- asm
r1 = -1
r0 = 1
if w1 == -1 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffff == -1, 32 bits
-- asm
w1 = 0xffffffff
r0 = 1
if w1 == -1 goto +1
r0 = 0
exit
-- result
1

-- case 0x80000000 == 2147483647, 32 bits
-- asm
w1 = 0x80000000
r0 = 1
if w1 == 2147483647 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 != 0x5, 64 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if r1 != r2 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff != 0x1, 64 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if r1 != r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x100000001 != 0x1, 64 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if r1 != r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x7fffffff != 0x80000000, 64 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if r1 != r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x8000000000000000 != 0x7fffffffffffffff, 64 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if r1 != r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 != 5, 64 bits
-- asm
r1 = 5
r0 = 1
if r1 != 5 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff != -1, 64 bits
-- asm
r1 = -1
r0 = 1
if r1 != -1 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffff != -1, 64 bits
-- asm
w1 = 0xffffffff
r0 = 1
if r1 != -1 goto +1
r0 = 0
exit
-- result
1

-- case 0x80000000 != 2147483647, 64 bits
-- asm
w1 = 0x80000000
r0 = 1
if r1 != 2147483647 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 != 0x5, 32 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if w1 != w2 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff != 0x1, 32 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if w1 != w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x100000001 != 0x1, 32 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if w1 != w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x7fffffff != 0x80000000, 32 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if w1 != w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x8000000000000000 != 0x7fffffffffffffff, 32 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if w1 != w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 != 5, 32 bits
-- asm
r1 = 5
r0 = 1
if w1 != 5 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff != -1, 32 bits
-- asm
r1 = -1
r0 = 1
if w1 != -1 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffff != -1, 32 bits
-- asm
w1 = 0xffffffff
r0 = 1
if w1 != -1 goto +1
r0 = 0
exit
-- result
0

-- case 0x80000000 != 2147483647, 32 bits
-- asm
w1 = 0x80000000
r0 = 1
if w1 != 2147483647 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 > 0x5, 64 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if r1 > r2 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff > 0x1, 64 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if r1 > r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x100000001 > 0x1, 64 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if r1 > r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x7fffffff > 0x80000000, 64 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if r1 > r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x8000000000000000 > 0x7fffffffffffffff, 64 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if r1 > r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 > 5, 64 bits
-- asm
r1 = 5
r0 = 1
if r1 > 5 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff > -1, 64 bits
-- asm
r1 = -1
r0 = 1
if r1 > -1 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffff > -1, 64 bits
-- asm
w1 = 0xffffffff
r0 = 1
if r1 > -1 goto +1
r0 = 0
exit
-- result
0

-- case 0x80000000 > 2147483647, 64 bits
-- asm
w1 = 0x80000000
r0 = 1
if r1 > 2147483647 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 > 0x5, 32 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if w1 > w2 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff > 0x1, 32 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if w1 > w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x100000001 > 0x1, 32 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if w1 > w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x7fffffff > 0x80000000, 32 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if w1 > w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x8000000000000000 > 0x7fffffffffffffff, 32 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if w1 > w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 > 5, 32 bits
-- asm
r1 = 5
r0 = 1
if w1 > 5 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff > -1, 32 bits
-- asm
r1 = -1
r0 = 1
if w1 > -1 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffff > -1, 32 bits
-- asm
w1 = 0xffffffff
r0 = 1
if w1 > -1 goto +1
r0 = 0
exit
-- result
0

-- case 0x80000000 > 2147483647, 32 bits
-- asm
w1 = 0x80000000
r0 = 1
if w1 > 2147483647 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 >= 0x5, 64 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if r1 >= r2 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff >= 0x1, 64 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if r1 >= r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x100000001 >= 0x1, 64 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if r1 >= r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x7fffffff >= 0x80000000, 64 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if r1 >= r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x8000000000000000 >= 0x7fffffffffffffff, 64 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if r1 >= r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 >= 5, 64 bits
-- asm
r1 = 5
r0 = 1
if r1 >= 5 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff >= -1, 64 bits
-- asm
r1 = -1
r0 = 1
if r1 >= -1 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffff >= -1, 64 bits
-- asm
w1 = 0xffffffff
r0 = 1
if r1 >= -1 goto +1
r0 = 0
exit
-- result
0

-- case 0x80000000 >= 2147483647, 64 bits
-- asm
w1 = 0x80000000
r0 = 1
if r1 >= 2147483647 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 >= 0x5, 32 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if w1 >= w2 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff >= 0x1, 32 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if w1 >= w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x100000001 >= 0x1, 32 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if w1 >= w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x7fffffff >= 0x80000000, 32 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if w1 >= w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x8000000000000000 >= 0x7fffffffffffffff, 32 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if w1 >= w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 >= 5, 32 bits
-- asm
r1 = 5
r0 = 1
if w1 >= 5 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff >= -1, 32 bits
-- asm
r1 = -1
r0 = 1
if w1 >= -1 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffff >= -1, 32 bits
-- asm
w1 = 0xffffffff
r0 = 1
if w1 >= -1 goto +1
r0 = 0
exit
-- result
1

-- case 0x80000000 >= 2147483647, 32 bits
-- asm
w1 = 0x80000000
r0 = 1
if w1 >= 2147483647 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 < 0x5, 64 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if r1 < r2 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff < 0x1, 64 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if r1 < r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x100000001 < 0x1, 64 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if r1 < r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x7fffffff < 0x80000000, 64 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if r1 < r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x8000000000000000 < 0x7fffffffffffffff, 64 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if r1 < r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 < 5, 64 bits
-- asm
r1 = 5
r0 = 1
if r1 < 5 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff < -1, 64 bits
-- asm
r1 = -1
r0 = 1
if r1 < -1 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffff < -1, 64 bits
-- asm
w1 = 0xffffffff
r0 = 1
if r1 < -1 goto +1
r0 = 0
exit
-- result
1

-- case 0x80000000 < 2147483647, 64 bits
-- asm
w1 = 0x80000000
r0 = 1
if r1 < 2147483647 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 < 0x5, 32 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if w1 < w2 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff < 0x1, 32 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if w1 < w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x100000001 < 0x1, 32 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if w1 < w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x7fffffff < 0x80000000, 32 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if w1 < w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x8000000000000000 < 0x7fffffffffffffff, 32 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if w1 < w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 < 5, 32 bits
-- asm
r1 = 5
r0 = 1
if w1 < 5 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff < -1, 32 bits
-- asm
r1 = -1
r0 = 1
if w1 < -1 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffff < -1, 32 bits
-- asm
w1 = 0xffffffff
r0 = 1
if w1 < -1 goto +1
r0 = 0
exit
-- result
0

-- case 0x80000000 < 2147483647, 32 bits
-- asm
w1 = 0x80000000
r0 = 1
if w1 < 2147483647 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 <= 0x5, 64 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if r1 <= r2 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff <= 0x1, 64 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if r1 <= r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x100000001 <= 0x1, 64 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if r1 <= r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x7fffffff <= 0x80000000, 64 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if r1 <= r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x8000000000000000 <= 0x7fffffffffffffff, 64 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if r1 <= r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 <= 5, 64 bits
-- asm
r1 = 5
r0 = 1
if r1 <= 5 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff <= -1, 64 bits
-- asm
r1 = -1
r0 = 1
if r1 <= -1 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffff <= -1, 64 bits
-- asm
w1 = 0xffffffff
r0 = 1
if r1 <= -1 goto +1
r0 = 0
exit
-- result
1

-- case 0x80000000 <= 2147483647, 64 bits
-- asm
w1 = 0x80000000
r0 = 1
if r1 <= 2147483647 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 <= 0x5, 32 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if w1 <= w2 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff <= 0x1, 32 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if w1 <= w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x100000001 <= 0x1, 32 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if w1 <= w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x7fffffff <= 0x80000000, 32 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if w1 <= w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x8000000000000000 <= 0x7fffffffffffffff, 32 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if w1 <= w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 <= 5, 32 bits
-- asm
r1 = 5
r0 = 1
if w1 <= 5 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff <= -1, 32 bits
-- asm
r1 = -1
r0 = 1
if w1 <= -1 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffff <= -1, 32 bits
-- asm
w1 = 0xffffffff
r0 = 1
if w1 <= -1 goto +1
r0 = 0
exit
-- result
1

-- case 0x80000000 <= 2147483647, 32 bits
-- asm
w1 = 0x80000000
r0 = 1
if w1 <= 2147483647 goto +1
r0 = 0
exit
-- result
0

-- case 0x8000000080000000 & 0x8000000000000000, 64 bits
-- asm
r1 = 0x8000000080000000 ll
r2 = 0x8000000000000000 ll
r0 = 1
if r1 & r2 goto +1
r0 = 0
exit
-- result
1

-- case 0xf0 & 0xf, 64 bits
-- asm
r1 = 240
r2 = 15
r0 = 1
if r1 & r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x100000000 & 0x100000000, 64 bits
-- asm
r1 = 0x100000000 ll
r2 = 0x100000000 ll
r0 = 1
if r1 & r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x8000000000000000 & -1, 64 bits
-- asm
r1 = 0x8000000000000000 ll
r0 = 1
if r1 & -1 goto +1
r0 = 0
exit
-- result
1

-- case 0xf0 & 15, 64 bits
-- asm
r1 = 240
r0 = 1
if r1 & 15 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffff00000000 & 2147483647, 64 bits
-- asm
r1 = 0xffffffff00000000 ll
r0 = 1
if r1 & 2147483647 goto +1
r0 = 0
exit
-- result
0

-- case 0x8000000080000000 & 0x8000000000000000, 32 bits
-- asm
r1 = 0x8000000080000000 ll
r2 = 0x8000000000000000 ll
r0 = 1
if w1 & w2 goto +1
r0 = 0
exit
-- result
0

-- case 0xf0 & 0xf, 32 bits
-- asm
r1 = 240
r2 = 15
r0 = 1
if w1 & w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x100000000 & 0x100000000, 32 bits
-- asm
r1 = 0x100000000 ll
r2 = 0x100000000 ll
r0 = 1
if w1 & w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x8000000000000000 & -1, 32 bits
-- asm
r1 = 0x8000000000000000 ll
r0 = 1
if w1 & -1 goto +1
r0 = 0
exit
-- result
0

-- case 0xf0 & 15, 32 bits
-- asm
r1 = 240
r0 = 1
if w1 & 15 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffff00000000 & 2147483647, 32 bits
-- asm
r1 = 0xffffffff00000000 ll
r0 = 1
if w1 & 2147483647 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 s> 0x5, 64 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if r1 s> r2 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff s> 0x1, 64 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if r1 s> r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x100000001 s> 0x1, 64 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if r1 s> r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x7fffffff s> 0x80000000, 64 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if r1 s> r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x8000000000000000 s> 0x7fffffffffffffff, 64 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if r1 s> r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 s> 5, 64 bits
-- asm
r1 = 5
r0 = 1
if r1 s> 5 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff s> -1, 64 bits
-- asm
r1 = -1
r0 = 1
if r1 s> -1 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffff s> -1, 64 bits
-- asm
w1 = 0xffffffff
r0 = 1
if r1 s> -1 goto +1
r0 = 0
exit
-- result
1

-- case 0x80000000 s> 2147483647, 64 bits
-- asm
w1 = 0x80000000
r0 = 1
if r1 s> 2147483647 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 s> 0x5, 32 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if w1 s> w2 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff s> 0x1, 32 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if w1 s> w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x100000001 s> 0x1, 32 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if w1 s> w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x7fffffff s> 0x80000000, 32 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if w1 s> w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x8000000000000000 s> 0x7fffffffffffffff, 32 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if w1 s> w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 s> 5, 32 bits
-- asm
r1 = 5
r0 = 1
if w1 s> 5 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff s> -1, 32 bits
-- asm
r1 = -1
r0 = 1
if w1 s> -1 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffff s> -1, 32 bits
-- asm
w1 = 0xffffffff
r0 = 1
if w1 s> -1 goto +1
r0 = 0
exit
-- result
0

-- case 0x80000000 s> 2147483647, 32 bits
-- asm
w1 = 0x80000000
r0 = 1
if w1 s> 2147483647 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 s>= 0x5, 64 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if r1 s>= r2 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff s>= 0x1, 64 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if r1 s>= r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x100000001 s>= 0x1, 64 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if r1 s>= r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x7fffffff s>= 0x80000000, 64 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if r1 s>= r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x8000000000000000 s>= 0x7fffffffffffffff, 64 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if r1 s>= r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 s>= 5, 64 bits
-- asm
r1 = 5
r0 = 1
if r1 s>= 5 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff s>= -1, 64 bits
-- asm
r1 = -1
r0 = 1
if r1 s>= -1 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffff s>= -1, 64 bits
-- asm
w1 = 0xffffffff
r0 = 1
if r1 s>= -1 goto +1
r0 = 0
exit
-- result
1

-- case 0x80000000 s>= 2147483647, 64 bits
-- asm
w1 = 0x80000000
r0 = 1
if r1 s>= 2147483647 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 s>= 0x5, 32 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if w1 s>= w2 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff s>= 0x1, 32 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if w1 s>= w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x100000001 s>= 0x1, 32 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if w1 s>= w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x7fffffff s>= 0x80000000, 32 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if w1 s>= w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x8000000000000000 s>= 0x7fffffffffffffff, 32 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if w1 s>= w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 s>= 5, 32 bits
-- asm
r1 = 5
r0 = 1
if w1 s>= 5 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff s>= -1, 32 bits
-- asm
r1 = -1
r0 = 1
if w1 s>= -1 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffff s>= -1, 32 bits
-- asm
w1 = 0xffffffff
r0 = 1
if w1 s>= -1 goto +1
r0 = 0
exit
-- result
1

-- case 0x80000000 s>= 2147483647, 32 bits
-- asm
w1 = 0x80000000
r0 = 1
if w1 s>= 2147483647 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 s< 0x5, 64 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if r1 s< r2 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff s< 0x1, 64 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if r1 s< r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x100000001 s< 0x1, 64 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if r1 s< r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x7fffffff s< 0x80000000, 64 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if r1 s< r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x8000000000000000 s< 0x7fffffffffffffff, 64 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if r1 s< r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 s< 5, 64 bits
-- asm
r1 = 5
r0 = 1
if r1 s< 5 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff s< -1, 64 bits
-- asm
r1 = -1
r0 = 1
if r1 s< -1 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffff s< -1, 64 bits
-- asm
w1 = 0xffffffff
r0 = 1
if r1 s< -1 goto +1
r0 = 0
exit
-- result
0

-- case 0x80000000 s< 2147483647, 64 bits
-- asm
w1 = 0x80000000
r0 = 1
if r1 s< 2147483647 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 s< 0x5, 32 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if w1 s< w2 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff s< 0x1, 32 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if w1 s< w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x100000001 s< 0x1, 32 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if w1 s< w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x7fffffff s< 0x80000000, 32 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if w1 s< w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x8000000000000000 s< 0x7fffffffffffffff, 32 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if w1 s< w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 s< 5, 32 bits
-- asm
r1 = 5
r0 = 1
if w1 s< 5 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffffffffffff s< -1, 32 bits
-- asm
r1 = -1
r0 = 1
if w1 s< -1 goto +1
r0 = 0
exit
-- result
0

-- case 0xffffffff s< -1, 32 bits
-- asm
w1 = 0xffffffff
r0 = 1
if w1 s< -1 goto +1
r0 = 0
exit
-- result
0

-- case 0x80000000 s< 2147483647, 32 bits
-- asm
w1 = 0x80000000
r0 = 1
if w1 s< 2147483647 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 s<= 0x5, 64 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if r1 s<= r2 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff s<= 0x1, 64 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if r1 s<= r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x100000001 s<= 0x1, 64 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if r1 s<= r2 goto +1
r0 = 0
exit
-- result
0

-- case 0x7fffffff s<= 0x80000000, 64 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if r1 s<= r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x8000000000000000 s<= 0x7fffffffffffffff, 64 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if r1 s<= r2 goto +1
r0 = 0
exit
-- result
1

-- case 0x5 s<= 5, 64 bits
-- asm
r1 = 5
r0 = 1
if r1 s<= 5 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff s<= -1, 64 bits
-- asm
r1 = -1
r0 = 1
if r1 s<= -1 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffff s<= -1, 64 bits
-- asm
w1 = 0xffffffff
r0 = 1
if r1 s<= -1 goto +1
r0 = 0
exit
-- result
0

-- case 0x80000000 s<= 2147483647, 64 bits
-- asm
w1 = 0x80000000
r0 = 1
if r1 s<= 2147483647 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 s<= 0x5, 32 bits
-- asm
r1 = 5
r2 = 5
r0 = 1
if w1 s<= w2 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff s<= 0x1, 32 bits
-- asm
r1 = -1
r2 = 1
r0 = 1
if w1 s<= w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x100000001 s<= 0x1, 32 bits
-- asm
r1 = 0x100000001 ll
r2 = 1
r0 = 1
if w1 s<= w2 goto +1
r0 = 0
exit
-- result
1

-- case 0x7fffffff s<= 0x80000000, 32 bits
-- asm
r1 = 2147483647
w2 = 0x80000000
r0 = 1
if w1 s<= w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x8000000000000000 s<= 0x7fffffffffffffff, 32 bits
-- asm
r1 = 0x8000000000000000 ll
r2 = 0x7fffffffffffffff ll
r0 = 1
if w1 s<= w2 goto +1
r0 = 0
exit
-- result
0

-- case 0x5 s<= 5, 32 bits
-- asm
r1 = 5
r0 = 1
if w1 s<= 5 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffffffffffff s<= -1, 32 bits
-- asm
r1 = -1
r0 = 1
if w1 s<= -1 goto +1
r0 = 0
exit
-- result
1

-- case 0xffffffff s<= -1, 32 bits
-- asm
w1 = 0xffffffff
r0 = 1
if w1 s<= -1 goto +1
r0 = 0
exit
-- result
1

-- case 0x80000000 s<= 2147483647, 32 bits
-- asm
w1 = 0x80000000
r0 = 1
if w1 s<= 2147483647 goto +1
r0 = 0
exit
-- result
1

-- case loop backwards, 64 bits
-- asm
r0 = 0
r1 = 10
again: r0 += r1
r1 -= 1
if r1 != 0 goto again
exit
-- result
55

-- case loop backwards, 32 bits
-- asm
r0 = 0
r1 = 0
again: r0 += 3
w1 += 1
if w1 < 7 goto again
exit
-- result
21

-- case loop with signed condition
-- asm
r0 = 0
r1 = -5
again: r0 += 1
r1 += 1
if r1 s< 2 goto again
exit
-- result
7

-- case goto forwards and backwards
-- asm
r0 = 1
goto b
a: r0 += 20
exit
b: r0 += 300
goto a
-- result
321

-- case gotol forwards and backwards
-- asm
r0 = 1
gotol b
a: r0 += 20
exit
b: r0 += 300
gotol a
-- result
321

-- case goto over a 64-bit immediate
-- asm
r0 = 1
if r0 == 1 goto out
r0 = 0x1122334455667788 ll
out: exit
-- result
1

-- case jump to the next instruction
-- asm
r0 = 7
goto +0
if r0 == 7 goto +0
r0 += 1
exit
-- result
8

-- case nested loops
-- asm
r0 = 0
r1 = 0
outer: r2 = 0
inner: r0 += 1
r2 += 1
if r2 < 5 goto inner
r1 += 1
if r1 < 4 goto outer
exit
-- result
20

-- case chain of conditions
-- asm
r1 = 3
r0 = 10
if r1 == 1 goto out
r0 = 20
if r1 == 2 goto out
r0 = 30
if r1 == 3 goto out
r0 = 40
out: exit
-- result
30

-- case u16 0x8000 in memory compared with u16 0x7fff, 64 bits
-- asm
r2 = *(u16 *)(r1 +0)
r0 = 0
r3 = *(u16 *)(r1 +4)
if r3 == r2 goto +1
r0 |= 1
r3 = *(u16 *)(r1 +4)
if r3 != r2 goto +1
r0 |= 2
r3 = *(u16 *)(r1 +4)
if r3 > r2 goto +1
r0 |= 4
r3 = *(u16 *)(r1 +4)
if r3 >= r2 goto +1
r0 |= 8
r3 = *(u16 *)(r1 +4)
if r3 < r2 goto +1
r0 |= 16
r3 = *(u16 *)(r1 +4)
if r3 <= r2 goto +1
r0 |= 32
r3 = *(u16 *)(r1 +4)
if r3 s> r2 goto +1
r0 |= 64
r3 = *(u16 *)(r1 +4)
if r3 s>= r2 goto +1
r0 |= 128
r3 = *(u16 *)(r1 +4)
if r3 s< r2 goto +1
r0 |= 256
r3 = *(u16 *)(r1 +4)
if r3 s<= r2 goto +1
r0 |= 512
exit
-- mem
ff 7f 00 00 00 80 00 00
-- result
0x331

-- case u16 0x7fff in memory compared with u16 0x8000, 64 bits
-- asm
r2 = *(u16 *)(r1 +0)
r0 = 0
r3 = *(u16 *)(r1 +4)
if r3 == r2 goto +1
r0 |= 1
r3 = *(u16 *)(r1 +4)
if r3 != r2 goto +1
r0 |= 2
r3 = *(u16 *)(r1 +4)
if r3 > r2 goto +1
r0 |= 4
r3 = *(u16 *)(r1 +4)
if r3 >= r2 goto +1
r0 |= 8
r3 = *(u16 *)(r1 +4)
if r3 < r2 goto +1
r0 |= 16
r3 = *(u16 *)(r1 +4)
if r3 <= r2 goto +1
r0 |= 32
r3 = *(u16 *)(r1 +4)
if r3 s> r2 goto +1
r0 |= 64
r3 = *(u16 *)(r1 +4)
if r3 s>= r2 goto +1
r0 |= 128
r3 = *(u16 *)(r1 +4)
if r3 s< r2 goto +1
r0 |= 256
r3 = *(u16 *)(r1 +4)
if r3 s<= r2 goto +1
r0 |= 512
exit
-- mem
00 80 00 00 ff 7f 00 00
-- result
0xcd

-- case u16 0x8000 in memory compared with u16 0x8000, 64 bits
-- asm
r2 = *(u16 *)(r1 +0)
r0 = 0
r3 = *(u16 *)(r1 +4)
if r3 == r2 goto +1
r0 |= 1
r3 = *(u16 *)(r1 +4)
if r3 != r2 goto +1
r0 |= 2
r3 = *(u16 *)(r1 +4)
if r3 > r2 goto +1
r0 |= 4
r3 = *(u16 *)(r1 +4)
if r3 >= r2 goto +1
r0 |= 8
r3 = *(u16 *)(r1 +4)
if r3 < r2 goto +1
r0 |= 16
r3 = *(u16 *)(r1 +4)
if r3 <= r2 goto +1
r0 |= 32
r3 = *(u16 *)(r1 +4)
if r3 s> r2 goto +1
r0 |= 64
r3 = *(u16 *)(r1 +4)
if r3 s>= r2 goto +1
r0 |= 128
r3 = *(u16 *)(r1 +4)
if r3 s< r2 goto +1
r0 |= 256
r3 = *(u16 *)(r1 +4)
if r3 s<= r2 goto +1
r0 |= 512
exit
-- mem
00 80 00 00 00 80 00 00
-- result
0x156

-- case u8 0x80 in memory compared with u8 0x7f, 64 bits
-- asm
r2 = *(u8 *)(r1 +0)
r0 = 0
r3 = *(u8 *)(r1 +4)
if r3 == r2 goto +1
r0 |= 1
r3 = *(u8 *)(r1 +4)
if r3 != r2 goto +1
r0 |= 2
r3 = *(u8 *)(r1 +4)
if r3 > r2 goto +1
r0 |= 4
r3 = *(u8 *)(r1 +4)
if r3 >= r2 goto +1
r0 |= 8
r3 = *(u8 *)(r1 +4)
if r3 < r2 goto +1
r0 |= 16
r3 = *(u8 *)(r1 +4)
if r3 <= r2 goto +1
r0 |= 32
r3 = *(u8 *)(r1 +4)
if r3 s> r2 goto +1
r0 |= 64
r3 = *(u8 *)(r1 +4)
if r3 s>= r2 goto +1
r0 |= 128
r3 = *(u8 *)(r1 +4)
if r3 s< r2 goto +1
r0 |= 256
r3 = *(u8 *)(r1 +4)
if r3 s<= r2 goto +1
r0 |= 512
exit
-- mem
7f 00 00 00 80 00 00 00
-- result
0x331

-- case u8 0x7f in memory compared with u8 0x80, 64 bits
-- asm
r2 = *(u8 *)(r1 +0)
r0 = 0
r3 = *(u8 *)(r1 +4)
if r3 == r2 goto +1
r0 |= 1
r3 = *(u8 *)(r1 +4)
if r3 != r2 goto +1
r0 |= 2
r3 = *(u8 *)(r1 +4)
if r3 > r2 goto +1
r0 |= 4
r3 = *(u8 *)(r1 +4)
if r3 >= r2 goto +1
r0 |= 8
r3 = *(u8 *)(r1 +4)
if r3 < r2 goto +1
r0 |= 16
r3 = *(u8 *)(r1 +4)
if r3 <= r2 goto +1
r0 |= 32
r3 = *(u8 *)(r1 +4)
if r3 s> r2 goto +1
r0 |= 64
r3 = *(u8 *)(r1 +4)
if r3 s>= r2 goto +1
r0 |= 128
r3 = *(u8 *)(r1 +4)
if r3 s< r2 goto +1
r0 |= 256
r3 = *(u8 *)(r1 +4)
if r3 s<= r2 goto +1
r0 |= 512
exit
-- mem
80 00 00 00 7f 00 00 00
-- result
0xcd

-- case u8 0x80 in memory compared with u8 0x80, 64 bits
-- asm
r2 = *(u8 *)(r1 +0)
r0 = 0
r3 = *(u8 *)(r1 +4)
if r3 == r2 goto +1
r0 |= 1
r3 = *(u8 *)(r1 +4)
if r3 != r2 goto +1
r0 |= 2
r3 = *(u8 *)(r1 +4)
if r3 > r2 goto +1
r0 |= 4
r3 = *(u8 *)(r1 +4)
if r3 >= r2 goto +1
r0 |= 8
r3 = *(u8 *)(r1 +4)
if r3 < r2 goto +1
r0 |= 16
r3 = *(u8 *)(r1 +4)
if r3 <= r2 goto +1
r0 |= 32
r3 = *(u8 *)(r1 +4)
if r3 s> r2 goto +1
r0 |= 64
r3 = *(u8 *)(r1 +4)
if r3 s>= r2 goto +1
r0 |= 128
r3 = *(u8 *)(r1 +4)
if r3 s< r2 goto +1
r0 |= 256
r3 = *(u8 *)(r1 +4)
if r3 s<= r2 goto +1
r0 |= 512
exit
-- mem
80 00 00 00 80 00 00 00
-- result
0x156

-- case u8 0xff in memory compared with u16 0x1fe, 64 bits
-- asm
r2 = *(u16 *)(r1 +0)
r0 = 0
r3 = *(u8 *)(r1 +4)
if r3 == r2 goto +1
r0 |= 1
r3 = *(u8 *)(r1 +4)
if r3 != r2 goto +1
r0 |= 2
r3 = *(u8 *)(r1 +4)
if r3 > r2 goto +1
r0 |= 4
r3 = *(u8 *)(r1 +4)
if r3 >= r2 goto +1
r0 |= 8
r3 = *(u8 *)(r1 +4)
if r3 < r2 goto +1
r0 |= 16
r3 = *(u8 *)(r1 +4)
if r3 <= r2 goto +1
r0 |= 32
r3 = *(u8 *)(r1 +4)
if r3 s> r2 goto +1
r0 |= 64
r3 = *(u8 *)(r1 +4)
if r3 s>= r2 goto +1
r0 |= 128
r3 = *(u8 *)(r1 +4)
if r3 s< r2 goto +1
r0 |= 256
r3 = *(u8 *)(r1 +4)
if r3 s<= r2 goto +1
r0 |= 512
exit
-- mem
fe 01 00 00 ff 00 00 00
-- result
0xcd

-- case u16 0x34 in memory compared with u8 0x33, 64 bits
-- asm
r2 = *(u8 *)(r1 +0)
r0 = 0
r3 = *(u16 *)(r1 +4)
if r3 == r2 goto +1
r0 |= 1
r3 = *(u16 *)(r1 +4)
if r3 != r2 goto +1
r0 |= 2
r3 = *(u16 *)(r1 +4)
if r3 > r2 goto +1
r0 |= 4
r3 = *(u16 *)(r1 +4)
if r3 >= r2 goto +1
r0 |= 8
r3 = *(u16 *)(r1 +4)
if r3 < r2 goto +1
r0 |= 16
r3 = *(u16 *)(r1 +4)
if r3 <= r2 goto +1
r0 |= 32
r3 = *(u16 *)(r1 +4)
if r3 s> r2 goto +1
r0 |= 64
r3 = *(u16 *)(r1 +4)
if r3 s>= r2 goto +1
r0 |= 128
r3 = *(u16 *)(r1 +4)
if r3 s< r2 goto +1
r0 |= 256
r3 = *(u16 *)(r1 +4)
if r3 s<= r2 goto +1
r0 |= 512
exit
-- mem
33 00 00 00 34 00 00 00
-- result
0x331

-- case u16 0xffff in memory compared with u32 0x1fffe, 64 bits
-- asm
r2 = *(u32 *)(r1 +0)
r0 = 0
r3 = *(u16 *)(r1 +4)
if r3 == r2 goto +1
r0 |= 1
r3 = *(u16 *)(r1 +4)
if r3 != r2 goto +1
r0 |= 2
r3 = *(u16 *)(r1 +4)
if r3 > r2 goto +1
r0 |= 4
r3 = *(u16 *)(r1 +4)
if r3 >= r2 goto +1
r0 |= 8
r3 = *(u16 *)(r1 +4)
if r3 < r2 goto +1
r0 |= 16
r3 = *(u16 *)(r1 +4)
if r3 <= r2 goto +1
r0 |= 32
r3 = *(u16 *)(r1 +4)
if r3 s> r2 goto +1
r0 |= 64
r3 = *(u16 *)(r1 +4)
if r3 s>= r2 goto +1
r0 |= 128
r3 = *(u16 *)(r1 +4)
if r3 s< r2 goto +1
r0 |= 256
r3 = *(u16 *)(r1 +4)
if r3 s<= r2 goto +1
r0 |= 512
exit
-- mem
fe ff 01 00 ff ff 00 00
-- result
0xcd

-- case u16 0x8000 in memory compared with u16 0x7fff, 32 bits
-- asm
r2 = *(u16 *)(r1 +0)
r0 = 0
r3 = *(u16 *)(r1 +4)
if w3 == w2 goto +1
r0 |= 1
r3 = *(u16 *)(r1 +4)
if w3 != w2 goto +1
r0 |= 2
r3 = *(u16 *)(r1 +4)
if w3 > w2 goto +1
r0 |= 4
r3 = *(u16 *)(r1 +4)
if w3 >= w2 goto +1
r0 |= 8
r3 = *(u16 *)(r1 +4)
if w3 < w2 goto +1
r0 |= 16
r3 = *(u16 *)(r1 +4)
if w3 <= w2 goto +1
r0 |= 32
r3 = *(u16 *)(r1 +4)
if w3 s> w2 goto +1
r0 |= 64
r3 = *(u16 *)(r1 +4)
if w3 s>= w2 goto +1
r0 |= 128
r3 = *(u16 *)(r1 +4)
if w3 s< w2 goto +1
r0 |= 256
r3 = *(u16 *)(r1 +4)
if w3 s<= w2 goto +1
r0 |= 512
exit
-- mem
ff 7f 00 00 00 80 00 00
-- result
0x331

-- case u16 0x7fff in memory compared with u16 0x8000, 32 bits
-- asm
r2 = *(u16 *)(r1 +0)
r0 = 0
r3 = *(u16 *)(r1 +4)
if w3 == w2 goto +1
r0 |= 1
r3 = *(u16 *)(r1 +4)
if w3 != w2 goto +1
r0 |= 2
r3 = *(u16 *)(r1 +4)
if w3 > w2 goto +1
r0 |= 4
r3 = *(u16 *)(r1 +4)
if w3 >= w2 goto +1
r0 |= 8
r3 = *(u16 *)(r1 +4)
if w3 < w2 goto +1
r0 |= 16
r3 = *(u16 *)(r1 +4)
if w3 <= w2 goto +1
r0 |= 32
r3 = *(u16 *)(r1 +4)
if w3 s> w2 goto +1
r0 |= 64
r3 = *(u16 *)(r1 +4)
if w3 s>= w2 goto +1
r0 |= 128
r3 = *(u16 *)(r1 +4)
if w3 s< w2 goto +1
r0 |= 256
r3 = *(u16 *)(r1 +4)
if w3 s<= w2 goto +1
r0 |= 512
exit
-- mem
00 80 00 00 ff 7f 00 00
-- result
0xcd

-- case u16 0x8000 in memory compared with u16 0x8000, 32 bits
-- asm
r2 = *(u16 *)(r1 +0)
r0 = 0
r3 = *(u16 *)(r1 +4)
if w3 == w2 goto +1
r0 |= 1
r3 = *(u16 *)(r1 +4)
if w3 != w2 goto +1
r0 |= 2
r3 = *(u16 *)(r1 +4)
if w3 > w2 goto +1
r0 |= 4
r3 = *(u16 *)(r1 +4)
if w3 >= w2 goto +1
r0 |= 8
r3 = *(u16 *)(r1 +4)
if w3 < w2 goto +1
r0 |= 16
r3 = *(u16 *)(r1 +4)
if w3 <= w2 goto +1
r0 |= 32
r3 = *(u16 *)(r1 +4)
if w3 s> w2 goto +1
r0 |= 64
r3 = *(u16 *)(r1 +4)
if w3 s>= w2 goto +1
r0 |= 128
r3 = *(u16 *)(r1 +4)
if w3 s< w2 goto +1
r0 |= 256
r3 = *(u16 *)(r1 +4)
if w3 s<= w2 goto +1
r0 |= 512
exit
-- mem
00 80 00 00 00 80 00 00
-- result
0x156

-- case u8 0x80 in memory compared with u8 0x7f, 32 bits
-- asm
r2 = *(u8 *)(r1 +0)
r0 = 0
r3 = *(u8 *)(r1 +4)
if w3 == w2 goto +1
r0 |= 1
r3 = *(u8 *)(r1 +4)
if w3 != w2 goto +1
r0 |= 2
r3 = *(u8 *)(r1 +4)
if w3 > w2 goto +1
r0 |= 4
r3 = *(u8 *)(r1 +4)
if w3 >= w2 goto +1
r0 |= 8
r3 = *(u8 *)(r1 +4)
if w3 < w2 goto +1
r0 |= 16
r3 = *(u8 *)(r1 +4)
if w3 <= w2 goto +1
r0 |= 32
r3 = *(u8 *)(r1 +4)
if w3 s> w2 goto +1
r0 |= 64
r3 = *(u8 *)(r1 +4)
if w3 s>= w2 goto +1
r0 |= 128
r3 = *(u8 *)(r1 +4)
if w3 s< w2 goto +1
r0 |= 256
r3 = *(u8 *)(r1 +4)
if w3 s<= w2 goto +1
r0 |= 512
exit
-- mem
7f 00 00 00 80 00 00 00
-- result
0x331

-- case u8 0x7f in memory compared with u8 0x80, 32 bits
-- asm
r2 = *(u8 *)(r1 +0)
r0 = 0
r3 = *(u8 *)(r1 +4)
if w3 == w2 goto +1
r0 |= 1
r3 = *(u8 *)(r1 +4)
if w3 != w2 goto +1
r0 |= 2
r3 = *(u8 *)(r1 +4)
if w3 > w2 goto +1
r0 |= 4
r3 = *(u8 *)(r1 +4)
if w3 >= w2 goto +1
r0 |= 8
r3 = *(u8 *)(r1 +4)
if w3 < w2 goto +1
r0 |= 16
r3 = *(u8 *)(r1 +4)
if w3 <= w2 goto +1
r0 |= 32
r3 = *(u8 *)(r1 +4)
if w3 s> w2 goto +1
r0 |= 64
r3 = *(u8 *)(r1 +4)
if w3 s>= w2 goto +1
r0 |= 128
r3 = *(u8 *)(r1 +4)
if w3 s< w2 goto +1
r0 |= 256
r3 = *(u8 *)(r1 +4)
if w3 s<= w2 goto +1
r0 |= 512
exit
-- mem
80 00 00 00 7f 00 00 00
-- result
0xcd

-- case u8 0x80 in memory compared with u8 0x80, 32 bits
-- asm
r2 = *(u8 *)(r1 +0)
r0 = 0
r3 = *(u8 *)(r1 +4)
if w3 == w2 goto +1
r0 |= 1
r3 = *(u8 *)(r1 +4)
if w3 != w2 goto +1
r0 |= 2
r3 = *(u8 *)(r1 +4)
if w3 > w2 goto +1
r0 |= 4
r3 = *(u8 *)(r1 +4)
if w3 >= w2 goto +1
r0 |= 8
r3 = *(u8 *)(r1 +4)
if w3 < w2 goto +1
r0 |= 16
r3 = *(u8 *)(r1 +4)
if w3 <= w2 goto +1
r0 |= 32
r3 = *(u8 *)(r1 +4)
if w3 s> w2 goto +1
r0 |= 64
r3 = *(u8 *)(r1 +4)
if w3 s>= w2 goto +1
r0 |= 128
r3 = *(u8 *)(r1 +4)
if w3 s< w2 goto +1
r0 |= 256
r3 = *(u8 *)(r1 +4)
if w3 s<= w2 goto +1
r0 |= 512
exit
-- mem
80 00 00 00 80 00 00 00
-- result
0x156

-- case u8 0xff in memory compared with u16 0x1fe, 32 bits
-- asm
r2 = *(u16 *)(r1 +0)
r0 = 0
r3 = *(u8 *)(r1 +4)
if w3 == w2 goto +1
r0 |= 1
r3 = *(u8 *)(r1 +4)
if w3 != w2 goto +1
r0 |= 2
r3 = *(u8 *)(r1 +4)
if w3 > w2 goto +1
r0 |= 4
r3 = *(u8 *)(r1 +4)
if w3 >= w2 goto +1
r0 |= 8
r3 = *(u8 *)(r1 +4)
if w3 < w2 goto +1
r0 |= 16
r3 = *(u8 *)(r1 +4)
if w3 <= w2 goto +1
r0 |= 32
r3 = *(u8 *)(r1 +4)
if w3 s> w2 goto +1
r0 |= 64
r3 = *(u8 *)(r1 +4)
if w3 s>= w2 goto +1
r0 |= 128
r3 = *(u8 *)(r1 +4)
if w3 s< w2 goto +1
r0 |= 256
r3 = *(u8 *)(r1 +4)
if w3 s<= w2 goto +1
r0 |= 512
exit
-- mem
fe 01 00 00 ff 00 00 00
-- result
0xcd

-- case u16 0x34 in memory compared with u8 0x33, 32 bits
-- asm
r2 = *(u8 *)(r1 +0)
r0 = 0
r3 = *(u16 *)(r1 +4)
if w3 == w2 goto +1
r0 |= 1
r3 = *(u16 *)(r1 +4)
if w3 != w2 goto +1
r0 |= 2
r3 = *(u16 *)(r1 +4)
if w3 > w2 goto +1
r0 |= 4
r3 = *(u16 *)(r1 +4)
if w3 >= w2 goto +1
r0 |= 8
r3 = *(u16 *)(r1 +4)
if w3 < w2 goto +1
r0 |= 16
r3 = *(u16 *)(r1 +4)
if w3 <= w2 goto +1
r0 |= 32
r3 = *(u16 *)(r1 +4)
if w3 s> w2 goto +1
r0 |= 64
r3 = *(u16 *)(r1 +4)
if w3 s>= w2 goto +1
r0 |= 128
r3 = *(u16 *)(r1 +4)
if w3 s< w2 goto +1
r0 |= 256
r3 = *(u16 *)(r1 +4)
if w3 s<= w2 goto +1
r0 |= 512
exit
-- mem
33 00 00 00 34 00 00 00
-- result
0x331

-- case u16 0xffff in memory compared with u32 0x1fffe, 32 bits
-- asm
r2 = *(u32 *)(r1 +0)
r0 = 0
r3 = *(u16 *)(r1 +4)
if w3 == w2 goto +1
r0 |= 1
r3 = *(u16 *)(r1 +4)
if w3 != w2 goto +1
r0 |= 2
r3 = *(u16 *)(r1 +4)
if w3 > w2 goto +1
r0 |= 4
r3 = *(u16 *)(r1 +4)
if w3 >= w2 goto +1
r0 |= 8
r3 = *(u16 *)(r1 +4)
if w3 < w2 goto +1
r0 |= 16
r3 = *(u16 *)(r1 +4)
if w3 <= w2 goto +1
r0 |= 32
r3 = *(u16 *)(r1 +4)
if w3 s> w2 goto +1
r0 |= 64
r3 = *(u16 *)(r1 +4)
if w3 s>= w2 goto +1
r0 |= 128
r3 = *(u16 *)(r1 +4)
if w3 s< w2 goto +1
r0 |= 256
r3 = *(u16 *)(r1 +4)
if w3 s<= w2 goto +1
r0 |= 512
exit
-- mem
fe ff 01 00 ff ff 00 00
-- result
0xcd
