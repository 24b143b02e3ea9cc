/* Comparing IPv6 addresses under masks: as C, in programs as rules are compiled, and as others would write it. */
#ifndef WEIR_BENCH_ADDR_H
#define WEIR_BENCH_ADDR_H

#include "base/types.h"

struct cpus;
struct diag;
struct map;
struct prog;

/* What is counted, in the order of the table. */
enum bench_addr_case {
	ADDR_FUNCTION, /* in C, without the return */
	ADDR_DYNAMIC,  /* mask and address from a map's value, with the branch */
	ADDR_32,       /* constants, with the branch */
	ADDR_64,
	ADDR_48,
	ADDR_128,
	ADDR_PREFIXES, /* the most that one of all lengths takes */
	ADDR_MASKS,    /* the most that one of some masks with holes takes */
	ADDR_RULES,    /* 16 rules with different sources /48, of which the last matches: what is more than for no test */
	ADDR_CASES,
};

/* Executed instructions; only where they can be counted. *worst gets which prefix or mask took the most. 0 or -errno. */
int bench_addr_count(enum bench_addr_case which, struct cpus *cpus, double *insns, u32 *worst, struct diag *d);

/* The programs that are counted, for those who ask whether they are right; owned. r1 is a packet of 64 bytes, the address
 * stands at 8, r0 is 1 where it is `want` under `mask`, 0 where not; want has no bits beyond the mask. 0 or -errno. */
int bench_addr_constant(const u8 *want, const u8 *mask, struct prog **out, struct diag *d);
/* The address and the mask behind it are the value of an array, whose owner the caller becomes. */
int bench_addr_dynamic(struct cpus *cpus, struct map **value, struct prog **out, struct diag *d);

/* One way to write the compare. */
struct bench_variant {
	const char *arch, *name;
	const char *text; /* assembler; NULL: what the compiler made of the C function */
};
const struct bench_variant *bench_variant_at(size_t i); /* NULL behind the last */

struct bench_mca {
	u32 insns;
	double throughput; /* cycles from one to the next */
	u32 latency;	   /* cycles for one alone, with all that comes before and behind it */
};
/* Asks llvm-mca how the text runs on a model. False: it isn't installed, or doesn't know them. */
bool bench_mca(const char *arch, const char *cpu, const char *text, struct bench_mca *out);

#endif
