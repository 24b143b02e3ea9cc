/* The arguments of helper calls, by kind. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "helper/format.h"
#include "verify/callback.h"
#include "verify/dynptr.h"
#include "verify/iter.h"
#include "verify/memory.h"
#include "verify/prune.h"

static int refuse_type(struct verifier *v, u32 regno, const char *expected)
{
	return refuse(v, EACCES, "R%u type=%s expected=%s", regno,
		reg_type_name(cur_reg(v, regno)->type), expected);
}

/* Bytes that a helper accesses: between the two. */
struct size {
	u64 least, most;
};

static struct size exactly(u64 bytes)
{
	return (struct size){bytes, bytes};
}

/* `size` bytes at R for a helper to read or fill. */
static int check_helper_mem(struct verifier *v, u32 regno, struct size size, enum access a)
{
	settle_not_null(v, regno);
	const struct vreg *r = cur_reg(v, regno);
	struct stack_span span;

	switch ((enum reg_type)r->type) {
	case REG_STACK: {
		int err = stack_span(v, regno, 0, size.most, a, &span);

		if (!err)
			err = a == ACCESS_READ ? stack_check_readable(v, regno, &span)
					       : stack_fill(v, &span, size.least);
		return err;
	}
	case REG_PACKET:
	case REG_PACKET_META:
	case REG_MAP_VALUE:
	case REG_MAP_KEY:
	case REG_RAW:
	case REG_MEM:
	case REG_RINGBUF_MEM:
		return check_region(v, regno, 0, size.most, a);
	case REG_UNINIT:
	case REG_SCALAR:
	case REG_NF_STATE:
	case REG_SKB:
	case REG_CTX:
	case REG_MAP:
	case REG_FUNC:
	case REG_MAP_VALUE_OR_NULL:
	case REG_PACKET_END:
	case REG_DYNPTR:
	case REG_ITER:
	case REG_MEM_OR_NULL:
	case REG_RINGBUF_MEM_OR_NULL:
	case NR_REG_TYPES:
		break;
	}
	return refuse_type(v, regno, "fp, pkt, pkt_meta, map_key, map_value, mem, ringbuf_mem");
}

