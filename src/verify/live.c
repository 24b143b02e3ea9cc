/* Liveness, before the walk and for all instructions: which registers and which stack bytes may be read before they are
 * written again. What isn't live doesn't count when states are compared.
 *
 * Stack reads go through pointers, so first a forward dataflow finds which registers hold r10 plus a constant. A register
 * that may hold a stack address in any other way reads all of the stack, and so does a local call that gets one. */
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "helper/helper.h"
#include "verify/verifier.h"

enum { FP_NONE = INT16_MIN, FP_ANY = INT16_MIN + 1 }; /* else: r10 + that many bytes */

struct fp_regs {
	bool reached;
	s16 off[BPF_NR_REGS];
};

struct liveness {
	struct verifier *v;
	struct fp_regs *fp; /* per instruction: before it */
	u32 *todo;
	u32 nr_todo;
	bool *queued;
	u32 *preds,
		*first_pred; /* what rests on pc: preds[first_pred[pc]] up to preds[first_pred[pc + 1]] */
	bool spilled;        /* a stack address may have been stored somewhere */
	u32 max_key, max_value; /* bytes, over all maps */
};

static s16 fp_plus(s16 off, s64 by)
{
	s64 sum = off + by;

	if (off == FP_NONE || off == FP_ANY)
		return off;
	return sum >= -(s64)PROG_STACK_BYTES && sum <= (s64)PROG_STACK_BYTES ? (s16)sum : FP_ANY;
}

static s16 fp_alu(const struct fp_regs *r, struct insn i)
{
	u8 op = BPF_OP(i.code);
	bool by_reg = BPF_SRC(i.code) == BPF_X && op != BPF_END;
	s16 dst = r->off[i.dst], src = by_reg ? r->off[i.src] : FP_NONE;

	if (op == BPF_MOV)
		return BPF_CLASS(i.code) == BPF_ALU64 || src == FP_NONE ? src : FP_ANY;
	if (!by_reg && BPF_CLASS(i.code) == BPF_ALU64 && (op == BPF_ADD || op == BPF_SUB))
		return fp_plus(dst, op == BPF_ADD ? i.imm : -(s64)i.imm);
	return dst == FP_NONE && src == FP_NONE ? FP_NONE : FP_ANY;
}

static void fp_step(struct liveness *l, struct fp_regs *r, struct insn i)
{
	switch (BPF_CLASS(i.code)) {
	case BPF_ALU:
	case BPF_ALU64:
		r->off[i.dst] = fp_alu(r, i);
		return;
	case BPF_LD:
		for (u32 n = BPF_REG_0; n < BPF_REG_FP; n++)
			if (insn_defs(i) & 1u << n)
				r->off[n] = FP_NONE;
		return;
	case BPF_LDX:
		r->off[i.dst] = l->spilled ? FP_ANY : FP_NONE;
		return;
	case BPF_STX:
		l->spilled |= r->off[i.src] != FP_NONE;
		if (BPF_MODE(i.code) == BPF_ATOMIC && i.imm & BPF_FETCH)
			r->off[i.imm == BPF_CMPXCHG ? BPF_REG_0 : i.src] =
				l->spilled ? FP_ANY : FP_NONE;
		return;
	}
	if (BPF_OP(i.code) == BPF_CALL && BPF_CLASS(i.code) == BPF_JMP)
		for (u32 n = BPF_REG_0; n <= BPF_REG_5; n++)
			r->off[n] = FP_NONE;
}

static void queue(struct liveness *l, u32 pc)
{
	if (l->queued[pc])
		return;
	l->queued[pc] = true;
	l->todo[l->nr_todo++] = pc;
}

static void fp_join(struct liveness *l, u32 pc, const struct fp_regs *r)
{
	struct fp_regs *into = &l->fp[pc];
	bool changed = !into->reached;

	if (!into->reached)
		*into = *r;
	for (u32 n = 0; n < BPF_REG_FP; n++) {
		if (into->off[n] == r->off[n] || into->off[n] == FP_ANY)
			continue;
		into->off[n] = FP_ANY;
		changed = true;
	}
	if (changed)
		queue(l, pc);
}

