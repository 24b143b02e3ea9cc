#include "special_maps.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "isa/prog.h"
#include "kernel_prog.h"
#include "progtype/progtype.h"

int same_errno(int err)
{
	return err == -KERNEL_ENOTSUPP ? -EOPNOTSUPP : err;
}

struct map *map_of(struct cpus *cpus, enum map_type type, u32 key_size, u32 value_size,
	u32 max_entries, u32 flags, struct map *inner)
{
	const struct map_spec spec = {.type = type,
		.key_size = key_size,
		.value_size = value_size,
		.max_entries = max_entries,
		.flags = flags,
		.inner = inner};
	struct map *m;

	assert_int_equal(map_new(&spec, cpus, &m, NULL), 0);
	return m;
}

static u32 length(const struct insn *insns)
{
	u32 n = INSNS_MAX;

	while (n && !insns[n - 1].code)
		n--;
	return n;
}

const struct engine engines[NR_ENGINES] = {
	{"interpreter", {.kind = ENGINE_INTERP}},
	{"native", {.kind = ENGINE_JIT}},
	{"native, no optional passes", {.kind = ENGINE_JIT, .rewrite = {.skip = "*"}}},
};

struct loaded *load(const struct insn *insns, struct map *const *maps, u32 nr_maps,
	const struct engine_opts *opts)
{
	struct prog *p = prog_new("test", PROG_TYPE_XDP);
	struct loaded *l = NULL;
	struct diag d = {0};
	u32 index;

	assert_int_equal(prog_set_insns(p, insns, length(insns)), 0);
	for (u32 i = 0; i < nr_maps; i++)
		assert_int_equal(prog_add_map(p, maps[i], &index), 0);
	if (engine_load(p, opts, &l, &d))
		fail_msg("%s", diag_first(&d));
	diag_fini(&d);
	prog_free(p);
	return l;
}

static u8 packet_bytes[64];

struct weir_frame frame_new(void)
{
	u64 start = (uintptr_t)packet_bytes;

	return (struct weir_frame){.room = start,
		.meta = start,
		.data = start,
		.data_end = start + sizeof(packet_bytes),
		.room_end = start + sizeof(packet_bytes),
		.len = sizeof(packet_bytes)};
}

u32 run(struct cpus *cpus, const struct loaded *l, struct weir_frame *frame)
{
	assert_int_equal(cpu_take(cpus, 1), 0);
	u32 r = (u32)loaded_run(l, (uintptr_t)frame, 0, cpu_base(cpus, 1));
	cpu_release(cpus, 1);
	return r;
}

u32 run_in_kernel(const struct insn *insns, const int *maps)
{
	static char log[1 << 16];
	struct insn copy[INSNS_MAX];
	u8 packet[64] = {0};
	u32 n = length(insns), retval = 0;

	memcpy(copy, insns, sizeof(copy));
	for (u32 pc = 0; pc < n; pc += insn_is_ld_imm64(copy[pc]) ? 2 : 1)
		if (insn_is_ld_imm64(copy[pc]) && copy[pc].src == LD_IMM64_MAP_IDX) {
			copy[pc].src = LD_IMM64_MAP_FD;
			copy[pc].imm = maps[copy[pc].imm];
		}
	int fd = kernel_prog_load(KERNEL_XDP, copy, n, log, sizeof(log));
	if (fd < 0)
		fail_msg("%s", log);
	assert_int_equal(kernel_prog_run(fd, packet, sizeof(packet), &retval), 0);
	close(fd);
	return retval;
}

void same_everywhere(const char *name, struct cpus *cpus, const struct insn *insns,
	struct map *const *maps, const int *fds, u32 nr_maps)
{
	u32 theirs = run_in_kernel(insns, fds);

	for (size_t e = 0; e < NR_ENGINES; e++) {
		struct weir_frame frame = frame_new();
		struct loaded *l = load(insns, maps, nr_maps, &engines[e].opts);
		u32 ours = run(cpus, l, &frame);

		loaded_free(l);
		if (ours != theirs)
			fail_msg("%s, %s: %d, the kernel's %d", name, engines[e].name, (int)ours,
				(int)theirs);
	}
}

int slots_new(void **state)
{
	struct cpus *c;

	if (cpus_new(SLOTS, &c, NULL))
		return -1;
	*state = c;
	return 0;
}

int slots_free(void **state)
{
	cpus_free(*state);
	return 0;
}
