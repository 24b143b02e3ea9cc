/* A function's address, of .text. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct state {
	__u32 sum, limit;
};

static long each(__u32 i, struct state *s)
{
	s->sum += i;
	return i == s->limit;
}

SEC("socket")
int loop(struct __sk_buff *skb)
{
	struct state s = {0, 10};

	bpf_loop(100, each, &s, 0);
	return (int)s.sum;
}

char _license[] SEC("license") = "GPL";
