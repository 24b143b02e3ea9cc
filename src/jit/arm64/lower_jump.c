/* Jumps. Comparisons with zero and tests of one bit have branches of their own; the rest compares and branches. The short
 * form comes first; where it doesn't reach, the inverted branch hops over a B, which reaches anything (jit_reach). */
#include "jit/arm64/lower.h"

#include <errno.h>

struct compare {
	u32 to; /* where the jump goes */
	u8 op, dst, src;
	enum a64_width w;
	bool is_const;
	u64 value;                       /* normalised to the width */
	bool inverted;                   /* jumps when the comparison does not hold */
	const struct a64_select *select; /* instead of a jump; or NULL */
};

static void emit_b(struct jit *j, jit_label to)
{
	jit_fixup(j, jit_offset(j), A64_FIX_IMM26, to);
	a64_emit(j, a64_b(0));
}

static bool is_long(const struct jit *j)
{
	return jit_reach(j) > 0;
}

static void jump_cond(struct jit *j, jit_label to, enum a64_cond cond)
{
	if (is_long(j)) {
		a64_emit(j, a64_bcond(a64_cond_not(cond), 8));
		emit_b(j, to);
		return;
	}
	jit_fixup(j, jit_offset(j), A64_FIX_IMM19, to);
	a64_emit(j, a64_bcond(cond, 0));
}

static enum a64_zero zero_not(enum a64_zero op)
{
	return op == A64_IS_ZERO ? A64_IS_NONZERO : A64_IS_ZERO;
}

static void jump_zero(struct jit *j, jit_label to, enum a64_width w, enum a64_zero op, unsigned rt)
{
	if (is_long(j)) {
		a64_emit(j, a64_cbz(w, zero_not(op), rt, 8));
		emit_b(j, to);
		return;
	}
	jit_fixup(j, jit_offset(j), A64_FIX_IMM19, to);
	a64_emit(j, a64_cbz(w, op, rt, 0));
}

static void jump_bit(struct jit *j, jit_label to, enum a64_zero op, unsigned rt, unsigned bit)
{
	if (is_long(j)) {
		a64_emit(j, a64_tbz(zero_not(op), rt, bit, 8));
		emit_b(j, to);
		return;
	}
	jit_fixup(j, jit_offset(j), A64_FIX_IMM14, to);
	a64_emit(j, a64_tbz(op, rt, bit, 0));
}

/* Brings home what is needed where the jump goes; what only the way on needs may stay held back. */
static void flush_for_target(struct jit *j, u32 to)
{
	a64_flush(j, a64_live_in(j, to));
}

/* Where the jump at hand must lead, whose target is `to`: there, with all in its place, or to an exit of its own. */
static jit_label prepare_jump(struct jit *j, u32 to)
{
	if (a64_has_own_exit(j, to))
		return a64_own_exit(j);
	flush_for_target(j, to);
	return to;
}

static enum a64_cond condition_of(const struct compare *c)
{
	static const enum a64_cond conditions[16] = {
		[BPF_JEQ >> 4] = A64_EQ,
		[BPF_JNE >> 4] = A64_NE,
		[BPF_JSET >> 4] = A64_NE,
		[BPF_JGT >> 4] = A64_HI,
		[BPF_JGE >> 4] = A64_CS,
		[BPF_JLT >> 4] = A64_CC,
		[BPF_JLE >> 4] = A64_LS,
		[BPF_JSGT >> 4] = A64_GT,
		[BPF_JSGE >> 4] = A64_GE,
		[BPF_JSLT >> 4] = A64_LT,
		[BPF_JSLE >> 4] = A64_LE,
	};

	return c->inverted ? a64_cond_not(conditions[c->op >> 4]) : conditions[c->op >> 4];
}

/* Comparisons that ask whether rn is zero. */
static bool asks_zero(const struct compare *c, enum a64_zero *op)
{
	if ((c->op == BPF_JEQ && c->value == 0) || (c->op == BPF_JLT && c->value == 1) ||
		(c->op == BPF_JLE && c->value == 0))
		*op = A64_IS_ZERO;
	else if ((c->op == BPF_JNE && c->value == 0) || (c->op == BPF_JGE && c->value == 1) ||
		 (c->op == BPF_JGT && c->value == 0))
		*op = A64_IS_NONZERO;
	else
		return false;
	return true;
}

