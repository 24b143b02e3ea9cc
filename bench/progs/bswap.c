/* Fields of 64, 32 and 16 bits in network byte order, of all records (64). */
#include "prog.h"

PROGRAM
{
	u64 sum = 0;

	for (u64 i = 0; i < bytes; i += 16) {
		sum += __builtin_bswap64(*(const u64 *)(mem + i));
		sum ^= __builtin_bswap32(*(const u32 *)(mem + i + 8));
		sum += __builtin_bswap16(*(const u16 *)(mem + i + 12));
		sum ^= __builtin_bswap16(*(const u16 *)(mem + i + 14));
	}
	return __builtin_bswap64(sum);
}
