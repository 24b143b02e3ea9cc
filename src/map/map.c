/* The entry points: finds the type, checks what all types share, counts references. What a type promises stands in its
 * own file. */
#include "map/map.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "cpu/cpu.h"
#include "map/callable.h"
#include "map/spec.h"

#define MAP_TYPE(number, type) extern const struct map_ops type##_map_ops;
#include "map/types.def"
#undef MAP_TYPE

static const struct {
	enum map_type type;
	const struct map_ops *ops;
} types[] = {
#define MAP_TYPE(number, name) {(enum map_type)number, &name##_map_ops},
#include "map/types.def"
#undef MAP_TYPE
};

const struct map_ops *map_ops_of(enum map_type type)
{
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (types[i].type == type)
			return types[i].ops;
	return NULL;
}

const char *map_type_name(enum map_type type)
{
	const struct map_ops *ops = map_ops_of(type);

	return ops ? ops->name : "?";
}

enum map_type map_type_by_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (!strcmp(types[i].ops->name, name))
			return types[i].type;
	return MAP_TYPE_UNSPEC;
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.';
}

static int check_name(const struct map_spec *spec, struct diag *d)
{
	size_t len = strnlen(spec->name, sizeof(spec->name));

	if (len == sizeof(spec->name))
		return diag_fail(d, pos_none(), EINVAL,
			"map name '%.*s...' is longer than %zu characters", (int)len, spec->name,
			sizeof(spec->name) - 1);
	for (size_t i = 0; i < len; i++)
		if (!is_name_char(spec->name[i]))
			return diag_fail(d, pos_none(), EINVAL,
				"map name '%s': character %zu is not a letter, digit, '_' or '.'",
				spec->name, i + 1);
	return 0;
}

int spec_check_flags(const struct map_spec *spec, u32 known, struct diag *d)
{
	static const u32 exclusive[] = {
		BPF_F_RDONLY | BPF_F_WRONLY, BPF_F_RDONLY_PROG | BPF_F_WRONLY_PROG};

	if (spec->flags & ~known)
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': flags 0x%x are not known for type %s (known are 0x%x)",
			spec->name, spec->flags & ~known, map_type_name(spec->type), known);
	for (size_t i = 0; i < ARRAY_LEN(exclusive); i++)
		if ((spec->flags & exclusive[i]) == exclusive[i])
			return diag_fail(d, pos_none(), EINVAL,
				"map '%.15s': flags 0x%x exclude each other", spec->name,
				exclusive[i]);
	return 0;
}

int spec_check_not_empty(const struct map_spec *spec, struct diag *d)
{
	static const char *const names[] = {"max_entries", "key_size", "value_size"};
	const u32 sizes[] = {spec->max_entries, spec->key_size, spec->value_size};

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		if (!sizes[i])
			return diag_fail(d, pos_none(), EINVAL,
				"map '%.15s': %s is 0, type %s needs at least 1", spec->name,
				names[i], map_type_name(spec->type));
	return 0;
}

int spec_check_value_size(const struct map_spec *spec, u32 limit, int err, struct diag *d)
{
	if (spec->value_size > limit)
		return diag_fail(d, pos_none(), err,
			"map '%.15s': value_size is %u bytes, type %s has at most %u", spec->name,
			spec->value_size, map_type_name(spec->type), limit);
	return 0;
}

static int check_lock(const struct map_spec *spec, const struct map_ops *ops, struct diag *d)
{
	u32 at = spec->lock_at - 1;

	if (!spec->lock_at)
		return 0;
	if (at % sizeof(u32) || (u64)at + sizeof(u32) > spec->value_size)
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': a lock at byte %u of the value is not a multiple of 4 with 4 "
			"bytes inside its %u",
			spec->name, at, spec->value_size);
	if (spec->flags & (BPF_F_RDONLY_PROG | BPF_F_WRONLY_PROG))
		return diag_fail(d, pos_none(), EACCES,
			"map '%.15s': programs must read and write values that have a lock",
			spec->name);
	if (!ops->read_locked)
		return diag_fail(d, pos_none(), EOPNOTSUPP,
			"map '%.15s': values of type %s can't have a lock", spec->name, ops->name);
	return 0;
}

/* " (name)" of a type that isn't here; "" when nobody knows it. */
static const char *unknown_name(enum map_type type)
{
	static const struct {
		u32 number;
		const char *name;
	} known[] = {
#define KNOWN(number, name) {number, " (" #name ")"},
#include "map/unknown_types.def"
#undef KNOWN
	};

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (known[i].number == (u32)type)
			return known[i].name;
	return "";
}

static int check_spec(const struct map_spec *spec, const struct map_ops *ops, struct diag *d)
{
	int err;

	if (!ops)
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': map type %u%s is not supported", spec->name,
			(unsigned)spec->type, unknown_name(spec->type));
	if (spec->extra && spec->type != MAP_TYPE_BLOOM_FILTER)
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': map_extra is 0x%llx, must be 0 for type %s", spec->name,
			(unsigned long long)spec->extra, ops->name);
	err = ops->check_spec(spec, d);
	if (!err)
		err = check_name(spec, d);
	return err ? err : check_lock(spec, ops, d);
}

