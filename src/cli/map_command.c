/* Changing maps: by commands, and by what the command line gives a map to begin with. */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "cli/map_set.h"
#include "cli/map_text.h"

/* One command being carried out. */
struct command {
	struct map_set *set;
	struct set_map *m; /* NULL where no map is named */
	char **args;       /* behind the map's name */
	u32 nr_args;
	bool json;
	struct buf *out;
	struct diag *d;
};

static int fail(const struct command *c, int err, const char *what, const char *why)
{
	return diag_fail(c->d, pos_none(), err, "map %s: %s%s%s", c->m->name, what ? what : "",
		what ? ": " : "", why);
}

/* What a refusal of this map means. */
static const char *reason_of(const struct command *c, int err)
{
	bool indexed =
		c->m->spec.type == WEIR_MAP_ARRAY || c->m->spec.type == WEIR_MAP_PERCPU_ARRAY;

	if (indexed && err == -E2BIG)
		return "the index is beyond the last entry";
	if (indexed && err == -EINVAL)
		return "entries of an array are always there: they can't be deleted";
	return err == -E2BIG && c->m->spec.key_size ? "the map is full" : map_reason(err);
}

const char *map_reason(int err)
{
	switch (-err) {
	case ENOENT:
		return "there is no such entry";
	case EEXIST:
		return "the entry is there already";
	case E2BIG:
		return "the map is full, or the index beyond its end";
	case ENOSPC:
		return "the map is full";
	case EPERM:
		return "the map is read-only from outside";
	case EOPNOTSUPP:
		return "maps of this type can't do that";
	default:
		return strerror(-err);
	}
}

static int parse(const struct command *c, struct str text, bool key, u8 *out)
{
	const struct weir_map_spec *s = &c->m->spec;
	bool lpm = key && s->type == WEIR_MAP_LPM_TRIE;
	u32 bytes = key ? s->key_size : s->value_size;
	if (!bytes && text.len)
		return diag_fail(c->d, pos_none(), EINVAL,
			"map %s: a %s has no %ss, but '%.*s' is given", c->m->name,
			weir_map_type_name(s->type), key ? "key" : "value", (int)text.len, text.p);
	const char *why = cell_parse(text, lpm, out, bytes);

	return why ? diag_fail(c->d, pos_none(), EINVAL, "map %s: %s '%.*s' of %u bytes: %s",
			     c->m->name, key ? "key" : "value", (int)text.len, text.p, bytes, why)
		   : 0;
}

/* Room for a key and a value as they are outside. */
struct cells {
	u8 *key, *value;
};

static int cells_init(const struct command *c, struct cells *cells)
{
	size_t key = c->m->spec.key_size, value = weir_map_value_bytes(c->m->map);

	cells->key =
		mem_zalloc(key + (value > c->m->spec.value_size ? value : c->m->spec.value_size));
	cells->value = cells->key + key;
	return cells->key ? 0 : diag_nomem(c->d);
}

/* A per-CPU map gets the value on every slot. */
static void spread(const struct weir_map_spec *s, u8 *value, size_t bytes)
{
	size_t stride = (s->value_size + 7u) & ~(size_t)7;

	if (map_is_percpu(s->type))
		for (size_t at = stride; at < bytes; at += stride)
			memcpy(value + at, value, s->value_size);
}

static int refused_entry(const struct command *c, int err, struct str key, const char *why)
{
	return diag_fail(c->d, pos_none(), err, "map %s, %u entries: key %.*s: %s", c->m->name,
		c->m->spec.max_entries, (int)key.len, key.p, why);
}

static int update(const struct command *c, struct str key, struct str value, u64 flags)
{
	struct cells cells;
	int err = cells_init(c, &cells);

	if (!err)
		err = parse(c, key, true, cells.key);
	if (!err)
		err = parse(c, value, false, cells.value);
	if (!err) {
		spread(&c->m->spec, cells.value, weir_map_value_bytes(c->m->map));
		int refused = weir_map_update(c->m->map, cells.key, cells.value, flags);
		if (refused)
			err = refused_entry(c, -refused, key, reason_of(c, refused));
	}
	mem_free(cells.key);
	return err;
}

