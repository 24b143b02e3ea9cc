/* Random rule sets, as text, and packets that have a fair chance to match them. All follows from
 * the seed. */
#ifndef WEIR_TEST_RULES_GENERATE_H
#define WEIR_TEST_RULES_GENERATE_H

#include "base/buf.h"
#include "rules/tree.h"
#include "weir/packet.h"

enum { GENERATED_BYTES_MAX = 2048 };

struct generator {
	u64 seed;
	enum family family;
	enum hook hook;
	const char *table;
	/* For a kernel, on an ingress hook: no metadata of our own making, and a rule in front that
	 * counts every packet. */
	bool kernel;
	u8 pool[8][16]; /* addresses that rules and packets share */
};

struct generated_packet {
	struct weir_packet meta; /* data and data_end point into bytes */
	u8 bytes[GENERATED_BYTES_MAX];
};

void generator_init(struct generator *g, u64 seed);
u64 generator_next(struct generator *g);
/* A number below n. */
u32 generator_below(struct generator *g, u32 n);
void generate_rules(struct generator *g, struct buf *out);
void generate_packet(struct generator *g, struct generated_packet *p);

#endif
