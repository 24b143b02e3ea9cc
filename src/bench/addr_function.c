/* The masked compare as a function: what this compiler makes of it. It is compiled to text besides. */
#include "bench/addr_function.h"

#include "weir/addr.h"

bool bench_addr_differs(const void *a1, const void *a2, const void *mask)
{
	return weir_ipv6_masked_differs(a1, a2, mask);
}
