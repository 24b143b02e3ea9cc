#include "cli/map_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/map_text.h"

static int compare(const void *a, const void *b, void *arg)
{
	size_t bytes = *(const size_t *)arg;
	u64 x = 0, y = 0;

	if (bytes > sizeof(x))
		return memcmp(a, b, bytes);
	memcpy(&x, a, bytes);
	memcpy(&y, b, bytes);
	return x < y ? -1 : x > y;
}

static int read_keys(struct map_walk *w, size_t bytes)
{
	size_t cap = 0;
	const u8 *last = NULL;

	for (;;) {
		if (array_grow((void **)&w->keys, &cap, w->nr + 1, bytes))
			return -ENOMEM;
		last = w->nr ? w->keys + (w->nr - 1) * bytes : NULL;
		/* More keys than there is room for: others come and go meanwhile, and the walk began anew. */
		if (w->nr >= w->m->spec.max_entries ||
			weir_map_next(w->m->map, last, w->keys + w->nr * bytes))
			return 0;
		w->nr++;
	}
}

int map_walk_start(struct map_walk *w, const struct set_map *m)
{
	size_t bytes = m->spec.key_size;

	*w = (struct map_walk){.m = m, .value_bytes = weir_map_value_bytes(m->map)};
	w->value = mem_zalloc(w->value_bytes);
	if (!w->value || read_keys(w, bytes))
		return -ENOMEM;
	qsort_r(w->keys, w->nr, bytes, compare, &bytes);
	return 0;
}

bool map_walk_next(struct map_walk *w)
{
	while (w->at < w->nr) {
		w->key = w->keys + w->at++ * w->m->spec.key_size;
		if (!weir_map_lookup(w->m->map, w->key, w->value))
			return true; /* else it is gone meanwhile, or an empty slot */
	}
	return false;
}

void map_walk_end(struct map_walk *w)
{
	mem_free(w->keys);
	mem_free(w->value);
}
