/* The pipeline: native code does what the interpreter does, maps live as long as programs, failures
 * leave nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "cpu/cpu.h"
#include "engine/engine.h"
#include "isa/isa.h"
#include "rewrite/random_prog.h"

enum { PROGS_DEFAULT = 1500, INPUTS = 3 };

struct outcome {
	u64 r0[INPUTS];
	u8 mem[INPUTS][RANDOM_MEM_BYTES];
	struct random_maps maps;
};

static void run_inputs(u32 number, const struct loaded *l, struct outcome *o)
{
	u64 seed = random_seed(1000000 + number);

	for (u32 i = 0; i < INPUTS; i++) {
		u32 slot = i % cpus_nr(o->maps.cpus);

		for (u32 k = 0; k < RANDOM_MEM_BYTES; k++)
			o->mem[i][k] = (u8)random_below(&seed, random_below(&seed, 2) ? 256 : 4);
		assert_int_equal(cpu_take(o->maps.cpus, slot), 0);
		o->r0[i] = loaded_run(l, (u64)(uintptr_t)o->mem[i], RANDOM_MEM_BYTES,
			cpu_base(o->maps.cpus, slot));
		cpu_release(o->maps.cpus, slot);
	}
	assert_null(cpu_self());
}

/* False: refused for want of room, which only hiding constants may be. */
static bool load_and_run(
	u32 number, const struct prog *p, const struct engine_opts *opts, struct outcome *o)
{
	struct loaded *l;
	struct diag d = {0};

	random_maps_init(&o->maps);
	struct prog *copy = random_prog_with(p, &o->maps);
	int err = engine_load(copy, opts, &l, &d);
	if (err && !(err == -E2BIG && opts->rewrite.also))
		fail_msg("program %u: %s", number, diag_first(&d));
	if (err) {
		prog_free(copy);
		diag_fini(&d);
		return false;
	}
	assert_int_equal(loaded_kind(l), opts->kind);
	prog_free(copy);
	run_inputs(number, l, o);
	loaded_free(l);
	diag_fini(&d);
	return true;
}

static bool same(const struct outcome *a, const struct outcome *b)
{
	return memcmp(a->r0, b->r0, sizeof(a->r0)) == 0 &&
	       memcmp(a->mem, b->mem, sizeof(a->mem)) == 0 && random_maps_equal(&a->maps, &b->maps);
}

static void jit_is_interpreter(void **state)
{
	static const char *const skips[] = {"", "*", "m", "d", "rt"};
	struct random_maps maps;
	u32 progs = *(u32 *)*state, refused = 0;

	if (!jit_target_host())
		skip();
	random_maps_init(&maps);
	for (u32 number = 0; number < progs; number++) {
		struct prog *p = random_prog(random_seed(50000 + number), &maps);
		const char *passes = skips[number % ARRAY_LEN(skips)];
		struct engine_opts interp = {.kind = ENGINE_INTERP, .rewrite.skip = passes};
		struct engine_opts jit = {.kind = ENGINE_JIT, .rewrite.skip = passes};
		struct outcome want, got;

		if (number % 2) {
			jit.rewrite.also = "h";
			jit.jit.landing_pads = true;
		}
		load_and_run(number, p, &interp, &want);
		bool ran = load_and_run(number, p, &jit, &got);
		refused += !ran;
		if (ran && !same(&want, &got)) {
			struct buf text = {0};

			prog_print(&text, p);
			fail_msg("program %u differs without '%s':\n%s", number, passes,
				buf_cstr(&text));
		}
		random_maps_fini(&want.maps);
		random_maps_fini(&got.maps);
		prog_free(p);
	}
	random_maps_fini(&maps);
	assert_true(refused <= progs / 4);
}

static struct prog *assembled(const char *text)
{
	struct prog *p = prog_new("test", PROG_TYPE_RAW);
	struct diag d = {0};

	p->raw_mem_bytes = 8;
	if (prog_assemble(p, "test", text, strlen(text), &d))
		fail_msg("%s", diag_first(&d));
	return p;
}

