/* Calls of helpers that call back become local calls of a subprogram that does the helper's work and calls the callback
 * locally in its turn, so that engines need no call through a register. One such subprogram for each helper and callback; where
 * the callback differs by path it compares the address with all there are. Behind this pass the address of a subprogram is a
 * plain number, its index and one.
 *
 * Reads FACT_CALLBACK, whose index holds until code moves: this pass comes first. */
#include <errno.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/limits.h"
#include "helper/helper.h"
#include "map/map.h"
#include "rewrite/append.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/gen.h"
#include "rewrite/passes.h"

enum {
	ANY_CALLBACK = UINT16_MAX,
	LOOPS_MAX = 8 << 20,                          /* kernel: BPF_MAX_LOOPS */
	CURSOR_OFF = -(int)sizeof(struct map_cursor), /* from r10 */
};

_Static_assert(sizeof(struct map_cursor) % 8 == 0 && offsetof(struct map_cursor, key) == 0,
	"the cursor is zeroed by words, and its key loaded from the start");

/* A subprogram that was added. */
struct stub {
	u32 helper, callback; /* index or ANY_CALLBACK */
	u32 pc;
};

struct stubs {
	struct prog *p;
	struct facts *f;
	u64 *callbacks;  /* a bit for each subprogram whose address is taken */
	u32 nr_subprogs; /* before any was added */
	struct stub *all;
	size_t nr, cap;
};

static u32 subprog_of(const struct facts *f, u32 pc)
{
	u32 n = 0;

	while (f->subprog_start[n] != pc)
		n++;
	assert(n < f->nr_subprogs);
	return n;
}

static bool is_func(struct insn i)
{
	return insn_is_ld_imm64(i) && i.src == LD_IMM64_FUNC;
}

static bool calls_back(struct insn i)
{
	return insn_is_helper_call(i) &&
	       (i.imm == HELPER_loop || i.imm == HELPER_for_each_map_elem);
}

static struct insn jump_imm(u8 op, u8 dst, s32 imm)
{
	return (struct insn){.code = (u8)(BPF_JMP | op | BPF_K), .dst = dst & 0xfu, .imm = imm};
}

static struct insn move(u8 dst, u8 src)
{
	return gen_alu_reg(BPF_MOV, dst, src);
}

static void add_exit(struct code *c, s32 result)
{
	code_add(c, gen_mov_imm(BPF_REG_0, result));
	code_add(c, (struct insn){.code = BPF_JMP | BPF_EXIT});
}

/* r0 = callback(r1 ... r5). r9 is its number, where that isn't known. */
static void add_callback(struct stubs *s, struct code *c, u32 callback)
{
	size_t ends[PROG_MAX_SUBPROGS], nr = 0;

	if (callback != ANY_CALLBACK) {
		code_call(c, s->f->subprog_start[callback]);
		return;
	}
	for (u32 n = 0; n < s->nr_subprogs; n++) {
		if (!flow_bit(s->callbacks, n))
			continue;
		size_t other = code_jump(c, jump_imm(BPF_JNE, BPF_REG_9, (s32)n + 1));
		code_call(c, s->f->subprog_start[n]);
		ends[nr++] = code_jump(c, gen_ja(0));
		code_land(c, other);
	}
	code_add(c, gen_mov_imm(BPF_REG_0, 1)); /* never comes here */
	while (nr)
		code_land(c, ends[--nr]);
}

/* r6: how often at most, r7: the callback's context, r8: how often so far. */
static void add_loop(struct stubs *s, struct code *c, u32 callback)
{
	size_t flags = code_jump(c, jump_imm(BPF_JNE, BPF_REG_4, 0));
	size_t many = code_jump(c, jump_imm(BPF_JGT, BPF_REG_1, LOOPS_MAX));

	code_add(c, move(BPF_REG_6, BPF_REG_1));
	code_add(c, move(BPF_REG_7, BPF_REG_3));
	code_add(c, gen_mov_imm(BPF_REG_8, 0));
	code_add(c, move(BPF_REG_9, BPF_REG_2));
	size_t round = c->nr;
	size_t done = code_jump(
		c, (struct insn){
			   .code = BPF_JMP | BPF_JGE | BPF_X, .dst = BPF_REG_8, .src = BPF_REG_6});
	code_add(c, move(BPF_REG_1, BPF_REG_8));
	code_add(c, move(BPF_REG_2, BPF_REG_7));
	add_callback(s, c, callback);
	code_add(c, gen_alu_imm(BPF_ADD, BPF_REG_8, 1));
	code_jump_back(c, jump_imm(BPF_JEQ, BPF_REG_0, 0), round);
	code_land(c, done);
	code_add(c, move(BPF_REG_0, BPF_REG_8));
	code_add(c, (struct insn){.code = BPF_JMP | BPF_EXIT});
	code_land(c, flags);
	add_exit(c, -EINVAL);
	code_land(c, many);
	/* 32 bits of it, as the kernel's own code in place of the call has it. */
	code_add(c, (struct insn){.code = BPF_ALU | BPF_MOV | BPF_K, .imm = -E2BIG});
	code_add(c, (struct insn){.code = BPF_JMP | BPF_EXIT});
}

static void add_next_element(struct code *c)
{
	code_add(c, move(BPF_REG_1, BPF_REG_6));
	code_add(c, move(BPF_REG_2, BPF_REG_FP));
	code_add(c, gen_alu_imm(BPF_ADD, BPF_REG_2, CURSOR_OFF));
	code_add(
		c, (struct insn){
			   .code = BPF_JMP | BPF_CALL, .src = CALL_HELPER, .imm = HELPER_map_each});
}

