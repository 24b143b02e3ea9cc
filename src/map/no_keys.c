#include "map/no_keys.h"

#include <errno.h>

#include "base/diag.h"
#include "map/spec.h"

int no_keys_check_spec(const struct map_spec *spec, u32 known_flags, struct diag *d)
{
	int err = spec_check_flags(spec, known_flags, d);

	if (err)
		return err;
	if (spec->key_size)
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': key_size is %u, type %s has no keys and needs 0", spec->name,
			spec->key_size, map_type_name(spec->type));
	if (!spec->max_entries || !spec->value_size)
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': %s is 0, type %s needs at least 1", spec->name,
			spec->max_entries ? "value_size" : "max_entries",
			map_type_name(spec->type));
	return spec_check_value_size(spec, VALUE_BYTES_MAX, E2BIG, d);
}

void *no_keys_lookup(struct map *m UNUSED_ARG, const void *key UNUSED_ARG, u8 *self UNUSED_ARG)
{
	return NULL;
}

int no_keys_update(struct map *m UNUSED_ARG, const void *key UNUSED_ARG,
	const void *value UNUSED_ARG, u64 flags UNUSED_ARG, u8 *self UNUSED_ARG)
{
	return -EINVAL;
}

int no_keys_read(struct map *m, const void *key UNUSED_ARG, void *value)
{
	return m->ops->peek(m, value);
}

int no_keys_write(struct map *m, const void *key UNUSED_ARG, const void *value, u64 flags)
{
	return m->ops->push(m, value, flags);
}

int no_keys_read_and_remove(struct map *m, const void *key UNUSED_ARG, void *value)
{
	return m->ops->pop ? m->ops->pop(m, value) : -EOPNOTSUPP;
}
