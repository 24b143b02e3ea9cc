/* What the tests of single map types share. */
#ifndef WEIR_TEST_MAP_ONE_MAP_H
#define WEIR_TEST_MAP_ONE_MAP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/cpu.h"
#include "map/map.h"

enum { SLOTS = 3 };

/* A spec without what only some types have. */
#define SPEC(name_, type_, key, value, entries, flags_) \
	{ \
		.name = name_, .type = type_, .key_size = key, .value_size = value, \
		.max_entries = entries, .flags = flags_ \
	}

/* A fresh set of slots in *state, of which this thread runs on slot 1. */
int enter(void **state);
int leave(void **state);
#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)

struct map *map_of(struct cpus *c, enum map_type type, u32 key_size, u32 value_size, u32 max_entries, u32 flags);
/* As programs on this slot do. */
void *look(struct map *m, const void *key);
int update(struct map *m, const void *key, const void *value, u64 flags);

#endif
