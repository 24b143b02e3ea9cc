/* Programs: a byte for the type, then instructions of 8 bytes. They are checked, verified and rewritten; what the verifier
 * takes is compiled for every target and runs in the interpreter and as native code, with the same result and the same
 * memory. Nothing may be touched that isn't the program's: the sanitizers see it. */
#include "fuzz.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "cpu/cpu.h"
#include "engine/engine.h"
#include "helper/helper.h"
#include "map/map.h"
#include "progtype/frame.h"

enum {
	INSNS_MAX = 512,
	WALK_MAX = 30000, /* instructions of the verifier's walk: bounds the time of a run, too */
	MEMORY_BYTES = 64,
	ROOM_BYTES = 512, /* of a frame, with headroom */
	HEADROOM_BYTES = 256,
};

static const enum prog_type types[] = {PROG_TYPE_RAW, PROG_TYPE_XDP, PROG_TYPE_SCHED_CLS,
	PROG_TYPE_SOCKET_FILTER, PROG_TYPE_CGROUP_SKB};

/* The first four as most text cases have them, so that their programs are a corpus. */
static const struct map_spec map_specs[] = {
	{.name = "values",
		.type = MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 16,
		.max_entries = 4},
	{.name = "table", .type = MAP_TYPE_HASH, .key_size = 4, .value_size = 16, .max_entries = 4},
	{.name = "fixed",
		.type = MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 16,
		.max_entries = 4,
		.flags = BPF_F_RDONLY_PROG},
	{.name = "counts",
		.type = MAP_TYPE_PERCPU_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.max_entries = 1000},
	{.name = "percpu_hash",
		.type = MAP_TYPE_PERCPU_HASH,
		.key_size = 8,
		.value_size = 8,
		.max_entries = 4},
	{.name = "lpm_trie",
		.type = MAP_TYPE_LPM_TRIE,
		.key_size = 8,
		.value_size = 8,
		.max_entries = 4,
		.flags = BPF_F_NO_PREALLOC},
	{.name = "queue", .type = MAP_TYPE_QUEUE, .value_size = 8, .max_entries = 2},
	{.name = "locked",
		.type = MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 16,
		.max_entries = 1,
		.lock_at = 1 + 8},
	{.name = "lru_hash",
		.type = MAP_TYPE_LRU_HASH,
		.key_size = 4,
		.value_size = 8,
		.max_entries = 4},
	{.name = "ringbuf", .type = MAP_TYPE_RINGBUF, .max_entries = 4096},
	{.name = "bloom", .type = MAP_TYPE_BLOOM_FILTER, .value_size = 4, .max_entries = 16},
	{.name = "progs",
		.type = MAP_TYPE_PROG_ARRAY,
		.key_size = 4,
		.value_size = 4,
		.max_entries = 2},
	{.name = "perf",
		.type = MAP_TYPE_PERF_EVENT_ARRAY,
		.key_size = 4,
		.value_size = 4,
		.max_entries = 1},
	{.name = "maps",
		.type = MAP_TYPE_ARRAY_OF_MAPS,
		.key_size = 4,
		.value_size = 4,
		.max_entries = 2},
	{.name = "devmap",
		.type = MAP_TYPE_DEVMAP,
		.key_size = 4,
		.value_size = 4,
		.max_entries = 2},
};
enum { NR_MAPS = ARRAY_LEN(map_specs) };

static u64 fixed_time(void *arg, enum weir_clock clock)
{
	(void)arg;
	return 1000000007ull + (u64)clock;
}

static const struct weir_env env = {.now = fixed_time};
static struct cpus *cpus;
static struct map *unused; /* stands for maps that a program doesn't name */

static void start(void)
{
	FUZZ_CHECK(!cpus_new(1, &cpus, NULL), "cpus");
	FUZZ_CHECK(!map_new(&map_specs[0], cpus, &unused, NULL), "map");
	FUZZ_CHECK(!cpu_take(cpus, 0), "slot");
	((struct cpu_head *)(void *)cpu_base(cpus, 0))->env = &env;
}

