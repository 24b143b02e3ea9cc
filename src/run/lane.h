/* One packet on its way, and the thread state that it needs: a slot, counters, fragments. */
#ifndef WEIR_RUN_LANE_H
#define WEIR_RUN_LANE_H

#include "run/filter.h"

struct cpus;
struct defrag;

/* What a thread that runs packets owns. */
struct lane {
	const struct filter_opts *opts;
	const struct path *path;
	enum family family;
	u8 *base;                  /* of its slot */
	struct rule_count *counts; /* RUN_EVAL only */
	const struct rule **jumps; /* likewise: rules_eval's */
	struct defrag *defrag;
	struct filter_stats stats; /* lost behind PREROUTING, accepted, dropped */
	log_fn log;
	void *log_user;
	const struct rule *
		*rules; /* by counter index, when somebody wants to know what programs log */
};

enum fate { FATE_LOST, FATE_HELD, FATE_DROPPED, FATE_ACCEPTED };

/* Takes a packet that passed input_receive through all hooks; ip is writable (forwarding counts the
 * hop limit down). */
enum fate lane_run(struct lane *l, struct weir_packet *packet, u8 *ip, u32 bytes);

/* Asks for a call of `log` for each packet that LOG or NFLOG sees; with programs it comes when a
 * table's walk is done, in the order of the rules met. 0 or -ENOMEM. */
int lane_log(struct lane *l, const struct ruleset *set, log_fn log, void *user);

#endif
