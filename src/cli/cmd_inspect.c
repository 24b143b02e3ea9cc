/* weir inspect: what is in a BPF object, and what of it weir lacks. */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/object_cli.h"
#include "isa/insn.h"

struct inspect_cli {
	struct object_cli object;
	bool json;
};

/* Helpers and kernel functions that a program calls, each once, in the order of their numbers. */
struct calls {
	u32 *numbers; /* owned */
	size_t nr, cap;
};

static bool calls_add(struct calls *c, u32 number)
{
	size_t at = 0;

	while (at < c->nr && c->numbers[at] < number)
		at++;
	if (at < c->nr && c->numbers[at] == number)
		return true;
	if (array_grow((void **)&c->numbers, &c->cap, c->nr + 1, sizeof(*c->numbers)))
		return false;
	memmove(c->numbers + at + 1, c->numbers + at, (c->nr - at) * sizeof(*c->numbers));
	c->numbers[at] = number;
	c->nr++;
	return true;
}

static bool calls_of(const struct weir_program_spec *spec, struct calls *c)
{
	for (size_t i = 0; i < spec->nr_insns; i++) {
		const struct weir_insn *insn = &spec->insns[i];

		if (insn->code == (BPF_JMP | BPF_CALL) && insn->src != CALL_LOCAL &&
			!calls_add(c, (u32)insn->imm))
			return false;
		i += insn->code == (BPF_LD | BPF_IMM | BPF_DW);
	}
	return true;
}

static void print_calls(struct buf *out, const struct calls *c, bool json)
{
	for (size_t i = 0; i < c->nr; i++) {
		struct weir_helper h = {0};
		bool known = weir_helper_by_number(c->numbers[i], &h);

		buf_puts(out, i ? json ? "," : ", " : "");
		if (json)
			buf_printf(out, "{\"number\":%u,\"name\":\"%s\",\"here\":%s}",
				c->numbers[i], known ? h.name : "", h.here ? "true" : "false");
		else
			buf_printf(out, "%s#%u%s", known ? h.name : "unknown", c->numbers[i],
				h.here ? "" : " (not here)");
	}
}

static void print_lacks(struct buf *out, char *lacks, bool json)
{
	const char *separator = "";

	for (char *line = lacks; line && *line;) {
		char *end = strchr(line, '\n');
		size_t len = end ? (size_t)(end - line) : strlen(line);

		if (json) {
			buf_puts(out, separator);
			buf_json_string(out, line, len);
		} else {
			buf_printf(out, "    lacks: %.*s\n", (int)len, line);
		}
		separator = ",";
		line = end ? end + 1 : NULL;
	}
}

/* Maps are needed to resolve a program's names; a small engine will do. */
static void print_program(
	struct weir_object *object, size_t i, bool json, struct buf *out, struct weir_error *error)
{
	const struct weir_object_program *p = weir_object_program(object, i);
	struct weir_program_spec spec = {0};
	struct calls calls = {0};
	char *lacks = NULL;
	int err = weir_object_program_lacks(object, i, &lacks);
	bool resolved = !err && !weir_object_program_spec(object, i, &spec, error);

	if (err || (!resolved && error->code == ENOMEM) || (resolved && !calls_of(&spec, &calls)))
		out->failed = true; /* there is no other reason than lack of memory */
	if (json) {
		buf_puts(out, "{\"name\":");
		buf_json_string(out, p->name, strlen(p->name));
		buf_puts(out, ",\"section\":");
		buf_json_string(out, p->section, strlen(p->section));
		buf_printf(out, ",\"type\":\"%s\",\"insns\":%zu,\"calls\":[",
			p->type_text ? p->type_text : "", p->nr_insns);
		print_calls(out, &calls, true);
		buf_puts(out, "],\"lacks\":[");
		print_lacks(out, lacks, true);
		buf_puts(out, "]}");
	} else {
		buf_printf(out, "program %s: section \"%s\", type %s, %zu instructions\n", p->name,
			p->section, p->type_text ? p->type_text : "unknown", p->nr_insns);
		if (calls.nr) {
			buf_puts(out, "    calls: ");
			print_calls(out, &calls, false);
			buf_puts(out, "\n");
		}
		print_lacks(out, lacks, false);
	}
	mem_free(calls.numbers);
	weir_text_free(lacks);
}