/* Comparisons that ask about one bit: JSET of one, or the sign. */
static bool asks_bit(const struct compare *c, enum a64_zero *op, unsigned *bit)
{
	u64 minus_one = c->w ? UINT64_MAX : UINT32_MAX;

	*bit = c->w ? 63 : 31;
	if ((c->op == BPF_JSLT && c->value == 0) || (c->op == BPF_JSLE && c->value == minus_one)) {
		*op = A64_IS_NONZERO;
		return true;
	}
	if ((c->op == BPF_JSGE && c->value == 0) || (c->op == BPF_JSGT && c->value == minus_one)) {
		*op = A64_IS_ZERO;
		return true;
	}
	if (c->op != BPF_JSET || c->value == 0 || c->value & (c->value - 1))
		return false;
	*op = A64_IS_NONZERO;
	*bit = (unsigned)__builtin_ctzll(c->value);
	return true;
}

/* Flags with which the condition holds. */
static unsigned flags_for(enum a64_cond cond)
{
	enum { N = 8, Z = 4, C = 2 };
	static const u8 flags[] = {[A64_EQ] = Z,
		[A64_CS] = C,
		[A64_HI] = C,
		[A64_LS] = Z,
		[A64_LT] = N,
		[A64_LE] = Z,
		[A64_AL] = 0};

	return flags[cond];
}

/* Compares registers; with a comparison before, unless that one jumps already. */
static void emit_compare_reg(struct jit *j, const struct compare *c, unsigned rn, unsigned rm)
{
	const struct a64_chain *chain = &a64_of(j)->chain;

	if (chain->open)
		a64_emit(j, a64_ccmp_reg(c->w, A64_CCMP, rn, rm, flags_for(condition_of(c)),
				    a64_cond_not(chain->cond)));
	else if (c->op == BPF_JSET)
		a64_emit(j, a64_logic_reg(c->w, A64_ANDS, A64_ZR, rn, rm, A64_LSL, 0));
	else
		a64_emit(j, a64_addsub_reg(c->w, A64_SUBS, A64_ZR, rn, rm, A64_LSL, 0));
}

static bool compare_imm_chained(
	struct jit *j, const struct compare *c, unsigned rn, u64 value, u64 negative)
{
	const struct a64_chain *chain = &a64_of(j)->chain;
	bool is_negative = value > 31;
	u64 imm = is_negative ? negative : value;

	if (imm > 31)
		return false;
	a64_emit(j, a64_ccmp_imm(c->w, is_negative ? A64_CCMN : A64_CCMP, rn, (unsigned)imm,
			    flags_for(condition_of(c)), a64_cond_not(chain->cond)));
	return true;
}

static bool compare_imm(struct jit *j, const struct compare *c, unsigned rn)
{
	u64 negative = c->w ? 0 - c->value : (u32) - (u32)c->value;
	u32 field;

	if (a64_of(j)->chain.open)
		return compare_imm_chained(j, c, rn, c->value, negative);
	if (c->op == BPF_JSET && a64_bitmask(c->w, c->value, &field))
		a64_emit(j, a64_logic_imm(c->w, A64_ANDS, A64_ZR, rn, field));
	else if (c->op != BPF_JSET && a64_is_addsub_imm(c->value))
		a64_emit(j, a64_addsub_imm(c->w, A64_SUBS, A64_ZR, rn, (u32)c->value));
	else if (c->op != BPF_JSET && a64_is_addsub_imm(negative))
		a64_emit(j, a64_addsub_imm(c->w, A64_ADDS, A64_ZR, rn, (u32)negative));
	else
		return false;
	return true;
}

/* Sets the flags for rn compared with a constant. */
static void emit_compare_const(struct jit *j, const struct compare *c, unsigned rn)
{
	if (compare_imm(j, c, rn))
		return;
	emit_compare_reg(j, c, rn, a64_const_reg_short(j, c->w, c->value, A64_TMP));
}

bool a64_has_branch_of_its_own(struct insn i)
{
	struct compare c = {.op = BPF_OP(i.code), .value = (u64)(s64)i.imm};
	enum a64_zero op;
	unsigned bit;

	c.w = BPF_CLASS(i.code) == BPF_JMP ? A64_X : A64_W;
	c.value = c.w ? c.value : (u32)c.value;
	return BPF_SRC(i.code) == BPF_K && (asks_zero(&c, &op) || asks_bit(&c, &op, &bit));
}

/* Whether a branch of its own asks this, about the register itself. */
static bool has_own_branch(const struct jit *j, const struct compare *c)
{
	enum a64_zero op;
	unsigned bit;

	return !a64_of(j)->chain.open && !c->select &&
	       (asks_zero(c, &op) || asks_bit(c, &op, &bit));
}

