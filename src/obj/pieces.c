/* What each program is made of: its function, behind it every function that these call, once, in the order of the first
 * call; and the maps that they name. */
#include <errno.h>

#include "base/limits.h"
#include "obj/obj.h"

struct gather {
	struct weir_object *o;
	struct obj_program *p;
	struct diag *d;
};

static int gather_fail(struct gather *g, const char *what, u32 limit)
{
	return diag_fail(g->d, obj_pos(g->o), E2BIG, "program '%s' (section '%s'): more than %u %s",
		g->p->pub.name, g->p->pub.section, limit, what);
}

static bool has_piece(const struct obj_program *p, u32 func)
{
	for (u32 i = 0; i < p->nr_pieces; i++)
		if (p->pieces[i].func == func)
			return true;
	return false;
}

static int add_map(struct gather *g, u32 map)
{
	struct obj_program *p = g->p;

	for (u32 i = 0; i < p->nr_maps; i++)
		if (p->maps[i] == map)
			return 0;
	if (p->nr_maps == PROG_MAX_MAPS)
		return gather_fail(g, "maps", PROG_MAX_MAPS);
	int err = obj_grow(g->o, (void **)&p->maps, p->nr_maps, sizeof(*p->maps), g->d);
	if (!err)
		p->maps[p->nr_maps++] = map;
	return err;
}

/* As deep as there are functions in a chain, PROG_MAX_SUBPROGS at most. */
static int add_function(struct gather *g, u32 func)
{
	struct obj_program *p = g->p;
	const struct obj_func *f = &g->o->funcs[func];
	int err;

	if (has_piece(p, func))
		return 0;
	if (p->nr_pieces == PROG_MAX_SUBPROGS)
		return gather_fail(g, "subprograms", PROG_MAX_SUBPROGS);
	if (p->pub.nr_insns + f->len > PROG_MAX_INSNS)
		return gather_fail(g, "instructions", PROG_MAX_INSNS);
	err = obj_grow(g->o, (void **)&p->pieces, p->nr_pieces, sizeof(*p->pieces), g->d);
	if (err)
		return err;
	p->pieces[p->nr_pieces++] = (struct obj_piece){func, (u32)p->pub.nr_insns};
	p->pub.nr_insns += f->len;
	for (u32 i = 0; !err && i < f->nr_maps; i++)
		err = add_map(g, f->maps[i]);
	for (u32 i = 0; !err && i < f->nr_callees; i++)
		err = add_function(g, f->callees[i]);
	return err;
}

/* A function in a section of its own that others call and that has no type of program is there for them only. */
static void leave_out_callees(struct weir_object *o)
{
	for (u32 i = 0; i < o->nr_programs; i++)
		for (u32 k = 1; k < o->programs[i].nr_pieces; k++) {
			int callee = obj_program_of(o, o->programs[i].pieces[k].func);

			if (callee >= 0 && !o->programs[callee].pub.type &&
				!o->programs[callee].pub.type_text)
				o->programs[callee].pub.autoload = false;
		}
}

int obj_find_pieces(struct weir_object *o, struct diag *d)
{
	int err = 0;

	for (u32 i = 0; !err && i < o->nr_programs; i++) {
		struct gather g = {o, &o->programs[i], d};
		const struct obj_func *f = &o->funcs[o->programs[i].func];

		err = add_function(&g, (u32)obj_func_at(o, f->section, f->start));
	}
	leave_out_callees(o);
	return err;
}
