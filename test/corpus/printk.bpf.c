// SPDX-License-Identifier: BSD-2-Clause
/* trace_printk: its lengths, and the formats that it refuses.
 *
 * run: lengths tcp4 udp4
 * run: refused tcp4
 */
#include "corpus.h"

SEC("xdp")
int lengths(struct xdp_md *ctx)
{
	char plain[] = "a packet\n", one[] = "len %d", three[] = "%u %lx %lld\n";
	__u64 len = ctx->data_end - ctx->data;

	return (int)(bpf_trace_printk(plain, sizeof(plain)) +
		     100 * bpf_trace_printk(one, sizeof(one), len) +
		     10000 * bpf_trace_printk(three, sizeof(three), len, len * 7, -(__s64)len));
}

SEC("xdp")
int refused(struct xdp_md *ctx)
{
	char unknown[] = "%y", alone[] = "50%", no_nul[4] = {'a', 'b', 'c', 'd'},
	     many[] = "%d %d %d %d", star[] = "%*d";
	int ok = 0;

	ok |= (bpf_trace_printk(unknown, sizeof(unknown), 1) == -22) << 0;
	ok |= (bpf_trace_printk(alone, sizeof(alone)) == -22) << 1;
	ok |= (bpf_trace_printk(no_nul, sizeof(no_nul)) == -22) << 2;
	ok |= (bpf_trace_printk(many, sizeof(many), 1, 2, 3) == -22) << 3;
	ok |= (bpf_trace_printk(star, sizeof(star), 1) == -22) << 4;
	return ok;
}

char _license[] SEC("license") = "GPL";
