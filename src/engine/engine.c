/* The stage list of weir: from a program as it was written to one that runs. */
#include "engine/engine.h"

#include <errno.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "cpu/cpu.h"
#include "interp/interp.h"
#include "map/map.h"

struct loaded {
	struct prog *prog; /* after rewriting; owns a reference on each map */
	struct facts facts;
	struct jit_code *code; /* NULL: the interpreter runs it */
	jit_entry entry;
	bool uses_self; /* helpers or the code itself may ask which slot this thread runs on */
};

static int clone_prog(const struct prog *p, struct loaded *l, struct diag *d)
{
	l->prog = prog_clone(p);
	if (!l->prog)
		return diag_nomem(d);
	for (u32 i = 0; i < l->prog->nr_maps; i++)
		map_get(l->prog->maps[i]);
	return 0;
}

/* No JIT for this, or a system that lets no memory become executable: forgiven when the caller
 * asked for that. */
static bool is_forgiven(int err)
{
	return err == -ENOTSUP || err == -EACCES || err == -EPERM;
}

static int jit_or_fall_back(
	int err, const struct engine_opts *opts, struct diag *why, struct loaded *l, struct diag *d)
{
	if (!err)
		return 0;
	if (opts->fall_back && is_forgiven(err)) {
		diag_warn(d, pos_insn(l->prog->name, 0), "the interpreter runs this program: %s",
			diag_first(why));
		return 0;
	}
	struct pos pos = why->nr ? why->entries[0].pos : pos_insn(l->prog->name, 0);
	return diag_fail(d, pos, -err, "%s", diag_first(why));
}

/* What can be compiled but not run here. */
static int check_runnable(const struct jit_opts *opts, struct diag *d)
{
	if (opts->target && opts->target != jit_target_host())
		return diag_fail(d, pos_none(), ENOTSUP, "code for %s doesn't run on this host",
			jit_target_name(opts->target));
	if (opts->percpu != PERCPU_PINNED && opts->percpu != PERCPU_THREAD)
		return diag_fail(d, pos_none(), ENOTSUP,
			"the kernel's per-CPU base can't be used in user space");
	return 0;
}

static int compile(const struct engine_opts *opts, struct loaded *l, struct diag *d)
{
	struct jit_image image = {0};
	struct diag why = {0};
	int err = check_runnable(&opts->jit, &why);

	if (!err)
		err = jit_compile(l->prog, &l->facts, &opts->jit, &image, &why);
	if (!err) {
		err = jit_code_new(&image, &l->code, &why);
		jit_image_fini(&image);
	}
	if (!err)
		l->entry = jit_code_entry(l->code);
	err = jit_or_fall_back(err, opts, &why, l, d);
	diag_fini(&why);
	return err;
}

static bool calls_helpers(const struct prog *p)
{
	for (u32 pc = 0; pc < p->len; pc += insn_is_ld_imm64(p->insns[pc]) ? 2 : 1)
		if (insn_is_helper_call(p->insns[pc]))
			return true;
	return false;
}

int engine_load(
	const struct prog *p, const struct engine_opts *opts, struct loaded **out, struct diag *d)
{
	struct loaded *l = mem_zalloc(sizeof(*l));

	if (!l)
		return diag_nomem(d);
	int err = clone_prog(p, l, d);
	if (!err)
		err = verify(l->prog, &opts->verify, &l->facts, NULL, d);
	if (!err)
		err = rewrite(l->prog, &l->facts, &opts->rewrite, d);
	if (!err && opts->kind == ENGINE_JIT)
		err = compile(opts, l, d);
	if (err) {
		loaded_free(l);
		return err;
	}
	l->uses_self = calls_helpers(l->prog) || opts->jit.percpu == PERCPU_THREAD;
	*out = l;
	return 0;
}

void loaded_free(struct loaded *l)
{
	if (!l)
		return;
	for (u32 i = 0; l->prog && i < l->prog->nr_maps; i++)
		map_put(l->prog->maps[i]);
	jit_code_free(l->code);
	facts_fini(&l->facts);
	prog_free(l->prog);
	mem_free(l);
}

static u64 run(const struct loaded *l, u64 r1, u64 r2, u8 *self)
{
	return l->entry ? l->entry(r1, r2, self) : interp_run(l->prog, r1, r2, self);
}

u64 loaded_run(const struct loaded *l, u64 r1, u64 r2, u8 *self)
{
	if (!l->uses_self)
		return run(l, r1, r2, self);
	u8 *before = cpu_enter(self);
	u64 result = run(l, r1, r2, self);
	cpu_enter(before);
	return result;
}

enum engine_kind loaded_kind(const struct loaded *l)
{
	return l->entry ? ENGINE_JIT : ENGINE_INTERP;
}

const struct prog *loaded_prog(const struct loaded *l)
{
	return l->prog;
}

const struct facts *loaded_facts(const struct loaded *l)
{
	return &l->facts;
}