static void branch_on_register(struct jit *j, const struct compare *c, unsigned rn)
{
	enum a64_zero op;
	unsigned bit;

	jit_label to = prepare_jump(j, c->to);
	if (asks_zero(c, &op))
		jump_zero(j, to, c->w, c->inverted ? zero_not(op) : op, rn);
	else if (asks_bit(c, &op, &bit))
		jump_bit(j, to, c->inverted ? zero_not(op) : op, rn, bit);
}

static bool joins_next(const struct jit *j, u32 to);

/* What is brought home for the jump comes behind the comparison: it leaves the flags alone. */
static void branch_on_flags(struct jit *j, const struct compare *c)
{
	struct a64_chain *chain = &a64_of(j)->chain;

	a64_reads_done(j);
	if (c->select) {
		a64_select(j, c->select, condition_of(c));
		return;
	}
	*chain = (struct a64_chain){
		.open = joins_next(j, c->to), .cond = condition_of(c), .to = c->to};
	if (!chain->open)
		jump_cond(j, prepare_jump(j, c->to), condition_of(c));
}

/* rn, which a flush doesn't change, against the constant. */
static void compare_const(struct jit *j, const struct compare *c, unsigned rn)
{
	if (has_own_branch(j, c)) {
		branch_on_register(j, c, rn);
	} else {
		emit_compare_const(j, c, rn);
		branch_on_flags(j, c);
	}
}

/* (x << n) == constant: the comparison shifts on the way. */
static bool compare_shifted(struct jit *j, const struct compare *c)
{
	struct value v = a64_of(j)->values[c->dst];

	if ((c->op != BPF_JEQ && c->op != BPF_JNE) || c->value == 0 || v.kind != VALUE_SHIFT ||
		v.shift == A64_ROR || v.width != c->w)
		return false;
	if (a64_is_addsub_imm(c->value) || a64_of(j)->chain.open)
		return false;
	unsigned rn = a64_const_reg_short(j, c->w, c->value, A64_TMP);
	a64_emit(j, a64_addsub_reg(c->w, A64_SUBS, A64_ZR, rn, a64_home(j, v.src), v.shift,
			    (unsigned)v.amount));
	branch_on_flags(j, c);
	return true;
}

static void lower_compare_const(struct jit *j, const struct compare *c)
{
	if (compare_shifted(j, c))
		return;
	a64_settle(j, c->dst);
	if (has_own_branch(j, c))
		compare_const(j, c, a64_read_lasting(j, c->w, c->dst, A64_TMP2));
	else
		compare_const(j, c, a64_read_now(j, c->w, c->dst, A64_TMP2));
}

static void lower_compare_reg(struct jit *j, const struct compare *c)
{
	unsigned rn, rm;

	a64_read_two_now(j, c->w, c->dst, c->src, &rn, &rm);
	emit_compare_reg(j, c, rn, rm);
	branch_on_flags(j, c);
}

/* The conditional jump at pc only skips a jump: then it is inverted and goes where that one goes. */
static bool skips_jump(const struct jit *j, u32 pc)
{
	u32 next = pc + 1;

	return jit_jump_target(j, pc) == pc + 2 && a64_fusible(j, next) &&
	       insn_is_ja(*jit_insn(j, next)) && insn_jump_off(*jit_insn(j, next)) != -1 &&
	       !a64_is_exit(j, next);
}

u32 a64_branch_target(const struct jit *j, u32 pc)
{
	return a64_jump_target(j, skips_jump(j, pc) ? pc + 1 : pc);
}

u32 a64_branch_insns(const struct jit *j, u32 pc)
{
	return skips_jump(j, pc) ? 2 : 1;
}

/* The jump at pc becomes a select or goes somewhere. */
static void set_target(struct jit *j, u32 pc, struct compare *c)
{
	c->select = a64_select_at(j, pc);
	if (c->select)
		return;
	c->to = a64_branch_target(j, pc);
	if (skips_jump(j, pc)) {
		c->inverted = !c->inverted;
		a64_take_skipped(j);
	}
	if (a64_of(j)->turned_to) {
		c->inverted = !c->inverted;
		c->to = a64_of(j)->turned_to;
	}
}

/* Arithmetic that sets no flags, and whose result nobody wants at `to`. */
static bool may_run_before_jump(const struct jit *j, struct insn i, u32 to)
{
	unsigned cls = BPF_CLASS(i.code);

	if (cls != BPF_ALU && cls != BPF_ALU64 && !insn_is_ld_imm64(i))
		return false;
	return !insn_is_percpu_mov(i) && !(a64_live_in(j, to) & 1u << i.dst);
}