static void maps_live_as_long(void **state)
{
	struct engine_opts opts = {.kind = ENGINE_INTERP};
	struct random_maps maps;
	struct loaded *l;
	u64 mem = 0;

	(void)state;
	random_maps_init(&maps);
	struct prog *p = assembled("*(u32 *)(r10 -4) = 1\nr2 = r10\nr2 += -4\nr1 = map[0] ll\ncall "
				   "1\nif r0 == 0 goto out\n"
				   "r0 = *(u64 *)(r0 +0)\nout:\nexit");
	u32 index;
	assert_int_equal(prog_add_map(p, maps.maps[0], &index), 0);
	assert_int_equal(atomic_load(&maps.maps[0]->refs), 1);
	assert_int_equal(engine_load(p, &opts, &l, NULL), 0);
	assert_int_equal(atomic_load(&maps.maps[0]->refs), 2);
	prog_free(p);
	map_put(maps.maps[0]);
	assert_int_equal(cpu_take(maps.cpus, 0), 0);
	assert_true(loaded_run(l, (u64)(uintptr_t)&mem, 8, cpu_base(maps.cpus, 0)) ==
		    0x0101010101010101);
	cpu_release(maps.cpus, 0);
	map_get(maps.maps[0]);
	loaded_free(l);
	assert_int_equal(atomic_load(&maps.maps[0]->refs), 1);
	random_maps_fini(&maps);
}

static void failures_say_where(void **state)
{
	struct engine_opts opts = {.kind = ENGINE_INTERP};
	struct loaded *l = NULL;
	struct diag d = {0};
	struct prog *p = assembled("r0 = 1\nr0 = *(u64 *)(r1 +8)\nexit");

	(void)state;
	assert_int_equal(engine_load(p, &opts, &l, &d), -EACCES);
	assert_null(l);
	assert_int_equal(d.entries[0].pos.kind, POS_INSN);
	assert_int_equal(d.entries[0].pos.line, 1);
	assert_string_equal(d.entries[0].pos.file, "test");
	diag_fini(&d);
	prog_free(p);
	/* Calls that only passes make are for no program. */
	p = assembled("r1 = 0\nr2 = 0\ncall 65536\nexit");
	assert_true(engine_load(p, &opts, &l, &d) < 0);
	assert_int_equal(d.entries[0].pos.line, 2);
	diag_fini(&d);
	prog_free(p);
	p = assembled(".insn 0xbf10ffff00000000\nexit");
	assert_int_equal(engine_load(p, &opts, &l, &d), -EINVAL);
	assert_non_null(strstr(diag_first(&d), "internal-only"));
	diag_fini(&d);
	prog_free(p);
}

static void code_for_other_hosts_does_not_run(void **state)
{
	struct engine_opts opts = {.kind = ENGINE_JIT};
	struct prog *p = assembled("r0 = 42\nexit");
	struct loaded *l = NULL;
	struct diag d = {0};

	(void)state;
	for (size_t i = 0; jit_target_at(i); i++) {
		opts.jit.target = jit_target_at(i);
		opts.fall_back = false;
		if (opts.jit.target == jit_target_host())
			continue;
		assert_int_equal(engine_load(p, &opts, &l, &d), -ENOTSUP);
		assert_non_null(strstr(diag_first(&d), jit_target_name(opts.jit.target)));
		diag_fini(&d);
		opts.fall_back = true;
		assert_int_equal(engine_load(p, &opts, &l, &d), 0);
		assert_int_equal(loaded_kind(l), ENGINE_INTERP);
		assert_int_equal(d.nr_errors, 0);
		assert_int_equal(d.nr, 1);
		assert_int_equal(d.entries[0].level, DIAG_WARNING);
		assert_true(loaded_run(l, 0, 0, NULL) == 42);
		loaded_free(l);
		diag_fini(&d);
	}
	prog_free(p);
}

static void no_memory(void **state)
{
	static const enum engine_kind kinds[] = {ENGINE_INTERP, ENGINE_JIT};
	struct random_maps maps;

	(void)state;
	random_maps_init(&maps);
	struct prog *p = random_prog(random_seed(7), &maps);
	for (size_t k = 0; k < (jit_target_host() ? 2u : 1u); k++) {
		struct engine_opts opts = {.kind = kinds[k]};
		struct loaded *l = NULL;
		u64 nth = 1;
		int err;

		do {
			struct diag d = {0};

			mem_fail_at(nth++);
			err = engine_load(p, &opts, &l, &d);
			mem_fail_at(0);
			assert_true(err == 0 || err == -ENOMEM);
			assert_int_equal(err != 0, d.nr_errors != 0);
			diag_fini(&d);
		} while (err);
		assert_true(nth > 10);
		loaded_free(l);
		for (u32 i = 0; i < maps.nr; i++)
			assert_int_equal(atomic_load(&maps.maps[i]->refs), 1);
	}
	prog_free(p);
	random_maps_fini(&maps);
}

/* Usage: test-engine [PROGRAMS] */
int main(int argc, char **argv)
{
	u32 progs = argc > 1 ? (u32)atoi(argv[1]) : PROGS_DEFAULT;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(jit_is_interpreter, &progs),
		cmocka_unit_test(maps_live_as_long),
		cmocka_unit_test(failures_say_where),
		cmocka_unit_test(code_for_other_hosts_does_not_run),
		cmocka_unit_test(no_memory),
	};

	return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
