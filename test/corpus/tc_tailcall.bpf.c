// SPDX-License-Identifier: BSD-2-Clause
/* A pipeline of classifiers by tail calls; what is known travels in cb and mark.
 *
 * build: g
 * prog: stages 0 stage_parse
 * prog: stages 1 stage_mark
 * prog: stages 2 stage_done
 * run: start tcp4 udp4 arp
 */
#include "corpus.h"

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4);
	__uint(max_entries, 4);
} stages SEC(".maps");

SEC("tc")
int start(struct __sk_buff *skb)
{
	skb->cb[0] = 1;
	bpf_tail_call(skb, &stages, 0);
	return -1;
}

SEC("tc")
int stage_parse(struct __sk_buff *skb)
{
	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;
	struct eth *e = data;
	struct ip4 *ip = (void *)(e + 1);

	skb->cb[0] += 10;
	if ((void *)(ip + 1) > end || e->type != bpf_htons(ETHERTYPE_IP)) {
		bpf_tail_call(skb, &stages, 2);
		return -2;
	}
	skb->cb[1] = ip->proto;
	bpf_tail_call(skb, &stages, 1);
	return -3;
}

SEC("tc")
int stage_mark(struct __sk_buff *skb)
{
	skb->cb[0] += 100;
	skb->mark = skb->cb[1] == PROTO_TCP ? 0xa : 0xb;
	bpf_tail_call(skb, &stages, 3); /* empty */
	bpf_tail_call(skb, &stages, skb->cb[1] == PROTO_TCP ? 2 : 7);
	return 44;
}

SEC("tc")
int stage_done(struct __sk_buff *skb)
{
	return (int)(skb->cb[0] + skb->mark);
}

char _license[] SEC("license") = "GPL";
