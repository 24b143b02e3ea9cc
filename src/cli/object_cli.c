#include "cli/object_cli.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

/* How a struct weir_error begins the lines behind the first. */
#define NOTE "note: "
enum { NOTE_BYTES = sizeof(NOTE) - 1 };

int report_error(const char *file, const struct weir_error *error)
{
	struct diag d = {0};
	struct pos pos = file ? pos_text(file, 0, 0) : pos_none();
	const char *notes = strchr(error->message, '\n');
	int first = notes ? (int)(notes - error->message) : (int)strlen(error->message);
	struct buf where = {0};

	if (error->where == WEIR_AT_INSN) {
		buf_printf(&where, "%s%s%s", file ? file : "", file ? ": " : "", error->name);
		pos = pos_insn(buf_cstr(&where), error->insn);
	}
	if (error->where == WEIR_AT_TEXT)
		pos = pos_text(error->name, error->line, error->col);
	diag_fail(&d, pos, error->code, "%.*s", first, error->message);
	if (*error->source)
		diag_source(&d, error->source, strlen(error->source));
	while (notes) {
		const char *end = strchr(notes + 1, '\n');
		int len = end ? (int)(end - notes - 1) : (int)strlen(notes + 1);

		bool labelled = len > NOTE_BYTES && !memcmp(notes + 1, NOTE, NOTE_BYTES);

		diag_note(&d, pos, "%.*s", labelled ? len - NOTE_BYTES : len,
			notes + 1 + (labelled ? NOTE_BYTES : 0));
		notes = end;
	}
	report(&d);
	diag_fini(&d);
	buf_fini(&where);
	return error->code == ENOENT ? EXIT_SYSTEM : exit_code_of(-error->code);
}

/* A file that is named must be there, also when the object turns out not to need it. */
static bool is_readable(const char *option, const char *path)
{
	if (!path || !access(path, R_OK))
		return true;
	complain("--%s %s: %s", option, path, strerror(errno));
	return false;
}

int open_object(const char *path, const struct object_cli *o, struct weir_object **object)
{
	struct weir_object_opts opts = {.default_type = o->type,
		.default_raw_bytes = o->mem_bytes,
		.btf = o->btf,
		.kconfig = o->kconfig};
	struct weir_error error = {0};
	struct buf bytes = {0};
	struct diag d = {0};
	int err;

	if (o->mem_bytes && o->type && o->type != WEIR_PROG_RAW) {
		complain("--mem-size is for programs of type raw, not %s",
			weir_program_type_name(o->type));
		return EXIT_USAGE;
	}
	if (!is_readable("btf", o->btf) || !is_readable("kconfig", o->kconfig))
		return EXIT_SYSTEM;
	if (strcmp(path, "-")) {
		err = weir_object_open(path, &opts, object, &error);
		return err ? report_error(path, &error) : EXIT_OK;
	}
	opts.name = "standard input";
	err = read_file(path, UINT32_MAX, &bytes, &d);
	if (err) {
		report(&d);
		diag_fini(&d);
		return EXIT_SYSTEM;
	}
	err = weir_object_open_memory(bytes.data, bytes.len, &opts, object, &error);
	buf_fini(&bytes);
	return err ? report_error(opts.name, &error) : EXIT_OK;
}

static void list_programs(const struct weir_object *object, struct buf *out)
{
	for (size_t i = 0; i < weir_object_programs(object); i++)
		buf_printf(out, "%s%s", i ? ", " : "", weir_object_program(object, i)->name);
}

int choose_program(const struct weir_object *object, const char *path, const char *name)
{
	size_t nr = weir_object_programs(object);
	struct buf names = {0};
	int found = -1;

	list_programs(object, &names);
	if (!nr)
		complain("%s: the object has no programs", path);
	else if (name && (found = weir_object_find_program(object, name)) < 0)
		complain("%s: there is no program '%s', but %s", path, name, buf_cstr(&names));
	else if (!name && nr > 1)
		complain("%s: which program? --prog NAME, of %s", path, buf_cstr(&names));
	else if (!name)
		found = 0;
	buf_fini(&names);
	return found < 0 ? -1 : found;
}

void explain_no_memory(const struct weir_object_program *p)
{
	if (p->type == WEIR_PROG_RAW && !p->raw_bytes)
		complain("program %s is given no memory: --mem-size BYTES, or a section named "
			 "raw/BYTES",
			p->name);
}

bool is_chosen(const struct weir_object *object, size_t i, const char *name)
{
	const struct weir_object_program *p = weir_object_program(object, i);

	return !name || !strcmp(p->name, name) || !strcmp(p->section, name);
}
