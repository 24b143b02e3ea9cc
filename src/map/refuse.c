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

int refuse_read(struct map *m, const void *key, void *value)
{
	(void)m;
	(void)key;
	(void)value;
	return -EOPNOTSUPP;
}

int refuse_remove(struct map *m, const void *key)
{
	(void)m;
	(void)key;
	return -EOPNOTSUPP;
}

int refuse_next_key(struct map *m, const void *key, void *next)
{
	(void)m;
	(void)key;
	(void)next;
	return -EOPNOTSUPP;
}
