/* A capture through a rule set: reads records, does what the IP layer does around the hooks, runs
 * the path, counts. */
#ifndef WEIR_RUN_FILTER_H
#define WEIR_RUN_FILTER_H

#include <signal.h>

#include "rules/eval.h"
#include "run/capture.h"
#include "run/input.h"
#include "run/path.h"

struct meta;

struct filter_opts {
	struct path_opts path;
	u32 workers; /* threads with a slot each; 0 = 1 */
	struct host host;
	bool count_cut;    /* see input_receive */
	bool by_direction; /* believe what the capture says of direction; a sidecar is always
			      believed */
	struct weir_packet defaults; /* interfaces, socket, uid, gid, mark of packets about which
					nobody says else */
	bool iface_given; /* defaults.in_iface or out_iface beat what a pcapng file says */
};

struct filter_stats {
	bool complete;       /* the capture was read to its end */
	u64 packets;         /* records read */
	u64 not_ip;          /* ARP and the like */
	u64 other_direction; /* outgoing packets, asked about at INPUT, or the other way round */
	u64 other_family;    /* IPv4 in an IPv6 run, or the other way round */
	u64 lost[NR_INPUT_REASONS]; /* never reached the last hook, by reason */
	u64 fragments_joined;       /* that became part of a datagram */
	u64 accepted, dropped;
	u64 hotdropped; /* of those dropped: headers that can't be parsed, counted by no rule and no
			   policy */
};

struct filter;

int filter_new(const struct ruleset *set, const struct filter_opts *opts, struct filter **out,
	struct diag *d);
void filter_free(struct filter *f);

typedef void (*filter_progress)(void *user, const struct capture *c, u64 packets);

struct filter_io {
	const volatile sig_atomic_t
		*stop; /* reading ends as at the end of the capture when it gets true; or NULL */
	struct capture *capture;
	const char *write_path;   /* accepted records go here; NULL: nowhere */
	struct meta *meta;        /* or NULL */
	filter_progress progress; /* called now and then; or NULL */
	void *progress_user;
	log_fn log; /* for each packet that LOG or NFLOG sees, with one worker; or NULL */
	void *log_user;
};

/* Reads the capture to its end, in constant memory. On an error in the input everything read before
 * it has been counted. 0 or -errno. Can be called again; counters go on. */
int filter_run(
	struct filter *f, const struct filter_io *io, struct filter_stats *stats, struct diag *d);
/* Counters so far into counts[set->nr_counters]. */
int filter_counts(const struct filter *f, struct rule_count *counts);

#endif
