/* Exit: back to the caller, or the end of the path with an allowed result. */
#include <errno.h>
#include <inttypes.h>

#include "verify/callback.h"
#include "verify/log.h"
#include "verify/prune.h"

static int check_return_value(struct verifier *v)
{
	const struct vreg *r = cur_reg(v, BPF_REG_0);
	const struct attach_rule *rule = attach_rule_of(v->type, v->prog->attach_type);
	s64 min = rule ? rule->ret_min : v->type->ret_min;
	s64 max = rule ? rule->ret_max : v->type->ret_max;

	if (reg_is_pointer(r))
		return refuse(v, EACCES, "R0 leaks addr as return value");
	if (min > max)
		return 0;
	/* The runner sees 32 bits. */
	struct scalar low = scalar_sext(&r->var, 32);
	demand(v, r);
	if (low.smin >= min && low.smax <= max)
		return 0;
	if (low.smin == INT32_MIN && low.smax == INT32_MAX)
		return refuse(v, EINVAL,
			"At program exit the register R0 has unknown scalar value should have been "
			"in [%" PRId64 ", %" PRId64 "]",
			min, max);
	return refuse(v, EINVAL,
		"At program exit the register R0 has smin=%" PRId64 " smax=%" PRId64
		" should have been in [%" PRId64 ", %" PRId64 "]",
		low.smin, low.smax, min, max);
}

int check_no_refs(struct verifier *v, const char *who)
{
	bool memory = false;

	if (held_lock(&v->cur))
		return refuse(v, EINVAL, "%s cannot be used inside bpf_spin_lock-ed region", who);
	for (u32 n = 0; n < v->cur.nr_refs; n++) {
		const char *text = "Unreleased reference id=%u alloc_insn=%u";
		const struct ref *r = &v->cur.refs[n];

		if (memory)
			explain(v, text, r->id, r->pc);
		else
			refuse(v, EINVAL, text, r->id, r->pc);
		memory = true;
	}
	if (memory)
		explain(v, "%s would lead to reference leak", who);
	return memory ? -EINVAL : 0;
}

void frame_close(struct verifier *v)
{
	v->next_pc = state_top(&v->cur)->call_pc + 1;
	v->cur.depth--;
	v->cur.order.may = 0;
}

/* Of a global function. */
static int check_func_result(struct verifier *v)
{
	u8 type = cur_reg(v, BPF_REG_0)->type;

	if (type == REG_SCALAR)
		return 0;
	return refuse(v, EINVAL, "At subprogram exit the register R0 is not a scalar value (%s)",
		reg_type_name(type));
}

int step_exit(struct verifier *v)
{
	const struct frame *top = state_top(&v->cur);

	if (!v->cur.depth) {
		v->path_ends = true;
		int err = check_no_refs(v, "BPF_EXIT instruction in main prog");
		if (!err && check_readable(v, BPF_REG_0))
			err = -EACCES;
		if (!err && v->cur.frames[0].subprog)
			return check_func_result(v);
		return err ? err : check_return_value(v);
	}
	if (top->regs[BPF_REG_0].type == REG_STACK)
		return refuse(v, EINVAL, "cannot return stack pointer to the caller");
	if (!insn_is_local_call(v->prog->insns[top->call_pc]))
		return callback_return(v);
	frame_close(v);
	*cur_reg(v, BPF_REG_0) = top->regs[BPF_REG_0];
	log_return(v);
	return 0;
}
