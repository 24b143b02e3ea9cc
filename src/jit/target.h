/* What a target provides and what the driver (jit.c) keeps for it while one program is compiled.
 *
 * The driver scans the program (struct jit_subprog, jump targets), then walks it: for each subprogram prologue, lower for
 * every instruction, epilogue; behind the last one the thunks and finish. Jumps are emitted with a fixup on a label and
 * patched when the walk is over. A jump that doesn't fit becomes longer where it stands (stretch.c) if the target knows how;
 * else it raises the reach of its instruction and everything is emitted once more. Jumps and reaches only grow, so this ends,
 * and the shortest form is tried first. */
#ifndef WEIR_JIT_TARGET_H
#define WEIR_JIT_TARGET_H

#include "base/arena.h"
#include "base/buf.h"
#include "helper/helper.h"
#include "jit/jit.h"

struct jit;
struct jit_longer;
struct jit_subprog;

/* A place in the code: the instruction 0 ... prog->len - 1, or what jit_label_* returns. */
typedef u32 jit_label;

/* Code at offset `at` needs the distance to `to`; `kind` is the target's business. */
struct jit_fixup {
	u32 at;
	jit_label to;
	u32 pc; /* whose reach grows when the distance doesn't fit */
	u8 kind;
};

struct jit_target {
	const char *name;
	u16 elf_machine;
	/* The number in DWARF of a register, and of the one that holds the return address or stands for it; how far the
	 * CFA is from the stack pointer at an entry. */
	const u8 *dwarf_regs;
	u8 dwarf_sp, dwarf_fp, dwarf_return, entry_cfa;

	/* The entry of subprogram j->subprog. The label of the entry is bound before, that of its first instruction
	 * behind. */
	void (*prologue)(struct jit *j);
	/* Calls are of helpers that exist or of subprograms, and 64-bit immediates plain values: the scan has refused others.
	 * Emits code for the instruction at j->pc and for as many behind it as it likes to fuse (jit_fusible says which
	 * may be); returns how many it consumed, at least 1, and 2 for a 64-bit immediate load. */
	u32 (*lower)(struct jit *j);
	/* Behind the last instruction of j->subprog, which never runs on into it unless it is an exit that lower left
	 * to fall through. The label jit_label_exit is bound before. */
	void (*epilogue)(struct jit *j);
	/* Jumps to an absolute address from anywhere, without touching argument registers: stands behind the code once
	 * for each helper whose call may not reach it directly. */
	void (*thunk)(struct jit *j, u64 address);
	/* Writes `bytes` bytes of instructions that do nothing. NULL: the target doesn't care where in a cache line its loops
	 * are. Otherwise the code of a loop must be the same wherever it lies. */
	void (*pad)(u8 *code, u32 bytes);
	/* Registers that stack slots of the subprogram can be, by the numbers that instructions name them with: those of BPF
	 * that the subprogram doesn't use, and the target's own, from BPF_NR_REGS on. *saved: those among them that the frame
	 * saves if they are written. NULL: none. */
	u16 (*spare)(const struct jit *j, const struct jit_subprog *s, u16 *saved);
	/* Literal pools and the like; may be NULL. */
	void (*finish)(struct jit *j);
	/* Writes the distance from `code` (= the byte at fixup.at) to its destination. False, and nothing written, when it
	 * doesn't fit; with the highest reach it must fit within any image that fits its memory. */
	bool (*patch)(u8 *code, u8 kind, s64 delta);
	/* The longer form of the jump whose distance stands at `at` in the code. False: there is none. NULL: for none. */
	bool (*lengthen)(const u8 *at, u8 kind, struct jit_longer *longer);
};

struct jit_longer {
	u8 old_bytes, old_at; /* the shorter jump's length, and where in it its distance is */
	u8 new_bytes, new_at; /* likewise */
	u8 kind;	      /* of the fixup */
	u8 code[8];
};

/* Registers in instructions, with those that only targets know. */
enum { JIT_NR_REGS = 16 };

/* What the scan found out about one subprogram: instructions [start, end). */
struct jit_subprog {
	u32 start, end;
	u32 stack_bytes; /* deepest byte below r10 that may be used, multiple of 8; 0 = none */
	u16 reads;	 /* bit per BPF register; calls read r1 ... r5 */
	u16 writes;	 /* likewise; calls write r0 ... r5 */
	u16 names;	 /* likewise; without what calls do to registers that no instruction names */
	u16 clean;	 /* likewise; the upper half is zero wherever they hold anything */
	bool calls_helper;
	bool calls_local;
	bool divides;	 /* div or mod occurs */
	bool shifts;	 /* a shift by a register occurs */
	bool fetches;	 /* an atomic operation with a result occurs */
	bool percpu;	 /* the per-CPU MOV or a tail jump occurs */
	bool tail_jumps; /* its caller may come back from the entry of another program */
	u16 copies[JIT_NR_REGS];	 /* by register: those that are moved to it, each a bit */
	bool escapes;	 /* r10 is more than the base of loads and stores */
};

enum { JIT_REACH_MAX = 3 };

/* Code of a loop that loop.c has placed. */
struct jit_placed {
	u32 start; /* its first instruction */
	u32 at, pad, bytes; /* where the padding begins; what the loop takes behind that */
};

#define JIT_UNBOUND UINT32_MAX
#define JIT_NO_LOOP UINT32_MAX
#define JIT_TARGET_MANY UINT8_MAX

