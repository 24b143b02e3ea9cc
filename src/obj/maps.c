/* The list of an object's maps: of .maps, of the older section maps, of global data. */
#include "obj/obj.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"

struct obj_map *obj_add_map(struct weir_object *o, struct diag *d)
{
	if (o->nr_maps == OBJ_MAX_MAPS) {
		diag_fail(d, obj_pos(o), E2BIG, "more than %u maps", OBJ_MAX_MAPS);
		return NULL;
	}
	if (obj_grow(o, (void **)&o->maps, o->nr_maps, sizeof(*o->maps), d))
		return NULL;
	struct obj_map *m = &o->maps[o->nr_maps++];
	m->pub.autocreate = true;
	return m;
}

int obj_map_at(const struct weir_object *o, u32 section, u64 off)
{
	for (u32 i = 0; i < o->nr_maps; i++) {
		const struct obj_map *m = &o->maps[i];

		if (m->section == section && off >= m->off && off - m->off < m->size)
			return (int)i;
	}
	return -1;
}

int obj_find_maps(struct weir_object *o, struct diag *d)
{
	int err = obj_find_old_maps(o, d);

	if (!err)
		err = obj_find_btf_maps(o, d);
	if (!err)
		err = obj_find_data(o, d);
	return err;
}
