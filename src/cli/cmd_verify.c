/* weir verify: does the verifier accept the programs of a BPF object, and what does it know at each step? */
#include <errno.h>
#include <string.h>

#include "cli/object_cli.h"
#include "engine/api_program.h"
#include "isa/prog.h"
#include "verify/verify.h"

struct verify_cli {
	struct object_cli object;
	unsigned log_level;
	bool json;
};

/* What became of one program. */
struct outcome {
	int err;
	struct verify_stats stats;
	struct buf log;
	struct diag d;
};

static void verify_one(const struct verify_cli *c, struct weir_engine *engine,
	const struct weir_program_spec *spec, struct outcome *o)
{
	struct verify_opts opts = {.log_level = c->log_level,
		.log = &o->log,
		.strict_alignment = spec->strict_alignment};
	struct facts facts = {0};
	struct prog *p = NULL;

	o->err = prog_from_spec(engine, spec, &p, &o->d);
	if (!o->err)
		o->err = verify(p, &opts, &facts, &o->stats, &o->d);
	facts_fini(&facts);
	prog_free(p);
}

static void print_text(const char *name, struct outcome *o, struct buf *out)
{
	buf_put(out, o->log.data, o->log.len);
	if (o->err)
		buf_printf(out, "%s: refused: %s\n", name, diag_first(&o->d));
	else
		buf_printf(out, "%s: accepted, %u instructions walked%s\n", name,
			o->stats.insns_walked,
			o->stats.compares_addresses ? "; it compares addresses, so that what it "
						      "does may differ from run to run"
						    : "");
}

static void print_json(const char *name, struct outcome *o, struct buf *out)
{
	const char *reason = diag_first(&o->d);

	buf_puts(out, "{\"name\":");
	buf_json_string(out, name, strlen(name));
	buf_printf(out,
		",\"accepted\":%s,\"errno\":%d,\"insns_walked\":%u,\"compares_addresses\":%s,"
		"\"reason\":",
		o->err ? "false" : "true", -o->err, o->stats.insns_walked,
		o->stats.compares_addresses ? "true" : "false");
	buf_json_string(out, reason, strlen(reason));
	buf_puts(out, ",\"log\":");
	buf_json_string(out, (const char *)o->log.data, o->log.len);
	buf_puts(out, "}");
}

static int verify_program(const struct verify_cli *c, struct weir_object *object,
	struct weir_engine *engine, size_t i, const char *path, struct buf *out)
{
	const struct weir_object_program *p = weir_object_program(object, i);
	struct weir_program_spec spec;
	struct weir_error error = {0};
	struct outcome o = {0};

	if (weir_object_program_spec(object, i, &spec, &error)) {
		drop_result(out, -error.code);
		return report_error(path, &error);
	}
	verify_one(c, engine, &spec, &o);
	if (c->json)
		print_json(p->name, &o, out);
	else
		print_text(p->name, &o, out);
	drop_result(out, o.err);
	if (o.err) {
		report(&o.d);
		explain_no_memory(p);
	}
	int code = o.err == -ENOMEM ? EXIT_SYSTEM : o.err ? EXIT_REFUSED : EXIT_OK;
	buf_fini(&o.log);
	diag_fini(&o.d);
	return code;
}

static int verify_object(
	const struct verify_cli *c, struct weir_object *object, const char *path, struct buf *out)
{
	struct weir_engine *engine = NULL;
	struct weir_error error = {0};
	int code = EXIT_OK, verified = 0;

	if (weir_engine_new(1, &engine, &error) || weir_object_make_maps(object, engine, &error)) {
		weir_engine_free(engine);
		return report_error(path, &error);
	}
	buf_puts(out, c->json ? "[" : "");
	for (size_t i = 0; i < weir_object_programs(object); i++) {
		if (!is_chosen(object, i, c->object.prog))
			continue;
		buf_puts(out, c->json && verified ? "," : "");
		int one = verify_program(c, object, engine, i, path, out);
		code = one ? one : code;
		verified++;
	}
	buf_puts(out, c->json ? "]\n" : "");
	if (!verified && c->object.prog)
		code = choose_program(object, path, c->object.prog) < 0 ? EXIT_USAGE : code;
	else if (!verified)
		complain("%s: the object has no programs", path);
	weir_engine_free(engine);
	return code;
}

static int verify_main(void *opts, char **args, u32 nr_args)
{
	struct verify_cli *c = opts;
	struct weir_object *object;
	struct buf out = {0};
	int code = open_object(args[0], &c->object, &object);

	(void)nr_args;
	if (code)
		return code;
	code = verify_object(c, object, args[0], &out);
	int written = code && !out.len ? code : write_out(stdout, &out);
	buf_fini(&out);
	weir_object_free(object);
	return code ? code : written;
}

static bool set_log(void *opts, const char *arg)
{
	if (strlen(arg) != 1 || *arg < '0' || *arg > '2')
		return false;
	((struct verify_cli *)opts)->log_level = (unsigned)(*arg - '0');
	return true;
}

static bool set_json(void *opts, const char *arg)
{
	(void)arg;
	((struct verify_cli *)opts)->json = true;
	return true;
}

static const struct cli_option verify_options[] = {
	OBJECT_PROG_OPTION("only this program (default: all)"),
	{"log", 'l', "LEVEL", "0 verdict (default), 1 the path to the error, 2 every step", set_log,
		"0, 1 or 2"},
	{"json", 0, NULL, "print as JSON", set_json, ""},
	OBJECT_OPTIONS,
	OBJECT_MEM_OPTION,
};

const struct subcommand cmd_verify = {
	.name = "verify",
	.summary = "verify the programs of a BPF object as the kernel would",
	.usage = "OBJ [options]",
	.examples = "examples:\n"
		    "  weir verify prog.o\n"
		    "  weir verify prog.o --prog xdp_main --log 2       every step, with what is "
		    "known of each register\n"
		    "\n"
		    "exit code: 0 all accepted, 1 one is refused, 2 wrong command line, 4 a file "
		    "can't be read or\n"
		    "memory ran out\n",
	.options = verify_options,
	.nr_options = ARRAY_LEN(verify_options),
	.min_args = 1,
	.max_args = 1,
	.opts_bytes = sizeof(struct verify_cli),
	.run = verify_main,
};
