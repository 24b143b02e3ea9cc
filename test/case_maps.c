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

static bool read_spec(struct str *rest, struct map_spec *spec)
{
	struct str line = *rest;
	char type[32];

	*spec = (struct map_spec){0};
	copy_name(spec->name, sizeof(spec->name), next_word(&line));
	copy_name(type, sizeof(type), next_word(&line));
	spec->type = map_type_by_name(type);
	bool ok = spec->type != MAP_TYPE_UNSPEC && str_to_u32(next_word(&line), &spec->key_size) &&
		  str_to_u32(next_word(&line), &spec->value_size) &&
		  str_to_u32(next_word(&line), &spec->max_entries);

	*rest = line;
	return ok;
}

static bool has_prefix(struct str *word, const char *prefix)
{
	size_t len = strlen(prefix);

	if (word->len < len || memcmp(word->p, prefix, len) != 0)
		return false;
	*word = str_new(word->p + len, word->len - len);
	return true;
}

static bool read_option(
	struct case_maps *m, struct str word, struct map_spec *spec, struct str *data, bool *frozen)
{
	u32 n;

	if (str_eq(word, "frozen"))
		return *frozen = true;
	if (has_prefix(&word, "data=")) {
		*data = word;
		return true;
	}
	if (has_prefix(&word, "lock=")) {
		if (!str_to_u32(word, &n))
			return false;
		spec->lock_at = n + 1;
		return true;
	}
	if (has_prefix(&word, "inner=")) {
		if (!str_to_u32(word, &n) || n >= m->nr)
			return false;
		spec->inner = m->maps[n];
		return true;
	}
	return str_to_u32(word, &spec->flags);
}

/* The value with key 0 from hex digits. */
static bool fill(struct map *m, struct str hex)
{
	enum { BYTES_MAX = 256 };
	u8 value[BYTES_MAX] = {0};
	u32 key = 0, byte;

	if (m->spec.value_size > BYTES_MAX || m->spec.key_size != sizeof(key) ||
		hex.len > 2 * m->spec.value_size)
		return false;
	for (size_t n = 0; n + 1 < hex.len; n += 2) {
		char text[] = {'0', 'x', hex.p[n], hex.p[n + 1], 0};

		if (!str_to_u32(str_of(text), &byte))
			return false;
		value[n / 2] = (u8)byte;
	}
	return !map_write(m, &key, value, BPF_ANY);
}

static void add_map(struct case_maps *m, struct tcase *c, struct prog *p, struct str line)
{
	const struct section *s = case_find(c, "maps", "");
	struct str rest = line, data = str_of("");
	struct map_spec spec;
	struct diag d = {0};
	bool frozen = false, ok = read_spec(&rest, &spec);
	u32 index;

	for (struct str word; ok && (word = next_word(&rest)).len;)
		ok = read_option(m, word, &spec, &data, &frozen);
	if (!ok)
		case_fail(c, s,
			"'%.*s' is not NAME TYPE KEY-BYTES VALUE-BYTES ENTRIES [FLAGS] [lock=OFF] "
			"[inner=MAP] [data=HEX] [frozen]",
			(int)line.len, line.p);
	else if (array_grow((void **)&m->maps, &m->cap, m->nr + 1, sizeof(struct map *)) ||
		 map_new(&spec, m->cpus, &m->maps[m->nr], &d))
		case_fail(c, s, "%s: %s", spec.name, diag_first(&d));
	else if (prog_add_map(p, m->maps[m->nr++], &index))
		case_fail(c, s, "%s: one map too many", spec.name);
	else if (data.len && !fill(p->maps[index], data))
		case_fail(c, s, "%s: the data aren't hex of a value", spec.name);
	else if (frozen)
		map_freeze(p->maps[index]);
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
