/* The stage list between verifier and back end. Order matters where it is said; a new pass is a
 * file and a row. */
#include "rewrite/passes.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "isa/isa.h"

struct pass_row {
	struct pass pass;
	int (*run)(struct prog *p, struct facts *f, struct diag *d);
};

static const struct pass_row passes[] = {
	/* First of all, in place, for the others know helpers only. */
	{{'k', "kfuncs", "kernel functions as helpers", PASS_NEEDED}, kfuncs_run},
	/* Next: what it reads is told by the subprograms that the verifier saw. */
	{{'z', "stack_zero", "nothing on the stack to read that nobody has written", PASS_NEEDED},
		stack_zero_run},
	/* Before the others, which know nothing of these loads. */
	{{'l', "legacy_load", "legacy packet loads as checked loads", PASS_NEEDED},
		legacy_load_run},
	/* Before what removes subprograms: the facts that it reads name them by number. */
	{{'b', "callbacks", "helpers that call back as subprograms", PASS_NEEDED}, callbacks_run},
	/* Before dead_code, which removes the null checks that this one decides. */
	{{'m', "map_lookup", "lookups without a call to the helper", PASS_OPTIONAL},
		map_lookup_run},
	{{'s', "smp_processor_id", "the number of the CPU without a call", PASS_OPTIONAL},
		smp_processor_id_run},
	{{'j', "tail_call", "tail calls as far as the jump", PASS_NEEDED}, tail_call_run},
	/* Before dead_code, which removes what all go past. */
	{{'p', "thread", "ways past conditional jumps that are decided on them", PASS_OPTIONAL},
		thread_run},
	{{'d', "dead_code", "no instructions that never run, no branches that are decided",
		 PASS_OPTIONAL},
		dead_code_run},
	/* What inlined lookups leave of their arguments: first registers, then keys on the stack. */
	{{'r', "dead_result", "no results that nobody reads", PASS_OPTIONAL}, dead_result_run},
	{{'t', "dead_store", "no stores to the stack that nobody reads", PASS_OPTIONAL},
		dead_store_run},
	{{'c', "ctx_access", "context fields where the runner keeps them", PASS_NEEDED},
		ctx_access_run},
	/* Behind it the program holds addresses of this process. */
	{{'a', "map_addr", "addresses for maps and their values", PASS_NEEDED}, map_addr_run},
	/* Last: what another pass puts in would show. */
	{{'h', "blind", "no constants of the program in native code", PASS_ON_REQUEST}, blind_run},
};

const struct pass *pass_at(size_t i)
{
	return i < ARRAY_LEN(passes) ? &passes[i].pass : NULL;
}

static bool letters_have(const char *letters, char letter)
{
	return letters && (strcmp(letters, "*") == 0 || strchr(letters, letter));
}

static void dump(const struct prog *p, const struct pass *pass, const char *when,
	const struct rewrite_opts *opts)
{
	if (!opts || !opts->dump_to || !letters_have(opts->dump, pass->letter))
		return;
	buf_printf(opts->dump_to, "; %s %s\n", when, pass->name);
	prog_print(opts->dump_to, p);
}

/* What a pass left behind must be a program. A failure here is a bug of the pass, never of the
 * input. */
static int self_check(
	const struct prog *p, const struct facts *f, const struct pass *pass, struct diag *d)
{
	struct diag why = {0};

	assert(f->len == p->len);
	if (prog_check(p, &why) == 0)
		return 0;
	u32 pc = why.nr && why.entries[0].pos.kind == POS_INSN ? why.entries[0].pos.line : 0;
	int err = diag_fail(d, pos_insn(p->name, pc), EFAULT,
		"internal error: pass %s left an invalid program: %s", pass->name,
		diag_first(&why));
	diag_fini(&why);
	return err;
}

/* The program as it was when it was last looked at. */
struct seen {
	struct insn *insns;
	size_t cap;
	u32 len;
};

/* Most passes find nothing to do in most programs. Without memory for a copy every program is a changed one. */
static bool has_changed(struct seen *seen, const struct prog *p)
{
	size_t bytes = p->len * sizeof(*p->insns);

	if (seen->len == p->len && !memcmp(seen->insns, p->insns, bytes))
		return false;
	seen->len = 0;
	if (!array_grow((void **)&seen->insns, &seen->cap, p->len, sizeof(*p->insns))) {
		memcpy(seen->insns, p->insns, bytes);
		seen->len = p->len;
	}
	return true;
}

static bool is_wanted(const struct pass *pass, const struct rewrite_opts *opts)
{
	switch (pass->kind) {
	case PASS_OPTIONAL:
		return !opts || !letters_have(opts->skip, pass->letter);
	case PASS_NEEDED:
		return true;
	case PASS_ON_REQUEST:
		return opts && letters_have(opts->also, pass->letter);
	}
	UNREACHABLE();
}

static int run_passes(struct prog *p, struct facts *facts, const struct rewrite_opts *opts,
	struct seen *seen, struct diag *d)
{
	for (size_t i = 0; i < ARRAY_LEN(passes); i++) {
		const struct pass *pass = &passes[i].pass;

		if (!is_wanted(pass, opts))
			continue;
		dump(p, pass, "before", opts);
		int err = passes[i].run(p, facts, d);
		if (!err && has_changed(seen, p))
			err = self_check(p, facts, pass, d);
		if (err)
			return err;
		dump(p, pass, "after", opts);
	}
	return 0;
}

/* Letters that say nothing are mistakes. */
static int check_skip(const struct prog *p, const char *skip, struct diag *d)
{
	char optional[ARRAY_LEN(passes) + 1] = "";
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(passes); i++)
		if (passes[i].pass.kind == PASS_OPTIONAL)
			optional[n++] = passes[i].pass.letter;
	for (const char *letter = skip; letter && *letter; letter++)
		if (*letter != '*' && !strchr(optional, *letter))
			return diag_fail(d, pos_insn(p->name, 0), EINVAL,
				"there is no pass '%c' to leave out, must be among \"%s\", or "
				"\"*\" for all",
				*letter, optional);
	return 0;
}

int rewrite(struct prog *p, struct facts *facts, const struct rewrite_opts *opts, struct diag *d)
{
	struct seen seen = {0};
	int err = check_skip(p, opts ? opts->skip : NULL, d);

	if (err)
		return err;
	p->internal = true;
	err = run_passes(p, facts, opts, &seen, d);
	mem_free(seen.insns);
	return err;
}
