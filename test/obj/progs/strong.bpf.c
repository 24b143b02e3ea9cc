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

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 4);
	__uint(key_size, 4);
	__uint(value_size, 80);
} trace SEC(".maps");

static long (*nobody)(void *map) = (void *)4711;

SEC("xdp")
int old(struct xdp_md *ctx)
{
	return (int)bpf_get_current_task() + (int)nobody(&trace);
}

SEC("kprobe/x")
int other(void *ctx)
{
	return 0;
}

SEC("unknown")
int untyped(void *ctx)
{
	return 0;
}

SEC("xdp")
int fine(struct xdp_md *ctx)
{
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