static void print_map(const struct weir_object_map *m, bool json, struct buf *out)
{
	const struct weir_map_spec *s = &m->spec;
	const char *type = weir_map_type_name(s->type);

	if (json) {
		buf_puts(out, "{\"name\":");
		buf_json_string(out, m->name, strlen(m->name));
		buf_printf(out,
			",\"type\":%u,\"type_name\":\"%s\",\"key_size\":%u,\"value_size\":%u,\"max_"
			"entries\":%u,"
			"\"flags\":%u,\"here\":%s,\"data\":%s,\"read_only\":%s,\"pinned\":%s}",
			(unsigned)s->type, type ? type : "", s->key_size, s->value_size,
			s->max_entries, s->flags, type ? "true" : "false",
			m->is_data ? "true" : "false", m->read_only ? "true" : "false",
			m->pinned ? "true" : "false");
		return;
	}
	buf_printf(out, "map %s: ", m->name);
	if (type)
		buf_puts(out, type);
	else
		buf_printf(out, "type %u (not here)", (unsigned)s->type);
	buf_printf(out, ", key %u bytes, value %u bytes, %u entries", s->key_size, s->value_size,
		s->max_entries);
	if (s->flags)
		buf_printf(out, ", flags 0x%x", s->flags);
	buf_printf(out, "%s%s%s\n", m->is_data ? ", global data" : "",
		m->read_only ? ", read-only" : "", m->pinned ? ", asks to be pinned" : "");
}

static int print_object(struct weir_object *object, const char *path, bool json, struct buf *out)
{
	const char *license = weir_object_license(object);
	struct weir_engine *engine = NULL;
	struct weir_error error = {0};
	int err = weir_engine_new(1, &engine, &error);

	/* Where there are no such maps here the programs' lacks say so. */
	if (!err && weir_object_make_maps(object, engine, &error) &&
		exit_code_of(-error.code) == EXIT_SYSTEM)
		err = -error.code;
	buf_puts(out, json ? "{\"license\":" : "license: ");
	if (json)
		buf_json_string(out, license ? license : "", license ? strlen(license) : 0);
	else
		buf_printf(out, "%s\n", license ? license : "none");
	buf_puts(out, json ? ",\"maps\":[" : "");
	for (size_t i = 0; i < weir_object_maps(object); i++) {
		buf_puts(out, json && i ? "," : "");
		print_map(weir_object_map(object, i), json, out);
	}
	buf_puts(out, json ? "],\"programs\":[" : "");
	for (size_t i = 0; !err && i < weir_object_programs(object); i++) {
		buf_puts(out, json && i ? "," : "");
		print_program(object, i, json, out, &error);
	}
	buf_puts(out, json ? "]}\n" : "");
	weir_engine_free(engine);
	return err ? report_error(path, &error) : EXIT_OK;
}

static int inspect_main(void *opts, char **args, u32 nr_args)
{
	struct inspect_cli *c = opts;
	struct weir_object *object;
	struct buf out = {0};
	int code = open_object(args[0], &c->object, &object);

	(void)nr_args;
	if (code)
		return code;
	code = print_object(object, args[0], c->json, &out);
	if (!code)
		code = write_out(stdout, &out);
	buf_fini(&out);
	weir_object_free(object);
	return code;
}

static bool set_json(void *opts, const char *arg)
{
	(void)arg;
	((struct inspect_cli *)opts)->json = true;
	return true;
}

static const struct cli_option inspect_options[] = {
	{"json", 0, NULL, "print as JSON", set_json, ""},
	OBJECT_OPTIONS,
};

const struct subcommand cmd_inspect = {
	.name = "inspect",
	.summary = "list programs and maps of a BPF object, what they call, and what of it is "
		   "missing here",
	.usage = "OBJ [options]",
	.examples = "examples:\n"
		    "  weir inspect prog.o\n"
		    "  weir inspect prog.o --json | jq '.programs[].lacks'\n",
	.options = inspect_options,
	.nr_options = ARRAY_LEN(inspect_options),
	.min_args = 1,
	.max_args = 1,
	.opts_bytes = sizeof(struct inspect_cli),
	.run = inspect_main,
};