/* The instructions behind pc in its own subprogram. */
static u32 successors(const struct verifier *v, u32 pc, u32 out[2])
{
	struct insn i = v->prog->insns[pc];
	u32 nr = 0;

	if (insn_is_exit(i))
		return 0;
	if (!insn_is_ja(i))
		out[nr++] = pc + (insn_is_ld_imm64(i) ? 2 : 1);
	if (insn_is_ja(i) || insn_is_cond_jump(i))
		out[nr++] = (u32)((s64)pc + 1 + insn_jump_off(i));
	return nr;
}

static void find_fp_once(struct liveness *l)
{
	const struct verifier *v = l->v;
	struct fp_regs start = {.reached = true};

	for (u32 n = 0; n < BPF_REG_FP; n++)
		start.off[n] = FP_NONE;
	memset(l->fp, 0, v->prog->len * sizeof(*l->fp));
	for (u32 n = 0; n < v->nr_subprogs; n++)
		fp_join(l, v->subprogs[n].start, &start);
	while (l->nr_todo) {
		u32 pc = l->todo[--l->nr_todo], next[2];
		struct fp_regs r = l->fp[pc];

		l->queued[pc] = false;
		fp_step(l, &r, v->prog->insns[pc]);
		for (u32 n = successors(v, pc, next); n--;)
			fp_join(l, next[n], &r);
	}
}

static void find_fp(struct liveness *l)
{
	find_fp_once(l);
	if (l->spilled)
		find_fp_once(l); /* loads may bring addresses */
}

static const stack_mask ALL_STACK = ~(stack_mask)0;

/* Bits of the 4-byte units that bytes [first, end) below r10 touch. */
static stack_mask units(s64 first, s64 end)
{
	first = first < -(s64)PROG_STACK_BYTES ? -(s64)PROG_STACK_BYTES : first;
	end = end > 0 ? 0 : end;
	if (first >= end)
		return 0;
	s64 low = (-end) / 4, high = (-first + 3) / 4; /* unit n is [-4(n+1), -4n) */
	stack_mask upto = high >= 128 ? ALL_STACK : ((stack_mask)1 << high) - 1;
	return upto & ~(((stack_mask)1 << low) - 1);
}

/* Units that lie wholly in [first, end). */
static stack_mask whole_units(s64 first, s64 end)
{
	return first % 4 || end % 4 ? 0 : units(first, end);
}

static stack_mask read_through(s16 fp, s64 off, s64 bytes)
{
	if (fp == FP_NONE)
		return 0;
	return fp == FP_ANY ? ALL_STACK : units(fp + off, fp + off + bytes);
}

static u16 bit(u32 reg)
{
	return (u16)(1u << reg);
}

enum { CALLER_SAVED = 0x3f }; /* r0 ... r5 */

u16 insn_defs(struct insn i)
{
	switch (BPF_CLASS(i.code)) {
	case BPF_LD:
		return insn_is_legacy_load(i) ? CALLER_SAVED : bit(i.dst);
	case BPF_LDX:
	case BPF_ALU:
	case BPF_ALU64:
		return bit(i.dst);
	case BPF_STX:
		if (BPF_MODE(i.code) != BPF_ATOMIC || !(i.imm & BPF_FETCH))
			return 0;
		return bit(i.imm == BPF_CMPXCHG ? BPF_REG_0 : i.src);
	case BPF_JMP:
		return BPF_OP(i.code) == BPF_CALL ? CALLER_SAVED : 0;
	}
	return 0;
}

/* What an instruction reads, and which stack it overwrites. */
struct effect {
	u16 uses;
	stack_mask reads, kills;
};

static void helper_effect(
	struct liveness *l, const struct fp_regs *r, struct insn i, struct effect *e)
{
	const struct helper *h = helper_by_id((u32)i.imm);

