/* Arithmetic and moves: scalars by range.h, and what may be done to a pointer. */
#include <errno.h>
#include <inttypes.h>

#include "verify/func.h"
#include "verify/prune.h"
#include "verify/verifier.h"

/* Offsets stay so far below 2^31 that no sum of some of them wraps (kernel: BPF_MAX_VAR_OFF). */
#define OFFSET_LIMIT (1 << 29)

static const char *const alu_signs[16] = {
	[BPF_ADD >> 4] = "+=",
	[BPF_SUB >> 4] = "-=",
	[BPF_MUL >> 4] = "*=",
	[BPF_DIV >> 4] = "/=",
	[BPF_OR >> 4] = "|=",
	[BPF_AND >> 4] = "&=",
	[BPF_LSH >> 4] = "<<=",
	[BPF_RSH >> 4] = ">>=",
	[BPF_MOD >> 4] = "%=",
	[BPF_XOR >> 4] = "^=",
	[BPF_ARSH >> 4] = "s>>=",
};

static int check_sane_scalar(struct verifier *v, const struct scalar *s, const char *pointer)
{
	if (scalar_is_const(s)) {
		if (s->smin >= OFFSET_LIMIT || s->smin <= -OFFSET_LIMIT)
			return refuse(v, EINVAL,
				"math between %s pointer and %" PRId64 " is not allowed", pointer,
				s->smin);
		return 0;
	}
	if (s->smin == INT64_MIN)
		return refuse(v, EINVAL,
			"math between %s pointer and register with unbounded min value is not "
			"allowed",
			pointer);
	if (s->smin >= OFFSET_LIMIT || s->smin <= -OFFSET_LIMIT)
		return refuse(v, EINVAL, "value %" PRId64 " makes %s pointer be out of bounds",
			s->smin, pointer);
	return 0;
}

static int check_sane_pointer(struct verifier *v, const struct vreg *p)
{
	const char *name = reg_type_name(p->type);

	if (p->off >= OFFSET_LIMIT || p->off <= -OFFSET_LIMIT)
		return refuse(v, EINVAL, "%s pointer offset %d is not allowed", name, p->off);
	return check_sane_scalar(v, &p->var, name);
}

/* Which pointers have an offset at all. */
static bool takes_offset(const struct vreg *p, const struct vreg *by, u8 op)
{
	if (p->type == REG_MAP)
		return op == BPF_ADD && reg_is_const(by) && by->var.umin == 0;
	return p->type != REG_PACKET_END && p->type != REG_NF_STATE && p->type != REG_SKB;
}

static void add_to_pointer(struct verifier *v, struct vreg *p, const struct vreg *by, u8 op)
{
	s64 by_const = op == BPF_ADD ? by->var.smin : -by->var.smin;

	if (reg_is_const(by) && p->off + by_const == (s32)(p->off + by_const)) {
		p->off += (s32)by_const;
		return;
	}
	p->var = scalar_alu64(op, false, &p->var, &by->var);
	if (reg_is_packet(p)) {
		p->id = new_id(v);
		p->aux = 0; /* nothing known about what is behind the new base */
	}
}

/* R<dst> = p op by. */
static int step_pointer(
	struct verifier *v, u32 dst, struct vreg p, struct vreg by, u8 op, bool wide)
{
	const char *name = reg_type_name(p.type);

	if (!wide)
		return refuse(v, EACCES, "R%u 32-bit pointer arithmetic prohibited", dst);
	if (reg_checked_type(p.type) != REG_UNINIT)
		return refuse(v, EACCES,
			"R%u pointer arithmetic on %s prohibited, null-check it first", dst, name);
	if (!takes_offset(&p, &by, op))
		return refuse(v, EACCES, "R%u pointer arithmetic on %s prohibited", dst, name);
	if (op == BPF_AND || op == BPF_OR || op == BPF_XOR)
		return refuse(v, EACCES, "R%u bitwise operator %s on pointer prohibited", dst,
			alu_signs[op >> 4]);
	if (op != BPF_ADD && op != BPF_SUB)
		return refuse(v, EACCES, "R%u pointer arithmetic with %s operator prohibited", dst,
			alu_signs[op >> 4]);
	if (op == BPF_SUB && p.type == REG_STACK)
		return refuse(v, EACCES, "R%u subtraction from stack pointer prohibited", dst);
	int err = check_sane_scalar(v, &by.var, name);
	if (!err)
		err = check_sane_pointer(v, &p);
	if (err)
		return err;
	demand(v, &by);
	add_to_pointer(v, &p, &by, op);
	err = check_sane_pointer(v, &p);
	if (!err)
		*cur_reg(v, dst) = p;
	return err;
}

