/* What both types of maps of maps share: which maps may be in them, and giving up those that were. */
#ifndef WEIR_MAP_INNER_H
#define WEIR_MAP_INNER_H

#include "map/map.h"

struct retiree;

/* spec->inner may be the pattern, value_size is 4. -EINVAL; -EOPNOTSUPP for types that no map of maps takes. */
int inner_check_spec(const struct map_spec *spec, struct diag *d);
/* -EINVAL unless the map is like the pattern: type, sizes, flags, place of a lock, and max_entries of an array, whose size
 * programs rely on, unless the pattern has BPF_F_INNER_MAP. */
int inner_check(const struct map *outer, const struct map *entry);
/* The map was taken out; its reference goes when no program uses it any more. */
void inner_retire(struct map *outer, struct retiree *r, struct map *entry);

#endif
