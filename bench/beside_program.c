/* The BPF program that weir and the kernel run. */
#include "beside.h"

#include <string.h>

enum { R0, R1, R2, R3, R4, SUM = 8, LEFT = 7, RANDOM = 6, FACTOR = 9, FP = 10 };
enum { KEY_OFF = -16, VALUE_OFF = -24 };

struct writer {
	struct weir_insn *insns;
	uint32_t nr;
};

static void put(struct writer *w, uint8_t code, uint8_t dst, uint8_t src, int16_t off, int32_t imm)
{
	w->insns[w->nr++] = (struct weir_insn){
		.code = code, .dst = dst & 0xfu, .src = src & 0xfu, .off = off, .imm = imm};
}

static void put_random_key(struct writer *w, const struct subject *s)
{
	put(w, 0x2f, RANDOM, FACTOR, 0, 0);
	put(w, 0x07, RANDOM, 0, 0, 1442695041);
	put(w, 0xbf, R1, RANDOM, 0, 0);
	put(w, 0x77, R1, 0, 0, 33);
	put(w, 0x57, R1, 0, 0, (int32_t)(s->entries - 1));
	put(w, s->key_size == 4 ? 0x63 : 0x7b, FP, R1, KEY_OFF, 0);
	put(w, 0xbf, R2, FP, 0, 0);
	put(w, 0x07, R2, 0, 0, KEY_OFF);
}

static void put_call(struct writer *w, enum op op)
{
	if (op == LOOKUP) {
		put(w, 0x85, 0, 0, 0, 1);
		put(w, 0x15, R0, 0, 2, 0);
		put(w, 0x79, R1, R0, 0, 0);
		put(w, 0x0f, SUM, R1, 0, 0);
		return;
	}
	put(w, 0xbf, R3, FP, 0, 0);
	put(w, 0x07, R3, 0, 0, VALUE_OFF);
	put(w, 0xb7, R4, 0, 0, 0);
	put(w, 0x85, 0, 0, 0, 2);
}

uint32_t beside_program(
	const struct subject *s, enum op op, const struct weir_insn map[2], struct weir_insn *insns)
{
	struct writer w = {insns, 0};

	put(&w, 0x85, 0, 0, 0, 7); /* get_prandom_u32 */
	put(&w, 0xbf, RANDOM, R0, 0, 0);
	put(&w, 0x18, FACTOR, 0, 0, (int32_t)(6364136223846793005u & 0xffffffff));
	put(&w, 0, 0, 0, 0, (int32_t)(6364136223846793005u >> 32));
	put(&w, 0xb7, LEFT, 0, 0, BATCH);
	put(&w, 0xb7, SUM, 0, 0, 0);
	put(&w, 0x7a, FP, 0, KEY_OFF, 0);
	put(&w, 0x7a, FP, 0, KEY_OFF + 8, 0);
	put(&w, 0x7a, FP, 0, VALUE_OFF, 1);

	uint32_t loop = w.nr;

	put_random_key(&w, s);
	insns[w.nr++] = map[0];
	insns[w.nr++] = map[1];
	put_call(&w, op);
	put(&w, 0x07, LEFT, 0, 0, -1);
	put(&w, 0x55, LEFT, 0, (int16_t)(loop - w.nr - 1), 0);
	put(&w, 0xbf, R0, SUM, 0, 0);
	put(&w, 0x57, R0, 0, 0, 1);
	put(&w, 0x95, 0, 0, 0, 0);
	return w.nr;
}
