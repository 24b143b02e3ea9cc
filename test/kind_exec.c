/* exec: what a program computes, the same on every engine.
 *
 *   -- asm         the program; r1: address of the memory, r2: its length
 *   -- maps        see case_maps.h; what is in them stays from engine to engine
 *   -- mem         bytes in hexadecimal; without it, r1 and r2 are 0
 *   -- result      expected r0, hexadecimal or decimal
 *   -- mem after   expected memory
 *   -- no kernel   why a verifier refuses it; ours may
 *   -- needs passes  (empty) nothing runs it as it is: only engines that verify and rewrite
 *
 * The first engine of the table sets expectations in an update; the others must agree even then. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "case.h"
#include "case_maps.h"
#include "cpu/cpu.h"
#include "engine/engine.h"
#include "interp_once.h"
#include "isa/isa.h"

/* One way to run the program: the input of all but the first two is verified and rewritten. */
struct engine {
	const char *name;
	/* 0 and *r0, or -errno with the reason in d. */
	int (*run)(const struct engine *e, const struct prog *p, u64 r1, u64 r2, u8 *self, u64 *r0,
		struct diag *d);
	bool needs_jit, verifies;
	struct engine_opts opts;
};

static int run_interp(const struct engine *e, const struct prog *p, u64 r1, u64 r2, u8 *self,
	u64 *r0, struct diag *d)
{
	(void)e;
	(void)d;
	*r0 = interp_once(p, r1, r2, self);
	return 0;
}

static int run_jit(const struct engine *e, const struct prog *p, u64 r1, u64 r2, u8 *self, u64 *r0,
	struct diag *d)
{
	struct jit_image image = {0};
	struct jit_code *code = NULL;
	int err = jit_compile(p, NULL, &e->opts.jit, &image, d);

	if (!err)
		err = jit_code_new(&image, &code, d);
	if (!err)
		*r0 = jit_code_entry(code)(r1, r2, self);
	jit_code_free(code);
	jit_image_fini(&image);
	return err;
}

static int run_loaded(const struct engine *e, const struct prog *p, u64 r1, u64 r2, u8 *self,
	u64 *r0, struct diag *d)
{
	struct prog *input = prog_clone(p);
	struct loaded *l = NULL;
	int err;

	input->internal = false;
	err = engine_load(input, &e->opts, &l, d);
	if (!err)
		*r0 = loaded_run(l, r1, r2, self);
	loaded_free(l);
	prog_free(input);
	return err;
}

static const struct engine engines[] = {
	{"interpreter", run_interp, false, false, {0}},
	{"jit", run_jit, true, false, {0}},
	{"interpreter, needed passes", run_loaded, false, true,
		{.kind = ENGINE_INTERP, .rewrite.skip = "*"}},
	{"interpreter, all passes", run_loaded, false, true, {.kind = ENGINE_INTERP}},
	{"jit, needed passes", run_loaded, true, true, {.kind = ENGINE_JIT, .rewrite.skip = "*"}},
	{"jit, all passes", run_loaded, true, true, {.kind = ENGINE_JIT}},
	{"jit, constants hidden", run_loaded, true, true,
		{.kind = ENGINE_JIT, .rewrite.also = "h"}},
};

static bool read_result(const struct section *s, u64 *out)
{
	struct str text = section_body(s);
	bool negative = text.len && *text.p == '-';

	while (text.len && text.p[text.len - 1] == '\n')
		text.len--;
	if (negative)
		text = str_new(text.p + 1, text.len - 1);
	if (!str_to_u64(text, out))
		return false;
	if (negative)
		*out = 0 - *out;
	return true;
}

static void check_result(struct tcase *c, u64 r0)
{
	struct section *s = case_find(c, "result", "");
	struct buf text = {0};
	u64 want;

	if (!s) {
		case_need(c, "result", "");
		return;
	}
	if (read_result(s, &want) && want == r0)
		return;
	buf_printf(&text, "0x%llx\n", (unsigned long long)r0);
	case_expect(c, s, str_new((const char *)text.data, text.len));
	buf_fini(&text);
}

static void check_mem(struct tcase *c, const struct buf *mem)
{
	struct section *s = case_find(c, "mem", "after");
	struct buf text = {0};

	if (!s)
		return;
	buf_hex(&text, mem->data, mem->len);
	case_expect(c, s, str_new((const char *)text.data, text.len));
	buf_fini(&text);
}

/* A program that uses its whole stack has no room for constants to be hidden. */
static bool may_refuse(const struct engine *e, int err)
{
	return e->opts.rewrite.also && err == -E2BIG;
}

static void run_on(struct tcase *c, const struct engine *e, const struct prog *p,
	const struct buf *mem, u8 *self)
{
	/* Of exactly that size, so that sanitizers see accesses outside. */
	struct buf copy = {.data = mem_alloc(mem->len), .len = mem->len, .cap = mem->len};
	u64 r1 = mem->len ? (u64)(uintptr_t)copy.data : 0, r0 = 0;
	struct diag d = {0};
	int err;

	if (mem->len)
		memcpy(copy.data, mem->data, mem->len);
	err = e->run(e, p, r1, mem->len, self, &r0, &d);
	if (!err) {
		check_result(c, r0);
		check_mem(c, &copy);
	} else if (!may_refuse(e, err) && (!e->verifies || !case_find(c, "no", "kernel"))) {
		case_fail(c, NULL, "%s (%s)", strerror(-err), diag_first(&d));
	}
	if (c->failed)
		buf_printf(&c->log, "  (engine: %s)\n", e->name);
	mem_free(copy.data);
	diag_fini(&d);
}

static void run_everywhere(
	struct tcase *c, const struct prog *p, const struct buf *mem, struct cpus *cpus)
{
	bool needs_passes = case_find(c, "needs", "passes") || p->nr_maps;

	if (cpu_take(cpus, 0)) {
		case_fail(c, NULL, "no CPU slot");
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(engines) && !c->failed; i++)
		if ((!engines[i].needs_jit || jit_target_host()) &&
			(engines[i].verifies || !needs_passes))
			run_on(c, &engines[i], p, mem, cpu_base(cpus, 0));
	cpu_release(cpus, 0);
}

static void run(struct tcase *c)
{
	struct str text = case_need(c, "asm", "");
	const struct section *before = case_find(c, "mem", "");
	struct prog *p = prog_new("case", PROG_TYPE_RAW);
	struct case_maps maps;
	struct diag d = {0};
	struct buf mem = {0};

	case_maps_init(&maps, c, p);
	if (before)
		case_bytes(c, before, &mem);
	p->raw_mem_bytes = (u32)mem.len;
	if (c->failed || prog_assemble(p, "asm", text.p, text.len, &d) || prog_check(p, &d)) {
		case_fail(c, case_find(c, "asm", ""), "refused: %s", diag_first(&d));
	} else {
		p->internal = true;
		run_everywhere(c, p, &mem, maps.cpus);
	}
	diag_fini(&d);
	buf_fini(&mem);
	prog_free(p);
	case_maps_fini(&maps);
}

const struct kind kind_exec = {"exec", run};
