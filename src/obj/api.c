/* Public interface: questions about an object, and what can be changed before it is loaded. */
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "obj/error.h"
#include "obj/obj.h"

const char *weir_object_license(const struct weir_object *o)
{
	return o ? o->license : NULL;
}

/* ---- maps ---- */

size_t weir_object_maps(const struct weir_object *o)
{
	return o ? o->nr_maps : 0;
}

const struct weir_object_map *weir_object_map(const struct weir_object *o, size_t i)
{
	return o && i < o->nr_maps ? &o->maps[i].pub : NULL;
}

int weir_object_find_map(const struct weir_object *o, const char *name)
{
	if (!o || !name)
		return -EINVAL;
	for (u32 i = 0; i < o->nr_maps; i++)
		if (!strcmp(o->maps[i].pub.name, name))
			return (int)i;
	for (u32 i = 0; i < o->nr_maps; i++)
		if (o->maps[i].pub.is_data && !strcmp(o->maps[i].pub.spec.name, name))
			return (int)i;
	return -ENOENT;
}

int weir_object_set_map_size(struct weir_object *o, size_t i, uint32_t entries)
{
	if (!o)
		return -EINVAL;
	if (i >= o->nr_maps)
		return -ENOENT;
	if (o->maps[i].map)
		return -EBUSY;
	if (o->maps[i].pub.is_data && entries != 1)
		return -EINVAL;
	o->maps[i].pub.spec.max_entries = entries;
	return 0;
}

/* The first field in which the map is another one than the object's, or NULL. */
static const char *difference(const struct weir_map_spec *a, const struct weir_map_spec *b)
{
	if (a->type != b->type)
		return "type";
	if (a->key_size != b->key_size)
		return "key_size";
	if (a->value_size != b->value_size)
		return "value_size";
	if (a->max_entries != b->max_entries && a->max_entries)
		return "max_entries";
	return a->flags == b->flags ? NULL : "flags";
}

static int check_given(const struct weir_object *o, const struct obj_map *m,
	const struct weir_map *map, struct diag *d)
{
	struct weir_map_spec spec;
	int err = weir_map_info(map, &spec);

	if (m->map || o->loaded)
		return diag_fail(d, obj_pos(o), EBUSY, "map '%s' is there already", m->pub.name);
	if (err)
		return diag_fail(d, obj_pos(o), -err, "map '%s': %s", m->pub.name, strerror(-err));
	const char *what = difference(&m->pub.spec, &spec);
	return what ? diag_fail(d, obj_pos(o), EINVAL,
			      "map '%s': the map given has another %s than the object's (type %u, "
			      "key %u, "
			      "value %u bytes, %u entries, flags 0x%x; the object's: %u, %u, %u, "
			      "%u, 0x%x)",
			      m->pub.name, what, (unsigned)spec.type, spec.key_size,
			      spec.value_size, spec.max_entries, spec.flags,
			      (unsigned)m->pub.spec.type, m->pub.spec.key_size,
			      m->pub.spec.value_size, m->pub.spec.max_entries, m->pub.spec.flags)
		    : 0;
}

int weir_object_use_map(
	struct weir_object *o, size_t i, struct weir_map *map, struct weir_error *error)
{
	const char *null = !o ? "object" : !map ? "map" : NULL;
	struct diag d = {0};
	int err;

	if (null)
		return error_null(error, null);
	if (i >= o->nr_maps)
		err = diag_fail(&d, obj_pos(o), ENOENT, "map %zu, and there are %u", i, o->nr_maps);
	else
		err = check_given(o, &o->maps[i], map, &d);
	if (err) {
		obj_error(o, error, err, &d);
	} else {
		o->maps[i].map = map;
		o->maps[i].given = true;
	}
	diag_fini(&d);
	return err;
}

void *weir_object_map_data(struct weir_object *o, size_t i, size_t *len)
{
	if (!o || i >= o->nr_maps || !o->maps[i].pub.is_data)
		return NULL;
	if (len)
		*len = o->maps[i].data_len;
	return o->maps[i].data;
}

static bool find_extern(
	const struct weir_object *o, const char *name, size_t *map, size_t *off, size_t *len)
{
	for (u32 i = 0; i < o->nr_externs; i++) {
		const struct obj_extern *e = &o->externs[i];

		if (e->kind != EXTERN_KCONFIG || strcmp(e->name, name) != 0)
			continue;
		*map = o->kconfig_map;
		*off = e->off;
		*len = e->size;
		return true;
	}
	return false;
}

int weir_object_variable(
	const struct weir_object *o, const char *name, size_t *map, size_t *off, size_t *len)
{
	size_t found_map, found_off, found_len;

	if (!o || !name)
		return -EINVAL;
	bool found = find_extern(o, name, &found_map, &found_off, &found_len);
	for (u32 i = 1; !found && i < o->elf->nr_symbols; i++) {
		const struct elf_symbol *s = &o->elf->symbols[i];
		int m = s->type == STT_OBJECT && s->section && !strcmp(s->name, name)
				? obj_map_at(o, s->section, s->value)
				: -1;

		if (m < 0 || !o->maps[m].pub.is_data)
			continue;
		found = true;
		found_map = (size_t)m;
		found_off = s->value;
		found_len = s->size;
	}
	if (!found)
		return -ENOENT;
	if (map)
		*map = found_map;
	if (off)
		*off = found_off;
	if (len)
		*len = found_len;
	return 0;
}

struct weir_map *weir_object_loaded_map(const struct weir_object *o, size_t i)
{
	return o && i < o->nr_maps ? o->maps[i].map : NULL;
}

/* ---- programs ---- */

size_t weir_object_programs(const struct weir_object *o)
{
	return o ? o->nr_programs : 0;
}

const struct weir_object_program *weir_object_program(const struct weir_object *o, size_t i)
{
	return o && i < o->nr_programs ? &o->programs[i].pub : NULL;
}

int weir_object_find_program(const struct weir_object *o, const char *name)
{
	int found = -ENOENT;

	if (!o || !name)
		return -EINVAL;
	for (u32 i = 0; i < o->nr_programs; i++)
		if (!strcmp(o->programs[i].pub.name, name))
			return (int)i;
	for (u32 i = 0; i < o->nr_programs; i++) {
		if (strcmp(o->programs[i].pub.section, name) != 0)
			continue;
		if (found >= 0)
			return -ENOENT;
		found = (int)i;
	}
	return found;
}

int weir_object_set_program_type(struct weir_object *o, size_t i, enum weir_program_type type)
{
	if (!o || !weir_program_type_name(type))
		return -EINVAL;
	if (i >= o->nr_programs)
		return -ENOENT;
	struct obj_program *p = &o->programs[i];
	if (p->program)
		return -EBUSY;
	if (p->pub.type != type)
		p->linked = NULL; /* what functions' arguments are depends on it */
	p->pub.type = type;
	p->pub.type_text = weir_program_type_name(type);
	return 0;
}

int weir_object_set_autoload(struct weir_object *o, size_t i, bool autoload)
{
	if (!o)
		return -EINVAL;
	if (i >= o->nr_programs)
		return -ENOENT;
	if (o->loaded)
		return -EBUSY;
	o->programs[i].pub.autoload = autoload;
	return 0;
}

struct weir_program *weir_object_loaded_program(const struct weir_object *o, size_t i)
{
	return o && i < o->nr_programs ? o->programs[i].program : NULL;
}
