#include "bench/counter.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "cpu/cpu.h"
#include "isa/isa.h"
#include "isa/prog.h"
#include "map/map.h"

enum { MEM_BYTES = 64, GLOBAL_BYTES = 256 * 8 };

#define CPU "call 8\n"
#define LOOKUP "r2 = r10\nr2 += -4\nr1 = map[0] ll\ncall 1\nif r0 == 0 goto out@\n"
#define BY_CPU "*(u32 *)(r10 -4) = r0\n" LOOKUP
#define BY_CONSTANT "*(u32 *)(r10 -4) = 0\n" LOOKUP
#define GLOBAL "if r0 > 255 goto out@\nr0 <<= 3\nr1 = map[0]+0 ll\nr1 += r0\nr0 = r1\n"

static const struct bench_counter counters[] = {
	{"glob-arr-inc", CPU, GLOBAL, MAP_TYPE_ARRAY, GLOBAL_BYTES, 1, false},
	{"arr-inc", CPU, BY_CPU, MAP_TYPE_ARRAY, 8, 256, false},
	{"hash-inc", CPU, BY_CPU, MAP_TYPE_HASH, 8, 256, false},
	{"percpu-array-inc", NULL, BY_CONSTANT, MAP_TYPE_PERCPU_ARRAY, 8, 256, true},
	{"percpu-hash-inc", NULL, BY_CONSTANT, MAP_TYPE_PERCPU_HASH, 8, 256, true},
};

/* An address that isn't there: the program ends before. */
static const struct bench_counter bodies[] = {
	{"return 0", NULL, NULL, 0, 0, 0, false},
	{"cpu id", CPU, NULL, 0, 0, 0, false},
	{"glob-arr-inc", CPU, GLOBAL, MAP_TYPE_ARRAY, GLOBAL_BYTES, 1, false},
	{"arr-inc, constant key", NULL, BY_CONSTANT, MAP_TYPE_ARRAY, 8, 256, false},
	{"per-CPU array inc, constant key", NULL, BY_CONSTANT, MAP_TYPE_PERCPU_ARRAY, 8, 256, true},
	{"hash-inc, lookup included", NULL, BY_CONSTANT, MAP_TYPE_HASH, 8, 256, false},
	{"per-CPU hash inc, lookup included", NULL, BY_CONSTANT, MAP_TYPE_PERCPU_HASH, 8, 256,
		true},
	{"one local call and return", "call function\nexit\nfunction:\nr0 = 1\n", NULL, 0, 0, 0,
		false},
};

const char *const bench_form_names[BENCH_FORMS] = {
	"helpers called", "lookups inlined", "and per-CPU MOV, pinned", "and per-CPU MOV, thread"};

/* Where programs of the form BENCH_THREAD look for the base. */
static _Thread_local u8 *thread_base;

static _Thread_local u64 thread_counter;

const struct bench_counter *bench_counter_at(size_t i)
{
	return i < ARRAY_LEN(counters) ? &counters[i] : NULL;
}

const struct bench_counter *bench_body_at(size_t i)
{
	return i < ARRAY_LEN(bodies) ? &bodies[i] : NULL;
}

bool bench_has_form(const struct bench_counter *c, enum bench_form form)
{
	return !c->per_cpu || form != BENCH_INLINED;
}

/* '@' is the number of the copy, since labels may stand only once. */
static void put(struct buf *text, const char *part, u32 copy)
{
	for (; *part; part++) {
		if (*part == '@')
			buf_printf(text, "%u", copy);
		else
			buf_u8(text, (u8)*part);
	}
}

static void put_copy(
	struct buf *text, const struct bench_counter *c, enum bench_stage stage, u32 copy)
{
	if (stage >= BENCH_CPU && c->cpu)
		put(text, c->cpu, copy);
	if (stage >= BENCH_ADDRESS && c->address)
		put(text, c->address, copy);
	if (stage == BENCH_INCREMENT && c->address)
		put(text, "r1 = *(u64 *)(r0 +0)\nr1 += 1\n*(u64 *)(r0 +0) = r1\nout@:\n", copy);
	else if (stage == BENCH_ADDRESS && c->address)
		put(text, "r0 = *(u64 *)(r0 +0)\nout@:\n", copy);
}

