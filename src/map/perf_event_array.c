/* Perf event array: records from programs to a consumer outside, a ring for each slot that exists and has an entry. In the
 * kernel somebody opens an event for each CPU and puts it into the map; here they are there from the beginning.
 *
 * What is promised: a slot's program shares its ring with nobody, so producing waits for no one. Records of a slot come out
 * in order, those of different slots in no order. What doesn't fit is counted, and the count comes out with the next
 * consuming. One thread consumes at a time. */
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "cpu/cpu.h"
#include "map/index.h"
#include "map/perf_event_array.h"
#include "map/refuse.h"
#include "map/ring.h"
#include "map/spec.h"

#define BPF_F_PRESERVE_ELEMS (1u << 11)
#define BPF_F_CURRENT_CPU UINT32_MAX

enum { RING_BYTES = 256 << 10 }; /* address space of each slot; pages come when they are touched */

struct perf {
	int event;
	u32 nr;               /* of slots with an entry, absent ones included */
	struct ring *rings[]; /* NULL: absent */
};

static int perf_event_array_check_spec(const struct map_spec *spec, struct diag *d)
{
	if (spec->value_size != sizeof(u32))
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': value_size is %u bytes, an event of type %s has 4",
			spec->name, spec->value_size, map_type_name(spec->type));
	return index_check_spec(spec,
		BPF_F_NUMA_NODE | BPF_F_RDONLY | BPF_F_WRONLY | BPF_F_PRESERVE_ELEMS, INT_MAX, d);
}

static void free_rings(struct perf *p)
{
	for (u32 s = 0; s < p->nr; s++)
		ring_free(p->rings[s]);
	if (p->event >= 0)
		close(p->event);
	mem_free(p);
}

static int make_rings(struct perf *p, const struct cpus *c)
{
	int err = 0;

	for (u32 s = cpus_next(c, 0); !err && s < p->nr; s = cpus_next(c, s + 1))
		err = ring_new(RING_BYTES, p->event, &p->rings[s]);
	return err;
}

static int perf_event_array_create(struct map *m)
{
	u32 nr = cpus_nr(m->cpus) < m->spec.max_entries ? cpus_nr(m->cpus) : m->spec.max_entries;
	struct perf *p = mem_zalloc(sizeof(*p) + array_size(nr, sizeof(p->rings[0])));

	if (!p)
		return -ENOMEM;
	p->nr = nr;
	p->event = ring_event_new();
	int err = p->event < 0 ? p->event : make_rings(p, m->cpus);
	if (err) {
		free_rings(p);
		return err;
	}
	m->priv = p;
	return 0;
}

static void perf_event_array_destroy(struct map *m)
{
	free_rings(m->priv);
}

int perf_event_output(struct map *m, u64 index, const void *first, u64 first_bytes,
	const void *second, u64 second_bytes, const u8 *self)
{
	const struct perf *p = m->priv;
	u32 here = ((const struct cpu_head *)(const void *)self)->number;

	if (index == BPF_F_CURRENT_CPU)
		index = here;
	if (index >= m->spec.max_entries)
		return -E2BIG;
	if (index >= p->nr || !p->rings[index])
		return -ENOENT;
	if (index != here)
		return -EOPNOTSUPP;
	return ring_output(p->rings[index], first, first_bytes, second, second_bytes, 0) ? 0
											 : -ENOSPC;
}

static int perf_event_array_consume(struct map *m, map_record_fn fn, void *arg, u64 *lost)
{
	struct perf *p = m->priv;
	u64 waiting = 0, sum = 0;
	int nr = 0, err = 0;

	ring_event_clear(p->event);
	for (u32 s = 0; s < p->nr; s++) {
		struct ring *r = p->rings[s];

		if (!r)
			continue;
		if (err >= 0)
			err = ring_consume(r, s, fn, arg);
		nr += err > 0 ? err : 0;
		if (lost)
			sum += atomic_exchange_explicit(&r->lost, 0, memory_order_relaxed);
		waiting += ring_waiting(r);
	}
	if (lost)
		*lost = sum;
	if (err < 0 && waiting)
		ring_event_set(p->event);
	return err < 0 ? err : nr;
}

static int perf_event_array_event(struct map *m)
{
	return ((struct perf *)m->priv)->event;
}

static int perf_event_array_remove(struct map *m, const void *key)
{
	return index_of(key) < m->spec.max_entries ? -ENOENT : -E2BIG;
}

static u64 perf_event_array_memory_bytes(const struct map *m)
{
	const struct perf *p = m->priv;
	u64 bytes = 0;

	for (u32 s = 0; s < p->nr; s++)
		bytes += p->rings[s] ? RING_BYTES : 0;
	return bytes;
}

const struct map_ops perf_event_array_map_ops = {
	.name = "perf_event_array",
	.check_spec = perf_event_array_check_spec,
	.create = perf_event_array_create,
	.destroy = perf_event_array_destroy,
	.lookup = refuse_lookup,
	.update = refuse_update,
	.remove = perf_event_array_remove,
	.read = refuse_read,
	.write = refuse_write,
	.next_key = index_next_key,
	.memory_bytes = perf_event_array_memory_bytes,
	.event = perf_event_array_event,
	.consume = perf_event_array_consume,
};
