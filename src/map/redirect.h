/* Maps of places that packets can be sent to: devmap, devmap_hash, cpumap, xskmap. Whether there is such a place is the
 * runner's business: any interface, CPU or socket number is taken. */
#ifndef WEIR_MAP_REDIRECT_H
#define WEIR_MAP_REDIRECT_H

#include "map/map.h"

/* An interface, and a program for it: the value of devmaps, of which programs by descriptor are none here. */
struct devmap_value {
	u32 ifindex, program;
};

/* Devmap values: key_size 4, value_size 4 or 8, max_entries not 0. */
int devmap_check_spec(const struct map_spec *spec, struct diag *d);

#endif
