/* Constants and ranges of scalars on all paths at once: a dataflow over instructions, with joins where paths meet.
 *
 * The walk knows ranges path by path, but what it knows of a scalar isn't a fact: a path that was pruned may have come with
 * another number, unless the number was demanded to be precise. So facts about numbers come from here, where every way into
 * an instruction is joined. The walk's traces say where stores go and which jumps are never taken; those are facts.
 *
 * Blocks begin at jump targets and where paths meet; their states are kept and joined, until nothing changes. A state that
 * keeps changing is in a loop: ranges that change there grow in big steps (widening), so the analysis ends soon. */
#include "verify/values.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"

enum {
	JOINS_BEFORE_WIDENING = 3,
	MEMORY_BYTES_MAX = 128 << 20, /* beyond that there are no facts about numbers */
};

struct block {
	struct values *in; /* NULL: not reached */
	u32 joins;
	bool changed; /* and so in the queue */
};

/* Blocks whose state has changed: a heap, the one to run next on top. A round goes through the program in its order;
 * what changed behind is for the next round. */
struct queue {
	u64 *keys; /* round << 32 | pc */
	u32 nr;
	u64 now; /* the key that runs */
};

struct flow {
	struct value_analysis a;
	struct queue queue;
	struct block *blocks; /* per instruction; in use at block starts only */
	bool *is_start;
	bool *reached;
	struct values *now, *aside;
	size_t state_bytes;
};

static void queue_push(struct queue *q, u32 pc)
{
	u64 key = (q->now & ~(u64)UINT32_MAX) | pc;
	u32 at = q->nr++;

	if (key <= q->now)
		key += (u64)1 << 32;
	for (; at && q->keys[(at - 1) / 2] > key; at = (at - 1) / 2)
		q->keys[at] = q->keys[(at - 1) / 2];
	q->keys[at] = key;
}

static u32 queue_pop(struct queue *q)
{
	u64 last = q->keys[--q->nr];
	u32 at = 0;

	q->now = q->keys[0];
	for (u32 child = 1; child < q->nr; child = 2 * at + 1) {
		child += child + 1 < q->nr && q->keys[child + 1] < q->keys[child];
		if (q->keys[child] >= last)
			break;
		q->keys[at] = q->keys[child];
		at = child;
	}
	q->keys[at] = last;
	return (u32)q->now;
}

static void track_word(struct value_analysis *a, s32 off)
{
	u32 unit = (u32)(-(off & ~3)) / 4 - 1;

	if (off < 0 && off >= -(s32)PROG_STACK_BYTES && a->word_of[unit] == NO_WORD)
		a->word_of[unit] = (u8)a->nr_words++;
}

/* Words that are loaded from, and keys. */
static void find_words(struct value_analysis *a)
{
	const struct prog *p = a->v->prog;

	memset(a->word_of, NO_WORD, sizeof(a->word_of));
	for (u32 pc = 0; pc < p->len; pc++) {
		const struct trace *t = &a->v->traces[pc];

		if (t->key_seen && !t->key_varies)
			track_word(a, t->key_off);
		if (t->mem != MEM_STACK || t->off_varies || BPF_CLASS(p->insns[pc].code) != BPF_LDX)
			continue;
		track_word(a, t->off);
		if (access_bytes(p->insns[pc].code) == 8)
			track_word(a, t->off + 4);
	}
}

static bool names_callback(struct insn i)
{
	return insn_is_ld_imm64(i) && i.src == LD_IMM64_FUNC;
}

static bool names_subprog(struct insn i)
{
	return insn_is_local_call(i) || names_callback(i);
}

static u32 target_of(const struct flow *f, u32 pc)
{
	struct insn i = f->a.v->prog->insns[pc];

	return (u32)((s64)pc + 1 + (names_subprog(i) ? i.imm : insn_jump_off(i)));
}

static u32 find_blocks(struct flow *f)
{
	const struct verifier *v = f->a.v;
	u32 nr = 0;

	for (u32 pc = 0; pc < v->prog->len; pc++) {
		struct insn i = v->prog->insns[pc];

		if (insn_is_cond_jump(i) || insn_is_ja(i) || names_subprog(i))
			f->is_start[target_of(f, pc)] = true;
		if (insn_is_ld_imm64(i))
			pc++;
	}
	f->is_start[0] = true;
	for (u32 pc = 0; pc < v->prog->len; pc++)
		nr += f->is_start[pc];
	return nr;
}

/* A range around s that can grow a few times only. */
static struct scalar widened(const struct scalar *s)
{
	for (unsigned bits = 8; bits < 64; bits *= 2)
		if (s->umax >> bits == 0)
			return scalar_between(0, UINT64_MAX >> (64 - bits));
	return scalar_unknown();
}

