/* Ring buffers, for the helpers. What was reserved is given back with ring_commit. */
#ifndef WEIR_MAP_RINGBUF_H
#define WEIR_MAP_RINGBUF_H

#include "map/map.h"

/* The kernel's BPF_RB_AVAIL_DATA ... */
enum ringbuf_query { RINGBUF_AVAIL_DATA, RINGBUF_RING_SIZE, RINGBUF_CONS_POS, RINGBUF_PROD_POS };

void *ringbuf_reserve(struct map *m, u64 bytes); /* NULL: no room */
int ringbuf_output(struct map *m, const void *data, u64 bytes, u64 flags); /* 0, -EAGAIN */
u64 ringbuf_query(const struct map *m, u64 what); /* 0 for what nobody knows */

#endif
