#include "cli/map_typed.h"

#include "base/alloc.h"

char *map_typed_text(const struct set_map *m, bool key, const u8 *cell, u32 bytes)
{
	char *text = NULL;

	if (!m->object || (key && m->spec.type == WEIR_MAP_LPM_TRIE))
		return NULL;
	if (key)
		weir_object_print_key(m->object, m->index, cell, bytes, &text);
	else
		weir_object_print_value(m->object, m->index, cell, bytes, &text);
	return text;
}

bool map_has_records(enum weir_map_type type)
{
	return type == WEIR_MAP_RINGBUF || type == WEIR_MAP_PERF_EVENT_ARRAY;
}

bool map_is_sequence(enum weir_map_type type)
{
	return type == WEIR_MAP_QUEUE || type == WEIR_MAP_STACK;
}

/* Taking the values out is the only way to see them; they go back in the order in which they would come out again. */
u8 *map_sequence(const struct set_map *m, size_t *nr)
{
	size_t bytes = m->spec.value_size;
	u8 *values = mem_alloc(array_size(m->spec.max_entries, bytes));

	*nr = 0;
	while (values && *nr < m->spec.max_entries && !weir_map_pop(m->map, values + *nr * bytes))
		++*nr;
	for (size_t i = 0; i < *nr; i++) {
		size_t k = m->spec.type == WEIR_MAP_STACK ? *nr - 1 - i : i;
		weir_map_push(m->map, values + k * bytes, WEIR_ANY);
	}
	return values;
}
