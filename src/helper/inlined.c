/* Calls that passes or engines put code in place of (HELPER_INLINE_ONLY): nobody comes here. */
#include "helper/functions.h"

u64 helper_tail_call(u64 r1 UNUSED_ARG, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG,
	u64 r5 UNUSED_ARG)
{
	UNREACHABLE();
}

u64 helper_tail_jump(u64 r1 UNUSED_ARG, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG,
	u64 r5 UNUSED_ARG)
{
	UNREACHABLE();
}

u64 helper_loop(u64 r1 UNUSED_ARG, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG,
	u64 r5 UNUSED_ARG)
{
	UNREACHABLE();
}

u64 helper_for_each_map_elem(u64 r1 UNUSED_ARG, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG,
	u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	UNREACHABLE();
}
