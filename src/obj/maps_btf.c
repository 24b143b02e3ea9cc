/* Maps of section .maps, whose variables' types say what is wanted. */
#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "obj/btf_map.h"
#include "obj/obj.h"

static struct weir_map_spec spec_of(
	const struct weir_object *o, const char *name, const struct btf_map_def *def)
{
	struct weir_map_spec spec = {
		.name = name,
		.type = (enum weir_map_type)def->type,
		.key_size = def->key_size,
		.value_size = def->value_size,
		.max_entries = def->max_entries,
		.flags = def->flags,
		.map_extra = def->map_extra,
	};
	u32 off;

	if (def->value_type && btf_find_inside(o->btf, def->value_type, "bpf_spin_lock", &off))
		spec.lock_at = 1 + off;
	return spec;
}

static int add_map(struct weir_object *o, u32 section, u32 var, u32 off, u32 bytes, struct diag *d)
{
	struct btf_map_def def = {0}, inner = {0};
	const char *name = btf_get(o->btf, var).name;
	int err = btf_map_read(o->btf, var, &def, &inner, d);

	if (err)
		return err;
	struct obj_map *m = obj_add_map(o, d);
	if (!m)
		return -ENOMEM;
	m->pub.name = name;
	m->pub.section = o->elf->sections[section].name;
	m->pub.spec = spec_of(o, name, &def);
	m->pub.pinned = def.pinning != BTF_PIN_NONE;
	m->section = section;
	m->off = off;
	m->size = bytes;
	m->key_type = def.key_type;
	m->value_type = def.value_type;
	m->has_values = def.has_values;
	m->values_off = def.values_off;
	m->values_nr = def.values_nr;
	m->has_inner = def.has_inner;
	if (def.has_inner)
		m->inner = spec_of(o, name, &inner);
	return 0;
}

/* A definition ends where the next one begins, since the initialised entries of a flexible array aren't in its type. */
static u64 end_of(const struct weir_object *o, u32 datasec, u32 i, u32 section)
{
	u32 off = btf_get_secvar(o->btf, datasec, i).off;
	u64 end = o->elf->sections[section].size;
	u32 nr = btf_get(o->btf, datasec).nr;

	for (u32 k = 0; k < nr; k++) {
		u32 other = btf_get_secvar(o->btf, datasec, k).off;

		if (other > off && other < end)
			end = other;
	}
	return end;
}

int obj_find_btf_maps(struct weir_object *o, struct diag *d)
{
	u32 section = elf_find_section(o->elf, ".maps");
	u32 datasec = section && o->btf ? btf_find(o->btf, BTF_DATASEC, ".maps") : 0;

	if (!section || !o->elf->sections[section].size)
		return 0;
	if (!datasec)
		return diag_fail(d, obj_pos(o), EINVAL,
			"section '.maps': maps that BTF defines, but the object has no BTF: "
			"compile it with "
			"-g");
	u32 nr = btf_get(o->btf, datasec).nr;
	if (nr > OBJ_MAX_MAPS)
		return diag_fail(d, obj_pos(o), E2BIG, "section '.maps': %u maps, the limit is %u",
			nr, OBJ_MAX_MAPS);
	for (u32 i = 0; i < nr; i++) {
		struct btf_secvar v = btf_get_secvar(o->btf, datasec, i);
		u64 end = end_of(o, datasec, i, section);

		if (v.off >= end)
			return diag_fail(d, obj_pos(o), EINVAL,
				"section '.maps': map '%s' is at byte %u of %llu",
				btf_get(o->btf, v.var).name, v.off, (unsigned long long)end);
		int err = add_map(o, section, v.var, v.off, (u32)(end - v.off), d);
		if (err)
			return err;
	}
	return 0;
}
