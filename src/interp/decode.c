/* From instructions to steps. */
#include "interp/step.h"

static struct step decode(const struct prog *p, u32 pc, const step_table table, step_fn tail_jump,
	const struct step *steps)
{
	struct insn i = p->insns[pc];
	enum op_id id = op_id_of(op_of(i));
	const struct helper *h = insn_is_helper_call(i) ? helper_by_id((u32)i.imm) : NULL;
	struct step s = {.run = table[id]};

	switch (id) {
	case OP_ja:
	case OP_gotol:
		s.to = steps + pc + 1 + insn_jump_off(i);
		break;
	case OP_call_local:
		s.to = steps + pc + 1 + i.imm;
		break;
	case OP_call_helper:
		/* Code that is never reached may call what nobody has. */
		s.helper = h ? h->fn : NULL;
		if (i.imm == HELPER_tail_jump)
			s.run = tail_jump;
		break;
	default:
		s.imm = i.imm;
		s.off = i.off;
		s.dst = i.dst;
		s.src = i.src;
	}
	return s;
}

void steps_decode(
	const struct prog *p, const step_table table, step_fn tail_jump, struct step *steps)
{
	for (u32 pc = 0; pc < p->len; pc++) {
		const struct insn *i = &p->insns[pc];

		steps[pc] = decode(p, pc, table, tail_jump, steps);
		if (insn_is_ld_imm64(*i))
			steps[++pc].value = (u64)(u32)i[1].imm << 32 | (u32)i[0].imm;
	}
}
