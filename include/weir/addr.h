/* Comparing IPv6 addresses under a mask. */
#ifndef WEIR_ADDR_H
#define WEIR_ADDR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* True when a1 and a2 differ in a bit that is set in mask: ((a1 ^ a2) & mask) != 0 over 128 bits.
 * Each points to 16 bytes in the same byte order, at any alignment; the mask need not be
 * contiguous.
 *
 * On arm64 the end is TST, AND, CCMP, which compilers don't find: 9 instructions from loads to
 * result, in place of 10 with ORR and CMP, or 9 to 10 with NEON. doc/performance.md compares them. */
static inline bool weir_ipv6_masked_differs(const void *a1, const void *a2, const void *mask)
{
	uint64_t x[2], y[2], m[2];

	memcpy(x, a1, sizeof(x));
	memcpy(y, a2, sizeof(y));
	memcpy(m, mask, sizeof(m));
#if defined(__aarch64__) && defined(__GCC_ASM_FLAG_OUTPUTS__)
	if (!__builtin_constant_p(m[0] | m[1])) {
		uint64_t low = x[0] ^ y[0], high = (x[1] ^ y[1]) & m[1];
		bool differs;

		__asm__("tst %1, %2\n\tccmp %3, #0, #0, eq"
			: "=@ccne"(differs)
			: "r"(low), "r"(m[0]), "r"(high));
		return differs;
	}
#endif
	return (((x[0] ^ y[0]) & m[0]) | ((x[1] ^ y[1]) & m[1])) != 0;
}

#endif
