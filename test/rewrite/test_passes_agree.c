/* Whatever optional passes run, a program does the same: result, memory and maps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "cpu/cpu.h"
#include "isa/isa.h"
#include "random_prog.h"
#include "rewrite/rewrite.h"
#include "../interp_once.h"
#include "verify/verify.h"

enum { PROGS_DEFAULT = 200, INPUTS = 3, PASSES_MAX = 32 };

struct outcome {
	u64 r0[INPUTS];
	u8 mem[INPUTS][RANDOM_MEM_BYTES];
	struct random_maps maps;
	u32 len;
};

static void show(u32 number, const char *skip, const struct prog *p)
{
	struct buf text = {0};

	prog_print(&text, p);
	print_error("program %u without '%s' differs:\n%s", number, skip, buf_cstr(&text));
	buf_fini(&text);
}

static void run_inputs(u32 number, const struct prog *p, struct outcome *o)
{
	u64 seed = random_seed(1000000 + number);

	for (u32 i = 0; i < INPUTS; i++) {
		u32 slot = i % cpus_nr(o->maps.cpus);

		for (u32 k = 0; k < RANDOM_MEM_BYTES; k++)
			o->mem[i][k] = (u8)random_below(&seed, random_below(&seed, 2) ? 256 : 4);
		assert_int_equal(cpu_take(o->maps.cpus, slot), 0);
		u8 *before = cpu_enter(cpu_base(o->maps.cpus, slot));
		o->r0[i] = interp_once(p, (u64)(uintptr_t)o->mem[i], RANDOM_MEM_BYTES,
			cpu_base(o->maps.cpus, slot));
		cpu_enter(before);
		cpu_release(o->maps.cpus, slot);
	}
}

static void *copy_array(const void *from, size_t n, size_t bytes)
{
	void *to = mem_alloc(array_size(n, bytes));

	assert_non_null(to);
	memcpy(to, from, n * bytes);
	return to;
}

static struct facts copy_facts(const struct facts *f)
{
	return (struct facts){
		.insns = copy_array(f->insns, f->len, sizeof(*f->insns)),
		.len = f->len,
		.stack_bytes = copy_array(f->stack_bytes, f->nr_subprogs, sizeof(*f->stack_bytes)),
		.uninit_slots =
			copy_array(f->uninit_slots, f->nr_subprogs, sizeof(*f->uninit_slots)),
		.subprog_start =
			copy_array(f->subprog_start, f->nr_subprogs, sizeof(*f->subprog_start)),
		.subprog_origin =
			copy_array(f->subprog_origin, f->nr_subprogs, sizeof(*f->subprog_origin)),
		.nr_subprogs = f->nr_subprogs,
	};
}

/* A program and what the verifier says of it, whose maps are like those that it runs with. */
struct verified {
	u32 number;
	struct prog *prog;
	struct facts facts;
};

static struct verified verified_prog(u32 number, struct random_maps *maps)
{
	struct verified v = {.number = number, .prog = random_prog(random_seed(number), maps)};
	struct diag d = {0};

	if (verify(v.prog, NULL, &v.facts, NULL, &d))
		fail_msg("program %u: %s", number, diag_first(&d));
	diag_fini(&d);
	return v;
}

static void verified_fini(struct verified *v)
{
	facts_fini(&v->facts);
	prog_free(v->prog);
}

/* Runs it without the passes `skip`. */
static void run_without(const struct verified *v, const char *skip, struct outcome *o)
{
	struct rewrite_opts opts = {.skip = skip};
	struct facts facts = copy_facts(&v->facts);
	u32 number = v->number;
	struct diag d = {0};

	random_maps_init(&o->maps);
	struct prog *copy = random_prog_with(v->prog, &o->maps);
	if (rewrite(copy, &facts, &opts, &d)) {
		show(number, skip, copy);
		fail_msg("program %u: %s", number, diag_first(&d));
	}
	o->len = copy->len;
	run_inputs(number, copy, o);
	facts_fini(&facts);
	prog_free(copy);
	diag_fini(&d);
}

static u32 optional_letters(char *letters)
{
	u32 nr = 0;

	for (size_t i = 0; pass_at(i); i++)
		if (pass_at(i)->kind == PASS_OPTIONAL)
			letters[nr++] = pass_at(i)->letter;
	assert_true(nr < PASSES_MAX);
	return nr;
}

static void compare(const struct verified *v, const char *skip, const struct outcome *want)
{
	struct outcome got;

	run_without(v, skip, &got);
	if (memcmp(got.r0, want->r0, sizeof(got.r0)) ||
		memcmp(got.mem, want->mem, sizeof(got.mem)) ||
		!random_maps_equal(&got.maps, &want->maps)) {
		show(v->number, skip, v->prog);
		fail();
	}
	random_maps_fini(&got.maps);
}

static void all_subsets(void **state)
{
	char letters[PASSES_MAX];
	u32 nr = optional_letters(letters);
	struct random_maps maps;
	u64 len_without = 0, len_with = 0;
	u32 progs = *(u32 *)*state;

	random_maps_init(&maps);
	for (u32 number = 0; number < progs; number++) {
		struct verified v = verified_prog(number, &maps);
		struct outcome want;

		run_without(&v, "*", &want);
		len_without += want.len;
		for (u32 set = 0; set < 1u << nr; set++) {
			char skip[PASSES_MAX] = "";
			u32 n = 0;

			for (u32 i = 0; i < nr; i++)
				if (set >> i & 1)
					skip[n++] = letters[i];
			compare(&v, skip, &want);
		}
		struct outcome all;
		run_without(&v, NULL, &all);
		len_with += all.len;
		random_maps_fini(&all.maps);
		random_maps_fini(&want.maps);
		verified_fini(&v);
	}
	random_maps_fini(&maps);
	/* The passes were at work at all. */
	assert_true(len_with != len_without);
	print_message(
		"%u programs, %u sets of passes: %llu instructions with none, %llu with all\n",
		progs, 1u << nr, (unsigned long long)len_without, (unsigned long long)len_with);
}

/* Usage: test-passes-agree [PROGRAMS] */
int main(int argc, char **argv)
{
	u32 progs = argc > 1 ? (u32)atoi(argv[1]) : PROGS_DEFAULT;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(all_subsets, &progs),
	};

	return cmocka_run_group_tests_name("passes agree", tests, NULL, NULL);
}
