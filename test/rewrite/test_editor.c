/* The editor against a naive model: a list in which edits are made one by one, from the back, and
 * every old pc is a label that moves along. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/gen.h"

/* xorshift64 */
static u32 rnd(u64 *seed, u32 below)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (u32)((*seed >> 11) % below);
}

#define CHECK(seed, cond) \
	do { \
		if (!(cond)) { \
			print_error("seed %u: %s does not hold\n", (unsigned)(seed), #cond); \
			fail(); \
		} \
	} while (0)

enum target_kind { TO_NOTHING, TO_LABEL, TO_NODE };

struct node {
	struct insn insn;
	u32 old_pc; /* UINT32_MAX: new */
	enum target_kind kind;
	u32 target; /* TO_LABEL: old pc. TO_NODE: id */
	u32 id;
};

struct model {
	struct node *nodes;
	u32 nr, cap;
	u32 *label; /* old pc to index */
	u32 old_len;
	u32 next_id;
};

static struct insn plain(u32 value)
{
	return gen_mov_imm((u8)(value % 10), (s32)value);
}

/* Sets the distance from pc to target in the field where this instruction has it. */
static struct insn aim(struct insn i, u32 pc, u32 target)
{
	s32 dist = (s32)target - (s32)pc - 1;

	if (insn_is_cond_jump(i) || i.code == (BPF_JMP | BPF_JA))
		i.off = (s16)dist;
	else
		i.imm = dist;
	return i;
}

static struct insn any_jump(u64 *seed)
{
	switch (rnd(seed, 5)) {
	case 0:
		return gen_ja(0);
	case 1:
		return (struct insn){.code = BPF_JMP32 | BPF_JA};
	case 2:
		return gen_jmp32_imm(BPF_JSET, 3, 77, 0);
	case 3:
		return (struct insn){.code = BPF_JMP | BPF_CALL, .src = CALL_LOCAL};
	default:
		return (struct insn){.code = BPF_JMP | BPF_JSGT | BPF_X, .dst = 1, .src = 2};
	}
}

static u32 any_first_half(u64 *seed, const struct insn *insns, u32 len)
{
	u32 pc = rnd(seed, len);

	return pc && insn_is_ld_imm64(insns[pc - 1]) ? pc - 1 : pc;
}

static struct prog *any_prog(u64 *seed, u32 len)
{
	struct prog *p = prog_new("any", PROG_TYPE_RAW);
	struct insn *insns = calloc(len, sizeof(*insns));
	u32 pc = 0;

	while (pc < len) {
		u32 what = rnd(seed, 10);

		if (what < 3)
			insns[pc] = any_jump(seed);
		else if (what == 3 && pc + 2 < len)
			gen_ld_imm64(&insns[pc], 5, rnd(seed, 2) ? LD_IMM64_VALUE : LD_IMM64_FUNC,
				pc, 0);
		else
			insns[pc] = plain(pc);
		pc += flow_width(insns[pc]);
	}
	insns[len - 1] = (struct insn){.code = BPF_JMP | BPF_EXIT};
	for (pc = 0; pc < len; pc += flow_width(insns[pc]))
		if (flow_target(insns[pc], pc) != FLOW_NO_TARGET)
			insns[pc] = aim(insns[pc], pc, any_first_half(seed, insns, len));
	assert_int_equal(prog_set_insns(p, insns, len), 0);
	free(insns);
	return p;
}

/* Facts that can be told apart; subprograms and lines at random places. */
static void decorate(u64 *seed, struct prog *p, struct facts *f)
{
	f->len = p->len;
	f->insns = mem_zalloc(p->len * sizeof(*f->insns));
	for (u32 pc = 0; pc < p->len; pc++)
		f->insns[pc] = (struct fact){.key = pc, .flags = rnd(seed, 2) ? FACT_SEEN : 0};
	f->subprog_start = mem_zalloc(p->len * sizeof(u32));
	f->subprog_origin = mem_zalloc(p->len * sizeof(u32));
	f->stack_bytes = mem_zalloc(p->len * sizeof(u32));
	p->lines = mem_zalloc(p->len * sizeof(*p->lines));
	for (u32 pc = 0; pc < p->len; pc += flow_width(p->insns[pc])) {
		if (pc == 0 || rnd(seed, 8) == 0) {
			f->subprog_start[f->nr_subprogs] = pc;
			f->subprog_origin[f->nr_subprogs] = 3 * pc;
			f->stack_bytes[f->nr_subprogs++] = 8 * pc;
		}
		if (rnd(seed, 3) == 0)
			p->lines[p->nr_lines++] = (struct prog_line){.pc = pc, .line = 1000 + pc};
	}
}

static struct model model_of(const struct prog *p)
{
	struct model m = {.old_len = p->len, .cap = 4 * p->len + 64};

	m.nodes = calloc(m.cap, sizeof(*m.nodes));
	m.label = calloc(p->len + 1, sizeof(*m.label));
	for (u32 pc = 0; pc < p->len; pc++) {
		m.nodes[pc] = (struct node){.insn = p->insns[pc], .old_pc = pc, .id = m.next_id++};
		m.label[pc] = pc;
	}
	for (u32 pc = 0; pc < p->len; pc += flow_width(p->insns[pc])) {
		u32 target = flow_target(p->insns[pc], pc);

		if (target != FLOW_NO_TARGET) {
			m.nodes[pc].kind = TO_LABEL;
			m.nodes[pc].target = target;
		}
	}
	m.label[p->len] = m.nr = p->len;
	return m;
}

static void model_fini(struct model *m)
{
	free(m->nodes);
	free(m->label);
}

/* Puts nodes where nr_old were, at the label's place. */
static void model_edit(struct model *m, u32 pc, u32 nr_old, const struct node *nodes, u32 n)
{
	u32 at = m->label[pc];

	assert_true(m->nr + n <= m->cap);
	memmove(&m->nodes[at + n], &m->nodes[at + nr_old], (m->nr - at - nr_old) * sizeof(*nodes));
	memcpy(&m->nodes[at], nodes, n * sizeof(*nodes));
	m->nr = m->nr + n - nr_old;
	for (u32 i = pc + 1; i <= m->old_len; i++)
		m->label[i] = m->label[i] < at + nr_old ? at + n : m->label[i] + n - nr_old;
}

struct made_edit {
	u32 pc, nr_old, n;
	struct insn insns[6];
	bool to_old; /* one jump, to an old pc */
	u32 target;
};

/* Something to put in: plain instructions, a pair, a jump within, a jump to an old instruction. */
static struct made_edit any_edit(u64 *seed, const struct prog *p, u32 pc, u32 nr_old)
{
	struct made_edit e = {.pc = pc, .nr_old = nr_old};
	u32 kind = rnd(seed, 4);

	if (kind == 0 && nr_old == 1) {
		e.to_old = true;
		e.n = 1;
		e.insns[0] = gen_jmp32_imm(BPF_JNE, 4, 9, 0);
		e.target = any_first_half(seed, p->insns, p->len);
		return e;
	}
	e.n = rnd(seed, 5);
	for (u32 i = 0; i < e.n; i++)
		e.insns[i] = plain(5000 + pc * 8 + i);
	if (kind == 1 && e.n >= 2)
		e.insns[0] = gen_jmp32_imm(BPF_JGE, 0, 3, (s16)rnd(seed, e.n));
	if (kind == 2 && e.n >= 3)
		gen_ld_imm64(&e.insns[e.n - 2], 7, LD_IMM64_VALUE, pc, 99);
	return e;
}

static u32 any_edits(u64 *seed, const struct prog *p, u32 one_in, struct made_edit *edits)
{
	u32 nr = 0;

	for (u32 pc = 0; pc < p->len - 1;) {
		u32 width = flow_width(p->insns[pc]);

		if (rnd(seed, one_in) == 0) {
			if (rnd(seed, 3) == 0)
				edits[nr++] = any_edit(seed, p, pc, 0);
			edits[nr++] = any_edit(seed, p, pc, rnd(seed, 4) ? width : 0);
			if (edits[nr - 1].nr_old == 0 && edits[nr - 1].n == 0)
				nr--;
		}
		pc += width;
	}
	return nr;
}

static void apply_to_model(struct model *m, const struct made_edit *edits, u32 nr)
{
	while (nr-- > 0) {
		const struct made_edit *e = &edits[nr];
		struct node nodes[6];
		u32 base = m->next_id;

		for (u32 i = 0; i < e->n; i++) {
			u32 within = i && insn_is_ld_imm64(e->insns[i - 1])
					     ? FLOW_NO_TARGET
					     : flow_target(e->insns[i], i);

			nodes[i] = (struct node){
				.insn = e->insns[i], .old_pc = UINT32_MAX, .id = base + i};
			if (e->to_old) {
				nodes[i].kind = TO_LABEL;
				nodes[i].target = e->target;
			} else if (within != FLOW_NO_TARGET) {
				/* A jump to the end of the edit goes where the node behind it is.
				 */
				nodes[i].kind = TO_NODE;
				nodes[i].target =
					within < e->n ? base + within
						      : m->nodes[m->label[e->pc] + e->nr_old].id;
			}
		}
		m->next_id += e->n;
		model_edit(m, e->pc, e->nr_old, nodes, e->n);
	}
}

static void apply_to_editor(struct editor *ed, const struct made_edit *edits, u32 nr)
{
	for (u32 k = 0; k < nr; k++) {
		const struct made_edit *e = &edits[k];

		if (e->to_old && flow_width(ed->p->insns[e->pc]) == 1)
			edit_jump(ed, e->pc, e->insns[0], e->target);
		else
			edit_replace(ed, e->pc, e->nr_old, e->insns, e->n);
		for (u32 i = 0; i < e->n; i++)
			edit_fact(ed, i, (struct fact){.key = 900000 + i, .flags = FACT_KEY});
	}
}

/* A conditional jump over a gotol of its own. */
static bool is_long(const struct prog *p, u32 pc)
{
	return insn_is_cond_jump(p->insns[pc]) && pc + 2 < p->len && p->insns[pc].off == 1 &&
	       p->insns[pc + 1].code == (BPF_JMP | BPF_JA) && p->insns[pc + 1].off == 1 &&
	       p->insns[pc + 2].code == (BPF_JMP32 | BPF_JA);
}

static bool same_but_target(struct insn a, struct insn b, enum target_kind kind)
{
	if (kind != TO_NOTHING) {
		if (insn_is_ja(a) && insn_is_ja(b))
			return true;
		if (insn_is_cond_jump(a))
			a.off = b.off = 0;
		else
			a.imm = b.imm = 0;
	}
	return memcmp(&a, &b, sizeof(a)) == 0;
}

static void compare(u32 seed, const struct model *m, const struct prog *p, const struct facts *f)
{
	u32 *pos = calloc(m->nr + 1, sizeof(*pos)), *of_id = calloc(m->next_id, sizeof(*of_id));
	u32 pc = 0;

	for (u32 k = 0; k < m->nr; k++) {
		CHECK(seed, pc < p->len);
		CHECK(seed, same_but_target(m->nodes[k].insn, p->insns[pc], m->nodes[k].kind));
		if (m->nodes[k].old_pc != UINT32_MAX)
			CHECK(seed, f->insns[pc].key == m->nodes[k].old_pc);
		else
			CHECK(seed, f->insns[pc].key >= 900000 && f->insns[pc].flags == FACT_KEY);
		pos[k] = pc;
		of_id[m->nodes[k].id] = k;
		pc += is_long(p, pc) ? 3 : 1;
	}
	CHECK(seed, pc == p->len && f->len == p->len);
	pos[m->nr] = pc;
	for (u32 k = 0; k < m->nr; k++) {
		const struct node *n = &m->nodes[k];
		u32 from = pos[k] + (is_long(p, pos[k]) ? 2 : 0);

		if (n->kind == TO_NOTHING)
			continue;
		u32 want = n->kind == TO_LABEL ? m->label[n->target] : of_id[n->target];
		CHECK(seed, flow_target(p->insns[from], from) == pos[want]);
	}
	free(pos);
	free(of_id);
}

static u32 line_at(const struct prog *p, u32 pc)
{
	const struct prog_line *line = prog_line_of(p, pc);

	return line ? line->line : 0;
}

/* Small programs have no long jumps, so nodes are pcs. */
static void compare_sides(u32 seed, const struct model *m, const struct prog *before,
	const struct facts *f_before, const struct prog *p, const struct facts *f)
{
	u32 nr = 0;

	for (u32 k = 0; k < m->nr; k++)
		if (m->nodes[k].old_pc != UINT32_MAX)
			CHECK(seed, line_at(p, k) == line_at(before, m->nodes[k].old_pc));
	for (u32 i = 1; i < p->nr_lines; i++)
		CHECK(seed, p->lines[i - 1].pc < p->lines[i].pc);
	for (u32 i = 0; i < f_before->nr_subprogs; i++) {
		u32 start = m->label[f_before->subprog_start[i]];
		u32 next = i + 1 < f_before->nr_subprogs ? f_before->subprog_start[i + 1]
							 : before->len;

		if (start == m->label[next])
			continue;
		CHECK(seed, f->subprog_start[nr] == start);
		CHECK(seed, f->subprog_origin[nr] == f_before->subprog_origin[i]);
		CHECK(seed, f->stack_bytes[nr++] == f_before->stack_bytes[i]);
	}
	CHECK(seed, nr == f->nr_subprogs);
}

static void facts_release(struct facts *f)
{
	mem_free(f->insns);
	mem_free(f->subprog_start);
	mem_free(f->subprog_origin);
	mem_free(f->stack_bytes);
}

static void run_case(u32 number, u32 len, u32 one_in)
{
	u64 seed = 0x9e3779b97f4a7c15ull * (number + 1);
	struct prog *p = any_prog(&seed, len);
	struct facts f = {0}, f_before = {0};
	u64 seed_of_facts = seed;

	decorate(&seed, p, &f);
	struct prog *before = prog_clone(p);
	mem_free(before->lines);
	before->nr_lines = 0;
	decorate(&seed_of_facts, before, &f_before);
	struct made_edit *edits = calloc(2 * len, sizeof(*edits));
	u32 nr = any_edits(&seed, p, one_in, edits);
	struct editor ed;
	editor_init(&ed, p, &f);
	apply_to_editor(&ed, edits, nr);
	assert_int_equal(editor_apply(&ed, NULL), 0);
	editor_fini(&ed);
	if (len < 10000) {
		struct model m = model_of(before);

		apply_to_model(&m, edits, nr);
		compare(number, &m, p, &f);
		compare_sides(number, &m, before, &f_before, p, &f);
		model_fini(&m);
	}
	free(edits);
	facts_release(&f);
	facts_release(&f_before);
	prog_free(p);
	prog_free(before);
}

static void random_edits(void **state)
{
	(void)state;
	for (u32 number = 0; number < 1500; number++)
		run_case(number, 3 + number % 90, 1 + number % 7);
}

/* Jumps from both ends to both ends, over a middle that doubles: all end up out of reach of 16
 * bits. */
static void far_jumps(void **state)
{
	enum { LEN = 40000, JUMPS = 100 };
	struct prog *p = prog_new("far", PROG_TYPE_RAW);
	struct insn *insns = calloc(LEN, sizeof(*insns));
	struct facts f = {0};
	u64 seed = 1;
	struct editor ed;

	(void)state;
	for (u32 pc = 0; pc < LEN; pc++)
		insns[pc] = plain(pc);
	for (u32 i = 0; i < JUMPS; i++) {
		u32 far = LEN - 2 - i;
		struct insn jump = i % 4 ? gen_jmp32_imm(BPF_JGT, 1, 5, 0) : gen_ja(0);

		insns[i] = aim(jump, i, i % 2 ? 20000 + i * 100 : i * 200 + 300);
		insns[far] = aim(jump, far, far - 32000 + i * 100);
	}
	insns[LEN - 1] = (struct insn){.code = BPF_JMP | BPF_EXIT};
	assert_int_equal(prog_set_insns(p, insns, LEN), 0);
	decorate(&seed, p, &f);
	struct model m = model_of(p);
	editor_init(&ed, p, &f);
	struct made_edit *edits = calloc(LEN, sizeof(*edits));
	u32 nr = 0;
	for (u32 pc = 200; pc < LEN - 200; pc += 3)
		edits[nr++] = (struct made_edit){
			.pc = pc, .n = 4, .insns = {plain(1), plain(2), plain(3), plain(4)}};
	apply_to_editor(&ed, edits, nr);
	assert_int_equal(editor_apply(&ed, NULL), 0);
	editor_fini(&ed);
	apply_to_model(&m, edits, nr);
	compare(0, &m, p, &f);
	assert_int_equal(prog_check(p, NULL), 0);
	u32 nr_long = 0;
	for (u32 pc = 0; pc < p->len; pc++)
		nr_long += is_long(p, pc);
	assert_true(nr_long > JUMPS / 2);
	model_fini(&m);
	free(edits);
	free(insns);
	facts_release(&f);
	prog_free(p);
}

/* Would take minutes if an edit cost the length of the program. */
static void big_programs(void **state)
{
	(void)state;
	enum { LEN = 300000 };
	struct prog *p = prog_new("big", PROG_TYPE_RAW);
	struct insn *insns = calloc(LEN, sizeof(*insns));
	struct facts f = {0};
	u64 seed = 1;
	struct editor ed;

	for (u32 pc = 0; pc < LEN; pc++)
		insns[pc] = pc % 3 || pc > LEN - 1000
				    ? plain(pc)
				    : gen_jmp32_imm(BPF_JGT, 1, 5, (s16)(pc % 900));
	insns[LEN - 1] = (struct insn){.code = BPF_JMP | BPF_EXIT};
	assert_int_equal(prog_set_insns(p, insns, LEN), 0);
	decorate(&seed, p, &f);
	editor_init(&ed, p, &f);
	for (u32 pc = 0; pc < LEN - 1; pc++)
		if (pc % 3 == 1)
			edit_replace(&ed, pc, 1, (struct insn[]){plain(1), plain(2)}, 2);
	assert_int_equal(editor_apply(&ed, NULL), 0);
	assert_int_equal(p->len, LEN + LEN / 3);
	assert_int_equal(prog_check(p, NULL), 0);
	/* The limit holds, and leaves the program as it was. */
	for (u32 pc = 0; pc < p->len; pc++)
		edit_insert(&ed, pc, (struct insn[]){plain(1), plain(2)}, 2);
	struct diag d = {0};
	assert_int_equal(editor_apply(&ed, &d), -E2BIG);
	assert_string_equal(diag_first(&d),
		"the program has 1200000 instructions after rewriting, the limit is 1000000");
	assert_int_equal(p->len, LEN + LEN / 3);
	diag_fini(&d);
	editor_fini(&ed);
	free(insns);
	facts_release(&f);
	prog_free(p);
}

static void no_memory(void **state)
{
	(void)state;
	for (u64 nth = 1;; nth++) {
		u64 seed = 77;
		struct prog *p = any_prog(&seed, 50);
		struct facts f = {0};
		struct editor ed;

		decorate(&seed, p, &f);
		mem_fail_at(nth);
		editor_init(&ed, p, &f);
		edit_remove(&ed, 3, flow_width(p->insns[3]));
		for (u32 pc = 10; pc < 40; pc += flow_width(p->insns[pc]))
			edit_insert(&ed, pc, (struct insn[]){plain(1), plain(2)}, 2);
		int err = editor_apply(&ed, NULL);
		mem_fail_at(0);
		assert_true(err == 0 || err == -ENOMEM);
		if (err)
			assert_int_equal(p->len, 50);
		assert_int_equal(f.len, p->len);
		editor_fini(&ed);
		facts_release(&f);
		prog_free(p);
		if (!err) {
			assert_true(nth > 3);
			return;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_edits),
		cmocka_unit_test(far_jumps),
		cmocka_unit_test(big_programs),
		cmocka_unit_test(no_memory),
	};

	return cmocka_run_group_tests_name("editor", tests, NULL, NULL);
}
