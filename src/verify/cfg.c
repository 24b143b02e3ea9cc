/* The shape of a program before anything is walked: subprograms, code that no path reaches, places where paths meet. And
 * behind the walk: the stack that chains of calls need. */
#include <errno.h>

#include "base/diag.h"
#include "helper/helper.h"
#include "verify/callback.h"
#include "verify/iter.h"
#include "verify/verifier.h"

/* A local call, or the address of a callback. */
static bool names_subprog(struct insn i)
{
	return insn_is_local_call(i) || (insn_is_ld_imm64(i) && i.src == LD_IMM64_FUNC);
}

static u32 jump_target(const struct verifier *v, u32 pc)
{
	struct insn i = v->prog->insns[pc];

	return (u32)((s64)pc + 1 + (names_subprog(i) ? i.imm : insn_jump_off(i)));
}

static bool has_target(struct insn i)
{
	return insn_is_cond_jump(i) || insn_is_ja(i);
}

static u32 insn_len(struct insn i)
{
	return insn_is_ld_imm64(i) ? 2 : 1;
}

u32 subprog_at(const struct verifier *v, u32 pc)
{
	u32 n = v->subprog_of[pc];

	assert(v->subprogs[n].start == pc);
	return n;
}

static int find_subprogs(struct verifier *v)
{
	const struct prog *p = v->prog;
	bool *starts = arena_array(&v->arena, p->len, sizeof(*starts));
	u32 nr = 1;

	if (!starts)
		return diag_nomem(v->diag);
	starts[0] = true;
	for (u32 pc = 0; pc < p->len; pc += insn_len(p->insns[pc])) {
		if (!names_subprog(p->insns[pc]))
			continue;
		u32 target = jump_target(v, pc);
		nr += !starts[target];
		starts[target] = true;
	}
	if (nr > PROG_MAX_SUBPROGS)
		return refuse_at(
			v, 0, E2BIG, "too many subprograms: %u, at most %u", nr, PROG_MAX_SUBPROGS);
	v->subprogs = arena_array(&v->arena, nr, sizeof(*v->subprogs));
	v->subprog_of = arena_array(&v->arena, p->len, sizeof(*v->subprog_of));
	if (!v->subprogs || !v->subprog_of)
		return diag_nomem(v->diag);
	for (u32 pc = 0; pc < p->len; pc++) {
		if (starts[pc])
			v->subprogs[v->nr_subprogs++].start = pc;
		v->subprog_of[pc] = v->nr_subprogs - 1;
		v->subprogs[v->nr_subprogs - 1].end = pc + 1;
	}
	return 0;
}

static int check_jumps(struct verifier *v)
{
	const struct prog *p = v->prog;
	u32 last = 0;

	for (u32 pc = 0; pc < p->len; pc += insn_len(p->insns[pc])) {
		struct insn i = p->insns[pc];
		const struct subprog *s = &v->subprogs[v->subprog_of[pc]];

		if (has_target(i) && v->subprog_of[jump_target(v, pc)] != v->subprog_of[pc])
			return refuse_at(v, pc, EINVAL, "jump out of range from insn %u to %u", pc,
				jump_target(v, pc));
		last = pc;
		if (last + insn_len(i) == s->end && !insn_is_exit(i) && !insn_is_ja(i))
			return refuse_at(v, pc, EINVAL, "last insn is not an exit or jmp");
	}
	return 0;
}

/* All instructions that a path could reach, whatever it finds in registers; counts the ways into each. */
static int check_reachable(struct verifier *v)
{
	const struct prog *p = v->prog;
	u8 *ways = arena_array(&v->arena, p->len, sizeof(*ways)); /* 2 = two or more */
	u32 *todo = arena_array(&v->arena, p->len, sizeof(*todo));
	u32 nr = 0;

	if (!ways || !todo)
		return diag_nomem(v->diag);
	todo[nr++] = 0;
	ways[0] = 1;
	while (nr) {
		u32 pc = todo[--nr], next[2], nr_next = 0;
		struct insn i = p->insns[pc];

		if (!insn_is_exit(i) && !insn_is_ja(i))
			next[nr_next++] = pc + insn_len(i);
		if (has_target(i) || names_subprog(i))
			next[nr_next++] = jump_target(v, pc);
		if (insn_is_local_call(i))
			v->is_merge[pc + 1] = true; /* all exits of the callee come back here */
		if (insn_calls_back(i) || insn_is_iter_next(i))
			v->is_merge[pc] = v->is_loop[pc] = true;
		for (u32 n = 0; n < nr_next; n++) {
			if (!ways[next[n]])
				todo[nr++] = next[n];
			else
				v->is_merge[next[n]] = true;
			ways[next[n]] = 1;
		}
	}
	for (u32 pc = 0; pc < p->len; pc += insn_len(p->insns[pc]))
		if (!ways[pc])
			return refuse_at(v, pc, EINVAL, "unreachable insn %u", pc);
	return 0;
}

