/* Jump threading: a way into a block that ends with a conditional jump goes past that jump where it is known on this way
 * how the jump goes. What the block does before is done on the way: a short block is copied for it. known.c says what is
 * known. Conditional jumps of which only one way is left, because the others go past them, are decided for good.
 *
 * What can't stand twice isn't copied (calls, atomics), nor is more than a share of the program. Rounds of it are followed
 * by dead_code and dead_result, which take away what nobody comes to or reads any more. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/limits.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/gen.h"
#include "rewrite/known.h"
#include "rewrite/passes.h"
#include "rewrite/regs.h"

enum {
	COPIED_MAX = 6, /* instructions copied for one way */
	BLOCKS_MAX = 6, /* that a way goes through */
	ROUNDS_MAX = 4,
	GROWTH_BASE = 16, /* instructions that any program may grow by */
	GROWTH_SHARE = 8, /* and one for so many that it has */
	SAME_MAX = 8,     /* ways that are asked whether the next is the same */
	TOO_FAR = UINT8_MAX,
	/* What is longer stays as it is: jumps that don't reach any more may make a program three times as long. */
	LENGTH_MAX = PROG_MAX_INSNS / 4,
};

/* Where ways meet. */
struct meeting {
	u32 first;   /* the lowest instruction that jumps here; 0: some jump or call from behind */
	u32 jumps;   /* how many */
	u32 past;    /* of these, how many go past it from now on */
	u16 asks;    /* registers that the block from here on reads up to its conditional jump */
	u8 distance; /* of that jump: instructions to copy, or TOO_FAR */
};

struct copied {
	struct insn insn;
	u32 pc; /* of the original */
};

enum way_kind {
	BY_GOTO, /* copies stand in place of the goto */
	BY_JUMP, /* of a conditional jump: behind a goto or exit */
	BY_FALL, /* behind the instruction that runs on into the block */
};

/* A way from `from` to `to`, that does the copied instructions and goes to `end`. */
struct way {
	enum way_kind kind;
	u32 from, to, end;
	u32 first, nr; /* in copied[] */
	u32 place;     /* BY_JUMP, BY_FALL: before which instruction the copies stand */
	u32 label;     /* BY_JUMP: of the copies */
	bool runs_on;  /* into what is at place, which is the end */
};

struct threading {
	struct prog *p;
	struct facts *f;
	struct meeting *meetings; /* one for each instruction */
	u64 *starts;              /* of subprograms */
	struct way *ways;
	size_t nr_ways, cap_ways;
	struct copied *copied;
	size_t nr_copied, cap_copied;
	u32 room;     /* instructions that the program may still grow by */
	bool decides; /* jumps in place: the verifier hasn't seen the program as it is */
	bool changed, failed;
};

static bool is_seen(const struct threading *t, u32 pc)
{
	return t->f->insns[pc].flags & FACT_SEEN;
}

static u16 flags_of(const struct threading *t, u32 pc)
{
	return t->f->insns[pc].flags;
}

/* Runs on into the next instruction? */
static bool runs_on(const struct threading *t, u32 pc)
{
	struct insn i = t->p->insns[pc];

	return !insn_is_exit(i) && !insn_is_ja(i) && !(flags_of(t, pc) & FACT_TAKEN);
}

static bool may_copy(struct insn i)
{
	switch (BPF_CLASS(i.code)) {
	case BPF_LD:
		return insn_is_ld_imm64(i) && i.src != LD_IMM64_FUNC;
	case BPF_STX:
		return BPF_MODE(i.code) != BPF_ATOMIC;
	case BPF_JMP:
	case BPF_JMP32:
		return false;
	default:
		return true;
	}
}

static void note_arrival(struct threading *t, u32 from, u32 to)
{
	struct meeting *m = &t->meetings[to];
	u32 first = from < to ? from : 0;

	m->first = m->jumps++ && m->first < first ? m->first : first;
}

static void note_arrivals(struct threading *t)
{
	for (u32 pc = 0; pc < t->p->len; pc += flow_width(t->p->insns[pc])) {
		u32 to = flow_target(t->p->insns[pc], pc);

		if (to == FLOW_NO_TARGET || !is_seen(t, pc) || flags_of(t, pc) & FACT_NOT_TAKEN)
			continue;
		note_arrival(t, pc, to);
		if (!insn_is_cond_jump(t->p->insns[pc]) && !insn_is_ja(t->p->insns[pc]))
			t->meetings[to].first = 0;
	}
	for (u32 i = 0; i < t->f->nr_subprogs; i++)
		flow_set(t->starts, t->f->subprog_start[i]);
}

