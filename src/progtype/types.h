/* Between the files of progtype/: one row each, and what rows share. */
#ifndef WEIR_PROGTYPE_TYPES_H
#define WEIR_PROGTYPE_TYPES_H

#include "progtype/progtype.h"

extern const struct prog_type_ops prog_type_raw;
extern const struct prog_type_ops prog_type_packet;
extern const struct prog_type_ops prog_type_socket_filter;
extern const struct prog_type_ops prog_type_sched_cls;
extern const struct prog_type_ops prog_type_sched_act;
extern const struct prog_type_ops prog_type_xdp;
extern const struct prog_type_ops prog_type_cgroup_skb;
extern const struct prog_type_ops prog_type_netfilter;

/* What of weir_frame.inside is what, of netfilter programs. */
enum { FRAME_INSIDE_STATE = 0, FRAME_INSIDE_SKB = 1 };

/* Numbers of kernel functions, as in kfuncs.def: the first of all, and those that aren't for every type. */
enum { KFUNC_FIRST = 0x20000, KFUNC_dynptr_from_skb = 0x20000, KFUNC_dynptr_from_xdp = 0x20001 };

/* Helpers that the kernel gives to programs of every type. */
bool helper_in_base_set(u32 helper_id);
/* Those that it gives to every type of network program besides. */
bool helper_in_socket_set(u32 helper_id);
/* Those of socket_filter, which cgroup_skb has too. */
bool helper_in_socket_filter_set(u32 helper_id);

static inline bool helper_in(const u16 *set, size_t nr, u32 helper_id)
{
	for (size_t i = 0; i < nr; i++)
		if (set[i] == helper_id)
			return true;
	return false;
}

#endif
