/* Public interface: looking into the stages of the pipeline. */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "engine/api.h"
#include "engine/api_program.h"
#include "engine/engine.h"
#include "engine/error.h"
#include "isa/isa.h"

struct dump {
	const struct weir_engine *engine;
	struct buf text;
	const char *stages;
	const struct jit_target *target;
};

static bool wants(const struct dump *dump, char stage)
{
	return strchr(dump->stages, stage) != NULL;
}

static void dump_prog(struct dump *dump, char stage, const char *title, const struct prog *p)
{
	if (!wants(dump, stage))
		return;
	buf_printf(&dump->text, "; %s\n", title);
	prog_print(&dump->text, p);
}

/* Native code as bytes, one line for each instruction that has some. */
static void print_image(struct buf *out, const struct jit_image *image)
{
	const u8 *code = image->code.data;

	for (u32 pc = 0; pc <= image->len; pc++) {
		size_t from = image->insn_off[pc];
		size_t to = pc < image->len ? image->insn_off[pc + 1] : image->code.len;

		if (pc == 0 && from > 0) {
			buf_puts(out, "entry:");
			for (size_t i = 0; i < from; i++)
				buf_printf(out, " %02x", code[i]);
			buf_puts(out, "\n");
		}
		if (from == to)
			continue;
		if (pc < image->len)
			buf_printf(out, "%5u:", pc);
		else
			buf_puts(out, "  end:");
		for (size_t i = from; i < to; i++)
			buf_printf(out, " %02x", code[i]);
		buf_puts(out, "\n");
	}
}

static int dump_native(
	struct dump *dump, const struct prog *p, const struct facts *f, struct diag *d)
{
	struct jit_opts opts = {
		.target = dump->target, .landing_pads = engine_has_pads(dump->engine)};
	struct jit_image image = {0};

	if (!wants(dump, 'J'))
		return 0;
	int err = jit_compile(p, f, &opts, &image, d);
	if (err)
		return err;
	buf_printf(&dump->text, "; native code, %s, %zu bytes\n", jit_target_name(image.target),
		image.code.len);
	print_image(&dump->text, &image);
	jit_image_fini(&image);
	return 0;
}

static int dump_stages(
	struct dump *dump, struct prog *p, const struct weir_program_spec *spec, struct diag *d)
{
	struct facts facts = {0};
	struct verify_opts verify_opts = {
		.log_level = 2, .log = wants(dump, 'V') ? &dump->text : NULL};
	struct rewrite_opts rewrite_opts = {
		.skip = spec->skip_passes,
		.also = engine_passes(dump->engine),
		.dump = wants(dump, '*') ? "*" : dump->stages,
		.dump_to = &dump->text,
	};

	dump_prog(dump, 'P', "program", p);
	if (wants(dump, 'V'))
		buf_puts(&dump->text, "; verifier\n");
	int err = verify(p, &verify_opts, &facts, NULL, d);
	if (err)
		return err;
	err = rewrite(p, &facts, &rewrite_opts, d);
	if (!err)
		dump_prog(dump, 'R', "rewritten", p);
	if (!err)
		err = dump_native(dump, p, &facts, d);
	facts_fini(&facts);
	return err;
}

int weir_program_dump(struct weir_engine *engine, const struct weir_program_spec *spec,
	const char *stages, const char *target, char **text, struct weir_error *error)
{
	const char *null = !engine ? "engine" : !spec ? "spec" : !stages ? "stages" : NULL;
	struct diag d = {0};
	struct dump dump = {.engine = engine, .stages = stages};

	if (!text)
		return error_null(error, "text");
	*text = NULL;
	if (null)
		return error_null(error, null);
	struct prog *p = NULL;
	int err = prog_from_spec(engine, spec, &p, &d);

	if (!err && target) {
		dump.target = jit_target_by_name(target);
		if (!dump.target)
			err = diag_fail(&d, pos_none(), EINVAL, "'%s' is not a target", target);
	}
	if (!err)
		err = dump_stages(&dump, p, spec, &d);
	*text = mem_strdup(buf_cstr(&dump.text));
	if (!err && (dump.text.failed || !*text))
		err = diag_nomem(&d);
	if (err)
		error_fill(error, err, &d);
	buf_fini(&dump.text);
	prog_free(p);
	diag_fini(&d);
	return err;
}

void weir_text_free(char *text)
{
	mem_free(text);
}

bool weir_pass(size_t i, struct weir_pass *pass)
{
	const struct pass *row = pass_at(i);

	if (!row || !pass)
		return false;
	*pass = (struct weir_pass){.letter = row->letter,
		.optional = row->kind == PASS_OPTIONAL,
		.on_request = row->kind == PASS_ON_REQUEST,
		.name = row->name,
		.what = row->what};
	return true;
}