/* How far the next conditional jump is, backwards over the program. */
static void note_distances(struct threading *t, const u64 *second_halves)
{
	for (u32 pc = t->p->len; pc-- > 0;) {
		struct insn i = t->p->insns[pc];
		struct meeting *m = &t->meetings[pc];
		u32 target = flow_target(i, pc), next = pc + flow_width(i);

		m->distance = TOO_FAR;
		if (flow_bit(second_halves, pc))
			continue;
		if (insn_is_cond_jump(i)) {
			m->distance = 0;
			m->asks = regs_read(i);
		} else if (insn_is_ja(i) && target > pc) {
			m->distance = t->meetings[target].distance;
			m->asks = t->meetings[target].asks;
		} else if (may_copy(i) && next < t->p->len &&
			   t->meetings[next].distance + flow_width(i) <= COPIED_MAX) {
			m->distance = (u8)(t->meetings[next].distance + flow_width(i));
			m->asks = t->meetings[next].asks | regs_read(i);
		}
	}
}

/* The walk along a way, from block to block. */
struct walk {
	struct known known;
	struct copied copied[COPIED_MAX];
	u32 nr;
	struct {
		u32 start, end;
	} blocks[BLOCKS_MAX];
	u32 nr_blocks;
	u32 saved; /* instructions that needn't run: jumps, and what has become the move of a constant, which often nobody reads */
};

static bool was_walked(const struct walk *w, u32 pc)
{
	for (u32 i = 0; i < w->nr_blocks; i++)
		if (pc >= w->blocks[i].start && pc <= w->blocks[i].end)
			return true;
	return false;
}

/* Instructions up to the jump that ends the block at pc; false: not to be copied, or too many. */
static bool walk_block(const struct threading *t, struct walk *w, u32 *pc)
{
	u32 start = *pc;

	for (;; *pc += flow_width(t->p->insns[*pc])) {
		struct insn i = t->p->insns[*pc], next = {0};
		u32 width = flow_width(i);

		if (!is_seen(t, *pc))
			return false;
		if (insn_is_cond_jump(i) || insn_is_ja(i))
			break;
		if (!may_copy(i) || w->nr + width > COPIED_MAX)
			return false;
		if (width == 2)
			next = t->p->insns[*pc + 1];
		known_step(&w->known, i, next, &t->f->insns[*pc], *pc);
		if (width == 1)
			w->saved += known_as_move(&w->known, i, &i);
		w->copied[w->nr++] = (struct copied){i, *pc};
		if (width == 2)
			w->copied[w->nr++] = (struct copied){next, *pc + 1};
	}
	w->blocks[w->nr_blocks].start = start;
	w->blocks[w->nr_blocks++].end = *pc;
	return true;
}

/* Where the jump at pc goes on this way, or FLOW_NO_TARGET; *asked: it wasn't decided anyway. */
static u32 go_on(const struct threading *t, const struct walk *w, u32 pc, bool *asked)
{
	struct insn i = t->p->insns[pc];
	u16 flags = flags_of(t, pc);
	enum verdict v = flags & FACT_TAKEN || insn_is_ja(i) ? ALWAYS
			 : flags & FACT_NOT_TAKEN            ? NEVER
							     : MAYBE;

	*asked = v == MAYBE;
	if (v == MAYBE)
		v = known_decide(&w->known, i);
	u32 next = v == ALWAYS ? flow_target(i, pc) : pc + 1;
	return v == MAYBE || !is_seen(t, next) || was_walked(w, next) ? FLOW_NO_TARGET : next;
}

/* Follows the way as far as it is known where it goes; *nr instructions are to be copied up to there, *saved are saved. Its
 * end, or FLOW_NO_TARGET when it passes no jump that isn't decided anyway. */
