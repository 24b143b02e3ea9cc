// SPDX-License-Identifier: BSD-2-Clause
/* CO-RE relocations against types of the object itself, which are the same everywhere: sizes, offsets, existence.
 *
 * build: g clang-19
 * run: local tcp4 udp4
 */
#include "corpus.h"
#include <bpf/bpf_core_read.h>

struct weir_point {
	int x, y;
	__u64 weight : 20;
};

struct weir_missing_type {
	int nothing;
};

SEC("xdp")
int local(struct xdp_md *ctx)
{
	int r = 0;

	r |= bpf_core_type_exists(struct weir_missing_type) << 0;
	r |= bpf_core_field_exists(((struct weir_point *)0)->y) << 1;
	r |= (bpf_core_type_size(struct weir_point) == 16) << 2;
	return r;
}

char _license[] SEC("license") = "GPL";
