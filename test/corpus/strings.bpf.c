// SPDX-License-Identifier: BSD-2-Clause
/* snprintf, strtol, strtoul, strncmp: formats, lengths, errors.
 *
 * build: g
 * run: formats tcp4
 * run: short_buffer tcp4
 * run: numbers tcp4
 * run: compare tcp4
 */
#include "corpus.h"

char out[4][64];
__s64 results[12];
const char reference[8] = "kernel";

SEC("xdp")
int formats(struct xdp_md *ctx)
{
	static const char a[] = "%d|%5u|%-6x|%lld|%%", d[] = "%08llx %x %c";
	__u64 args_a[4] = {(__u64)-5, 42, 0xbeef, (__u64)-7000000000ll},
	      args_d[3] = {0x1234567890, 255, 'Z'};
	long n;

	n = bpf_snprintf(out[0], sizeof(out[0]), a, args_a, sizeof(args_a));
	results[0] = n;
	results[3] = bpf_snprintf(out[3], sizeof(out[3]), d, args_d, sizeof(args_d));
	return (int)(n * 100 + results[3]);
}

SEC("xdp")
int short_buffer(struct xdp_md *ctx)
{
	static const char f[] = "%llu and %llu";
	__u64 args[2] = {123456789012, 987654321098};
	char small[10];
	long n = bpf_snprintf(small, sizeof(small), f, args, sizeof(args));

	__builtin_memcpy(out[1], small, sizeof(small));
	results[1] = bpf_snprintf(small, 1, f, args, sizeof(args));
	return (int)n;
}

SEC("xdp")
int numbers(struct xdp_md *ctx)
{
	char a[] = "-123 rest", b[] = "0x1fz", c[] = "077", d[] = "99999999999999999999",
	     e[] = "  42", f[] = "zz", g[] = "-1";
	long signed_number = 0;
	unsigned long number = 0;
	int i = 0;

	results[i++] = bpf_strtol(a, sizeof(a), 0, &signed_number);
	results[i++] = signed_number;
	results[i++] = bpf_strtoul(b, sizeof(b), 16, &number);
	results[i++] = (__s64)number;
	results[i++] = bpf_strtol(c, sizeof(c), 0, &signed_number);
	results[i++] = signed_number;
	results[i++] = bpf_strtoul(d, sizeof(d), 10, &number);
	results[i++] = bpf_strtoul(e, sizeof(e), 10, &number);
	results[i++] = bpf_strtoul(f, sizeof(f), 10, &number);
	results[i++] = bpf_strtoul(g, sizeof(g), 10, &number);
	results[i++] = bpf_strtol(e, sizeof(e), 7, &signed_number);
	results[i++] = bpf_strtol(d, sizeof(d), 0, &signed_number);
	return (int)number;
}

SEC("xdp")
int compare(struct xdp_md *ctx)
{
	char same[8] = "kernel", less[8] = "kernek", more[8] = "kernem";
	int ok = 0;

	ok |= (bpf_strncmp(same, 8, reference) == 0) << 0;
	ok |= (bpf_strncmp(less, 8, reference) < 0) << 1;
	ok |= (bpf_strncmp(more, 8, reference) > 0) << 2;
	ok |= (bpf_strncmp(more, 5, reference) == 0) << 3;
	return ok;
}

char _license[] SEC("license") = "GPL";
