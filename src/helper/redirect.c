/* Sending packets elsewhere: what was asked for is left in the frame, for whoever runs the program. */
#include <string.h>

#include "helper/packet.h"

enum {
	XDP_ABORTED_RESULT = 0,
	XDP_REDIRECT_RESULT = 4,
	TC_SHOT_RESULT = 2,
	TC_REDIRECT_RESULT = 7
};
enum { INGRESS = 1 << 0 }; /* BPF_F_INGRESS */
enum { NEIGH_BYTES = 20 }; /* of struct bpf_redir_neigh: family, next hop */

static struct weir_frame *frame_here(void)
{
	return cpu_head_here()->frame;
}

/* Without a verifier programs of any type may call this. */
static void redirect_to(struct weir_frame *f, enum weir_redirect kind, u64 ifindex, u64 flags)
{
	if (!f)
		return;
	f->redirect = kind;
	f->redirect_ifindex = (u32)ifindex;
	f->redirect_flags = flags;
}

u64 helper_redirect(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	bool xdp = cpu_head_here()->frame_type == PROG_TYPE_XDP;

	if (r2 & ~(xdp ? 0 : (u64)INGRESS))
		return xdp ? XDP_ABORTED_RESULT : TC_SHOT_RESULT;
	redirect_to(frame_here(), WEIR_REDIRECT_IFINDEX, r1, r2);
	return xdp ? XDP_REDIRECT_RESULT : TC_REDIRECT_RESULT;
}

u64 helper_redirect_peer(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	if (r2)
		return TC_SHOT_RESULT;
	redirect_to(frame_here(), WEIR_REDIRECT_PEER, r1, r2);
	return TC_REDIRECT_RESULT;
}

u64 helper_redirect_neigh(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5 UNUSED_ARG)
{
	struct weir_frame *f = frame_here();
	u32 bytes = (u32)r3;

	if ((bytes && bytes < NEIGH_BYTES) || r4)
		return TC_SHOT_RESULT;
	redirect_to(f, WEIR_REDIRECT_NEIGH, r1, r4);
	f->redirect_family = 0;
	if (bytes) {
		memcpy(&f->redirect_family, memory_of(r2), sizeof(f->redirect_family));
		memcpy(f->redirect_next_hop, (const u8 *)memory_of(r2) + sizeof(f->redirect_family),
			sizeof(f->redirect_next_hop));
	}
	return TC_REDIRECT_RESULT;
}

u64 helper_clone_redirect(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	const struct weir_env *env = cpu_head_here()->env;
	const struct weir_frame *f = frame_of(r1);

	if (r3 & ~(u64)INGRESS)
		return fails(EINVAL);
	/* Of segments nobody knows which kind they are. */
	if (f->gso_size)
		return fails(EBADMSG);
	return env && env->clone_redirect ? (u64)(s64)env->clone_redirect(env->arg, f, (u32)r2, r3)
					  : 0;
}