static bool names_map(const struct insn *insns, u32 len, u32 map)
{
	for (u32 i = 0; i < len; i++)
		if (insn_is_ld_imm64(insns[i]) &&
			(insns[i].src == LD_IMM64_MAP_IDX ||
				insns[i].src == LD_IMM64_MAP_IDX_VALUE) &&
			(u32)insns[i].imm == map)
			return true;
	return false;
}

/* All maps that the program doesn't name are one. */
static void new_maps(const struct insn *insns, u32 len, struct map **maps)
{
	for (u32 i = 0; i < NR_MAPS; i++) {
		struct map_spec spec = map_specs[i];

		if (spec.type == MAP_TYPE_ARRAY_OF_MAPS)
			spec.inner = unused;
		if (!names_map(insns, len, i))
			map_get(maps[i] = unused);
		else
			FUZZ_CHECK(!map_new(&spec, cpus, &maps[i], NULL), "map %u", i);
	}
}

static void free_maps(struct map **maps)
{
	for (u32 i = 0; i < NR_MAPS; i++)
		map_put(maps[i]);
}

static struct prog *new_prog(
	enum prog_type type, const struct insn *insns, u32 len, struct map **maps)
{
	struct prog *p = prog_new("fuzz", type);
	u32 index;

	FUZZ_CHECK(p && !prog_set_insns(p, insns, len), "memory");
	if (type == PROG_TYPE_RAW)
		p->raw_mem_bytes = MEMORY_BYTES;
	for (u32 i = 0; i < NR_MAPS; i++)
		FUZZ_CHECK(!prog_add_map(p, maps[i], &index), "map %u", i);
	return p;
}

struct outcome {
	bool accepted;
	u64 r0;
	u8 memory[ROOM_BYTES]; /* raw memory or packet */
};

static const u8 frame_start[] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x45, 0, 0, 50, 0, 0, 0,
	0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 0x12, 0x34, 0, 53, 0, 30, 0, 0};

/* Memory of exactly that size, at another address for each place. */
static u8 *new_room(size_t bytes, u32 place, void **block)
{
	*block = calloc(1, bytes + 48 * place);
	FUZZ_CHECK(*block, "memory");
	return (u8 *)*block + 48 * place;
}

static void run_in(const struct loaded *l, enum prog_type type, u32 place, struct outcome *out)
{
	u8 *base = cpu_base(cpus, 0), *room;
	struct weir_frame frame;
	void *block;

	if (type == PROG_TYPE_RAW) {
		room = new_room(MEMORY_BYTES, place, &block);
		for (u32 i = 0; i < MEMORY_BYTES; i++)
			room[i] = (u8)(i * 37);
		out->r0 = loaded_run(l, (u64)(uintptr_t)room, MEMORY_BYTES, base);
		memcpy(out->memory, room, MEMORY_BYTES);
	} else {
		room = new_room(ROOM_BYTES, place, &block);
		memcpy(room + HEADROOM_BYTES, frame_start, sizeof(frame_start));
		FUZZ_CHECK(!frame_init_in_place(
				   &frame, room, ROOM_BYTES, HEADROOM_BYTES, MEMORY_BYTES, type),
			"frame");
		out->r0 = (u32)loaded_run(l, (u64)(uintptr_t)&frame, 0, base);
		memcpy(out->memory, room, ROOM_BYTES);
	}
	free(block);
}

/* The same with the stack elsewhere. */
static __attribute__((noinline)) void run_deeper(
	const struct loaded *l, enum prog_type type, u32 place, struct outcome *out)
{
	volatile u8 *locals = __builtin_alloca(1 + 80 * place);

	locals[0] = 1;
	run_in(l, type, place, out);
	locals[0] = 2;
}

static bool same(const struct outcome *a, const struct outcome *b)
{
	return a->r0 == b->r0 && !memcmp(a->memory, b->memory, sizeof(a->memory));
}

static bool names_maps(const struct insn *insns, u32 len)
{
	for (u32 i = 0; i < NR_MAPS; i++)
		if (names_map(insns, len, i))
			return true;
	return false;
}