/* Until nothing changes: as many rounds as calls are deep. */
static void find_packet_changes(struct verifier *v)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (u32 pc = 0; pc < v->prog->len; pc += insn_len(v->prog->insns[pc])) {
			struct insn i = v->prog->insns[pc];
			struct subprog *s = &v->subprogs[v->subprog_of[pc]];
			const struct helper *h =
				insn_is_helper_call(i) ? helper_by_id((u32)i.imm) : NULL;
			bool changes = h && h->flags & HELPER_CHANGES_PACKET;

			if (names_subprog(i))
				changes = v->subprogs[v->subprog_of[jump_target(v, pc)]]
						  .changes_packet;
			changed |= changes && !s->changes_packet;
			s->changes_packet |= changes;
		}
	}
}

int find_flow(struct verifier *v)
{
	v->is_merge = arena_array(&v->arena, v->prog->len, sizeof(*v->is_merge));
	v->is_loop = arena_array(&v->arena, v->prog->len, sizeof(*v->is_loop));
	if (!v->is_merge || !v->is_loop)
		return diag_nomem(v->diag);
	int err = find_subprogs(v);
	if (!err)
		err = check_jumps(v);
	if (!err)
		find_packet_changes(v);
	return err ? err : check_reachable(v);
}

/* The deepest chain of calls from a subprogram on. */
struct chain {
	bool done, open;
	u32 frames, bytes;
	u32 calls; /* frames of the longest chain, which may be another one; UINT32_MAX: it doesn't end */
};

/* Frames take at least 16 bytes and multiples of it, as the kernel counts with a JIT. */
static u32 frame_bytes(const struct subprog *s)
{
	return s->stack_bytes ? (s->stack_bytes + 15) & ~15u : 16;
}

/* The walk follows calls of static functions; a chain with global ones may come back to where it began. */
static struct chain find_chain(struct verifier *v, u32 subprog, struct chain *chains)
{
	struct subprog *s = &v->subprogs[subprog];
	struct chain deepest = {0};
	u32 calls = 0;

	if (chains[subprog].done)
		return chains[subprog];
	if (chains[subprog].open)
		return (struct chain){.calls = UINT32_MAX};
	chains[subprog].open = true;
	for (u32 pc = s->start; pc < s->end; pc += insn_len(v->prog->insns[pc])) {
		/* As the kernel counts, a callback is called where its address is taken. */
		if (!names_subprog(v->prog->insns[pc]) || !v->traces[pc].seen)
			continue;
		struct chain c = find_chain(v, subprog_at(v, jump_target(v, pc)), chains);
		if (c.calls > calls)
			calls = c.calls;
		if (c.bytes > deepest.bytes)
			deepest = c;
	}
	deepest.done = true;
	deepest.calls = calls == UINT32_MAX ? calls : calls + 1;
	deepest.frames++;
	deepest.bytes += frame_bytes(s);
	return chains[subprog] = deepest;
}

static bool is_tail_call(struct insn i)
{
	return insn_is_helper_call(i) && i.imm == HELPER_tail_call;
}

/* A tail call from a subprogram leaves the frames of its callers where they are, and the other program may do the same: so
 * they must be small. `before`: bytes of the callers' frames; deepest[]: the most that each subprogram was looked at with,
 * which grows by 16 at least. */
static int check_tail_calls(struct verifier *v, u32 subprog, u32 before, u32 *deepest)
{
	const struct subprog *s = &v->subprogs[subprog];
	u32 behind = before + frame_bytes(s);
	int err = 0;

	for (u32 pc = s->start; pc < s->end && !err; pc += insn_len(v->prog->insns[pc])) {
		struct insn i = v->prog->insns[pc];

		if (!v->traces[pc].seen)
			continue;
		if (is_tail_call(i) && before >= PROG_TAIL_CALL_STACK_BYTES)
			err = refuse_at(v, pc, EACCES,
				"tail_calls are not allowed when call stack of previous frames is "
				"%u bytes. Too large",
				before);
		if (!insn_is_local_call(i))
			continue;
		u32 callee = subprog_at(v, jump_target(v, pc));
		if (behind > deepest[callee]) {
			deepest[callee] = behind;
			err = check_tail_calls(v, callee, behind, deepest);
		}
	}
	return err;
}

int check_stack_depth(struct verifier *v)
{
	struct chain *chains = arena_array(&v->arena, v->nr_subprogs, sizeof(*chains));
	u32 *deepest = arena_array(&v->arena, v->nr_subprogs, sizeof(*deepest));

	if (!chains || !deepest)
		return diag_nomem(v->diag);
	struct chain c = find_chain(v, 0, chains);
	if (c.calls > PROG_MAX_CALL_DEPTH)
		return refuse_at(v, 0, E2BIG, "the call stack of %u frames is too deep",
			PROG_MAX_CALL_DEPTH);
	if (c.bytes > PROG_STACK_BYTES)
		return refuse_at(v, 0, EACCES, "combined stack size of %u calls is %u. Too large",
			c.frames, c.bytes);
	return check_tail_calls(v, 0, 0, deepest);
}
