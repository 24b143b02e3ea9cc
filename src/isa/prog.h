/* A program: instructions, the maps they name, and where each instruction comes from. */
#ifndef WEIR_ISA_PROG_H
#define WEIR_ISA_PROG_H

#include "isa/insn.h"

struct diag;
struct map;

/* Index into the table of progtype/; the values are the kernel's, our own start at 0x10000. */
enum prog_type {
	PROG_TYPE_UNSPEC = 0,
	PROG_TYPE_SOCKET_FILTER = 1,
	PROG_TYPE_SCHED_CLS = 3,
	PROG_TYPE_XDP = 6,
	PROG_TYPE_RAW = 0x10000,   /* r1: memory of prog.raw_mem_bytes, r2: that length */
	PROG_TYPE_PACKET = 0x10001, /* r1: struct weir_packet; what rule sets compile to */
};

/* Instructions from `pc` up to the next entry come from this line; entries are sorted by pc. */
struct prog_line {
	u32 pc;
	u32 line; /* 1-based; 0 = generated, no single source line */
	u32 col;
	u32 text;  /* offset of the source line in prog.line_text, NUL-terminated; 0 = none */
};

struct prog {
	char name[64];
	enum prog_type type;
	u32 raw_mem_bytes;	/* PROG_TYPE_RAW only */
	struct insn *insns;	/* owned */
	u32 len;		/* instructions; a 64-bit immediate load counts as two */
	struct map **maps;	/* owned array, borrowed maps (the engine keeps them alive) */
	u32 nr_maps;
	struct prog_line *lines; /* owned */
	u32 nr_lines;
	char *line_text; /* owned; byte 0 is NUL */
	size_t line_text_len;
	bool internal; /* passes have run: internal-only instructions and addresses may occur */
};

struct prog *prog_new(const char *name, enum prog_type type); /* NULL: out of memory */
void prog_free(struct prog *p);
struct prog *prog_clone(const struct prog *p); /* deep, maps borrowed; NULL: out of memory */
/* Copies `n` instructions in, replacing what was there. 0 or -ENOMEM. */
int prog_set_insns(struct prog *p, const struct insn *insns, u32 n);
/* Appends a map, *index gets its number. 0, -ENOMEM, or -E2BIG beyond PROG_MAX_MAPS. */
int prog_add_map(struct prog *p, struct map *map, u32 *index);
/* The line entry that covers pc, or NULL. */
const struct prog_line *prog_line_of(const struct prog *p, u32 pc);

/* The checks of form (isa/check.c), which every program passes before anything else looks at it: known
 * opcode, reserved fields zero, registers below 11 (r10 not written), shift counts, whole ld_imm64 pairs,
 * jump and call targets inside and not into a pair, no fall through off the end, map indexes in range, no
 * map by descriptor, nothing by BTF id, no callback, and no internal-only instruction unless p->internal.
 * 0 or -EINVAL (E2BIG) with the reason, the instruction and its source line in d. */
int prog_check(const struct prog *p, struct diag *d);

#endif
