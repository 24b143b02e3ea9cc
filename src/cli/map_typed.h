/* What both forms of printed maps, text and JSON, need: cells by their types, and the values of queues. */
#ifndef WEIR_CLI_MAP_TYPED_H
#define WEIR_CLI_MAP_TYPED_H

#include "cli/map_set.h"

/* From one CPU's value to the next one's. */
static inline size_t map_stride(const struct weir_map_spec *s)
{
	return (s->value_size + 7u) & ~(size_t)7;
}

/* By its type, as JSON: weir_text_free() is for the caller. NULL where the type isn't known. Prefixes are better told as such. */
char *map_typed_text(const struct set_map *m, bool key, const u8 *cell, u32 bytes);

/* Queues and stacks. */
bool map_is_sequence(enum weir_map_type type);
/* Their values in the order in which they would come out, *nr of them: owned, NULL without memory. */
u8 *map_sequence(const struct set_map *m, size_t *nr);

bool map_has_records(enum weir_map_type type);

#endif
