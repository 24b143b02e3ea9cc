#include "bench/subject.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "bench/blob.h"
#include "bench/count.h"
#include "cpu/cpu.h"
#include "helper/functions.h"
#include "interp/checked.h"
#include "isa/prog.h"
#include "map/callable.h"

enum { LINE_BYTES = 64, INSNS_MAX = 1 << 20 };

/* Code that moves the program and never runs, so that every place but the first costs the same besides:
 *	w0 = *(u32 *)(r1 + 0); if w0 >= first_word goto +n + 1; n times w0 *= a number; exit */
enum { JUMP_INSNS = 3, PAD_INSNS = 3 /* for each place */ };

static u32 insns_before(u32 place)
{
	return place ? JUMP_INSNS + place * PAD_INSNS : 0;
}

static void put_before(struct insn *to, u32 place, u32 first_word)
{
	u32 n = place * PAD_INSNS;

	if (!place)
		return;
	*to++ = (struct insn){.code = BPF_LDX | BPF_MEM | BPF_W, .src = 1};
	*to++ = (struct insn){
		.code = BPF_JMP32 | BPF_JGE | BPF_K, .off = (s16)(n + 1), .imm = (s32)first_word};
	for (u32 i = 0; i < n; i++)
		*to++ = (struct insn){
			.code = BPF_ALU | BPF_MUL | BPF_K, .imm = (s32)(0x12345671 + 2 * i)};
	*to = (struct insn){.code = BPF_JMP | BPF_EXIT};
}

static struct prog *program_of(
	const struct bench_code *code, u32 mem_bytes, u32 place, u32 first_word)
{
	u32 before = insns_before(place);
	struct insn *insns = mem_alloc(array_size((size_t)before + code->nr_insns, sizeof(*insns)));
	struct prog *p = prog_new(code->name, PROG_TYPE_RAW);

	if (insns && p) {
		put_before(insns, place, first_word);
		memcpy(insns + before, code->insns, code->nr_insns * sizeof(*insns));
		p->raw_mem_bytes = mem_bytes;
		if (!prog_set_insns(p, insns, before + code->nr_insns)) {
			mem_free(insns);
			return p;
		}
	}
	mem_free(insns);
	prog_free(p);
	return NULL;
}

static int load(const struct bench_code *code, u32 mem_bytes, u32 place, u32 first_word,
	enum engine_kind kind, struct loaded **out, struct diag *d)
{
	struct engine_opts opts = {.kind = kind};
	struct prog *p = program_of(code, mem_bytes, place, first_word);

	if (!p)
		return diag_nomem(d);
	int err = engine_load(p, &opts, out, d);
	prog_free(p);
	return err;
}

static int get_memory(struct bench_subject *s, struct diag *d)
{
	const struct bench_program *p = s->program;

	s->mem_map = mem_zalloc(p->mem_bytes + 2 * LINE_BYTES);
	if (!s->mem_map)
		return diag_nomem(d);
	s->mem = s->mem_map + LINE_BYTES - (uintptr_t)s->mem_map % LINE_BYTES;
	p->fill(s->mem, p->mem_bytes);
	return 0;
}

/* The result that all others must have, from the checked interpreter; the least number of instructions that is enough for it.
 * That takes long under qemu, where nobody asks for it. */
static int run_first(struct bench_subject *s, struct diag *d)
{
	struct prog *p = program_of(s->code, s->program->mem_bytes, 0, 0);
	u64 low = 0, high = INSNS_MAX, r0 = 0;

	if (!p)
		return diag_nomem(d);
	if (bench_counting())
		low = high;
	while (low < high) {
		u64 mid = (low + high) / 2;
		struct diag ignored = {0};

		if (interp_run_checked(
			    p, s->mem, s->program->mem_bytes, s->self, mid, &r0, &ignored))
			low = mid + 1;
		else
			high = mid;
		diag_fini(&ignored);
	}
	int err = interp_run_checked(p, s->mem, s->program->mem_bytes, s->self, low, &r0, d);
	s->executed = bench_counting() ? 0 : low;
	s->result = r0;
	s->places = bench_counting() ? 1 : BENCH_PLACES; /* they don't change what is executed */
	prog_free(p);
	return err;
}

