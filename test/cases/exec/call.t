Local calls: arguments, frames, saved registers, nesting.

-- case call and return
-- asm
r1 = 3
r2 = 4
call product
r0 += 1
exit
product: r0 = r1
r0 *= r2
exit
-- result
13

-- case five arguments
-- asm
r1 = 1
r2 = 2
r3 = 3
r4 = 4
r5 = 5
call mix
exit
mix: r0 = r1
r0 *= 10
r0 += r2
r0 *= 10
r0 += r3
r0 *= 10
r0 += r4
r0 *= 10
r0 += r5
exit
-- result
12345

-- case r6 to r9 are kept
-- asm
r6 = 6
r7 = 7
r8 = 8
r9 = 9
call f
r0 = r6
r0 *= 10
r0 += r7
r0 *= 10
r0 += r8
r0 *= 10
r0 += r9
exit
f: r6 = 0
r7 = 0
r8 = 0
r9 = 0
r0 = 0
exit
-- result
6789

-- case every call has its own frame
-- asm
r1 = 11
*(u64 *)(r10 -8) = r1
call f
r0 = *(u64 *)(r10 -8)
exit
f: r1 = 22
*(u64 *)(r10 -8) = r1
r0 = 0
exit
-- result
11

-- case pointer to the frame of the caller
-- asm
r1 = 1
*(u64 *)(r10 -8) = r1
r1 = r10
r1 += -8
call f
r0 = *(u64 *)(r10 -8)
exit
f: r2 = *(u64 *)(r1 +0)
r2 += 41
*(u64 *)(r1 +0) = r2
r0 = 0
exit
-- result
42

-- case frame pointer comes back
-- asm
call f
r1 = r10
r1 += -8
r2 = 5
*(u64 *)(r1 +0) = r2
r0 = *(u64 *)(r10 -8)
exit
f: r1 = 9
*(u64 *)(r10 -64) = r1
r0 = 0
exit
-- result
5

-- case eight frames
-- asm
r1 = 1
call f2
exit
f2: r1 += 1
call f3
exit
f3: r1 += 1
call f4
exit
f4: r1 += 1
call f5
exit
f5: r1 += 1
call f6
exit
f6: r1 += 1
call f7
exit
f7: r1 += 1
call f8
exit
f8: r0 = r1
exit
-- result
7
-- no kernel
a ninth frame, when the test wraps the program

-- case call backwards
-- asm
r1 = 1
call g
exit
f: r0 = r1
r0 += 1
exit
g: r1 += 5
call f
r0 += 100
exit
-- result
107

-- case one function called three times
-- asm
r6 = 0
r1 = 1
call sq
r6 += r0
r1 = 2
call sq
r6 += r0
r1 = 3
call sq
r0 += r6
exit
sq: r0 = r1
r0 *= r1
exit
-- result
14

-- case call in a loop
-- asm
r6 = 0
r7 = 5
again: r1 = r7
call twice
r6 += r0
r7 -= 1
if r7 != 0 goto again
r0 = r6
exit
twice: r0 = r1
r0 += r1
exit
-- result
30

-- case several exits in a function
-- asm
r1 = 5
call sign
r6 = r0
r1 = -5
call sign
r6 += r0
r1 = 0
call sign
r0 += r6
exit
sign: r0 = 1
if r1 s> 0 goto out
r0 = 100
if r1 == 0 goto +1
r0 = 10
out: exit
-- result
111

-- case call through numbers
-- asm
r1 = 2
call pc+1
exit
r0 = r1
r0 <<= 3
exit
-- result
16

-- case saved registers nest
-- asm
r6 = 1
call outer
r0 += r6
exit
outer: r6 = 10
call inner
r0 += r6
exit
inner: r6 = 100
r0 = r6
exit
-- result
111
