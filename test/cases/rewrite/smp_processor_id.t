The number of the CPU is a load from the head of its range.

-- asm
call 8
r6 = r0
call 8
r0 += r6
exit
-- after smp_processor_id
