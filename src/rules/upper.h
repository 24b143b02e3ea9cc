/* What the matches on upper headers share: reaching the header, and ports. */
#ifndef WEIR_RULES_UPPER_H
#define WEIR_RULES_UPPER_H

#include "rules/classify.h"
#include "rules/emit.h"
#include "rules/eval.h"
#include "rules/match.h"
#include "rules/matches.h"

/* The upper header's first `bytes` bytes, or NULL: a later fragment, where the match is false, or
 * too short, where it also drops the packet. */
const u8 *eval_upper(struct eval *e, u32 bytes);

static inline bool port_in(struct port_range r, u16 port)
{
	return port >= r.min && port <= r.max;
}

void emit_port(struct emit *e, enum upper_byte byte, struct port_range r, bool invert);
void narrow_port(struct box *b, enum box_field f, struct port_range r, bool invert);

#endif
