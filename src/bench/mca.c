/* Ways to compare under a mask, and what llvm-mca thinks of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "bench/addr.h"
#include "bench/count.h"

/* arm64: x0 and x1 point to the addresses, x2 to the mask, w0 is the answer; x86-64: rdi, rsi, rdx, al. */
static const struct bench_variant variants[] = {
	{"arm64", "the C function", NULL},
	{"arm64", "scalar, orr and cmp",
		"ldp x3, x4, [x0]\nldp x5, x6, [x1]\nldp x7, x8, [x2]\neor x3, x3, x5\neor x4, x4, "
		"x6\n"
		"and x3, x3, x7\nand x4, x4, x8\norr x3, x3, x4\ncmp x3, #0\ncset w0, ne\n"},
	{"arm64", "scalar, tst and ccmp",
		"ldp x3, x4, [x0]\nldp x5, x6, [x1]\nldp x7, x8, [x2]\neor x3, x3, x5\neor x4, x4, "
		"x6\n"
		"tst x3, x7\nand x4, x4, x8\nccmp x4, #0, #0, eq\ncset w0, ne\n"},
	{"arm64", "NEON",
		"ldr q0, [x0]\nldr q1, [x1]\nldr q2, [x2]\neor v0.16b, v0.16b, v1.16b\nand v0.16b, "
		"v0.16b, v2.16b\n"
		"umaxp v0.4s, v0.4s, v0.4s\nfmov x3, d0\ncmp x3, #0\ncset w0, ne\n"},
	{"x86_64", "the C function", NULL},
	{"x86_64", "scalar",
		"movq (%rdi), %rax\nmovq 8(%rdi), %rcx\nxorq (%rsi), %rax\nxorq 8(%rsi), "
		"%rcx\nandq (%rdx), %rax\n"
		"andq 8(%rdx), %rcx\norq %rcx, %rax\nsetne %al\n"},
	{"x86_64", "SSE4.1",
		"movdqu (%rdi), %xmm0\nmovdqu (%rsi), %xmm1\nmovdqu (%rdx), %xmm2\npxor %xmm1, "
		"%xmm0\n"
		"ptest %xmm2, %xmm0\nsetne %al\n"},
	{"x86_64", "AVX",
		"vmovdqu (%rdi), %xmm0\nvpxor (%rsi), %xmm0, %xmm0\nvptest (%rdx), %xmm0\nsetne "
		"%al\n"},
};

const struct bench_variant *bench_variant_at(size_t i)
{
	return i < ARRAY_LEN(variants) ? &variants[i] : NULL;
}

static void read_line(void *arg, const char *text)
{
	struct bench_mca *m = arg;

	if (sscanf(text, "Instructions: %u", &m->insns) == 1 ||
		sscanf(text, "Total Cycles: %u", &m->latency) == 1)
		return;
	sscanf(text, "Block RThroughput: %lf", &m->throughput);
}

static bool write_file(char *path, const char *text)
{
	int fd = mkstemp(path);
	size_t len = strlen(text);

	if (fd < 0)
		return false;
	bool ok = write(fd, text, len) == (ssize_t)len;
	close(fd);
	return ok;
}

static const char *find_tool(void)
{
	static const char *const names[] = {"llvm-mca-19", "llvm-mca"};
	char look[64];

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		snprintf(look, sizeof(look), "command -v %s >/dev/null", names[i]);
		if (!system(look))
			return names[i];
	}
	return NULL;
}

bool bench_mca(const char *arch, const char *cpu, const char *text, struct bench_mca *out)
{
	char path[] = "/tmp/weir-mca-XXXXXX", command[256];
	const char *tool = find_tool();
	struct bench_mca m = {0};

	if (!tool || !write_file(path, text))
		return false;
	snprintf(command, sizeof(command),
		"%s -mtriple=%s-linux-gnu -mcpu=%s -iterations=1 %s 2>/dev/null", tool,
		!strcmp(arch, "arm64") ? "aarch64" : arch, cpu, path);
	bool ok = !bench_command(command, read_line, &m, NULL) && m.insns;
	unlink(path);
	if (ok)
		*out = m;
	return ok;
}
