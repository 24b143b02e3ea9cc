/* Between the types whose context is struct __sk_buff: a table of fields from the columns of skb_fields.def. A file defines
 * SKB_COLUMN(socket_filter, tc, cgroup_skb) as the column that it wants, then includes skb_fields.def. */
#ifndef WEIR_PROGTYPE_SKB_H
#define WEIR_PROGTYPE_SKB_H

#include "progtype/types.h"
#include "weir/frame.h"

enum { SKB_BYTES = 192 }; /* of struct __sk_buff */

#define X 0
#define R CTX_READ
#define W CTX_WRITE

#define SKB(field, off, bytes, kind, flags, filter, tc, cgroup) \
	SKB_AS(field, field, off, bytes, kind, flags, filter, tc, cgroup)
#define SKB_AS(name_, field, off_, bytes, kind_, flags_, filter, tc, cgroup) \
	{ \
		.name = #name_, \
		.off = off_, \
		.size = bytes, \
		.native_off = offsetof(struct weir_frame, field), \
		.native_size = sizeof(((struct weir_frame *)NULL)->field), \
		.kind = kind_, \
		.flags = (flags_) | (SKB_COLUMN(filter, tc, cgroup)), \
	},
#define SKB_ABSENT(name_, off_, bytes, filter, tc, cgroup) \
	{ \
		.name = #name_, \
		.off = off_, \
		.size = bytes, \
		.flags = (SKB_COLUMN(filter, tc, cgroup)) ? CTX_ABSENT : 0, \
	},

#endif
