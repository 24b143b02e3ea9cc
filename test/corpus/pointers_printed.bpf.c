// SPDX-License-Identifier: BSD-2-Clause
/* snprintf of strings and addresses, whose arguments are pointers.
 *
 * build: g
 * run: text tcp4
 * run: addresses tcp4 tcp6
 */
#include "corpus.h"

char out[2][96];
char word[16] = "packet";
const char constant[] = "rules";
__u8 addr4[4] = {192, 168, 1, 20};
__u8 addr6[16] = {0x20, 0x01, 0x0d, 0xb8, [15] = 9};

SEC("xdp")
int text(struct xdp_md *ctx)
{
	static const char f[] = "<%s|%s|%c>";
	__u64 args[3] = {(__u64)(long)word, (__u64)(long)constant, '!'};

	return (int)bpf_snprintf(out[0], sizeof(out[0]), f, args, sizeof(args));
}

SEC("xdp")
int addresses(struct xdp_md *ctx)
{
	static const char f[] = "%pI4 %pi4 %pI6 %pi6";
	__u64 args[4] = {
		(__u64)(long)addr4, (__u64)(long)addr4, (__u64)(long)addr6, (__u64)(long)addr6};

	return (int)bpf_snprintf(out[1], sizeof(out[1]), f, args, sizeof(args));
}

char _license[] SEC("license") = "GPL";
