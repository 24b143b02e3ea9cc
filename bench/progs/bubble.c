/* Bubble sort of numbers of 32 bits (32 of them) on the stack. */
#include "prog.h"

enum { NUMBERS_MAX = 32 };

PROGRAM
{
	u32 numbers[NUMBERS_MAX];
	u64 n = bytes / 4, sum = 0;

	if (n < 1 || n > NUMBERS_MAX)
		return 0;
	for (u64 i = 0; i < n; i++)
		numbers[i] = *(const u32 *)(mem + 4 * i);
	for (u64 end = n - 1; end > 0; end--) {
		for (u64 i = 0; i < end; i++) {
			u32 a = numbers[i], b = numbers[i + 1];

			if (a > b) {
				numbers[i] = b;
				numbers[i + 1] = a;
			}
		}
	}
	for (u64 i = 0; i < n; i++)
		sum = sum * 31 + numbers[i];
	return sum;
}
