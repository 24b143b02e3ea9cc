/* The entries of a table in the order of their keys: numbers by their value, others byte by byte. */
#ifndef WEIR_CLI_MAP_WALK_H
#define WEIR_CLI_MAP_WALK_H

#include "cli/map_set.h"

struct map_walk {
	const struct set_map *m;
	u8 *keys; /* owned */
	size_t nr, at;
	const u8 *key;	    /* the entry that map_walk_next found */
	u8 *value;	    /* owned; as weir_map_lookup gives it */
	size_t value_bytes; /* all slots of a per-CPU map */
};

/* 0 or -ENOMEM; map_walk_end either way. */
int map_walk_start(struct map_walk *w, const struct set_map *m);
bool map_walk_next(struct map_walk *w);
void map_walk_end(struct map_walk *w);

#endif
