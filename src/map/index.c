#include "map/index.h"

#include <errno.h>
#include <limits.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "map/spec.h"

u32 index_of(const void *key)
{
	return load_le32(key);
}

int index_check_spec(const struct map_spec *spec, u32 known_flags, u32 value_limit, struct diag *d)
{
	int err = spec_check_flags(spec, known_flags, d);

	if (!err)
		err = spec_check_not_empty(spec, d);
	if (err)
		return err;
	if (spec->key_size != sizeof(u32))
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': key_size is %u bytes, an index of type %s has 4", spec->name,
			spec->key_size, map_type_name(spec->type));
	return spec_check_value_size(spec, value_limit, E2BIG, d);
}

int index_check_update(const struct map *m, u32 index, u64 flags)
{
	if ((flags & ~(u64)BPF_F_LOCK) > BPF_EXIST)
		return -EINVAL;
	if (index >= m->spec.max_entries)
		return -E2BIG;
	if (flags & BPF_NOEXIST)
		return -EEXIST;
	return flags & BPF_F_LOCK && !m->spec.lock_at ? -EINVAL : 0;
}

int index_remove(struct map *m, const void *key)
{
	(void)m;
	(void)key;
	return -EINVAL;
}

int index_next_key(struct map *m, const void *key, void *next)
{
	u32 index = key ? index_of(key) : UINT32_MAX;

	if (index == m->spec.max_entries - 1)
		return -ENOENT;
	store_le32(next, index < m->spec.max_entries ? index + 1 : 0);
	return 0;
}

/* The cursor is the next index. */
int index_read_batch(struct map *m, u64 *cursor, void *keys, void *values, u32 *count)
{
	u32 nr = 0;
	u8 *key = keys, *value = values;

	while (nr < *count && *cursor < m->spec.max_entries) {
		store_le32(key, (u32)*cursor);
		m->ops->read(m, key, value);
		key += sizeof(u32);
		value += map_outside_value_bytes(m);
		++*cursor;
		nr++;
	}
	bool at_end = nr < *count;

	*count = nr;
	return at_end ? -ENOENT : 0;
}

void *index_each(struct map *m, struct map_cursor *c, u8 *self)
{
	c->index = c->at++;
	c->key = (uintptr_t)&c->index;
	return m->ops->lookup(m, &c->index, self);
}
