#include "verify/callback.h"

#include <errno.h>
#include <inttypes.h>

#include "map/map.h"
#include "verify/prune.h"

/* What a callback gets: registers of the call, or something about the map in r1. */
enum callback_arg {
	CALLBACK_NOTHING,
	CALLBACK_NUMBER,
	CALLBACK_MAP,
	CALLBACK_KEY,
	CALLBACK_VALUE,
	CALLBACK_CTX
};

static const struct callback_form {
	u32 helper;
	u8 func, ctx; /* registers of the call */
	u8 args[5];   /* enum callback_arg */
	bool counted; /* r1 says how often at most */
} forms[] = {
	{HELPER_loop, BPF_REG_2, BPF_REG_3, {CALLBACK_NUMBER, CALLBACK_CTX}, true},
	{HELPER_for_each_map_elem, BPF_REG_2, BPF_REG_3,
		{CALLBACK_MAP, CALLBACK_KEY, CALLBACK_VALUE, CALLBACK_CTX}, false},
};

static const struct callback_form *form_of(struct insn i)
{
	for (size_t n = 0; n < ARRAY_LEN(forms); n++)
		if (insn_is_helper_call(i) && forms[n].helper == (u32)i.imm)
			return &forms[n];
	return NULL;
}

bool insn_calls_back(struct insn i)
{
	return form_of(i) != NULL;
}

int check_func_arg(struct verifier *v, u32 regno)
{
	const struct vreg *r = cur_reg(v, regno);
	struct trace *t = &v->traces[v->pc];

	if (r->type != REG_FUNC)
		return refuse(
			v, EACCES, "R%u type=%s expected=func", regno, reg_type_name(r->type));
	if (r->off || !scalar_is_const(&r->var) || r->var.umin)
		return refuse(v, EACCES, "dereference of modified func ptr R%u off=%d disallowed",
			regno, r->off);
	if (!t->callback_seen)
		t->callback = r->aux;
	t->callback_varies |= t->callback != r->aux;
	t->callback_seen = true;
	return 0;
}

int check_callback_ctx_arg(struct verifier *v, u32 regno)
{
	const struct vreg *r = cur_reg(v, regno);

	if (r->type == REG_STACK)
		return 0;
	if (!reg_is_const(r) || r->var.umin)
		return refuse(v, EACCES, "R%u type=%s expected=fp", regno, reg_type_name(r->type));
	demand(v, r);
	return 0;
}

int callback_push(struct verifier *v, const struct call *c)
{
	const struct callback_form *form = form_of(cur_insn(v));
	struct frame *caller = state_top(&v->cur);
	const struct vreg *most = &caller->regs[BPF_REG_1];
	int err = 0;

	if (c->map && !c->map->ops->each)
		return refuse(v, EOPNOTSUPP, "callback function not allowed for map");
	if (form->counted && caller->callbacks >= most->var.umax) {
		demand(v, most);
	} else if (v->cur.depth + 1 >= PROG_MAX_CALL_DEPTH) {
		return refuse(
			v, E2BIG, "the call stack of %u frames is too deep", v->cur.depth + 2);
	} else {
		err = branch_push(v, true);
	}
	caller->callbacks = 0;
	return err;
}

static struct vreg callback_arg(
	const struct frame *caller, const struct callback_form *form, enum callback_arg arg)
{
	struct vreg r = caller->regs[BPF_REG_1];

	switch (arg) {
	case CALLBACK_NOTHING:
		return reg_uninit();
	case CALLBACK_NUMBER:
		return reg_unknown();
	case CALLBACK_MAP:
		return r;
	case CALLBACK_KEY:
		r.type = REG_MAP_KEY;
		return r;
	case CALLBACK_VALUE:
		r.type = REG_MAP_VALUE;
		return r;
	case CALLBACK_CTX:
		return caller->regs[form->ctx];
	}
	UNREACHABLE();
}

void callback_enter(struct verifier *v)
{
	const struct callback_form *form = form_of(cur_insn(v));
	struct frame *caller = state_top(&v->cur);
	u32 subprog = caller->regs[form->func].aux;

	caller->callbacks++;
	v->cur.rounds++;
	frame_open(&v->cur, v->cur.depth + 1, v->pc, subprog);
	for (u32 n = 0; n < ARRAY_LEN(form->args); n++)
		*cur_reg(v, BPF_REG_1 + n) = callback_arg(caller, form, form->args[n]);
	v->next_pc = v->subprogs[subprog].start;
}

int callback_return(struct verifier *v)
{
	const struct vreg *r = cur_reg(v, BPF_REG_0);
	u32 call_pc = state_top(&v->cur)->call_pc;

	if (r->type != REG_SCALAR)
		return refuse(v, EACCES, "R0 not a scalar value");
	demand(v, r);
	if (r->var.smin < 0 || r->var.smax > 1)
		return refuse(v, EINVAL,
			"At callback return the register R0 has smin=%" PRId64 " smax=%" PRId64
			" should have been in [0, 1]",
			r->var.smin, r->var.smax);
	v->next_pc = call_pc;
	v->next_round = true;
	v->cur.depth--;
	v->cur.order.may = 0;
	return 0;
}
