/* weir dump OBJ: the programs of a BPF object, linked, with the lines of their source. */
#include <string.h>

#include "cli/dump_cli.h"
#include "engine/api_program.h"
#include "isa/prog.h"
#include "cli/print_elf.h"

static int dump_one(const struct dump_cli *c, struct weir_object *object,
	struct weir_engine *engine, size_t i, const char *path, struct buf *out)
{
	const struct weir_object_program *op = weir_object_program(object, i);
	struct weir_program_spec spec;
	struct weir_error error = {0};
	struct prog *p = NULL;
	struct diag d = {0};

	if (weir_object_program_spec(object, i, &spec, &error)) {
		drop_result(out, -error.code);
		return report_error(path, &error);
	}
	int err = prog_from_spec(engine, &spec, &p, &d);
	if (!err) {
		buf_printf(out, "; %s, section \"%s\", type %s\n", op->name, op->section,
			op->type_text ? op->type_text : "unknown");
		err = dump_program(c, p, out, &d);
	}
	report(&d);
	drop_result(out, err);
	if (err)
		explain_no_memory(op);
	diag_fini(&d);
	prog_free(p);
	return exit_code_of(err);
}

static int dump_programs(
	const struct dump_cli *c, struct weir_object *object, const char *path, struct buf *out)
{
	struct weir_engine *engine = NULL;
	struct weir_error error = {0};
	int code = EXIT_OK, nr = 0;

	if (c->object.prog && choose_program(object, path, c->object.prog) < 0)
		return EXIT_USAGE;
	if (weir_engine_new(1, &engine, &error) || weir_object_make_maps(object, engine, &error)) {
		weir_engine_free(engine);
		return report_error(path, &error);
	}
	for (size_t i = 0; i < weir_object_programs(object); i++) {
		if (!is_chosen(object, i, c->object.prog))
			continue;
		buf_puts(out, nr++ ? "\n" : "");
		int one = dump_one(c, object, engine, i, path, out);
		code = one ? one : code;
	}
	weir_engine_free(engine);
	return code;
}

static int dump_elf(const char *path, struct buf *out)
{
	struct buf bytes = {0};
	struct diag d = {0};
	int err = read_file(path, UINT32_MAX, &bytes, &d);

	if (!err)
		err = print_elf(path, bytes.data, bytes.len, out, &d);
	report(&d);
	diag_fini(&d);
	buf_fini(&bytes);
	return exit_code_of(err);
}

int dump_object(const struct dump_cli *c, const char *path, struct buf *out)
{
	struct weir_object *object;

	if (!strcmp(c->stage, "elf"))
		return dump_elf(path, out);
	if (!is_program_stage(c->stage)) {
		complain("%s: a BPF object has no stage '%s'", path, c->stage);
		return EXIT_USAGE;
	}
	int code = open_object(path, &c->object, &object);
	if (code)
		return code;
	code = dump_programs(c, object, path, out);
	weir_object_free(object);
	return code;
}
