/* iproute2's maps, with ids, a map inside of another one, and programs for slots of a prog array. */
#include <linux/bpf.h>
#define SEC(name) __attribute__((section(name), used))

struct bpf_elf_map {
	__u32 type, size_key, size_value, max_elem, flags, id, pinning, inner_id, inner_idx;
};

static void *(*lookup)(void *map, const void *key) = (void *)1;
static void (*tail_call)(void *ctx, void *map, __u32 index) = (void *)12;

struct bpf_elf_map SEC("maps") in = {BPF_MAP_TYPE_ARRAY, 4, 4, 1, .id = 42, .pinning = 2, .inner_idx = 0};
struct bpf_elf_map SEC("maps") out = {BPF_MAP_TYPE_ARRAY_OF_MAPS, 4, 4, 2, .inner_id = 42};
struct bpf_elf_map SEC("maps") jumps = {BPF_MAP_TYPE_PROG_ARRAY, 4, 4, 3, .id = 2};

SEC("2/1")
int slot1(struct __sk_buff *skb)
{
	return 11;
}

SEC("classifier")
int entry(struct __sk_buff *skb)
{
	__u32 key = 0;
	void *map = lookup(&out, &key);

	if (!map || !lookup(map, &key))
		return 5;
	tail_call(skb, &jumps, 1);
	return 6;
}

char _license[] SEC("license") = "GPL";
