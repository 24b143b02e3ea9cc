/* A rule set parsed, compiled in several ways and run on packets next to the evaluator. */
#ifndef WEIR_TEST_RULES_HARNESS_H
#define WEIR_TEST_RULES_HARNESS_H

#include "base/buf.h"
#include "rules/compile.h"
#include "rules/eval.h"
#include "rules/parse.h"

struct cpus;
struct loaded;
struct prog;

enum { HARNESS_LOG_MAX = 512 };

struct rule_log {
	u32 nr;
	u32 counters[HARNESS_LOG_MAX];
};

/* What a packet did. */
struct outcome {
	enum verdict verdict;
	u32 mark;
	struct rule_log log;
};

/* One compiled form, with counters of its own. */
struct compiled {
	const char *how;
	bool no_classifier, interpreted;
	struct map *counters;
	struct prog *prog; /* as compiled */
	struct loaded *loaded;
	struct rule_count *counts;
};

enum { HARNESS_FORMS = 3 };

struct harness {
	struct ruleset *set;
	const struct chain *start;
	struct cpus *cpus;
	struct rule_count *counts; /* of the evaluator */
	const struct rule **jumps; /* likewise */
	bool too_deep; /* chains call each other so much that weir refuses the set, by its stated
			  limit */
	struct outcome last; /* the evaluator's, of the last packet */
	struct compiled forms[HARNESS_FORMS];
};

/* Prints what is wrong and returns false; h must then still be finished. */
bool harness_init(struct harness *h, struct str text, enum family family, enum hook hook);
void harness_fini(struct harness *h);
/* Runs the packet everywhere. False when the outcomes or counters differ; then why says how. */
bool harness_packet(struct harness *h, const struct weir_packet *p, struct buf *why);

#endif
