#include "map/inner.h"

#include <errno.h>

#include "base/diag.h"
#include "cpu/cpu.h"
#include "map/spec.h"

/* Prog arrays: which programs fit is known only when they run. Maps of maps: one level is all. */
static const enum map_type never_inside[] = {
	MAP_TYPE_PROG_ARRAY, MAP_TYPE_ARRAY_OF_MAPS, MAP_TYPE_HASH_OF_MAPS};

int inner_check_spec(const struct map_spec *spec, struct diag *d)
{
	const struct map *inner = spec->inner;

	if (spec->value_size != sizeof(u32))
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': value_size is %u bytes, a map in type %s has 4", spec->name,
			spec->value_size, map_type_name(spec->type));
	if (!inner)
		return diag_fail(d, pos_none(), EINVAL, "map '%.15s': type %s needs an inner map",
			spec->name, map_type_name(spec->type));
	for (size_t i = 0; i < ARRAY_LEN(never_inside); i++)
		if (inner->spec.type == never_inside[i])
			return diag_fail(d, pos_none(), inner->spec.inner ? EINVAL : EOPNOTSUPP,
				"map '%.15s': a map of type %s can't be in a map", spec->name,
				inner->ops->name);
	return 0;
}

int inner_check(const struct map *outer, const struct map *entry)
{
	const struct map_spec *a = &outer->spec.inner->spec, *b = &entry->spec;
	bool sized = (a->type == MAP_TYPE_ARRAY && !(a->flags & BPF_F_INNER_MAP)) ||
		     a->type == MAP_TYPE_PERCPU_ARRAY || a->type == MAP_TYPE_XSKMAP;

	if (a->type != b->type || a->key_size != b->key_size || a->value_size != b->value_size ||
		a->flags != b->flags || a->lock_at != b->lock_at)
		return -EINVAL;
	return sized && a->max_entries != b->max_entries ? -EINVAL : 0;
}

static void drop(void *what)
{
	map_put(what);
}

void inner_retire(struct map *outer, struct retiree *r, struct map *entry)
{
	cpus_retire(outer->cpus, r, drop, entry);
}
