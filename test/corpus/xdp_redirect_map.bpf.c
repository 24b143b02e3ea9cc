// SPDX-License-Identifier: BSD-2-Clause
/* bpf_redirect_map over all kinds of targets: entries that are there, missing ones with the action for that case, flags
 * that are refused.
 *
 * build: g
 * set: devices u32:0 u32:1
 * set: devices_by_id u32:500 u32:1
 * set: cpus u32:0 u32:192
 * refuse: looks_up_cpu cannot pass map_type 16 into func bpf_map_lookup_elem
 * run: dev tcp4
 * run: dev_hash tcp4
 * run: cpu tcp4
 * run: xsk tcp4
 * run: broadcast tcp4
 * run: looked_up tcp4
 */
#include "corpus.h"

struct {
	__uint(type, BPF_MAP_TYPE_DEVMAP);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u32);
} devices SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_DEVMAP_HASH);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u32);
} devices_by_id SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CPUMAP);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u32);
} cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_XSKMAP);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u32);
} sockets SEC(".maps");

/* Every answer in a byte of its own. */
#define ALL_FOUR(map, key, missing) \
	((int)bpf_redirect_map(map, missing, 0) | \
		(int)bpf_redirect_map(map, missing, XDP_PASS) << 8 | \
		(int)bpf_redirect_map(map, missing, XDP_TX) << 16 | \
		(int)bpf_redirect_map(map, key, XDP_DROP) << 24)

SEC("xdp")
int dev(struct xdp_md *ctx)
{
	return ALL_FOUR(&devices, 0, 3);
}

SEC("xdp")
int dev_hash(struct xdp_md *ctx)
{
	return ALL_FOUR(&devices_by_id, 500, 0);
}

SEC("xdp")
int cpu(struct xdp_md *ctx)
{
	return ALL_FOUR(&cpus, 0, 1);
}

SEC("xdp")
int xsk(struct xdp_md *ctx)
{
	return ALL_FOUR(&sockets, 0, 1);
}

SEC("xdp")
int broadcast(struct xdp_md *ctx)
{
	int a = (int)bpf_redirect_map(&devices, 3, BPF_F_BROADCAST);
	int b = (int)bpf_redirect_map(&devices, 3, BPF_F_BROADCAST | BPF_F_EXCLUDE_INGRESS);
	int c = (int)bpf_redirect_map(&devices, 3, 1 << 10);
	int d = (int)bpf_redirect_map(&cpus, 1, BPF_F_BROADCAST);

	return a | b << 8 | c << 16 | d << 24;
}

SEC("xdp")
int looked_up(struct xdp_md *ctx)
{
	__u32 key = 0;
	__u32 *ifindex = bpf_map_lookup_elem(&devices, &key);

	return ifindex ? (int)*ifindex : -1;
}

SEC("xdp")
int looks_up_cpu(struct xdp_md *ctx)
{
	__u32 key = 0;
	__u32 *queue = bpf_map_lookup_elem(&cpus, &key);

	return queue ? (int)*queue : -1;
}

char _license[] SEC("license") = "GPL";
