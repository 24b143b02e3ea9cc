/* Tail calls: the way on where the call isn't made, and in a subprogram the one where it is. */
#include <errno.h>

#include "verify/call.h"
#include "verify/prune.h"

int step_tail_call(struct verifier *v, const struct call *c)
{
	if (c->map->spec.type != MAP_TYPE_PROG_ARRAY)
		return refuse(v, EINVAL, "expected prog array map for tail call");
	for (u32 f = 1; f <= v->cur.depth; f++)
		if (!insn_is_local_call(v->prog->insns[v->cur.frames[f].call_pc]))
			return refuse(v, EINVAL, "cannot tail call within callback");
	int err = check_no_refs(v, "tail_call");
	return err || !v->cur.depth ? err : branch_push(v, true);
}

/* The program that runs instead is of the same type and attach type. */
static struct vreg result(const struct verifier *v)
{
	const struct attach_rule *rule = attach_rule_of(v->type, v->prog->attach_type);
	s64 min = rule ? rule->ret_min : v->type->ret_min;
	s64 max = rule ? rule->ret_max : v->type->ret_max;
	struct tnum low;

	if (min > max || min < 0)
		return reg_unknown();
	low = tnum_range((u64)min, (u64)max);
	return reg_scalar(scalar_of_tnum(tnum_with_low32(tnum_unknown(), low)));
}

void step_tail_call_made(struct verifier *v)
{
	frame_close(v);
	drop_packet_pointers(v);
	*cur_reg(v, BPF_REG_0) = result(v);
}
