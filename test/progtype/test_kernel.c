/* Program types against this machine's kernel: which fields of the context may be read and written, and how; which helpers
 * may be called; which values may be returned. Everything that can be asked is asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "helper/helper.h"
#include "isa/prog.h"
#include "../kernel_prog.h"
#include "progtype/progtype.h"
#include "verify/verify.h"

enum { XDP_DEVMAP = 33, CGROUP_EGRESS = 1, NETFILTER = 45 }; /* enum bpf_attach_type */

static const struct {
	enum prog_type type;
	u32 attach_type;
} rows[] = {
	{PROG_TYPE_SOCKET_FILTER, 0},
	{PROG_TYPE_SCHED_CLS, 0},
	{PROG_TYPE_SCHED_ACT, 0},
	{PROG_TYPE_XDP, 0},
	{PROG_TYPE_XDP, XDP_DEVMAP},
	{PROG_TYPE_CGROUP_SKB, 0},
	{PROG_TYPE_CGROUP_SKB, CGROUP_EGRESS},
	{PROG_TYPE_NETFILTER, NETFILTER},
};

#define EXIT \
	{ \
		.code = BPF_JMP | BPF_EXIT \
	}
#define MOV(r, value) \
	{ \
		.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = r, .imm = value \
	}

/* The verdicts: 0 or -errno. */
static int kernel_says(enum prog_type type, u32 attach_type, const struct insn *insns, u32 nr)
{
	int fd = kernel_prog_load_as((u32)type, attach_type, insns, nr, NULL, 0);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int we_say(enum prog_type type, u32 attach_type, const struct insn *insns, u32 nr)
{
	struct prog *p = prog_new("test", type);
	struct facts facts = {0};
	struct diag d = {0};

	p->attach_type = attach_type;
	assert_int_equal(prog_set_insns(p, insns, nr), 0);
	int err = verify(p, NULL, &facts, NULL, &d);
	facts_fini(&facts);
	diag_fini(&d);
	prog_free(p);
	return err;
}

/* What the kernel has and weir refuses by name. */
static bool is_absent(enum prog_type type, s32 off)
{
	const struct ctx_field *f = ctx_field_of_byte(prog_type_ops_of(type), off);

	return f && f->flags & CTX_ABSENT;
}

static void one_access(size_t row, struct insn access)
{
	struct insn insns[] = {MOV(0, 0), MOV(2, 0), access, EXIT};
	int kernel = kernel_says(rows[row].type, rows[row].attach_type, insns, ARRAY_LEN(insns));
	int we = we_say(rows[row].type, rows[row].attach_type, insns, ARRAY_LEN(insns));

	if (is_absent(rows[row].type, access.off) && we && !kernel)
		return;
	if (kernel != we)
		fail_msg("type %d, attach type %u, code 0x%02x, offset %d: kernel %d, weir %d",
			(int)rows[row].type, rows[row].attach_type, access.code, access.off, kernel,
			we);
}

static void accesses(void **state)
{
	static const u8 sizes[] = {BPF_B, BPF_H, BPF_W, BPF_DW};

	(void)state;
	for (size_t row = 0; row < ARRAY_LEN(rows); row++)
		for (s16 off = -1; off < (s16)prog_type_ops_of(rows[row].type)->ctx_bytes + 1;
			off++)
			for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
				u8 size = sizes[i];

				one_access(
					row, (struct insn){.code = (u8)(BPF_LDX | BPF_MEM | size),
						     .dst = 2,
						     .src = 1,
						     .off = off});
				if (size != BPF_DW)
					one_access(row,
						(struct insn){
							.code = (u8)(BPF_LDX | BPF_MEMSX | size),
							.dst = 2,
							.src = 1,
							.off = off});
				one_access(
					row, (struct insn){.code = (u8)(BPF_STX | BPF_MEM | size),
						     .dst = 1,
						     .src = 2,
						     .off = off});
				one_access(row, (struct insn){.code = (u8)(BPF_ST | BPF_MEM | size),
							.dst = 1,
							.off = off});
			}
}

static void results(void **state)
{
	(void)state;
	for (size_t row = 0; row < ARRAY_LEN(rows); row++)
		for (s32 value = -1; value < 9; value++) {
			struct insn insns[] = {MOV(0, value), EXIT};

			assert_int_equal(
				kernel_says(rows[row].type, rows[row].attach_type, insns, 2),
				we_say(rows[row].type, rows[row].attach_type, insns, 2));
		}
}

static void attach_types(void **state)
{
	static const enum prog_type types[] = {PROG_TYPE_CGROUP_SKB, PROG_TYPE_NETFILTER};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		for (u32 attach_type = 0; attach_type < 50; attach_type++) {
			struct insn insns[] = {MOV(0, 1), EXIT};

			assert_int_equal(kernel_says(types[i], attach_type, insns, 2),
				we_say(types[i], attach_type, insns, 2));
		}
}

/* Whether the kernel lets programs of the type call the helper, whatever it thinks of the arguments. */
static bool kernel_allows(enum prog_type type, u32 attach_type, u32 id)
{
	static char log[4096];
	struct insn insns[] = {{.code = BPF_JMP | BPF_CALL, .imm = (s32)id}, MOV(0, 0), EXIT};
	int fd = kernel_prog_load_as(
		(u32)type, attach_type, insns, ARRAY_LEN(insns), log, sizeof(log));

	if (fd >= 0)
		close(fd);
	return fd >= 0 || (!strstr(log, "cannot use helper") && !strstr(log, "unknown func") &&
				  !strstr(log, "invalid func"));
}

static void helpers(void **state)
{
	u32 wrong = 0;

	(void)state;
	for (size_t row = 0; row < ARRAY_LEN(rows); row++)
		for (u32 id = 1; id < 212; id++) {
			bool kernel = kernel_allows(rows[row].type, rows[row].attach_type, id);

			if (kernel == prog_type_ops_of(rows[row].type)->helper_allowed(id))
				continue;
			print_error("type %d: %s#%u: the kernel %s it\n", (int)rows[row].type,
				helper_known_name(id), id, kernel ? "allows" : "refuses");
			wrong++;
		}
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accesses),
		cmocka_unit_test(results),
		cmocka_unit_test(attach_types),
		cmocka_unit_test(helpers),
	};

	if (!kernel_progs_work()) {
		print_message("needs the right to load programs\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
