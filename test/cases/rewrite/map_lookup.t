Lookups without a call.

-- case array, constant key beyond the end: checked at run time
-- maps
values array 4 8 4
-- asm
*(u32 *)(r10 -4) = 4
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
   0: *(u32 *)(r10 -4) = 4
   1: r2 = r10
   2: r2 += -4
   3: r1 = map[0] ll
   5: r0 = *(u32 *)(r10 -4)
   6: if w0 >= 4 goto +5
   7: r0 <<= 3
   8: r1 = map[0]+0 ll
  10: r0 += r1
  11: goto +1
  12: r0 = 0
  13: if r0 == 0 goto +2
  14: r0 = *(u64 *)(r0 +0)
  15: exit
  16: r0 = 1
  17: exit

-- case array, any key
-- maps
values array 4 8 1000
-- asm
r0 = *(u32 *)(r1 +0)
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
   1: *(u32 *)(r10 -4) = r0
   2: r2 = r10
   3: r2 += -4
   4: r1 = map[0] ll
   6: r0 = *(u32 *)(r10 -4)
   7: if w0 >= 1000 goto +5
   8: r0 <<= 3
   9: r1 = map[0]+0 ll
  11: r0 += r1
  12: goto +1
  13: r0 = 0
  14: if r0 == 0 goto +2
  15: r0 = *(u64 *)(r0 +0)
  16: exit
  17: r0 = 1
  18: exit
-- after dead_store
   0: r0 = *(u32 *)(r1 +0)
   1: *(u32 *)(r10 -4) = r0
   2: r0 = *(u32 *)(r10 -4)
   3: if w0 >= 1000 goto +7
   4: r0 <<= 3
   5: r1 = map[0]+0 ll
   7: r0 += r1
   8: if r0 == 0 goto +2
   9: r0 = *(u64 *)(r0 +0)
  10: exit
  11: r0 = 1
  12: exit

-- case percpu_array, any key, values of 24 bytes
-- maps
values percpu_array 4 24 1000
-- asm
r0 = *(u32 *)(r1 +0)
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
   1: *(u32 *)(r10 -4) = r0
   2: r2 = r10
   3: r2 += -4
   4: r1 = map[0] ll
   6: r0 = *(u32 *)(r10 -4)
   7: if w0 >= 1000 goto +4
   8: r0 *= 24
   9: r0 += 64
  10: r0 = &(void __percpu *)(r0)
  11: goto +1
  12: r0 = 0
  13: if r0 == 0 goto +2
  14: r0 = *(u64 *)(r0 +0)
  15: exit
  16: r0 = 1
  17: exit

-- case a key that isn't on the stack: loaded through r2
-- maps
values array 4 8 16
-- asm
r2 = r1
r1 = map[0] ll
call 1
if r0 == 0 goto out
r0 = *(u64 *)(r0 +0)
exit
out:
r0 = 1
exit
-- after map_lookup
   0: r2 = r1
   1: r1 = map[0] ll
   3: r0 = *(u32 *)(r2 +0)
   4: if w0 >= 16 goto +5
   5: r0 <<= 3
   6: r1 = map[0]+0 ll
   8: r0 += r1
   9: goto +1
  10: r0 = 0
  11: if r0 == 0 goto +2
  12: r0 = *(u64 *)(r0 +0)
  13: exit
  14: r0 = 1
  15: exit

-- case two maps by path: the helper decides at run time
-- maps
one array 4 8 16
two array 4 8 16
-- asm
r6 = *(u32 *)(r1 +0)
*(u32 *)(r10 -4) = 1
r2 = r10
r2 += -4
r1 = map[0] ll
if r6 == 0 goto +2
r1 = map[1] ll
call 1
if r0 == 0 goto out
r0 = *(u64 *)(r0 +0)
exit
out:
r0 = 1
exit
-- after map_lookup
   0: r6 = *(u32 *)(r1 +0)
   1: *(u32 *)(r10 -4) = 1
   2: r2 = r10
   3: r2 += -4
   4: r1 = map[0] ll
   6: if r6 == 0 goto +2
   7: r1 = map[1] ll
   9: call 1
  10: if r0 == 0 goto +2
  11: r0 = *(u64 *)(r0 +0)
  12: exit
  13: r0 = 1
  14: exit

-- case hash, keys of 8 bytes: the lookup made for them
-- maps
table hash 8 16 100
-- asm
*(u64 *)(r10 -8) = 1
r2 = r10
r2 += -8
r1 = map[0] ll
call 1
if r0 == 0 goto out
r0 = *(u64 *)(r0 +8)
exit
out:
r0 = 1
exit
-- after map_lookup
   0: *(u64 *)(r10 -8) = 1
   1: r2 = r10
   2: r2 += -8
   3: r1 = map[0] ll
   5: call 65537
   6: if r0 == 0 goto +2
   7: r0 = *(u64 *)(r0 +8)
   8: exit
   9: r0 = 1
  10: exit

-- case percpu_hash: the address behind the program's null check
-- maps
table percpu_hash 4 8 100
-- asm
*(u32 *)(r10 -4) = 1
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
   0: *(u32 *)(r10 -4) = 1
   1: r2 = r10
   2: r2 += -4
   3: r1 = map[0] ll
   5: call 65540
   6: if r0 == 0 goto +3
   7: r0 = &(void __percpu *)(r0)
   8: r0 = *(u64 *)(r0 +0)
   9: exit
  10: r0 = 1
  11: exit

-- case lru_hash: the lookup that marks
-- maps
table lru_hash 8 8 100
-- asm
*(u64 *)(r10 -8) = 1
r2 = r10
r2 += -8
r1 = map[0] ll
call 1
if r0 == 0 goto out
r0 = *(u64 *)(r0 +0)
exit
out:
r0 = 1
exit
-- after map_lookup
   0: *(u64 *)(r10 -8) = 1
   1: r2 = r10
   2: r2 += -8
   3: r1 = map[0] ll
   5: call 65546
   6: if r0 == 0 goto +2
   7: r0 = *(u64 *)(r0 +0)
   8: exit
   9: r0 = 1
  10: exit

-- case lru_percpu_hash: the lookup that marks
-- maps
table lru_percpu_hash 4 8 100
-- asm
*(u32 *)(r10 -4) = 1
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
   0: *(u32 *)(r10 -4) = 1
   1: r2 = r10
   2: r2 += -4
   3: r1 = map[0] ll
   5: call 65549
   6: if r0 == 0 goto +3
   7: r0 = &(void __percpu *)(r0)
   8: r0 = *(u64 *)(r0 +0)
   9: exit
  10: r0 = 1
  11: exit

-- case percpu_hash: another jump comes to behind the null check
-- maps
table percpu_hash 12 8 100
-- asm
r6 = 3
*(u64 *)(r10 -16) = 1
*(u32 *)(r10 -8) = 1
r2 = r10
r2 += -16
r1 = map[0] ll
call 1
if r0 == 0 goto out
again:
*(u64 *)(r0 +0) = 1
r6 += -1
if r6 != 0 goto again
out:
r0 = 0
exit
-- after map_lookup
   0: r6 = 3
   1: *(u64 *)(r10 -16) = 1
   2: *(u32 *)(r10 -8) = 1
   3: r2 = r10
   4: r2 += -16
   5: r1 = map[0] ll
   7: call 65543
   8: if r0 == 0 goto +1
   9: r0 = &(void __percpu *)(r0)
  10: if r0 == 0 goto +3
  11: *(u64 *)(r0 +0) = 1
  12: r6 += -1
  13: if r6 != 0 goto -3
  14: r0 = 0
  15: exit
