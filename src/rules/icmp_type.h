/* Types and codes of ICMP and ICMPv6, which differ only in their names. */
#ifndef WEIR_RULES_ICMP_TYPE_H
#define WEIR_RULES_ICMP_TYPE_H

#include "base/buf.h"
#include "rules/match.h"
#include "rules/matches.h"

struct icmp_name {
	const char *name;
	u8 type, code_min, code_max;
};

/* TYPE, TYPE/CODE or a name, which may be cut short, in any case. */
option_error icmp_parse_type(const struct option_ctx *c, const struct icmp_name *names, size_t nr, struct icmp_match *m);
/* " --icmp-type 3/4" */
void icmp_print_type(struct buf *out, const char *option, const struct icmp_match *m);
/* "type 3 code 4" behind the protocol's name */
void icmp_list_type(struct buf *out, const struct icmp_match *m);

bool icmp_eval(const void *data, struct eval *e);
void icmp_emit(const void *data, struct emit *e);
unsigned icmp_needs(const void *data);

#endif
