Helpers that call back.

-- case a counter on the caller's stack
-- asm
*(u64 *)(r10 - 8) = 0
r1 = 1000
r2 = func add ll
r3 = r10
r3 += -8
r4 = 0
call 181
r0 = *(u64 *)(r10 - 8)
exit
add: r3 = *(u64 *)(r2 + 0)
r3 += 1
*(u64 *)(r2 + 0) = r3
r0 = 0
exit
-- accept

-- case a counter that something rests on
-- maps
values array 4 16 1
-- asm
*(u64 *)(r10 - 8) = 0
r1 = 1000
r2 = func add ll
r3 = r10
r3 += -8
r4 = 0
call 181
r1 = map[0]+0 ll
r2 = *(u64 *)(r10 - 8)
r1 += r2
r0 = *(u8 *)(r1 + 0)
exit
add: r3 = *(u64 *)(r2 + 0)
r3 += 1
*(u64 *)(r2 + 0) = r3
r0 = 0
exit
-- reject
EACCES insn 12: invalid access to map value, value_size=16 off=16 size=1
R1 min value is outside of the allowed memory range

-- case a counter with a limit
-- maps
values array 4 16 1
-- asm
*(u64 *)(r10 - 8) = 0
r1 = 1000
r2 = func add ll
r3 = r10
r3 += -8
r4 = 0
call 181
r1 = map[0]+0 ll
r2 = *(u64 *)(r10 - 8)
r1 += r2
r0 = *(u8 *)(r1 + 0)
exit
add: r3 = *(u64 *)(r2 + 0)
if r3 >= 15 goto l
r3 += 1
*(u64 *)(r2 + 0) = r3
l: r0 = 0
exit
-- accept

-- case what the callback leaves of a pointer
-- maps
values array 4 16 1
-- asm
r1 = map[0]+0 ll
*(u64 *)(r10 - 8) = r1
r1 = 10
r2 = func spoil ll
r3 = r10
r3 += -8
r4 = 0
call 181
r1 = *(u64 *)(r10 - 8)
r0 = *(u8 *)(r1 + 0)
exit
spoil: *(u64 *)(r2 + 0) = 7
r0 = 0
exit
-- reject
EACCES insn 11: R1 invalid mem access 'scalar'

-- case one round only
-- maps
values array 4 16 1
-- asm
*(u64 *)(r10 - 8) = 0
r1 = 1
r2 = func add ll
r3 = r10
r3 += -8
r4 = 0
call 181
r1 = map[0]+0 ll
r2 = *(u64 *)(r10 - 8)
r1 += r2
r0 = *(u8 *)(r1 + 14)
exit
add: r3 = *(u64 *)(r2 + 0)
r3 += 1
*(u64 *)(r2 + 0) = r3
r0 = 0
exit
-- accept

-- case the callback returns 2
-- asm
r1 = 1
r2 = func cb ll
r3 = 0
r4 = 0
call 181
r0 = 0
exit
cb: r0 = 2
exit
-- reject
EINVAL insn 9: At callback return the register R0 has smin=2 smax=2 should have been in [0, 1]

-- case the callback returns nothing
-- asm
r1 = 1
r2 = func cb ll
r3 = 0
r4 = 0
call 181
r0 = 0
exit
cb: exit
-- reject
EACCES insn 8: R0 not a scalar value

-- case the callback returns a pointer
-- asm
r1 = 1
r2 = func cb ll
r3 = r10
r4 = 0
call 181
r0 = 0
exit
cb: r0 = r2
exit
-- reject
EINVAL insn 9: cannot return stack pointer to the caller

-- case a callback that isn't one
-- asm
r1 = 1
r2 = 7
r3 = 0
r4 = 0
call 181
r0 = 0
exit
-- reject
EACCES insn 4: R2 type=scalar expected=func

-- case a context that isn't on the stack
-- asm
r3 = r1
r1 = 1
r2 = func cb ll
r4 = 0
call 181
r0 = 0
exit
cb: r0 = 0
exit
-- reject
EACCES insn 5: R3 type=ctx expected=fp

-- case r3 of the callback is unknown
-- asm
r1 = 1
r2 = func cb ll
r3 = 0
r4 = 0
call 181
r0 = 0
exit
cb: r0 = r3
exit
-- reject
EACCES insn 8: R3 !read_ok

-- case the main program as callback
-- asm
l: r1 = 1
r2 = func l ll
r3 = 0
r4 = 0
call 181
r0 = 0
exit
-- reject
EINVAL insn 1: callback function not static

-- case a callback that calls itself
-- asm
call sub
r0 = 0
exit
sub: r1 = 1
r2 = func cb ll
r3 = 0
r4 = 0
call 181
r0 = 0
exit
cb: call sub
r0 = 0
exit
-- reject
E2BIG insn 8: the call stack of 9 frames is too deep

