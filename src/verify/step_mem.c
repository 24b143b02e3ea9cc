/* Loads, stores and atomics. */
#include <errno.h>
#include <string.h>

#include "verify/memory.h"
#include "verify/prune.h"

/* What a load brings when nothing is known about the memory. */
static struct vreg loaded(u32 size)
{
	struct vreg r = reg_unknown();

	if (size < 8)
		r.var = scalar_zext(&r.var, size * 8);
	return r;
}

/* All memory that is neither stack nor context looks the same to code that accesses it. */
static const u8 mem_kinds[NR_REG_TYPES] = {
	[REG_CTX] = MEM_CTX,
	[REG_STACK] = MEM_STACK,
	[REG_MAP_VALUE] = MEM_MAP_VALUE,
	[REG_PACKET] = MEM_PACKET,
	[REG_PACKET_META] = MEM_PACKET,
	[REG_RAW] = MEM_RAW,
	[REG_NF_STATE] = MEM_RAW,
	[REG_MEM] = MEM_RAW,
	[REG_RINGBUF_MEM] = MEM_RAW,
	[REG_MAP_KEY] = MEM_MAP_VALUE,
};

static int refuse_ctx(struct verifier *v, s32 off, u32 size, const char *why)
{
	const struct ctx_field *f = ctx_field_of_byte(v->type, off);

	refuse(v, EACCES, "invalid bpf_context access off=%d size=%u", off, size);
	if (f)
		explain(v, "%s (%s)", why, f->name);
	else
		explain(v, "%s", why);
	return -EACCES;
}

static int check_ctx(
	struct verifier *v, u32 regno, s32 off, u32 size, enum access a, struct vreg *out)
{
	static const u8 types[] = {
		[CTX_SCALAR] = REG_SCALAR,
		[CTX_PACKET] = REG_PACKET,
		[CTX_PACKET_META] = REG_PACKET_META,
		[CTX_PACKET_END] = REG_PACKET_END,
		[CTX_NF_STATE] = REG_NF_STATE,
		[CTX_NF_SKB] = REG_SKB,
	};
	const char *why = "";
	int err = check_ctx_pointer(v, regno);

	if (err)
		return err;
	const struct ctx_field *f =
		ctx_field_at(v->type, v->prog->attach_type, off, size, a == ACCESS_WRITE, &why);
	if (!f)
		return refuse_ctx(v, off, size, why);
	if (out && f->kind != CTX_SCALAR)
		*out = reg_pointer(types[f->kind]);
	return 0;
}

/* A map that is frozen and that programs may only read is as good as numbers in the program. */
static void load_constant(
	struct verifier *v, const struct vreg *r, s32 off, u32 size, struct vreg *value)
{
	struct trace *t = &v->traces[v->pc];
	bool known = r->type == REG_MAP_VALUE && !r->inner && scalar_is_const(&r->var) &&
		     map_is_const(reg_map(v, r)) && map_has_direct_value(reg_map(v, r));
	u64 number = 0;

	if (known) {
		memcpy(&number,
			(const void *)(uintptr_t)(reg_map(v, r)->layout.base +
						  (u64)(r->off + off + r->var.smin)),
			size);
		*value = reg_const(number);
	}
	t->value_varies |= !known || (t->value_seen && t->value != number);
	t->value_seen = true;
	t->value = number;
}

/* What is loaded, zero-extended, or what is stored (NULL: some scalar). */
static int access_memory(struct verifier *v, u32 regno, s32 off, u32 size, enum access a,
	bool strict, struct vreg *value)
{
	settle_not_null(v, regno);
	const struct vreg *r = cur_reg(v, regno);
	u8 kind = mem_kinds[r->type];
	u8 before = v->traces[v->pc].mem;
	struct stack_span span;
	struct vreg scalar = loaded(size);

	if (kind == MEM_NONE)
		return check_region(v, regno, off, size, a);
	int err = check_alignment(v, regno, off, size, strict);
	if (err)
		return err;
	note_access(v, kind,
		scalar_is_const(&r->var) && (r->type != REG_STACK || r->frame == v->cur.depth),
		(s64)r->off + off + r->var.smin);
	if (before != MEM_NONE && (before == MEM_CTX) != (kind == MEM_CTX))
		return refuse(v, EINVAL, "same insn cannot be used with different pointers");
	if (a == ACCESS_READ)
		*value = scalar;
	if (r->type == REG_CTX)
		return check_ctx(v, regno, off, size, a, a == ACCESS_READ ? value : NULL);
	if (r->type != REG_STACK) {
		err = check_region(v, regno, off, size, a);
		if (!err && a == ACCESS_READ)
			load_constant(v, r, off, size, value);
		return err;
	}
	err = stack_span(v, regno, off, size, a, &span);
	if (err)
		return err;
	if (a == ACCESS_READ)
		return stack_load(v, regno, &span, size, value);
	return value ? stack_store(v, regno, &span, size, value) : stack_fill(v, &span, size);
}

