// SPDX-License-Identifier: BSD-2-Clause
/* Clocks: never backwards, related to each other; the CPU's number; a random number in range.
 *
 * run: clocks tcp4
 * run: who tcp4
 */
#include "corpus.h"

SEC("xdp")
int clocks(struct xdp_md *ctx)
{
	__u64 a = bpf_ktime_get_ns(), boot = bpf_ktime_get_boot_ns(), b = bpf_ktime_get_ns(),
	      tai = bpf_ktime_get_tai_ns();
	__u64 coarse = bpf_ktime_get_coarse_ns(), jiffies = bpf_jiffies64();
	int ok = 0;

	ok |= (a && b >= a) << 0;
	ok |= (b - a < 1000000000) << 1;
	ok |= (boot >= a) << 2;
	ok |= (tai > boot) << 3;
	ok |= (coarse <= bpf_ktime_get_ns() && b - coarse < 1000000000) << 4;
	ok |= (jiffies > 0) << 5;
	return ok;
}

SEC("xdp")
int who(struct xdp_md *ctx)
{
	__u32 r = bpf_get_prandom_u32() % 10;

	return (int)(bpf_get_smp_processor_id() * 100 + (r < 10));
}

char _license[] SEC("license") = "GPL";