	for (u32 n = 0; h && n < ARRAY_LEN(h->args); n++) {
		s16 fp = r->off[BPF_REG_1 + n];

		switch (h->args[n]) {
		case ARG_NONE:
			continue;
		case ARG_MAP_KEY:
			e->reads |= read_through(fp, 0, l->max_key);
			break;
		case ARG_MAP_VALUE:
			e->reads |= read_through(fp, 0, l->max_value);
			break;
		case ARG_LONG_OUT:
		case ARG_MEM_UPDATE:
		case ARG_INT_UPDATE:
		case ARG_MAP_VALUE_OUT:
		case ARG_MEM_WRITE_OR_NULL:
		case ARG_CONST_STR:
		case ARG_CONST_FORMAT:
		case ARG_DYNPTR:
		case ARG_DYNPTR_RINGBUF:
		case ARG_SHARED_OR_NULL:
		case ARG_DYNPTR_OUT:
		case ARG_ITER:
		case ARG_ITER_OUT:
		case ARG_MEM_READ:
		case ARG_MEM_READ_OR_NULL:
			e->reads |= read_through(fp, 0, PROG_STACK_BYTES);
			break;
		case ARG_CALLBACK_CTX:
			if (fp != FP_NONE || l->spilled)
				e->reads = ALL_STACK;
			break;
		case ARG_ANYTHING:
		case ARG_UNCHECKED:
		case ARG_CONST_MAP:
		case ARG_CTX:
		case ARG_CONST_SIZE:
		case ARG_RINGBUF_MEM:
		case ARG_SPIN_LOCK:
		case ARG_FUNC:
		case ARG_MEM_WRITE:
		case ARG_SIZE:
		case ARG_SIZE_OR_ZERO:
			break;
		}
		e->uses |= bit(BPF_REG_1 + n);
	}
}

static void local_call_effect(
	struct liveness *l, const struct fp_regs *r, u32 pc, struct insn i, struct effect *e)
{
	const u16 args = 0x3e;

	e->uses = l->v->live[(u32)((s64)pc + 1 + i.imm)].regs & args;
	if (l->spilled)
		e->reads = ALL_STACK;
	for (u32 n = BPF_REG_1; n <= BPF_REG_5; n++)
		if (r->off[n] != FP_NONE)
			e->reads = ALL_STACK;
}

static void store_effect(const struct fp_regs *r, struct insn i, struct effect *e)
{
	s64 size = access_bytes(i.code);
	s16 fp = r->off[i.dst];

	e->uses = bit(i.dst);
	if (BPF_CLASS(i.code) == BPF_STX)
		e->uses |= bit(i.src);
	if (BPF_MODE(i.code) != BPF_ATOMIC) {
		if (fp != FP_NONE && fp != FP_ANY)
			e->kills = whole_units(fp + i.off, fp + i.off + size);
		return;
	}
	e->reads = read_through(fp, i.off, size);
	if (i.imm == BPF_CMPXCHG)
		e->uses |= bit(BPF_REG_0);
}

static struct effect effect_of(struct liveness *l, u32 pc)
{
	struct insn i = l->v->prog->insns[pc];
	const struct fp_regs *r = &l->fp[pc];
	struct effect e = {0};
	u8 op = BPF_OP(i.code);

	switch (BPF_CLASS(i.code)) {
	case BPF_LD:
		if (insn_is_legacy_load(i))
			e.uses = BPF_MODE(i.code) == BPF_IND ? bit(BPF_REG_6) | bit(i.src)
							     : bit(BPF_REG_6);
		return e;
	case BPF_LDX:
		e.uses = bit(i.src);
		e.reads = read_through(r->off[i.src], i.off, access_bytes(i.code));
		return e;
	case BPF_ST:
	case BPF_STX:
		store_effect(r, i, &e);
		return e;
	case BPF_ALU:
	case BPF_ALU64:
		e.uses = op == BPF_MOV ? 0 : bit(i.dst);
		if (BPF_SRC(i.code) == BPF_X && op != BPF_END)
			e.uses |= bit(i.src);
		return e;
	}
	if (insn_is_exit(i))
		e.uses = bit(BPF_REG_0);
	else if (insn_is_local_call(i))
		local_call_effect(l, r, pc, i, &e);
	else if (op == BPF_CALL)
		helper_effect(l, r, i, &e);
	else if (insn_is_cond_jump(i))
		e.uses = bit(i.dst);
	if (insn_is_cond_jump(i) && BPF_SRC(i.code) == BPF_X)
		e.uses |= bit(i.src);
	return e;
}