/* A comparison that CCMP can make, and that has no branch of its own. */
static bool is_chainable(struct insn i)
{
	if (!insn_is_cond_jump(i) || BPF_OP(i.code) == BPF_JSET)
		return false;
	return BPF_SRC(i.code) == BPF_X || (i.imm != 0 && i.imm != 1 && i.imm != -1);
}

/* Whether the next jump goes to the same place, and so little is done before it that both can be one:
 * compare, compare if that one doesn't jump already, jump. */
static bool joins_next(const struct jit *j, u32 to)
{
	enum { INSNS_BETWEEN_MAX = 4 };
	u32 pc = a64_of(j)->next;

	if (!jit_may(j, JIT_COMPARE_CHAIN))
		return false;
	for (unsigned n = 0; n <= INSNS_BETWEEN_MAX && a64_fusible(j, pc); n++) {
		struct insn i = *jit_insn(j, pc);

		if (is_chainable(i))
			return !a64_select_at(j, pc) && a64_branch_target(j, pc) == to;
		if (!may_run_before_jump(j, i, to))
			return false;
		pc += insn_is_ld_imm64(i) ? 2 : 1;
	}
	return false;
}

/* The shift of dst can be read behind a flush: nobody wants its result, so its operand's home isn't overwritten. */
static bool shift_stays(const struct jit *j, const struct compare *c)
{
	struct value v = a64_of(j)->values[c->dst];

	return a64_dead(j, c->dst) && !a64_is_aside(v.src) &&
	       (v.src == c->dst || a64_of(j)->values[v.src].kind == VALUE_HOME);
}

/* (x >> n & mask) is zero when x & mask << n is. */
static bool tests_shifted(const struct jit *j, struct compare *c, unsigned *rn)
{
	struct value v = a64_of(j)->values[c->dst];
	unsigned bits = c->w ? 64 : 32;

	if (v.kind != VALUE_SHIFT || v.shift != A64_LSR || v.width != c->w || !shift_stays(j, c) ||
		c->value >> (bits - (unsigned)v.amount))
		return false;
	c->value <<= v.amount;
	*rn = a64_home(j, v.src);
	return true;
}

bool a64_lower_and_jump(struct jit *j, enum a64_width w, u8 dst, u8 src, const u64 *value)
{
	u32 next = a64_of(j)->next;
	unsigned rn;

	if (!a64_fusible(j, next))
		return false;
	struct insn jump = *jit_insn(j, next);
	if (!insn_is_cond_jump(jump) || BPF_SRC(jump.code) != BPF_K || jump.imm != 0 ||
		jump.dst != dst)
		return false;
	if ((BPF_OP(jump.code) != BPF_JEQ && BPF_OP(jump.code) != BPF_JNE) ||
		a64_live_out(j, next) & 1u << dst)
		return false;
	struct compare c = {
		.op = BPF_JSET, .dst = dst, .src = src, .inverted = BPF_OP(jump.code) == BPF_JEQ};
	c.w = BPF_CLASS(jump.code) == BPF_JMP32 ? A64_W : w;
	c.value = value ? c.w ? *value : (u32)*value : 0;
	a64_take_next(j);
	set_target(j, next, &c);
	if (!value)
		lower_compare_reg(j, &c);
	else if (tests_shifted(j, &c, &rn))
		compare_const(j, &c, rn);
	else
		lower_compare_const(j, &c);
	return true;
}

/* The next instruction from *pc on, when only the one before it leads there. */
static const struct insn *next_of(const struct jit *j, u32 *pc)
{
	const struct insn *i = jit_insn(j, *pc);

	if (!a64_fusible(j, *pc))
		return NULL;
	*pc += insn_is_ld_imm64(*i) ? 2 : 1;
	return i;
}

/* *pc moves over a load of a 64-bit constant and the instruction `code` that uses it as source. */
static const struct insn *use_of_const(const struct jit *j, u32 *pc, u8 code, u64 *value)
{
	const struct insn *load = next_of(j, pc), *use = load ? next_of(j, pc) : NULL;

	if (!use || !insn_is_ld_imm64(*load) || use->code != code || use->src != load->dst ||
		use->dst == load->dst)
		return NULL;
	*value = (u32)load[0].imm | (u64)(u32)load[1].imm << 32;
	return use;
}

/* What the rules' compiler writes for an address under a mask that is no prefix, as one load of all constants:
 *	a &= mask; r = mask 2; b &= r; r = want; if a != r goto to; r = want 2; if b != r goto to */
