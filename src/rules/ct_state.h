/* Lists of connection states and the like, as in NEW,ESTABLISHED. */
#ifndef WEIR_RULES_CT_STATE_H
#define WEIR_RULES_CT_STATE_H

#include "base/buf.h"
#include "rules/match.h"
#include "rules/matches.h"

struct bit_name {
	const char *name;
	u8 bit;
};

/* The states in the order in which they are printed; the first NR_PLAIN_STATES are those of -m state. */
enum { NR_CT_STATES = 7, NR_PLAIN_STATES = 5 };
extern const struct bit_name ct_state_names[NR_CT_STATES];

/* Names with commas between, in any case; each may be cut short, the first that fits counts. */
option_error bits_parse(const struct option_ctx *c, const struct bit_name *names, size_t nr, u8 *out);
void bits_print(struct buf *out, const struct bit_name *names, size_t nr, u8 bits);

#endif
