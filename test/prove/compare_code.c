/* Prints the masked compare of programs as machine code, for compare.py to prove: a line for each form,
 *
 *     TARGET WAY constant WANT MASK CODE     or     TARGET WAY dynamic ADDRESS CODE
 *
 * bytes in hex. ADDRESS is where the value stands whose first half is the address, whose second is the mask; WAY says
 * which passes and peepholes there were. */
#include <inttypes.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/text.h"
#include "bench/addr.h"
#include "cpu/cpu.h"
#include "isa/prog.h"
#include "jit/jit.h"
#include "map/map.h"
#include "rewrite/rewrite.h"
#include "verify/verify.h"

enum { ADDR_BYTES = 16, ADDR_BITS = 128, RANDOM_MASKS = 64 };

static const struct way {
	const char *name, *skip;
	u64 without;
} ways[] = {
	{"all", NULL, 0},
	{"no-peepholes", NULL, ~0ull},
	{"needed", "*", ~0ull},
};

static void print_bytes(const u8 *bytes, size_t n)
{
	putchar(' ');
	for (size_t i = 0; i < n; i++)
		printf("%02x", bytes[i]);
}

/* Of the program, which it uses up. */
static int compile(struct prog *p, const struct jit_target *target, const struct way *way,
	struct jit_image *image, struct diag *d)
{
	struct facts facts = {0};
	struct rewrite_opts passes = {.skip = way->skip};
	struct jit_opts opts = {.target = target,
		.without = way->without,
		.bmi2 = way->without ? JIT_BMI2_NEVER : JIT_BMI2_ALWAYS,
		.lse = JIT_LSE_NEVER};
	int err = verify(p, NULL, &facts, NULL, d);

	if (!err)
		err = rewrite(p, &facts, &passes, d);
	if (!err)
		err = jit_compile(p, &facts, &opts, image, d);
	facts_fini(&facts);
	return err;
}

/* The compare of the address with `want` under `mask`, or with what stands in `value`. */
struct form {
	const u8 *want, *mask;
	struct cpus *cpus;
	struct map *value;
};

static int new_program(struct form *f, struct prog **out, struct diag *d)
{
	return f->want ? bench_addr_constant(f->want, f->mask, out, d)
		       : bench_addr_dynamic(f->cpus, &f->value, out, d);
}

static int print_code(
	struct form *f, const struct jit_target *target, const struct way *way, struct diag *d)
{
	struct jit_image image = {0};
	struct prog *p = NULL;
	int err = new_program(f, &p, d);

	if (!err)
		err = compile(p, target, way, &image, d);
	if (!err) {
		printf("%s %s %s", jit_target_name(target), way->name,
			f->want ? "constant" : "dynamic");
		if (f->want) {
			print_bytes(f->want, ADDR_BYTES);
			print_bytes(f->mask, ADDR_BYTES);
		} else {
			printf(" %" PRIx64, f->value->layout.base);
		}
		print_bytes(image.code.data, image.code.len);
		putchar('\n');
	}
	jit_image_fini(&image);
	prog_free(p);
	map_put(f->value);
	f->value = NULL;
	return err;
}

static int print_form(struct form *f, struct diag *d)
{
	const struct jit_target *target;
	int err = 0;

	for (size_t i = 0; (target = jit_target_at(i)); i++)
		for (size_t w = 0; !err && w < ARRAY_LEN(ways); w++)
			err = print_code(f, target, &ways[w], d);
	return err;
}

static u8 next_random(u64 *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (u8)(*state >> 56);
}

/* Random bits as the address, without those beyond the mask. */
static int print_constant(const u8 *mask, u64 *state, struct diag *d)
{
	u8 want[ADDR_BYTES];
	struct form f = {.want = want, .mask = mask};

	for (u32 i = 0; i < ADDR_BYTES; i++)
		want[i] = next_random(state) & mask[i];
	return print_form(&f, d);
}

static int print_constants(struct diag *d)
{
	u8 mask[ADDR_BYTES];
	u64 state = 1;
	int err = 0;

	for (u32 bits = 0; !err && bits <= ADDR_BITS; bits++) {
		mask_from_prefix(mask, ADDR_BYTES, bits);
		err = print_constant(mask, &state, d);
	}
	for (u32 n = 0; !err && n < RANDOM_MASKS; n++) {
		/* From full bytes to none, so that words, halves and single bytes of the mask are empty, too. */
		for (u32 i = 0; i < ADDR_BYTES; i++)
			mask[i] = next_random(&state) % 8 < n % 8 ? 0
				  : n % 3                         ? next_random(&state)
								  : 0xff;
		err = print_constant(mask, &state, d);
	}
	return err;
}

int main(void)
{
	struct diag d = {0};
	struct cpus *cpus = NULL;
	int err = cpus_new(1, &cpus, &d);

	if (!err)
		err = print_constants(&d);
	if (!err)
		err = print_form(&(struct form){.cpus = cpus}, &d);
	if (err)
		fprintf(stderr, "%s\n", diag_first(&d));
	cpus_free(cpus);
	diag_fini(&d);
	return err ? 1 : 0;
}