/* r6: the map, r7: the callback's context, r8: how many elements so far. */
static void add_for_each(struct stubs *s, struct code *c, u32 callback)
{
	size_t flags = code_jump(c, jump_imm(BPF_JNE, BPF_REG_4, 0));

	code_add(c, move(BPF_REG_6, BPF_REG_1));
	code_add(c, move(BPF_REG_7, BPF_REG_3));
	code_add(c, gen_mov_imm(BPF_REG_8, 0));
	code_add(c, move(BPF_REG_9, BPF_REG_2));
	for (int off = CURSOR_OFF; off < 0; off += 8)
		code_add(c, (struct insn){.code = BPF_ST | BPF_MEM | BPF_DW,
				    .dst = BPF_REG_FP,
				    .off = (s16)off});
	size_t round = c->nr;
	add_next_element(c);
	size_t done = code_jump(c, jump_imm(BPF_JEQ, BPF_REG_0, 0));
	code_add(c, move(BPF_REG_1, BPF_REG_6));
	code_add(c, gen_load(BPF_DW, BPF_REG_2, BPF_REG_FP, CURSOR_OFF));
	code_add(c, move(BPF_REG_3, BPF_REG_0));
	code_add(c, move(BPF_REG_4, BPF_REG_7));
	add_callback(s, c, callback);
	code_add(c, gen_alu_imm(BPF_ADD, BPF_REG_8, 1));
	code_jump_back(c, jump_imm(BPF_JEQ, BPF_REG_0, 0), round);
	code_land(c, done);
	code_add(c, move(BPF_REG_0, BPF_REG_8));
	code_add(c, (struct insn){.code = BPF_JMP | BPF_EXIT});
	code_land(c, flags);
	add_exit(c, -EINVAL);
}

static u32 callback_of(const struct fact *fact)
{
	return fact->flags & FACT_CALLBACK ? fact->callback : ANY_CALLBACK;
}

static const struct stub *stub_find(const struct stubs *s, u32 helper, u32 callback)
{
	for (size_t n = 0; n < s->nr; n++)
		if (s->all[n].helper == helper && s->all[n].callback == callback)
			return &s->all[n];
	return NULL;
}

static int stub_new(struct stubs *s, u32 helper, u32 callback, struct diag *d)
{
	struct code c = {.start = s->p->len};
	bool loop = helper == HELPER_loop;

	if (array_grow((void **)&s->all, &s->cap, s->nr + 1, sizeof(*s->all)))
		return diag_nomem(d);
	if (loop)
		add_loop(s, &c, callback);
	else
		add_for_each(s, &c, callback);
	int err = code_append(s->p, s->f, &c, loop ? 0 : (u32)-CURSOR_OFF, d);
	if (!err)
		s->all[s->nr++] =
			(struct stub){.helper = helper, .callback = callback, .pc = c.start};
	code_fini(&c);
	return err;
}

/* Callbacks that the walk has been in; others are never called. */
static void find_callbacks(struct stubs *s, u32 len)
{
	for (u32 pc = 0; pc < len; pc += flow_width(s->p->insns[pc])) {
		u32 target = flow_target(s->p->insns[pc], pc);

		if (is_func(s->p->insns[pc]) && s->f->insns[target].flags & FACT_SEEN)
			flow_set(s->callbacks, subprog_of(s->f, target));
	}
}

static int add_stubs(struct stubs *s, u32 len, struct diag *d)
{
	int err = 0;

	for (u32 pc = 0; pc < len && !err; pc += flow_width(s->p->insns[pc])) {
		struct insn i = s->p->insns[pc];
		u32 callback = callback_of(&s->f->insns[pc]);

		if (callback != ANY_CALLBACK && !flow_bit(s->callbacks, callback))
			callback = ANY_CALLBACK;
		if (calls_back(i) && !stub_find(s, (u32)i.imm, callback))
			err = stub_new(s, (u32)i.imm, callback, d);
	}
	return err;
}

static void collect_edits(const struct stubs *s, u32 len, struct editor *e)
{
	const struct insn call = {.code = BPF_JMP | BPF_CALL, .src = CALL_LOCAL};

	for (u32 pc = 0; pc < len; pc += flow_width(s->p->insns[pc])) {
		struct insn i = s->p->insns[pc], load[2];
		u32 callback = callback_of(&s->f->insns[pc]);

		if (is_func(i)) {
			u32 number = subprog_of(s->f, flow_target(i, pc)) + 1;

			gen_ld_imm64(load, i.dst, LD_IMM64_VALUE, number, 0);
			edit_replace(e, pc, 2, load, 2);
		}
		if (!calls_back(i))
			continue;
		if (callback != ANY_CALLBACK && !flow_bit(s->callbacks, callback))
			callback = ANY_CALLBACK;
		edit_jump(e, pc, call, stub_find(s, (u32)i.imm, callback)->pc);
	}
}

int callbacks_run(struct prog *p, struct facts *f, struct diag *d)
{
	struct stubs s = {
		.p = p,
		.f = f,
		.nr_subprogs = f->nr_subprogs,
		.callbacks = flow_bits(p), /* of at most as many subprograms as instructions */
	};
	u32 len = p->len;
	struct editor e;

	if (!s.callbacks)
		return diag_nomem(d);
	find_callbacks(&s, len);
	int err = add_stubs(&s, len, d);
	if (!err) {
		editor_init(&e, p, f);
		collect_edits(&s, len, &e);
		err = editor_apply(&e, d);
		editor_fini(&e);
	}
	mem_free(s.callbacks);
	mem_free(s.all);
	return err;
}
