/* From instructions to steps. */
#include "base/alloc.h"
#include "interp/step.h"

enum { NOTHING = -1 };

/* What `last` is known to be where a step begins: the register it is the value of, or NOTHING. */
typedef int held;

struct decoder {
	const struct prog *p;
	const struct step_set *set;
	struct step *steps;
	bool *is_target; /* of a jump or a call: what came before differs */
};

static bool is_atomic(struct insn i)
{
	return BPF_CLASS(i.code) == BPF_STX && BPF_MODE(i.code) == BPF_ATOMIC;
}

static u32 width_of(struct insn i)
{
	return insn_is_ld_imm64(i) ? 2 : 1;
}

/* What `last` is behind this instruction. */
static held held_after(struct insn i, held before)
{
	u8 rule = op_of(i)->dst.rule;

	if (insn_is_helper_call(i))
		return BPF_REG_0;
	if (rule == OP_W || rule == OP_RW)
		return i.dst;
	/* Jumps and stores hand on what they got; the others write registers that aren't dst, or come from elsewhere. */
	if (insn_is_cond_jump(i) ||
		((BPF_CLASS(i.code) == BPF_STX || BPF_CLASS(i.code) == BPF_ST) && !is_atomic(i)))
		return before;
	return NOTHING;
}

static enum from from_of(struct insn i, held last)
{
	const struct op *op = op_of(i);

	if (last == NOTHING || is_atomic(i))
		return FROM_regs;
	if (last == i.dst && (op->dst.rule == OP_R || op->dst.rule == OP_RW))
		return FROM_dst;
	return last == i.src && op->src.rule == OP_R ? FROM_src : FROM_regs;
}

/* The function that does the instruction at pc and the one behind it, or NULL. */
static step_fn pair_at(const struct decoder *d, u32 pc, enum from from, held after)
{
	u32 next = pc + width_of(d->p->insns[pc]);

	if (next >= d->p->len)
		return NULL;
	enum op_id first = op_id_of(op_of(d->p->insns[pc]));
	enum op_id second = op_id_of(op_of(d->p->insns[next]));
	enum from second_from = from_of(d->p->insns[next], after);

	for (size_t k = 0; k < d->set->nr_pairs; k++) {
		const struct step_pair *pair = &d->set->pairs[k];

		if (pair->first == first && pair->second == second && pair->first_from == from &&
			pair->second_from == second_from)
			return pair->run;
	}
	return NULL;
}

static struct step decode(const struct decoder *d, u32 pc, held last)
{
	struct insn i = d->p->insns[pc];
	enum op_id id = op_id_of(op_of(i));
	const struct helper *h = insn_is_helper_call(i) ? helper_by_id((u32)i.imm) : NULL;
	enum from from = from_of(i, last);
	step_fn pair = pair_at(d, pc, from, held_after(i, last));
	struct step s = {.run = pair ? pair : d->set->tables[from][id]};

	switch (id) {
	case OP_ja:
	case OP_gotol:
		s.to = d->steps + pc + 1 + insn_jump_off(i);
		break;
	case OP_call_local:
		s.to = d->steps + pc + 1 + i.imm;
		break;
	case OP_call_helper:
		/* Code that is never reached may call what nobody has. */
		s.helper = h ? h->fn : NULL;
		if (i.imm == HELPER_tail_jump)
			s.run = d->set->tail_jump;
		break;
	default:
		s.imm = i.imm;
		s.off = i.off;
		s.dst = i.dst;
		s.src = i.src;
	}
	return s;
}

static void find_targets(struct decoder *d)
{
	const struct prog *p = d->p;

	for (u32 pc = 0; pc < p->len; pc += width_of(p->insns[pc])) {
		struct insn i = p->insns[pc];

		if (insn_is_local_call(i))
			d->is_target[(s64)pc + 1 + i.imm] = true;
		else if (insn_is_cond_jump(i) || insn_is_ja(i))
			d->is_target[(s64)pc + 1 + insn_jump_off(i)] = true;
	}
}

static void decode_all(struct decoder *d)
{
	held last = NOTHING;

	for (u32 pc = 0; pc < d->p->len; pc += width_of(d->p->insns[pc])) {
		struct insn i = d->p->insns[pc];

		if (d->is_target[pc])
			last = NOTHING;
		d->steps[pc] = decode(d, pc, last);
		if (insn_is_ld_imm64(i))
			d->steps[pc + 1].value =
				(u64)(u32)d->p->insns[pc + 1].imm << 32 | (u32)i.imm;
		last = held_after(i, last);
	}
}

struct step *steps_new(const struct prog *p, const struct step_set *set)
{
	struct decoder d = {.p = p,
		.set = set,
		.steps = mem_alloc(array_size(p->len, sizeof(*d.steps))),
		.is_target = mem_zalloc(array_size(p->len, sizeof(*d.is_target)))};

	if (d.steps && d.is_target) {
		find_targets(&d);
		decode_all(&d);
	} else {
		mem_free(d.steps);
		d.steps = NULL;
	}
	mem_free(d.is_target);
	return d.steps;
}
