/* What an object names and others must give: values of the kernel's configuration (.kconfig), which become a map of
 * constants, and kernel functions and variables (.ksyms). */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "obj/kconfig.h"
#include "obj/obj.h"

enum { F_MMAPABLE = 1 << 10, F_RDONLY_PROG = 1 << 7 }; /* linux/bpf.h */

static int add_extern(struct weir_object *o, u32 datasec, u32 i, bool kconfig, struct diag *d)
{
	u32 id = btf_get_secvar(o->btf, datasec, i).var;
	struct btf_info var = btf_get(o->btf, id);
	u32 symbol = obj_symbol(o, var.name);
	bool is_func = var.kind == BTF_FUNC;

	if (!symbol || o->elf->symbols[symbol].section != SHN_UNDEF)
		return 0; /* defined after all, or not used */
	if (kconfig && is_func)
		return diag_fail(d, obj_pos(o), EINVAL,
			"section '.kconfig': '%s' is a function; variables can be there only",
			var.name);
	int err = obj_grow(o, (void **)&o->externs, o->nr_externs, sizeof(*o->externs), d);
	if (err)
		return err;
	o->externs[o->nr_externs++] = (struct obj_extern){
		.name = var.name,
		.symbol = symbol,
		.kind = kconfig   ? EXTERN_KCONFIG
			: is_func ? EXTERN_KSYM_FUNC
				  : EXTERN_KSYM_VAR,
		.weak = o->elf->symbols[symbol].bind == STB_WEAK,
		.type = is_func ? id : var.type,
		.secvar = i,
	};
	return 0;
}

static int add_section(struct weir_object *o, const char *section, bool kconfig, struct diag *d)
{
	u32 datasec = btf_find(o->btf, BTF_DATASEC, section);
	u32 nr = datasec ? btf_get(o->btf, datasec).nr : 0;
	int err = 0;

	for (u32 i = 0; !err && i < nr; i++)
		err = add_extern(o, datasec, i, kconfig, d);
	return err;
}

/* libbpf's order: large alignment first, then small ones first. */
static int compare_places(const void *x, const void *y)
{
	const struct obj_extern *a = x, *b = y;

	if (a->align != b->align)
		return a->align > b->align ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int place_kconfig(struct weir_object *o, u32 *bytes, struct diag *d)
{
	u32 datasec = btf_find(o->btf, BTF_DATASEC, ".kconfig");
	u64 at = 0;

	for (u32 i = 0; i < o->nr_externs; i++) {
		struct obj_extern *e = &o->externs[i];

		if (!btf_size_of(o->btf, e->type, &e->size) || !e->size ||
			!btf_align_of(o->btf, e->type, &e->align) || !e->align)
			return diag_fail(d, obj_pos(o), EINVAL,
				"section '.kconfig': extern '%s' has a type without a size",
				e->name);
	}
	qsort(o->externs, o->nr_externs, sizeof(*o->externs), compare_places);
	for (u32 i = 0; i < o->nr_externs; i++) {
		struct obj_extern *e = &o->externs[i];

		at = (at + e->align - 1) / e->align * e->align;
		if (at + e->size > OBJ_DATA_BYTES_MAX)
			return diag_fail(d, obj_pos(o), E2BIG,
				"section '.kconfig': extern '%s' ends behind byte %u", e->name,
				OBJ_DATA_BYTES_MAX);
		e->off = (u32)at;
		btf_set_secvar_off(o->btf, datasec, e->secvar, e->off);
		at += e->size;
	}
	btf_set_datasec_size(o->btf, datasec, (u32)at);
	*bytes = (u32)at;
	return 0;
}

static int add_kconfig_map(struct weir_object *o, u32 bytes, struct diag *d)
{
	struct obj_map *m = obj_add_map(o, d);

	if (!m)
		return -ENOMEM;
	o->kconfig_map = o->nr_maps - 1;
	m->pub.name = m->pub.section = ".kconfig";
	m->pub.is_data = m->pub.read_only = true;
	m->pub.spec = (struct weir_map_spec){.name = obj_data_map_name(o, ".kconfig"),
		.type = WEIR_MAP_ARRAY,
		.key_size = 4,
		.value_size = bytes,
		.max_entries = 1,
		.flags = F_RDONLY_PROG | F_MMAPABLE};
	m->value_type = btf_find(o->btf, BTF_DATASEC, ".kconfig");
	m->data_len = bytes;
	m->data = arena_alloc(&o->arena, bytes);
	return m->data && m->pub.spec.name ? 0 : diag_nomem(d);
}

int obj_find_externs(struct weir_object *o, struct diag *d)
{
	u32 bytes = 0;
	int err;

	if (!o->btf)
		return 0;
	err = add_section(o, ".kconfig", true, d);
	if (!err && o->nr_externs) {
		err = place_kconfig(o, &bytes, d);
		if (!err)
			err = add_kconfig_map(o, bytes, d);
	}
	if (!err)
		err = add_section(o, ".ksyms", false, d);
	return err;
}

int obj_extern_of(struct weir_object *o, u32 symbol, struct diag *d)
{
	for (u32 i = 0; i < o->nr_externs; i++)
		if (o->externs[i].symbol == symbol)
			return (int)i;
	if (obj_grow(o, (void **)&o->externs, o->nr_externs, sizeof(*o->externs), d))
		return -1;
	o->externs[o->nr_externs] = (struct obj_extern){
		.name = o->elf->symbols[symbol].name,
		.symbol = symbol,
		.kind = EXTERN_UNDEFINED,
		.weak = o->elf->symbols[symbol].bind == STB_WEAK,
	};
	return (int)o->nr_externs++;
}

/* ---- values ---- */

static bool is_kconfig(const struct obj_extern *e)
{
	return e->kind == EXTERN_KCONFIG;
}

/* Without a configuration weak externs are 0, unless one was named. */
static int open_kconfig(const struct weir_object *o, struct kconfig **k, struct diag *d)
{
	bool needed = false, strong = false;
	struct diag why = {0};

	for (u32 i = 0; i < o->nr_externs; i++) {
		const struct obj_extern *e = &o->externs[i];
		bool asks = is_kconfig(e) && kconfig_is_needed(e->name);

		needed |= asks;
		strong |= asks && !e->weak;
	}
	if (!needed)
		return 0;
	bool must = strong || o->kconfig_path;
	int err = kconfig_open(o->kconfig_path, k, must ? d : &why);
	diag_fini(&why);
	return must || err == -ENOMEM ? err : 0;
}

static int fill(
	struct weir_object *o, const struct kconfig *k, const struct obj_extern *e, struct diag *d)
{
	u8 *at = o->maps[o->kconfig_map].data + e->off;
	int err;

	if (!k && kconfig_is_needed(e->name))
		err = -ENOENT;
	else
		err = kconfig_value(k, e->name, o->btf, e->type, at, e->size, d);
	if (err != -ENOENT)
		return err;
	memset(at, 0, e->size);
	return e->weak ? 0
		       : diag_fail(d, obj_pos(o), ENOENT,
				 "extern '%s' isn't in the kernel's configuration: give one that "
				 "has it, or "
				 "declare it __weak",
				 e->name);
}

int obj_fill_kconfig(struct weir_object *o, struct diag *d)
{
	struct kconfig *k = NULL;
	int err = open_kconfig(o, &k, d);

	for (u32 i = 0; !err && i < o->nr_externs; i++)
		if (is_kconfig(&o->externs[i]))
			err = fill(o, k, &o->externs[i], d);
	kconfig_free(k);
	return err;
}
