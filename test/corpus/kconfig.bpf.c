// SPDX-License-Identifier: BSD-2-Clause
/* Externs that the loader fills: numbers, tristates, strings, the kernel's version, weak ones that aren't there.
 *
 * build: g
 * ignore: map .kconfig
 * run: options tcp4
 * run: version tcp4
 */
#include "corpus.h"

extern unsigned int LINUX_KERNEL_VERSION __kconfig;
extern unsigned int CONFIG_HZ __kconfig;
extern _Bool CONFIG_BPF_SYSCALL __kconfig;
extern enum libbpf_tristate CONFIG_BPF __kconfig;
extern char CONFIG_DEFAULT_HOSTNAME[16] __kconfig __weak;
extern unsigned int CONFIG_WEIR_HAS_NO_SUCH_OPTION __kconfig __weak;
extern _Bool CONFIG_WEIR_HAS_NO_SUCH_BOOL __kconfig __weak;

SEC("xdp")
int options(struct xdp_md *ctx)
{
	int r = (int)CONFIG_HZ;

	if (CONFIG_BPF_SYSCALL)
		r += 10000;
	if (CONFIG_BPF == TRI_YES)
		r += 20000;
	r += (int)CONFIG_WEIR_HAS_NO_SUCH_OPTION;
	if (CONFIG_WEIR_HAS_NO_SUCH_BOOL)
		r += 40000;
	return r * 256 + CONFIG_DEFAULT_HOSTNAME[0];
}

SEC("xdp")
int version(struct xdp_md *ctx)
{
	return LINUX_KERNEL_VERSION >= 5 << 16 ? (int)(LINUX_KERNEL_VERSION >> 8) : -1;
}

char _license[] SEC("license") = "GPL";
