/* The classic per-CPU counters as programs in all forms, and what they are made of. */
#ifndef WEIR_BENCH_COUNTER_H
#define WEIR_BENCH_COUNTER_H

#include "bench/kernel.h"
#include "engine/engine.h"

struct cpus;
struct diag;
struct map;

enum { BENCH_THREADS_MAX = 2 };

/* How a program comes to its counter. */
enum bench_form {
	BENCH_CALLED,  /* helpers are called */
	BENCH_INLINED, /* lookups without a call; the number of the CPU still by one */
	BENCH_PINNED,  /* that too, from the register that holds the per-CPU base */
	BENCH_THREAD,  /* the same through the thread pointer */
	BENCH_FORMS,
};
extern const char *const bench_form_names[BENCH_FORMS];

/* How much of the program there is: each does what the one before does and more. */
enum bench_stage {
	BENCH_TRIGGER,	 /* returns 0 */
	BENCH_CPU,	 /* asks for the CPU's number */
	BENCH_ADDRESS,	 /* finds the counter and reads it */
	BENCH_INCREMENT, /* all */
	BENCH_STAGES,
};

struct bench_counter {
	const char *name;
	const char *cpu;     /* text: r0 = the CPU's number; NULL: its key is a constant */
	const char *address; /* text: r0 = the counter's address, or jumps to `out` */
	u32 map_type;	     /* the kernel's number; 0: no map */
	u32 value_bytes, entries;
	bool per_cpu;
};
/* The five of the tables; NULL behind the last. */
const struct bench_counter *bench_counter_at(size_t i);
/* Programs whose instructions are counted, by name. */
const struct bench_counter *bench_body_at(size_t i);
/* Whether the form differs from others for this one: a per-CPU map isn't inlined without the per-CPU MOV. */
bool bench_has_form(const struct bench_counter *c, enum bench_form form);

struct bench_increment {
	struct loaded *loaded;
	struct map *map;
	u32 frame_insns; /* arm64: of prologue and epilogue */
};
int bench_increment_open(struct bench_increment *i, const struct bench_counter *c, enum bench_form form,
	enum bench_stage stage, struct cpus *cpus, struct diag *d);
/* A loop of so many lookups with the loop's variable as key, each of which is read; map_type 0: the loop without them. */
enum { BENCH_LOOKUPS = 64 };
int bench_lookup_open(struct bench_increment *i, u32 map_type, struct cpus *cpus, struct diag *d);
void bench_increment_close(struct bench_increment *i);
/* Whether each slot's counter says that it ran `runs` times, all in all; true for what has no map. */
bool bench_increment_is(const struct bench_increment *i, const struct bench_counter *c, u64 runs);

/* In the kernel: all of it so many times in a row, since one is lost in what a run costs there; or an empty program (NULL). */
enum { BENCH_KERNEL_COPIES = 16 };
bool bench_increment_kernel(struct bench_kernel *k, const struct bench_counter *c);

/* One increment of a thread-local counter: what a C programmer would write. */
u64 bench_increment_c(u64 r1, u64 r2, u8 *self);

/* As struct bench_case wants it: runs on the slot whose base is `self`, within cpu_enter. */
struct bench_runner {
	const struct bench_increment *program; /* NULL: */
	const struct bench_kernel *kernel;     /* NULL: C */
	u8 *self;
};
void bench_runner_run(void *runner, u32 times);

#endif
