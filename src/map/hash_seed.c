#include <sys/random.h>
#include <time.h>

#include "map/hash_key.h"

struct hash_seed hash_seed_new(bool fixed)
{
	struct hash_seed seed = {
		.a = 0x8ebc6af09c88c6e3u, .b = 0x589965cc75374cc3u, .spread = HASH_SPREAD};
	struct timespec now;

	if (fixed)
		return seed;
	if (getrandom(&seed, 2 * sizeof(u64), GRND_NONBLOCK) != 2 * sizeof(u64)) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		seed.a ^= (u64)now.tv_nsec * HASH_SPREAD;
	}
	seed.b |= 1; /* never 0, which would make all hashes 0 */
	return seed;
}
