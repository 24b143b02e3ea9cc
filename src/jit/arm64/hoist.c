/* Constants that a loop needs in a register, made once where it is entered. The free registers are those that no BPF register
 * of the subprogram has; what is used in more loops around comes first. A loop must be entered in one place: from the
 * instruction before its head, by running into it or by a jump into its middle. Loops with calls are left alone, since calls
 * keep nothing in these registers. */
#include "jit/arm64/lower.h"

#include <errno.h>

enum { LOOPS_MAX = 16, CONSTS_MAX = 32, DEPTH_MAX = 8 };

struct loop {
	u32 head, last; /* instructions; jumps back come from last or before */
	bool ok;
};

struct hoisted {
	u64 value;
	u32 head, last; /* of the loop around all uses */
	u64 weight;
	u8 reg;
};

struct a64_hoist {
	struct loop loops[LOOPS_MAX];
	u32 nr_loops;
	struct hoisted consts[CONSTS_MAX];
	u32 nr_consts;
};

static u32 step(const struct jit *j, u32 pc)
{
	return pc + (insn_is_ld_imm64(*jit_insn(j, pc)) ? 2 : 1);
}

static bool is_jump(const struct jit *j, u32 pc)
{
	struct insn i = *jit_insn(j, pc);

	return (insn_is_ja(i) || insn_is_cond_jump(i)) && !a64_select_around(j, pc);
}

static bool contains(const struct loop *l, u32 pc)
{
	return pc >= l->head && pc <= l->last;
}

/* Loops by their heads, ascending: an outer one comes before those in it. */
static void find_loops(const struct jit *j, const struct jit_subprog *s, struct a64_hoist *h)
{
	for (u32 pc = s->start; pc < s->end; pc = step(j, pc)) {
		u32 to = is_jump(j, pc) ? a64_jump_target(j, pc) : UINT32_MAX, at = 0;

		if (to > pc)
			continue;
		while (at < h->nr_loops && h->loops[at].head < to)
			at++;
		if (at < h->nr_loops && h->loops[at].head == to) {
			h->loops[at].last = pc; /* pc only rises */
			continue;
		}
		if (h->nr_loops == LOOPS_MAX)
			continue;
		for (u32 i = h->nr_loops++; i > at; i--)
			h->loops[i] = h->loops[i - 1];
		h->loops[at] = (struct loop){.head = to, .last = pc, .ok = true};
	}
}

/* The jump at pc isn't made as one: a conditional jump over it goes there instead. */
static bool is_skipped(const struct jit *j, u32 pc)
{
	return pc > 0 && insn_is_cond_jump(*jit_insn(j, pc - 1)) &&
	       jit_jump_target(j, pc - 1) == pc + 1;
}

/* A jump from outside into the loop, perhaps through others, other than right before its head into its middle. */
static bool enters_elsewhere(const struct jit *j, const struct loop *l, u32 pc)
{
	u32 to = a64_jump_target(j, pc);

	if (!contains(l, to) || contains(l, pc))
		return false;
	return pc + 1 != l->head || !insn_is_ja(*jit_insn(j, pc)) || is_skipped(j, pc);
}

static void check_loops(const struct jit *j, const struct jit_subprog *s, struct a64_hoist *h)
{
	for (u32 pc = s->start; pc < s->end; pc = step(j, pc)) {
		struct insn i = *jit_insn(j, pc);

		for (u32 n = 0; n < h->nr_loops; n++) {
			struct loop *l = &h->loops[n];

			if (is_jump(j, pc))
				l->ok = l->ok && !enters_elsewhere(j, l, pc);
			else if (BPF_OP(i.code) == BPF_CALL && BPF_CLASS(i.code) == BPF_JMP)
				l->ok = l->ok && !contains(l, pc);
		}
	}
}

