#include "kernel_funcs.h"

#include "base/alloc.h"

static void type_func(const struct prog *p, struct kernel_func *to)
{
	const struct prog_func *f = NULL;

	for (u32 n = 0; n < p->nr_funcs; n++)
		if (p->funcs[n].pc == to->pc)
			f = &p->funcs[n];
	*to = (struct kernel_func){
		.pc = to->pc, .name = to->pc ? "sub" : "main", .global = !to->pc};
	if (!f)
		return;
	to->name = p->line_text + f->name;
	to->global = f->global;
	to->returns_void = f->returns_void;
	to->nr_args = f->nr_args;
	for (u32 n = 0; n < f->nr_args; n++) {
		to->args[n].kind = f->args[n].kind == FUNC_ARG_CTX   ? KERNEL_ARG_CTX
				   : f->args[n].kind == FUNC_ARG_MEM ? KERNEL_ARG_MEM
								     : KERNEL_ARG_SCALAR;
		to->args[n].nonnull = f->args[n].nonnull;
		to->args[n].bytes = f->args[n].bytes;
	}
}

u32 kernel_funcs(const struct prog *p, struct kernel_func *out, bool *needed)
{
	bool *starts = mem_zalloc(p->len);
	u32 nr = 0;

	starts[0] = true;
	*needed = p->nr_funcs;
	for (u32 pc = 0; pc < p->len; pc += insn_is_ld_imm64(p->insns[pc]) ? 2 : 1) {
		bool func = insn_is_ld_imm64(p->insns[pc]) && p->insns[pc].src == LD_IMM64_FUNC;

		if (func || insn_is_local_call(p->insns[pc]))
			starts[(u32)((s32)pc + 1 + p->insns[pc].imm)] = true;
		*needed |= func;
	}
	for (u32 pc = 0; pc < p->len; pc++)
		if (starts[pc]) {
			out[nr].pc = pc;
			type_func(p, &out[nr++]);
		}
	mem_free(starts);
	return nr;
}
