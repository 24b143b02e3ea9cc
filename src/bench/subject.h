/* One benchmark program on each engine: compiled C, native code of ours, the interpreter, the kernel. */
#ifndef WEIR_BENCH_SUBJECT_H
#define WEIR_BENCH_SUBJECT_H

#include "bench/kernel.h"
#include "bench/program.h"
#include "engine/engine.h"

struct cpus;
struct diag;

/* Where code falls in a cache line can double what a short loop takes. So compiled C stands at 4 places of a line, where
 * compilers let functions start; our code, whose start is always the same, is compiled behind code that is jumped over, or,
 * where nothing runs twice and that jump would count, simply several times: then its pages differ. */
enum { BENCH_PLACES = 4 };

enum bench_engine {
	BENCH_NATIVE,
	BENCH_PLAIN, /* with what the compiler does to loops */
	BENCH_JIT,
	BENCH_INTERP,
	BENCH_KERNEL,
	BENCH_ENGINES,
};

struct bench_subject {
	const struct bench_program *program;
	const struct bench_code *code;
	u8 *mem, *mem_map;
	u8 *self; /* base of slot 0 */
	struct bench_blob *native[BENCH_PLACES];
	struct bench_blob *plain; /* NULL: can't stand alone */
	struct loaded *jit[BENCH_PLACES];
	u32 places; /* that are measured */
	struct loaded *interp;
	struct bench_kernel kernel; /* program -1: not here, or not wanted */
	u64 result;
	u64 executed;	    /* BPF instructions of a run; not counted under qemu, where that takes long */
	u32 jit_bytes, jit_insns; /* of the code; 0 instructions: not counted */
};

/* Loads the program into all engines, runs it once in each and compares the results. with_kernel: in the kernel too, if it
 * takes it. Slot 0 of cpus must be the calling thread's. 0 or -errno with the reason in d; then s needs no closing. */
int bench_subject_open(struct bench_subject *s, const struct bench_program *program, struct cpus *cpus, bool with_kernel,
	struct diag *d);
void bench_subject_close(struct bench_subject *s);

/* One way to run it, as struct bench_case wants it. */
struct bench_way {
	struct bench_subject *subject;
	enum bench_engine engine;
	u32 place;
};
void bench_way_run(void *way, u32 times);
/* The same loop around a function that only returns, a struct bench_blob: what is to be taken off counts of the others. */
void bench_return_run(void *blob, u32 times);

/* Compiles a program of this code as the engine does after its passes, `times` times; bench_compile_after frees what came out,
 * which is no part of compiling. */
enum { BENCH_COMPILES_MAX = 1024 };
struct bench_compile {
	struct loaded *loaded;
	u32 nr_insns; /* before the passes */
	bool bytes_only; /* not into executable memory */
	struct jit_code *codes[BENCH_COMPILES_MAX];
	u32 nr;
};
int bench_compile_open(struct bench_compile *c, const char *code_name, struct diag *d);
void bench_compile_run(void *compile, u32 times);
void bench_compile_after(void *compile);
void bench_compile_close(struct bench_compile *c);

/* How long the machine code of "return 0" is. 0: the target can't. */
u32 bench_empty_bytes(const char *target);

#endif