static int load_native(struct bench_subject *s, struct diag *d)
{
	for (u32 i = 0; i < s->places; i++) {
		s->native[i] = bench_blob_new(
			s->code->native, s->code->native_bytes, i * LINE_BYTES / BENCH_PLACES);
		if (!s->native[i])
			return diag_fail(d, pos_none(), ENOMEM, "no memory that may be executed");
	}
	if (s->code->plain_bytes)
		s->plain = bench_blob_new(s->code->plain, s->code->plain_bytes, 0);
	return 0;
}

/* The code once more, to see how long it is. */
static int look_at_code(struct bench_subject *s, struct diag *d)
{
	struct jit_image image = {0};
	int err = jit_compile(
		loaded_prog(s->jit[0]), loaded_facts(s->jit[0]), &(struct jit_opts){0}, &image, d);

	s->jit_bytes = (u32)image.code.len;
	s->jit_insns = image.nr_host_insns;
	jit_image_fini(&image);
	return err;
}

static int load_ours(struct bench_subject *s, struct diag *d)
{
	u32 first_word, bytes = s->program->mem_bytes;
	bool loops = s->executed > s->code->nr_insns;
	int err = 0;

	memcpy(&first_word, s->mem, sizeof(first_word));
	for (u32 i = 0; !err && i < s->places; i++)
		err = load(s->code, bytes, loops ? i : 0, first_word, ENGINE_JIT, &s->jit[i], d);
	if (!err)
		err = load(s->code, bytes, 0, 0, ENGINE_INTERP, &s->interp, d);
	return err ? err : look_at_code(s, d);
}

/* One function, so that all are called by the same instructions. */
static __attribute__((noinline)) u64 run_entry(jit_entry entry, u64 r1, u64 r2, u8 *self, u32 times)
{
	u64 result = 0;

	for (u32 i = 0; i < times; i++)
		result = entry(r1, r2, self);
	return result;
}

static u64 run_interp(const struct bench_subject *s, u32 times)
{
	u64 result = 0;

	for (u32 i = 0; i < times; i++)
		result = loaded_run(s->interp, (uintptr_t)s->mem, s->program->mem_bytes, s->self);
	return result;
}

static u64 run_kernel(const struct bench_subject *s, u32 times)
{
	u32 result = 0;

	if (!bench_kernel_run(&s->kernel, times, &result))
		return UINT64_MAX;
	return result;
}

static u64 run_way(const struct bench_way *w, u32 times)
{
	const struct bench_subject *s = w->subject;
	u64 mem = (uintptr_t)s->mem;

	switch (w->engine) {
	case BENCH_PLAIN:
		return run_entry(bench_blob_entry(s->plain), mem, s->program->mem_bytes,
			(u8 *)(uintptr_t)helper_get_numa_node_id, times);
	case BENCH_NATIVE:
		return run_entry(bench_blob_entry(s->native[w->place]), mem, s->program->mem_bytes,
			(u8 *)(uintptr_t)helper_get_numa_node_id, times);
	case BENCH_JIT:
		return run_entry(loaded_callable(s->jit[w->place])->entry, mem,
			s->program->mem_bytes, s->self, times);
	case BENCH_INTERP:
		return run_interp(s, times);
	case BENCH_KERNEL:
		return run_kernel(s, times);
	case BENCH_ENGINES:
		break;
	}
	UNREACHABLE();
}

void bench_return_run(void *blob, u32 times)
{
	run_entry(bench_blob_entry(blob), 0, 0, NULL, times);
}

void bench_way_run(void *way, u32 times)
{
	run_way(way, times);
}

