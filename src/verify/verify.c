/* The stages of a verification, in order. */
#include "verify/verify.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "verify/log.h"
#include "verify/prune.h"
#include "verify/verifier.h"

static void fail_at(struct verifier *v, u32 pc, int err, const char *fmt, va_list args)
{
	const struct prog_line *line = prog_line_of(v->prog, pc);
	struct buf text = {0};

	buf_vprintf(&text, fmt, args);
	const char *reason = buf_cstr(&text);
	log_text(v, reason);
	diag_fail(v->diag, pos_insn(v->prog->name, pc), err, "%s", reason);
	if (line && line->text)
		diag_source(v->diag, v->prog->line_text + line->text,
			strlen(v->prog->line_text + line->text));
	buf_fini(&text);
}

int refuse(struct verifier *v, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fail_at(v, v->pc, err, fmt, args);
	va_end(args);
	return -err;
}

int refuse_at(struct verifier *v, u32 pc, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fail_at(v, pc, err, fmt, args);
	va_end(args);
	return -err;
}

void explain(struct verifier *v, const char *fmt, ...)
{
	struct buf text = {0};
	va_list args;

	va_start(args, fmt);
	buf_vprintf(&text, fmt, args);
	va_end(args);
	log_text(v, buf_cstr(&text));
	diag_note(v->diag, pos_insn(v->prog->name, v->pc), "%s", buf_cstr(&text));
	buf_fini(&text);
}

int check_readable(struct verifier *v, u32 r)
{
	log_touch_regs(v, (u16)(1u << r));
	if (cur_reg(v, r)->type != REG_UNINIT)
		return 0;
	return refuse(v, EACCES, "R%u !read_ok", r);
}

void reg_settle(const struct verifier *v, struct vreg *r)
{
	const struct map *map = r->type == REG_MAP_VALUE_OR_NULL ? reg_map(v, r) : NULL;

	r->type = reg_checked_type(r->type);
	assert(r->type != REG_UNINIT);
	if (map && map->spec.inner) {
		r->type = REG_MAP;
		r->inner = true;
	}
	if (!map || !map->spec.lock_at) /* else the id tells the locks of values apart */
		r->id = 0;
	r->not_null = false;
	set_deps(r, (struct deps){0});
}

static int walk_init(struct verifier *v)
{
	v->traces = arena_array(&v->arena, v->prog->len, sizeof(*v->traces));
	return v->traces ? prune_init(v) : diag_nomem(v->diag);
}

static int check_attach_type(struct verifier *v)
{
	if (!v->type->nr_attach_rules || attach_rule_of(v->type, v->prog->attach_type))
		return 0;
	return refuse_at(v, 0, EINVAL, "%s programs can't have attach type %u", v->type->name,
		v->prog->attach_type);
}

static int run(struct verifier *v, struct facts *facts)
{
	int err = check_attach_type(v);

	if (!err)
		err = find_flow(v);
	if (!err)
		err = find_live(v);
	if (!err)
		err = walk_init(v);
	if (!err)
		err = explore(v);
	if (!err)
		err = check_stack_depth(v);
	if (!err)
		err = find_facts(v, facts);
	log_stats(v);
	return err;
}

int verify(const struct prog *p, const struct verify_opts *opts, struct facts *facts,
	struct verify_stats *stats, struct diag *d)
{
	int err = prog_check(p, d);

	if (err)
		return err;
	if (p->internal)
		return diag_fail(d, pos_insn(p->name, 0), EINVAL,
			"a program that passes have rewritten can't be verified");
	struct verifier *v = mem_zalloc(sizeof(*v));
	if (!v)
		return diag_nomem(d);
	v->prog = p;
	v->diag = d;
	v->type = prog_type_ops_of(p->type);
	if (opts)
		v->opts = *opts;
	if (!v->opts.max_insns)
		v->opts.max_insns = VERIFY_MAX_INSNS;
	err = v->type ? run(v, facts)
		      : diag_fail(d, pos_insn(p->name, 0), EINVAL, "unknown program type %d",
				(int)p->type);
	if (stats)
		*stats = v->stats;
	arena_fini(&v->arena);
	mem_free(v);
	return err;
}