-- case arithmetic on a callback
-- asm
r2 = func cb ll
r2 += 1
r1 = 1
r3 = 0
r4 = 0
call 181
r0 = 0
exit
cb: r0 = 0
exit
-- reject
EACCES insn 6: dereference of modified func ptr R2 off=1 disallowed

-- case key and value of each element
-- maps
table hash 8 16 4
-- asm
r1 = map[0] ll
r2 = func cb ll
r3 = 0
r4 = 0
call 164
r0 = 0
exit
cb: r0 = *(u64 *)(r2 + 0)
*(u64 *)(r3 + 8) = r0
call 3
r0 = 0
exit
-- accept

-- case beyond a key
-- maps
table hash 8 16 4
-- asm
r1 = map[0] ll
r2 = func cb ll
r3 = 0
r4 = 0
call 164
r0 = 0
exit
cb: r0 = *(u64 *)(r2 + 4)
r0 = 0
exit
-- reject
EACCES insn 9: invalid access to map key, key_size=8 off=4 size=8
R2 min value is outside of the allowed memory range

-- case a key is not written
-- maps
table hash 8 16 4
-- asm
r1 = map[0] ll
r2 = func cb ll
r3 = 0
r4 = 0
call 164
r0 = 0
exit
cb: *(u64 *)(r2 + 0) = 1
r0 = 0
exit
-- reject
EACCES insn 9: write to change key R2 not allowed

-- case a trie can't be walked
-- maps
trie lpm_trie 8 16 4 1
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
-- reject
EOPNOTSUPP insn 6: callback function not allowed for map

-- case packet pointers in callbacks
-- asm
r6 = *(u32 *)(r1 + 0)
r7 = *(u32 *)(r1 + 4)
*(u64 *)(r10 - 8) = r6
*(u64 *)(r10 - 16) = r7
r1 = 10
r2 = func cb ll
r3 = r10
r3 += -16
r4 = 0
call 181
r0 = 2
exit
cb: r6 = *(u64 *)(r2 + 8)
r7 = *(u64 *)(r2 + 0)
r3 = r6
r3 += 4
if r3 > r7 goto l
r1 = *(u32 *)(r6 + 0)
*(u64 *)(r2 + 8) = r3
l: r0 = 0
exit
-- accept

-- case a tail call in a callback
-- maps
progs prog_array 4 4 4
-- asm
r6 = r1
*(u64 *)(r10 - 8) = r6
r1 = 10
r2 = func cb ll
r3 = r10
r3 += -8
r4 = 0
call 181
r0 = 2
exit
cb: r1 = *(u64 *)(r2 + 0)
r2 = map[0] ll
r3 = 0
call 12
r0 = 0
exit
-- reject
EINVAL insn 15: cannot tail call within callback
-- kernel
says verifier bug

-- case what is needed behind the loop is needed on all paths of a round
-- maps
values array 4 16 1
-- asm
call 7
*(u64 *)(r10 - 16) = 0
*(u64 *)(r10 - 8) = 1
if r0 > 5 goto two
goto loop
two: *(u64 *)(r10 - 8) = 2
loop: r1 = 10
r2 = func cb ll
r3 = r10
r3 += -16
r4 = 0
call 181
r1 = map[0]+0 ll
r2 = *(u64 *)(r10 - 16)
r1 += r2
r0 = *(u8 *)(r1 + 0)
exit
cb: r3 = *(u64 *)(r2 + 8)
if r3 == 2 goto far
goto end
far: *(u64 *)(r2 + 0) = 200
end: r0 = 0
r0 += 1
r0 += 2
r0 += 3
r0 += 4
r0 += 5
r0 += 6
r0 = 0
exit
-- reject
EACCES insn 17: invalid access to map value, value_size=16 off=200 size=1
R1 min value is outside of the allowed memory range

-- case what is needed behind an inner loop is needed on all paths of its rounds
-- maps
values array 4 16 1
-- asm
call 7
*(u64 *)(r10 - 16) = 0
*(u64 *)(r10 - 8) = 1
if r0 > 5 goto two
goto loop
two: *(u64 *)(r10 - 8) = 2
loop: r1 = 10
r2 = func outer ll
r3 = r10
r3 += -16
r4 = 0
call 181
r1 = map[0]+0 ll
r2 = *(u64 *)(r10 - 16)
r1 += r2
r0 = *(u8 *)(r1 + 0)
exit
outer: r3 = r2
r1 = 10
r2 = func cb ll
r4 = 0
call 181
r0 = 0
exit
cb: r3 = *(u64 *)(r2 + 8)
if r3 == 2 goto far
goto end
far: *(u64 *)(r2 + 0) = 200
end: r0 = 0
r0 += 1
r0 += 2
r0 += 3
r0 += 4
r0 += 5
r0 += 6
r0 = 0
exit
-- reject
EACCES insn 17: invalid access to map value, value_size=16 off=200 size=1
R1 min value is outside of the allowed memory range