static u32 follow(const struct threading *t, struct walk *w, u32 pc, u32 *nr, u32 *saved)
{
	u32 end = FLOW_NO_TARGET;

	while (w->nr_blocks < BLOCKS_MAX && walk_block(t, w, &pc)) {
		u32 behind = pc + 1;
		bool asked;

		pc = go_on(t, w, pc, &asked);
		if (pc == FLOW_NO_TARGET)
			break;
		w->saved += pc == behind ? 1 : 2;
		/* What is only passed is passed for nothing, once a jump is. */
		if (asked || (end != FLOW_NO_TARGET && *nr == w->nr)) {
			end = pc;
			*nr = w->nr;
			*saved = w->saved;
		}
	}
	return end;
}

static void add_way(struct threading *t, struct way way, const struct walk *w)
{
	if (array_grow((void **)&t->ways, &t->cap_ways, t->nr_ways + 1, sizeof(*t->ways)) ||
		array_grow((void **)&t->copied, &t->cap_copied, t->nr_copied + way.nr,
			sizeof(*t->copied))) {
		t->failed = true;
		return;
	}
	way.first = (u32)t->nr_copied;
	for (u32 i = 0; i < way.nr; i++)
		t->copied[t->nr_copied++] = w->copied[i];
	t->ways[t->nr_ways++] = way;
}

/* A jump around the move of a constant: back ends make that without jumping, which is cheaper than a way of its own. */
static bool is_selection(const struct threading *t, u32 move, u32 meet)
{
	const struct insn *i = &t->p->insns[move];

	return (i->code == (BPF_ALU64 | BPF_MOV | BPF_K) ||
		       i->code == (BPF_ALU | BPF_MOV | BPF_K)) &&
	       move > 0 && insn_is_cond_jump(i[-1]) && flow_target(i[-1], move - 1) == meet;
}

/* A way into a block, with what is known on it before and by the jump that it begins with. */
static void try_way(
	struct threading *t, enum way_kind kind, u32 from, u32 to, const struct known *known)
{
	struct insn i = t->p->insns[from];
	struct meeting *m = &t->meetings[to];
	struct way way = {.kind = kind, .from = from, .to = to};
	u16 regs = known_regs(known) | (kind == BY_JUMP ? regs_read(i) : 0);
	u32 saved = 0;
	struct walk w;

	if (m->distance == TOO_FAR || !(m->asks & regs) ||
		(kind == BY_FALL && is_selection(t, from, to)))
		return;
	w.known = *known;
	if (kind == BY_JUMP)
		known_learn(&w.known, i, true, from);
	w.nr = w.nr_blocks = w.saved = 0;
	way.end = follow(t, &w, to, &way.nr, &saved);
	/* A way that ran on takes a goto instead. */
	if (way.end == FLOW_NO_TARGET || (kind == BY_FALL && saved < 2))
		return;
	u32 growth = way.nr + (kind != BY_GOTO && (way.nr || kind == BY_FALL));
	if (growth > t->room)
		return;
	t->room -= growth;
	m->past += kind != BY_FALL;
	add_way(t, way, &w);
}

/* Decides the jump for good, if it is known. */
static void decide(struct threading *t, const struct known *known, u32 pc)
{
	struct insn i = t->p->insns[pc];
	struct fact *f = &t->f->insns[pc];
	enum verdict v = f->flags & (FACT_TAKEN | FACT_NOT_TAKEN) ? MAYBE : known_decide(known, i);
	u32 next = v == ALWAYS ? flow_target(i, pc) : pc + 1;

	if (v == MAYBE || !is_seen(t, next))
		return;
	f->flags |= v == ALWAYS ? FACT_TAKEN : FACT_NOT_TAKEN;
	t->changed = true;
}

static void jump(struct threading *t, struct known *known, u32 pc)
{
	struct insn i = t->p->insns[pc];
	u32 to = flow_target(i, pc);

	if (t->decides)
		decide(t, known, pc);
	if (to != pc + 1 && !(flags_of(t, pc) & FACT_NOT_TAKEN))
		try_way(t, BY_JUMP, pc, to, known);
	known_learn(known, i, false, pc);
}

/* What is known where the instruction at pc begins, but of the one before it. */
static void arrive(struct threading *t, struct known *known, u32 pc, bool fell)
{
	const struct meeting *m = &t->meetings[pc];

	if (m->jumps && fell)
		try_way(t, BY_FALL, pc - 1, pc, known);
	if (!fell && !m->jumps)
		known_nothing(known);
	if (m->jumps)
		known_meet(known, m->first);
	/* Only one comes here. */
	if (!fell && m->jumps == 1 && m->first && insn_is_cond_jump(t->p->insns[m->first]))
		known_learn(known, t->p->insns[m->first], true, pc - 1);
}

