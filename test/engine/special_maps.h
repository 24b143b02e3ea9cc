/* What the tests of special maps share: programs, run on all engines and in this machine's kernel. */
#ifndef WEIR_TEST_SPECIAL_MAPS_H
#define WEIR_TEST_SPECIAL_MAPS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/cpu.h"
#include "engine/engine.h"
#include "isa/insn.h"
#include "map/map.h"
#include "weir/frame.h"

enum { KERNEL_ENOTSUPP = 524, INSNS_MAX = 96, SLOTS = 2, NR_ENGINES = 3 };

#define MOV(d, i) \
	{ \
		.code = 0xb7, .dst = (d), .imm = (i) \
	}
#define MOV_REG(d, s) \
	{ \
		.code = 0xbf, .dst = (d), .src = (s) \
	}
#define ADD(d, i) \
	{ \
		.code = 0x07, .dst = (d), .imm = (i) \
	}
#define LOAD_MAP(d, m) \
	{.code = 0x18, .dst = (d), .src = LD_IMM64_MAP_IDX, .imm = (m)}, \
	{ \
		0 \
	}
#define HELPER_CALL(id) \
	{ \
		.code = 0x85, .imm = (id) \
	}
#define EXIT \
	{ \
		.code = 0x95 \
	}
#define IF_NOT_NULL(r, off_) \
	{ \
		.code = 0x55, .dst = (r), .off = (off_) \
	}
/* *(u32 *)(r10 - 4) = key; r2 = r10 - 4 */
#define KEY(k) {.code = 0x62, .dst = 10, .off = -4, .imm = (k)}, MOV_REG(2, 10), ADD(2, -4)

/* The native one is the second. */
extern const struct engine {
	const char *name;
	struct engine_opts opts;
} engines[NR_ENGINES];

/* Ours for the kernel's ENOTSUPP. */
int same_errno(int err);
struct map *map_of(struct cpus *cpus, enum map_type type, u32 key_size, u32 value_size, u32 max_entries, u32 flags,
	struct map *inner);
struct loaded *load(const struct insn *insns, struct map *const *maps, u32 nr_maps, const struct engine_opts *opts);
struct weir_frame frame_new(void);
u32 run(struct cpus *cpus, const struct loaded *l, struct weir_frame *frame);
u32 run_in_kernel(const struct insn *insns, const int *maps);
/* Runs it in the kernel and on all engines, with the same maps in each. */
void same_everywhere(const char *name, struct cpus *cpus, const struct insn *insns, struct map *const *maps, const int *fds,
	u32 nr_maps);
int slots_new(void **state);
int slots_free(void **state);

#define TEST(f) cmocka_unit_test_setup_teardown(f, slots_new, slots_free)

#endif
