// SPDX-License-Identifier: BSD-2-Clause
/* Under a licence that isn't compatible with the GPL: helpers that anybody may call, and one that is refused.
 *
 * build: legacy
 * refuse: needs_gpl cannot call GPL-restricted function from non-GPL compatible program
 * run: unrestricted tcp4 udp4
 */
#include "corpus.h"

MAP(count, BPF_MAP_TYPE_ARRAY, __u32, __u64, 1);

SEC("xdp")
int unrestricted(struct xdp_md *ctx)
{
	__u32 zero = 0, cpu = bpf_get_smp_processor_id();
	__u64 *n = bpf_map_lookup_elem(&count, &zero);

	if (!n)
		return -1;
	*n += cpu + 1;
	return (int)*n;
}

SEC("xdp")
int needs_gpl(struct xdp_md *ctx)
{
	char text[] = "hello";

	return (int)bpf_trace_printk(text, sizeof(text));
}

char _license[] SEC("license") = "Proprietary";
