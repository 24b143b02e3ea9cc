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
 * Compilers write it in ways that answer later, so it is assembly where they take flags as a result: on arm64 with TST and
 * CCMP in place of ORR and CMP, with TST early; on x86-64 with gcc in 8 instructions, where it moves a register more.
 * doc/performance.md compares them. */
static inline bool weir_ipv6_masked_differs(const void *a1, const void *a2, const void *mask)
{
	uint64_t x[2], y[2], m[2];

	memcpy(x, a1, sizeof(x));
	memcpy(y, a2, sizeof(y));
	memcpy(m, mask, sizeof(m));
#if defined(__aarch64__) && defined(__GCC_ASM_FLAG_OUTPUTS__)
	if (!__builtin_constant_p(m[0] | m[1])) {
		uint64_t low, high;
		bool differs;

		__asm__("eor %1, %3, %5\n\teor %2, %4, %6\n\ttst %1, %7\n\tand %2, %2, %8\n\t"
			"ccmp %2, #0, #0, eq"
			: "=@ccne"(differs), "=&r"(low), "=&r"(high)
			: "r"(x[0]), "r"(x[1]), "r"(y[0]), "r"(y[1]), "r"(m[0]), "r"(m[1]));
		return differs;
	}
#elif defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__) && !defined(__clang__)
	/* Not for clang: a memory operand hides constants from it. */
	if (!__builtin_constant_p(m[0] | m[1])) {
		typedef uint64_t __attribute__((aligned(1), may_alias)) half;
		const half *masks = (const half *)mask;
		uint64_t low = x[0] ^ y[0], high = x[1] ^ y[1];
		bool differs;

		/* Fixed registers: left alone, gcc wants the mask's and has to move it. */
		__asm__("andq %3, %1\n\tandq %4, %2\n\torq %2, %1"
			: "=@ccnz"(differs), "+a"(low), "+c"(high)
			: "m"(masks[0]), "m"(masks[1]));
		return differs;
	}
#endif
	return (((x[0] ^ y[0]) & m[0]) | ((x[1] ^ y[1]) & m[1])) != 0;
}

#endif
