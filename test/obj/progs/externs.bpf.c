/* What others give: the kernel's configuration, kernel functions and variables. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern int LINUX_KERNEL_VERSION __kconfig;
extern _Bool CONFIG_BPF __kconfig;
extern int CONFIG_HZ __kconfig;
extern enum libbpf_tristate CONFIG_MODULE __kconfig __weak;
extern char CONFIG_NAME[8] __kconfig;
extern __u64 CONFIG_NOT_THERE __kconfig __weak;

extern int bpf_no_such_function(int a) __ksym __weak;
extern const void no_such_variable __ksym __weak;

__u32 version, hz, tristate, missing;
char name[8];

SEC("xdp")
int externs(struct xdp_md *ctx)
{
	version = (__u32)LINUX_KERNEL_VERSION;
	hz = (__u32)CONFIG_HZ;
	tristate = CONFIG_MODULE;
	missing = (__u32)CONFIG_NOT_THERE;
	for (int i = 0; i < 8; i++)
		name[i] = CONFIG_NAME[i];
	if (bpf_no_such_function)
		return bpf_no_such_function(1);
	if (&no_such_variable)
		return 9;
	return CONFIG_BPF ? 2 : 1;
}

char _license[] SEC("license") = "GPL";
