/* 64 calls of a helper. */
#include "prog.h"

PROGRAM
{
	u64 x = *(const u64 *)mem;

	for (u32 i = 0; i < 64; i++)
		x = x * 5 + HELPER() + i;
	return x;
}
