/* Queue and stack: values without keys, in a ring of max_entries places.
 *
 * What is promised: every call, of programs and from outside, takes the map's one lock for the time of copying one value. A
 * value is copied whole: nobody gets a mix of two. Memory is all there from the beginning. With BPF_EXIST a push into a full
 * map drops the oldest value, of a stack too. */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "map/lock.h"
#include "map/no_keys.h"
#include "map/spec.h"

struct queue {
	struct map_lock lock;
	u32 oldest; /* place in the ring */
	u32 nr;
	u8 *values; /* value_size bytes each */
};

static int queue_check_spec(const struct map_spec *spec, struct diag *d)
{
	return no_keys_check_spec(spec, BPF_F_NUMA_NODE | MAP_ACCESS_FLAGS, d);
}

static size_t values_bytes(const struct map *m)
{
	return array_size(m->spec.max_entries, m->spec.value_size);
}

static int queue_create(struct map *m)
{
	struct queue *q = mem_zalloc(sizeof(*q));

	if (!q)
		return -ENOMEM;
	q->values = mem_zalloc(values_bytes(m));
	if (!q->values) {
		mem_free(q);
		return -ENOMEM;
	}
	m->priv = q;
	return 0;
}

static void queue_destroy(struct map *m)
{
	struct queue *q = m->priv;

	mem_free(q->values);
	mem_free(q);
}

/* The place of the nth value from the oldest. */
static u8 *value_at(const struct map *m, u32 n)
{
	const struct queue *q = m->priv;
	u64 place = ((u64)q->oldest + n) % m->spec.max_entries;

	return q->values + place * m->spec.value_size;
}

static void drop_oldest(struct map *m)
{
	struct queue *q = m->priv;

	q->oldest = q->oldest == m->spec.max_entries - 1 ? 0 : q->oldest + 1;
	q->nr--;
}

static int queue_push(struct map *m, const void *value, u64 flags)
{
	struct queue *q = m->priv;

	if (flags != BPF_ANY && flags != BPF_EXIST)
		return -EINVAL;
	lock_take(&q->lock);

	bool full = q->nr == m->spec.max_entries;

	if (full && flags == BPF_EXIST)
		drop_oldest(m);
	if (!full || flags == BPF_EXIST)
		memcpy(value_at(m, q->nr++), value, m->spec.value_size);
	lock_drop(&q->lock);
	return full && flags == BPF_ANY ? -E2BIG : 0;
}

enum which { OLDEST, NEWEST };
enum then { KEEP, REMOVE };

static int get(struct map *m, void *value, enum which which, enum then then)
{
	struct queue *q = m->priv;

	lock_take(&q->lock);

	u32 nr = q->nr;

	if (nr)
		memcpy(value, value_at(m, which == OLDEST ? 0 : nr - 1), m->spec.value_size);
	if (nr && then == REMOVE && which == OLDEST)
		drop_oldest(m);
	else if (nr && then == REMOVE)
		q->nr--;
	lock_drop(&q->lock);
	return nr ? 0 : -ENOENT;
}

static int queue_pop(struct map *m, void *value)
{
	return get(m, value, OLDEST, REMOVE);
}

static int queue_peek(struct map *m, void *value)
{
	return get(m, value, OLDEST, KEEP);
}

static int stack_pop(struct map *m, void *value)
{
	return get(m, value, NEWEST, REMOVE);
}

static int stack_peek(struct map *m, void *value)
{
	return get(m, value, NEWEST, KEEP);
}

static int no_remove(struct map *m UNUSED_ARG, const void *key UNUSED_ARG)
{
	return -EINVAL;
}

static int no_next_key(struct map *m UNUSED_ARG, const void *key UNUSED_ARG, void *next UNUSED_ARG)
{
	return -EINVAL;
}

static u64 queue_memory_bytes(const struct map *m)
{
	return values_bytes(m);
}

const struct map_ops queue_map_ops = {
	.name = "queue",
	.check_spec = queue_check_spec,
	.create = queue_create,
	.destroy = queue_destroy,
	.lookup = no_keys_lookup,
	.update = no_keys_update,
	.remove = no_remove,
	.read = no_keys_read,
	.write = no_keys_write,
	.next_key = no_next_key,
	.read_and_remove = no_keys_read_and_remove,
	.memory_bytes = queue_memory_bytes,
	.push = queue_push,
	.pop = queue_pop,
	.peek = queue_peek,
};

const struct map_ops stack_map_ops = {
	.name = "stack",
	.check_spec = queue_check_spec,
	.create = queue_create,
	.destroy = queue_destroy,
	.lookup = no_keys_lookup,
	.update = no_keys_update,
	.remove = no_remove,
	.read = no_keys_read,
	.write = no_keys_write,
	.next_key = no_next_key,
	.read_and_remove = no_keys_read_and_remove,
	.memory_bytes = queue_memory_bytes,
	.push = queue_push,
	.pop = stack_pop,
	.peek = stack_peek,
};
