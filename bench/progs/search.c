/* Binary search of 16 keys in a sorted table of 1024 16-bit numbers. */
#include "prog.h"

PROGRAM
{
	const u16 *table = (const u16 *)mem, *keys = (const u16 *)(mem + 2048);
	u64 sum = 0;

	for (u32 k = 0; k < 16; k++) {
		u32 low = 0, high = 1024;

		while (low < high) {
			u32 mid = (low + high) / 2;

			if (table[mid] < keys[k])
				low = mid + 1;
			else
				high = mid;
		}
		sum = sum * 31 + low;
	}
	return sum;
}
