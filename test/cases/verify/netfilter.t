Programs of type netfilter reach little of what their context points to.

-- case hook and protocol family
-- type
netfilter
-- asm
r2 = *(u64 *)(r1 +0)
r0 = *(u8 *)(r2 +0)
r3 = *(u8 *)(r2 +1)
r0 += r3
r0 &= 1
exit
-- accept

-- case no interface
-- type
netfilter
-- asm
r2 = *(u64 *)(r1 +0)
r0 = *(u64 *)(r2 +8)
r0 = 0
exit
-- reject
EACCES insn 1: access to struct nf_hook_state at off=8 size=8: only hook and pf are here, a byte each at 0 and 1
-- kernel
accepts

-- case state is read only
-- type
netfilter
-- asm
r2 = *(u64 *)(r1 +0)
*(u8 *)(r2 +0) = 1
r0 = 0
exit
-- reject
EACCES insn 1: only read is supported

-- case no field of the packet
-- type
netfilter
-- asm
r2 = *(u64 *)(r1 +8)
r0 = *(u32 *)(r2 +112)
r0 = 0
exit
-- reject
EACCES insn 1: access to struct sk_buff at off=112: only kernel functions know it here, such as bpf_dynptr_from_skb
-- kernel
accepts

-- case pointers don't move
-- type
netfilter
-- asm
r2 = *(u64 *)(r1 +8)
r2 += r1
r0 = 0
exit
-- reject
EACCES insn 1: R2 pointer += pointer prohibited

-- case accept or drop
-- type
netfilter
-- asm
r0 = 2
exit
-- reject
EINVAL insn 1: At program exit the register R0 has smin=2 smax=2 should have been in [0, 1]

-- case a dynptr of the packet
-- type
netfilter
-- asm
r1 = *(u64 *)(r1 +8)
r2 = 0
r3 = r10
r3 += -16
call kfunc#131072
r0 = 1
exit
-- accept
-- kernel
refuses

-- case a dynptr of the context
-- type
netfilter
-- asm
r2 = 0
r3 = r10
r3 += -16
call kfunc#131072
r0 = 1
exit
-- reject
EACCES insn 3: R1 type=ctx expected=trusted_ptr_sk_buff
-- kernel
says is not a function