static bool update(struct liveness *l, u32 pc)
{
	struct verifier *v = l->v;
	struct effect e = effect_of(l, pc);
	struct live now = {0};
	u32 next[2];

	for (u32 n = successors(v, pc, next); n--;) {
		now.regs |= v->live[next[n]].regs;
		now.stack |= v->live[next[n]].stack;
	}
	now.regs = (u16)((now.regs & ~insn_defs(v->prog->insns[pc])) | e.uses) & 0x3ff;
	now.stack = (now.stack & ~e.kills) | e.reads;
	bool changed = now.regs != v->live[pc].regs || now.stack != v->live[pc].stack;
	v->live[pc] = now;
	return changed;
}

/* Where what is live before pc comes from: a call needs what its callee reads. */
static u32 rests_on(const struct liveness *l, u32 pc, u32 out[2])
{
	struct insn i = l->v->prog->insns[pc];
	u32 nr = l->fp[pc].reached ? successors(l->v, pc, out) : 0;

	if (nr && insn_is_local_call(i))
		out[nr++] = (u32)((s64)pc + 1 + i.imm);
	return nr;
}

/* Counts, sums up, and fills each part from its end. */
static void find_preds(struct liveness *l)
{
	u32 len = l->v->prog->len, next[2];

	for (u32 pc = 0; pc < len; pc++)
		for (u32 n = rests_on(l, pc, next); n--;)
			l->first_pred[next[n]]++;
	for (u32 pc = 1; pc <= len; pc++)
		l->first_pred[pc] += l->first_pred[pc - 1];
	for (u32 pc = 0; pc < len; pc++)
		for (u32 n = rests_on(l, pc, next); n--;)
			l->preds[--l->first_pred[next[n]]] = pc;
}

/* From the last instruction to the first, and again what stands before a change. */
static void settle(struct liveness *l)
{
	for (u32 pc = 0; pc < l->v->prog->len; pc++)
		if (l->fp[pc].reached)
			queue(l, pc);
	while (l->nr_todo) {
		u32 pc = l->todo[--l->nr_todo];

		l->queued[pc] = false;
		if (!update(l, pc))
			continue;
		for (u32 n = l->first_pred[pc]; n < l->first_pred[pc + 1]; n++)
			queue(l, l->preds[n]);
	}
}

int find_live(struct verifier *v)
{
	u32 len = v->prog->len;
	struct liveness l = {
		.v = v,
		.fp = arena_array(&v->arena, len, sizeof(*l.fp)),
		.todo = arena_array(&v->arena, len, sizeof(*l.todo)),
		.queued = arena_array(&v->arena, len, sizeof(*l.queued)),
		.preds = arena_array(&v->arena, len, 2 * sizeof(*l.preds)),
		.first_pred = arena_array(&v->arena, (size_t)len + 1, sizeof(*l.first_pred)),
	};

	v->live = arena_array(&v->arena, len, sizeof(*v->live));
	if (!l.fp || !l.todo || !l.queued || !l.preds || !l.first_pred || !v->live)
		return diag_nomem(v->diag);
	for (u32 n = 0; n < v->prog->nr_maps; n++) {
		const struct map_spec *spec = &v->prog->maps[n]->spec;

		l.max_key = spec->key_size > l.max_key ? spec->key_size : l.max_key;
		l.max_value = spec->value_size > l.max_value ? spec->value_size : l.max_value;
	}
	find_fp(&l);
	find_preds(&l);
	settle(&l);
	return 0;
}
