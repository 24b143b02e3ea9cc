Legacy packet loads become checked loads.

-- case near, far, behind the end of all packets, from a header
-- type
socket_filter
-- asm
r6 = r1
r0 = *(u8 *)skb[12]
r0 = *(u32 *)skb[100000]
r0 = *(u16 *)skb[2147483647]
r0 = *(u16 *)skb[-1048576]
exit
-- skip
*
-- after legacy_load
   0: r6 = r1
   1: r1 = *(u32 *)(r6 +72)
   2: if r1 < 13 goto +3
   3: r1 = *(u64 *)(r6 +0)
   4: r0 = *(u8 *)(r1 +12)
   5: goto +2
   6: r0 = 0
   7: exit
   8: r1 = *(u32 *)(r6 +72)
   9: if r1 < 100004 goto +5
  10: r1 = *(u64 *)(r6 +0)
  11: r1 += 100000
  12: r0 = *(u32 *)(r1 +0)
  13: r0 = be32 r0
  14: goto +2
  15: r0 = 0
  16: exit
  17: r2 = 2147483647
  18: r1 = r6
  19: r3 = 2
  20: call 65554
  21: if r0 s>= 0 goto +2
  22: r0 = 0
  23: exit
  24: r2 = -1048576
  25: r1 = r6
  26: r3 = 2
  27: call 65554
  28: if r0 s>= 0 goto +2
  29: r0 = 0
  30: exit
  31: exit

-- case by a register
-- type
sched_cls
-- asm
r6 = r1
r7 = 3
r0 = *(u16 *)skb[r7 + 0]
r0 = *(u8 *)skb[r0 + -7]
exit
-- skip
*
-- after legacy_load
   0: r6 = r1
   1: r7 = 3
   2: w2 = w7
   3: if w2 s< 0 goto +9
   4: r1 = *(u32 *)(r6 +72)
   5: r3 = r2
   6: r3 += 2
   7: if r3 > r1 goto +9
   8: r1 = *(u64 *)(r6 +0)
   9: r1 += r2
  10: r0 = *(u16 *)(r1 +0)
  11: r0 = be16 r0
  12: goto +6
  13: r1 = r6
  14: r3 = 2
  15: call 65554
  16: if r0 s>= 0 goto +2
  17: r0 = 0
  18: exit
  19: w2 = w0
  20: w2 += -7
  21: if w2 s< 0 goto +8
  22: r1 = *(u32 *)(r6 +72)
  23: r3 = r2
  24: r3 += 1
  25: if r3 > r1 goto +8
  26: r1 = *(u64 *)(r6 +0)
  27: r1 += r2
  28: r0 = *(u8 *)(r1 +0)
  29: goto +6
  30: r1 = r6
  31: r3 = 1
  32: call 65554
  33: if r0 s>= 0 goto +2
  34: r0 = 0
  35: exit
  36: exit
