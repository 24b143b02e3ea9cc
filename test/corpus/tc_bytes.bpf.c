// SPDX-License-Identifier: BSD-2-Clause
/* skb_load_bytes, skb_load_bytes_relative, skb_store_bytes with offsets at and behind the end.
 *
 * run: load tcp4 eth_only
 * run: relative tcp4 tcp6
 * run: store tcp4
 * run: copy_payload udp4 tcp4 eth_only
 */
#include "corpus.h"

SEC("tc")
int load(struct __sk_buff *skb)
{
	__u8 b[16];
	__u32 len = skb->len;
	int ok = 0;

	ok |= (bpf_skb_load_bytes(skb, 0, b, 14) == 0) << 0;
	skb->cb[0] = b[0] | b[5] << 8 | b[6] << 16 | (__u32)b[13] << 24;
	ok |= (bpf_skb_load_bytes(skb, len - 16, b, 16) == 0) << 1;
	skb->cb[1] = b[0] | b[15] << 8;
	ok |= (bpf_skb_load_bytes(skb, len - 15, b, 16) == -14) << 2;
	skb->cb[2] = b[0] | b[15] << 8; /* zeros */
	ok |= (bpf_skb_load_bytes(skb, 0x10000, b, 4) == -14) << 3;
	ok |= (bpf_skb_load_bytes(skb, (__u32)-4, b, 4) == -14) << 4;
	skb->cb[3] = b[0] | b[3] << 8;
	return ok;
}

SEC("tc")
int relative(struct __sk_buff *skb)
{
	__u8 b[8] = {};
	int ok = 0;

	ok |= (bpf_skb_load_bytes_relative(skb, 0, b, 8, BPF_HDR_START_MAC) == 0) << 0;
	skb->cb[0] = b[0] | b[7] << 8;
	ok |= (bpf_skb_load_bytes_relative(skb, 0, b, 8, BPF_HDR_START_NET) == 0) << 1;
	skb->cb[1] = b[0] | b[7] << 8;
	ok |= (bpf_skb_load_bytes_relative(skb, 0, b, 8, 2) == -14) << 2;
	ok |= (bpf_skb_load_bytes_relative(skb, 0x10000, b, 8, BPF_HDR_START_NET) == -14) << 3;
	ok |= (bpf_skb_load_bytes_relative(skb, skb->len - 14 - 8, b, 8, BPF_HDR_START_NET) == 0)
	      << 4;
	skb->cb[2] = b[0] | b[7] << 8;
	ok |= (bpf_skb_load_bytes_relative(skb, skb->len - 14 - 7, b, 8, BPF_HDR_START_NET) == -14)
	      << 5;
	return ok;
}

SEC("tc")
int store(struct __sk_buff *skb)
{
	__u8 b[6] = {2, 1, 1, 1, 1, 1};
	__u32 len = skb->len;
	int ok = 0;

	ok |= (bpf_skb_store_bytes(skb, 0, b, 6, 0) == 0) << 0;
	ok |= (bpf_skb_store_bytes(skb, len - 6, b, 6, BPF_F_RECOMPUTE_CSUM) == 0) << 1;
	ok |= (bpf_skb_store_bytes(skb, len - 5, b, 6, 0) == -14) << 2;
	ok |= (bpf_skb_store_bytes(skb, 0, b, 6, 0x100) == -22) << 3;
	ok |= (bpf_skb_store_bytes(skb, 0x10000, b, 6, 0) == -14) << 4;
	return ok;
}

/* A length that only a branch knows. */
SEC("tc")
int copy_payload(struct __sk_buff *skb)
{
	__u8 b[64] = {};
	__u32 len = skb->len, sum = 0;

	if (len <= 42)
		return -1;
	len -= 42;
	OPAQUE(len);
	len = (len & 63) | 1;
	if (bpf_skb_load_bytes(skb, 42, b, len))
		return -2;
	for (__u32 i = 0; i < sizeof(b); i++)
		sum = sum * 31 + b[i];
	return (int)sum;
}

char _license[] SEC("license") = "GPL";
