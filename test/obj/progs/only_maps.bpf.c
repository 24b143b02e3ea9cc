/* An object without programs. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16);
	__type(key, __u64);
	__type(value, __u64);
} only SEC(".maps");

int variable = 5;
