/* What a fuzz target is: one function. A fuzzer's driver calls it, or replay.c's. */
#ifndef WEIR_TEST_FUZZ_H
#define WEIR_TEST_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Something that must hold of every input: what a fuzzer is to find. */
#define FUZZ_CHECK(condition, ...) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: " #condition ": ", __FILE__, __LINE__); \
			fprintf(stderr, __VA_ARGS__); \
			fputc('\n', stderr); \
			abort(); \
		} \
	} while (0)

/* What is left of an input. */
struct input {
	const uint8_t *p;
	size_t len;
};

static inline uint8_t input_byte(struct input *in)
{
	if (!in->len)
		return 0;
	in->len--;
	return *in->p++;
}

/* A piece with its length (32 bits) in front, or as much of it as there is. */
static inline struct input input_piece(struct input *in)
{
	struct input piece = {in->p, 0};

	if (in->len < 4) {
		in->len = 0;
		return piece;
	}
	piece.len = load_le32(in->p);
	piece.p = in->p + 4;
	if (piece.len > in->len - 4)
		piece.len = in->len - 4;
	in->p = piece.p + piece.len;
	in->len -= 4 + piece.len;
	return piece;
}

#endif
