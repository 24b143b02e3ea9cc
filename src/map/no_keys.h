/* What types without keys share: calls with keys are refused, or mean push, pop and peek from outside. */
#ifndef WEIR_MAP_NO_KEYS_H
#define WEIR_MAP_NO_KEYS_H

#include "map/map.h"

/* key_size 0, value_size and max_entries not 0, flags of `known` only. */
int no_keys_check_spec(const struct map_spec *spec, u32 known_flags, struct diag *d);

void *no_keys_lookup(struct map *m, const void *key, u8 *self); /* NULL */
int no_keys_update(struct map *m, const void *key, const void *value, u64 flags, u8 *self); /* -EINVAL */
int no_keys_read(struct map *m, const void *key, void *value);				    /* peek */
int no_keys_write(struct map *m, const void *key, const void *value, u64 flags);	    /* push */
int no_keys_read_and_remove(struct map *m, const void *key, void *value);		    /* pop */

#endif
