/* What a program needs and weir hasn't, so that all of it can be said at once. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "isa/insn.h"
#include "obj/core.h"
#include "obj/obj.h"

struct lister {
	struct weir_object *o;
	const struct obj_program *p;
	struct buf *out;
	u32 seen[64]; /* numbers of helpers that have been named, the first of them */
	u32 nr_seen;
};

static void list_type(struct lister *l)
{
	const struct weir_object_program *p = &l->p->pub;

	if (p->type && weir_program_type_name(p->type))
		return;
	if (p->type_text)
		buf_printf(l->out, "program type %s\n", p->type_text);
	else
		buf_printf(l->out, "a program type: section '%s' doesn't say one\n", p->section);
}

static void list_maps(struct lister *l)
{
	for (u32 i = 0; i < l->p->nr_maps; i++) {
		const struct obj_map *m = &l->o->maps[l->p->maps[i]];

		if (!weir_map_type_name(m->pub.spec.type))
			buf_printf(l->out, "map type %u, of map '%s'\n", (unsigned)m->pub.spec.type,
				m->pub.name);
	}
}

static bool seen(struct lister *l, u32 number)
{
	for (u32 i = 0; i < l->nr_seen; i++)
		if (l->seen[i] == number)
			return true;
	if (l->nr_seen < ARRAY_LEN(l->seen))
		l->seen[l->nr_seen++] = number;
	return false;
}

static void list_helper(struct lister *l, u32 number)
{
	enum weir_program_type type = l->p->pub.type;
	struct weir_helper h;

	if (seen(l, number))
		return;
	if (!weir_helper_by_number(number, &h))
		buf_printf(l->out, "helper #%u, which isn't known\n", number);
	else if (!h.here)
		buf_printf(l->out, "helper bpf_%s#%u\n", h.name, number);
	else if (type && weir_program_type_name(type) && !weir_helper_allowed(type, number))
		buf_printf(l->out, "helper bpf_%s#%u in programs of type %s\n", h.name, number,
			weir_program_type_name(type));
}

static void list_extern(struct lister *l, const struct obj_extern *e)
{
	struct weir_helper h;

	if (e->weak || e->kind == EXTERN_KCONFIG)
		return;
	if (e->kind == EXTERN_KSYM_VAR)
		buf_printf(l->out, "kernel variable %s\n", e->name);
	else if (e->kind == EXTERN_UNDEFINED)
		buf_printf(l->out, "%s, which is defined nowhere\n", e->name);
	else if (!weir_helper_by_name(e->name, &h) || !h.here || h.number < OBJ_KFUNCS)
		buf_printf(l->out, "kernel function %s\n", e->name);
}

static void list_piece(struct lister *l, const struct obj_func *f, bool *named)
{
	const struct obj_code *code = obj_code_of(l->o, f->section);

	for (u32 i = f->start; i < f->start + f->len; i++) {
		const struct obj_ref *ref = obj_ref_at(code, i);
		struct insn insn = obj_insn(l->o, code, i);

		if (ref && (ref->kind == REF_EXTERN || ref->kind == REF_EXTERN_CALL)) {
			if (!named[ref->target])
				list_extern(l, &l->o->externs[ref->target]);
			named[ref->target] = true;
		} else if (insn_is_helper_call(insn)) {
			list_helper(l, (u32)insn.imm);
		}
		i += insn_is_ld_imm64(insn);
	}
}

/* A failed link says why, unless it is one of the names above; one that didn't may have left places open. */
static int list_link(struct lister *l, u32 program)
{
	struct diag d = {0};
	size_t before = l->out->len;
	int err = obj_link(l->o, program, &d);

	if (err && err != -ENOMEM && !before)
		buf_printf(l->out, "%s\n", diag_first(&d));
	diag_fini(&d);
	for (u32 i = 0; !err && i < l->p->linked->nr_poisons; i++)
		buf_printf(l->out, "if it is reached: %s\n", l->p->linked->poisons[i].what);
	return err == -ENOMEM ? err : 0;
}

int weir_object_program_lacks(struct weir_object *o, size_t i, char **text)
{
	struct buf out = {0};

	if (!o || !text)
		return -EINVAL;
	if (i >= o->nr_programs)
		return -ENOENT;
	bool *named = mem_zalloc(o->nr_externs);
	if (!named)
		return -ENOMEM;
	struct lister l = {.o = o, .p = &o->programs[i], .out = &out};
	list_type(&l);
	list_maps(&l);
	for (u32 k = 0; k < l.p->nr_pieces; k++)
		list_piece(&l, &o->funcs[l.p->pieces[k].func], named);
	mem_free(named);
	int err = list_link(&l, (u32)i);
	char *copy = NULL;
	if (!err && out.len && !out.failed)
		copy = mem_strdup(buf_cstr(&out));
	if (!err && (out.failed || (out.len && !copy)))
		err = -ENOMEM;
	buf_fini(&out);
	if (!err)
		*text = copy;
	return err;
}
