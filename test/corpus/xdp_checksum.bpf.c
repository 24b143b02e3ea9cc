// SPDX-License-Identifier: BSD-2-Clause
/* The checksum of a whole UDP or TCP packet by a bounded loop over its bytes, and by csum_diff in blocks.
 *
 * build: g v2
 * run: by_loop udp4 tcp4 tcp4_options big_udp4
 * run: by_blocks udp4 tcp4 big_udp4
 */
#include "corpus.h"

SEC("xdp")
int by_loop(struct xdp_md *ctx)
{
	__u8 *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	__u32 sum = 0;

	for (__u32 i = 0; i < 750; i++) {
		__u8 *p = data + i * 2;

		if (p + 2 > end) {
			if (p + 1 <= end)
				sum += *p;
			break;
		}
		sum += *(__u16 *)p;
	}
	return fold(sum);
}

SEC("xdp")
int by_blocks(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	__u32 sum = 0;

	for (int i = 0; i < 100; i++) {
		__s64 s;

		if (data + 16 > end)
			break;
		s = bpf_csum_diff(0, 0, data, 16, sum);
		if (s < 0)
			return -1;
		sum = (__u32)s;
		data += 16;
	}
	return fold(sum);
}

char _license[] SEC("license") = "BSD";
