/* What a type's table has for calls that the type knows no answer to: with the kernel's errno. */
#ifndef WEIR_MAP_REFUSE_H
#define WEIR_MAP_REFUSE_H

#include "map/map.h"

/* For programs. The verifier refuses the call before. */
void *refuse_lookup(struct map *m, const void *key, u8 *self);
int refuse_update(struct map *m, const void *key, const void *value, u64 flags, u8 *self);

/* From outside: -EOPNOTSUPP for the kernel's internal 524. */
int refuse_read(struct map *m, const void *key, void *value);
int refuse_write(struct map *m, const void *key, const void *value, u64 flags);
int refuse_remove(struct map *m, const void *key);
int refuse_next_key(struct map *m, const void *key, void *next);

#endif