/* Pointers whose difference says nothing about addresses. */
static bool same_object(const struct vreg *a, const struct vreg *b)
{
	bool a_packet = reg_is_packet(a) || a->type == REG_PACKET_END;
	bool b_packet = reg_is_packet(b) || b->type == REG_PACKET_END;

	if (a_packet || b_packet)
		return a_packet && b_packet;
	if (a->type != b->type)
		return false;
	return a->type == REG_STACK ? a->frame == b->frame : a->type == REG_RAW;
}

static int step_two_pointers(struct verifier *v, u32 dst, const struct vreg *src, u8 op, bool wide)
{
	struct vreg *r = cur_reg(v, dst);
	struct vreg difference = reg_unknown();

	if (op != BPF_SUB || !same_object(r, src))
		return refuse(
			v, EACCES, "R%u pointer %s pointer prohibited", dst, alu_signs[op >> 4]);
	if (!wide)
		difference.var = scalar_zext(&difference.var, 32);
	*r = difference;
	return 0;
}

/* Compilers take a packet's length from the lower halves of its pointers: a half is a number of which nothing is known. No
 * other pointer may be halved. */
static bool may_be_halved(const struct vreg *r)
{
	return reg_is_packet(r) || r->type == REG_PACKET_END;
}

static bool is_half_difference(const struct vreg *a, const struct vreg *b)
{
	return (may_be_halved(a) && (may_be_halved(b) || !reg_is_pointer(b))) ||
	       (may_be_halved(b) && !reg_is_pointer(a));
}

static struct vreg unknown_half(void)
{
	struct vreg half = reg_unknown();

	half.var = scalar_zext(&half.var, 32);
	return half;
}

static int step_binary(struct verifier *v, struct insn i)
{
	u8 op = BPF_OP(i.code);
	bool wide = BPF_CLASS(i.code) == BPF_ALU64, by_reg = BPF_SRC(i.code) == BPF_X;
	struct vreg *dst = cur_reg(v, i.dst);

	if (by_reg && check_readable(v, i.src))
		return -EACCES;
	if (check_readable(v, i.dst))
		return -EACCES;
	struct vreg src = by_reg ? *cur_reg(v, i.src) : reg_const((u64)(s64)i.imm);
	if (!wide && op == BPF_SUB && is_half_difference(dst, &src)) {
		*dst = unknown_half();
		return 0;
	}
	if (reg_is_pointer(dst) && reg_is_pointer(&src))
		return step_two_pointers(v, i.dst, &src, op, wide);
	if (reg_is_pointer(dst))
		return step_pointer(v, i.dst, *dst, src, op, wide);
	if (reg_is_pointer(&src)) {
		if (op == BPF_SUB)
			return refuse(
				v, EACCES, "R%u tried to subtract pointer from scalar", i.dst);
		return step_pointer(v, i.dst, src, *dst, op, wide);
	}
	if (by_reg && i.src == i.dst && (op == BPF_XOR || op == BPF_SUB)) {
		*dst = reg_const(0);
		return 0;
	}
	struct scalar r = wide ? scalar_alu64(op, i.off == 1, &dst->var, &src.var)
			       : scalar_alu32(op, i.off == 1, &dst->var, &src.var);
	struct deps deps = deps_or(all_deps(dst), all_deps(&src));
	*dst = reg_scalar(r);
	dst->deps = deps;
	return 0;
}

/* A copy of r, and the two are known to be equal from now on. */
static struct vreg copy_linked(struct verifier *v, struct vreg *r)
{
	if (r->type == REG_SCALAR && !r->id && !scalar_is_const(&r->var))
		r->id = new_id(v);
	return *r;
}

static int step_mov_reg(struct verifier *v, struct insn i)
{
	bool wide = BPF_CLASS(i.code) == BPF_ALU64;

	if (check_readable(v, i.src))
		return -EACCES;
	struct vreg *src = cur_reg(v, i.src);
	if (wide && !i.off) {
		*cur_reg(v, i.dst) = copy_linked(v, src);
		return 0;
	}
	if (may_be_halved(src) && !wide && !i.off) {
		*cur_reg(v, i.dst) = unknown_half();
		return 0;
	}
	if (reg_is_pointer(src))
		return i.off ? refuse(v, EACCES, "R%u sign-extension part of pointer", i.src)
			     : refuse(v, EACCES, "R%u partial copy of pointer", i.src);
	struct scalar value = i.off ? scalar_sext(&src->var, (unsigned)i.off) : src->var;
	if (!wide)
		value = scalar_zext(&value, 32);
	/* A move that can't change the number is a copy. */
	u64 same_below = i.off ? 1ull << (i.off - 1) : 1ull << 32;
	if (src->var.umax < same_below) {
		*cur_reg(v, i.dst) = copy_linked(v, src);
		return 0;
	}
	struct deps deps = all_deps(src);
	struct vreg *dst = cur_reg(v, i.dst);
	*dst = reg_scalar(value);
	dst->deps = deps;
	return 0;
}

