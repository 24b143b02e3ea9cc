// SPDX-License-Identifier: BSD-2-Clause
/* VLAN tags put in, taken off and changed by moving the Ethernet header.
 *
 * run: push tcp4 vlan_tcp4 arp
 * run: pop vlan_tcp4 qinq_udp4 tcp4
 * run: retag vlan_tcp4 tcp4
 */
#include "corpus.h"

SEC("xdp")
int push(struct xdp_md *ctx)
{
	void *data, *end;
	struct eth copy;
	struct vlan *v;

	data = (void *)(long)ctx->data;
	end = (void *)(long)ctx->data_end;
	if (data + sizeof(copy) > end)
		return XDP_ABORTED;
	__builtin_memcpy(&copy, data, sizeof(copy));
	if (bpf_xdp_adjust_head(ctx, -4))
		return XDP_ABORTED;
	data = (void *)(long)ctx->data;
	end = (void *)(long)ctx->data_end;
	if (data + sizeof(copy) + sizeof(*v) > end)
		return XDP_ABORTED;
	v = data + sizeof(copy);
	v->type = copy.type;
	v->tci = bpf_htons(3 << 13 | 42);
	copy.type = bpf_htons(ETHERTYPE_VLAN);
	__builtin_memcpy(data, &copy, sizeof(copy));
	return XDP_TX;
}

SEC("xdp")
int pop(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct eth *e = data, copy;
	struct vlan *v = (void *)(e + 1);

	if ((void *)(v + 1) > end)
		return XDP_PASS;
	if (e->type != bpf_htons(ETHERTYPE_VLAN) && e->type != bpf_htons(ETHERTYPE_QINQ))
		return XDP_PASS;
	copy = *e;
	copy.type = v->type;
	if (bpf_xdp_adjust_head(ctx, 4))
		return XDP_ABORTED;
	e = (void *)(long)ctx->data;
	if ((void *)(e + 1) > (void *)(long)ctx->data_end)
		return XDP_ABORTED;
	*e = copy;
	return XDP_TX;
}

SEC("xdp")
int retag(struct xdp_md *ctx)
{
	struct eth *e = (void *)(long)ctx->data;
	struct vlan *v = (void *)(e + 1);

	if ((void *)(v + 1) > (void *)(long)ctx->data_end || e->type != bpf_htons(ETHERTYPE_VLAN))
		return XDP_PASS;
	v->tci = (v->tci & bpf_htons(0xf000)) | bpf_htons(99);
	return XDP_TX;
}

char _license[] SEC("license") = "BSD";