static bool alu_needs_register(struct insn i, enum a64_width w, u64 value)
{
	u64 negative = w ? 0 - value : (u32) - (u32)value;
	u32 field;

	switch (BPF_OP(i.code)) {
	case BPF_ADD:
	case BPF_SUB:
		return !a64_is_addsub_imm(value) && !a64_is_addsub_imm(negative);
	case BPF_AND:
		if (value <= UINT32_MAX)
			w = A64_W;
		return !a64_bitmask(w, value, &field);
	case BPF_OR:
	case BPF_XOR:
		return !a64_bitmask(w, value, &field);
	case BPF_MUL:
		return (value & (value - 1)) != 0 && ((value - 1) & (value - 2)) != 0;
	case BPF_DIV:
	case BPF_MOD:
		return (value & (value - 1)) != 0;
	case BPF_MOV:
		return a64_const_insns(value) > 1;
	}
	return false;
}

static bool jump_needs_register(struct insn i, enum a64_width w, u64 value)
{
	u64 negative = w ? 0 - value : (u32) - (u32)value;
	u32 field;

	if (BPF_OP(i.code) == BPF_JSET)
		return !a64_bitmask(w, value, &field);
	return !a64_is_addsub_imm(value) && !a64_is_addsub_imm(negative);
}

static bool access_needs_register(struct insn i, s64 off)
{
	return BPF_MODE(i.code) == BPF_MEM && !a64_is_ldst_scaled(a64_size_of(i), off) &&
	       !a64_fits_signed(off, 9);
}

/* True, and the constant, when the instruction probably wants it in a register. */
static bool wants_constant(const struct jit *j, u32 pc, u64 *value)
{
	struct insn i = *jit_insn(j, pc);
	unsigned cls = BPF_CLASS(i.code);
	enum a64_width w = cls == BPF_ALU64 || cls == BPF_JMP ? A64_X : A64_W;

	*value = w ? (u64)(s64)i.imm : (u32)i.imm;
	switch (cls) {
	case BPF_LD:
		*value = (u32)i.imm | (u64)(u32)jit_insn(j, pc + 1)->imm << 32;
		return insn_is_ld_imm64(i) && a64_const_insns(*value) > 1;
	case BPF_ALU:
	case BPF_ALU64:
		return BPF_SRC(i.code) == BPF_K && BPF_OP(i.code) != BPF_END && *value &&
		       alu_needs_register(i, w, *value);
	case BPF_JMP:
	case BPF_JMP32:
		return insn_is_cond_jump(i) && BPF_SRC(i.code) == BPF_K &&
		       jump_needs_register(i, w, *value);
	case BPF_ST:
		*value = (u64)(s64)i.imm;
		if (a64_size_of(i) != A64_64)
			*value &= ((u64)1 << (8u << a64_size_of(i))) - 1;
		return BPF_MODE(i.code) == BPF_MEM && i.imm != 0;
	default:
		*value = (u64)(s64)i.off;
		return access_needs_register(i, i.off);
	}
}

/* The constant is used in loop `outer`, with `depth` loops around. */
static void note(struct a64_hoist *h, const struct loop *outer, u64 value, u32 depth)
{
	u64 weight = (u64)1 << 3 * (depth < DEPTH_MAX ? depth : DEPTH_MAX);

	for (u32 n = 0; n < h->nr_consts; n++)
		if (h->consts[n].value == value && h->consts[n].head == outer->head) {
			h->consts[n].weight += weight;
			return;
		}
	if (h->nr_consts < CONSTS_MAX)
		h->consts[h->nr_consts++] = (struct hoisted){
			.value = value, .head = outer->head, .last = outer->last, .weight = weight};
}

static void find_constants(struct jit *j, struct a64_hoist *h)
{
	const struct jit_subprog *s = jit_subprog(j);

	for (u32 pc = s->start; pc < s->end; pc = step(j, pc)) {
		const struct loop *outer = NULL;
		u32 depth = 0;
		u64 value;

		for (u32 n = 0; n < h->nr_loops; n++) {
			if (!h->loops[n].ok || !contains(&h->loops[n], pc))
				continue;
			outer = outer ? outer : &h->loops[n];
			depth++;
		}
		if (outer && wants_constant(j, pc, &value))
			note(h, outer, value, depth);
	}
}

