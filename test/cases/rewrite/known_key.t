Lookups with a key that is known, or known to be in range. The null check that is decided goes with
dead_code.

-- case percpu_array, constant key: only the address
-- maps
counts percpu_array 4 8 4
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r1 = *(u64 *)(r0 +0)
r1 += 1
*(u64 *)(r0 +0) = r1
out:
r0 = 0
exit
-- after map_lookup
   0: *(u32 *)(r10 -4) = 0
   1: r2 = r10
   2: r2 += -4
   3: r1 = map[0] ll
   5: r0 = 64
   6: r0 = &(void __percpu *)(r0)
   7: if r0 == 0 goto +3
   8: r1 = *(u64 *)(r0 +0)
   9: r1 += 1
  10: *(u64 *)(r0 +0) = r1
  11: r0 = 0
  12: exit
-- after dead_code
   0: *(u32 *)(r10 -4) = 0
   1: r2 = r10
   2: r2 += -4
   3: r1 = map[0] ll
   5: r0 = 64
   6: r0 = &(void __percpu *)(r0)
   7: r1 = *(u64 *)(r0 +0)
   8: r1 += 1
   9: *(u64 *)(r0 +0) = r1
  10: r0 = 0
  11: exit
-- after dead_store
   0: r0 = 64
   1: r0 = &(void __percpu *)(r0)
   2: r1 = *(u64 *)(r0 +0)
   3: r1 += 1
   4: *(u64 *)(r0 +0) = r1
   5: r0 = 0
   6: exit
-- after map_addr
   0: r0 = 64
   1: r0 = &(void __percpu *)(r0)
   2: r1 = *(u64 *)(r0 +0)
   3: r1 += 1
   4: *(u64 *)(r0 +0) = r1
   5: r0 = 0
   6: exit

-- case percpu_array, constant key 3: an offset within the map
-- maps
wide percpu_array 4 20 4
-- asm
*(u32 *)(r10 -8) = 3
r2 = r10
r2 += -8
r1 = map[0] ll
call 1
if r0 == 0 goto out
*(u32 *)(r0 +4) = 5
out:
r0 = 0
exit
-- after dead_store
   0: r0 = 136
   1: r0 = &(void __percpu *)(r0)
   2: *(u32 *)(r0 +4) = 5
   3: r0 = 0
   4: exit

-- case array, constant key: the value's address
-- maps
values array 4 24 4
-- asm
*(u32 *)(r10 -4) = 2
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r0 = *(u64 *)(r0 +16)
exit
out:
r0 = 1
exit
-- after map_lookup
   0: *(u32 *)(r10 -4) = 2
   1: r2 = r10
   2: r2 += -4
   3: r1 = map[0] ll
   5: r0 = map[0]+48 ll
   7: if r0 == 0 goto +2
   8: r0 = *(u64 *)(r0 +16)
   9: exit
  10: r0 = 1
  11: exit
-- after dead_store
   0: r0 = map[0]+48 ll
   2: r0 = *(u64 *)(r0 +16)
   3: exit
-- after map_addr
   0: r0 = ADDRESS ll
   2: r0 = *(u64 *)(r0 +16)
   3: exit

-- case array, a key that fits always: no check
-- maps
values array 4 8 1024
-- asm
r0 = *(u32 *)(r1 +0)
r0 &= 1023
*(u32 *)(r10 -4) = r0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
if r0 == 0 goto out
r0 = *(u64 *)(r0 +0)
exit
out:
r0 = 1
exit
-- after map_lookup
   0: r0 = *(u32 *)(r1 +0)
   1: r0 &= 1023
   2: *(u32 *)(r10 -4) = r0
   3: r2 = r10
   4: r2 += -4
   5: r1 = map[0] ll
   7: r0 = *(u32 *)(r10 -4)
   8: r0 <<= 3
   9: r1 = map[0]+0 ll
  11: r0 += r1
  12: if r0 == 0 goto +2
  13: r0 = *(u64 *)(r0 +0)
  14: exit
  15: r0 = 1
  16: exit
-- after dead_store
   0: r0 = *(u32 *)(r1 +0)
   1: r0 &= 1023
   2: *(u32 *)(r10 -4) = r0
   3: r0 = *(u32 *)(r10 -4)
   4: r0 <<= 3
   5: r1 = map[0]+0 ll
   7: r0 += r1
   8: r0 = *(u64 *)(r0 +0)
   9: exit

-- case the check asks for not NULL, of a copy
-- maps
values array 4 8 16
-- asm
*(u32 *)(r10 -4) = 1
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
r6 = r0
r0 = 7
if r6 != 0 goto hit
r0 = 8
exit
hit:
r1 = *(u64 *)(r6 +0)
r0 += r1
exit
-- after dead_code
   0: *(u32 *)(r10 -4) = 1
   1: r2 = r10
   2: r2 += -4
   3: r1 = map[0] ll
   5: r0 = map[0]+8 ll
   7: r6 = r0
   8: r0 = 7
   9: r1 = *(u64 *)(r6 +0)
  10: r0 += r1
  11: exit

-- case another path comes to the check: it stays
-- skip
p
-- maps
values array 4 8 16
-- asm
r6 = *(u32 *)(r1 +0)
r0 = 0
if r6 == 0 goto check
*(u32 *)(r10 -4) = 1
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
check:
if r0 == 0 goto out
r0 = *(u64 *)(r0 +0)
exit
out:
r0 = 1
exit
-- after dead_code
   0: r6 = *(u32 *)(r1 +0)
   1: r0 = 0
   2: if r6 == 0 goto +7
   3: *(u32 *)(r10 -4) = 1
   4: r2 = r10
   5: r2 += -4
   6: r1 = map[0] ll
   8: r0 = map[0]+8 ll
  10: if r0 == 0 goto +2
  11: r0 = *(u64 *)(r0 +0)
  12: exit
  13: r0 = 1
  14: exit


-- case a call between lookup and check: its result is another
-- maps
values array 4 8 16
-- asm
*(u32 *)(r10 -4) = 1
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
r6 = r0
call 7
if r0 == 0 goto out
r0 = 5
if r6 == 0 goto out
r0 = *(u64 *)(r6 +0)
out:
exit
-- after dead_code
   0: *(u32 *)(r10 -4) = 1
   1: r2 = r10
   2: r2 += -4
   3: r1 = map[0] ll
   5: r0 = map[0]+8 ll
   7: r6 = r0
   8: call 7
   9: if r0 == 0 goto +2
  10: r0 = 5
  11: r0 = *(u64 *)(r6 +0)
  12: exit

-- case null checks of a value that is there, one through the stack: both go
-- maps
counts array 4 8 4
-- asm
*(u32 *)(r10 -4) = 0
r2 = r10
r2 += -4
r1 = map[0] ll
call 1
*(u64 *)(r10 -16) = r0
r1 = *(u64 *)(r10 -16)
if r1 != 0 goto out
if r0 == 0 goto null
r0 = 1
exit
null:
r0 = 2
exit
out:
r0 = 0
exit
-- after dead_code
   0: *(u32 *)(r10 -4) = 0
   1: r2 = r10
   2: r2 += -4
   3: r1 = map[0] ll
   5: r0 = map[0]+0 ll
   7: *(u64 *)(r10 -16) = r0
   8: r1 = *(u64 *)(r10 -16)
   9: r0 = 0
  10: exit
