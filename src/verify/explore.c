/* The walk over all paths, depth first. */
#include <errno.h>

#include "verify/callback.h"
#include "verify/func.h"
#include "verify/iter.h"
#include "verify/jump.h"
#include "verify/log.h"
#include "verify/prune.h"

static void start(struct verifier *v)
{
	frame_open(&v->cur, 0, 0, 0);
	if (v->prog->type == PROG_TYPE_RAW) {
		*cur_reg(v, BPF_REG_1) = reg_pointer(REG_RAW);
		*cur_reg(v, BPF_REG_2) = reg_const(v->prog->raw_mem_bytes);
	} else {
		*cur_reg(v, BPF_REG_1) = reg_pointer(REG_CTX);
	}
}

static int step(struct verifier *v, struct insn i)
{
	switch (BPF_CLASS(i.code)) {
	case BPF_ALU:
	case BPF_ALU64:
		return step_alu(v, i);
	case BPF_LD:
		return insn_is_legacy_load(i) ? step_legacy_load(v, i) : step_ld_imm64(v, i);
	case BPF_LDX:
	case BPF_ST:
	case BPF_STX:
		return step_mem(v, i);
	}
	if (insn_is_exit(i))
		return step_exit(v);
	if (BPF_OP(i.code) == BPF_CALL)
		return step_call(v, i);
	v->jumps_walked++;
	return step_jump(v, i);
}

/* One instruction. */
static int walk(struct verifier *v)
{
	struct insn i = cur_insn(v);

	if (++v->stats.insns_walked > v->opts.max_insns)
		return refuse(v, E2BIG, "BPF program is too large. Processed %u insn",
			v->stats.insns_walked);
	v->traces[v->pc].seen = true;
	v->next_pc = v->pc + 1;
	log_insn(v, i);
	int err = step(v, i);
	if (order_names(&v->cur.order, insn_defs(i)))
		v->cur.order.may = 0;
	if (!err && insn_is_cond_jump(i))
		log_changes(v);
	return err;
}

/* What was left to be walked of the instruction at v->pc. */
static void resume(struct verifier *v, bool taken)
{
	if (insn_is_cond_jump(cur_insn(v)))
		jump_assume(v, cur_insn(v), taken);
	else if (insn_calls_back(cur_insn(v)))
		callback_enter(v);
	else if (insn_is_iter_next(cur_insn(v)))
		iter_enter(v);
	else
		step_tail_call_made(v);
}

/* All paths from the state as it is at v->pc. */
static int explore_here(struct verifier *v)
{
	enum arrival arrival = ARRIVAL_GO_ON;
	bool taken;

	for (;;) {
		int err = v->is_merge[v->pc] ? prune_arrive(v, &arrival) : 0;

		if (!err && arrival == ARRIVAL_GO_ON)
			err = walk(v);
		if (err)
			return err;
		if (!v->path_ends && arrival == ARRIVAL_GO_ON) {
			v->pc = v->next_pc;
			continue;
		}
		if (arrival == ARRIVAL_PRUNED)
			log_pruned(v);
		arrival = ARRIVAL_GO_ON;
		v->path_ends = false;
		if (!branch_pop(v, &taken))
			return 0;
		resume(v, taken);
		log_branch(v);
		v->pc = v->next_pc;
	}
}

int explore(struct verifier *v)
{
	start(v);
	log_start(v);
	int err = explore_here(v);
	for (u32 n = 0; !err && (n = func_next(v));) {
		func_start(v, n);
		err = explore_here(v);
		if (!err)
			log_printf(v,
				"Func#%u ('%s') is safe for any args that match its prototype", n,
				func_name(v, n));
	}
	return err;
}
