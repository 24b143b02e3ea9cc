/* Loading: maps, then programs, then what prog arrays hold. */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "isa/insn.h"
#include "obj/error.h"
#include "obj/make.h"
#include "obj/obj.h"

_Static_assert(sizeof(struct weir_insn) == sizeof(struct insn) &&
		       offsetof(struct weir_insn, off) == offsetof(struct insn, off) &&
		       offsetof(struct weir_insn, imm) == offsetof(struct insn, imm),
	"struct weir_insn is struct insn");

/* ---- maps ---- */

static int make_maps(
	struct weir_object *o, struct weir_engine *engine, bool *made, struct weir_error *error)
{
	if (o->maps_made && o->engine == engine)
		return 0;
	if (o->maps_made) {
		struct diag d = {0};
		int err = diag_fail(
			&d, obj_pos(o), EBUSY, "its maps have been made in another engine already");

		obj_error(o, error, err, &d);
		diag_fini(&d);
		return err;
	}
	int err = obj_make_maps(o, engine, made, error);
	if (err)
		return err;
	o->engine = engine;
	o->maps_made = true;
	return 0;
}

static bool *new_flags(u32 nr, struct weir_error *error)
{
	bool *flags = mem_zalloc(nr);

	if (!flags)
		error_fill(error, -ENOMEM, &(struct diag){0});
	return flags;
}

int weir_object_make_maps(
	struct weir_object *o, struct weir_engine *engine, struct weir_error *error)
{
	const char *null = !o ? "object" : !engine ? "engine" : NULL;

	if (null)
		return error_null(error, null);
	bool *made = new_flags(o->nr_maps, error);
	if (!made)
		return -ENOMEM;
	int err = make_maps(o, engine, made, error);
	mem_free(made);
	return err;
}

/* ---- what a program needs ---- */

static int check_type(const struct weir_object *o, const struct obj_program *p, struct diag *d)
{
	if (p->pub.type && weir_program_type_name(p->pub.type))
		return 0;
	if (p->pub.type_text)
		return diag_fail(d, obj_pos(o), ENOTSUP,
			"program '%s' (section '%s') is of type %s, which weir doesn't run",
			p->pub.name, p->pub.section, p->pub.type_text);
	return diag_fail(d, obj_pos(o), EINVAL,
		"program '%s': its section '%s' doesn't say a type of program: give one",
		p->pub.name, p->pub.section);
}

static int find_maps(const struct weir_object *o, const struct obj_program *p, struct diag *d)
{
	for (u32 i = 0; i < p->nr_maps; i++) {
		const struct obj_map *m = &o->maps[p->maps[i]];

		p->linked->maps[i] = m->map;
		if (m->map)
			continue;
		if (!o->maps_made)
			return diag_fail(d, obj_pos(o), EINVAL,
				"program '%s' needs map '%s', and maps haven't been made yet",
				p->pub.name, m->pub.name);
		return diag_fail(d, obj_pos(o), ENOTSUP,
			"program '%s' (section '%s') uses map '%s', whose type (%u) weir hasn't",
			p->pub.name, p->pub.section, m->pub.name, (unsigned)m->pub.spec.type);
	}
	return 0;
}

static int make_spec(struct weir_object *o, u32 i, struct weir_program_spec *spec, struct diag *d)
{
	struct obj_program *p = &o->programs[i];
	int err = check_type(o, p, d);

	if (!err)
		err = obj_link(o, i, d);
	if (!err)
		err = find_maps(o, p, d);
	if (err)
		return err;
	*spec = (struct weir_program_spec){
		.name = p->pub.name,
		.type = p->pub.type,
		.insns = (const struct weir_insn *)(const void *)p->linked->insns,
		.nr_insns = p->linked->len,
		.maps = p->linked->maps,
		.nr_maps = p->nr_maps,
		.raw_bytes = p->pub.raw_bytes,
		.lines = p->linked->lines,
		.nr_lines = p->linked->nr_lines,
		.functions = p->linked->functions,
		.nr_functions = p->linked->nr_functions,
		.skip_passes = o->skip_passes,
		.license = o->license ? o->license : "",
		.attach_type = p->attach_type,
	};
	return 0;
}

int weir_object_program_spec(
	struct weir_object *o, size_t i, struct weir_program_spec *spec, struct weir_error *error)
{
	const char *null = !o ? "object" : !spec ? "spec" : NULL;
	struct diag d = {0};
	int err;

	if (null)
		return error_null(error, null);
	if (i >= o->nr_programs)
		err = diag_fail(
			&d, obj_pos(o), ENOENT, "program %zu, and there are %u", i, o->nr_programs);
	else
		err = make_spec(o, (u32)i, spec, &d);
	if (err)
		obj_error(o, error, err, &d);
	diag_fini(&d);
	return err;
}

