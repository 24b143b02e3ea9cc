// SPDX-License-Identifier: BSD-2-Clause
/* Maps in the section `maps`, with and without flags, beside global data.
 *
 * build: legacy
 * set: limits u32:0 u64:2
 * run: limit tcp4 tcp4 tcp4 udp4
 */
#include "corpus.h"

MAP(limits, BPF_MAP_TYPE_ARRAY, __u32, __u64, 1);
MAP(by_proto, BPF_MAP_TYPE_HASH, __u8, __u64, 256);
MAP_FLAGS(by_len, BPF_MAP_TYPE_HASH, __u32, __u32, 32, BPF_F_NO_PREALLOC);
MAP(total, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, __u64, 1);

__u64 over = 0;
const volatile __u32 step = 3;

SEC("xdp")
int limit(struct xdp_md *ctx)
{
	__u32 zero = 0, len = ctx->data_end - ctx->data, *l;
	void *at = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	__u64 *max = bpf_map_lookup_elem(&limits, &zero), *n, *all, one = 1;
	struct eth *e = TAKE(at, end, struct eth);
	struct ip4 *ip;
	__u8 proto;

	if (!e || !max)
		return XDP_ABORTED;
	all = bpf_map_lookup_elem(&total, &zero);
	if (all)
		*all += step;
	l = bpf_map_lookup_elem(&by_len, &len);
	if (l)
		*l += 1;
	else
		bpf_map_update_elem(&by_len, &len, &zero, BPF_ANY);
	ip = TAKE(at, end, struct ip4);
	if (!ip)
		return XDP_PASS;
	proto = ip->proto;
	n = bpf_map_lookup_elem(&by_proto, &proto);
	if (!n) {
		bpf_map_update_elem(&by_proto, &proto, &one, BPF_NOEXIST);
		return XDP_PASS;
	}
	*n += 1;
	if (*n <= *max)
		return XDP_PASS;
	over++;
	return XDP_DROP;
}

char _license[] SEC("license") = "GPL";
