/* Matches and targets that iptables 1.8.9 has and weir doesn't run: their options, so that a rule can be read and printed
 * back, and what running them would need. */
#ifndef WEIR_RULES_KNOWN_H
#define WEIR_RULES_KNOWN_H

#include "rules/match.h"

struct known_extension {
	const char *name;
	unsigned families; /* enum family_mask */
	const char *needs; /* for messages: "it needs a flow table" */
	const char *options; /* names without dashes, blanks between; "=" behind a name for each argument, "?" for one that may be missing */
};

struct known_option {
	struct str name;
	u32 nr_args;
	bool optional_arg;
};

const struct known_extension *known_match_by_name(struct str name, enum family family);
const struct known_extension *known_target_by_name(struct str name, enum family family);
/* The next option from *rest, which starts as str_of(k->options). False behind the last. */
bool known_option_next(struct str *rest, struct known_option *out);

#endif
