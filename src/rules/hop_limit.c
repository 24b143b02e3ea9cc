#include "rules/hop_limit.h"

#include "rules/emit.h"
#include "rules/eval.h"
#include "rules/matches.h"

enum { TTL_OFF = 8, HOP_LIMIT_OFF = 7 };

bool hop_limit_eval(const void *data, struct eval *e)
{
	const struct ttl_match *m = data;
	u8 ttl = e->data[e->family == FAMILY_IPV6 ? HOP_LIMIT_OFF : TTL_OFF];

	switch ((enum ttl_op)m->op) {
	case TTL_EQ:
		return ttl == m->value;
	case TTL_NE:
		return ttl != m->value;
	case TTL_LT:
		return ttl < m->value;
	case TTL_GT:
		return ttl > m->value;
	}
	UNREACHABLE();
}

void hop_limit_emit(const void *data, struct emit *e)
{
	/* The jump that a packet takes when it doesn't match. */
	static const u8 unless[] = {
		[TTL_EQ] = BPF_JNE, [TTL_NE] = BPF_JEQ, [TTL_LT] = BPF_JGE, [TTL_GT] = BPF_JLE};
	const struct ttl_match *m = data;

	emit_be_load(
		e, ATOM_PACKET, 1, e->family == FAMILY_IPV6 ? HOP_LIMIT_OFF : TTL_OFF, BPF_REG_0);
	bld_jmp32_imm(e->b, unless[m->op], BPF_REG_0, m->value, emit_miss(e));
}
