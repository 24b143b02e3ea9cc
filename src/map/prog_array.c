/* Prog array: programs for tail calls, by index. Only bpf_tail_call looks into it; from outside it is filled with
 * map_set_program and reads as the programs' ids.
 *
 * What is promised: a tail call takes no lock and finds the entry old or new. A program that was replaced or taken out
 * stays until every run that may have found it is over. All programs in it, and all that refer to it, are of one type,
 * attach type and engine, because one runs on in the other's frame and context; the first one says which.
 *
 * A program that tail-calls through the array it stands in holds the array, and the array holds it. So the entries go
 * when nobody outside has the array any more (`release`): no new run can begin through it but from programs that are
 * held elsewhere. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "map/callable.h"
#include "map/index.h"
#include "map/refuse.h"
#include "map/spec.h"

struct prog_array {
	pthread_mutex_t lock; /* setting entries, and the owner */
	bool owned;           /* type, attach_type and native are those of the first program */
	bool native;
	enum prog_type type;
	u32 attach_type;
	/* For `release`, which can't fail: */
	struct retiree *release;
	struct callable **released; /* an entry for each of entries */
	_Atomic(struct callable *) entries[];
};

_Static_assert(
	sizeof(_Atomic(struct callable *)) == sizeof(u64), "inlined tail calls load 8 bytes");

static int prog_array_check_spec(const struct map_spec *spec, struct diag *d)
{
	if (spec->value_size != sizeof(u32))
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': value_size is %u bytes, a program of type %s has 4",
			spec->name, spec->value_size, map_type_name(spec->type));
	return index_check_spec(spec, BPF_F_NUMA_NODE | BPF_F_RDONLY | BPF_F_WRONLY, INT_MAX, d);
}

static void free_memory(struct prog_array *a)
{
	retiree_free(a->release);
	mem_free(a->released);
	mem_free(a);
}

static int prog_array_create(struct map *m)
{
	struct prog_array *a =
		mem_zalloc(sizeof(*a) + array_size(m->spec.max_entries, sizeof(a->entries[0])));

	if (!a)
		return -ENOMEM;
	a->release = retiree_new(m->cpus);
	a->released = mem_zalloc(array_size(m->spec.max_entries, sizeof(a->released[0])));
	if (!a->release || !a->released) {
		free_memory(a);
		return -ENOMEM;
	}
	pthread_mutex_init(&a->lock, NULL);
	m->layout.base = (uintptr_t)a->entries;
	m->layout.stride = sizeof(a->entries[0]);
	m->priv = a;
	return 0;
}

static void drop_program(void *what)
{
	callable_put(what);
}

/* Nobody can be running through it: who could holds the map. */
static void prog_array_destroy(struct map *m)
{
	struct prog_array *a = m->priv;

	for (u32 n = 0; n < m->spec.max_entries; n++)
		callable_put(atomic_load_explicit(&a->entries[n], memory_order_relaxed));
	pthread_mutex_destroy(&a->lock);
	free_memory(a);
}

/* The owner's fields are settled with the lock held, and stay. */
static int admit_locked(struct prog_array *a, const struct callable *c)
{
	bool native = c->entry != NULL;

	if (!a->owned) {
		a->owned = true;
		a->native = native;
		a->type = c->prog->type;
		a->attach_type = c->prog->attach_type;
	}
	return a->native == native && a->type == c->prog->type &&
			       a->attach_type == c->prog->attach_type
		       ? 0
		       : -EINVAL;
}

static int prog_array_admit(struct map *m, const struct callable *program)
{
	struct prog_array *a = m->priv;

	pthread_mutex_lock(&a->lock);
	int err = admit_locked(a, program);
	pthread_mutex_unlock(&a->lock);
	return err;
}

static int put(struct map *m, u32 index, struct callable *program)
{
	struct prog_array *a = m->priv;
	struct retiree *r = retiree_new(m->cpus);
	struct callable *old = NULL;
	int err = r ? 0 : -ENOMEM;

	pthread_mutex_lock(&a->lock);
	if (!err && program)
		err = admit_locked(a, program);
	if (!err) {
		if (program)
			callable_get(program);
		old = atomic_exchange(&a->entries[index], program);
		if (!old && !program)
			err = -ENOENT;
	}
	pthread_mutex_unlock(&a->lock);
	if (old)
		cpus_retire(m->cpus, r, drop_program, old);
	else
		retiree_free(r);
	return err;
}

static int prog_array_set_program(struct map *m, u32 index, struct callable *program)
{
	return index < m->spec.max_entries ? put(m, index, program) : -E2BIG;
}

static int prog_array_remove(struct map *m, const void *key)
{
	return prog_array_set_program(m, index_of(key), NULL);
}

/* May free the map. */
static void drop_released(void *what)
{
	struct map *m = what;
	struct prog_array *a = m->priv;

	for (u32 n = 0; n < m->spec.max_entries; n++)
		callable_put(a->released[n]);
	map_put(m);
}

static void prog_array_release(struct map *m)
{
	struct prog_array *a = m->priv;

	pthread_mutex_lock(&a->lock);
	struct retiree *r = a->release;
	a->release = NULL;
	for (u32 n = 0; r && n < m->spec.max_entries; n++)
		a->released[n] = atomic_exchange(&a->entries[n], NULL);
	pthread_mutex_unlock(&a->lock);
	if (!r)
		return;
	map_get(m);
	cpus_retire(m->cpus, r, drop_released, m);
}

static int prog_array_read(struct map *m, const void *key, void *value)
{
	struct prog_array *a = m->priv;
	u32 index = index_of(key), id = 0;

	if (index >= m->spec.max_entries)
		return -ENOENT;
	pthread_mutex_lock(&a->lock);
	struct callable *c = atomic_load_explicit(&a->entries[index], memory_order_relaxed);
	if (c)
		id = callable_id(c, m->cpus);
	pthread_mutex_unlock(&a->lock);
	if (!id)
		return -ENOENT;
	store_le32(value, id);
	return 0;
}

static u64 prog_array_memory_bytes(const struct map *m)
{
	return (u64)m->spec.max_entries * m->layout.stride;
}

const struct map_ops prog_array_map_ops = {
	.name = "prog_array",
	.check_spec = prog_array_check_spec,
	.create = prog_array_create,
	.destroy = prog_array_destroy,
	.release = prog_array_release,
	.lookup = refuse_lookup,
	.update = refuse_update,
	.remove = prog_array_remove,
	.read = prog_array_read,
	.write = refuse_write,
	.next_key = index_next_key,
	.memory_bytes = prog_array_memory_bytes,
	.set_program = prog_array_set_program,
	.admit = prog_array_admit,
};
