/* The reference evaluator: a table walk in plain C, one rule after the other, as the kernel's
 * ip[6]t_do_table does it. */
#ifndef WEIR_RULES_EVAL_H
#define WEIR_RULES_EVAL_H

#include "rules/print.h"
#include "rules/tree.h"
#include "weir/packet.h"

enum verdict {
	VERDICT_DROP = 0,
	VERDICT_ACCEPT = 1,
	VERDICT_HOTDROP = 2
}; /* hotdrop: dropped without counting */

/* What LOG and NFLOG hand out; called for each rule that logs. */
struct log_event {
	const struct rule *rule;
	const struct weir_packet *packet;
};
typedef void (*log_fn)(void *user, const struct log_event *event);

/* What one packet's evaluation knows; matches read it, see eval.c for what is filled when. */
struct eval {
	struct weir_packet *packet;
	const u8 *data; /* the IP header */
	u32 bytes;      /* bytes that are there from it on */
	enum family family;
	bool hotdrop;
	/* of the rule at hand, after its -p test */
	u8 proto;
	u32 thoff;   /* offset of the upper header; 0 when there is none to look at (IPv6 non-first
			fragment) */
	u32 fragoff; /* IPv6: bytes; IPv4: 8-byte units; 0 for whole packets and first fragments */
	const struct rule *rule;
	log_fn log;
	void *log_user;
};

/* Runs the packet from a built-in chain to a verdict. counts: set->nr_counters entries, added to.
 * skip: one bool per counter index, rules to leave out (NULL: none). jumps: room for
 * set->jump_depth rules, those to go on behind when their jumps return. */
enum verdict rules_eval(const struct chain *start, struct weir_packet *packet, const bool *skip,
	struct rule_count *counts, const struct rule **jumps, log_fn log, void *log_user);

#endif
