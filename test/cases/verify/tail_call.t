Tail calls: what they may be given, what is known behind them, how deep they may be.

-- case a tail call that isn't made goes on
-- maps
calls prog_array 4 4 8
-- asm
r2 = map[0] ll
r3 = 1
call 12
r0 = 1
exit
-- accept

-- case no result
-- maps
calls prog_array 4 4 8
-- asm
r2 = map[0] ll
r3 = 1
call 12
exit
-- reject
EACCES insn 4: R0 !read_ok

-- case the context must be the context
-- maps
calls prog_array 4 4 8
-- asm
r1 = r10
r2 = map[0] ll
r3 = 1
call 12
r0 = 1
exit
-- reject
EACCES insn 4: R1 type=fp expected=ctx

-- case a map of another type
-- maps
calls array 4 4 8
-- asm
r2 = map[0] ll
r3 = 1
call 12
r0 = 1
exit
-- reject
EINVAL insn 3: expected prog array map for tail call

-- case a prog array can't be looked into
-- maps
calls prog_array 4 4 8
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
r0 = 1
exit
-- reject
EINVAL insn 5: cannot pass map_type 3 into func bpf_map_lookup_elem#1

-- case no pointers as index
-- maps
calls prog_array 4 4 8
-- asm
r2 = map[0] ll
r3 = r10
call 12
r0 = 1
exit
-- reject
EACCES insn 3: R3 leaks addr into helper function
-- kernel
accepts

-- case the values of a prog array have no address
-- maps
calls prog_array 4 4 8
-- asm
r1 = map[0]+0 ll
r0 = 1
exit
-- reject
EINVAL insn 0: direct value access is not supported by map type prog_array
-- kernel
says no direct value access support for this map type

-- case a packet pointer behind a tail call that wasn't made
-- maps
calls prog_array 4 4 8
-- asm
r6 = *(u32 *)(r1 +0)
r7 = *(u32 *)(r1 +4)
r2 = r6
r2 += 14
if r2 > r7 goto +5
r2 = map[0] ll
r3 = 1
call 12
r0 = *(u8 *)(r6 +0)
r0 = 1
exit
-- accept

-- case in a subprogram: any result
-- maps
calls prog_array 4 4 8
values array 4 8 1
-- asm
call pc+5
r2 = map[1]+0 ll
r2 += r0
r0 = *(u8 *)(r2 +0)
exit
r2 = map[0] ll
r3 = 1
call 12
r0 = 0
exit
-- reject
EINVAL insn 3: math between map_value pointer and register with unbounded min value is not allowed

-- case in a subprogram: packet pointers of the caller
-- maps
calls prog_array 4 4 8
-- asm
r6 = *(u32 *)(r1 +0)
r7 = *(u32 *)(r1 +4)
r2 = r6
r2 += 14
if r2 > r7 goto +2
call pc+3
r0 = *(u8 *)(r6 +0)
r0 = 1
exit
r2 = map[0] ll
r3 = 1
call 12
r0 = 0
exit
-- reject
EACCES insn 6: R6 invalid mem access 'scalar'

-- case in a subprogram, its callers small
-- maps
calls prog_array 4 4 8
-- asm
*(u64 *)(r10 -240) = 0
call pc+1
exit
r2 = map[0] ll
r3 = 1
call 12
r0 = 0
exit
-- accept

-- case in a subprogram, its callers large
-- maps
calls prog_array 4 4 8
-- asm
*(u64 *)(r10 -248) = 0
call pc+1
exit
r2 = map[0] ll
r3 = 1
call 12
r0 = 0
exit
-- reject
EACCES insn 6: tail_calls are not allowed when call stack of previous frames is 256 bytes. Too large

-- case in the third of subprograms, its callers large
-- maps
calls prog_array 4 4 8
-- asm
*(u64 *)(r10 -128) = 0
call pc+1
exit
*(u64 *)(r10 -128) = 0
call pc+1
exit
r2 = map[0] ll
r3 = 1
call 12
r0 = 0
exit
-- reject
EACCES insn 9: tail_calls are not allowed when call stack of previous frames is 256 bytes. Too large

-- case behind a tail call in a subprogram everything goes on
-- maps
calls prog_array 4 4 8
-- asm
r6 = 1
call pc+3
if r6 != 1 goto +1
r0 = 0
exit
r2 = map[0] ll
r3 = 1
call 12
r0 = 0
exit
-- accept
