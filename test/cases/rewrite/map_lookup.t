Lookups without a call. The null check that is decided goes with dead_code.

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
-- after dead_code
-- after dead_store
-- after map_addr

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
-- after dead_store
-- after map_addr

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
-- after dead_store

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
-- after dead_store

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

-- case another path comes to the check: it stays
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

-- case percpu_hash: another jump comes to behind the null check
-- maps
table percpu_hash 12 8 100
-- asm
*(u64 *)(r10 -16) = 1
*(u32 *)(r10 -8) = 1
r2 = r10
r2 += -16
r1 = map[0] ll
call 1
if r0 == 0 goto +3
again:
r1 = *(u64 *)(r0 +0)
r1 += -1
*(u64 *)(r0 +0) = r1
if r0 == 0 goto again
r0 = 0
exit
-- after map_lookup
