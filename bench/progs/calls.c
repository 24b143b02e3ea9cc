/* 64 calls of a function of the program. */
#include "prog.h"

static NOINLINE u64 step(u64 x, u64 y);

PROGRAM
{
	u64 x = *(const u64 *)mem;

	for (u32 i = 0; i < 64; i++)
		x = step(x, i);
	return x;
}

static IN_PROGRAM NOINLINE u64 step(u64 x, u64 y)
{
	return x * 5 + y;
}
