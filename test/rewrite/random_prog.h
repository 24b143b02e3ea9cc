/* Random programs that a verifier must accept, and the maps they use. */
#ifndef TEST_REWRITE_RANDOM_PROG_H
#define TEST_REWRITE_RANDOM_PROG_H

#include "isa/prog.h"
#include "map/map.h"

enum { RANDOM_MEM_BYTES = 64, RANDOM_MAPS = 5 };

/* Maps 0 ... RANDOM_MAPS - 1, all entries that hash maps ever get put in. */
struct random_maps {
	struct cpus *cpus;
	struct map *maps[RANDOM_MAPS];
	u32 nr; /* types that aren't there are left out */
};

void random_maps_init(struct random_maps *m);
void random_maps_fini(struct random_maps *m);
/* All values of all maps and slots: a and b hold the same. */
bool random_maps_equal(const struct random_maps *a, const struct random_maps *b);

/* A program of type raw for RANDOM_MEM_BYTES; the maps are `m`'s. */
struct prog *random_prog(u64 seed, const struct random_maps *m);
/* The same program with the maps of another set. */
struct prog *random_prog_with(const struct prog *p, const struct random_maps *m);

u32 random_below(u64 *seed, u32 below);
/* A seed of its own for each number. */
u64 random_seed(u32 number);

#endif
