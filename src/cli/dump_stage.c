/* A program at each stage between instructions and machine code. */
#include <string.h>

#include "cli/dump_cli.h"
#include "cli/listing.h"
#include "isa/isa.h"
#include "isa/prog.h"
#include "rewrite/rewrite.h"
#include "verify/verify.h"

/* A stage prints one program, which it may use up. */
struct dump_stage {
	const char *name;
	int (*print)(const struct dump_cli *c, struct prog *p, struct buf *out, struct diag *d);
};

static int print_bpf(const struct dump_cli *c, struct prog *p, struct buf *out, struct diag *d)
{
	(void)c;
	(void)d;
	prog_print(out, p);
	return 0;
}

static int run_passes(const struct dump_cli *c, struct prog *p, struct facts *facts,
	struct buf *dump_to, struct diag *d)
{
	struct rewrite_opts opts = {.dump = c->passes,
		.dump_to = dump_to,
		.skip = c->skip_passes,
		.also = c->added_passes};
	int err = verify(p, NULL, facts, NULL, d);

	return err ? err : rewrite(p, facts, &opts, d);
}

static int print_rewritten(
	const struct dump_cli *c, struct prog *p, struct buf *out, struct diag *d)
{
	struct facts facts = {0};
	int err = run_passes(c, p, &facts, out, d);

	if (!err && !c->passes)
		prog_print(out, p);
	facts_fini(&facts);
	return err;
}

static int print_machine(const struct dump_cli *c, struct prog *p, struct buf *out, struct diag *d)
{
	struct jit_opts opts = {.target = jit_target_by_name(c->stage), .percpu = c->percpu};
	struct jit_image image = {0};
	struct facts facts = {0};
	int err = run_passes(c, p, &facts, NULL, d);

	if (!err)
		err = jit_compile(p, &facts, &opts, &image, d);
	if (!err)
		err = listing_print(out, p, &image, d);
	jit_image_fini(&image);
	facts_fini(&facts);
	return err;
}

static int print_log(const struct dump_cli *c, struct prog *p, struct buf *out, struct diag *d)
{
	struct verify_opts opts = {.log_level = 2, .log = out};
	struct facts facts = {0};
	int err = verify(p, &opts, &facts, NULL, d);

	(void)c;
	facts_fini(&facts);
	return err;
}

/* Both architectures' code beside the instructions that it came from. */
static int print_side(const struct dump_cli *c, struct prog *p, struct buf *out, struct diag *d)
{
	static const char *const names[] = {"x86_64", "arm64"};
	struct jit_image images[ARRAY_LEN(names)] = {0};
	struct facts facts = {0};
	int err = run_passes(c, p, &facts, NULL, d);

	for (size_t i = 0; !err && i < ARRAY_LEN(names); i++) {
		struct jit_opts opts = {
			.target = jit_target_by_name(names[i]), .percpu = c->percpu};
		err = jit_compile(p, &facts, &opts, &images[i], d);
	}
	if (!err)
		err = listing_print_side(out, p, &images[0], &images[1], d);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		jit_image_fini(&images[i]);
	facts_fini(&facts);
	return err;
}

static const struct dump_stage stages[] = {
	{"bpf", print_bpf},
	{"verifier", print_log},
	{"rewritten", print_rewritten},
	{"x86_64", print_machine},
	{"arm64", print_machine},
	{"side", print_side},
};

bool is_program_stage(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(stages); i++)
		if (!strcmp(name, stages[i].name))
			return true;
	return false;
}

int dump_program(const struct dump_cli *c, struct prog *p, struct buf *out, struct diag *d)
{
	for (size_t i = 0; i < ARRAY_LEN(stages); i++)
		if (!strcmp(stages[i].name, c->stage))
			return stages[i].print(c, p, out, d);
	UNREACHABLE();
}