int map_new(const struct map_spec *spec, struct cpus *cpus, struct map **out, struct diag *d)
{
	const struct map_ops *ops = map_ops_of(spec->type);
	struct map *m;
	int err = check_spec(spec, ops, d);

	if (err)
		return err;
	m = mem_zalloc(sizeof(*m));
	if (!m)
		return diag_nomem(d);
	m->ops = ops;
	m->spec = *spec;
	m->value_stride = (spec->value_size + 7) & ~7u;
	m->cpus = cpus;
	m->id = cpus_next_id(cpus);
	atomic_init(&m->refs, 1);
	err = ops->create(m);
	if (err) {
		mem_free(m);
		if (err != -ENOMEM)
			return diag_fail(d, pos_none(), -err, "map '%.15s' can't be made: %s",
				spec->name, strerror(-err));
		return diag_fail(d, pos_none(), -err,
			"map '%.15s': no memory for %u entries of %u + %u bytes%s", spec->name,
			spec->max_entries, spec->key_size, spec->value_size,
			ops->flags & MAP_PER_CPU ? " in every CPU slot" : "");
	}
	*out = m;
	return 0;
}

void map_get(struct map *m)
{
	atomic_fetch_add_explicit(&m->refs, 1, memory_order_relaxed);
}

void map_put(struct map *m)
{
	if (!m || atomic_fetch_sub_explicit(&m->refs, 1, memory_order_acq_rel) != 1)
		return;
	m->ops->destroy(m);
	mem_free(m);
}

static bool may_read(const struct map *m)
{
	return !(m->spec.flags & BPF_F_WRONLY);
}

static bool may_write(const struct map *m)
{
	return !m->frozen && !(m->spec.flags & BPF_F_RDONLY);
}

/* Maps without keys want none. */
static bool key_fits(const struct map *m, const void *key)
{
	return !m->spec.key_size == !key;
}

void map_put_outside(struct map *m)
{
	if (m && m->ops->release)
		m->ops->release(m);
	map_put(m);
}

int map_admit(struct map *m, const struct callable *program, struct diag *d)
{
	int err = m->ops->admit ? m->ops->admit(m, program) : 0;

	return err ? diag_fail(d, pos_insn(program->prog->name, 0), -err,
			     "map '%.15s' holds programs of another type, attach type or engine",
			     m->spec.name)
		   : 0;
}

int map_set_program(struct map *m, u32 index, struct callable *program)
{
	if (!may_write(m))
		return -EPERM;
	return m->ops->set_program ? m->ops->set_program(m, index, program) : -EINVAL;
}

int map_set_map(struct map *m, const void *key, struct map *entry, u64 flags)
{
	if (!may_write(m))
		return -EPERM;
	return m->ops->set_map ? m->ops->set_map(m, key, entry, flags) : -EINVAL;
}

int map_event(struct map *m)
{
	return m->ops->event ? m->ops->event(m) : -EINVAL;
}

int map_consume(struct map *m, map_record_fn fn, void *arg, u64 *lost)
{
	return m->ops->consume ? m->ops->consume(m, fn, arg, lost) : -EINVAL;
}

int map_read(struct map *m, const void *key, void *value)
{
	if (!may_read(m))
		return -EPERM;
	return key_fits(m, key) ? m->ops->read(m, key, value) : -EINVAL;
}

int map_read_flags(struct map *m, const void *key, void *value, u64 flags)
{
	if (!may_read(m))
		return -EPERM;
	if (!flags)
		return map_read(m, key, value);
	if (flags != BPF_F_LOCK || !m->spec.lock_at || !key_fits(m, key))
		return -EINVAL;
	return m->ops->read_locked(m, key, value);
}

int map_write(struct map *m, const void *key, const void *value, u64 flags)
{
	if (!may_write(m))
		return -EPERM;
	if ((flags & BPF_F_LOCK && !m->spec.lock_at) || !key_fits(m, key))
		return -EINVAL;
	return m->ops->write(m, key, value, flags);
}

int map_remove(struct map *m, const void *key)
{
	if (!may_write(m))
		return -EPERM;
	return key_fits(m, key) ? m->ops->remove(m, key) : -EINVAL;
}

int map_next_key(struct map *m, const void *key, void *next)
{
	return may_read(m) ? m->ops->next_key(m, key, next) : -EPERM;
}

int map_read_and_remove(struct map *m, const void *key, void *value)
{
	if (!may_read(m) || !may_write(m))
		return -EPERM;
	if (!key_fits(m, key))
		return -EINVAL;
	return m->ops->read_and_remove ? m->ops->read_and_remove(m, key, value) : -EOPNOTSUPP;
}

int map_read_batch(struct map *m, u64 *cursor, void *keys, void *values, u32 *count)
{
	if (!may_read(m))
		return -EPERM;
	if (!m->ops->read_batch)
		return -EOPNOTSUPP;
	return *count ? m->ops->read_batch(m, cursor, keys, values, count) : 0;
}

int map_freeze(struct map *m)
{
	bool thawed = false;

	if (m->spec.lock_at)
		return -EOPNOTSUPP;
	if (m->spec.flags & BPF_F_RDONLY)
		return -EPERM;
	return atomic_compare_exchange_strong(&m->frozen, &thawed, true) ? 0 : -EPERM;
}

int map_push(struct map *m, const void *value, u64 flags)
{
	if (!may_write(m))
		return -EPERM;
	return m->ops->push ? m->ops->push(m, value, flags) : -EOPNOTSUPP;
}

int map_pop(struct map *m, void *value)
{
	if (!may_read(m) || !may_write(m))
		return -EPERM;
	return m->ops->pop ? m->ops->pop(m, value) : -EOPNOTSUPP;
}

int map_peek(struct map *m, void *value)
{
	if (!may_read(m))
		return -EPERM;
	return m->ops->peek ? m->ops->peek(m, value) : -EOPNOTSUPP;
}

size_t map_outside_value_bytes(const struct map *m)
{
	if (m->ops->flags & MAP_PER_CPU)
		return (size_t)m->value_stride * cpus_count(m->cpus);
	return m->spec.value_size;
}
