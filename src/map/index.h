/* What array and per-CPU array share: keys are u32 indices, all of them exist. */
#ifndef WEIR_MAP_INDEX_H
#define WEIR_MAP_INDEX_H

#include "map/map.h"

u32 index_of(const void *key);
/* key_size 4, sizes not 0. */
int index_check_spec(const struct map_spec *spec, u32 known_flags, u32 value_limit, struct diag *d);
/* May `index` be updated with `flags`? 0, -EINVAL, -E2BIG, -EEXIST. */
int index_check_update(const struct map *m, u32 index, u64 flags);
int index_remove(struct map *m, const void *key); /* always -EINVAL */
int index_next_key(struct map *m, const void *key, void *next);
void *index_each(struct map *m, struct map_cursor *c, u8 *self);
int index_read_batch(struct map *m, u64 *cursor, void *keys, void *values, u32 *count);

#endif
