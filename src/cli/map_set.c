/* Which maps there are, and the text form of a saved set. */
#include "cli/map_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/limits.h"
#include "cli/map_text.h"
#include "cli/map_walk.h"

enum { SAVED_VERSION = 1 };

void map_set_fini(struct map_set *set)
{
	for (size_t i = 0; i < set->nr; i++) {
		if (set->owns_maps)
			weir_map_free(set->maps[i].map);
		mem_free(set->maps[i].name);
	}
	if (set->owns_maps)
		weir_engine_free(set->engine);
	mem_free(set->maps);
	*set = (struct map_set){0};
}

/* "xdp_counte.rodata", as loaders name it, is found as ".rodata" too. */
static bool name_fits(const char *full, struct str name)
{
	const char *dot = strchr(full, '.');

	return str_eq(name, full) || (dot && name.len && name.p[0] == '.' && str_eq(name, dot));
}

struct set_map *map_set_find(const struct map_set *set, struct str name)
{
	for (size_t i = 0; i < set->nr; i++)
		if (str_eq(name, set->maps[i].name))
			return &set->maps[i];
	for (size_t i = 0; i < set->nr; i++)
		if (name_fits(set->maps[i].name, name))
			return &set->maps[i];
	return NULL;
}

int map_set_add(struct map_set *set, const struct set_map *m)
{
	char *name = mem_strdup(m->name);

	if (!name || array_grow((void **)&set->maps, &set->cap, set->nr + 1, sizeof(*set->maps))) {
		mem_free(name);
		return -ENOMEM;
	}
	set->maps[set->nr] = *m;
	set->maps[set->nr++].name = name;
	return 0;
}

/* ---- writing ---- */

static void write_entries(const struct set_map *m, struct buf *out)
{
	size_t stride = (m->spec.value_size + 7u) & ~(size_t)7;
	struct map_walk w;

	if (map_walk_start(&w, m))
		out->failed = true;
	while (!out->failed && map_walk_next(&w)) {
		hex_print(out, w.key, m->spec.key_size);
		for (size_t at = 0; at < w.value_bytes;
			at += map_is_percpu(m->spec.type) ? stride : w.value_bytes) {
			buf_u8(out, ' ');
			hex_print(out, w.value + at, m->spec.value_size);
		}
		buf_u8(out, '\n');
	}
	map_walk_end(&w);
}

static void write_slots(const struct weir_engine *engine, struct buf *out)
{
	u64 set[CPU_SLOTS_MAX / 64] = {0};

	for (u32 i = 0; i < weir_engine_slot_count(engine); i++) {
		int slot = weir_engine_slot_number(engine, i);
		set[slot / 64] |= 1ull << (slot % 64);
	}
	buf_cpus(out, set, weir_engine_slots(engine));
	buf_u8(out, '\n');
}

void map_set_write(const struct map_set *set, struct buf *out)
{
	buf_printf(out, "weir-maps %d slots ", SAVED_VERSION);
	write_slots(set->engine, out);
	for (size_t i = 0; i < set->nr; i++) {
		const struct set_map *m = &set->maps[i];
		const struct weir_map_spec *s = &m->spec;

		if (!map_is_table(s->type)) {
			buf_printf(out, "# %s: the contents of a %s can't be saved\n", m->name,
				weir_map_type_name(s->type));
			continue;
		}
		buf_printf(out,
			"map %s %s key %u value %u entries %u flags 0x%x extra %llu lock %u\n",
			m->name, weir_map_type_name(s->type), s->key_size, s->value_size,
			s->max_entries, s->flags, (unsigned long long)s->map_extra, s->lock_at);
		write_entries(m, out);
	}
}

/* ---- reading ---- */

struct reader {
	struct map_set *set;
	const char *path;
	struct diag *d;
	u32 line;
	bool make;           /* maps that the file describes are made */
	struct set_map *map; /* that entries go to */
};

static int bad_line(const struct reader *r, const char *why)
{
	return diag_fail(r->d, pos_text(r->path, r->line, 1), EINVAL, "%s", why);
}

/* A line may be right and yet ask for more memory than there is. */
static int cant_make(const struct reader *r, const struct weir_error *error)
{
	return error->code == ENOMEM ? diag_fail(r->d, pos_none(), ENOMEM, "%s", error->message)
				     : bad_line(r, error->message);
}

/* The next word; empty at the end. */
static struct str next_word(struct str *rest)
{
	struct str word;

	while (rest->len && rest->p[0] == ' ')
		*rest = str_new(rest->p + 1, rest->len - 1);
	str_split(*rest, ' ', &word, rest);
	return word;
}

/* "LABEL NUMBER" */
static bool labelled(struct str *rest, const char *label, u64 *value)
{
	return str_eq(next_word(rest), label) && str_to_u64(next_word(rest), value);
}

static enum weir_map_type type_by_name(struct str name)
{
	for (u32 type = 1; type < 64; type++) {
		const char *known = weir_map_type_name((enum weir_map_type)type);

		if (known && str_eq(name, known))
			return (enum weir_map_type)type;
	}
	return (enum weir_map_type)0;
}

static int make_map(struct reader *r, struct str name, const struct weir_map_spec *spec)
{
	struct weir_error error = {0};
	struct set_map m = {.spec = *spec, .name = mem_strndup(name.p, name.len)};
	/* Frozen or read-only as it may be for programs: here it is to be filled. */
	struct weir_map_spec made = *spec;

	made.flags &= ~0x18u; /* BPF_F_RDONLY, BPF_F_WRONLY */
	int err = !m.name                                               ? diag_nomem(r->d)
		  : weir_map_new(r->set->engine, &made, &m.map, &error) ? cant_make(r, &error)
									: 0;
	if (!err && map_set_add(r->set, &m)) {
		weir_map_free(m.map);
		err = diag_nomem(r->d);
	}
	mem_free(m.name);
	return err;
}

