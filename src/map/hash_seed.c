#include <sys/random.h>
#include <time.h>

#include "map/hash_key.h"

struct hash_seed hash_seed_new(bool fixed)
{
	struct hash_seed seed = {.a = 0x8ebc6af09c88c6e3u, .b = 0x589965cc75374cc3u};
	struct timespec now;

	if (fixed)
		return seed;
	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed)) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		seed.a ^= (u64)now.tv_nsec * 0x9e3779b97f4a7c15u;
	}
	seed.b |= 1; /* never 0, which would make all hashes 0 */
	return seed;
}
