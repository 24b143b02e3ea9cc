/* Questions about the network that the slot's environment answers: routes, MTUs. */
#include "base/bytes.h"
#include "helper/packet.h"

enum {
	FIB_BYTES = 64,
	FIB_FLAGS = 0x3f,
	FAMILY_IPV4 = 2,
	FAMILY_IPV6 = 10
}; /* struct bpf_fib_lookup; BPF_FIB_LOOKUP_... */
enum { CHECK_SEGMENTS = 1 << 0, MTU_OK = 0, MTU_TOO_BIG = 1 };

u64 helper_fib_lookup(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5 UNUSED_ARG)
{
	const struct weir_env *env = cpu_head_here()->env;
	u8 *params = memory_of(r2);
	u32 bytes = (u32)r3, flags = (u32)r4;

	if (bytes < FIB_BYTES || flags & ~(u32)FIB_FLAGS)
		return fails(EINVAL);
	if (params[0] != FAMILY_IPV4 && params[0] != FAMILY_IPV6)
		return fails(EAFNOSUPPORT);
	return env && env->fib_lookup
		       ? (u64)env->fib_lookup(env->arg, frame_of(r1), params, bytes, flags)
		       : fails(ENOTSUPP_KERNEL);
}

/* -1: there is no such interface. 0 is the packet's own. */
static s64 mtu_of(const struct weir_frame *f, u32 ifindex, bool xdp)
{
	const struct weir_env *env = cpu_head_here()->env;

	if (!ifindex)
		ifindex = xdp ? f->ingress_ifindex : f->ifindex;
	return env && env->mtu ? env->mtu(env->arg, ifindex) : -1;
}

u64 helper_check_mtu(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	const struct weir_frame *f = frame_of(r1);
	bool xdp = cpu_head_here()->frame_type == PROG_TYPE_XDP;
	u32 *mtu_len = memory_of(r3);

	if (r5 & ~(xdp ? 0 : (u64)CHECK_SEGMENTS))
		return fails(EINVAL);
	if (r5 && ((s32)r4 || *mtu_len))
		return fails(EINVAL);
	s64 mtu = mtu_of(f, (u32)r2, xdp);
	if (mtu < 0)
		return fails(ENODEV);
	u32 len = (*mtu_len ? *mtu_len + ETHER_BYTES : f->len) + (u32)r4;
	bool fits = (s32)len <= mtu + ETHER_BYTES || (!xdp && f->gso_size);
	*mtu_len = (u32)mtu;
	return fits ? MTU_OK : MTU_TOO_BIG;
}
