/* The stage list of weir: from a program as it was written to one that runs. */
#include "engine/engine.h"

#include <errno.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "cpu/cpu.h"
#include "helper/helper.h"
#include "interp/interp.h"
#include "jit/announce.h"
#include "map/callable.h"
#include "map/map.h"
#include "progtype/frame.h"
#include "progtype/progtype.h"

struct loaded {
	struct callable
		callable;  /* first; counts who holds the program: who loaded it, and prog arrays */
	struct prog *prog; /* after rewriting; owns a reference on each map */
	struct facts facts;
	struct announcement *announcement; /* of code, or NULL */
	struct jit_code *code;             /* NULL: the interpreter runs it */
	struct step *steps;                /* NULL: native code does */
	bool on_frames;                    /* r1 is a struct weir_frame */
	bool uses_self;  /* helpers or the code itself may ask which slot this thread runs on */
	bool tail_calls; /* a run counts them */
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

static int compile_image(const struct engine_opts *opts, struct loaded *l, struct diag *d)
{
	struct jit_opts jit = opts->jit;
	struct jit_image image = {0};

	jit.unwinding = opts->announce;
	int err = jit_compile(l->prog, &l->facts, &jit, &image, d);
	if (!err)
		err = jit_code_new(&image, &l->code, d);
	if (!err && opts->announce)
		err = announce(opts->announce, &image, jit_code_start(l->code), l->prog,
			&l->announcement, d);
	jit_image_fini(&image);
	return err;
}

static int compile(const struct engine_opts *opts, struct loaded *l, struct diag *d)
{
	struct diag why = {0};
	int err = check_runnable(&opts->jit, &why);

	if (!err)
		err = compile_image(opts, l, &why);
	if (!err)
		l->callable.entry = jit_code_entry(l->code);
	err = jit_or_fall_back(err, opts, &why, l, d);
	diag_fini(&why);
	return err;
}

static int decode(struct loaded *l, struct diag *d)
{
	l->steps = interp_new(l->prog);
	l->callable.steps = l->steps;
	return l->steps ? 0 : diag_nomem(d);
}

static void look_at_calls(struct loaded *l)
{
	const struct prog *p = l->prog;

	for (u32 pc = 0; pc < p->len; pc += insn_is_ld_imm64(p->insns[pc]) ? 2 : 1) {
		bool helper = insn_is_helper_call(p->insns[pc]);

		l->uses_self |= helper;
		l->tail_calls |= helper && p->insns[pc].imm == HELPER_tail_jump;
	}
}

/* Whether the maps may be referred to by a program of this kind: it may go on in what they hold. */
static int ask_maps(const struct loaded *l, struct diag *d)
{
	int err = 0;

	for (u32 i = 0; !err && i < l->prog->nr_maps; i++)
		err = map_admit(l->prog->maps[i], &l->callable, d);
	return err;
}

static void release(struct callable *c)
{
	struct loaded *l = (struct loaded *)c;

	for (u32 i = 0; l->prog && i < l->prog->nr_maps; i++)
		map_put(l->prog->maps[i]);
	announcement_free(l->announcement);
	jit_code_free(l->code);
	interp_free(l->steps);
	facts_fini(&l->facts);
	prog_free(l->prog);
	mem_free(l);
}

int engine_load(
	const struct prog *p, const struct engine_opts *opts, struct loaded **out, struct diag *d)
{
	struct loaded *l = mem_zalloc(sizeof(*l));

	if (!l)
		return diag_nomem(d);
	atomic_init(&l->callable.refs, 1);
	l->callable.release = release;
	int err = clone_prog(p, l, d);
	l->callable.prog = l->prog;
	if (!err)
		err = verify(l->prog, &opts->verify, &l->facts, NULL, d);
	if (!err)
		err = rewrite(l->prog, &l->facts, &opts->rewrite, d);
	if (!err && opts->kind == ENGINE_JIT)
		err = compile(opts, l, d);
	if (!err && !l->code)
		err = decode(l, d);
	if (!err)
		err = ask_maps(l, d);
	if (err) {
		loaded_free(l);
		return err;
	}
	l->on_frames = prog_type_ops_of(l->prog->type)->runs_on_frames;
	l->uses_self = opts->jit.percpu == PERCPU_THREAD;
	l->uses_self |= l->prog->type == PROG_TYPE_NETFILTER;
	look_at_calls(l);
	*out = l;
	return 0;
}

void loaded_free(struct loaded *l)
{
	if (l)
		callable_put(&l->callable);
}

struct callable *loaded_callable(struct loaded *l)
{
	return &l->callable;
}

static u64 run(const struct loaded *l, u64 r1, u64 r2, u8 *self)
{
	return l->callable.entry ? l->callable.entry(r1, r2, self)
				 : interp_run(l->steps, r1, r2, self);
}

/* A run that helpers make inside another counts for itself. */
static u64 run_counting(const struct loaded *l, u64 r1, u64 r2, u8 *self)
{
	struct cpu_head *head = (struct cpu_head *)self;
	u64 before = head->tail_calls;

	head->tail_calls = 0;
	u64 result = run(l, r1, r2, self);
	head->tail_calls = before;
	return result;
}

static u64 run_on_slot(const struct loaded *l, u64 r1, u64 r2, u8 *self)
{
	return l->tail_calls ? run_counting(l, r1, r2, self) : run(l, r1, r2, self);
}

/* Helpers that aren't told the context find the frame in the slot's head. */
static u64 run_on_frame(const struct loaded *l, u64 r1, u64 r2, u8 *self)
{
	struct cpu_head *head = (struct cpu_head *)self;
	struct weir_frame *frame = head->frame;
	u32 type = head->frame_type;

	head->frame = (struct weir_frame *)(uintptr_t)r1;
	if (l->prog->type == PROG_TYPE_NETFILTER)
		frame_link_inside(head->frame);
	head->frame_type = l->prog->type;
	u64 result = run_on_slot(l, r1, r2, self);
	head->frame = frame;
	head->frame_type = type;
	return result;
}

u64 loaded_run(const struct loaded *l, u64 r1, u64 r2, u8 *self)
{
	if (!l->uses_self)
		return run(l, r1, r2, self);
	u8 *before = cpu_enter(self);
	u64 result = l->on_frames ? run_on_frame(l, r1, r2, self) : run_on_slot(l, r1, r2, self);
	cpu_enter(before);
	return result;
}

enum engine_kind loaded_kind(const struct loaded *l)
{
	return l->callable.entry ? ENGINE_JIT : ENGINE_INTERP;
}

const struct prog *loaded_prog(const struct loaded *l)
{
	return l->prog;
}

const struct facts *loaded_facts(const struct loaded *l)
{
	return &l->facts;
}
