// SPDX-License-Identifier: BSD-2-Clause
/* Global variables: zeroed, initialised, constants that the loader may change, strings, sections of their own, static
 * ones, arrays, structs with pointers' room, alignment.
 *
 * init: .rodata.cfg 0 07000000
 * run: use tcp4 udp4
 * run: tables tcp4 udp4 arp
 */
#include "corpus.h"

struct config {
	__u8 flag;
	__u32 limit;
	__u64 mask;
} __attribute__((aligned(16)));

__u64 zeroed;
__u32 zeroed_array[8];
static volatile __u16 zeroed_static;
__u32 counter = 5;
static volatile __u8 small_static = 200;
struct config config = {1, 1000, 0xff00ff00ff00ff00};
const volatile __u32 constant = 0x1234;
static const volatile __u64 constant_static = 1ull << 33;
const volatile char name[] = "a name of seventeen";
const volatile __u32 changed SEC(".rodata.cfg") = 1;
__u32 extra SEC(".data.extra") = 11;
__u64 extra_pair[2] SEC(".data.pair") = {3, 4};
__u32 extra_zero SEC(".bss.extra");

static const __u8 primes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};

SEC("xdp")
int use(struct xdp_md *ctx)
{
	__u32 len = ctx->data_end - ctx->data;

	OPAQUE(len);
	zeroed += len;
	zeroed_array[len & 7] += 1;
	zeroed_static++;
	counter *= 3;
	small_static += 100;
	config.limit -= config.flag;
	config.mask ^= zeroed;
	extra += changed;
	extra_pair[1] += extra_pair[0];
	extra_zero = extra + 1;
	return (int)(constant + (constant_static >> 20) + counter + small_static + changed);
}

SEC("xdp")
int tables(struct xdp_md *ctx)
{
	__u32 len = ctx->data_end - ctx->data, sum = 0;

	for (int i = 0; i < 19; i++)
		sum = sum * 7 + name[i];
	return (int)(sum + primes[len & 15]);
}

char _license[] SEC("license") = "Dual MPL/GPL";
