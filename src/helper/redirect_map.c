/* Sending packets to an entry of a map: what was asked for is left in the frame, for whoever runs the program. */
#include "cpu/cpu.h"
#include "helper/functions.h"
#include "map/map.h"
#include "weir/frame.h"

enum { XDP_ABORTED = 0, XDP_REDIRECT = 4, ACTION_MASK = 3 /* aborted, drop, pass, tx */ };
enum { BROADCAST = 1 << 3, EXCLUDE_INGRESS = 1 << 4 }; /* BPF_F_... */

static u64 flags_of(const struct map *m)
{
	bool devices = m->spec.type == MAP_TYPE_DEVMAP || m->spec.type == MAP_TYPE_DEVMAP_HASH;

	return ACTION_MASK | (devices ? BROADCAST | EXCLUDE_INGRESS : 0);
}

/* The lower flags say what becomes of the packet where there is no entry. The last call counts. */
u64 helper_redirect_map(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct map *m = (struct map *)(uintptr_t)r1;
	struct weir_frame *frame = ((struct cpu_head *)cpu_self())->frame;
	u32 key = (u32)r2;

	if (r3 & ~flags_of(m))
		return XDP_ABORTED;
	if (!(r3 & BROADCAST) && !map_lookup(m, &key, cpu_self())) {
		frame->redirect = WEIR_REDIRECT_NONE;
		return r3 & ACTION_MASK;
	}
	frame->redirect = WEIR_REDIRECT_MAP;
	frame->redirect_map = m;
	frame->redirect_key = key;
	frame->redirect_flags = r3 & BROADCAST ? r3 & (BROADCAST | EXCLUDE_INGRESS) : 0;
	return XDP_REDIRECT;
}
