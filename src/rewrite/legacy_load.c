/* Legacy packet loads become loads through the packet's address, behind a check of its length. What isn't there ends the
 * (sub)program with 0. Offsets below 0, which count from headers, are a helper's business. */
#include "helper/helper.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/gen.h"
#include "rewrite/passes.h"
#include "weir/frame.h"

enum { MOST = 24 }; /* instructions for one load */

struct code {
	struct insn insns[MOST];
	u32 nr;
};

static void put(struct code *c, struct insn i)
{
	assert(c->nr < MOST);
	c->insns[c->nr++] = i;
}

static void put_mov(struct code *c, u8 dst, u8 src)
{
	put(c, gen_alu_reg(BPF_MOV, dst, src));
}

static void put_field(struct code *c, u8 size, u8 dst, size_t off)
{
	put(c, gen_load(size, dst, BPF_REG_6, (s16)off));
}

/* r0 = what lies at r1 + off */
static void put_load(struct code *c, u8 size, s16 off)
{
	put(c, gen_load(size, BPF_REG_0, BPF_REG_1, off));
	if (size != BPF_B)
		put(c, (struct insn){.code = BPF_ALU | BPF_END | BPF_X,
			       .dst = BPF_REG_0,
			       .imm = size == BPF_H ? 16 : 32});
}

/* r0 = 0 and the end, which jumps at `from` go to; what goes on jumps over it. */
static void put_fail(struct code *c)
{
	put(c, gen_ja(2));
	put(c, gen_mov_imm(BPF_REG_0, 0));
	put(c, (struct insn){.code = BPF_JMP | BPF_EXIT});
}

/* The jump at `from` goes to instruction `to`. */
static void aim(struct code *c, u32 from, u32 to)
{
	c->insns[from].off = (s16)(to - from - 1);
}

/* r2 is the offset. */
static void put_slow(struct code *c, u32 bytes)
{
	put_mov(c, BPF_REG_1, BPF_REG_6);
	put(c, gen_mov_imm(BPF_REG_3, (s32)bytes));
	put(c, (struct insn){.code = BPF_JMP | BPF_CALL, .imm = HELPER_legacy_load});
	put(c, (struct insn){.code = BPF_JMP | BPF_JSGE | BPF_K, .dst = BPF_REG_0, .off = 2});
	put(c, gen_mov_imm(BPF_REG_0, 0));
	put(c, (struct insn){.code = BPF_JMP | BPF_EXIT});
}

static void put_at(struct code *c, u8 size, u32 bytes, s32 off)
{
	bool near = off <= INT16_MAX;

	put_field(c, BPF_W, BPF_REG_1, offsetof(struct weir_frame, len));
	u32 check = c->nr;
	put(c, (struct insn){.code = BPF_JMP | BPF_JLT | BPF_K,
		       .dst = BPF_REG_1,
		       .imm = off + (s32)bytes});
	put_field(c, BPF_DW, BPF_REG_1, offsetof(struct weir_frame, data));
	if (!near)
		put(c, gen_alu_imm(BPF_ADD, BPF_REG_1, off));
	put_load(c, size, near ? (s16)off : 0);
	aim(c, check, c->nr + 1);
	put_fail(c);
}

/* r2, 32 bits, is the offset. */
static void put_indirect(struct code *c, u8 size, u32 bytes)
{
	u32 negative = c->nr;

	put(c, gen_jmp32_imm(BPF_JSLT, BPF_REG_2, 0, 0));
	put_field(c, BPF_W, BPF_REG_1, offsetof(struct weir_frame, len));
	put_mov(c, BPF_REG_3, BPF_REG_2);
	put(c, gen_alu_imm(BPF_ADD, BPF_REG_3, (s32)bytes));
	u32 check = c->nr;
	put(c, (struct insn){
		       .code = BPF_JMP | BPF_JGT | BPF_X, .dst = BPF_REG_3, .src = BPF_REG_1});
	put_field(c, BPF_DW, BPF_REG_1, offsetof(struct weir_frame, data));
	put(c, gen_alu_reg(BPF_ADD, BPF_REG_1, BPF_REG_2));
	put_load(c, size, 0);
	u32 done = c->nr;
	put(c, gen_ja(0));
	aim(c, negative, c->nr);
	put_slow(c, bytes);
	aim(c, check, c->nr - 2);
	aim(c, done, c->nr);
}

static void put_legacy(struct code *c, struct insn i)
{
	u8 size = BPF_SIZE(i.code);
	u32 bytes = flow_access_bytes(i);

	if (BPF_MODE(i.code) == BPF_IND) {
		put(c, (struct insn){
			       .code = BPF_ALU | BPF_MOV | BPF_X, .dst = BPF_REG_2, .src = i.src});
		if (i.imm)
			put(c, (struct insn){.code = BPF_ALU | BPF_ADD | BPF_K,
				       .dst = BPF_REG_2,
				       .imm = i.imm});
		put_indirect(c, size, bytes);
	} else if (i.imm >= 0 && i.imm <= INT32_MAX - (s32)bytes) {
		put_at(c, size, bytes, i.imm);
	} else {
		put(c, gen_mov_imm(BPF_REG_2, i.imm));
		put_slow(c, bytes);
	}
}

int legacy_load_run(struct prog *p, struct facts *f, struct diag *d)
{
	struct editor e;

	editor_init(&e, p, f);
	for (u32 pc = 0; pc < p->len; pc += flow_width(p->insns[pc])) {
		struct code c = {.nr = 0};

		if (!insn_is_legacy_load(p->insns[pc]))
			continue;
		put_legacy(&c, p->insns[pc]);
		edit_replace(&e, pc, 1, c.insns, c.nr);
	}
	int err = editor_apply(&e, d);
	editor_fini(&e);
	return err;
}
