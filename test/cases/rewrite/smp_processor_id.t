The number of the CPU is a load from the head of its range.

-- asm
call 8
r6 = r0
call 8
r0 += r6
exit
-- after smp_processor_id
   0: r0 = 0
   1: r0 = &(void __percpu *)(r0)
   2: r0 = *(u32 *)(r0 +0)
   3: r6 = r0
   4: r0 = 0
   5: r0 = &(void __percpu *)(r0)
   6: r0 = *(u32 *)(r0 +0)
   7: r0 += r6
   8: exit
