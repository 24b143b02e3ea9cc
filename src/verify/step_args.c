/* The arguments of helper calls, by kind. */
#include <errno.h>
#include <inttypes.h>

#include "verify/call.h"
#include "verify/memory.h"
#include "verify/prune.h"

static int refuse_type(struct verifier *v, u32 regno, const char *expected)
{
	return refuse(v, EACCES, "R%u type=%s expected=%s", regno,
		reg_type_name(cur_reg(v, regno)->type), expected);
}

/* `size` bytes at R for a helper to read or fill. */
static int check_helper_mem(struct verifier *v, u32 regno, u64 size, enum access a)
{
	const struct vreg *r = cur_reg(v, regno);
	struct stack_span span;

	if (r->type == REG_STACK) {
		int err = stack_span(v, regno, 0, size, a, &span);

		if (!err)
			err = a == ACCESS_READ ? stack_check_readable(v, regno, &span)
					       : stack_fill(v, &span);
		return err;
	}
	if (r->type != REG_MAP_VALUE && r->type != REG_RAW && !reg_is_packet(r))
		return refuse_type(v, regno, "fp, pkt, pkt_meta, map_value, mem");
	return check_region(v, regno, 0, size, a);
}

static void note_key_off(struct verifier *v, const struct vreg *key)
{
	struct trace *t = &v->traces[v->pc];
	bool fixed =
		key->type == REG_STACK && key->frame == v->cur.depth && scalar_is_const(&key->var);
	s32 off = key->off + (s32)key->var.smin;

	if (!t->key_seen)
		t->key_off = off;
	t->key_varies |= !fixed || t->key_off != off;
	t->key_seen = true;
}

/* Is the key of an array a known one that exists? Then the lookup can't fail. */
static void look_at_key(struct verifier *v, u32 regno, struct call *c)
{
	const struct vreg *r = cur_reg(v, regno);
	s32 off = r->off + (s32)r->var.smin;
	u32 n = (u32)(-off - 1) / SLOT_BYTES, at = (u32)off & (SLOT_BYTES - 1),
	    key_size = c->map->spec.key_size;

	if (!(c->map->ops->flags & MAP_ARRAY_LIKE) || r->type != REG_STACK ||
		!scalar_is_const(&r->var) || at + key_size > SLOT_BYTES)
		return;
	const struct slot *s = &v->cur.frames[r->frame].slots[n];
	bool zero = true;
	for (u32 k = 0; k < key_size; k++)
		zero &= s->bytes[at + k] == SLOT_ZERO;
	if (zero) {
		c->key_in_range = c->map->spec.max_entries > 0;
	} else if (at == 0 && slot_has_spill(s) && slot_spill_bytes(s) >= key_size &&
		   reg_is_const(&s->reg)) {
		c->key_in_range = (u32)s->reg.var.umin < c->map->spec.max_entries;
		c->key_deps = all_deps(&s->reg);
	}
}

static int check_size(struct verifier *v, u32 regno, bool zero_ok, enum access a)
{
	const struct vreg *r = cur_reg(v, regno);

	if (r->type != REG_SCALAR)
		return refuse_type(v, regno, "scalar");
	if (r->var.smin < 0)
		return refuse(v, EACCES,
			"R%u min value is negative, either use unsigned or 'var &= const'", regno);
	if (!r->var.umin && !zero_ok)
		return refuse(v, EACCES,
			"R%u invalid zero-sized read: u64=[%" PRIu64 ",%" PRIu64 "]", regno,
			r->var.umin, r->var.umax);
	if (r->var.umax >= 1u << 29)
		return refuse(v, EACCES,
			"R%u unbounded memory access, use 'var &= const' or 'if (var < const)'",
			regno);
	demand(v, r);
	return check_helper_mem(v, regno - 1, r->var.umax, a);
}

static bool is_null(const struct vreg *r)
{
	return reg_is_const(r) && r->var.umin == 0;
}

static int check_map_arg(struct verifier *v, u32 regno, struct call *c)
{
	const struct vreg *r = cur_reg(v, regno);

	if (r->type != REG_MAP)
		return refuse_type(v, regno, "map_ptr");
	c->map_index = r->aux;
	c->map = v->prog->maps[r->aux];
	note_map(v, r->aux);
	return 0;
}

static int check_key_arg(struct verifier *v, u32 regno, struct call *c)
{
	assert(c->map);
	note_key_off(v, cur_reg(v, regno));
	int err = check_helper_mem(v, regno, c->map->spec.key_size, ACCESS_READ);
	if (!err)
		look_at_key(v, regno, c);
	return err;
}

static int check_arg(struct verifier *v, u32 n, struct call *c)
{
	u32 regno = BPF_REG_1 + n;
	enum arg_kind kind = c->helper->args[n];
	const struct vreg *r = cur_reg(v, regno);

	if (kind != ARG_NONE && check_readable(v, regno))
		return -EACCES;
	switch (kind) {
	case ARG_NONE:
		return 0;
	case ARG_ANYTHING:
		if (reg_is_pointer(r))
			return refuse(v, EACCES, "R%u leaks addr into helper function", regno);
		return 0;
	case ARG_MAP_VALUE_OUT:
	case ARG_MEM_WRITE_OR_NULL:
	case ARG_LONG_OUT:
	case ARG_CONST_SIZE:
	case ARG_RINGBUF_MEM:
	case ARG_SPIN_LOCK:
	case ARG_CONST_STR:
	case ARG_FUNC:
	case ARG_CALLBACK_CTX:
	case ARG_DYNPTR:
	case ARG_DYNPTR_OUT:
		return refuse(
			v, EINVAL, "R%u: arguments of kind %d can't be verified", regno, (int)kind);
	case ARG_CONST_MAP:
		return check_map_arg(v, regno, c);
	case ARG_MAP_KEY:
		return check_key_arg(v, regno, c);
	case ARG_MAP_VALUE:
		assert(c->map);
		return check_helper_mem(v, regno, c->map->spec.value_size, ACCESS_READ);
	case ARG_CTX:
		return r->type == REG_CTX ? check_ctx_pointer(v, regno)
					  : refuse_type(v, regno, "ctx");
	case ARG_MEM_READ:
	case ARG_MEM_WRITE:
		return 0; /* checked with the size behind it */
	case ARG_MEM_READ_OR_NULL:
		return 0;
	case ARG_SIZE:
	case ARG_SIZE_OR_ZERO: {
		enum arg_kind mem = c->helper->args[n - 1];

		if (mem == ARG_MEM_READ_OR_NULL && is_null(cur_reg(v, regno - 1)) && is_null(r)) {
			demand(v, cur_reg(v, regno - 1));
			demand(v, r);
			return 0;
		}
		return check_size(v, regno, kind == ARG_SIZE_OR_ZERO,
			mem == ARG_MEM_WRITE ? ACCESS_WRITE : ACCESS_READ);
	}
	}
	UNREACHABLE();
}

int check_args(struct verifier *v, struct call *c)
{
	for (u32 n = 0; n < ARRAY_LEN(c->helper->args); n++) {
		int err = check_arg(v, n, c);

		if (err)
			return err;
	}
	return 0;
}
