/* The benchmark programs: what they are and what they run on. */
#ifndef WEIR_BENCH_PROGRAM_H
#define WEIR_BENCH_PROGRAM_H

#include "base/types.h"

/* One compiled file of bench/progs/, as embed.py writes it. */
struct bench_code {
	const char *name;
	const u64 *insns; /* BPF: r1 = memory, r2 = its bytes */
	u32 nr_insns;
	const u8 *native; /* u64 f(u8 *mem, u64 bytes, u64 (*helper)(u64, u64, u64, u64, u64)) of this host; can stand anywhere */
	u32 native_bytes;
	const u8 *plain; /* the same with unrolled and vectorised loops */
	u32 plain_bytes; /* 0: it can't stand anywhere */
};
extern const struct bench_code bench_codes[];
extern const size_t bench_nr_codes;

struct bench_program {
	const char *name;
	const char *what;
	u32 mem_bytes;
	void (*fill)(u8 *mem, u32 bytes);
	bool is_loop; /* counts in the means over the loops */
};
/* NULL behind the last, or when there is none of that name. */
const struct bench_program *bench_program_at(size_t i);
const struct bench_program *bench_program_by_name(const char *name);
/* NULL: no such file was compiled. */
const struct bench_code *bench_code_by_name(const char *name);

#endif
