/* The one question that the arm64 target asks the machine it runs on. */
#include "jit/arm64/lower.h"

#if defined(__aarch64__)
#include <sys/auxv.h>

bool a64_host_has_lse(void)
{
	const unsigned long hwcap_atomics = 1ul << 8; /* asm/hwcap.h: HWCAP_ATOMICS */

	return getauxval(AT_HWCAP) & hwcap_atomics;
}
#else
bool a64_host_has_lse(void)
{
	return false;
}
#endif
