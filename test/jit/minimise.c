#include "minimise.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "rewrite/flow.h"
#include "rewrite/live.h"
#include "rewrite/regs.h"

/* A child that ends with other codes has failed in some other way: what no back end compiles ends the test in it. */
enum { SECONDS = 2, SWEEPS = 1000, ANSWERS = 100 };

static volatile sig_atomic_t may_crash;

void fault_may_crash(void)
{
	may_crash = 1;
}

static void on_crash(int sig)
{
	(void)sig;
	_exit(ANSWERS + (may_crash ? FAULT_CRASHES : FAULT_NONE));
}

static _Noreturn void run_child(goes_wrong f, const struct prog *p, void *arg)
{
	static const int crashes[] = {SIGSEGV, SIGILL, SIGBUS, SIGFPE, SIGTRAP, SIGABRT};
	static u8 stack[65536]; /* the program may have lost its own */
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};

	sigaltstack(&alternate, NULL);
	for (size_t i = 0; i < ARRAY_LEN(crashes); i++)
		sigaction(crashes[i], &action, NULL);
	may_crash = 0;
	alarm(SECONDS);
	if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
		_exit(0);
	_exit(ANSWERS + (f(p, arg) ? FAULT_DIFFERS : FAULT_NONE));
}

enum fault fault_of(goes_wrong f, const struct prog *p, void *arg)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		run_child(f, p, arg);
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
		WEXITSTATUS(status) < ANSWERS)
		return FAULT_NONE;
	return (enum fault)(WEXITSTATUS(status) - ANSWERS);
}

enum { ARGUMENTS = 0x3e, START = 0, CALL = 16 };

/* Registers that may be read behind the call at pc, or in what it calls, where they hold nothing. */
static u16 read_after_call(const struct prog *p, u32 pc, const u16 *before)
{
	struct insn i = p->insns[pc];

	if (insn_is_local_call(i))
		return (before[pc + 1] & ARGUMENTS) | (before[flow_target(i, pc)] & 1);
	return insn_is_helper_call(i) ? before[pc + 1] & ARGUMENTS : 0;
}

/* Registers that are read without having been written: from bit START on at the start of p, from bit CALL on because of
 * calls. */
static u32 read_unwritten(const struct prog *p)
{
	u16 *before = calloc(p->len, sizeof(*before));
	bool known = before && !live_find(p, LIVE_ALL, SWEEPS, before);
	u32 regs = known ? (u32)before[0] << START : UINT32_MAX;

	for (u32 pc = 0; known && pc < p->len; pc += flow_width(p->insns[pc]))
		regs |= (u32)read_after_call(p, pc, before) << CALL;
	free(before);
	return regs;
}

/* p without the instruction at pc. NULL: that's no program. */
static struct prog *without(const struct prog *p, u32 pc)
{
	struct prog *q = prog_clone(p);
	u32 width = flow_width(p->insns[pc]);

	for (u32 i = 0; i < p->len; i += flow_width(p->insns[i])) {
		u32 target = flow_target(p->insns[i], i);
		s32 moved = (target > pc ? -(s32)width : 0) - (i > pc ? -(s32)width : 0);

		if (target == FLOW_NO_TARGET)
			continue;
		if (insn_is_local_call(p->insns[i]) || p->insns[i].code == (BPF_JMP32 | BPF_JA))
			q->insns[i].imm += moved;
		else
			q->insns[i].off = (s16)(q->insns[i].off + moved);
	}
	memmove(q->insns + pc, q->insns + pc + width, (p->len - pc - width) * sizeof(struct insn));
	q->len -= width;
	if (q->len && prog_check(q, NULL) == 0)
		return q;
	prog_free(q);
	return NULL;
}

/* p with a number in place of what the instruction at pc computes. NULL: it isn't that kind of instruction. */
static struct prog *simpler(const struct prog *p, u32 pc)
{
	struct insn i = p->insns[pc];
	struct insn one = {.code = BPF_ALU | BPF_MOV | BPF_K, .dst = i.dst, .imm = 1};

	if (insn_is_ld_imm64(i) || !regs_only_result(i) || !memcmp(&i, &one, sizeof(i)))
		return NULL;
	struct prog *q = prog_clone(p);
	q->insns[pc] = one;
	return q;
}

struct work {
	struct prog *p;
	u32 unwritten; /* registers that may be read all the same */
	enum fault fault;
	goes_wrong f;
	void *arg;
};

/* Frees the candidate. */
static bool try(struct work *w, struct prog *candidate)
{
	bool better = candidate && !(read_unwritten(candidate) & ~w->unwritten) &&
		      fault_of(w->f, candidate, w->arg) == w->fault;

	if (better) {
		memcpy(w->p->insns, candidate->insns, candidate->len * sizeof(struct insn));
		w->p->len = candidate->len;
	}
	prog_free(candidate);
	return better;
}

static bool is_kept(struct insn i)
{
	u8 cls = BPF_CLASS(i.code);

	return (cls == BPF_ST || cls == BPF_STX) && i.dst == BPF_REG_FP;
}

static bool sweep(struct work *w)
{
	struct prog *p = w->p;
	bool changed = false;

	for (u32 pc = 0; pc < p->len; pc += pc < p->len ? flow_width(p->insns[pc]) : 0) {
		while (pc < p->len && !is_kept(p->insns[pc]) && try(w, without(p, pc)))
			changed = true;
		if (pc < p->len && try(w, simpler(p, pc)))
			changed = true;
	}
	return changed;
}

void minimise(struct prog *p, goes_wrong f, void *arg)
{
	struct work w = {p, read_unwritten(p), fault_of(f, p, arg), f, arg};

	while (w.fault != FAULT_NONE && sweep(&w))
		;
}