static void write_text(
	struct buf *text, const struct bench_counter *c, enum bench_stage stage, u32 copies)
{
	for (u32 i = 0; i < copies; i++)
		put_copy(text, c, stage, i);
	/* Without the increment the result is what was found: else nothing of it would be left. */
	bool increments = stage == BENCH_INCREMENT && c->address,
	     finds = stage == BENCH_ADDRESS && c->address;
	if (increments || !(finds || (stage >= BENCH_CPU && c->cpu)))
		buf_puts(text, "r0 = 0\n");
	buf_puts(text, "exit\n");
}

/* Takes the text. */
static struct prog *assemble(struct buf *text, struct diag *d)
{
	struct prog *p = prog_new("counter", PROG_TYPE_RAW);
	int err = p ? prog_assemble(p, "counter", buf_cstr(text), text->len, d) : diag_nomem(d);

	buf_fini(text);
	if (err) {
		prog_free(p);
		return NULL;
	}
	p->raw_mem_bytes = MEM_BYTES;
	return p;
}

static struct prog *write_program(
	const struct bench_counter *c, enum bench_stage stage, u32 copies, struct diag *d)
{
	struct buf text = {0};

	write_text(&text, c, stage, copies);
	return assemble(&text, d);
}

/* Keys 0 and up for all slots. */
static int fill_map(const struct bench_counter *c, struct map *map)
{
	u64 zero[BENCH_THREADS_MAX] = {0};
	int err = 0;

	for (u32 key = 0; !err && c->entries > 1 && key < BENCH_THREADS_MAX; key++)
		err = map_write(map, &key, zero, 0);
	return err;
}

static int make_map(struct bench_increment *i, const struct bench_counter *c, struct prog *p,
	struct cpus *cpus, struct diag *d)
{
	struct map_spec spec = {.name = "counter",
		.type = (enum map_type)c->map_type,
		.key_size = 4,
		.value_size = c->value_bytes,
		.max_entries = c->entries};
	u32 index;

	if (!c->map_type)
		return 0;
	int err = map_new(&spec, cpus, &i->map, d);
	if (!err)
		err = fill_map(c, i->map);
	return err ? err : prog_add_map(p, i->map, &index);
}

static u32 thread_offset(void)
{
	return (u32)((uintptr_t)&thread_base - (uintptr_t)__builtin_thread_pointer());
}

static struct engine_opts form_opts(enum bench_form form)
{
	static const char *const skip[BENCH_FORMS] = {[BENCH_CALLED] = "ms", [BENCH_INLINED] = "s"};
	struct engine_opts opts = {.kind = ENGINE_JIT, .rewrite.skip = skip[form]};

	if (form == BENCH_THREAD) {
		opts.jit.percpu = PERCPU_THREAD;
		opts.jit.thread_off = thread_offset();
	}
	return opts;
}

/* Instructions of 4 bytes before the first one's code, and from the last one's, an exit, on. */
static int look_at_frame(struct bench_increment *i, const struct jit_opts *opts, struct diag *d)
{
	struct jit_image image = {0};
	int err = jit_compile(loaded_prog(i->loaded), loaded_facts(i->loaded), opts, &image, d);

	if (!err)
		i->frame_insns = (image.insn_off[0] + image.insn_off[image.len] -
					 image.insn_off[image.len - 1]) /
				 4;
	jit_image_fini(&image);
	return err;
}

/* p is taken; NULL: the reason is in d. */
static int open_program(struct bench_increment *i, struct prog *p, const struct bench_counter *c,
	enum bench_form form, struct cpus *cpus, struct diag *d)
{
	struct engine_opts opts = form_opts(form);

	*i = (struct bench_increment){0};
	if (!p)
		return -EINVAL;
	int err = make_map(i, c, p, cpus, d);
	if (!err)
		err = engine_load(p, &opts, &i->loaded, d);
	prog_free(p);
	if (!err)
		err = look_at_frame(i, &opts.jit, d);
	if (err)
		bench_increment_close(i);
	return err;
}

int bench_increment_open(struct bench_increment *i, const struct bench_counter *c,
	enum bench_form form, enum bench_stage stage, struct cpus *cpus, struct diag *d)
{
	return open_program(i, write_program(c, stage, 1, d), c, form, cpus, d);
}