struct jit {
	/* Set before the first pass, constant for the target. */
	const struct prog *prog;
	const struct insn *insns;  /* the program's, or own_insns */
	struct insn *own_insns;	   /* a copy with changes, such as registers in place of slots; NULL: there are none */
	const struct facts *facts; /* may be NULL */
	const struct jit_opts *opts;
	const struct jit_target *target;
	struct jit_subprog *subprogs;
	u32 nr_subprogs;
	bool percpu; /* some subprogram wants the per-CPU base: subprogram 0 must set it up */
	bool calls;  /* some subprogram calls a helper or another subprogram */
	u8 *is_target; /* per instruction: how many jumps go here, at most JIT_TARGET_MANY */
	/* Per instruction: where the loop begins that ends here, with no loop in it; or JIT_NO_LOOP. NULL: no loops. */
	u32 *loop_start;

	/* Where the walk is. */
	u32 pc;
	u32 subprog;

	/* What is being emitted. */
	struct buf code;
	u32 body_end;	   /* offset behind the last epilogue */
	u32 nr_host_insns; /* counted by targets that can; starts at 0 in each pass */
	u8 *reach;	   /* per instruction: 0 = shortest form of its jump ... JIT_REACH_MAX */
	struct jit_fixup *fixups;
	size_t nr_fixups, fixups_cap;
	u32 *label_off; /* JIT_UNBOUND: not yet, in this pass */
	size_t nr_labels, labels_cap;
	struct jit_placed *placed; /* in the order of the code */
	size_t nr_placed, placed_cap;
	struct jit_thunk *thunks;
	size_t nr_thunks, thunks_cap;
	struct jit_reloc *relocs;
	size_t nr_relocs, relocs_cap;
	struct jit_cfi *cfi;
	size_t nr_cfi, cfi_cap;
	struct jit_function *functions;
	size_t nr_functions, functions_cap;

	struct jit_effect *effects; /* per instruction */
	bool has_loops; /* some jump or local call goes back */
	u16 *live_in, *live_out; /* per instruction: live.h */

	struct arena arena; /* for the whole compile */
	void *priv;	    /* the target's, in the arena; NULL at the start of each pass */

	int err; /* sticky: the first error, negative errno; emitting goes on but its result is dropped */
	struct diag *diag;
};

/* One row in targets.def each. */
#define JIT_TARGET(id) extern const struct jit_target jit_target_##id;
#include "jit/targets.def"
#undef JIT_TARGET

/* "This can't be compiled": the first reason counts and names the instruction. */
void jit_fail(struct jit *j, u32 pc, int err, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* Fails when that is more than there may be. */
void jit_check_bytes(struct jit *j, const struct buf *code);

/* Labels. An exit's label is the epilogue of the current subprogram. */
jit_label jit_label_entry(const struct jit *j, u32 subprog);
jit_label jit_label_exit(const struct jit *j);
/* A new one for the rest of this pass, to be bound once at the current offset. */
jit_label jit_label_new(struct jit *j);
void jit_label_bind(struct jit *j, jit_label l);

/* The bytes at offset `at` of the code need the distance to `to`. */
void jit_fixup(struct jit *j, u32 at, u8 kind, jit_label to);
/* Same for a function outside: goes to a thunk, or straight there when the code lies near enough once it is in place. */
void jit_fixup_address(struct jit *j, u32 at, u8 kind, u64 address);

/* From the current offset on; does nothing unless someone wants to know. */
void jit_cfi(struct jit *j, enum jit_cfi_kind kind, u8 reg, u32 value);

/* A copy of the instructions to change; NULL: no memory, and the compile has failed. */
struct insn *jit_own_insns(struct jit *j);

static inline const struct insn *jit_insn(const struct jit *j, u32 pc)
{
	return &j->insns[pc];
}

static inline bool jit_may(const struct jit *j, enum jit_peephole p)
{
	return !(j->opts->without >> p & 1);
}

/* What is known about the instruction; all zero without facts. */
const struct fact *jit_fact(const struct jit *j, u32 pc);

/* Where the jump or local call at pc goes. */
static inline u32 jit_jump_target(const struct jit *j, u32 pc)
{
	const struct insn *i = jit_insn(j, pc);

	return (u32)((s64)pc + 1 + (insn_is_local_call(*i) ? i->imm : insn_jump_off(*i)));
}

/* The subprogram that starts at pc; a programmer's error when none does. */
u32 jit_subprog_at(const struct jit *j, u32 pc);

static inline const struct jit_subprog *jit_subprog(const struct jit *j)
{
	return &j->subprogs[j->subprog];
}

/* True when the instruction at pc can only be reached from the one before it, in the same subprogram: then lower may
 * fuse the two. */
static inline bool jit_fusible(const struct jit *j, u32 pc)
{
	return pc > jit_subprog(j)->start && pc < jit_subprog(j)->end && !j->is_target[pc];
}

/* Leaves the subprogram's frame as an exit does and goes to the entry of the callable r2, with r1 as it is and the per-CPU
 * base as third argument (with PERCPU_PINNED). */
static inline bool jit_is_tail_jump(struct insn i)
{
	return insn_is_helper_call(i) && i.imm == HELPER_tail_jump;
}

static inline u32 jit_offset(const struct jit *j)
{
	return (u32)j->code.len;
}

/* How far the jump at j->pc must reach: 0 = try the shortest form. */
static inline u8 jit_reach(const struct jit *j)
{
	return j->reach[j->pc];
}

#endif
