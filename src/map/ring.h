/* A ring of records: many producers, one consumer, laid out as the kernel's ring buffer. Behind ringbuf and perf_event_array.
 *
 * A record is a header of 8 bytes and its data, at a multiple of 8; the data area is mapped twice, one behind the other, so
 * that each record is in one piece. A record is reserved under a lock, then filled without, then submitted or discarded. The
 * consumer reads records in the order they were reserved, and stops at the first that isn't given back yet. */
#ifndef WEIR_MAP_RING_H
#define WEIR_MAP_RING_H

#include <stdatomic.h>

#include "map/lock.h"
#include "map/map.h"

/* Bits of a record's length. */
#define RING_BUSY (1u << 31)
#define RING_DISCARD (1u << 30)
/* Flags of submit, discard, output. */
#define BPF_RB_NO_WAKEUP 1u
#define BPF_RB_FORCE_WAKEUP 2u

struct ring_header {
	_Atomic u32 len; /* of the data, and the bits above */
	u32 pages_back; /* from the header's page to the ring, in units of RING_PAGE_BYTES */
};

enum { RING_PAGE_BYTES = 4096, RING_HEADER_BYTES = 8 };

struct ring {
	u8 *data;     /* mapped twice */
	u64 mask;     /* bytes of the data area - 1 */
	u64 capacity; /* bytes that may be in use, at most that many */
	size_t mapped_bytes; /* from the ring on */
	int event;    /* borrowed eventfd: written when the consumer may be waiting */
	struct map_lock lock; /* reserving */
	u64 pending;  /* under the lock: everything before is given back */
	_Atomic u64 lost; /* records that there was no room for, since ring_lost */
	_Alignas(64) _Atomic u64 produced; /* positions count up for ever */
	_Alignas(64) _Atomic u64 consumed;
};

/* capacity: a power of 2 and multiple of RING_PAGE_BYTES. 0, -ENOMEM, or -errno where no descriptor can be had. */
int ring_new(u64 capacity, int event, struct ring **out);
void ring_free(struct ring *r); /* NULL ok */

/* Room for `bytes` of data, or NULL. Any thread. */
void *ring_reserve(struct ring *r, u64 bytes);
/* Gives back what ring_reserve returned, with bits RING_DISCARD or 0. */
void ring_commit(void *data, u32 bits, u64 flags);
/* All of it. Copies `first` and `second` one behind the other; false: no room. */
bool ring_output(struct ring *r, const void *first, u64 first_bytes, const void *second, u64 second_bytes, u64 flags);

/* Bytes that wait, headers and unfinished records included. */
u64 ring_waiting(const struct ring *r);
/* Hands waiting records to fn until it returns something negative; that, or how many. One thread at a time. */
int ring_consume(struct ring *r, u32 slot, map_record_fn fn, void *arg);

/* The descriptor of ring(s): non-blocking. Or -errno. */
int ring_event_new(void);
void ring_event_clear(int event);
void ring_event_set(int event);

#endif
