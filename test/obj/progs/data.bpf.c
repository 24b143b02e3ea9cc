/* Global data of every kind of section. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

const volatile __u32 limit = 10;
static const volatile __u16 table[4] = {1, 2, 3, 4};
__u32 start = 100;
static volatile __u32 step = 3;
__u64 sum;
static volatile __u32 calls;
__u32 mine SEC(".data.mine") = 0x1234;
const volatile char text[] SEC(".rodata.text") = "abc";
__u8 big[70000];

SEC("xdp")
int count(struct xdp_md *ctx)
{
	calls += 1;
	sum += start + step * calls;
	mine++;
	big[69999] = 9;
	if (calls > limit)
		return table[3];
	return table[calls & 3] + (text[1] == 'b' ? 0 : 100);
}

char _license[] SEC("license") = "Dual BSD/GPL";
__u32 _version SEC("version") = 0x50a00;
