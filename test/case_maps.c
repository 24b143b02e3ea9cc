#include "case_maps.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "case.h"
#include "cpu/cpu.h"
#include "isa/prog.h"
#include "map/map.h"

/* The next word of a line; empty at its end. */
static struct str next_word(struct str *line)
{
	struct str word;

	while (line->len && *line->p == ' ')
		*line = str_new(line->p + 1, line->len - 1);
	str_split(*line, ' ', &word, line);
	return word;
}

static void copy_name(char *to, size_t size, struct str from)
{
	size_t len = from.len < size ? from.len : size - 1;

	memcpy(to, from.p, len);
	to[len] = 0;
}

static bool read_spec(struct str line, struct map_spec *spec)
{
	char type[32];

	*spec = (struct map_spec){0};
	copy_name(spec->name, sizeof(spec->name), next_word(&line));
	copy_name(type, sizeof(type), next_word(&line));
	spec->type = map_type_by_name(type);
	return spec->type != MAP_TYPE_UNSPEC && str_to_u32(next_word(&line), &spec->key_size) &&
	       str_to_u32(next_word(&line), &spec->value_size) &&
	       str_to_u32(next_word(&line), &spec->max_entries) &&
	       (!line.len || str_to_u32(line, &spec->flags));
}

static void add_map(struct case_maps *m, struct tcase *c, struct prog *p, struct str line)
{
	const struct section *s = case_find(c, "maps", "");
	struct map_spec spec;
	struct diag d = {0};
	u32 index;

	if (!read_spec(line, &spec)) {
		case_fail(c, s, "'%.*s' is not NAME TYPE KEY-BYTES VALUE-BYTES ENTRIES [FLAGS]",
			(int)line.len, line.p);
		return;
	}
	if (array_grow((void **)&m->maps, &m->cap, m->nr + 1, sizeof(struct map *)) ||
		map_new(&spec, m->cpus, &m->maps[m->nr], &d))
		case_fail(c, s, "%s: %s", spec.name, diag_first(&d));
	else if (prog_add_map(p, m->maps[m->nr++], &index))
		case_fail(c, s, "%s: one map too many", spec.name);
	diag_fini(&d);
}

void case_maps_init(struct case_maps *m, struct tcase *c, struct prog *p)
{
	const struct section *s = case_find(c, "maps", "");
	struct diag d = {0};

	*m = (struct case_maps){0};
	if (cpus_new(CASE_SLOTS, &m->cpus, &d))
		case_fail(c, s, "no CPU slots: %s", diag_first(&d));
	diag_fini(&d);
	struct str rest = s ? section_body(s) : str_of(""), line;
	while (rest.len && !c->failed) {
		str_split(rest, '\n', &line, &rest);
		if (line.len)
			add_map(m, c, p, line);
	}
}

void case_maps_fini(struct case_maps *m)
{
	for (size_t i = 0; i < m->nr; i++)
		map_put(m->maps[i]);
	mem_free(m->maps);
	cpus_free(m->cpus);
}
