/* Removes what never runs: instructions that no path reaches, conditional jumps that are decided,
 * jumps to what comes next anyway. */
#include "base/alloc.h"
#include "base/diag.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/gen.h"
#include "rewrite/passes.h"
#include "rewrite/reach.h"

struct sweep {
	const struct prog *p;
	const struct facts *f;
	u64 *live; /* a bit for each instruction that some path reaches */
	u64 *drop; /* and for each live one that isn't needed */
};

static bool always_taken(const struct sweep *s, u32 pc)
{
	return s->f->insns[pc].flags & FACT_TAKEN;
}

static bool never_taken(const struct sweep *s, u32 pc)
{
	return s->f->insns[pc].flags & FACT_NOT_TAKEN;
}

/* Drops jumps that are never taken or go where the next kept instruction is. Going backwards,
 * next[pc] is known for all that a forward jump can reach: the first kept instruction at or behind
 * pc. */
static void drop_idle_jumps(struct sweep *s, u32 *next)
{
	next[s->p->len] = s->p->len;
	for (u32 pc = s->p->len; pc-- > 0;) {
		struct insn i = s->p->insns[pc];

		next[pc] = next[pc + 1];
		if (!flow_bit(s->live, pc))
			continue;
		bool pair_end =
			pc && flow_bit(s->live, pc - 1) && insn_is_ld_imm64(s->p->insns[pc - 1]);
		if (!pair_end && (insn_is_cond_jump(i) || insn_is_ja(i))) {
			u32 target = flow_target(i, pc);
			bool idle = target > pc && next[target] == next[pc + 1];

			if (idle || (insn_is_cond_jump(i) && never_taken(s, pc))) {
				flow_set(s->drop, pc);
				continue;
			}
		}
		next[pc] = pc;
	}
}

static bool kept(const struct sweep *s, u32 pc)
{
	return flow_bit(s->live, pc) && !flow_bit(s->drop, pc);
}

static void collect_edits(const struct sweep *s, struct editor *e)
{
	for (u32 pc = 0; pc < s->p->len;) {
		u32 n = 0;

		while (pc + n < s->p->len && !kept(s, pc + n))
			n++;
		if (n) {
			edit_remove(e, pc, n);
			pc += n;
			continue;
		}
		struct insn i = s->p->insns[pc];
		if (insn_is_cond_jump(i) && always_taken(s, pc))
			edit_jump(e, pc, gen_ja(0), flow_target(i, pc));
		pc += flow_width(i);
	}
}

int dead_code_run(struct prog *p, struct facts *f, struct diag *d)
{
	struct sweep s = {
		.p = p,
		.f = f,
		.live = reach_find(p, f),
		.drop = flow_bits(p),
	};
	u32 *next = mem_alloc(array_size((size_t)p->len + 1, sizeof(*next)));
	struct editor e;
	int err = 0;

	editor_init(&e, p, f);
	if (!s.live || !s.drop || !next) {
		err = diag_nomem(d);
		goto out;
	}
	drop_idle_jumps(&s, next);
	collect_edits(&s, &e);
	err = editor_apply(&e, d);
out:
	editor_fini(&e);
	mem_free(s.live);
	mem_free(s.drop);
	mem_free(next);
	return err;
}
