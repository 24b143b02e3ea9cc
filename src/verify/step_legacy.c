/* Legacy loads from packets: into r0, by the context in r6. They may end the program, so nothing may be held then. */
#include <errno.h>

#include "verify/call.h"
#include "verify/memory.h"

static const struct prog_func *func_at(const struct prog *p, u32 pc)
{
	for (u32 i = 0; i < p->nr_funcs; i++)
		if (p->funcs[i].pc == pc)
			return &p->funcs[i];
	return NULL;
}

/* A load outside of the packet returns 0 from the subprogram. */
static int check_subprog(struct verifier *v)
{
	u32 n = state_top(&v->cur)->subprog;
	const struct prog_func *f = func_at(v->prog, v->subprogs[n].start);

	if (!n)
		return 0;
	if (!f)
		return refuse(v, EINVAL, "LD_ABS is not allowed in subprogs without BTF");
	return f->returns_void
		       ? refuse(v, EINVAL, "LD_ABS is only allowed in functions that return 'int'.")
		       : 0;
}

int step_legacy_load(struct verifier *v, struct insn i)
{
	int err = check_subprog(v);

	if (!err && check_readable(v, BPF_REG_6))
		err = -EACCES;
	if (!err)
		err = check_no_refs(v, "BPF_LD_[ABS|IND]");
	if (!err && cur_reg(v, BPF_REG_6)->type != REG_CTX)
		err = refuse(v, EINVAL, "at the time of BPF_LD_ABS|IND R6 != pointer to skb");
	if (!err && BPF_MODE(i.code) == BPF_IND && check_readable(v, i.src))
		err = -EACCES;
	if (!err)
		err = check_ctx_pointer(v, BPF_REG_6);
	if (err)
		return err;
	for (u32 r = BPF_REG_1; r <= BPF_REG_5; r++)
		*cur_reg(v, r) = reg_uninit();
	/* Of 32 bits at most, but the kernel doesn't say so. */
	*cur_reg(v, BPF_REG_0) = reg_unknown();
	return 0;
}
