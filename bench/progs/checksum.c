/* The internet checksum of all bytes (1500), in words of 16 bits. */
#include "prog.h"

PROGRAM
{
	u64 sum = 0;

	for (u64 i = 0; i < bytes; i += 2)
		sum += *(const u16 *)(mem + i);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (u16)~sum;
}
