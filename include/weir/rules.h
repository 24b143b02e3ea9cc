/* weir: packet rules. Text as ip[6]tables-save writes it becomes a filter: native code for one
 * chain of one table, with counters. What is said in weir.h of errors, ownership and threads holds
 * here too. */
#ifndef WEIR_RULES_H
#define WEIR_RULES_H

#include "weir/weir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- rule sets ---- */

struct weir_rules;

enum weir_family { WEIR_FAMILY_ANY = 0, WEIR_IPV4 = 4, WEIR_IPV6 = 6 };

/* Reads `len` bytes of ip[6]tables-save text, all tables. `name` is for messages. WEIR_FAMILY_ANY:
 * find out from the text. -EINVAL with line and column of the first of all errors, -ENOMEM. */
WEIR_API int weir_rules_parse(const char *name, const char *text, size_t len,
	enum weir_family family, struct weir_rules **rules, struct weir_error *error);
WEIR_API void weir_rules_free(struct weir_rules *rules);
WEIR_API enum weir_family weir_rules_family(const struct weir_rules *rules);

/* ---- filters ---- */

struct weir_filter;

/* Zero what isn't needed. */
struct weir_filter_spec {
	const char *table; /* NULL: "filter" */
	const char *chain; /* a built-in one; NULL: "INPUT" */
	enum weir_mode mode;
	bool skip_unsupported; /* leave out rules that weir can't run; weir_filter_skipped tells how
				  many */
};

/* The chain and all it can reach, compiled. Keeps the rule set. -ENOENT: there is no such table or
 * built-in chain; -ENOTSUP: a rule can't be run here, with its line; -E2BIG; -ENOMEM; and those of
 * weir_program_new. */
WEIR_API int weir_filter_new(struct weir_engine *engine, struct weir_rules *rules,
	const struct weir_filter_spec *spec, struct weir_filter **filter, struct weir_error *error);
WEIR_API void weir_filter_free(struct weir_filter *filter);
/* Reachable rules that were left out. */
WEIR_API uint32_t weir_filter_skipped(const struct weir_filter *filter);
WEIR_API bool weir_filter_is_native(const struct weir_filter *filter);

enum weir_verdict {
	WEIR_DROP = 0,
	WEIR_ACCEPT = 1,
	WEIR_HOTDROP =
		2, /* dropped for headers that can't be parsed; no rule and no policy counts it */
};

/* Asks the filter about a packet that starts with its IP header: packet->data ... data_end of the
 * filter's family, as long as its header says; packet->len is what rules count. packet->mark may
 * change. The slot must be the calling thread's and of the same engine: -EINVAL. Allocates nothing.
 */
WEIR_API int weir_filter_run(const struct weir_filter *filter, struct weir_slot *slot,
	struct weir_packet *packet, enum weir_verdict *verdict);

/* After a run: lines of the rule set whose LOG and NFLOG rules the slot's packets met since the
 * last call, in order, up to `cap`. Returns how many there were; the filter keeps the first 32. None
 * when the slot isn't the calling thread's or of another engine. */
WEIR_API size_t weir_filter_logged(
	const struct weir_filter *filter, struct weir_slot *slot, uint32_t *lines, size_t cap);

/* ---- counters ---- */

struct weir_counter {
	uint64_t packets, bytes;
};

/* What the filter counted so far, over all slots: the `number`-th rule of a chain of its table,
 * from 1; 0: the policy of a built-in chain. -ENOENT: no such chain, rule or policy; -ENOMEM. */
WEIR_API int weir_filter_counter(const struct weir_filter *filter, const char *chain,
	uint32_t number, struct weir_counter *counter);
/* All tables as ip[6]tables-save -c prints them, with the filter's counters; free it with
 * weir_text_free. -ENOMEM. */
WEIR_API int weir_filter_save(const struct weir_filter *filter, char **text);

#ifdef __cplusplus
}
#endif

#endif
