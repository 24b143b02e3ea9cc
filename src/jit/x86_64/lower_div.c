/* Division and remainder. RFC 9669: x / 0 = 0, x % 0 = x; the most negative number / -1 wraps, its remainder is 0, and
 * neither may trap. The host's div wants rdx:rax, which are r3 and r0. */
#include "jit/x86_64/x86.h"

struct division {
	enum x86_width w;
	bool is_signed, is_mod;
	enum x86_reg dst, src; /* src: none of rax, rdx */
};

static struct division division_of(struct insn i)
{
	return (struct division){
		.w = BPF_CLASS(i.code) == BPF_ALU64 ? X86_64 : X86_32,
		.is_signed = i.off == 1,
		.is_mod = BPF_OP(i.code) == BPF_MOD,
		.dst = x86_reg(i.dst),
	};
}

/* The divisor is known not to be zero, nor -1 when signed. */
static void divide(struct jit *j, const struct division *d)
{
	struct buf *b = &j->code;
	enum x86_reg result = d->is_mod ? RDX : RAX;
	bool save_rax = d->dst != RAX;
	bool save_rdx = d->dst != RDX && !x86_is_free(j, BPF_REG_3);

	if (save_rax)
		x86_mov(b, X86_64, X86_SCRATCH2, RAX);
	if (save_rdx)
		x86_mov(b, X86_64, X86_SCRATCH3, RDX);
	if (d->dst != RAX)
		x86_mov(b, d->w, RAX, d->dst);
	if (d->is_signed)
		x86_sign_rdx(b, d->w);
	else
		x86_load_const(b, RDX, 0);
	x86_unary(b, d->w, d->is_signed ? X86_IDIV : X86_DIV, d->src);
	if (d->dst != result)
		x86_mov(b, X86_64, d->dst, result);
	if (save_rax)
		x86_mov(b, X86_64, RAX, X86_SCRATCH2);
	if (save_rdx)
		x86_mov(b, X86_64, RDX, X86_SCRATCH3);
}

/* x / 0 = 0 = the divisor; x % 0 = x. */
static void divide_unsigned(struct jit *j, const struct division *d, bool may_be_zero)
{
	struct buf *b = &j->code;

	if (!may_be_zero) {
		divide(j, d);
		return;
	}
	if (d->is_mod)
		x86_keep(j, d->w, d->dst);
	x86_test(b, d->w, d->src, d->src);
	if (d->is_mod) {
		u32 zero = x86_skip_if(j, X86_E);

		divide(j, d);
		x86_land(j, zero);
		return;
	}
	u32 nonzero = x86_skip_if(j, X86_NE);
	x86_load_const(b, d->dst, 0);
	u32 done = x86_skip(j);
	x86_land(j, nonzero);
	divide(j, d);
	x86_land(j, done);
}

/* For divisors 0 and -1 the quotient is the product, and the remainder x & ~divisor. */
static void divide_signed(struct jit *j, const struct division *d)
{
	struct buf *b = &j->code;
	enum x86_reg inverse = d->src == X86_SCRATCH ? X86_SCRATCH2 : X86_SCRATCH;

	x86_lea(b, d->w, inverse, x86_at(d->src, 1));
	x86_alu_imm(b, d->w, X86_CMP, inverse, 1);
	u32 ordinary = x86_skip_if(j, X86_A);
	if (d->is_mod) {
		x86_mov(b, d->w, inverse, d->src);
		x86_unary(b, d->w, X86_NOT, inverse);
		x86_alu(b, d->w, X86_AND, d->dst, inverse);
	} else {
		x86_imul(b, d->w, d->dst, d->src);
	}
	u32 done = x86_skip(j);
	x86_land(j, ordinary);
	divide(j, d);
	x86_land(j, done);
}

static void divide_by_reg(struct jit *j, struct division *d, enum x86_reg src)
{
	bool nonzero = jit_fact(j, j->pc)->flags & FACT_SRC_NONZERO;

	d->src = src;
	if (src == RAX || src == RDX) {
		d->src = X86_SCRATCH;
		x86_mov(&j->code, d->w, d->src, src);
	}
	if (d->is_signed)
		divide_signed(j, d);
	else
		divide_unsigned(j, d, !nonzero);
}

static void set_zero(struct jit *j, const struct division *d)
{
	x86_load_const(&j->code, d->dst, 0);
}

/* x / n = (x * factor [+ factor]) >> (bits + shift), exactly, for all x of that many bits: A. Robison, "N-bit unsigned
 * division via N-bit multiply-add", 2005. factor has its top bit set, so it fits. */
struct reciprocal {
	u64 factor;
	unsigned shift;
	bool add;
};

