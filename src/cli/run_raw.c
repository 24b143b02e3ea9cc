/* weir run --raw: bare instructions on bare memory. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/map_text.h"
#include "cli/run_cli.h"
#include "cpu/cpu.h"
#include "interp/checked.h"
#include "isa/prog.h"

enum { HEX_BYTES_MAX = 64 << 20 };

int read_hex_arg(const char *what, const char *arg, struct buf *out)
{
	bool is_file = arg[0] == '@', from_stdin = !strcmp(arg, "-");
	struct buf text = {0};
	struct diag d = {0};
	size_t at = 0;
	int err = 0;

	if (is_file || from_stdin)
		err = read_file(is_file ? arg + 1 : arg, HEX_BYTES_MAX, is_file ? out : &text, &d);
	if (err) {
		report(&d);
		diag_fini(&d);
		return EXIT_SYSTEM;
	}
	struct str hex =
		from_stdin ? str_new(text.data ? (char *)text.data : "", text.len) : str_of(arg);
	if (!is_file)
		err = hex_parse(hex, out, &at);
	if (err)
		complain("--%s: at character %zu: pairs of hex digits are expected, blanks between "
			 "pairs are fine",
			what, at + 1);
	buf_fini(&text);
	return err ? EXIT_USAGE : EXIT_OK;
}

static int print_result(const struct run_cli *c, u64 r0)
{
	struct buf out = {0};

	if (c->json)
		buf_printf(&out, "{\"retval\":%" PRIu64 "}\n", r0);
	else
		buf_printf(&out, "0x%" PRIx64 "\n", r0);
	int code = write_out(stdout, &out);
	buf_fini(&out);
	return code;
}

static int run_verified(const struct run_cli *c, const struct buf *insns, struct buf *mem)
{
	struct weir_engine *engine = NULL;
	struct weir_program *program = NULL;
	struct weir_slot *slot = NULL;
	struct weir_error error = {0};
	struct weir_program_spec spec = {
		.name = "raw",
		.type = WEIR_PROG_RAW,
		.insns = (const struct weir_insn *)(const void *)insns->data,
		.nr_insns = insns->len / sizeof(struct weir_insn),
		.raw_bytes = (u32)mem->len,
		.mode = c->mode,
	};
	u8 nothing = 0;
	uint64_t r0 = 0;
	int code;

	int err = weir_engine_new_sparse(c->slots, &engine, &error);
	weir_engine_announce(engine, c->announce);
	weir_engine_harden(engine, c->harden);
	if (err || weir_program_new(engine, &spec, &program, NULL, &error)) {
		code = report_error(NULL, &error);
		goto out;
	}
	err = weir_slot_take(engine, c->cpu, &slot);
	for (u32 i = 0; !err && i < c->repeat; i++)
		err = weir_run(program, slot, mem->len ? mem->data : &nothing, mem->len, &r0);
	if (err)
		complain("the program can't be run: %s", strerror(-err));
	code = err ? EXIT_SYSTEM : print_result(c, r0);
out:
	weir_slot_release(slot);
	weir_program_free(program);
	weir_engine_free(engine);
	return code;
}

/* Only the form of the instructions is checked before; accesses while they run. */
static int run_unverified(const struct run_cli *c, const struct buf *insns, struct buf *mem)
{
	struct prog *p = prog_new("raw", PROG_TYPE_RAW);
	struct cpus *cpus = NULL;
	struct diag d = {0};
	u64 r0 = 0;
	int err = p ? prog_set_insns(p, (const struct insn *)(const void *)insns->data,
			      (u32)(insns->len / sizeof(struct insn)))
		    : -ENOMEM;

	if (!err)
		err = prog_check(p, &d);
	if (!err)
		err = cpus_new(c->cpu + 1, &cpus, &d);
	if (!err)
		err = cpu_take(cpus, c->cpu);
	for (u32 i = 0; !err && i < c->repeat; i++)
		err = interp_run_checked(
			p, mem->data, mem->len, cpu_base(cpus, c->cpu), CHECKED_INSNS_MAX, &r0, &d);
	report(&d);
	if (err && !d.nr)
		complain("%s", strerror(-err));
	if (cpus)
		cpu_release(cpus, c->cpu);
	cpus_free(cpus);
	prog_free(p);
	diag_fini(&d);
	if (!err)
		return print_result(c, r0);
	return err == -ENOMEM ? EXIT_SYSTEM : EXIT_REFUSED;
}

int run_raw(const struct run_cli *c)
{
	struct buf insns = {0}, mem = {0};
	int code = read_hex_arg("raw", c->raw, &insns);

	if (!code && c->mem)
		code = read_hex_arg("mem", c->mem, &mem);
	if (!code && (!insns.len || insns.len % sizeof(struct insn))) {
		complain("--raw: %zu bytes are no whole number of instructions of 8 bytes",
			insns.len);
		code = EXIT_USAGE;
	}
	if (!code)
		code = c->no_verify ? run_unverified(c, &insns, &mem)
				    : run_verified(c, &insns, &mem);
	buf_fini(&insns);
	buf_fini(&mem);
	return code;
}
