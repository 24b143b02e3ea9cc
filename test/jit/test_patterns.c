/* Random sequences of what targets fuse or delay: copies and what they were copied from, shifts that another operation can
 * take along, products that are added, pairs of accesses, addresses in per-CPU ranges near and far, bits that are tested.
 * Whether a register is needed later varies, since that decides what may be left out.
 * WEIR_SEED repeats one program, WEIR_RUNS sets how many there are. */
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

static u8 region[REGION_BYTES];

struct work {
	u8 mem[MEM_BYTES];
	u8 windows[NR_REGIONS][WINDOW_BYTES];
};

static struct both gen_program(u64 seed, unsigned n)
{
	struct gen g = {.b = builder_new(), .seed = seed * 0x9e3779b97f4a7c15 | 1};

	g.nr_work = (u8)(NR_WORK - below(&g, 2));
	g.out = builder_label(g.b);
	bld_alu_reg(g.b, BPF_MOV, BPF_REG_9, BPF_REG_1);
	for (u8 r = 0; r < NR_WORK; r++)
		bld_load(g.b, r < g.nr_work ? BPF_DW : BPF_W, r, BPF_REG_9, (s16)(8 * r));
	for (s16 off = 8; off <= 128; off = (s16)(off + 8))
		bld_store(g.b, BPF_DW, BPF_REG_FP, (s16)-off, BPF_REG_3);
	for (u32 slot = 0; slot < NR_SPILLS; slot++)
		spill(&g, BPF_REG_4, slot);
	for (unsigned i = 0; i < n; i++)
		gen_any(&g);
	for (u8 r = 1; r < NR_WORK; r++) {
		bld_alu_imm(g.b, BPF_MUL, BPF_REG_0, 31);
		bld_alu_reg(g.b, BPF_ADD, BPF_REG_0, r);
	}
	for (s16 off = 8; off <= 128; off = (s16)(off + 8)) {
		bld_load(g.b, BPF_DW, BPF_REG_1, BPF_REG_FP, (s16)-off);
		bld_alu_reg(g.b, BPF_XOR, BPF_REG_0, BPF_REG_1);
	}
	for (u32 slot = 0; slot < NR_SPILLS; slot++) {
		unspill(&g, BPF_REG_1, slot);
		bld_alu_reg(g.b, BPF_ADD, BPF_REG_0, BPF_REG_1);
	}
	builder_bind(g.b, g.out);
	bld_exit(g.b);
	return both_of(g.b);
}

static void load_region(const struct work *w)
{
	for (size_t i = 0; i < NR_REGIONS; i++)
		memcpy(region + region_offs[i], w->windows[i], WINDOW_BYTES);
}

static void save_region(struct work *w)
{
	for (size_t i = 0; i < NR_REGIONS; i++)
		memcpy(w->windows[i], region + region_offs[i], WINDOW_BYTES);
}

static u64 run(
	u64 (*engine)(const struct both *, u64, u64, u8 *), const struct both *t, struct work *w)
{
	static _Alignas(64) u8 mem[MEM_BYTES]; /* the same address for both engines */

	memcpy(mem, w->mem, MEM_BYTES);
	load_region(w);
	u64 result = engine(t, (u64)(uintptr_t)mem, 0, region);
	save_region(w);
	memcpy(w->mem, mem, MEM_BYTES);
	return result;
}

static void check_opts(struct both *t, u64 seed, const struct jit_opts *opts)
{
	struct work a, b;
	u64 fill = seed | 1;

	for (size_t i = 0; i < sizeof(a); i += 8) {
		u64 v = rnd(&fill);

		memcpy((u8 *)&a + i, &v, 8);
	}
	b = a;
	both_recompile(t, NULL, opts);
	u64 want = run(run_interp, t, &a), got = run(run_jit, t, &b);
	if (want == got && !memcmp(&a, &b, sizeof(a)))
		return;
	print_error(
		"WEIR_SEED=%llu: interpreter 0x%llx, code 0x%llx, memory %s, per-CPU range %s\n",
		(unsigned long long)seed, (unsigned long long)want, (unsigned long long)got,
		memcmp(a.mem, b.mem, MEM_BYTES) ? "differs" : "same",
		memcmp(a.windows, b.windows, sizeof(a.windows)) ? "differs" : "same");
	both_print(t);
	fail();
}

/* Through the thread pointer, where thread-local variables lie behind it. */
static void check_thread_base(struct both *t, u64 seed)
{
#if defined(__aarch64__)
	static _Thread_local u8 *base;
	struct jit_opts opts = {.percpu = PERCPU_THREAD};

	base = region;
	opts.thread_off = (u32)((uintptr_t)&base - (uintptr_t)__builtin_thread_pointer());
	check_opts(t, seed, &opts);
#else
	(void)t, (void)seed;
#endif
}

static void check(u64 seed)
{
	const struct jit_opts opts[] = {{.lse = JIT_LSE_AUTO},
		{.lse = JIT_LSE_NEVER, .bmi2 = JIT_BMI2_NEVER, .landing_pads = true},
		{.without = ~0ull, .bmi2 = JIT_BMI2_NEVER},
		{.without = 1ull << seed % JIT_NR_PEEPHOLES}};
	struct both t = gen_program(seed, 1 + (unsigned)(seed / 40 % 30));

	check_thread_base(&t, seed);
	for (size_t i = 0; i < ARRAY_LEN(opts); i++)
		check_opts(&t, seed, &opts[i]);
	for (size_t i = 0; jit_target_at(i); i++) { /* compiling must work anywhere */
		struct jit_opts other = {.target = jit_target_at(i),
			.percpu = (enum percpu_base)(seed % 4),
			.lse = JIT_LSE_ALWAYS};

		both_recompile(&t, NULL, &other);
	}
	both_free(&t);
}

static void random_patterns(void **state)
{
	const char *runs = getenv("WEIR_RUNS"), *seed = getenv("WEIR_SEED");
	u64 nr_runs = runs ? strtoull(runs, NULL, 0) : 3000;

	(void)state;
	if (seed) {
		check(strtoull(seed, NULL, 0));
		return;
	}
	for (u64 at = 1; at <= nr_runs; at++)
		check(at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_patterns),
	};

	if (!jit_target_host()) {
		print_message("no JIT for this host\n");
		return 77;
	}
	return cmocka_run_group_tests_name("jit-patterns", tests, NULL, NULL);
}
