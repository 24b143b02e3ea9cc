/* The engines that bench-beside compares, each with the same keys in a table of its own. All of a subject's keys 0 ...
 * entries - 1 are in it, a number of 32 or 64 bits at the start of the key. */
#ifndef WEIR_BENCH_BESIDE_H
#define WEIR_BENCH_BESIDE_H

#include "weir/weir.h"

enum { BATCH = 1000, /* operations of one run of the program */ THREADS_MAX = 2, KEY_BYTES_MAX = 16 };

struct subject {
	const char *name;
	enum weir_map_type type;
	uint32_t key_size;
	uint32_t entries; /* a power of two */
};

enum op { LOOKUP, UPDATE };

struct engine {
	const char *name;
	/* NULL: the engine has no such table, or can't be had here. */
	void *(*open)(const struct subject *s, enum op op);
	/* Does about `batches` times BATCH operations on thread `number`. */
	void (*run)(void *table, unsigned number, uint32_t batches);
	void (*close)(void *table);
};

extern const struct engine engine_weir, engine_kernel, engine_urcu;

/* The program: BATCH operations with random keys; `map` is one ld_imm64 of the table. How many instructions it has; `insns` has
 * room for BESIDE_INSNS. */
enum { BESIDE_INSNS = 64 };
uint32_t beside_program(const struct subject *s, enum op op, const struct weir_insn map[2], struct weir_insn *insns);

/* The generator of keys, the same as in the program. */
static inline uint64_t beside_random(uint64_t x)
{
	return x * 6364136223846793005u + 1442695041;
}

#endif
