// SPDX-License-Identifier: BSD-2-Clause
/* cgroup programs, whose packets start at the IP header: 0 and 1 as verdicts, egress may say more.
 *
 * build: legacy
 * run: ingress tcp4 udp4 tcp6 icmp4
 * run: egress tcp4 udp4
 * run: bytes tcp4 tcp6
 */
#include "corpus.h"

MAP(by_port, BPF_MAP_TYPE_HASH, __u16, __u64, 16);

SEC("cgroup_skb/ingress")
int ingress(struct __sk_buff *skb)
{
	void *at = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;
	struct ip4 *ip = TAKE(at, end, struct ip4);
	struct udp *u;
	__u64 one = 1, *n;
	__u16 port;

	if (!ip || ip->version_ihl != 0x45)
		return 1;
	if (ip->proto != PROTO_TCP && ip->proto != PROTO_UDP)
		return 0;
	u = TAKE(at, end, struct udp);
	if (!u)
		return 0;
	port = bpf_ntohs(u->dport);
	n = bpf_map_lookup_elem(&by_port, &port);
	if (n)
		*n += 1;
	else
		bpf_map_update_elem(&by_port, &port, &one, BPF_NOEXIST);
	return port != 53;
}

SEC("cgroup_skb/egress")
int egress(struct __sk_buff *skb)
{
	skb->mark = 0x99;
	skb->priority = 4;
	return skb->len > 60 ? 3 : 1;
}

SEC("cgroup/skb")
int bytes(struct __sk_buff *skb)
{
	__u8 b[4] = {};

	if (bpf_skb_load_bytes(skb, 0, b, 4))
		return 0;
	skb->cb[0] = b[0] | b[3] << 8;
	if (bpf_skb_load_bytes_relative(skb, 6, b, 4, BPF_HDR_START_NET))
		return 0;
	skb->cb[1] = b[0] | b[3] << 8;
	return 1;
}

char _license[] SEC("license") = "GPL";
