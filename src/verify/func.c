#include "verify/func.h"

#include <errno.h>

#include "verify/call.h"
#include "verify/log.h"
#include "verify/memory.h"
#include "verify/prune.h"

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

static bool is_null(const struct vreg *r)
{
	return reg_is_const(r) && r->var.umin == 0;
}

/* Memory that the function may read and write, or NULL where it asks. */
static int check_mem(struct verifier *v, u32 n, const struct func_arg *arg)
{
	struct vreg *r = cur_reg(v, BPF_REG_1 + n);

	if (is_null(r) && !arg->nonnull) {
		demand(v, r);
		return 0;
	}
	if (is_null(r) || (arg->nonnull && reg_checked_type(r->type) != REG_UNINIT))
		return refuse(v, EINVAL, "arg#%u is expected to be non-NULL", n);
	struct vreg before = *r;
	if (reg_checked_type(r->type) != REG_UNINIT)
		r->type = reg_checked_type(r->type);
	int err = check_shared_mem(v, BPF_REG_1 + n, arg->bytes);
	if (!err)
		*r = before;
	return err ? -EINVAL : 0;
}

static int check_arg(struct verifier *v, u32 n, const struct func_arg *arg)
{
	const struct vreg *r = cur_reg(v, BPF_REG_1 + n);

	if (check_readable(v, BPF_REG_1 + n))
		return -EACCES;
	switch ((enum func_arg_kind)arg->kind) {
	case FUNC_ARG_SCALAR:
		return r->type == REG_SCALAR
			       ? 0
			       : refuse(v, EINVAL, "R%u is not a scalar", BPF_REG_1 + n);
	case FUNC_ARG_CTX:
		return r->type == REG_CTX ? check_ctx_pointer(v, BPF_REG_1 + n)
					  : refuse(v, EINVAL, "arg#%u expects pointer to ctx", n);
	case FUNC_ARG_MEM:
		return check_mem(v, n, arg);
	case FUNC_ARG_UNSUPPORTED:
		return refuse(v, EINVAL,
			"Arg#%u of %s() has a type that a global function can't have here", n,
			func_name(v, subprog_at(v, (u32)((s64)v->pc + 1 + cur_insn(v).imm))));
	}
	UNREACHABLE();
}

static int check_args_of(struct verifier *v, const struct prog_func *f, const char *name)
{
	int err = 0;

	if (f->returns_void)
		return refuse(v, EINVAL,
			"Global function %s() doesn't return scalar. Only those are supported.",
			name);
	for (u32 n = 0; n < f->nr_args && !err; n++)
		err = check_arg(v, n, &f->args[n]);
	return err;
}

int func_call(struct verifier *v, u32 subprog)
{
	const char *name = func_name(v, subprog);

	if (held_lock(&v->cur)) {
		refuse(v, EINVAL, "global function calls are not allowed while holding a lock,");
		explain(v, "use static function instead");
		return -EINVAL;
	}
	int err = check_args_of(v, func_of(v, subprog), name);
	if (err) {
		explain(v, "Caller passes invalid args into func#%u ('%s')", subprog, name);
		return err;
	}
	log_printf(v, "Func#%u ('%s') is global and assumed valid.", subprog, name);
	v->subprogs[subprog].called = true;
	if (v->subprogs[subprog].changes_packet)
		drop_packet_pointers(v);
	for (u32 r = BPF_REG_1; r <= BPF_REG_5; r++)
		*cur_reg(v, r) = reg_uninit();
	*cur_reg(v, BPF_REG_0) = reg_unknown();
	return 0;
}

static struct vreg start_arg(struct verifier *v, const struct func_arg *arg)
{
	struct vreg r;

	switch ((enum func_arg_kind)arg->kind) {
	case FUNC_ARG_SCALAR:
		return reg_unknown();
	case FUNC_ARG_CTX:
		return reg_pointer(REG_CTX);
	case FUNC_ARG_MEM:
		r = reg_pointer(arg->nonnull ? REG_MEM : REG_MEM_OR_NULL);
		r.aux = arg->bytes;
		r.id = arg->nonnull ? 0 : new_id(v);
		return r;
	case FUNC_ARG_UNSUPPORTED:
		break; /* its callers are refused */
	}
	UNREACHABLE();
}

void func_start(struct verifier *v, u32 subprog)
{
	const struct prog_func *f = func_of(v, subprog);

	log_printf(v, "Validating %s() func#%u...", func_name(v, subprog), subprog);
	frame_open(&v->cur, 0, 0, subprog);
	v->cur.nr_refs = 0;
	v->cur.rounds = 0;
	for (u32 n = 0; n < f->nr_args; n++)
		*cur_reg(v, BPF_REG_1 + n) = start_arg(v, &f->args[n]);
	v->pc = v->next_pc = v->subprogs[subprog].start;
	prune_restart(v);
}

u32 func_next(struct verifier *v)
{
	for (u32 n = 1; n < v->nr_subprogs; n++) {
		struct subprog *s = &v->subprogs[n];

		if (!s->called || s->walked)
			continue;
		s->walked = true;
		return n;
	}
	return 0;
}
