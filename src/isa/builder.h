/* Writes a program instruction by instruction, with labels. Errors are sticky and come out at
 * builder_finish. */
#ifndef WEIR_ISA_BUILDER_H
#define WEIR_ISA_BUILDER_H

#include "isa/insn.h"

struct diag;
struct prog;

struct builder; /* opaque */
typedef u32 label_t;

struct builder *builder_new(void); /* NULL: out of memory */
void builder_free(struct builder *b);

/* Index of the next instruction, as long as builder_finish lengthens no jump before it. */
u32 builder_pc(const struct builder *b);
label_t builder_label(struct builder *b);
/* Binds a label to the next instruction; once per label. */
void builder_bind(struct builder *b, label_t l);
/* From here on instructions come from this source position (text is copied, may be NULL). */
void builder_line(struct builder *b, u32 line, u32 col, const char *text);

void bld_insn(struct builder *b, struct insn i); /* not for jumps to labels */
/* op: BPF_ADD ... BPF_ARSH, BPF_MOV; 64 bit, and 32 bit with the suffix. */
void bld_alu_imm(struct builder *b, u8 op, u8 dst, s32 imm);
void bld_alu_reg(struct builder *b, u8 op, u8 dst, u8 src);
void bld_alu32_imm(struct builder *b, u8 op, u8 dst, s32 imm);
void bld_alu32_reg(struct builder *b, u8 op, u8 dst, u8 src);
/* bits: 16, 32, 64; big endian to host and back. */
void bld_be(struct builder *b, u8 dst, unsigned bits);
/* Shortest form: mov imm when it sign-extends, mov32 when the upper half is zero, else ld_imm64. */
void bld_const(struct builder *b, u8 dst, u64 value);
void bld_map(struct builder *b, u8 dst, u32 map_index);
void bld_map_value(struct builder *b, u8 dst, u32 map_index, u32 off);
/* size: BPF_B, BPF_H, BPF_W, BPF_DW. */
void bld_load(struct builder *b, u8 size, u8 dst, u8 src, s16 off);
void bld_store(struct builder *b, u8 size, u8 dst, s16 off, u8 src);
void bld_store_imm(struct builder *b, u8 size, u8 dst, s16 off, s32 imm);
/* Jumps; builder_finish turns those that don't fit 16 bits into a short jump over a gotol. */
void bld_ja(struct builder *b, label_t to);
void bld_jmp_imm(struct builder *b, u8 op, u8 dst, s32 imm, label_t to);
void bld_jmp_reg(struct builder *b, u8 op, u8 dst, u8 src, label_t to);
void bld_jmp32_imm(struct builder *b, u8 op, u8 dst, s32 imm, label_t to);
void bld_jmp32_reg(struct builder *b, u8 op, u8 dst, u8 src, label_t to);
void bld_call(struct builder *b, s32 helper_id);
void bld_call_local(struct builder *b, label_t to);
void bld_func(struct builder *b, u8 dst, label_t to); /* the address of a subprogram */
void bld_exit(struct builder *b);

/* Resolves all labels and moves the code and its lines into p (replacing what was there); b is empty
 * again. 0, or -ENOMEM, or -E2BIG when the program is longer than PROG_MAX_INSNS. An unbound label is a
 * programmer's error. */
int builder_finish(struct builder *b, struct prog *p, struct diag *d);

#endif