static bool join_scalar(struct scalar *into, const struct scalar *s, bool widen)
{
	if (scalar_covers(into, s))
		return false;
	*into = scalar_join(into, s);
	if (widen)
		*into = widened(into);
	return true;
}

static bool join_word(struct word *into, const struct word *w, bool widen)
{
	if (into->min <= w->min && w->max <= into->max)
		return false;
	into->min = widen ? 0 : into->min < w->min ? into->min : w->min;
	into->max = widen ? UINT32_MAX : into->max > w->max ? into->max : w->max;
	return true;
}

/* 0 or -ENOMEM. */
static int join(struct flow *f, u32 pc, const struct values *s)
{
	struct block *b = &f->blocks[pc];

	assert(f->is_start[pc]);
	if (!b->in) {
		b->in = arena_alloc(&f->a.v->arena, f->state_bytes);
		if (!b->in)
			return diag_nomem(f->a.v->diag);
		memcpy(b->in, s, f->state_bytes);
		b->changed = true;
		queue_push(&f->queue, pc);
		return 0;
	}
	bool widen = b->joins > JOINS_BEFORE_WIDENING, changed = false;
	for (u32 r = 0; r < BPF_REG_FP; r++)
		changed |= join_scalar(&b->in->regs[r], &s->regs[r], widen);
	for (u32 n = 0; n < f->a.nr_words; n++)
		changed |= join_word(&b->in->words[n], &s->words[n], widen);
	b->joins += changed;
	if (changed && !b->changed)
		queue_push(&f->queue, pc);
	b->changed |= changed;
	return 0;
}

/* One way of a conditional jump: narrows f->now to it. False when values say that it is never gone; then they are
 * unspecified. */
static bool narrow(struct flow *f, u32 pc, bool taken)
{
	struct insn i = f->a.v->prog->insns[pc];
	bool by_reg = BPF_SRC(i.code) == BPF_X;
	struct scalar unknown = scalar_unknown(), imm = scalar_const((u64)(s64)i.imm);
	struct scalar *dst = i.dst == BPF_REG_FP ? &unknown : &f->now->regs[i.dst];
	struct scalar src = !by_reg               ? imm
			    : i.src == BPF_REG_FP ? scalar_unknown()
						  : f->now->regs[i.src];

	if (by_reg && i.src == i.dst)
		return true;
	if (!scalar_assume(BPF_OP(i.code), BPF_CLASS(i.code) == BPF_JMP, taken, dst, &src))
		return false;
	if (by_reg && i.src != BPF_REG_FP)
		f->now->regs[i.src] = src;
	return true;
}

static u16 size_of_src(const struct flow *f, u32 pc)
{
	struct insn i = f->a.v->prog->insns[pc];

	if (BPF_SRC(i.code) != BPF_X || i.src >= BPF_REG_FP)
		return 0;
	u64 max = f->now->regs[i.src].umax;
	return (u16)((max <= UINT8_MAX ? FACT_SRC_BYTE : 0) |
		     (max <= UINT16_MAX ? FACT_SRC_SHORT : 0));
}

/* Joins into the target when taken; f->now is what is known behind it. False: never falls through.
 *
 * Values and the walk know different things, so each may rule out the way that the other leaves: then nothing ever gets
 * here. But code before it may have been found reachable and has to lead somewhere, so the walk decides alone. */
static int step_cond_jump(struct flow *f, u32 pc, bool *falls)
{
	const struct trace *t = &f->a.v->traces[pc];
	struct fact *fact = &f->a.facts[pc];
	struct scalar before[BPF_REG_FP], jumped[BPF_REG_FP];
	u16 src_flags = size_of_src(f, pc);

	memcpy(before, f->now->regs, sizeof(before));
	bool taken = t->jumped && narrow(f, pc, true);
	memcpy(jumped, f->now->regs, sizeof(jumped));
	memcpy(f->now->regs, before, sizeof(before));
	*falls = t->fell && narrow(f, pc, false);
	if (!taken && !*falls) {
		taken = t->jumped;
		*falls = t->fell;
		memcpy(jumped, before, sizeof(before));
		memcpy(f->now->regs, before, sizeof(before));
	}
	fact->flags &= (u16) ~(FACT_TAKEN | FACT_NOT_TAKEN);
	fact->flags |= src_flags;
	if (!*falls)
		fact->flags |= FACT_TAKEN;
	if (!taken)
		fact->flags |= FACT_NOT_TAKEN;
	if (!taken)
		return 0;
	memcpy(before, f->now->regs, sizeof(before));
	memcpy(f->now->regs, jumped, sizeof(jumped));
	int err = join(f, target_of(f, pc), f->now);
	memcpy(f->now->regs, before, sizeof(before));
	return err;
}

