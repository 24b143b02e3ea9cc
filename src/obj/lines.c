/* Source lines and functions of a linked program, from .BTF.ext: there they belong to places of sections. */
#include <elf.h>
#include <string.h>

#include "obj/btf_func.h"
#include "obj/obj.h"

static bool in_func(const struct obj_func *f, u32 pc)
{
	return pc >= f->start && pc - f->start < f->len;
}

int obj_link_lines(
	struct weir_object *o, const struct obj_program *p, struct obj_linked *l, struct diag *d)
{
	for (u32 i = 0; i < p->nr_pieces; i++) {
		const struct obj_func *f = &o->funcs[p->pieces[i].func];
		size_t nr;
		const struct btf_line *lines =
			btf_ext_lines(o->ext, o->elf->sections[f->section].name, &nr);

		for (size_t k = 0; k < nr; k++) {
			if (!in_func(f, lines[k].pc))
				continue;
			int err = obj_grow(
				o, (void **)&l->lines, (u32)l->nr_lines, sizeof(*l->lines), d);
			if (err)
				return err;
			l->lines[l->nr_lines++] = (struct weir_source_line){
				.insn = p->pieces[i].at + lines[k].pc - f->start,
				.line = lines[k].line,
				.col = lines[k].col,
				.text = lines[k].text[0] ? lines[k].text : NULL,
			};
		}
	}
	return 0;
}

static u32 btf_func_of(const struct weir_object *o, const struct obj_func *f)
{
	size_t nr;
	const struct btf_func_at *rows =
		btf_ext_funcs(o->ext, o->elf->sections[f->section].name, &nr);

	for (size_t i = 0; i < nr; i++)
		if (rows[i].pc == f->start)
			return rows[i].func;
	return 0;
}

_Static_assert(FUNC_ARG_SCALAR == (int)WEIR_ARG_SCALAR && FUNC_ARG_CTX == (int)WEIR_ARG_CTX &&
		       FUNC_ARG_MEM == (int)WEIR_ARG_MEM &&
		       FUNC_ARG_UNSUPPORTED == (int)WEIR_ARG_UNSUPPORTED,
	"public kinds of arguments are those inside");

static void describe(
	const struct weir_object *o, const struct obj_program *p, u32 id, struct weir_function *out)
{
	struct prog_func f = {0};

	btf_func_describe(o->btf, id, (enum prog_type)p->pub.type, &f);
	out->global = f.global;
	out->returns_void = f.returns_void;
	out->nr_args = f.nr_args;
	for (u32 i = 0; i < f.nr_args && i < ARRAY_LEN(f.args); i++) {
		out->args[i].kind = f.args[i].kind;
		out->args[i].nonnull = f.args[i].nonnull;
		out->args[i].bytes = f.args[i].bytes;
	}
}

int obj_link_functions(
	struct weir_object *o, const struct obj_program *p, struct obj_linked *l, struct diag *d)
{
	l->functions = arena_array(&o->arena, p->nr_pieces, sizeof(*l->functions));
	if (!l->functions)
		return diag_nomem(d);
	for (u32 i = 0; i < p->nr_pieces; i++) {
		const struct obj_func *f = &o->funcs[p->pieces[i].func];
		u32 id = btf_func_of(o, f);
		struct weir_function *out = &l->functions[l->nr_functions++];

		out->insn = p->pieces[i].at;
		out->name = i ? f->name : p->pub.name;
		if (id)
			describe(o, p, id, out);
		/* The program itself is verified from its context on; what can't be seen from other files is as
		 * good as static. */
		if (!i || f->hidden)
			out->global = false;
	}
	return 0;
}
