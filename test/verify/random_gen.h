/* What the pieces of random programs have in common. */
#ifndef WEIR_TEST_RANDOM_GEN_H
#define WEIR_TEST_RANDOM_GEN_H

#include "isa/builder.h"
#include "random_prog.h"

/* r6: the memory (raw) or the packet; r7: its end; r0, r8, r9, r1 ... r5: numbers. r10 - 8 ... r10 - 64 are written at
 * the start, so that most reads are of something. */
struct gen {
	struct random *r;
	struct builder *b;
	enum prog_type type;
	u32 mem_bytes;
	u32 nesting;
	bool in_callee;   /* r6: see below; r7: nothing */
	bool lends_stack; /* r1 of calls, and r6 of the callee: 8 bytes of the caller's stack */
	bool calls_back;  /* bpf_loop occurs, with the callback, which gets the same 8 bytes */
	label_t callee, callback;
};

u8 number(struct gen *g);
s32 constant(struct gen *g);
u8 size(struct gen *g);
u32 bytes_of(u8 size);
void gen_alu(struct gen *g);
u8 jump_op(struct gen *g);
void jump_if(struct gen *g, label_t to);
void gen_if(struct gen *g);
void gen_bound(struct gen *g, u8 reg, u32 max, label_t out);
void init_stack(struct gen *g);
void init_numbers(struct gen *g);
void gen_raw(struct gen *g);
void gen_packet(struct gen *g);
void gen_stack(struct gen *g);
void gen_escape(struct gen *g);
void gen_fill(struct gen *g);
void lend(struct gen *g);
void gen_rounds(struct gen *g);
void gen_some(struct gen *g, u32 nr);

#endif
