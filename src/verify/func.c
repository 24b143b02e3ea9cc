#include "verify/func.h"

const struct prog_func *func_of(const struct verifier *v, u32 subprog)
{
	const struct prog *p = v->prog;
	u32 start = v->subprogs[subprog].start;

	for (u32 n = 0; n < p->nr_funcs; n++)
		if (p->funcs[n].pc == start)
			return &p->funcs[n];
	return NULL;
}

bool func_is_global(const struct verifier *v, u32 subprog)
{
	const struct prog_func *f = subprog ? func_of(v, subprog) : NULL;

	return f && f->global;
}

const char *func_name(const struct verifier *v, u32 subprog)
{
	const struct prog_func *f = func_of(v, subprog);

	return f ? v->prog->line_text + f->name : "";
}
