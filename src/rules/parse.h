/* iptables-save text to a tree. */
#ifndef WEIR_RULES_PARSE_H
#define WEIR_RULES_PARSE_H

#include "rules/tree.h"

struct parse_opts {
	enum family family; /* FAMILY_NONE: find out from header line, addresses and modules */
	/* Repair what old versions wrote: `-s ! x`, missing policy, CRLF, blanks behind COMMIT, chains declared behind their
	 * first use; keep options that nobody knows; warn only where a match stands at a hook that mainline refuses. */
	bool lenient;
};

/* Reads the whole text. 0 and *out, or -EINVAL with all errors of the file in d (file:line:col, what is wrong, what would
 * be right), or -ENOMEM. `file` and `text` must outlive the set. Extensions that weir doesn't know are kept, not errors.
 * What ip[6]tables-restore refuses (undefined chain, loop, bad value ...) is an error here too. */
int rules_parse(const char *file, struct str text, const struct parse_opts *opts, struct ruleset **out, struct diag *d);
void ruleset_free(struct ruleset *set);

/* Says for every rule that a run starting at `chains` can reach what can't be run here, one error each, with position.
 * chains: built-in chains where packets enter. Returns the number of such rules. `unsupported` (one bool per rule counter
 * index, or NULL) is set for each. UINT32_MAX when out of memory. */
u32 rules_check_runnable(const struct ruleset *set, struct chain *const *chains, u32 nr_chains, bool *unsupported,
	struct diag *d);

#endif