static struct reciprocal reciprocal_of(u32 n, unsigned bits)
{
	unsigned shift = 31 - (unsigned)__builtin_clz(n);
	unsigned __int128 power = (unsigned __int128)1 << (bits + shift);
	u64 below = (u64)(power / n), rest = (u64)(power % n);
	bool round_up = n - rest <= (u64)1 << shift;

	return (struct reciprocal){.factor = below + round_up, .shift = shift, .add = !round_up};
}

/* 32 bits: the product fits 64. */
static void multiply32(struct jit *j, const struct division *d, s32 n)
{
	struct reciprocal r = reciprocal_of((u32)n, 32);
	enum x86_reg q = d->is_mod ? X86_SCRATCH2 : d->dst;
	struct buf *b = &j->code;

	x86_mov(b, X86_32, q, d->dst);
	if (r.add)
		x86_step(b, X86_64, X86_INC, q);
	x86_load_const(b, X86_SCRATCH, r.factor);
	x86_imul(b, X86_64, q, X86_SCRATCH);
	x86_shift_imm(b, X86_64, X86_SHR, q, 32 + r.shift);
	if (!d->is_mod)
		return;
	x86_imul_imm(b, X86_32, q, q, n);
	x86_alu(b, X86_32, X86_SUB, d->dst, q);
}

/* 64 bits: the upper half of the product comes in rdx, and rax goes. */
static void multiply64(struct jit *j, const struct division *d, s32 n)
{
	struct reciprocal r = reciprocal_of((u32)n, 64);
	struct buf *b = &j->code;
	bool keep_rdx = d->dst == RDX || !x86_is_free(j, BPF_REG_3);
	enum x86_reg x = d->dst == RAX ? X86_SCRATCH2 : d->dst == RDX ? X86_SCRATCH3 : d->dst;

	x86_mov(b, X86_64, X86_SCRATCH2, RAX);
	if (keep_rdx)
		x86_mov(b, X86_64, X86_SCRATCH3, RDX);
	if (d->dst != RAX)
		x86_mov(b, X86_64, RAX, d->dst);
	x86_load_const(b, X86_SCRATCH, r.factor);
	x86_unary(b, X86_64, X86_MUL, X86_SCRATCH);
	if (r.add) {
		x86_alu(b, X86_64, X86_ADD, RAX, X86_SCRATCH);
		x86_alu_imm(b, X86_64, X86_ADC, RDX, 0);
	}
	if (r.shift)
		x86_shift_imm(b, X86_64, X86_SHR, RDX, r.shift);
	if (d->is_mod) {
		x86_imul_imm(b, X86_64, RDX, RDX, n);
		x86_alu(b, X86_64, X86_SUB, x, RDX);
	}
	x86_mov(b, X86_64, d->dst, d->is_mod ? x : RDX);
	if (d->dst != RAX)
		x86_mov(b, X86_64, RAX, X86_SCRATCH2);
	if (d->dst != RDX && keep_rdx)
		x86_mov(b, X86_64, RDX, X86_SCRATCH3);
}

static void multiply(struct jit *j, const struct division *d, s32 n)
{
	if (d->w == X86_64)
		multiply64(j, d, n);
	else
		multiply32(j, d, n);
}

static void divide_by_const(struct jit *j, struct division *d, s32 imm)
{
	struct buf *b = &j->code;
	u64 value = d->w == X86_64 ? (u64)(s64)imm : (u32)imm;
	bool power = !d->is_signed && value && (value & (value - 1)) == 0;

	if (value == 0)
		d->is_mod ? x86_keep(j, d->w, d->dst) : set_zero(j, d);
	else if (imm == 1)
		d->is_mod ? set_zero(j, d) : x86_keep(j, d->w, d->dst);
	else if (d->is_signed && imm == -1 && d->is_mod)
		set_zero(j, d);
	else if (d->is_signed && imm == -1)
		x86_unary(b, d->w, X86_NEG, d->dst);
	else if (power && d->is_mod)
		x86_alu_imm(b, X86_32, X86_AND, d->dst, (s32)(value - 1));
	else if (power)
		x86_shift_imm(b, d->w, X86_SHR, d->dst, (unsigned)__builtin_ctzll(value));
	else if (!d->is_signed && imm > 0 && jit_may(j, JIT_RECIPROCAL))
		multiply(j, d, imm);
	else {
		d->src = X86_SCRATCH;
		x86_load_const(b, d->src, value);
		divide(j, d);
	}
}

void x86_lower_div(struct jit *j)
{
	struct insn i = *jit_insn(j, j->pc);
	struct division d = division_of(i);

	if (BPF_SRC(i.code) == BPF_X)
		divide_by_reg(j, &d, x86_reg(i.src));
	else
		divide_by_const(j, &d, i.imm);
}