static bool same_shape(const struct weir_map_spec *a, const struct weir_map_spec *b)
{
	return a->type == b->type && a->key_size == b->key_size && a->value_size == b->value_size;
}

static int read_map_line(struct reader *r, struct str rest)
{
	struct str name = next_word(&rest), type = next_word(&rest);
	u64 key, value, entries, flags, extra, lock;

	if (!name.len || !labelled(&rest, "key", &key) || !labelled(&rest, "value", &value) ||
		!labelled(&rest, "entries", &entries) || !labelled(&rest, "flags", &flags) ||
		!labelled(&rest, "extra", &extra) || !labelled(&rest, "lock", &lock) ||
		(key | value | entries | flags | lock) > UINT32_MAX)
		return bad_line(r, "should be: map NAME TYPE key BYTES value BYTES entries NUMBER "
				   "flags NUMBER extra NUMBER lock NUMBER");
	struct weir_map_spec spec = {.type = type_by_name(type),
		.key_size = (u32)key,
		.value_size = (u32)value,
		.max_entries = (u32)entries,
		.flags = (u32)flags,
		.map_extra = extra,
		.lock_at = (u32)lock};
	if (!spec.type)
		return bad_line(r, "there is no such type of map");
	int err = r->make ? make_map(r, name, &spec) : 0;
	if (err)
		return err;
	r->map = map_set_find(r->set, name);
	if (!r->map)
		return bad_line(r, "the object has no map of this name");
	if (!same_shape(&r->map->spec, &spec))
		return bad_line(
			r, "the object's map of this name has another type, key or value size");
	return 0;
}

static int read_entry(struct reader *r, struct str line)
{
	const struct weir_map_spec *s = &r->map->spec;
	size_t bytes = weir_map_value_bytes(r->map->map), len;
	size_t stride = map_is_percpu(s->type) ? (s->value_size + 7u) & ~(size_t)7 : bytes;
	u8 *key = mem_zalloc(s->key_size), *value = mem_zalloc(bytes);
	int err = key && value ? 0 : diag_nomem(r->d);
	struct str rest = line;

	if (!err && (!str_to_bytes(next_word(&rest), key, s->key_size, &len) || len != s->key_size))
		err = bad_line(r, "an entry begins with the key, two hex digits for each byte");
	for (size_t at = 0; !err && at < bytes; at += stride)
		if (!str_to_bytes(next_word(&rest), value + at, s->value_size, &len) ||
			len != s->value_size)
			err = bad_line(r, "behind the key comes a value, for per-CPU maps one for "
					  "each slot, two hex digits for each byte");
	if (!err && rest.len)
		err = bad_line(r, "something is left behind the value");
	int refused = err ? 0 : weir_map_update(r->map->map, key, value, WEIR_ANY);
	if (refused == -EPERM)
		refused = 0; /* a frozen map of an object: it has what the object says */
	if (refused)
		err = refused == -ENOMEM ? diag_nomem(r->d) : bad_line(r, map_reason(refused));
	mem_free(key);
	mem_free(value);
	return err;
}

static int read_first_line(struct reader *r, struct str line)
{
	u64 version, present[CPU_SLOTS_MAX / 64];
	struct weir_error error;
	struct str word;
	char slots[1024];
	u32 nr;

	if (!labelled(&line, "weir-maps", &version) || version != SAVED_VERSION ||
		!str_eq(next_word(&line), "slots") ||
		(word = next_word(&line)).len >= sizeof(slots) ||
		!str_to_cpus(word, present, CPU_SLOTS_MAX, &nr))
		return bad_line(
			r, "not a saved set of maps: the first line is 'weir-maps 1 slots LIST'");
	memcpy(slots, word.p, word.len);
	slots[word.len] = '\0';
	if (r->make) {
		r->set->owns_maps = true;
		if (weir_engine_new_sparse(slots, &r->set->engine, &error))
			return cant_make(r, &error);
		return 0;
	}
	for (u32 s = 0, i = 0; s < nr; s++)
		if ((present[s / 64] >> (s % 64) & 1) &&
			weir_engine_slot_number(r->set->engine, i++) != (int)s)
			nr = 0;
	if (!nr || nr != weir_engine_slots(r->set->engine))
		return diag_fail(r->d, pos_text(r->path, r->line, 1), EINVAL,
			"was saved with other slots: --slots %s", slots);
	return 0;
}

static int read_line(struct reader *r, struct str line)
{
	struct str rest = line;

	if (r->line == 1)
		return read_first_line(r, line);
	if (!line.len || line.p[0] == '#')
		return 0;
	if (line.len > 4 && !memcmp(line.p, "map ", 4)) {
		next_word(&rest);
		return read_map_line(r, rest);
	}
	return r->map ? read_entry(r, line) : bad_line(r, "an entry before the first map");
}

int map_set_read(struct map_set *set, const char *path, struct str text, struct diag *d)
{
	struct reader r = {.set = set, .path = path, .d = d, .make = !set->nr};
	struct str line;
	int err = 0;

	do {
		r.line++;
		str_split(text, '\n', &line, &text);
		err = read_line(&r, line);
	} while (!err && text.len);
	return err;
}