struct program {
	enum prog_type type;
	const struct insn *insns;
	u32 len;
	bool runs;
	bool varies; /* something of the result depends on addresses, or on what maps hold from the run before */
};

static struct outcome load_and_run(struct program *program, const struct engine_opts *opts)
{
	struct outcome out = {0}, again = {0};
	struct map *maps[NR_MAPS];
	struct loaded *l = NULL;
	struct diag d = {0};
	struct prog *p;
	int err;

	new_maps(program->insns, program->len, maps);
	p = new_prog(program->type, program->insns, program->len, maps);
	err = engine_load(p, opts, &l, &d);
	FUZZ_CHECK(!err || d.nr_errors, "%d", err);
	out.accepted = !err;
	if (!err && program->runs)
		run_in(l, program->type, 0, &out);
	for (u32 place = 1;
		!err && program->runs && place < 6 && !names_maps(program->insns, program->len);
		place++) {
		run_deeper(l, program->type, place, &again);
		program->varies |= !same(&out, &again);
	}
	loaded_free(l);
	prog_free(p);
	free_maps(maps);
	diag_fini(&d);
	return out;
}

/* For every target; true when what the program does depends on addresses. */
static bool compile_everywhere(enum prog_type type, const struct insn *insns, u32 len)
{
	const struct jit_target *target;
	struct verify_stats stats = {0};

	for (size_t i = 0; (target = jit_target_at(i)); i++) {
		struct jit_image image = {0};
		struct facts facts = {0};
		struct map *maps[NR_MAPS];
		struct verify_opts opts = {.max_insns = WALK_MAX};
		struct prog *p;
		int err;

		new_maps(insns, len, maps);
		p = new_prog(type, insns, len, maps);
		FUZZ_CHECK(!verify(p, &opts, &facts, &stats, NULL), "accepted once, but not twice");
		FUZZ_CHECK(!rewrite(p, &facts, &(struct rewrite_opts){0}, NULL), "rewrite");
		err = jit_compile(p, &facts, &(struct jit_opts){.target = target}, &image, NULL);
		FUZZ_CHECK(!err, "%s: %d", jit_target_name(target), err);
		jit_image_fini(&image);
		facts_fini(&facts);
		prog_free(p);
		free_maps(maps);
	}
	return stats.compares_addresses;
}

/* bpf_loop and iterators can run for hours, as in the kernel: their rounds are verified once. */
static bool may_run_long(const struct insn *insns, u32 len)
{
	for (u32 i = 0; i < len; i++)
		if ((insn_is_helper_call(insns[i]) && insns[i].imm == 181) ||
			(insn_is_kfunc_call(insns[i]) && (u32)insns[i].imm == HELPER_iter_num_next))
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct insn insns[INSNS_MAX];
	static const struct engine_opts interp = {
		.kind = ENGINE_INTERP, .verify.max_insns = WALK_MAX, .rewrite.skip = "*"};
	static const struct engine_opts native = {
		.kind = ENGINE_JIT, .fall_back = true, .verify.max_insns = WALK_MAX};
	struct input in = {bytes, len};
	struct program program = {
		.type = types[input_byte(&in) % ARRAY_LEN(types)], .insns = insns};
	u32 nr = (u32)(in.len / sizeof(struct insn));

	if (!cpus)
		start();
	if (!nr || nr > INSNS_MAX)
		return 0;
	memcpy(insns, in.p, nr * sizeof(struct insn));
	program.len = nr;
	program.runs = !may_run_long(insns, nr);

	struct outcome first = load_and_run(&program, &interp);
	if (!first.accepted)
		return 0;
	program.varies = compile_everywhere(program.type, insns, nr);
	struct outcome again = load_and_run(&program, &interp),
		       fast = load_and_run(&program, &native);
	FUZZ_CHECK(again.accepted && fast.accepted, "accepted once, but not again");
	if (program.varies || !same(&first, &again))
		return 0;
	FUZZ_CHECK(first.r0 == fast.r0, "interpreter %llx, native %llx",
		(unsigned long long)first.r0, (unsigned long long)fast.r0);
	FUZZ_CHECK(same(&first, &fast), "memory differs");
	return 0;
}
