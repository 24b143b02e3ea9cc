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
 * Compilers make the same code of a form with __uint128_t (arm64: three ldp, eor, eor, and, and,
 * orr, cmp); one with NEON has one instruction less, but its answer comes later (llvm-mca, Neoverse
 * N1: 16 cycles against 9). */
static inline bool weir_ipv6_masked_differs(const void *a1, const void *a2, const void *mask)
{
	uint64_t x[2], y[2], m[2];

	memcpy(x, a1, sizeof(x));
	memcpy(y, a2, sizeof(y));
	memcpy(m, mask, sizeof(m));
	return (((x[0] ^ y[0]) & m[0]) | ((x[1] ^ y[1]) & m[1])) != 0;
}

#endif
