/* What verify accepts is safe: random programs run on random memory, every access and every fact is checked on the way, and
 * the interpreter gets the same result. WEIR_SEED=N runs one program; WEIR_PROGRAMS=N says how many. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "../interp_once.h"
#include "isa/isa.h"
#include "random_prog.h"
#include "rewrite/passes.h"
#include "stepper.h"
#include "verify/verify.h"
#include "weir/packet.h"

enum { PROGRAMS = 6000, RUNS = 12, BYTES_MAX = 96, REDZONE = 64, INSNS_MAX = 60000 };

struct memory {
	u8 bytes[REDZONE + BYTES_MAX + REDZONE];
	struct weir_packet ctx;
};

static void fill(struct random *r, u8 *bytes, size_t len)
{
	static const u8 some[] = {0, 0, 1, 2, 4, 7, 8, 15, 16, 0x7f, 0x80, 0xff, 0xff};

	for (size_t n = 0; n < len; n++)
		bytes[n] = random_below(r, 3) ? some[random_below(r, ARRAY_LEN(some))]
					      : (u8)random_next(r);
}

static void prepare(struct stepper *s, struct random *r, struct memory *m, u32 len)
{
	u8 *start = m->bytes + REDZONE;

	fill(r, m->bytes, sizeof(m->bytes));
	s->nr_regions = 0;
	if (s->p->type == PROG_TYPE_RAW) {
		s->regions[s->nr_regions++] = (struct region){start, len, MEM_RAW};
		return;
	}
	fill(r, (u8 *)&m->ctx, sizeof(m->ctx));
	m->ctx.data = (u64)(uintptr_t)start;
	m->ctx.data_end = m->ctx.data + len;
	s->regions[s->nr_regions++] = (struct region){(u8 *)&m->ctx, sizeof(m->ctx), MEM_CTX};
	s->regions[s->nr_regions++] = (struct region){start, len, MEM_PACKET};
}

static bool fails(u64 seed, const struct prog *p, const char *why)
{
	struct buf text = {0};

	prog_print(&text, p);
	printf("WEIR_SEED=%llu: %s\n%s", (unsigned long long)seed, why, buf_cstr(&text));
	buf_fini(&text);
	return false;
}

/* `zeroed` is p for engines, which have anything on the stack to begin with. */
static bool run_once(u64 seed, struct random *r, const struct prog *p, const struct facts *f,
	const struct prog *zeroed)
{
	static struct stepper s;
	static struct memory m, before, stepped;
	u32 len = p->type == PROG_TYPE_RAW ? p->raw_mem_bytes : random_below(r, BYTES_MAX + 1);
	u64 r0 = 0, again, r1;
	bool ok = true;

	s.p = p;
	s.f = f;
	buf_reset(&s.broken);
	prepare(&s, r, &m, len);
	before = m;
	r1 = (u64)(uintptr_t)(p->type == PROG_TYPE_RAW ? m.bytes + REDZONE : (u8 *)&m.ctx);
	if (stepper_run(&s, r1, len, &r0))
		return fails(seed, p, buf_cstr(&s.broken));
	stepped = m;
	m = before;
	again = interp_once(zeroed, r1, len, NULL);
	if (again != r0)
		ok = fails(seed, p, "the interpreter's result differs");
	else if (memcmp(&m, &stepped, sizeof(m)) != 0)
		ok = fails(seed, p, "the interpreter's memory differs");
	return ok;
}

static bool seen(const struct facts *f, s64 pc)
{
	return f->insns[pc].flags & FACT_SEEN;
}

/* What facts.h promises of FACT_SEEN and the decisions of jumps. */
static bool closed(const struct prog *p, const struct facts *f, u32 pc)
{
	struct insn i = p->insns[pc];
	u16 decided = f->insns[pc].flags & (FACT_TAKEN | FACT_NOT_TAKEN);
	s64 next = (s64)pc + (insn_is_ld_imm64(i) ? 2 : 1), target = (s64)pc + 1 + insn_jump_off(i);

	if (!seen(f, pc))
		return !decided;
	if (insn_is_exit(i))
		return true;
	if (insn_is_local_call(i))
		return seen(f, next) && seen(f, (s64)pc + 1 + i.imm);
	if (insn_is_ja(i))
		return seen(f, target);
	if (!insn_is_cond_jump(i))
		return seen(f, next);
	return decided != (FACT_TAKEN | FACT_NOT_TAKEN) &&
	       (decided & FACT_TAKEN || seen(f, next)) &&
	       (decided & FACT_NOT_TAKEN || seen(f, target));
}

static bool check_closed(u64 seed, const struct prog *p, const struct facts *f)
{
	if (!seen(f, 0))
		return fails(seed, p, "the first instruction isn't seen");
	for (u32 pc = 0; pc < p->len; pc += insn_is_ld_imm64(p->insns[pc]) ? 2 : 1)
		if (!closed(p, f, pc)) {
			printf("insn %u:\n", pc);
			return fails(seed, p, "what is seen leads to what isn't");
		}
	return true;
}

static struct prog *with_zeros(const struct prog *p, const struct verify_opts *opts)
{
	struct prog *zeroed = prog_clone(p);
	struct facts f = {0};

	if (verify(zeroed, opts, &f, NULL, NULL) || stack_zero_run(zeroed, &f, NULL) ||
		callbacks_run(zeroed, &f, NULL))
		abort();
	facts_fini(&f);
	return zeroed;
}

static bool run_seed(u64 seed, u32 *accepted)
{
	static const enum prog_type types[] = {PROG_TYPE_RAW, PROG_TYPE_RAW, PROG_TYPE_PACKET};
	struct random r = {seed * 0x2545f4914f6cdd1dull + 1};
	enum prog_type type = types[random_below(&r, ARRAY_LEN(types))];
	struct prog *p = seed % 3 ? random_prog(&r, type) : random_prog_rounds(&r, type);
	struct verify_opts opts = {.max_insns = INSNS_MAX};
	struct facts f = {0};
	bool ok = true;

	if (!verify(p, &opts, &f, NULL, NULL)) {
		++*accepted;
		ok = check_closed(seed, p, &f);
		struct prog *zeroed = with_zeros(p, &opts);
		for (u32 n = 0; ok && n < RUNS; n++)
			ok = run_once(seed, &r, p, &f, zeroed);
		prog_free(zeroed);
	}
	facts_fini(&f);
	prog_free(p);
	return ok;
}

int main(void)
{
	const char *one = getenv("WEIR_SEED"), *many = getenv("WEIR_PROGRAMS");
	u64 first = one ? strtoull(one, NULL, 0) : 1, nr = one    ? 1
							   : many ? strtoull(many, NULL, 0)
								  : PROGRAMS;
	u32 accepted = 0;
	bool ok = true;

	for (u64 seed = first; ok && seed < first + nr; seed++)
		ok = run_seed(seed, &accepted);
	printf("%u of %llu programs accepted and run\n", accepted, (unsigned long long)nr);
	return !ok || (nr > 100 && accepted < nr / 20);
}