static void find_ways(struct threading *t)
{
	struct known known = {0};
	bool fell = false;

	for (u32 pc = 0; pc < t->p->len && !t->failed;) {
		struct insn i = t->p->insns[pc];
		u32 width = flow_width(i);

		if (!is_seen(t, pc)) {
			known_nothing(&known);
			fell = false;
			pc += width;
			continue;
		}
		arrive(t, &known, pc, fell);
		if (insn_is_cond_jump(i))
			jump(t, &known, pc);
		else if (insn_is_ja(i))
			try_way(t, BY_GOTO, pc, flow_target(i, pc), &known);
		else
			known_step(&known, i, width == 2 ? t->p->insns[pc + 1] : i,
				&t->f->insns[pc], pc);
		fell = runs_on(t, pc);
		pc += width;
	}
}

/* Where the copies of a conditional jump stand: just before where they go to, if nothing runs into them there, else behind
 * the next goto or exit. */
static void place_copies(struct threading *t, struct way *w, u64 *taken, u32 *next_end)
{
	bool stands_alone =
		w->end > 0 && !flow_bit(t->starts, w->end) && !flow_bit(taken, w->end) &&
		(insn_is_exit(t->p->insns[w->end - 1]) || insn_is_ja(t->p->insns[w->end - 1]));

	if (stands_alone) {
		flow_set(taken, w->end);
		w->place = w->end;
		w->runs_on = true;
		return;
	}
	u32 pc = *next_end > w->from ? *next_end : w->from + 1;
	while (!insn_is_exit(t->p->insns[pc]) && !insn_is_ja(t->p->insns[pc]))
		pc++;
	*next_end = pc;
	w->place = pc + 1;
}

/* The same copies, to the same end? */
static bool are_same(const struct threading *t, const struct way *a, const struct way *b)
{
	if (a->kind != BY_JUMP || b->kind != BY_JUMP || a->end != b->end || a->nr != b->nr)
		return false;
	for (u32 i = 0; i < a->nr; i++) {
		const struct copied *x = &t->copied[a->first + i], *y = &t->copied[b->first + i];

		if (x->pc != y->pc || x->insn.code != y->insn.code || x->insn.imm != y->insn.imm)
			return false;
	}
	return true;
}

/* Many ways, one behind the other, are often the same: those to where a chain of tests fails. */
static const struct way *find_same(const struct threading *t, u32 n)
{
	for (u32 back = 1; back <= SAME_MAX && back <= n; back++)
		if (t->ways[n - back].label && are_same(t, &t->ways[n - back], &t->ways[n]))
			return &t->ways[n - back];
	return NULL;
}

/* A piece of a way that stands somewhere in the program; edits need them in order. */
struct piece {
	u32 pc;
	u32 rank; /* of those at one place */
	u32 way;
};

enum { RANK_APART, RANK_RUNS_ON, RANK_IN_PLACE };

static int by_place(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->way > y->way) - (x->way < y->way);
}

/* The copies stand where conditional jumps find them. */
static void put_apart(struct threading *t, struct editor *e, u32 n, u64 *taken, u32 *next_end,
	struct piece *pieces, u32 *nr)
{
	struct way *w = &t->ways[n];
	const struct way *same = find_same(t, n);

	if (same) {
		w->label = same->label;
		return;
	}
	w->label = edit_label(e);
	place_copies(t, w, taken, next_end);
	pieces[(*nr)++] = (struct piece){w->place, w->runs_on ? RANK_RUNS_ON : RANK_APART, n};
}

/* Where each piece stands; returns how many there are. */
static u32 place_all(struct threading *t, struct editor *e, u64 *taken, struct piece *pieces)
{
	u32 nr = 0, next_end = 0;

	for (u32 n = 0; n < t->nr_ways; n++) {
		struct way *w = &t->ways[n];

		if (w->kind == BY_FALL) {
			/* If no other comes, its jump can be decided where it is. */
			if (t->meetings[w->to].past < t->meetings[w->to].jumps)
				pieces[nr++] = (struct piece){w->to, RANK_APART, n};
			continue;
		}
		pieces[nr++] = (struct piece){w->from, RANK_IN_PLACE, n};
		if (w->kind == BY_JUMP && w->nr)
			put_apart(t, e, n, taken, &next_end, pieces, &nr);
	}
	qsort(pieces, nr, sizeof(*pieces), by_place);
	return nr;
}

