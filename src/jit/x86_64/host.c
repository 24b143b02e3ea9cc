/* The one question that the x86-64 target asks the machine it runs on. */
#include "jit/x86_64/x86.h"

#if defined(__x86_64__)
bool x86_host_has_bmi2(void)
{
	return __builtin_cpu_supports("bmi2"); /* asked when the program was loaded */
}
#else
bool x86_host_has_bmi2(void)
{
	return false;
}
#endif
