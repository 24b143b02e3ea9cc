/* A 64-bit hash mix (splitmix64), 1000 times. */
#include "prog.h"

PROGRAM
{
	u64 x = *(const u64 *)mem, sum = 0;

	for (u32 i = 0; i < 1000; i++) {
		x += 0x9e3779b97f4a7c15;
		u64 z = x;
		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
		z = (z ^ z >> 27) * 0x94d049bb133111eb;
		sum += z ^ z >> 31;
	}
	return sum;
}
