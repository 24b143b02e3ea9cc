Legacy packet loads: the context in r6, the result in r0, r1 ... r5 lost.

-- case socket filter
-- type
socket_filter
-- asm
r6 = r1
r0 = *(u16 *)skb[12]
r7 = r0
r0 = *(u8 *)skb[r7 + -3]
r0 += r7
exit
-- accept

-- case the walk doesn't know that a word has 32 bits
-- type
sched_cls
-- asm
r6 = r1
r0 = *(u32 *)skb[4]
r0 >>= 32
if r0 == 0 goto out
r0 = r5
out:
exit
-- reject
EACCES insn 4: R5 !read_ok

-- case not for xdp
-- asm
r6 = r1
r0 = *(u8 *)skb[0]
exit
-- reject
EINVAL insn 1: BPF_LD_[ABS|IND] instructions not allowed for this program type (code 0x30, dst 0, src 0, off 0, imm 0)
-- kernel
says BPF_LD_[ABS|IND] instructions not allowed for this program type

-- case not for cgroup_skb
-- type
cgroup_skb
-- asm
r6 = r1
r0 = *(u8 *)skb[0]
r0 &= 1
exit
-- reject
EINVAL insn 1: BPF_LD_[ABS|IND] instructions not allowed for this program type (code 0x30, dst 0, src 0, off 0, imm 0)
-- kernel
says BPF_LD_[ABS|IND] instructions not allowed for this program type

-- case r6 unknown
-- type
socket_filter
-- asm
r0 = *(u8 *)skb[0]
exit
-- reject
EACCES insn 0: R6 !read_ok

-- case r6 is something else
-- type
socket_filter
-- asm
r6 = 1
r0 = *(u8 *)skb[0]
exit
-- reject
EINVAL insn 1: at the time of BPF_LD_ABS|IND R6 != pointer to skb

-- case r6 moved
-- type
socket_filter
-- asm
r6 = r1
r6 += 4
r0 = *(u8 *)skb[0]
exit
-- reject
EACCES insn 2: dereference of modified ctx ptr R6 off=4 disallowed

-- case index unknown
-- type
socket_filter
-- asm
r6 = r1
r0 = *(u8 *)skb[r3 + 0]
exit
-- reject
EACCES insn 1: R3 !read_ok

-- case registers lost
-- type
socket_filter
-- asm
r6 = r1
r2 = 1
r0 = *(u8 *)skb[0]
r0 += r2
exit
-- reject
EACCES insn 3: R2 !read_ok

-- case in a subprogram that nothing is known of
-- type
socket_filter
-- asm
call sub
exit
sub:
r6 = r1
r0 = *(u8 *)skb[0]
exit
-- reject
EINVAL insn 3: LD_ABS is not allowed in subprogs without BTF
-- kernel
accepts
