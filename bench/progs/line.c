/* A long straight line: SipHash-2-4 of 16 bytes, TIMES times with what came out as the next key. */
#include "prog.h"

#ifndef TIMES
#define TIMES 1
#endif

PROGRAM
{
	u64 key = *(const u64 *)mem, hash = *(const u64 *)(mem + 8);

#pragma unroll
	for (u32 i = 0; i < TIMES; i++) {
		struct sip s = sip_start(key, hash);

		sip_word(&s, *(const u64 *)(mem + 16));
		sip_word(&s, *(const u64 *)(mem + 24));
		key = hash;
		hash = sip_end(&s, 16);
	}
	return hash;
}
