/* The maps of a text case: "-- maps", one in a line, "NAME TYPE KEY-BYTES VALUE-BYTES ENTRIES
 * [FLAGS] [lock=OFFSET] [inner=INDEX OF AN EARLIER MAP] [data=VALUE OF KEY 0 IN HEX] [frozen]". */
#ifndef WEIR_TEST_CASE_MAPS_H
#define WEIR_TEST_CASE_MAPS_H

#include "base/types.h"

struct cpus;
struct map;
struct prog;
struct tcase;

enum { CASE_SLOTS = 4 };

struct case_maps {
	struct cpus *cpus;
	struct map **maps;
	size_t nr, cap;
};

/* Makes the case's maps and gives them to p; the case fails when a line isn't one. */
void case_maps_init(struct case_maps *m, struct tcase *c, struct prog *p);
void case_maps_fini(struct case_maps *m);

#endif