/* What is known of a copy: what is known of the original, unless it has become the move of a constant. */
static struct fact fact_of(const struct threading *t, const struct copied *c)
{
	struct insn original = t->p->insns[c->pc];
	struct fact moved = {.flags = FACT_SEEN | FACT_DST_KNOWN, .value = (u64)(s64)c->insn.imm};

	return c->insn.code == original.code && c->insn.imm == original.imm ? t->f->insns[c->pc]
									    : moved;
}

/* The copies and, unless they run on into it, a goto to where they lead. */
static void edit_copies(const struct threading *t, struct editor *e, const struct piece *at)
{
	const struct way *w = &t->ways[at->way];
	const struct copied *copied = t->copied + w->first;
	struct insn insns[COPIED_MAX + 1];
	u32 n = w->nr;

	for (u32 i = 0; i < n; i++)
		insns[i] = copied[i].insn;
	if (!w->runs_on)
		insns[n++] = gen_ja(0);
	if (at->rank == RANK_IN_PLACE)
		edit_replace(e, at->pc, 1, insns, n);
	else
		edit_append(e, at->pc, insns, n);
	for (u32 i = 0; i < w->nr; i++) {
		edit_fact(e, i, fact_of(t, &copied[i]));
		edit_line(e, i, copied[i].pc);
	}
	if (!w->runs_on) {
		edit_fact(e, w->nr, (struct fact){.flags = FACT_SEEN});
		edit_line(e, w->nr, w->nr ? copied[w->nr - 1].pc : w->from);
		edit_exit(e, w->nr, w->end);
	}
	if (w->label)
		edit_bind(e, 0, w->label);
}

static void edit_piece(const struct threading *t, struct editor *e, const struct piece *at)
{
	const struct way *w = &t->ways[at->way];

	if (w->kind != BY_JUMP || at->rank != RANK_IN_PLACE) {
		edit_copies(t, e, at);
		return;
	}
	edit_jump(e, w->from, t->p->insns[w->from], w->label ? w->label : w->end);
	edit_fact(e, 0, t->f->insns[w->from]);
}

static int edit_all(struct threading *t, struct diag *d)
{
	struct piece *pieces = mem_alloc(array_size(2 * t->nr_ways, sizeof(*pieces)));
	u64 *taken = flow_bits(t->p);
	struct editor e;
	int err = 0;

	editor_init(&e, t->p, t->f);
	if (!pieces || !taken || t->failed) {
		err = diag_nomem(d);
	} else {
		u32 nr = place_all(t, &e, taken, pieces);

		for (u32 i = 0; i < nr; i++)
			edit_piece(t, &e, &pieces[i]);
		t->changed |= nr > 0;
		err = editor_apply(&e, d);
	}
	editor_fini(&e);
	mem_free(pieces);
	mem_free(taken);
	return err;
}

static int one_round(struct threading *t, struct diag *d)
{
	u64 *second_halves = flow_second_halves(t->p);
	int err = 0;

	t->meetings = mem_zalloc(array_size(t->p->len, sizeof(*t->meetings)));
	t->starts = flow_bits(t->p);
	if (t->meetings && t->starts && second_halves) {
		note_arrivals(t);
		note_distances(t, second_halves);
		find_ways(t);
		err = t->nr_ways ? edit_all(t, d) : 0;
	} else {
		err = diag_nomem(d);
	}
	mem_free(second_halves);
	mem_free(t->meetings);
	mem_free(t->starts);
	mem_free(t->ways);
	mem_free(t->copied);
	return err;
}

int thread_run(struct prog *p, struct facts *f, struct diag *d)
{
	u32 room = GROWTH_BASE + p->len / GROWTH_SHARE;
	int err = 0;

	for (u32 round = 0; round < ROUNDS_MAX && p->len <= LENGTH_MAX && !err; round++) {
		struct threading t = {.p = p, .f = f, .room = room, .decides = round > 0};

		err = one_round(&t, d);
		if (err || !t.changed)
			break;
		room = t.room;
		err = dead_code_run(p, f, d);
		if (!err)
			err = dead_result_run(p, f, d);
	}
	return err;
}