static int check_way(struct bench_subject *s, enum bench_engine engine, u32 place, struct diag *d)
{
	static const char *const names[] = {"compiled C", "compiled C with all optimisations",
		"our code", "the interpreter", "the kernel"};
	struct bench_way w = {s, engine, place};
	u64 got = run_way(&w, 1), expected = engine == BENCH_KERNEL ? (u32)s->result : s->result;

	if (got == expected)
		return 0;
	return diag_fail(d, pos_none(), EPROTO, "%s: %s says 0x%llx, should be 0x%llx",
		s->program->name, names[engine], (unsigned long long)got,
		(unsigned long long)expected);
}

static int check_results(struct bench_subject *s, struct diag *d)
{
	int err = 0;

	for (u32 i = 0; !err && i < s->places; i++) {
		err = check_way(s, BENCH_NATIVE, i, d);
		if (!err)
			err = check_way(s, BENCH_JIT, i, d);
	}
	if (!err && s->plain)
		err = check_way(s, BENCH_PLAIN, 0, d);
	if (!err)
		err = check_way(s, BENCH_INTERP, 0, d);
	if (!err && s->kernel.program >= 0)
		err = check_way(s, BENCH_KERNEL, 0, d);
	return err;
}

int bench_subject_open(struct bench_subject *s, const struct bench_program *program,
	struct cpus *cpus, bool with_kernel, struct diag *d)
{
	*s = (struct bench_subject){
		.program = program, .kernel = {.map = -1, .program = -1, .why = "not asked"}};
	s->code = bench_code_by_name(program->name);
	s->self = cpu_base(cpus, 0);
	int err = get_memory(s, d);

	if (!err)
		err = run_first(s, d);
	if (!err)
		err = load_native(s, d);
	if (!err)
		err = load_ours(s, d);
	if (!err && with_kernel)
		bench_kernel_open(
			&s->kernel, s->code->insns, s->code->nr_insns, s->mem, program->mem_bytes);
	if (!err)
		err = check_results(s, d);
	if (err)
		bench_subject_close(s);
	return err;
}

void bench_subject_close(struct bench_subject *s)
{
	for (u32 i = 0; i < BENCH_PLACES; i++) {
		bench_blob_free(s->native[i]);
		loaded_free(s->jit[i]);
	}
	bench_blob_free(s->plain);
	loaded_free(s->interp);
	bench_kernel_close(&s->kernel);
	mem_free(s->mem_map);
	*s = (struct bench_subject){.kernel = {.map = -1, .program = -1}};
}

int bench_compile_open(struct bench_compile *c, const char *code_name, struct diag *d)
{
	const struct bench_code *code = bench_code_by_name(code_name);

	*c = (struct bench_compile){.nr_insns = code->nr_insns};
	return load(code, 4096, 0, 0, ENGINE_INTERP, &c->loaded, d);
}

void bench_compile_run(void *compile, u32 times)
{
	struct bench_compile *c = compile;
	struct diag d = {0};

	assert(times <= BENCH_COMPILES_MAX);
	for (u32 i = 0; i < times; i++) {
		struct jit_image image = {0};

		if (!jit_compile(loaded_prog(c->loaded), loaded_facts(c->loaded),
			    &(struct jit_opts){0}, &image, &d) &&
			!c->bytes_only && !jit_code_new(&image, &c->codes[c->nr], &d))
			c->nr++;
		jit_image_fini(&image);
	}
	diag_fini(&d);
}

void bench_compile_after(void *compile)
{
	struct bench_compile *c = compile;

	while (c->nr)
		jit_code_free(c->codes[--c->nr]);
}

void bench_compile_close(struct bench_compile *c)
{
	loaded_free(c->loaded);
	c->loaded = NULL;
}

u32 bench_empty_bytes(const char *target)
{
	struct jit_opts opts = {.target = jit_target_by_name(target)};
	struct jit_image image = {0};
	struct diag d = {0};
	struct loaded *l = NULL;
	u32 bytes = 0;

	if (!load(bench_code_by_name("empty"), LINE_BYTES, 0, 0, ENGINE_INTERP, &l, &d) &&
		!jit_compile(loaded_prog(l), loaded_facts(l), &opts, &image, &d))
		bytes = (u32)image.code.len;
	jit_image_fini(&image);
	loaded_free(l);
	diag_fini(&d);
	return bytes;
}
