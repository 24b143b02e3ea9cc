/* Random programs of type xdp: this machine's kernel and verify must agree, but where one of them is known to know more.
 * WEIR_SEED=N looks at one program; WEIR_PROGRAMS=N says how many. Exit 77 without the right to load programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../kernel_funcs.h"
#include "../kernel_prog.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/limits.h"
#include "isa/isa.h"
#include "random_prog.h"
#include "verify/verify.h"

enum { PROGRAMS = 1500, EXIT_SKIPPED = 77, LOG_BYTES = 1 << 22 };

/* What the kernel lets root do, and verify nobody: it gives away addresses. And a pointer
 * moved out of all bounds by a number of which the kernel doesn't know how big it is. */
static const char *const stricter[] = {
	"leaks addr",
	"attempt to corrupt spilled pointer",
	"math between",
	"pointer be out of bounds",
};

static bool is_stricter(const char *reason)
{
	for (size_t n = 0; n < ARRAY_LEN(stricter); n++)
		if (strstr(reason, stricter[n]))
			return true;
	return false;
}

struct count {
	u32 both_accept, both_refuse, same_words, stricter, kernel_refuses;
};

static bool fails(u64 seed, const struct prog *p, const char *reason, const char *log)
{
	struct buf text = {0};

	prog_print(&text, p);
	printf("WEIR_SEED=%llu: we say '%s', the kernel accepts\n%s%s", (unsigned long long)seed,
		reason, buf_cstr(&text), log);
	buf_fini(&text);
	return false;
}

static bool run_seed(u64 seed, struct count *c, bool show)
{
	static char log[LOG_BYTES];
	struct random r = {seed * 0x2545f4914f6cdd1dull + 1};
	struct prog *p =
		seed % 3 ? random_prog(&r, PROG_TYPE_XDP) : random_prog_rounds(&r, PROG_TYPE_XDP);
	struct kernel_func funcs[PROG_MAX_SUBPROGS];
	bool typed;
	u32 nr_funcs = kernel_funcs(p, funcs, &typed);
	struct facts f = {0};
	struct diag d = {0};
	int ours = verify(p, NULL, &f, NULL, &d);
	int fd = typed ? kernel_xdp_load_typed(p->insns, p->len, funcs, nr_funcs, log, sizeof(log))
		       : kernel_prog_load(KERNEL_XDP, p->insns, p->len, log, sizeof(log));
	bool ok = true;

	if (fd >= 0)
		close(fd);
	if (ours && fd >= 0 && is_stricter(diag_first(&d)))
		c->stricter++;
	else if (ours && fd >= 0)
		ok = fails(seed, p, diag_first(&d), log);
	else if (!ours && fd < 0)
		c->kernel_refuses++;
	else if (!ours)
		c->both_accept++;
	else
		c->both_refuse++;
	if (ours && fd < 0)
		c->same_words += strstr(log, diag_first(&d)) != NULL;
	if (show)
		printf("we: %s\n%s", ours ? diag_first(&d) : "ok", log);
	facts_fini(&f);
	diag_fini(&d);
	prog_free(p);
	return ok;
}

int main(void)
{
	const char *one = getenv("WEIR_SEED"), *many = getenv("WEIR_PROGRAMS");
	u64 first = one ? strtoull(one, NULL, 0) : 1, nr = one    ? 1
							   : many ? strtoull(many, NULL, 0)
								  : PROGRAMS;
	struct count c = {0};
	bool ok = true;

	if (!kernel_progs_work()) {
		printf("no right to load programs into the kernel: skipped\n");
		return EXIT_SKIPPED;
	}
	for (u64 seed = first; ok && seed < first + nr; seed++)
		ok = run_seed(seed, &c, one != NULL);
	printf("both accept %u, both refuse %u (same words %u); stricter here %u, in the kernel "
	       "%u\n",
		c.both_accept, c.both_refuse, c.same_words, c.stricter, c.kernel_refuses);
	return !ok;
}