static int step_load(struct verifier *v, struct insn i)
{
	u32 size = access_bytes(i.code);
	struct vreg value;

	if (check_readable(v, i.src))
		return -EACCES;
	int err = access_memory(v, i.src, i.off, size, ACCESS_READ, false, &value);
	if (err)
		return err;
	if (BPF_MODE(i.code) == BPF_MEMSX) {
		if (reg_is_pointer(&value) && cur_reg(v, i.src)->type == REG_CTX)
			return refuse_ctx(v, i.off, size, "a pointer isn't sign-extended");
		if (reg_is_pointer(&value))
			return refuse(v, EACCES, "invalid size of register fill");
		struct deps deps = all_deps(&value);
		value = reg_scalar(scalar_sext(&value.var, size * 8));
		value.deps = deps;
	}
	*cur_reg(v, i.dst) = value;
	return 0;
}

/* A pointer may be kept on the stack only; anywhere else somebody outside could read it. */
static int check_leak(struct verifier *v, u32 into, u32 regno)
{
	static const char *const places[NR_REG_TYPES] = {
		[REG_CTX] = "ctx",
		[REG_MAP_VALUE] = "map",
		[REG_PACKET] = "packet",
		[REG_PACKET_META] = "packet",
		[REG_RAW] = "mem",
		[REG_NF_STATE] = "mem",
		[REG_MEM] = "mem",
		[REG_RINGBUF_MEM] = "mem",
		[REG_MAP_KEY] = "map_key",
	};
	const char *place = places[cur_reg(v, into)->type];

	if (!place || !reg_is_pointer(cur_reg(v, regno)))
		return 0;
	return refuse(v, EACCES, "R%u leaks addr into %s", regno, place);
}

static int step_store(struct verifier *v, struct insn i)
{
	u32 size = access_bytes(i.code);

	if (BPF_CLASS(i.code) == BPF_ST) {
		struct vreg imm = reg_const((u64)(s64)i.imm);

		if (check_readable(v, i.dst))
			return -EACCES;
		return access_memory(v, i.dst, i.off, size, ACCESS_WRITE, false, &imm);
	}
	if (check_readable(v, i.src) || check_readable(v, i.dst))
		return -EACCES;
	settle_not_null(v, i.dst);
	int err = check_leak(v, i.dst, i.src);
	return err ? err
		   : access_memory(v, i.dst, i.off, size, ACCESS_WRITE, false, cur_reg(v, i.src));
}

static int check_atomic_pointer(struct verifier *v, u32 regno)
{
	u8 type = cur_reg(v, regno)->type;

	if (type == REG_CTX || type == REG_PACKET || type == REG_PACKET_META)
		return refuse(v, EACCES, "BPF_ATOMIC stores into R%u %s is not allowed", regno,
			reg_type_name(type));
	return 0;
}

static int check_atomic_operand(struct verifier *v, u32 regno)
{
	if (check_readable(v, regno))
		return -EACCES;
	if (reg_is_pointer(cur_reg(v, regno)))
		return refuse(v, EACCES, "R%u leaks addr into mem", regno);
	return 0;
}

static int step_atomic(struct verifier *v, struct insn i)
{
	u32 size = access_bytes(i.code);
	struct vreg old;
	int err = check_atomic_operand(v, i.src);

	if (!err && check_readable(v, i.dst))
		err = -EACCES;
	if (!err && i.imm == BPF_CMPXCHG)
		err = check_atomic_operand(v, BPF_REG_0);
	if (!err)
		err = check_atomic_pointer(v, i.dst);
	if (!err)
		err = access_memory(v, i.dst, i.off, size, ACCESS_READ, true, &old);
	if (!err && reg_is_pointer(&old))
		err = refuse(v, EACCES, "attempt to corrupt spilled pointer on stack");
	if (!err)
		err = access_memory(v, i.dst, i.off, size, ACCESS_WRITE, true, NULL);
	if (err || !(i.imm & BPF_FETCH))
		return err;
	*cur_reg(v, i.imm == BPF_CMPXCHG ? BPF_REG_0 : i.src) = old;
	return 0;
}

int step_mem(struct verifier *v, struct insn i)
{
	if (BPF_CLASS(i.code) == BPF_LDX)
		return step_load(v, i);
	if (BPF_MODE(i.code) == BPF_ATOMIC)
		return step_atomic(v, i);
	return step_store(v, i);
}
