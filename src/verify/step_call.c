/* Calls of helpers and of subprograms. */
#include <errno.h>

#include "verify/callback.h"
#include "verify/func.h"
#include "verify/iter.h"
#include "verify/log.h"

static int step_helper(struct verifier *v, struct insn i)
{
	struct call c = {.helper = helper_by_id((u32)i.imm)};
	bool kfunc = insn_is_kfunc_call(i);
	const char *known = helper_known_name((u32)i.imm);

	if (kfunc != ((u32)i.imm >= HELPER_KFUNCS && c.helper))
		return kfunc ? refuse(v, EINVAL, "kernel function #%d isn't here", i.imm)
			     : refuse(v, EINVAL, "invalid func unknown#%d", i.imm);

	if (!c.helper)
		return known ? refuse(v, EINVAL, "unknown func bpf_%s#%d", known, i.imm)
			     : refuse(v, EINVAL, "invalid func unknown#%d", i.imm);
	if (held_lock(&v->cur) && !(c.helper->flags & HELPER_UNLOCKS))
		return refuse(v, EINVAL, "function calls are not allowed while holding a lock");
	if (kfunc && v->prog->check_license && !v->prog->gpl_compatible)
		return refuse(
			v, EINVAL, "cannot call kernel function from non-GPL compatible program");
	if (kfunc && !v->type->helper_allowed((u32)i.imm))
		return refuse(
			v, EACCES, "calling kernel function bpf_%s is not allowed", c.helper->name);
	if (!v->type->helper_allowed((u32)i.imm))
		return refuse(v, EINVAL, "program of this type cannot use helper bpf_%s#%d",
			c.helper->name, i.imm);
	if (v->prog->check_license && !v->prog->gpl_compatible && c.helper->flags & HELPER_GPL)
		return refuse(v, EINVAL,
			"cannot call GPL-restricted function from non-GPL compatible program");
	if (c.helper->id == HELPER_dynptr_slice_rdwr && !v->type->packet_writable)
		return refuse(v, EINVAL, "the prog does not allow writes to packet data");
	int err = check_args(v, &c);
	if (!err && c.helper->id == HELPER_tail_call)
		err = step_tail_call(v, &c);
	if (!err && c.map && !map_use_allowed(c.map->spec.type, c.helper->id))
		err = refuse(v, EINVAL, "cannot pass map_type %d into func bpf_%s#%u",
			(int)c.map->spec.type, c.helper->name, c.helper->id);
	if (!err && insn_calls_back(i))
		err = callback_push(v, &c);
	if (!err && insn_is_iter_next(i))
		err = iter_push(v, &c);
	return err ? err : finish_call(v, &c);
}

static int step_local(struct verifier *v, struct insn i)
{
	u32 target = (u32)((s64)v->pc + 1 + i.imm);
	struct frame *caller = state_top(&v->cur);

	if (func_is_global(v, subprog_at(v, target)))
		return func_call(v, subprog_at(v, target));
	if (v->cur.depth + 1 >= PROG_MAX_CALL_DEPTH)
		return refuse(
			v, E2BIG, "the call stack of %u frames is too deep", v->cur.depth + 2);
	frame_open(&v->cur, v->cur.depth + 1, v->pc, subprog_at(v, target));
	for (u32 r = BPF_REG_1; r <= BPF_REG_5; r++) {
		*cur_reg(v, r) = caller->regs[r];
		caller->regs[r] = reg_uninit();
	}
	caller->regs[BPF_REG_0] = reg_uninit();
	v->next_pc = target;
	log_call(v);
	return 0;
}

int step_call(struct verifier *v, struct insn i)
{
	switch ((enum call_kind)i.src) {
	case CALL_HELPER:
	case CALL_KFUNC:
		return step_helper(v, i);
	case CALL_LOCAL:
		return step_local(v, i);
	}
	return refuse(v, EINVAL, "unknown kind of call %d", i.src);
}
