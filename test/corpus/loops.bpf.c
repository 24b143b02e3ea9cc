// SPDX-License-Identifier: BSD-2-Clause
/* Bounded loops: over packets and the stack, nested, with several ways out, with pointers that move.
 *
 * build: v2
 * run: options tcp4_options tcp4
 * run: nested tcp4 udp4
 * run: search tcp4 udp4_dns
 */
#include "corpus.h"

/* Walks TCP's options for the maximum segment size. */
SEC("xdp")
int options(struct xdp_md *ctx)
{
	void *at = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct eth *e = TAKE(at, end, struct eth);
	struct ip4 *ip;
	struct tcp *t;
	int len, mss = 0;

	if (!e || e->type != bpf_htons(ETHERTYPE_IP))
		return -1;
	ip = TAKE(at, end, struct ip4);
	if (!ip || ip->proto != PROTO_TCP || ip->version_ihl != 0x45)
		return -2;
	t = TAKE(at, end, struct tcp);
	if (!t)
		return -3;
	len = (bpf_ntohs(t->flags) >> 12) * 4 - 20;
	for (int i = 0; i < 6 && len > 0; i++) {
		__u8 *o = at;
		__u8 size;

		if ((void *)(o + 2) > end || o[0] == 0)
			break;
		if (o[0] == 1) {
			at += 1;
			len -= 1;
			continue;
		}
		if (o[0] == 2 && (void *)(o + 4) <= end)
			mss = o[2] << 8 | o[3];
		size = o[1];
		if (size < 2 || size > 40)
			break;
		at += size;
		len -= size;
	}
	return mss;
}

SEC("xdp")
int nested(struct xdp_md *ctx)
{
	__u32 matrix[6][6], len = ctx->data_end - ctx->data, trace = 0;

	for (__u32 i = 0; i < 6; i++)
		for (__u32 k = 0; k < 6; k++)
			matrix[i][k] = len * i + k * k;
	for (__u32 round = 0; round < 3; round++)
		for (__u32 i = 1; i < 6; i++)
			for (__u32 k = 1; k < 6; k++)
				matrix[i][k] += matrix[i - 1][k] ^ matrix[i][k - 1];
	for (__u32 i = 0; i < 6; i++)
		trace += matrix[i][i];
	return (int)trace;
}

/* Where the byte 'e' stands first. */
SEC("xdp")
int search(struct xdp_md *ctx)
{
	__u8 *p = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	int i;

	for (i = 0; i < 200; i++) {
		if (p + 1 > end)
			return -1;
		if (*p == 'e')
			break;
		p++;
	}
	return i;
}

char _license[] SEC("license") = "BSD";
