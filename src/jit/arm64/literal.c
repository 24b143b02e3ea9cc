/* Constants beside the code: LDR (literal) takes one instruction where MOVZ and MOVK would take more. Equal ones share a place.
 * The pool stands behind the code and is out of reach of what is more than 1 MiB before it: there, the instruction's reach
 * grows and it builds its constant. */
#include "jit/arm64/lower.h"

#include <errno.h>

struct literal {
	u64 value;
	jit_label label;
	u32 next; /* of the same bucket, + 1 */
};

/* Four of 8 bytes in a row, for two LDPs. */
struct quad {
	struct quad *next;
	jit_label label;
	u64 values[4];
};

enum { FIRST_CAPACITY = 64 };

struct a64_literals {
	struct literal *all;
	u32 *buckets; /* as many as all's capacity, a power of two; number + 1 */
	u32 nr, cap;
	struct quad *quads;
};

static u32 bucket_of(const struct a64_literals *l, u64 value)
{
	return (u32)((value * 0x9e3779b97f4a7c15u) >> 32) & (l->cap - 1);
}

static void put_in_bucket(struct a64_literals *l, u32 i)
{
	u32 *bucket = &l->buckets[bucket_of(l, l->all[i].value)];

	l->all[i].next = *bucket;
	*bucket = i + 1;
}

static bool grow(struct jit *j, struct a64_literals *l)
{
	u32 cap = l->cap ? 2 * l->cap : FIRST_CAPACITY;
	struct literal *all = arena_array(&j->arena, cap, sizeof(*all));
	u32 *buckets = arena_array(&j->arena, cap, sizeof(*buckets));

	if (!all || !buckets) {
		jit_fail(j, j->pc, ENOMEM, "out of memory");
		return false;
	}
	for (u32 i = 0; i < l->nr; i++)
		all[i] = l->all[i];
	l->all = all;
	l->buckets = buckets;
	l->cap = cap;
	for (u32 i = 0; i < l->nr; i++)
		put_in_bucket(l, i);
	return true;
}

static struct a64_literals *literals_of(struct jit *j)
{
	struct a64 *a = a64_of(j);

	if (!a->literals)
		a->literals = arena_alloc(&j->arena, sizeof(*a->literals));
	if (!a->literals)
		jit_fail(j, j->pc, ENOMEM, "out of memory");
	return a->literals;
}

static const struct literal *find(const struct a64_literals *l, u64 value)
{
	for (u32 i = l->cap ? l->buckets[bucket_of(l, value)] : 0; i; i = l->all[i - 1].next)
		if (l->all[i - 1].value == value)
			return &l->all[i - 1];
	return NULL;
}

static const struct literal *add(struct jit *j, struct a64_literals *l, u64 value)
{
	if (l->nr == l->cap && !grow(j, l))
		return NULL;
	l->all[l->nr] = (struct literal){.value = value, .label = jit_label_new(j)};
	put_in_bucket(l, l->nr);
	return &l->all[l->nr++];
}

static enum a64_width width_of(u64 value)
{
	return value > UINT32_MAX ? A64_X : A64_W;
}

bool a64_may_load_literal(const struct jit *j)
{
	return jit_may(j, JIT_LITERAL) && jit_reach(j) == 0;
}

void a64_load_literal(struct jit *j, unsigned rd, u64 value)
{
	struct a64_literals *l = literals_of(j);
	const struct literal *it = l ? find(l, value) : NULL;

	if (l && !it)
		it = add(j, l, value);
	if (it)
		jit_fixup(j, jit_offset(j), A64_FIX_IMM19, it->label);
	a64_emit(j, a64_ldr_literal(width_of(value), rd, 0));
}

void a64_quad_address(struct jit *j, unsigned rd, const u64 values[static 4])
{
	struct a64_literals *l = literals_of(j);
	struct quad *q = arena_alloc(&j->arena, sizeof(*q));

	if (!l || !q) {
		jit_fail(j, j->pc, ENOMEM, "out of memory");
		return;
	}
	*q = (struct quad){.next = l->quads, .label = jit_label_new(j)};
	for (unsigned i = 0; i < 4; i++)
		q->values[i] = values[i];
	l->quads = q;
	jit_fixup(j, jit_offset(j), A64_FIX_ADR, q->label);
	a64_emit(j, a64_adr(rd, 0));
}

static void emit_quads(struct jit *j, const struct quad *q)
{
	for (; q; q = q->next) {
		jit_label_bind(j, q->label);
		for (unsigned i = 0; i < 4; i++) {
			buf_le32(&j->code, (u32)q->values[i]);
			buf_le32(&j->code, (u32)(q->values[i] >> 32));
		}
	}
}

static void emit_all(struct jit *j, const struct a64_literals *l, enum a64_width w)
{
	for (u32 i = 0; i < l->nr; i++) {
		u64 value = l->all[i].value;

		if (width_of(value) != w)
			continue;
		jit_label_bind(j, l->all[i].label);
		buf_le32(&j->code, (u32)value);
		if (w == A64_X)
			buf_le32(&j->code, (u32)(value >> 32));
	}
}

/* Those of 8 bytes come first and are aligned. */
void a64_emit_literals(struct jit *j)
{
	const struct a64_literals *l = a64_of(j) ? a64_of(j)->literals : NULL;

	if (!l || j->err)
		return;
	if (jit_offset(j) % 8)
		buf_le32(&j->code, a64_udf());
	emit_quads(j, l->quads);
	emit_all(j, l, A64_X);
	emit_all(j, l, A64_W);
}
