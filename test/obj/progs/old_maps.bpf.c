/* Maps as they were before BTF, in records with room behind the flags, which is zero. */
#include <linux/bpf.h>
#define SEC(name) __attribute__((section(name), used))

struct bpf_map_def {
	unsigned type, key_size, value_size, max_entries, map_flags, rest[3];
};

static void *(*lookup)(void *map, const void *key) = (void *)1;

struct bpf_map_def SEC("maps") first = {BPF_MAP_TYPE_ARRAY, 4, 8, 5, 0};
static struct bpf_map_def SEC("maps") second = {BPF_MAP_TYPE_HASH, 4, 16, 7, BPF_F_NO_PREALLOC};

SEC("classifier/x")
int prog(struct __sk_buff *skb)
{
	__u32 key = 4;
	__u64 *v = lookup(&first, &key);

	if (v)
		*v += 1;
	return v ? (lookup(&second, &key) ? 2 : 3) : 4;
}

char _license[] SEC("license") = "GPL";
