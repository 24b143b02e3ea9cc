/* Executable memory that many programs share. */
#ifndef WEIR_JIT_POOL_H
#define WEIR_JIT_POOL_H

#include "base/types.h"

/* Code of one program in a segment. */
struct pool_place {
	struct pool_segment *segment;
	u8 *at; /* where it is executable; 64 bytes aligned */
	size_t bytes;
};

/* Room for code, preferably near `near` (0: near this library). False where the system has no such memory. Free it in any
 * case with pool_free. */
bool pool_take(size_t bytes, u64 near, bool landing_pads, struct pool_place *place);
/* The code, once; afterwards it may run. False when the system refuses. */
bool pool_write(const struct pool_place *place, const u8 *code);
/* What was there traps from now on. */
void pool_free(const struct pool_place *place);

/* Address space without access, preferably just below `near`, so that calls reach it; NULL: there is none. */
u8 *reserve_near(size_t bytes, u64 near);
/* 0 or -errno. With landing pads the processor is told to insist on them, where it can. */
int make_executable(u8 *at, size_t bytes, bool landing_pads);

#endif
