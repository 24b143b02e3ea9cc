/* SipHash-2-4 of all bytes but the key (64). */
#include "prog.h"

PROGRAM
{
	struct sip s = sip_start(*(const u64 *)mem, *(const u64 *)(mem + 8));

	for (u64 i = 16; i < bytes; i += 8)
		sip_word(&s, *(const u64 *)(mem + i));
	return sip_end(&s, bytes - 16);
}