static int push(const struct command *c, struct str value)
{
	struct cells cells;
	int err = cells_init(c, &cells);

	if (!err)
		err = parse(c, value, false, cells.value);
	if (!err) {
		int refused = weir_map_push(c->m->map, cells.value, WEIR_ANY);
		if (refused)
			err = fail(c, -refused, "push", map_reason(refused));
	}
	mem_free(cells.key);
	return err;
}

/* An entry that names a program or map of the same object. */
static int set_object(const struct command *c, struct str key, struct str value, bool *done)
{
	struct str kind, name;
	u8 index[64];
	int err;

	*done = str_split(value, ':', &kind, &name) &&
		(str_eq(kind, "prog") || str_eq(kind, "map")) && c->m->object;
	if (!*done)
		return 0;
	if (c->m->spec.key_size > sizeof(index))
		return fail(c, EINVAL, NULL, "its keys are too long for this");
	err = parse(c, key, true, index);
	if (err)
		return err;
	char *text = mem_strndup(name.p, name.len);
	if (!text)
		return diag_nomem(c->d);
	int at = str_eq(kind, "prog") ? weir_object_find_program(c->m->object, text)
				      : weir_object_find_map(c->m->object, text);
	if (at < 0) {
		err = fail(c, ENOENT, text, "the object has none of this name");
	} else if (str_eq(kind, "prog")) {
		u32 slot;
		memcpy(&slot, index, sizeof(slot));
		err = weir_map_set_program(
			c->m->map, slot, weir_object_loaded_program(c->m->object, (size_t)at));
	} else {
		err = weir_map_set_map(c->m->map, index,
			weir_object_loaded_map(c->m->object, (size_t)at), WEIR_ANY);
	}
	if (err && at >= 0)
		err = fail(c, -err, text, map_reason(err));
	mem_free(text);
	return err;
}

static int fill_one(const struct command *c, struct str entry)
{
	struct str key, value;
	bool done;

	if (!c->m->spec.key_size)
		return push(c, entry);
	if (!str_split(entry, '=', &key, &value))
		return diag_fail(c->d, pos_none(), EINVAL,
			"map %s: '%.*s' should be KEY=VALUE, or entries:N alone with N "
			"from 1 to 4294967295",
			c->m->name, (int)entry.len, entry.p);
	int err = set_object(c, key, value, &done);
	return done || err ? err : update(c, key, value, WEIR_ANY);
}

int map_fill(struct map_set *set, struct set_map *m, struct str text, struct diag *d)
{
	struct command c = {.set = set, .m = m, .d = d};
	struct str entry;
	int err = 0;

	do {
		str_split(text, ',', &entry, &text);
		err = fill_one(&c, entry);
	} while (!err && text.len);
	return err;
}

/* ---- commands ---- */

static void describe(const struct command *c, const struct set_map *m)
{
	if (c->json)
		map_describe_json(m, c->out);
	else
		map_describe(m, c->out);
}

static void print(const struct command *c, const struct set_map *m)
{
	if (c->json)
		map_print_json(m, c->set->engine, c->out);
	else
		map_print(m, c->set->engine, c->out);
}

/* The named map, or all; a list in JSON. */
static int for_each(
	struct command *c, void (*show)(const struct command *c, const struct set_map *m))
{
	const char *separator = "";

	buf_puts(c->out, c->json ? "[" : "");
	for (size_t i = 0; i < c->set->nr; i++) {
		if (c->m && c->m != &c->set->maps[i])
			continue;
		buf_puts(c->out, separator);
		show(c, &c->set->maps[i]);
		separator = c->json ? "," : "";
	}
	buf_puts(c->out, c->json ? "]\n" : "");
	return 0;
}

static int do_list(struct command *c)
{
	return for_each(c, describe);
}

static int do_dump(struct command *c)
{
	return for_each(c, print);
}

static int print_entry(struct command *c, const u8 *key, const u8 *value)
{
	if (!c->json) {
		map_print_value(c->m, c->set->engine, value, c->out);
		return 0;
	}
	map_print_entry_json(c->m, c->set->engine, key, value, c->out);
	buf_puts(c->out, "\n");
	return 0;
}

