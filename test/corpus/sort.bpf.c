// SPDX-License-Identifier: BSD-2-Clause
/* Sorting and searching in arrays on the stack and in global data, at places that only the program knows.
 *
 * build: v2
 * run: sorted tcp4 udp4
 * run: histogram tcp4 udp4 arp
 */
#include "corpus.h"

__u32 sorted_values[8];
__u64 buckets[16];

SEC("xdp")
int sorted(struct xdp_md *ctx)
{
	__u32 v[8], n = ctx->data_end - ctx->data;

	for (int i = 0; i < 8; i++) {
		n = n * 1664525 + 1013904223;
		v[i] = n >> 16;
	}
	for (int i = 0; i < 7; i++) {
		for (int k = 0; k < 7; k++) {
			if (v[k] > v[k + 1]) {
				__u32 t = v[k];

				v[k] = v[k + 1];
				v[k + 1] = t;
			}
		}
	}
	for (int i = 0; i < 8; i++)
		sorted_values[i] = v[i];
	return (int)(v[0] << 16 ^ v[7]);
}

SEC("xdp")
int histogram(struct xdp_md *ctx)
{
	__u8 *p = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	__u32 most = 0;

	for (int i = 0; i < 100; i++) {
		if (p + 1 > end)
			break;
		buckets[*p++ >> 4]++;
	}
	for (__u32 i = 1; i < 16; i++)
		if (buckets[i] > buckets[most])
			most = i;
	return (int)most;
}

char _license[] SEC("license") = "BSD";
