/* Subprograms: of .text, of the program's own section, of another section; functions as callbacks. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define apart __attribute__((noinline))
#define tag(x) __attribute__((btf_decl_tag(x)))

__u32 total;

static apart int add(int a, int b)
{
	total += (__u32)b;
	return a + b;
}

apart int twice(int a)
{
	return add(a, a);
}

apart int length(struct xdp_md *ctx)
{
	return (int)(ctx->data_end - ctx->data);
}

apart int first_word(const __u32 *p tag("arg:nonnull"))
{
	return p ? (int)*p : -1;
}

__attribute__((weak)) apart int weak(int a)
{
	return a + 1;
}

__attribute__((visibility("hidden"))) apart int hidden(int a)
{
	return twice(a) + 3;
}

SEC("apart") apart int other_section(int a)
{
	return a * 3;
}

static apart __attribute__((section("xdp"))) int same_section(int a)
{
	return add(a, 1000);
}

SEC("xdp")
int calls(struct xdp_md *ctx)
{
	__u32 word = (__u32)ctx->rx_queue_index + 7;

	return twice(1) + length(ctx) + first_word(&word) + weak(4) + hidden(5) + same_section(6) +
	       other_section((int)word);
}

SEC("xdp")
int small(struct xdp_md *ctx)
{
	return weak(1);
}

char _license[] SEC("license") = "GPL";