int bench_lookup_open(struct bench_increment *i, u32 map_type, struct cpus *cpus, struct diag *d)
{
	const struct bench_counter counter = {
		.map_type = map_type, .value_bytes = 8, .entries = 4 * BENCH_LOOKUPS};
	struct buf text = {0};

	buf_puts(&text, "r6 = 0\nr7 = 0\nloop:\n");
	if (map_type)
		buf_puts(&text,
			"*(u32 *)(r10 -4) = r7\nr2 = r10\nr2 += -4\nr1 = map[0] ll\ncall 1\n"
			"if r0 == 0 goto next\nr0 = *(u64 *)(r0 +0)\nr6 += r0\nnext:\n");
	buf_printf(
		&text, "r6 += r7\nr7 += 1\nif r7 < %d goto loop\nr0 = r6\nexit\n", BENCH_LOOKUPS);
	return open_program(i, assemble(&text, d), &counter, BENCH_PINNED, cpus, d);
}

void bench_increment_close(struct bench_increment *i)
{
	loaded_free(i->loaded);
	map_put(i->map);
	*i = (struct bench_increment){0};
}

bool bench_increment_is(const struct bench_increment *i, const struct bench_counter *c, u64 runs)
{
	u64 values[GLOBAL_BYTES / 8] = {0}, sum = 0;

	for (u32 key = 0; i->map && key < (c->entries > 1 ? BENCH_THREADS_MAX : 1); key++) {
		if (map_read(i->map, &key, values))
			return false;
		for (u32 v = 0; v < (c->per_cpu ? BENCH_THREADS_MAX : c->value_bytes / 8); v++)
			sum += values[v];
	}
	return !i->map || sum == runs;
}

/* The maps of a program of ours as descriptors of the kernel's. */
static void name_map(struct prog *p, int map)
{
	for (u32 pc = 0; pc < p->len; pc += insn_is_ld_imm64(p->insns[pc]) ? 2 : 1) {
		struct insn *i = &p->insns[pc];

		if (!insn_is_ld_imm64(*i))
			continue;
		i->src = i->src == LD_IMM64_MAP_IDX
				 ? 1
				 : 2; /* BPF_PSEUDO_MAP_FD, BPF_PSEUDO_MAP_VALUE */
		i->imm = map;
	}
}

bool bench_increment_kernel(struct bench_kernel *k, const struct bench_counter *c)
{
	u64 zero[256] = {0}; /* for every CPU that may be */

	*k = (struct bench_kernel){.map = -1, .program = -1, .why = "out of memory"};
	if (c && (k->map = bench_kernel_map(c->map_type, 4, c->value_bytes, c->entries)) < 0)
		return bench_kernel_no_map(k);
	struct prog *p =
		write_program(c ? c : &bodies[0], BENCH_INCREMENT, BENCH_KERNEL_COPIES, NULL);
	if (!p)
		return false;
	for (u32 key = 0; k->map >= 0 && c->entries > 1 && key < c->entries; key++)
		bench_kernel_put(k->map, &key, zero);
	name_map(p, k->map);
	bool ok = bench_kernel_load(k, (const u64 *)p->insns, p->len);
	prog_free(p);
	return ok;
}

__attribute__((noinline)) u64 bench_increment_c(
	u64 r1 UNUSED_ARG, u64 r2 UNUSED_ARG, u8 *self UNUSED_ARG)
{
	thread_counter++;
	return 0;
}

static void run_c(u32 times)
{
	u64 (*volatile increment)(u64, u64, u8 *) = bench_increment_c;

	for (u32 i = 0; i < times; i++)
		increment(0, 0, NULL);
}

void bench_runner_run(void *runner, u32 times)
{
	const struct bench_runner *r = runner;
	u8 mem[MEM_BYTES] = {0};
	u32 result;

	thread_base = r->self;
	if (r->kernel)
		bench_kernel_run(r->kernel, times, &result);
	else if (!r->program)
		run_c(times);
	else
		for (u32 i = 0; i < times; i++)
			loaded_run(r->program->loaded, (uintptr_t)mem, sizeof(mem), r->self);
}