static int step_mov(struct verifier *v, struct insn i)
{
	if (BPF_SRC(i.code) == BPF_X)
		return step_mov_reg(v, i);
	*cur_reg(v, i.dst) =
		reg_const(BPF_CLASS(i.code) == BPF_ALU64 ? (u64)(s64)i.imm : (u32)i.imm);
	return 0;
}

/* On a little-endian host: "to little endian" only cuts, the others swap. */
static struct scalar step_end_value(struct insn i, const struct scalar *s)
{
	if (BPF_CLASS(i.code) == BPF_ALU && BPF_SRC(i.code) == BPF_K)
		return i.imm == 64 ? *s : scalar_zext(s, (unsigned)i.imm);
	return scalar_bswap(s, (unsigned)i.imm);
}

static int step_unary(struct verifier *v, struct insn i)
{
	struct vreg *dst = cur_reg(v, i.dst);

	if (check_readable(v, i.dst))
		return -EACCES;
	if (reg_is_pointer(dst))
		return refuse(v, EACCES, "R%u pointer arithmetic prohibited", i.dst);
	if (BPF_OP(i.code) == BPF_END)
		dst->var = step_end_value(i, &dst->var);
	else if (BPF_CLASS(i.code) == BPF_ALU64)
		dst->var = scalar_alu64(BPF_NEG, false, &dst->var, &dst->var);
	else
		dst->var = scalar_alu32(BPF_NEG, false, &dst->var, &dst->var);
	dst->id = 0;
	set_deps(dst, all_deps(dst));
	return 0;
}

int step_alu(struct verifier *v, struct insn i)
{
	switch (BPF_OP(i.code)) {
	case BPF_MOV:
		return step_mov(v, i);
	case BPF_NEG:
	case BPF_END:
		return step_unary(v, i);
	}
	return step_binary(v, i);
}

static int step_map_value(struct verifier *v, u32 index, s32 off)
{
	const struct map *map = v->prog->maps[index];

	if (!(map->ops->flags & MAP_ARRAY_LIKE) || map->ops->flags & MAP_PER_CPU)
		return refuse(v, EINVAL, "direct value access is not supported by map type %s",
			map->ops->name);
	if (map->spec.max_entries != 1)
		return refuse(v, EOPNOTSUPP,
			"invalid access to map value pointer, value_size=%u off=%u: the map has %u "
			"entries, and must have 1",
			map->spec.value_size, (u32)off, map->spec.max_entries);
	if (off < 0 || (u32)off >= map->spec.value_size)
		return refuse(v, EINVAL,
			"invalid access to map value pointer, value_size=%u off=%u",
			map->spec.value_size, (u32)off);
	return 0;
}

static int step_func(struct verifier *v, struct insn i)
{
	struct vreg r = reg_pointer(REG_FUNC);

	r.aux = subprog_at(v, (u32)((s64)v->pc + 1 + i.imm));
	if (!r.aux || func_is_global(v, r.aux))
		return refuse(v, EINVAL, "callback function not static");
	*cur_reg(v, i.dst) = r;
	return 0;
}

int step_ld_imm64(struct verifier *v, struct insn i)
{
	struct insn second = v->prog->insns[v->pc + 1];
	struct vreg r = reg_pointer(REG_MAP);
	int err;

	v->next_pc = v->pc + 2;
	switch ((enum ld_imm64_kind)i.src) {
	case LD_IMM64_VALUE:
		*cur_reg(v, i.dst) = reg_const((u64)(u32)second.imm << 32 | (u32)i.imm);
		return 0;
	case LD_IMM64_MAP_IDX:
		r.aux = (u32)i.imm;
		*cur_reg(v, i.dst) = r;
		return 0;
	case LD_IMM64_MAP_IDX_VALUE:
		err = step_map_value(v, (u32)i.imm, second.imm);
		if (err)
			return err;
		r = reg_pointer(REG_MAP_VALUE);
		r.aux = (u32)i.imm;
		r.off = second.imm;
		*cur_reg(v, i.dst) = r;
		return 0;
	case LD_IMM64_MAP_FD:
	case LD_IMM64_MAP_VALUE:
		return refuse(v, EINVAL,
			"fd %d is not pointing to valid bpf_map: maps are named by index here",
			i.imm);
	case LD_IMM64_BTF_ID:
		return refuse(v, EINVAL, "kernel variables (ldimm64 of a btf_id) don't exist here");
	case LD_IMM64_FUNC:
		return step_func(v, i);
	}
	return refuse(v, EINVAL, "unrecognized bpf_ld_imm64 insn");
}
