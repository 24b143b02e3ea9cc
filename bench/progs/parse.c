/* Ethernet, IPv6 and UDP headers, then 16 rules about the source address and the destination port; the last that can
 * match does. Rules are code, as a compiler of rules writes them. RULES: how many, for the cost of compiling. */
#include "prog.h"

#ifndef RULES
#define RULES 16
#endif

static inline u16 be16(const u8 *p)
{
	return __builtin_bswap16(*(const u16 *)p);
}

/* The first 8 bytes of 2001:db8:n:s::, as they are in memory. */
static inline __attribute__((always_inline)) u64 prefix64(u32 n, u32 subnet)
{
	return __builtin_bswap64(0x20010db800000000 | (u64)n << 16 | subnet);
}

PROGRAM
{
	const u8 *ip = mem + 14, *udp = mem + 54;

	if (be16(mem + 12) != 0x86dd)
		return 100;
	if (ip[0] >> 4 != 6)
		return 101;
	if (ip[6] != 17 || be16(ip + 4) < 8)
		return 102;
	if (be16(udp + 4) < 8)
		return 103;
	u64 source = *(const u64 *)(ip + 8), host = *(const u64 *)(ip + 16);
	u16 port = be16(udp + 2);
#pragma unroll
	for (u32 n = 1; n <= RULES; n++) {
		if (n % 4 == 1 && (u32)source == (u32)prefix64(n << 8, 0) && port == 53)
			return n; /* /32: never, the number is behind it */
		if (n % 4 == 2 && source == prefix64(n, 1))
			return n; /* /64 */
		if (n % 4 == 3 && source == prefix64(n, 2) && host == __builtin_bswap64(n))
			return n; /* /128 */
		if (n % 4 == 0 && (source & 0xffffffffffff) == (prefix64(n, 0) & 0xffffffffffff) &&
			port > 1000 + n && port < 3000)
			return n; /* /48 and ports */
	}
	return 104;
}
