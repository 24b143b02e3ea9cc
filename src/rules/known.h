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
/* One option as the rule gives it. */
struct known_value {
	u32 row; /* in the order of k->options */
	bool invert;
	struct str name;
	struct raw_word args[2];
	u32 nr_args;
};

struct known_values {
	struct known_value *at; /* grows */
	size_t nr, cap;
};

/* Brings the options into the form in which ip[6]tables-save prints them: their order, defaults, spellings of values. What it
 * doesn't know stays as it was written. 0 or -ENOMEM. */
int known_tidy(const struct known_extension *k, enum family family, struct arena *arena, struct known_values *v);
/* True when an option may come several times, in elements that follow one another. */
bool known_repeats(const struct known_extension *k);
/* As ip[6]tables -L shows it. */
void known_list(struct buf *out, const struct known_extension *k, const struct raw_words *raw);
/* Name of a target in the listing's column. */
const char *known_list_name(const struct known_extension *k);

/* The next option from *rest, which starts as str_of(k->options). False behind the last. */
bool known_option_next(struct str *rest, struct known_option *out);

#endif