int check_shared_mem(struct verifier *v, u32 regno, u64 size)
{
	struct stack_span span;
	bool stack = cur_reg(v, regno)->type == REG_STACK;
	int err = stack ? stack_span(v, regno, 0, size, ACCESS_READ, &span)
			: check_helper_mem(v, regno, exactly(size), ACCESS_READ);

	if (!err && stack)
		stack_note_read(v, &span);
	return err ? err : check_helper_mem(v, regno, exactly(size), ACCESS_WRITE);
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

	if (c->helper->id != HELPER_map_lookup_elem) /* others may fail for another reason */
		return;
	if (!(c->map->ops->flags & MAP_ARRAY_LIKE) || c->inner || r->type != REG_STACK ||
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
	return check_helper_mem(v, regno - 1, (struct size){r->var.umin, r->var.umax}, a);
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
	c->inner = r->inner;
	c->map = reg_map(v, r);
	note_map(v, r);
	return 0;
}

static int check_key_arg(struct verifier *v, u32 regno, struct call *c)
{
	assert(c->map);
	note_key_off(v, cur_reg(v, regno));
	int err = check_helper_mem(v, regno, exactly(c->map->spec.key_size), ACCESS_READ);
	if (!err)
		look_at_key(v, regno, c);
	return err;
}

/* R must be a pointer of this type that nothing was added to. */
static int check_whole(struct verifier *v, u32 regno, enum reg_type type, const char *expected)
{
	const struct vreg *r = cur_reg(v, regno);

	if (r->type != type)
		return refuse_type(v, regno, expected);
	if (r->off)
		return refuse(v, EINVAL,
			"R%u must have zero offset when passed to release func or trusted arg to "
			"kfunc",
			regno);
	return check_whole_pointer(v, regno);
}

static int check_ringbuf_mem(struct verifier *v, u32 regno, struct call *c)
{
	int err = check_whole(v, regno, REG_RINGBUF_MEM, "ringbuf_mem");

	if (err)
		return err;
	c->release_ref = cur_reg(v, regno)->ref;
	assert(c->release_ref);
	return 0;
}

static int check_buffer(struct verifier *v, u32 regno, u32 bytes)
{
	const struct vreg *r = cur_reg(v, regno);

	if (!is_null(r))
		return check_shared_mem(v, regno, bytes);
	demand(v, r);
	return 0;
}

static int check_const_size(struct verifier *v, u32 regno, struct call *c)
{
	const struct vreg *r = cur_reg(v, regno);

	if (r->type != REG_SCALAR)
		return refuse_type(v, regno, "scalar");
	if (!reg_is_const(r))
		return refuse(v, EACCES, "R%u is not a known constant'", regno);
	demand(v, r);
	c->mem_bytes = (u32)r->var.umin;
	if (c->helper->args[regno - 2] == ARG_SHARED_OR_NULL)
		return check_buffer(v, regno - 1, c->mem_bytes);
	return 0;
}

static int check_spin_lock(struct verifier *v, u32 regno, struct call *c)
{
	const struct vreg *r;

	settle_not_null(v, regno);
	r = cur_reg(v, regno);
	if (r->type != REG_MAP_VALUE)
		return refuse_type(v, regno, "map_value, ptr_");
	if (!scalar_is_const(&r->var))
		return refuse(v, EINVAL,
			"R%u doesn't have constant offset. bpf_spin_lock has to be at the constant "
			"offset",
			regno);
	const struct map_spec *spec = &reg_map(v, r)->spec;
	s64 off = r->off + r->var.smin, at = (s64)spec->lock_at - 1;

	if (!spec->lock_at)
		return refuse(v, EINVAL, "map '%s' has no valid bpf_spin_lock", spec->name);
	if (off != at)
		return refuse(v, EINVAL,
			"off %" PRId64
			" doesn't point to 'struct bpf_spin_lock' that is at %" PRId64,
			off, at);
	c->lock = (struct ref){
		.lock = true, .id = r->id, .pc = v->pc, .map = r->aux, .inner = r->inner};
	return 0;
}

static int check_const_str(struct verifier *v, u32 regno)
{
	const struct vreg *r = cur_reg(v, regno);

	if (r->type != REG_MAP_VALUE)
		return refuse_type(v, regno, "map_value");
	if (!map_is_const(reg_map(v, r)))
		return refuse(v, EACCES, "R%u does not point to a readonly map'", regno);
	if (!scalar_is_const(&r->var))
		return refuse(v, EACCES, "R%u is not a constant address'", regno);
	const struct map *map = reg_map(v, r);
	s64 off = r->off + r->var.smin;
	u64 bytes = map->spec.value_size;

	if (r->inner || !map_has_direct_value(map))
		return refuse(v, EACCES, "no direct value access support for this map type");
	int err = check_region(v, regno, 0, bytes - (u64)off, ACCESS_READ);
	if (err)
		return err;
	const char *text = (const char *)(uintptr_t)(map->layout.base + (u64)off);
	if (!memchr(text, 0, (size_t)(bytes - (u64)off)))
		return refuse(v, EINVAL, "string is not zero-terminated");
	return 0;
}

/* The format must be right, and have arguments enough in the array, whose size is two arguments further on. */
static int check_const_format(struct verifier *v, u32 regno)
{
	const struct vreg *r = cur_reg(v, regno), *size = cur_reg(v, regno + 2);
	int err = check_const_str(v, regno);

	if (err)
		return err;
	if (check_readable(v, regno + 2))
		return -EACCES;
	u64 bytes = size->type == REG_SCALAR ? size->var.bits.value : 0;
	if (bytes % 8)
		return refuse(v, EINVAL,
			"R%u: arguments of a format are 8 bytes each, not %" PRIu64 " in all",
			regno + 2, bytes);
	demand(v, size);
	const struct map *map = reg_map(v, r);
	u64 off = (u64)(r->off + r->var.smin);
	const char *text = (const char *)(uintptr_t)(map->layout.base + off);
	if (format_check(text, map->spec.value_size - off, (u32)(bytes / 8)))
		return refuse(v, EINVAL, "Invalid format string");
	return 0;
}

/* Memory of a helper that it fills with 8 bytes. */
static int check_long_out(struct verifier *v, u32 regno)
{
	int err = check_helper_mem(v, regno, exactly(8), ACCESS_WRITE);

	return err ? err : check_alignment(v, regno, 0, 8, true);
}

/* To kernel functions netfilter's context is no packet, but holds one. */
static int check_ctx_arg(struct verifier *v, u32 regno, const struct call *c)
{
	bool held = v->prog->type == PROG_TYPE_NETFILTER && c->helper->flags & HELPER_KFUNC;

	if (cur_reg(v, regno)->type != (held ? REG_SKB : REG_CTX))
		return refuse_type(v, regno, held ? reg_type_name(REG_SKB) : "ctx");
	return held ? check_whole_pointer(v, regno) : check_ctx_pointer(v, regno);
}

static int check_int_update(struct verifier *v, u32 regno)
{
	int err = check_helper_mem(v, regno, exactly(4), ACCESS_READ);

	if (!err)
		err = check_helper_mem(v, regno, exactly(4), ACCESS_WRITE);
	return err ? err : check_alignment(v, regno, 0, 4, true);
}

static bool may_be_null(enum arg_kind kind)
{
	return kind == ARG_MEM_READ_OR_NULL || kind == ARG_MEM_WRITE_OR_NULL;
}

static bool fills(enum arg_kind kind)
{
	return kind == ARG_MEM_WRITE || kind == ARG_MEM_WRITE_OR_NULL;
}

/* The memory before this argument, and how long it is. */
static int check_mem_and_size(struct verifier *v, u32 regno, enum arg_kind mem, bool zero_ok)
{
	const struct vreg *pointer = cur_reg(v, regno - 1), *size = cur_reg(v, regno);

	if (may_be_null(mem) && is_null(pointer) && is_null(size) && zero_ok) {
		demand(v, pointer);
		demand(v, size);
		return 0;
	}
	int err = check_size(v, regno, zero_ok, fills(mem) ? ACCESS_WRITE : ACCESS_READ);
	if (!err && mem == ARG_MEM_UPDATE)
		err = check_size(v, regno, zero_ok, ACCESS_WRITE);
	return err;
}

static int check_kind(struct verifier *v, u32 n, struct call *c)
{
	u32 regno = BPF_REG_1 + n;
	enum arg_kind kind = c->helper->args[n];
	const struct vreg *r = cur_reg(v, regno);

	switch (kind) {
	case ARG_NONE:
	case ARG_UNCHECKED:
		return 0;
	case ARG_ANYTHING:
		if (reg_is_pointer(r))
			return refuse(v, EACCES, "R%u leaks addr into helper function", regno);
		return 0;
	case ARG_DYNPTR:
	case ARG_DYNPTR_RINGBUF:
		return check_dynptr_arg(v, regno, c);
	case ARG_DYNPTR_OUT:
		return check_dynptr_out(v, regno, c);
	case ARG_ITER:
		return check_iter_arg(v, regno, c);
	case ARG_ITER_OUT:
		return check_iter_out(v, regno, c);
	case ARG_FUNC:
		return check_func_arg(v, regno);
	case ARG_CALLBACK_CTX:
		return check_callback_ctx_arg(v, regno);
	case ARG_CONST_MAP:
		return check_map_arg(v, regno, c);
	case ARG_MAP_KEY:
		return check_key_arg(v, regno, c);
	case ARG_MAP_VALUE:
		assert(c->map);
		return check_helper_mem(v, regno, exactly(c->map->spec.value_size), ACCESS_READ);
	case ARG_MAP_VALUE_OUT:
		assert(c->map);
		/* Peeking into a bloom filter is asking for the value. */
		return check_helper_mem(v, regno, exactly(c->map->spec.value_size),
			c->map->spec.type == MAP_TYPE_BLOOM_FILTER ? ACCESS_READ : ACCESS_WRITE);
	case ARG_CTX:
		return check_ctx_arg(v, regno, c);
	case ARG_SHARED_OR_NULL:
	case ARG_MEM_READ:
	case ARG_MEM_READ_OR_NULL:
	case ARG_MEM_WRITE:
	case ARG_MEM_WRITE_OR_NULL:
	case ARG_MEM_UPDATE:
		return 0; /* checked with the size behind it */
	case ARG_SIZE:
	case ARG_SIZE_OR_ZERO:
		return check_mem_and_size(
			v, regno, c->helper->args[n - 1], kind == ARG_SIZE_OR_ZERO);
	case ARG_LONG_OUT:
		return check_long_out(v, regno);
	case ARG_INT_UPDATE:
		return check_int_update(v, regno);
	case ARG_CONST_SIZE:
		return check_const_size(v, regno, c);
	case ARG_RINGBUF_MEM:
		return check_ringbuf_mem(v, regno, c);
	case ARG_SPIN_LOCK:
		return check_spin_lock(v, regno, c);
	case ARG_CONST_STR:
		return check_const_str(v, regno);
	case ARG_CONST_FORMAT:
		return check_const_format(v, regno);
	}
	UNREACHABLE();
}

static int check_arg(struct verifier *v, u32 n, struct call *c)
{
	u32 regno = BPF_REG_1 + n;

	if (c->helper->args[n] == ARG_NONE || c->helper->args[n] == ARG_UNCHECKED)
		return 0;
	if (check_readable(v, regno))
		return -EACCES;
	if (c->helper->args[n] != ARG_ANYTHING && reg_is_packet(cur_reg(v, regno)) &&
		!(c->helper->flags & HELPER_PKT_ACCESS))
		return refuse(v, EACCES, "helper access to the packet is not allowed");
	return check_kind(v, n, c);
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
