// SPDX-License-Identifier: BSD-2-Clause
/* CO-RE relocations against the kernel's types: where fields of partly declared structs are, how big types are, what
 * doesn't exist, values of enums.
 *
 * build: g
 * run: fields tcp4
 * run: types tcp4
 */
#include "corpus.h"
#include <bpf/bpf_core_read.h>

struct sk_buff {
	unsigned int len, data_len;
	__u16 mac_len;
	int no_such_field;
} __attribute__((preserve_access_index));

struct net_device {
	int ifindex;
	unsigned int mtu;
} __attribute__((preserve_access_index));

struct sk_buff___other_flavour {
	unsigned char *head, *data;
} __attribute__((preserve_access_index));

struct not_in_any_kernel {
	int x;
} __attribute__((preserve_access_index));

enum bpf_map_type___mine {
	BPF_MAP_TYPE_HASH___mine = 77,
	NO_SUCH_VALUE___mine = 5,
};

SEC("xdp")
int fields(struct xdp_md *ctx)
{
	struct sk_buff *skb = 0;
	struct sk_buff___other_flavour *other = 0;
	int r = 0;

	r += (int)__builtin_preserve_field_info(skb->len, BPF_FIELD_BYTE_OFFSET);
	r += (int)__builtin_preserve_field_info(skb->mac_len, BPF_FIELD_BYTE_SIZE) * 1000;
	r += (int)__builtin_preserve_field_info(other->data, BPF_FIELD_BYTE_OFFSET) * 10000;
	r += bpf_core_field_exists(skb->data_len) * 10000000;
	r += bpf_core_field_exists(skb->no_such_field) * 20000000;
	return r;
}

SEC("xdp")
int types(struct xdp_md *ctx)
{
	int r = 0;

	r += bpf_core_type_exists(struct net_device);
	r += bpf_core_type_exists(struct not_in_any_kernel) * 2;
	r += (int)bpf_core_type_size(struct sk_buff) * 100;
	r += (int)bpf_core_enum_value_exists(enum bpf_map_type___mine, BPF_MAP_TYPE_HASH___mine) *
	     4;
	r += (int)bpf_core_enum_value(enum bpf_map_type___mine, BPF_MAP_TYPE_HASH___mine) * 10;
	r += (int)bpf_core_enum_value_exists(enum bpf_map_type___mine, NO_SUCH_VALUE___mine) * 50;
	return r;
}

char _license[] SEC("license") = "GPL";
