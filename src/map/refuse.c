#include "map/refuse.h"

#include <errno.h>

void *refuse_lookup(struct map *m, const void *key, u8 *self)
{
	(void)m;
	(void)key;
	(void)self;
	return NULL;
}

int refuse_update(struct map *m, const void *key, const void *value, u64 flags, u8 *self)
{
	(void)m;
	(void)key;
	(void)value;
	(void)flags;
	(void)self;
	return -EOPNOTSUPP;
}

int refuse_write(struct map *m, const void *key, const void *value, u64 flags)
{
	(void)m;
	(void)key;
	(void)value;
	(void)flags;
	return -EOPNOTSUPP;
}

int refuse_read_batch(struct map *m, u64 *cursor, void *keys, void *values, u32 *count)
{
	(void)m;
	(void)cursor;
	(void)keys;
	(void)values;
	(void)count;
	return -EOPNOTSUPP;
}