static int do_lookup(struct command *c)
{
	struct cells cells;
	int err = cells_init(c, &cells);

	if (!err)
		err = parse(c, str_of(c->args[0]), true, cells.key);
	if (!err) {
		int refused = weir_map_lookup(c->m->map, cells.key, cells.value);
		err = refused ? fail(c, -refused, c->args[0], map_reason(refused))
			      : print_entry(c, cells.key, cells.value);
	}
	mem_free(cells.key);
	return err;
}

static int do_update(struct command *c)
{
	static const char *const names[] = {
		[WEIR_ANY] = "any", [WEIR_NOEXIST] = "noexist", [WEIR_EXIST] = "exist"};
	u64 flags = 0;

	while (c->nr_args == 3 && flags < ARRAY_LEN(names) && strcmp(c->args[2], names[flags]))
		flags++;
	if (flags == ARRAY_LEN(names))
		return fail(c, EINVAL, c->args[2], "should be any, noexist or exist");
	return update(c, str_of(c->args[0]), str_of(c->args[1]), flags);
}

static int do_delete(struct command *c)
{
	struct cells cells;
	int err = cells_init(c, &cells);

	if (!err)
		err = parse(c, str_of(c->args[0]), true, cells.key);
	if (!err) {
		int refused = weir_map_delete(c->m->map, cells.key);
		if (refused)
			err = refused_entry(c, refused == -EINVAL ? EPERM : -refused,
				str_of(c->args[0]), reason_of(c, refused));
	}
	mem_free(cells.key);
	return err;
}

static int do_push(struct command *c)
{
	return push(c, str_of(c->args[0]));
}

static int take(struct command *c, int (*from)(struct weir_map *map, void *value))
{
	struct cells cells;
	int err = cells_init(c, &cells);

	if (!err) {
		int refused = from(c->m->map, cells.value);
		err = refused ? fail(c, -refused, NULL, map_reason(refused))
			      : print_entry(c, NULL, cells.value);
	}
	mem_free(cells.key);
	return err;
}

static int do_pop(struct command *c)
{
	return take(c, weir_map_pop);
}

static int do_peek(struct command *c)
{
	return take(c, weir_map_peek);
}

static const struct command_row {
	const char *name, *args;
	bool optional_map;      /* all maps, when none is named */
	u32 min_args, max_args; /* behind the map's name */
	bool changes;
	int (*run)(struct command *c);
} rows[] = {
	{"list", "[NAME]", true, 0, 0, false, do_list},
	{"dump", "[NAME]", true, 0, 0, false, do_dump},
	{"lookup", "NAME KEY", false, 1, 1, false, do_lookup},
	{"update", "NAME KEY VALUE [any|noexist|exist]", false, 2, 3, true, do_update},
	{"delete", "NAME KEY", false, 1, 1, true, do_delete},
	{"push", "NAME VALUE", false, 1, 1, true, do_push},
	{"pop", "NAME", false, 0, 0, true, do_pop},
	{"peek", "NAME", false, 0, 0, false, do_peek},
};

static const struct command_row *row_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

int map_command(struct map_set *set, char **words, u32 nr, bool json, bool *changed,
	struct buf *out, struct diag *d)
{
	const struct command_row *row = nr ? row_of(words[0]) : NULL;
	struct command c = {.set = set, .json = json, .out = out, .d = d};

	if (!row)
		return diag_fail(d, pos_none(), EINVAL,
			"%s is none of list, dump, lookup, update, delete, push, pop, peek",
			nr ? words[0] : "nothing");
	if (nr > 1) {
		c.m = map_set_find(set, str_of(words[1]));
		if (!c.m)
			return diag_fail(d, pos_none(), ENOENT,
				"there is no map '%s' (list shows the names)", words[1]);
		c.args = words + 2;
		c.nr_args = nr - 2;
	}
	if ((!c.m && !row->optional_map) || c.nr_args < row->min_args || c.nr_args > row->max_args)
		return diag_fail(d, pos_none(), EINVAL, "should be: %s %s", row->name, row->args);
	int err = row->run(&c);
	if (!err && json && !out->len)
		buf_puts(out, "null\n");
	*changed = !err && row->changes;
	return err;
}
