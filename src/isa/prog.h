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
	PROG_TYPE_SCHED_ACT = 4,
	PROG_TYPE_XDP = 6,
	PROG_TYPE_CGROUP_SKB = 8,
	PROG_TYPE_NETFILTER = 32,
	PROG_TYPE_RAW = 0x10000,   /* r1: memory of prog.raw_mem_bytes, r2: that length */
	PROG_TYPE_PACKET = 0x10001, /* r1: struct weir_packet; what rule sets compile to */
};

/* Instructions from `pc` up to the next entry come from this line; entries are sorted by pc. */
struct prog_line {
	u32 pc;
	u32 line; /* 1-based; 0 = generated, no single source line */
	u32 col;
	u32 text;  /* offset of the source line in prog.line_text, NUL-terminated; 0 = none */
	u32 file;  /* likewise the file's name; 0 = not known */
};

/* An argument of a global function, which is verified by itself for whatever its callers may pass. */
enum func_arg_kind {
	FUNC_ARG_SCALAR = 0,
	FUNC_ARG_CTX,
	FUNC_ARG_MEM,	      /* `bytes` of readable and writable memory, or NULL unless `nonnull` */
	FUNC_ARG_UNSUPPORTED, /* a type that a global function may not have here */
};

struct func_arg {
	u8 kind; /* enum func_arg_kind */
	bool nonnull;
	u32 bytes;
};

/* A subprogram, as far as the object file tells more of it than its instructions. Sorted by pc. */
struct prog_func {
	u32 pc;	     /* its first instruction */
	u32 name;    /* offset of its name in prog.line_text, NUL-terminated; 0 = none */
	bool global; /* verified once, by its arguments' types; else at each call */
	bool returns_void;
	u8 nr_args;
	struct func_arg args[5];
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
	struct prog_func *funcs; /* owned; may lack subprograms */
	u32 nr_funcs;
	bool check_license;  /* refuse helpers for GPL programs unless gpl_compatible */
	bool gpl_compatible;
	u32 attach_type; /* the kernel's enum bpf_attach_type, where the type's rules depend on it */
	bool internal; /* passes have run: internal-only instructions and addresses may occur */
	bool hides_constants; /* some stand on the stack for a moment, to be put together there: a JIT must leave that so */
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
 * map by descriptor, nothing by BTF id, and no internal-only instruction unless p->internal.
 * 0 or -EINVAL (E2BIG) with the reason, the instruction and its source line in d. */
int prog_check(const struct prog *p, struct diag *d);

#endif
