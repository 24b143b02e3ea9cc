// SPDX-License-Identifier: BSD-2-Clause
/* Switches: dense, sparse, over strings of bytes; chains of conditions.
 *
 * run: dense tcp4 udp4 icmp4 tcp6 arp
 * run: sparse tcp4 udp4 udp4_dns
 */
#include "corpus.h"

static __attribute__((noinline)) int action(__u32 code)
{
	switch (code) {
#define CASE(n) \
	case n: \
		return (n * 7919) % 101;
#define CASE8(n) \
	CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3) CASE(n + 4) CASE(n + 5) CASE(n + 6) CASE(n + 7)
		CASE8(0)
		CASE8(8) CASE8(16) CASE8(24) CASE8(32) CASE8(40) CASE8(48) CASE8(56) default
		    : return -1;
	}
}

SEC("xdp")
int dense(struct xdp_md *ctx)
{
	__u32 len = ctx->data_end - ctx->data;
	int r = 0;

	r = r * 3 + action(len & 63);
	r = r * 3 + action(len);
	r = r * 3 + action(len >> 1);
	return r;
}

SEC("xdp")
int sparse(struct xdp_md *ctx)
{
	__be16 *port = (void *)(long)ctx->data + 36;

	if ((void *)(port + 1) > (void *)(long)ctx->data_end)
		return -1;
	switch (bpf_ntohs(*port)) {
	case 22:
		return 1;
	case 53:
		return 2;
	case 80:
		return 3;
	case 443:
		return 4;
	case 1194:
		return 5;
	case 5353:
		return 6;
	case 8080:
		return 7;
	case 27015 ... 27030:
		return 8;
	case 51820:
		return 9;
	case 65535:
		return 10;
	default:
		return 0;
	}
}

char _license[] SEC("license") = "BSD";
