Global functions: verified once, by the types of their arguments.

-- case numbers
-- funcs
5 add global scalar scalar
-- asm
r1 = 1
r2 = 2
call add
r0 &= 3
exit
add: r0 = r1
r0 += r2
exit
-- accept

-- case nothing is known of the result
-- maps
values array 4 16 1
-- funcs
6 seven global
-- asm
call seven
r1 = map[0]+0 ll
r1 += r0
r0 = *(u8 *)(r1 + 0)
exit
seven: r0 = 7
exit
-- reject
EINVAL insn 3: math between map_value pointer and register with unbounded min value is not allowed

-- case a static function's result is known
-- maps
values array 4 16 1
-- funcs
6 seven static
-- asm
call seven
r1 = map[0]+0 ll
r1 += r0
r0 = *(u8 *)(r1 + 0)
exit
seven: r0 = 7
exit
-- accept

-- case a pointer for a number
-- funcs
3 f global scalar
-- asm
call f
r0 = 0
exit
f: r0 = r1
exit
-- reject
EINVAL insn 0: R1 is not a scalar
Caller passes invalid args into func#1 ('f')

-- case the context
-- funcs
3 f global ctx
-- asm
call f
r0 = 0
exit
f: r0 = *(u32 *)(r1 + 12)
exit
-- accept

-- case not the context
-- funcs
4 f global ctx
-- asm
r1 = 0
call f
r0 = 0
exit
f: r0 = *(u32 *)(r1 + 12)
exit
-- reject
EINVAL insn 1: arg#0 expects pointer to ctx
Caller passes invalid args into func#1 ('f')

-- case memory on the stack, filled by the function
-- funcs
6 f global mem:8
-- asm
r1 = r10
r1 += -8
call f
r0 = *(u64 *)(r10 - 8)
r0 &= 3
exit
f: if r1 == 0 goto l
*(u64 *)(r1 + 0) = 5
l: r0 = 0
exit
-- accept

-- case memory used without a null check
-- funcs
6 f global mem:8
-- asm
r1 = r10
r1 += -8
call f
r0 = *(u64 *)(r10 - 8)
r0 &= 3
exit
f: *(u64 *)(r1 + 0) = 5
r0 = 0
exit
-- reject
EACCES insn 6: R1 invalid mem access 'mem_or_null'

-- case memory that is never NULL
-- funcs
6 f global mem!:8
-- asm
r1 = r10
r1 += -8
call f
r0 = *(u64 *)(r10 - 8)
r0 &= 3
exit
f: *(u64 *)(r1 + 0) = 5
r0 = 0
exit
-- accept

-- case memory beyond its end
-- funcs
5 f global mem!:8
-- asm
r1 = r10
r1 += -8
call f
r0 = 0
exit
f: *(u64 *)(r1 + 4) = 5
r0 = 0
exit
-- reject
EACCES insn 5: invalid access to memory, mem_size=8 off=4 size=8
R1 min value is outside of the allowed memory range

-- case too little memory
-- funcs
5 f global mem:16
-- asm
r1 = r10
r1 += -8
call f
r0 = 0
exit
f: r0 = 0
exit
-- reject
EACCES insn 2: invalid read from stack R1 off=-8 size=16
Caller passes invalid args into func#1 ('f')

-- case NULL
-- funcs
4 f global mem:16
-- asm
r1 = 0
call f
r0 = 0
exit
f: r0 = 0
exit
-- accept

-- case NULL where it may not be
-- funcs
4 f global mem!:16
-- asm
r1 = 0
call f
r0 = 0
exit
f: r0 = *(u64 *)(r1 + 0)
exit
-- reject
EINVAL insn 1: arg#0 is expected to be non-NULL
Caller passes invalid args into func#1 ('f')
-- kernel
either

-- case a map value that may be NULL
-- maps
values hash 4 16 1
-- funcs
10 f global mem:16
-- asm
*(u32 *)(r10 - 4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
r1 = r0
call f
r0 = 0
exit
f: r0 = 0
exit
-- accept

-- case a map value that may be NULL where it may not be
-- maps
values hash 4 16 1
-- funcs
10 f global mem!:16
-- asm
*(u32 *)(r10 - 4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
r1 = r0
call f
r0 = 0
exit
f: r0 = 0
exit
-- reject
EINVAL insn 7: arg#0 is expected to be non-NULL
Caller passes invalid args into func#1 ('f')

-- case a function that returns nothing
-- funcs
3 f global void
-- asm
call f
r0 = 0
exit
f: r0 = 0
exit
-- reject
EINVAL insn 0: Global function f() doesn't return scalar. Only those are supported.
Caller passes invalid args into func#1 ('f')

-- case a function that returns a pointer
-- funcs
3 f global ctx
-- asm
call f
r0 = 0
exit
f: r0 = r1
exit
-- reject
EINVAL insn 4: At subprogram exit the register R0 is not a scalar value (ctx)

-- case a function that is only called where nobody comes
-- funcs
5 f global scalar
-- asm
r1 = 0
if r1 == 0 goto l
call f
l: r0 = 0
exit
f: r0 = *(u64 *)(r1 + 0)
exit
-- accept

-- case a function that is called from another
-- funcs
4 f global scalar
6 g global scalar
-- asm
r1 = 0
call f
r0 = 0
exit
f: call g
exit
g: r0 = *(u64 *)(r1 + 0)
exit
-- reject
EACCES insn 6: R1 invalid mem access 'scalar'

-- case a function that calls itself
-- funcs
4 f global scalar
-- asm
r1 = 0
call f
r0 = 0
exit
f: r1 = 0
call f
r0 = 0
exit
-- reject
E2BIG insn 0: the call stack of 8 frames is too deep

-- case packet pointers behind a function that moves the packet
-- funcs
10 f global ctx
-- asm
r6 = *(u32 *)(r1 + 0)
r7 = *(u32 *)(r1 + 4)
r2 = r6
r2 += 1
if r2 > r7 goto l
call f
r0 = *(u8 *)(r6 + 0)
exit
l: r0 = 0
exit
f: r2 = 0
call 44
r0 = 0
exit
-- reject
EACCES insn 6: R6 invalid mem access 'scalar'

-- case packet pointers behind one that doesn't
-- funcs
10 f global ctx
-- asm
r6 = *(u32 *)(r1 + 0)
r7 = *(u32 *)(r1 + 4)
r2 = r6
r2 += 1
if r2 > r7 goto l
call f
r0 = *(u8 *)(r6 + 0)
exit
l: r0 = 0
exit
f: r0 = 0
exit
-- accept

-- case all functions' stacks together
-- funcs
4 f global scalar
-- asm
*(u64 *)(r10 - 400) = 0
r1 = 0
call f
exit
f: *(u64 *)(r10 - 400) = 0
r0 = 0
exit
-- reject
EACCES insn 0: combined stack size of 2 calls is 800. Too large

-- case a global function as callback
-- funcs
7 cb global scalar scalar
-- asm
r1 = 1
r2 = func cb ll
r3 = 0
r4 = 0
call 181
exit
cb: r0 = 0
exit
-- reject
EINVAL insn 1: callback function not static
