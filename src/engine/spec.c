/* From a public description to a program of ours: instructions, maps, lines, functions, license. */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/limits.h"
#include "engine/api.h"
#include "engine/api_program.h"
#include "engine/license.h"
#include "progtype/progtype.h"

static int add_maps(struct prog *p, const struct weir_engine *engine,
	const struct weir_program_spec *spec, struct diag *d)
{
	for (size_t i = 0; i < spec->nr_maps; i++) {
		u32 index;

		if (!spec->maps || !spec->maps[i])
			return diag_fail(d, pos_insn(p->name, 0), EINVAL, "map %zu is NULL", i);
		if (spec->maps[i]->engine != engine)
			return diag_fail(d, pos_insn(p->name, 0), EINVAL,
				"map %zu belongs to another engine than the program", i);
		int err = prog_add_map(p, spec->maps[i]->map, &index);
		if (err)
			return err == -ENOMEM ? diag_nomem(d)
					      : diag_fail(d, pos_insn(p->name, 0), -err,
							"%zu maps, the limit is %u", spec->nr_maps,
							PROG_MAX_MAPS);
	}
	return 0;
}

/* ---- lines and functions ---- */

/* Offset of a copy in p->line_text, whose byte 0 is NUL; 0 for no text. */
static u32 add_text(struct buf *text, const char *s)
{
	u32 at = (u32)text->len;

	if (!s)
		return 0;
	buf_put(text, s, strlen(s) + 1);
	return at;
}

static int add_lines(
	struct prog *p, const struct weir_program_spec *spec, struct buf *text, struct diag *d)
{
	p->lines = mem_alloc(array_size(spec->nr_lines, sizeof(*p->lines)));
	if (!p->lines)
		return diag_nomem(d);
	for (size_t i = 0; i < spec->nr_lines; i++) {
		const struct weir_source_line *line = &spec->lines[i];

		if (line->insn >= p->len || (i && line->insn < line[-1].insn))
			return diag_fail(d, pos_insn(p->name, line->insn), EINVAL,
				"source line %zu begins at instruction %u; they must be sorted, "
				"and there are "
				"%u instructions",
				i, line->insn, p->len);
		p->lines[p->nr_lines++] = (struct prog_line){
			.pc = line->insn,
			.line = line->line,
			.col = line->col,
			.text = add_text(text, line->text),
		};
	}
	return 0;
}

_Static_assert(WEIR_ARG_SCALAR == (int)FUNC_ARG_SCALAR && WEIR_ARG_CTX == (int)FUNC_ARG_CTX &&
		       WEIR_ARG_MEM == (int)FUNC_ARG_MEM &&
		       WEIR_ARG_UNSUPPORTED == (int)FUNC_ARG_UNSUPPORTED,
	"public kinds of arguments are those inside");

static void copy_function(struct prog_func *to, const struct weir_function *from)
{
	to->pc = from->insn;
	to->global = from->global;
	to->returns_void = from->returns_void;
	to->nr_args = from->nr_args;
	for (u32 i = 0; i < from->nr_args; i++)
		to->args[i] = (struct func_arg){
			from->args[i].kind, from->args[i].nonnull, from->args[i].bytes};
}

static int add_functions(
	struct prog *p, const struct weir_program_spec *spec, struct buf *text, struct diag *d)
{
	p->funcs = mem_zalloc(array_size(spec->nr_functions, sizeof(*p->funcs)));
	if (!p->funcs)
		return diag_nomem(d);
	for (size_t i = 0; i < spec->nr_functions; i++) {
		const struct weir_function *f = &spec->functions[i];

		if (f->insn >= p->len || (i && f->insn <= f[-1].insn))
			return diag_fail(d, pos_insn(p->name, f->insn), EINVAL,
				"function %zu begins at instruction %u; they must be sorted, each "
				"at one of "
				"its own, and there are %u instructions",
				i, f->insn, p->len);
		if (f->nr_args > ARRAY_LEN(f->args))
			return diag_fail(d, pos_insn(p->name, f->insn), EINVAL,
				"function %zu has %u arguments, the limit is %zu", i, f->nr_args,
				ARRAY_LEN(f->args));
		copy_function(&p->funcs[p->nr_funcs], f);
		p->funcs[p->nr_funcs++].name = add_text(text, f->name);
	}
	return 0;
}

static int add_source(struct prog *p, const struct weir_program_spec *spec, struct diag *d)
{
	struct buf text = {0};
	int err = 0;

	if ((!spec->lines && spec->nr_lines) || (!spec->functions && spec->nr_functions))
		return diag_fail(d, pos_insn(p->name, 0), EINVAL, "the %s are NULL",
			spec->functions || !spec->nr_functions ? "source lines" : "functions");
	buf_u8(&text, 0);
	if (spec->nr_lines)
		err = add_lines(p, spec, &text, d);
	if (!err && spec->nr_functions)
		err = add_functions(p, spec, &text, d);
	if (!err && (text.failed || text.len > UINT32_MAX))
		err = diag_nomem(d);
	if (err) {
		buf_fini(&text);
		return err;
	}
	p->line_text = (char *)text.data; /* moved */
	p->line_text_len = text.len;
	return 0;
}

/* ---- the whole ---- */

/* Nobody answers fib_lookup here: said before the program runs, not by each call. */
static int check_fib(const struct prog *p, struct diag *d)
{
	enum { FIB_LOOKUP = 69 }; /* linux/bpf.h */

	for (u32 i = 0; i < p->len; i++)
		if (insn_is_helper_call(p->insns[i]) && p->insns[i].imm == FIB_LOOKUP)
			return diag_fail(d, pos_insn(p->name, i), ENOTSUP,
				"helper bpf_fib_lookup#69 needs weir_env.fib_lookup, and nobody "
				"answers it here");
	return 0;
}

static int check_spec(const char *name, const struct weir_program_spec *spec, struct diag *d)
{
	if (spec->nr_insns > PROG_MAX_INSNS)
		return diag_fail(d, pos_insn(name, 0), E2BIG, "%zu instructions, the limit is %u",
			spec->nr_insns, PROG_MAX_INSNS);
	if (!spec->insns && spec->nr_insns)
		return diag_fail(d, pos_insn(name, 0), EINVAL, "the instructions are NULL");
	if (!prog_type_ops_of((enum prog_type)spec->type))
		return diag_fail(d, pos_insn(name, 0), EINVAL, "program type %u is not known",
			(unsigned)spec->type);
	return 0;
}

int prog_from_spec(const struct weir_engine *engine, const struct weir_program_spec *spec,
	struct prog **out, struct diag *d)
{
	const char *name = spec->name ? spec->name : "program";

	int err = check_spec(name, spec, d);

	if (err)
		return err;
	struct prog *p = prog_new(name, (enum prog_type)spec->type);
	if (!p)
		return diag_nomem(d);
	p->raw_mem_bytes = spec->raw_bytes;
	p->attach_type = spec->attach_type;
	p->check_license = spec->license;
	p->gpl_compatible = spec->license && license_is_gpl(spec->license);
	err = prog_set_insns(
		p, (const struct insn *)(const void *)spec->insns, (u32)spec->nr_insns);
	if (err)
		diag_nomem(d);
	else
		err = add_maps(p, engine, spec, d);
	if (!err)
		err = add_source(p, spec, d);
	if (!err && spec->refuse_fib)
		err = check_fib(p, d);
	if (err) {
		prog_free(p);
		return err;
	}
	*out = p;
	return 0;
}
