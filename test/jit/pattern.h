/* Pieces of random programs that are what targets fuse or delay. Which registers are needed later varies, since that decides
 * what may be left out. */
#ifndef WEIR_TEST_JIT_PATTERN_H
#define WEIR_TEST_JIT_PATTERN_H

#include "harness.h"

enum {
	MEM_BYTES = 256,
	NR_WORK = 7, /* r0 ... r6; r9 is the memory */
	WINDOW_BYTES = 32,
	REGION_BYTES = (17 << 20),
	NR_REGIONS = 16,
	NR_SPILLS = 8
};

/* Per-CPU offsets at which addressing modes end, each with a window of bytes behind it. */
extern const u32 region_offs[NR_REGIONS];

struct gen {
	struct builder *b;
	u64 seed;
	label_t out;
	unsigned loops; /* around */
	u8 nr_work; /* registers from r0 on for whatever comes; without r6 this one is gen_half's */
};

u32 below(struct gen *g, u32 n);
u8 any_reg(struct gen *g);
u64 any_value(struct gen *g);
s32 any_imm(struct gen *g);
u8 any_op(struct gen *g);
/* Often the register isn't needed any more. */
void maybe_kill(struct gen *g, u8 reg);
void op_reg(struct gen *g, bool is_64, u8 op, u8 dst, u8 src);
void op_imm(struct gen *g, bool is_64, u8 op, u8 dst, s32 imm);
/* Values on the stack that are only ever accessed in full. */
void spill(struct gen *g, u8 reg, u32 slot);
void unspill(struct gen *g, u8 reg, u32 slot);

/* Whatever comes: one of the pieces below. */
void gen_any(struct gen *g);
void gen_bit_test(struct gen *g);
void gen_chain(struct gen *g);
void gen_choice(struct gen *g);
void gen_compares(struct gen *g);
void gen_copy(struct gen *g);
void gen_count(struct gen *g);
void gen_dying(struct gen *g);
void gen_exit(struct gen *g);
void gen_half(struct gen *g);
void gen_indexed(struct gen *g);
void gen_jump_over(struct gen *g);
void gen_last_op(struct gen *g);
void gen_loop(struct gen *g);
void gen_neighbours(struct gen *g);
void gen_pair(struct gen *g);
void gen_percpu(struct gen *g);
void gen_product(struct gen *g);
void gen_reload(struct gen *g);
void gen_rotate(struct gen *g);
void gen_saved(struct gen *g);
void gen_shift(struct gen *g);
void gen_shifted_self(struct gen *g);
void gen_spill(struct gen *g);
void gen_sums(struct gen *g);
void gen_swapped_load(struct gen *g);
void gen_walk(struct gen *g);
void gen_ways(struct gen *g);
void gen_while(struct gen *g);

#endif