bool a64_lower_masked_pair(struct jit *j, u8 a, u64 mask)
{
	const u8 and_reg = BPF_ALU64 | BPF_AND | BPF_X, jne_reg = BPF_JMP | BPF_JNE | BPF_X;
	u32 pc = a64_of(j)->next, first_jump, last_jump;
	u64 k[4] = {mask};

	if (!jit_may(j, JIT_MASKED_PAIR) || !a64_may_load_literal(j) || a64_of(j)->chain.open)
		return false;
	const struct insn *and = use_of_const(j, &pc, and_reg, &k[1]);
	const struct insn *first = and? use_of_const(j, &pc, jne_reg, &k[2]) : NULL;
	first_jump = pc - 1;
	const struct insn *last = first ? use_of_const(j, &pc, jne_reg, &k[3]) : NULL;
	last_jump = pc - 1;
	if (!last || and->dst == a || first->dst != a || last->dst != and->dst ||
		skips_jump(j, first_jump) || skips_jump(j, last_jump) ||
		a64_select_at(j, first_jump) || a64_select_at(j, last_jump))
		return false;
	u32 to = a64_branch_target(j, last_jump);
	u16 halves = (u16)(1u << a | 1u << and->dst);
	u16 constants = (u16)(1u << and->src | 1u << first->src | 1u << last->src);
	u16 used = halves | constants;
	if (halves & constants || a64_branch_target(j, first_jump) != to ||
		a64_live_in(j, to) & used || a64_live_out(j, last_jump) & used)
		return false;
	unsigned ra, rb;
	u8 b = and->dst;
	while (a64_of(j)->next <= last_jump)
		a64_take_next(j);
	a64_read_two(j, A64_X, a, b, &ra, &rb);
	a64_quad_address(j, A64_TMP4, k);
	a64_emit(j, a64_pair(A64_X, A64_LDP, A64_OFFSET, A64_TMP, A64_TMP2, A64_TMP4, 0));
	a64_emit(j, a64_logic_reg(A64_X, A64_AND, A64_TMP, ra, A64_TMP, A64_LSL, 0));
	a64_emit(j, a64_logic_reg(A64_X, A64_AND, A64_TMP2, rb, A64_TMP2, A64_LSL, 0));
	a64_emit(j, a64_pair(A64_X, A64_LDP, A64_OFFSET, A64_TMP3, A64_TMP4, A64_TMP4, 16));
	a64_emit(j, a64_addsub_reg(A64_X, A64_SUBS, A64_ZR, A64_TMP, A64_TMP3, A64_LSL, 0));
	a64_emit(j, a64_ccmp_reg(A64_X, A64_CCMP, A64_TMP2, A64_TMP4, 0, A64_EQ));
	a64_reads_done(j);
	jump_cond(j, prepare_jump(j, to), A64_NE);
	return true;
}

static void lower_conditional(struct jit *j, struct insn i)
{
	struct compare c = {.op = BPF_OP(i.code), .dst = i.dst, .src = i.src};

	c.w = BPF_CLASS(i.code) == BPF_JMP ? A64_X : A64_W;
	c.is_const = BPF_SRC(i.code) == BPF_K || a64_const_of(j, i.src, &c.value);
	if (BPF_SRC(i.code) == BPF_K)
		c.value = (u64)(s64)i.imm;
	if (c.w == A64_W)
		c.value = (u32)c.value;
	set_target(j, j->pc, &c);
	if (c.is_const)
		lower_compare_const(j, &c);
	else
		lower_compare_reg(j, &c);
}

void a64_goto(struct jit *j, u32 to)
{
	if (insn_is_exit(*jit_insn(j, to))) {
		a64_exit(j);
		return;
	}
	flush_for_target(j, to);
	if (a64_hoist_enters(j, j->pc, to))
		a64_hoist_enter(j, to);
	if (to != a64_of(j)->next)
		emit_b(j, to);
	a64_values_reset(j);
	a64_of(j)->unreachable = true;
}

static void lower_goto(struct jit *j)
{
	u32 to = a64_jump_target(j, j->pc);

	if (a64_hoist_jumps_in(j, j->pc + 1, to))
		a64_hoist_enter(j, j->pc + 1);
	if (!a64_copy_block(j))
		a64_goto(j, to);
}

void a64_lower_jump(struct jit *j, struct insn i)
{
	if (insn_is_exit(i))
		a64_exit(j);
	else if (insn_is_ja(i))
		lower_goto(j);
	else if (BPF_OP(i.code) == BPF_CALL)
		a64_lower_call(j, i);
	else
		lower_conditional(j, i);
}
