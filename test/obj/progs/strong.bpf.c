/* Names that nobody has. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern int bpf_no_such_function(int a) __ksym;
extern const int no_such_variable __ksym;
extern int undefined(int a);

SEC("xdp")
int function(struct xdp_md *ctx)
{
	return bpf_no_such_function(1);
}

SEC("xdp")
int variable(struct xdp_md *ctx)
{
	return no_such_variable;
}

SEC("xdp")
int call(struct xdp_md *ctx)
{
	return undefined(2);
}

SEC("xdp")
int fine(struct xdp_md *ctx)
{
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
