/* Ring buffer: records from programs to one consumer outside.
 *
 * What is promised: programs on all slots produce at once; reserving takes a lock for a few instructions, everything else
 * none. Records come out whole, in the order they were reserved. What doesn't fit is refused at once (reserve gives NULL,
 * output -EAGAIN). The descriptor becomes readable when a record is given back that the consumer waits for, not at
 * BPF_RB_NO_WAKEUP, always at BPF_RB_FORCE_WAKEUP; it stays so until weir_map_consume, and behind that as long as records
 * wait that could have been taken. One thread consumes at a time. */
#include <errno.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "map/refuse.h"
#include "map/ring.h"
#include "map/ringbuf.h"
#include "map/spec.h"

static int ringbuf_check_spec(const struct map_spec *spec, struct diag *d)
{
	u32 max = spec->max_entries;
	int err = spec_check_flags(spec, BPF_F_NUMA_NODE, d);

	if (err)
		return err;
	if (spec->key_size || spec->value_size)
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': key_size and value_size are %u and %u, must be 0 for type "
			"ringbuf",
			spec->name, spec->key_size, spec->value_size);
	if (!max || max & (max - 1) || max % RING_PAGE_BYTES)
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': max_entries is %u, type ringbuf needs a power of 2 and "
			"multiple of %d",
			spec->name, max, RING_PAGE_BYTES);
	return 0;
}

static void ringbuf_destroy(struct map *m)
{
	struct ring *r = m->priv;

	close(r->event);
	ring_free(r);
}

static int ringbuf_create(struct map *m)
{
	int event = ring_event_new();
	struct ring *ring = NULL;
	int err = event < 0 ? event : ring_new(m->spec.max_entries, event, &ring);

	m->priv = ring;
	if (err && event >= 0)
		close(event);
	return err;
}

static int ringbuf_consume(struct map *m, map_record_fn fn, void *arg, u64 *lost)
{
	struct ring *r = m->priv;

	if (lost)
		*lost = atomic_exchange_explicit(&r->lost, 0, memory_order_relaxed);
	ring_event_clear(r->event);
	int nr = ring_consume(r, 0, fn, arg);
	if (nr < 0 && ring_waiting(r))
		ring_event_set(r->event);
	return nr;
}

static int ringbuf_event(struct map *m)
{
	return ((struct ring *)m->priv)->event;
}

static u64 ringbuf_memory_bytes(const struct map *m)
{
	return m->spec.max_entries;
}

void *ringbuf_reserve(struct map *m, u64 bytes)
{
	return ring_reserve(m->priv, bytes);
}

int ringbuf_output(struct map *m, const void *data, u64 bytes, u64 flags)
{
	return ring_output(m->priv, data, bytes, NULL, 0, flags) ? 0 : -EAGAIN;
}

u64 ringbuf_query(const struct map *m, u64 what)
{
	const struct ring *r = m->priv;

	switch ((enum ringbuf_query)what) {
	case RINGBUF_AVAIL_DATA:
		return ring_waiting(r);
	case RINGBUF_RING_SIZE:
		return r->capacity;
	case RINGBUF_CONS_POS:
		return atomic_load_explicit(&r->consumed, memory_order_acquire);
	case RINGBUF_PROD_POS:
		return atomic_load_explicit(&r->produced, memory_order_acquire);
	}
	return 0;
}

const struct map_ops ringbuf_map_ops = {
	.name = "ringbuf",
	.check_spec = ringbuf_check_spec,
	.create = ringbuf_create,
	.destroy = ringbuf_destroy,
	.lookup = refuse_lookup,
	.update = refuse_update,
	.remove = refuse_remove,
	.read = refuse_read,
	.write = refuse_write,
	.next_key = refuse_next_key,
	.memory_bytes = ringbuf_memory_bytes,
	.event = ringbuf_event,
	.consume = ringbuf_consume,
};
