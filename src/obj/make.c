/* Makes an object's maps in an engine, fills and freezes them. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "obj/error.h"
#include "obj/make.h"
#include "obj/obj.h"

/* Of a map of maps: a map like its entries will be, for the time it is made. */
static int make_inner(struct weir_engine *engine, const struct obj_map *m, struct weir_map **inner,
	struct weir_error *error)
{
	struct weir_map_spec spec = m->inner;

	*inner = NULL;
	return m->has_inner ? weir_map_new(engine, &spec, inner, error) : 0;
}

/* What is left to the loader, as with libbpf: as many entries as there are slots, and whole pages, a power of two of them. */
static u32 max_entries(const struct weir_engine *engine, const struct weir_map_spec *spec)
{
	u32 page = (u32)sysconf(_SC_PAGESIZE), pages = 1;

	if (spec->type == WEIR_MAP_PERF_EVENT_ARRAY && !spec->max_entries)
		return weir_engine_slots(engine);
	if (spec->type != WEIR_MAP_RINGBUF || !spec->max_entries)
		return spec->max_entries;
	while (pages < (UINT32_MAX / 2 + 1) / page && (u64)pages * page < spec->max_entries)
		pages *= 2;
	return pages * page;
}

static int fill_data(const struct obj_map *m, struct weir_map *map)
{
	int err = m->pub.is_data ? weir_map_update(map, &(u32){0}, m->data, WEIR_ANY) : 0;

	return err || !m->pub.read_only ? err : weir_map_freeze(map);
}

/* Where an error is about a map that is to be made. */
static int map_error(
	const struct weir_object *o, const struct obj_map *m, int err, struct weir_error *error)
{
	char why[sizeof(error->message)];

	if (!error)
		return err;
	snprintf(why, sizeof(why), "%s", error->message);
	*error = (struct weir_error){.code = -err, .where = WEIR_AT_TEXT};
	snprintf(error->name, sizeof(error->name), "%s", o->name);
	const char *of_map = strncmp(why, "map '", 5) ? m->pub.name : NULL;
	struct buf text = {0};
	buf_printf(&text, "section '%s'%s%s%s: %s", m->pub.section, of_map ? ", map '" : "",
		of_map ? of_map : "", of_map ? "'" : "", why[0] ? why : strerror(-err));
	snprintf(error->message, sizeof(error->message), "%s", buf_cstr(&text));
	buf_fini(&text);
	return err;
}

/* Maps of types that weir hasn't are left out: programs that use them are told when they are loaded. */
static bool can_be_made(const struct obj_map *m)
{
	return m->pub.autocreate && weir_map_type_name(m->pub.spec.type);
}

static int make_map(struct weir_object *o, struct weir_engine *engine, struct obj_map *m,
	struct weir_error *error)
{
	struct weir_map_spec spec = m->pub.spec;
	struct weir_map *map = NULL;
	int err;

	if (error)
		*error = (struct weir_error){0};
	spec.max_entries = max_entries(engine, &spec);
	err = make_inner(engine, m, &spec.inner, error);
	if (!err)
		err = weir_map_new(engine, &spec, &map, error);
	weir_map_free(spec.inner);
	if (!err)
		err = fill_data(m, map);
	if (err) {
		weir_map_free(map);
		return map_error(o, m, err, error);
	}
	m->map = map;
	return 0;
}

static int fill_entries(struct weir_object *o, struct obj_map *m, struct weir_error *error)
{
	if (error)
		*error = (struct weir_error){0};
	for (u32 i = 0; i < m->nr_entries; i++) {
		const struct obj_entry *e = &m->entries[i];

		if (e->is_program || !o->maps[e->target].map)
			continue;
		if (m->pub.spec.key_size != sizeof(e->index))
			return map_error(o, m, -EINVAL, error);
		int err = weir_map_set_map(m->map, &e->index, o->maps[e->target].map, WEIR_ANY);
		if (err)
			return map_error(o, m, err, error);
	}
	return 0;
}

static void drop_made(struct weir_object *o, const bool *made)
{
	for (u32 i = 0; i < o->nr_maps; i++)
		if (made[i]) {
			weir_map_free(o->maps[i].map);
			o->maps[i].map = NULL;
		}
}

int obj_make_maps(
	struct weir_object *o, struct weir_engine *engine, bool *made, struct weir_error *error)
{
	struct diag d = {0};
	int err = obj_fill_kconfig(o, &d);

	if (err)
		obj_error(o, error, err, &d);
	diag_fini(&d);
	for (u32 i = 0; !err && i < o->nr_maps; i++) {
		struct obj_map *m = &o->maps[i];

		if (m->map || !can_be_made(m))
			continue;
		err = make_map(o, engine, m, error);
		made[i] = !err;
	}
	for (u32 i = 0; !err && i < o->nr_maps; i++)
		if (made[i])
			err = fill_entries(o, &o->maps[i], error);
	if (err)
		drop_made(o, made);
	return err;
}

void obj_drop_maps(struct weir_object *o, const bool *made)
{
	drop_made(o, made);
	o->maps_made = false;
}
