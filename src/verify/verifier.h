/* One verification: what its stages share. The stages, in order, are in verify.c. */
#ifndef WEIR_VERIFY_VERIFIER_H
#define WEIR_VERIFY_VERIFIER_H

#include "base/arena.h"
#include "map/map.h"
#include "progtype/progtype.h"
#include "verify/state.h"
#include "verify/verify.h"

struct subprog {
	u32 start, end;	 /* instructions [start, end) */
	u32 stack_bytes; /* deepest access seen so far */
	u64 uninit_slots; /* that may be read before they are written, a bit each */
	bool changes_packet; /* itself, or what it calls */
	bool called;	 /* global: by code that was walked */
	bool walked;	 /* global: by itself */
};

/* Which stack bytes may be read before they are written again, a bit per 4 bytes: bit n is r10 - 4 * (n + 1). */
typedef unsigned __int128 stack_mask;

struct live {
	u16 regs; /* bit per register, r0 ... r9 */
	stack_mask stack;
};

enum access { ACCESS_READ, ACCESS_WRITE };

/* What the walk has seen an instruction do, over all paths. */
struct trace {
	bool seen, jumped, fell;
	u8 mem; /* enum mem_kind */
	bool off_varies;
	bool map_seen, map_varies;
	bool key_seen, key_varies;
	bool callback_seen, callback_varies;
	bool value_seen, value_varies; /* a load of a constant */
	s32 off, key_off;
	u32 map;
	u32 callback; /* subprogram */
	u64 value;
};

/* What the log has shown, and what it is to show. */
struct log_place {
	u16 regs;      /* touched since they were last shown */
	u64 slots;
	bool from;     /* the walk has come from elsewhere: from_pc */
	u32 from_pc;
	size_t insn_end; /* where the last instruction's line ends */
	u32 insn_len;
	const struct prog_line *line;
};

struct verifier {
	const struct prog *prog;
	const struct prog_type_ops *type;
	struct verify_opts opts;
	struct verify_stats stats;
	struct diag *diag;
	struct arena arena; /* lives as long as the verification */

	/* cfg.c */
	struct subprog *subprogs; /* by start */
	u32 nr_subprogs;
	u32 *subprog_of;  /* per instruction */
	bool *is_merge;	  /* per instruction: paths may meet here */
	bool *is_loop;	  /* per instruction: a call that may go round in a loop of its helper's */
	/* live.c */
	struct live *live; /* per instruction: before it */

	/* The walk. */
	u32 pc; /* of the instruction being walked */
	u32 next_pc;
	bool path_ends;
	bool next_round; /* at v->next_pc, a call that is_loop: this is what its last round left */
	u32 jumps_walked;
	u32 last_id;
	struct state cur;
	struct pruner *pruner;
	struct trace *traces;
	struct log_place log;
};

static inline struct insn cur_insn(const struct verifier *v)
{
	return v->prog->insns[v->pc];
}

static inline struct vreg *cur_reg(struct verifier *v, u32 r)
{
	return &state_top(&v->cur)->regs[r];
}

static inline u32 new_id(struct verifier *v)
{
	return ++v->last_id;
}

/* The map that r points to, or into. For an inner one: what each map in there is like. */
static inline const struct map *reg_map(const struct verifier *v, const struct vreg *r)
{
	const struct map *m = v->prog->maps[r->aux];

	return r->inner ? m->spec.inner : m;
}

/* Do its values never change again? */
static inline bool map_is_const(const struct map *m)
{
	return m->frozen && m->spec.flags & BPF_F_RDONLY_PROG;
}

/* May instructions hold the address of its value? */
static inline bool map_has_direct_value(const struct map *m)
{
	return m->ops->flags & MAP_ARRAY_LIKE && !(m->ops->flags & MAP_PER_CPU) &&
	       m->spec.max_entries == 1;
}

/* The pointer r isn't null. */
void reg_settle(const struct verifier *v, struct vreg *r);

static inline u32 access_bytes(u8 code)
{
	switch (BPF_SIZE(code)) {
	case BPF_B:
		return 1;
	case BPF_H:
		return 2;
	case BPF_W:
		return 4;
	}
	return 8;
}

/* The reason against the program, at v->pc: into diag and log. Returns -err. */
int refuse(struct verifier *v, int err, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* More about the reason: a note in diag, a line in the log. */
void explain(struct verifier *v, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The same for finds that don't belong to the instruction being walked. */
int refuse_at(struct verifier *v, u32 pc, int err, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* R is initialised, or the path is refused. */
int check_readable(struct verifier *v, u32 r);
/* ... and isn't r10. */
int check_writable(struct verifier *v, u32 r);

/* cfg.c: subprograms, jump targets, unreachable code, places where paths meet. */
int find_flow(struct verifier *v);
/* Behind the walk: combined stack of every chain of calls. */
int check_stack_depth(struct verifier *v);
/* Index of the subprogram that starts at pc. */
u32 subprog_at(const struct verifier *v, u32 pc);

/* live.c: fills v->live. */
int find_live(struct verifier *v);
/* Registers that the instruction overwrites, a bit each. */
u16 insn_defs(struct insn i);

/* map_use.c: may the helper be called with a map of this type? */
bool map_use_allowed(enum map_type type, u32 helper);

/* explore.c: walks all paths. */
int explore(struct verifier *v);

/* step_*.c: one instruction each. They change v->cur, set v->next_pc when it isn't the next one, and v->path_ends. */
int step_alu(struct verifier *v, struct insn i);
int step_ld_imm64(struct verifier *v, struct insn i);
int step_legacy_load(struct verifier *v, struct insn i);
int step_mem(struct verifier *v, struct insn i);
int step_jump(struct verifier *v, struct insn i);
int step_call(struct verifier *v, struct insn i);
int step_exit(struct verifier *v);
/* Back to the caller's frame, behind its call. */
void frame_close(struct verifier *v);
/* The other way behind a tail call in a subprogram, which step_call has left for later: it is made. */
void step_tail_call_made(struct verifier *v);

/* facts.c, values.c: from traces to facts. */
int find_facts(struct verifier *v, struct facts *out);
/* Adds to f what a dataflow over the values of scalars finds. 0 or -ENOMEM. */
int find_values(struct verifier *v, struct fact *f);

#endif