/* ---- all of it ---- */

static void need(const struct weir_object *o, u32 program, bool *needed);

static void need_entries(const struct weir_object *o, const struct obj_map *m, bool *needed)
{
	for (u32 i = 0; i < m->nr_entries; i++)
		if (m->entries[i].is_program)
			need(o, m->entries[i].target, needed);
}

/* A program needs those that its prog arrays begin with. */
static void need(const struct weir_object *o, u32 program, bool *needed)
{
	const struct obj_program *p = &o->programs[program];

	if (needed[program])
		return;
	needed[program] = true;
	for (u32 i = 0; i < p->nr_maps; i++)
		need_entries(o, &o->maps[p->maps[i]], needed);
}

/* The verifier only sees a call that nobody knows. */
static void explain(const struct obj_program *p, struct weir_error *error)
{
	if (!error || error->where != WEIR_AT_INSN)
		return;
	for (u32 i = 0; i < p->linked->nr_poisons; i++)
		if (p->linked->poisons[i].insn == error->insn) {
			size_t len = strlen(error->message);

			snprintf(error->message + len, sizeof(error->message) - len, "\nnote: %s",
				p->linked->poisons[i].what);
			return;
		}
}

static int load_programs(struct weir_object *o, struct weir_engine *engine, enum weir_mode mode,
	const bool *needed, char **log, struct weir_error *error)
{
	for (u32 i = 0; i < o->nr_programs; i++) {
		struct weir_program_spec spec;

		if (!needed[i])
			continue;
		int err = weir_object_program_spec(o, i, &spec, error);
		if (err)
			return err;
		spec.mode = mode;
		spec.log_level = log ? 1 : 0;
		if (log)
			weir_text_free(*log);
		err = weir_program_new(engine, &spec, &o->programs[i].program, log, error);
		if (err) {
			explain(&o->programs[i], error);
			return err;
		}
	}
	return 0;
}

static int fill_prog_array(struct weir_object *o, const struct obj_map *m, struct weir_error *error)
{
	for (u32 i = 0; i < m->nr_entries; i++) {
		const struct obj_entry *e = &m->entries[i];

		if (!e->is_program || !o->programs[e->target].program)
			continue;
		int err = weir_map_set_program(m->map, e->index, o->programs[e->target].program);
		if (!err)
			continue;
		struct diag d = {0};
		diag_fail(&d, obj_pos(o), -err,
			"map '%s': program '%s' can't be put into slot %u: %s", m->pub.name,
			o->programs[e->target].pub.name, e->index, strerror(-err));
		obj_error(o, error, err, &d);
		diag_fini(&d);
		return err;
	}
	return 0;
}

static int fill_prog_arrays(struct weir_object *o, struct weir_error *error)
{
	int err = 0;

	for (u32 i = 0; !err && i < o->nr_maps; i++)
		if (o->maps[i].map)
			err = fill_prog_array(o, &o->maps[i], error);
	return err;
}

static void drop_programs(struct weir_object *o)
{
	for (u32 i = 0; i < o->nr_programs; i++) {
		weir_program_free(o->programs[i].program);
		o->programs[i].program = NULL;
	}
}

int weir_object_load(struct weir_object *o, struct weir_engine *engine, enum weir_mode mode,
	char **log, struct weir_error *error)
{
	const char *null = !o ? "object" : !engine ? "engine" : NULL;

	if (log)
		*log = NULL;
	if (null)
		return error_null(error, null);
	if (o->loaded) {
		struct diag d = {0};
		int err = diag_fail(&d, obj_pos(o), EBUSY, "is loaded already");

		obj_error(o, error, err, &d);
		diag_fini(&d);
		return err;
	}
	bool *made = new_flags(o->nr_maps, error), *needed = new_flags(o->nr_programs, error);
	if (!made || !needed) {
		mem_free(made);
		mem_free(needed);
		return -ENOMEM;
	}
	for (u32 i = 0; i < o->nr_programs; i++)
		if (o->programs[i].pub.autoload)
			need(o, i, needed);
	bool had_maps = o->maps_made;
	int err = make_maps(o, engine, made, error);
	if (!err) {
		err = load_programs(o, engine, mode, needed, log, error);
		if (!err)
			err = fill_prog_arrays(o, error);
		if (err) {
			drop_programs(o);
			if (!had_maps)
				obj_drop_maps(o, made);
		}
	}
	o->loaded = !err;
	mem_free(needed);
	mem_free(made);
	return err;
}
