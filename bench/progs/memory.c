/* memcpy of the first half (256 bytes) to the second and memcmp, in words of 64 bits. */
#include "prog.h"

PROGRAM
{
	u64 half = bytes / 2;
	u8 *copy = mem + half;

	for (u64 i = 0; i < half; i += 8)
		*(u64 *)(copy + i) = *(const u64 *)(mem + i);
	for (u64 i = 0; i < half; i += 8)
		if (*(const u64 *)(copy + i) != *(const u64 *)(mem + i))
			return i;
	return half;
}
