// SPDX-License-Identifier: BSD-2-Clause
/* bpf_redirect of XDP: where to, and flags that it refuses.
 *
 * run: to_one tcp4
 * run: to_source tcp4 arp
 * run: flags tcp4
 */
#include "corpus.h"

SEC("xdp")
int to_one(struct xdp_md *ctx)
{
	return (int)bpf_redirect(1, 0);
}

SEC("xdp")
int to_source(struct xdp_md *ctx)
{
	__u32 ifindex = ctx->ingress_ifindex, queue = ctx->rx_queue_index;

	if (queue)
		return XDP_ABORTED;
	return (int)bpf_redirect(ifindex, 0) << 8 | (int)ifindex;
}

SEC("xdp")
int flags(struct xdp_md *ctx)
{
	return (int)bpf_redirect(1, 1) << 16 | (int)bpf_redirect(1, 1ull << 40) << 8 |
	       (int)bpf_redirect(77, 0);
}

char _license[] SEC("license") = "BSD";
