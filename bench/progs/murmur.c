/* murmur3's 32-bit hash of all bytes (1024). */
#include "prog.h"

PROGRAM
{
	u32 h = 0x9747b28c;

	for (u64 i = 0; i < bytes; i += 4) {
		u32 k = *(const u32 *)(mem + i);

		k = rotl32(k * 0xcc9e2d51, 15) * 0x1b873593;
		h = rotl32(h ^ k, 13) * 5 + 0xe6546b64;
	}
	h ^= (u32)bytes;
	h = (h ^ h >> 16) * 0x85ebca6b;
	h = (h ^ h >> 13) * 0xc2b2ae35;
	return h ^ h >> 16;
}
