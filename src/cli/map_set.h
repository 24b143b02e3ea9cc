/* The maps of a run: printed, saved to a text file, read back, changed by commands.
 *
 * A saved set is text, a line for each thing:
 *	weir-maps 1 slots 0-1
 *	map NAME TYPE key BYTES value BYTES entries NUMBER flags HEX extra NUMBER lock NUMBER
 *	KEY VALUE [VALUE of the next slot ...]		bytes as hex digits, the map's entries
 */
#ifndef WEIR_CLI_MAP_SET_H
#define WEIR_CLI_MAP_SET_H

#include "base/text.h"
#include "weir/object.h"

struct buf;
struct diag;

struct set_map {
	char *name; /* owned */
	struct weir_map_spec spec;
	struct weir_map *map; /* owned when the set is */
	struct weir_object *object; /* knows its types; NULL for a saved map */
	size_t index;		    /* there */
};

struct map_set {
	struct set_map *maps; /* owned */
	size_t nr, cap;
	struct weir_engine *engine; /* owned when owns_maps */
	bool owns_maps;		    /* a saved set, read back */
};

/* Zero-initialised is empty. */
void map_set_fini(struct map_set *set);
/* NULL when there is none; ".rodata" also finds the object's. */
struct set_map *map_set_find(const struct map_set *set, struct str name);
int map_set_add(struct map_set *set, const struct set_map *m); /* copies the name; 0 or -ENOMEM */

/* Reads a saved set. Into an empty set: makes an engine and the maps. Into one that has maps: updates these, by name; one
 * that isn't there or is of another shape is an error. */
int map_set_read(struct map_set *set, const char *path, struct str text, struct diag *d);
/* What can't be saved (queues, ring buffers, programs) is left out with a line '# NAME: reason'. */
void map_set_write(const struct map_set *set, struct buf *out);

/* One map as people read it, and as a JSON object. The engine is the map's. */
void map_print(const struct set_map *m, const struct weir_engine *engine, struct buf *out);
void map_print_json(const struct set_map *m, const struct weir_engine *engine, struct buf *out);
/* What stands in front of its entries. */
void map_describe(const struct set_map *m, struct buf *out);
void map_describe_json(const struct set_map *m, struct buf *out);
/* A value as weir_map_lookup gives it: of a per-CPU map all CPUs'. In JSON with its key; NULL where there is none. */
void map_print_value(const struct set_map *m, const struct weir_engine *engine, const u8 *value, struct buf *out);
void map_print_entry_json(const struct set_map *m, const struct weir_engine *engine, const u8 *key, const u8 *value,
	struct buf *out);

/* "KEY=VALUE[,KEY=VALUE...]" or, for queues, stacks and bloom filters, "VALUE[,VALUE...]". */
int map_fill(struct map_set *set, struct set_map *m, struct str text, struct diag *d);

/* Why a map said no to a call of weir.h, in words. Static. */
const char *map_reason(int err);

/* list | dump [NAME...] | lookup NAME KEY | update NAME KEY VALUE [any|noexist|exist] | delete NAME KEY | push NAME VALUE |
 * pop NAME | peek NAME. The answer goes to out; as JSON, null where there is none. *changed: the set differs from what it was. */
int map_command(struct map_set *set, char **words, u32 nr, bool json, bool *changed, struct buf *out, struct diag *d);

#endif
