/* bpf_tail_call up to its jump: the entry that the index names, if there is one and the run has made fewer than 33 tail
 * calls, counted in the head of this CPU's range. The rest, tail_jump, is the engines': it never comes back. Where there
 * is nothing to jump to, the program goes on behind. As in the kernel only jumps that are made count.
 *
 * Registers r1 to r5 are dead behind a call, so the code in its place may use them. */
#include "base/diag.h"
#include "base/limits.h"
#include "cpu/cpu.h"
#include "helper/helper.h"
#include "map/map.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/gen.h"
#include "rewrite/passes.h"

enum { CODE_INSNS_MAX = 24, OUT = -1 /* jumps with this offset go behind the code */ };

struct code {
	struct insn insns[CODE_INSNS_MAX];
	u32 nr;
};

static void add(struct code *c, struct insn i)
{
	assert(c->nr < CODE_INSNS_MAX);
	c->insns[c->nr++] = i;
}

/* r3 = the index, checked; r2 = the entries' address. The map is known, or r2 holds its address. */
static void add_known_map(struct code *c, const struct map *map, u32 map_index)
{
	struct insn load[2];

	gen_ld_imm64(load, BPF_REG_2, LD_IMM64_MAP_IDX_VALUE, map_index, 0);
	add(c, gen_jmp32_imm(BPF_JGE, BPF_REG_3, (s32)map->spec.max_entries, OUT));
	add(c, load[0]);
	add(c, load[1]);
}

static void add_any_map(struct code *c)
{
	add(c, gen_load(BPF_W, BPF_REG_4, BPF_REG_2, offsetof(struct map, spec.max_entries)));
	add(c, (struct insn){.code = BPF_JMP32 | BPF_JGE | BPF_X,
		       .dst = BPF_REG_3,
		       .src = BPF_REG_4,
		       .off = OUT});
	add(c, gen_load(BPF_DW, BPF_REG_2, BPF_REG_2, offsetof(struct map, layout.base)));
}

static struct insn jump_imm(u8 op, u8 dst, s32 imm)
{
	return (struct insn){
		.code = (u8)(BPF_JMP | op | BPF_K), .dst = dst & 0xfu, .imm = imm, .off = OUT};
}

/* Jumps once more, with r4 = the head and r5 = jumps made so far. */
static void add_jump(struct code *c)
{
	add(c, gen_alu_imm(BPF_ADD, BPF_REG_5, 1));
	add(c, (struct insn){.code = BPF_STX | BPF_MEM | BPF_DW,
		       .dst = BPF_REG_4,
		       .src = BPF_REG_5,
		       .off = CPU_HEAD_TAIL_CALLS_OFF});
	add(c, (struct insn){
		       .code = BPF_JMP | BPF_CALL, .src = CALL_HELPER, .imm = HELPER_tail_jump});
}

static void add_all(struct code *c, const struct prog *p, const struct fact *fact)
{
	/* The index has 32 bits. */
	add(c, (struct insn){
		       .code = BPF_ALU | BPF_MOV | BPF_X, .dst = BPF_REG_3, .src = BPF_REG_3});
	if (fact->flags & FACT_MAP)
		add_known_map(c, p->maps[fact->map], fact->map);
	else
		add_any_map(c);
	add(c, gen_mov_imm(BPF_REG_4, 0));
	add(c, gen_percpu_mov(BPF_REG_4, BPF_REG_4));
	add(c, gen_load(BPF_DW, BPF_REG_5, BPF_REG_4, CPU_HEAD_TAIL_CALLS_OFF));
	add(c, jump_imm(BPF_JGE, BPF_REG_5, PROG_MAX_TAIL_CALLS));
	add(c, gen_alu_imm(BPF_LSH, BPF_REG_3, 3));
	add(c, gen_alu_reg(BPF_ADD, BPF_REG_2, BPF_REG_3));
	add(c, gen_load(BPF_DW, BPF_REG_2, BPF_REG_2, 0));
	add(c, jump_imm(BPF_JEQ, BPF_REG_2, 0));
	add_jump(c);
}

static void land_jumps(struct code *c)
{
	for (u32 n = 0; n < c->nr; n += flow_width(c->insns[n]))
		if (insn_is_cond_jump(c->insns[n]))
			c->insns[n].off = (s16)(c->nr - n - 1);
}

int tail_call_run(struct prog *p, struct facts *f, struct diag *d)
{
	struct editor e;

	editor_init(&e, p, f);
	for (u32 pc = 0; pc < p->len; pc += flow_width(p->insns[pc])) {
		struct code code = {0};

		if (!insn_is_helper_call(p->insns[pc]) || p->insns[pc].imm != HELPER_tail_call)
			continue;
		add_all(&code, p, &f->insns[pc]);
		land_jumps(&code);
		edit_replace(&e, pc, 1, code.insns, code.nr);
	}
	int err = editor_apply(&e, d);
	editor_fini(&e);
	return err;
}
