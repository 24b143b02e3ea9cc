Context fields, from where programs see them to where the runner has them.

-- case xdp: packet pointers are 64 bits wide
-- type
xdp
-- asm
r2 = *(u32 *)(r1 +0)
r3 = *(u32 *)(r1 +4)
r6 = *(u32 *)(r1 +12)
r7 = *(u32 *)(r1 +16)
r0 = 1
r4 = r2
r4 += 1
if r4 > r3 goto out
r0 = *(u8 *)(r2 +0)
out:
r0 += r6
r0 += r7
exit
-- after ctx_access
   0: r2 = *(u64 *)(r1 +0)
   1: r3 = *(u64 *)(r1 +8)
   2: r6 = *(u32 *)(r1 +92)
   3: r7 = *(u32 *)(r1 +96)
   4: r0 = 1
   5: r4 = r2
   6: r4 += 1
   7: if r4 > r3 goto +1
   8: r0 = *(u8 *)(r2 +0)
   9: r0 += r6
  10: r0 += r7
  11: exit

-- case xdp: metadata
-- type
xdp
-- asm
r2 = *(u32 *)(r1 +8)
r3 = *(u32 *)(r1 +0)
r0 = 1
r4 = r2
r4 += 4
if r4 > r3 goto out
r0 = *(u32 *)(r2 +0)
out:
exit
-- after ctx_access
   0: r2 = *(u64 *)(r1 +16)
   1: r3 = *(u64 *)(r1 +0)
   2: r0 = 1
   3: r4 = r2
   4: r4 += 4
   5: if r4 > r3 goto +1
   6: r0 = *(u32 *)(r2 +0)
   7: exit

-- case packet: as it is
-- type
packet
-- asm
r2 = *(u64 *)(r1 +0)
r3 = *(u64 *)(r1 +8)
r4 = *(u32 *)(r1 +20)
r4 += 1
*(u32 *)(r1 +20) = r4
r5 = *(u8 *)(r1 +50)
r0 = 1
r4 = r2
r4 += 1
if r4 > r3 goto out
r0 = 0
out:
exit
-- skip
r
-- after ctx_access
   0: r2 = *(u64 *)(r1 +0)
   1: r3 = *(u64 *)(r1 +8)
   2: r4 = *(u32 *)(r1 +20)
   3: r4 += 1
   4: *(u32 *)(r1 +20) = r4
   5: r5 = *(u8 *)(r1 +50)
   6: r0 = 1
   7: r4 = r2
   8: r4 += 1
   9: if r4 > r3 goto +1
  10: r0 = 0
  11: exit

-- case tc: stores to fields of 16 bits; what isn't a queue isn't stored
-- type
sched_cls
-- asm
r2 = 7
*(u32 *)(r1 +44) = r2
*(u32 *)(r1 +72) = 9
*(u32 *)(r1 +12) = r2
*(u32 *)(r1 +12) = 5
*(u32 *)(r1 +12) = 65535
*(u32 *)(r1 +12) = -1
*(u16 *)(r1 +50) = 3
*(u64 *)(r1 +56) = r2
*(u64 *)(r1 +152) = r2
r0 = *(u8 *)(r1 +17)
exit
-- skip
r
-- after ctx_access
   0: r2 = 7
   1: *(u16 *)(r1 +128) = r2
   2: *(u16 *)(r1 +132) = 9
   3: if r2 >= 65535 goto +1
   4: *(u16 *)(r1 +104) = r2
   5: *(u16 *)(r1 +104) = 5
   6: *(u16 *)(r1 +104) = -1
   7: *(u16 *)(r1 +138) = 3
   8: *(u64 *)(r1 +144) = r2
   9: *(u64 *)(r1 +48) = r2
  10: r0 = *(u8 *)(r1 +109)
  11: exit

-- case a parted load of a field behind a known offset
-- type
cgroup_skb
-- asm
r0 = *(u16 *)(r1 +134)
r0 = *(s8 *)(r1 +11)
r0 &= 1
exit
-- skip
r
-- after ctx_access
   0: r0 = *(u16 *)(r1 +274)
   1: r0 = *(s8 *)(r1 +79)
   2: r0 &= 1
   3: exit
