Maps become addresses: of a map, of a value, of a value's middle.

-- maps
table hash 4 8 16
values array 4 24 1
-- asm
*(u32 *)(r10 -4) = 1
r2 = r10
r2 += -4
r1 = map[0] ll
call 3
r6 = map[1]+0 ll
r7 = map[1]+8 ll
r0 = *(u64 *)(r6 +8)
r7 = *(u64 *)(r7 +8)
r0 += r7
exit
-- after map_addr
   0: *(u32 *)(r10 -4) = 1
   1: r2 = r10
   2: r2 += -4
   3: r1 = ADDRESS ll
   5: call 3
   6: r6 = ADDRESS ll
   8: r7 = ADDRESS ll
  10: r0 = *(u64 *)(r6 +8)
  11: r7 = *(u64 *)(r7 +8)
  12: r0 += r7
  13: exit