/* A bit for each host register that the subprogram has no use for. */
static u32 free_registers(const struct jit *j)
{
	const struct jit_subprog *s = jit_subprog(j);
	const struct a64 *a = a64_of(j);
	bool calls = s->calls_helper || s->calls_local;
	u32 free = 1u << 5 | 1u << 6 | 1u << 8 | 1u << 17;

	if (calls)
		free |= 1u << 13 | 1u << 14 | 1u << 15 | 1u << 16;
	for (u8 reg = BPF_REG_2; reg < A64_REGS && !calls; reg++)
		if (reg != BPF_REG_FP && s->names & 1u << reg)
			free &= ~(1u << a->home[reg]);
		else if (reg <= BPF_REG_9)
			free |= 1u << a->home[reg];
	return free & ~(1u << a->base);
}

static bool overlap(const struct hoisted *a, const struct hoisted *b)
{
	return a->head <= b->last && b->head <= a->last;
}

/* The registers go to the most used ones; what gets none stays where it is. */
static void assign_registers(struct a64_hoist *h, u32 free)
{
	u32 nr = 0;

	for (u32 n = 1; n < h->nr_consts; n++) /* by weight, descending */
		for (u32 i = n; i > 0 && h->consts[i].weight > h->consts[i - 1].weight; i--) {
			struct hoisted other = h->consts[i];

			h->consts[i] = h->consts[i - 1];
			h->consts[i - 1] = other;
		}
	for (u32 n = 0; n < h->nr_consts; n++) {
		struct hoisted c = h->consts[n];
		u32 left = free;

		for (u32 i = 0; i < nr; i++)
			if (overlap(&c, &h->consts[i]))
				left &= ~(1u << h->consts[i].reg);
		if (!left)
			continue;
		c.reg = (u8)__builtin_ctz(left);
		h->consts[nr++] = c;
	}
	h->nr_consts = nr;
}

void a64_hoist_plan(struct jit *j)
{
	struct a64 *a = a64_of(j);

	a->hoist = NULL;
	a->spare = free_registers(j);
	if (!jit_may(j, JIT_HOIST))
		return;
	struct a64_hoist *h = arena_alloc(&j->arena, sizeof(*h));
	if (!h) {
		jit_fail(j, j->pc, ENOMEM, "out of memory");
		return;
	}
	find_loops(j, jit_subprog(j), h);
	if (h->nr_loops == 0)
		return;
	check_loops(j, jit_subprog(j), h);
	find_constants(j, h);
	assign_registers(h, a->spare);
	for (u32 n = 0; n < h->nr_consts; n++)
		a->spare &= ~(1u << h->consts[n].reg);
	a->hoist = h;
}

void a64_hoist_enter(struct jit *j, u32 head)
{
	const struct a64_hoist *h = a64_of(j)->hoist;

	for (u32 n = 0; h && n < h->nr_consts; n++)
		if (h->consts[n].head == head)
			a64_const(j, A64_X, h->consts[n].reg, h->consts[n].value);
}

bool a64_hoist_jumps_in(const struct jit *j, u32 head, u32 to)
{
	const struct a64_hoist *h = a64_of(j)->hoist;

	for (u32 n = 0; h && n < h->nr_loops; n++)
		if (h->loops[n].head == head)
			return contains(&h->loops[n], to);
	return false;
}

bool a64_hoist_enters(const struct jit *j, u32 pc, u32 head)
{
	const struct a64_hoist *h = a64_of(j)->hoist;

	for (u32 n = 0; h && n < h->nr_loops; n++)
		if (h->loops[n].head == head)
			return !contains(&h->loops[n], pc);
	return false;
}

bool a64_hoisted(const struct jit *j, enum a64_width w, u64 value, unsigned *reg)
{
	const struct a64_hoist *h = a64_of(j)->hoist;

	for (u32 n = 0; h && n < h->nr_consts; n++) {
		const struct hoisted *c = &h->consts[n];

		if (j->pc < c->head || j->pc > c->last)
			continue;
		if (c->value == value || (w == A64_W && (u32)c->value == (u32)value)) {
			*reg = c->reg;
			return true;
		}
	}
	return false;
}