static int step_call_values(struct flow *f, u32 pc)
{
	struct values *s = f->now;
	struct scalar saved[BPF_REG_FP];

	memcpy(saved, s->regs, sizeof(saved));
	values_forget(&f->a, s);
	memcpy(&s->regs[BPF_REG_1], &saved[BPF_REG_1], 5 * sizeof(saved[0]));
	int err = join(f, target_of(f, pc), s);
	memcpy(s->regs, saved, sizeof(saved));
	return err;
}

/* A callback that is ever called may be so wherever its address goes, with any arguments. */
static int step_callback_values(struct flow *f, u32 pc)
{
	u32 target = target_of(f, pc);

	if (!f->a.v->traces[target].seen)
		return 0;
	memcpy(f->aside, f->now, f->state_bytes);
	values_forget(&f->a, f->aside);
	return join(f, target, f->aside);
}

/* From a block's start to its end. */
static int run_block(struct flow *f, u32 pc)
{
	const struct prog *p = f->a.v->prog;
	const u16 found_here = FACT_DST_KNOWN | FACT_SRC_NONZERO | FACT_DST_UPPER_ZERO | FACT_KEY |
			       FACT_KEY_IN_RANGE | FACT_SRC_BYTE | FACT_SRC_SHORT;
	bool falls = true;
	int err = 0;

	f->blocks[pc].changed = false;
	memcpy(f->now, f->blocks[pc].in, f->state_bytes);
	for (u32 start = pc; !err && falls; pc += insn_is_ld_imm64(p->insns[pc]) ? 2 : 1) {
		struct insn i = p->insns[pc];
		struct fact *fact = &f->a.facts[pc];

		if (pc != start && f->is_start[pc])
			return join(f, pc, f->now);
		f->reached[pc] = true;
		fact->flags &= (u16)~found_here;
		fact->value = fact->key = 0;
		if (i.dst < BPF_REG_FP && f->now->regs[i.dst].umax <= UINT32_MAX)
			fact->flags |= FACT_DST_UPPER_ZERO;
		if (insn_is_exit(i))
			return 0;
		if (insn_is_ja(i))
			return join(f, target_of(f, pc), f->now);
		if (insn_is_local_call(i))
			err = step_call_values(f, pc);
		if (names_callback(i))
			err = step_callback_values(f, pc);
		if (insn_is_cond_jump(i))
			err = step_cond_jump(f, pc, &falls);
		else
			value_step(&f->a, f->now, pc);
	}
	return err;
}

/* Blocks in the order of the program, again and again while loops bring news. */
static int run(struct flow *f)
{
	values_forget(&f->a, f->now);
	if (f->a.v->prog->type == PROG_TYPE_RAW)
		f->now->regs[BPF_REG_2] = scalar_const(f->a.v->prog->raw_mem_bytes);
	int err = join(f, 0, f->now);
	while (!err && f->queue.nr)
		err = run_block(f, queue_pop(&f->queue));
	return err;
}

/* Both analyses cover all paths, so what either calls unreachable is. What is left is closed: see step_cond_jump. */
static void forget_unreached(struct flow *f)
{
	for (u32 pc = 0; pc < f->a.v->prog->len; pc++)
		if (!f->reached[pc])
			f->a.facts[pc] = (struct fact){0};
}

int find_values(struct verifier *v, struct fact *facts)
{
	u32 len = v->prog->len;
	struct flow f = {
		.a = {.v = v, .facts = facts},
		.blocks = arena_array(&v->arena, len, sizeof(*f.blocks)),
		.is_start = arena_array(&v->arena, len, sizeof(*f.is_start)),
		.reached = arena_array(&v->arena, len, sizeof(*f.reached)),
	};

	if (!f.blocks || !f.is_start || !f.reached)
		return diag_nomem(v->diag);
	find_words(&f.a);
	u32 nr_blocks = find_blocks(&f);
	f.state_bytes = sizeof(struct values) + f.a.nr_words * sizeof(struct word);
	if (nr_blocks * f.state_bytes > MEMORY_BYTES_MAX)
		return 0;
	f.now = arena_alloc(&v->arena, f.state_bytes);
	f.aside = arena_alloc(&v->arena, f.state_bytes);
	f.queue.keys = arena_array(&v->arena, nr_blocks, sizeof(*f.queue.keys));
	if (!f.now || !f.aside || !f.queue.keys)
		return diag_nomem(v->diag);
	int err = run(&f);
	if (!err)
		forget_unreached(&f);
	return err;
}
