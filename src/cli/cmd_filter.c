/* weir filter: a capture through a rule set, and what each rule counted. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cli/cli.h"
#include "rules/parse.h"
#include "rules/print.h"
#include "run/filter.h"
#include "run/meta.h"

enum { GROUPS_GIVEN_MAX = 64, PREFIXES_MAX = 64, WORKERS_MAX = CPU_SLOTS_MAX - 1 };
enum output { OUTPUT_LIST, OUTPUT_SAVE, OUTPUT_JSON };

struct filter_cli {
	const char *capture, *table, *write_path, *meta_path;
	enum hook hook;
	enum family family;
	enum run_engine engine;
	enum output output;
	bool skip_unsupported, lenient, no_classifier, log_events, quiet;
	struct filter_opts run;
	u8 groups[GROUPS_GIVEN_MAX + 3][16]; /* with the default ones */
	struct prefix foreign[PREFIXES_MAX];
	u32 nr_groups;
	bool hook_given;
};

static bool set_capture(void *opts, const char *arg)
{
	((struct filter_cli *)opts)->capture = arg;
	return true;
}

static bool set_table(void *opts, const char *arg)
{
	static const char *const tables[] = {"filter", "mangle", "nat", "raw", "security"};

	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		if (!strcmp(arg, tables[i])) {
			((struct filter_cli *)opts)->table = arg;
			return true;
		}
	return false;
}

static bool set_chain(void *opts, const char *arg)
{
	struct filter_cli *c = opts;

	c->hook = hook_by_name(arg);
	c->hook_given = true;
	return c->hook != HOOK_NONE;
}

static bool set_in(void *opts, const char *arg)
{
	struct filter_cli *c = opts;

	c->run.iface_given = true;
	return meta_parse_iface(arg, c->run.defaults.in_iface);
}

static bool set_out(void *opts, const char *arg)
{
	struct filter_cli *c = opts;

	c->run.iface_given = true;
	return meta_parse_iface(arg, c->run.defaults.out_iface);
}

static bool set_uid(void *opts, const char *arg)
{
	return meta_parse_uid(arg, &((struct filter_cli *)opts)->run.defaults);
}

static bool set_gid(void *opts, const char *arg)
{
	return str_to_u32(str_of(arg), &((struct filter_cli *)opts)->run.defaults.gid);
}

static bool set_mark(void *opts, const char *arg)
{
	return str_to_u32(str_of(arg), &((struct filter_cli *)opts)->run.defaults.mark);
}

static bool set_meta(void *opts, const char *arg)
{
	((struct filter_cli *)opts)->meta_path = arg;
	return true;
}

static bool set_write(void *opts, const char *arg)
{
	((struct filter_cli *)opts)->write_path = arg;
	return true;
}

static bool set_engine(void *opts, const char *arg)
{
	static const char *const names[] = {
		[RUN_JIT] = "jit", [RUN_INTERP] = "interp", [RUN_EVAL] = "eval"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (!strcmp(arg, names[i])) {
			((struct filter_cli *)opts)->engine = (enum run_engine)i;
			return true;
		}
	return false;
}

static bool set_workers(void *opts, const char *arg)
{
	u32 n;

	if (!str_to_u32(str_of(arg), &n) || !n || n > WORKERS_MAX)
		return false;
	((struct filter_cli *)opts)->run.workers = n;
	return true;
}

/* The first of --json and --save; false for the second. */
static bool set_output(struct filter_cli *c, enum output output)
{
	bool first = c->output == OUTPUT_LIST || c->output == output;

	c->output = output;
	return first;
}

static bool set_json(void *opts, const char *arg)
{
	(void)arg;
	return set_output(opts, OUTPUT_JSON);
}

static bool set_save(void *opts, const char *arg)
{
	(void)arg;
	return set_output(opts, OUTPUT_SAVE);
}

static bool set_v4(void *opts, const char *arg)
{
	(void)arg;
	return choose_family(&((struct filter_cli *)opts)->family, FAMILY_IPV4);
}

static bool set_v6(void *opts, const char *arg)
{
	(void)arg;
	return choose_family(&((struct filter_cli *)opts)->family, FAMILY_IPV6);
}

static bool set_skip(void *opts, const char *arg)
{
	(void)arg;
	((struct filter_cli *)opts)->skip_unsupported = true;
	return true;
}

static bool set_lenient(void *opts, const char *arg)
{
	(void)arg;
	((struct filter_cli *)opts)->lenient = true;
	return true;
}

static bool set_join(void *opts, const char *arg)
{
	struct filter_cli *c = opts;
	u8 *group = c->groups[c->nr_groups];

	if (c->nr_groups == GROUPS_GIVEN_MAX)
		return false;
	c->nr_groups++;
	if (str_to_ipv6(str_of(arg), group))
		return group[0] == 0xff;
	return str_to_ipv4(str_of(arg), group) && group[0] >> 4 == 0xe;
}

static bool set_not_local(void *opts, const char *arg)
{
	struct filter_cli *c = opts;
	struct prefix *p = &c->foreign[c->run.host.nr_foreign];
	struct str addr, bits;
	u32 n = UINT32_MAX;

	if (c->run.host.nr_foreign == PREFIXES_MAX)
		return false;
	if (str_split(str_of(arg), '/', &addr, &bits) && !str_to_u32(bits, &n))
		return false;
	p->family = str_to_ipv6(addr, p->addr)   ? FAMILY_IPV6
		    : str_to_ipv4(addr, p->addr) ? FAMILY_IPV4
						 : FAMILY_NONE;
	u32 most = p->family == FAMILY_IPV6 ? 128 : 32;
	p->bits = n == UINT32_MAX ? most : n;
	c->run.host.nr_foreign++;
	return p->family != FAMILY_NONE && p->bits <= most;
}

static bool set_any_destination(void *opts, const char *arg)
{
	(void)arg;
	((struct filter_cli *)opts)->run.host.any_destination = true;
	return true;
}

static bool set_cut(void *opts, const char *arg)
{
	(void)arg;
	((struct filter_cli *)opts)->run.count_cut = true;
	return true;
}

static bool set_by_direction(void *opts, const char *arg)
{
	(void)arg;
	((struct filter_cli *)opts)->run.by_direction = true;
	return true;
}

static bool set_log(void *opts, const char *arg)
{
	(void)arg;
	((struct filter_cli *)opts)->log_events = true;
	return true;
}

static bool set_quiet(void *opts, const char *arg)
{
	(void)arg;
	((struct filter_cli *)opts)->quiet = true;
	return true;
}

static bool set_no_classifier(void *opts, const char *arg)
{
	(void)arg;
	((struct filter_cli *)opts)->no_classifier = true;
	return true;
}

static const struct cli_option filter_options[] = {
	{"read", 'r', "FILE", "the capture, pcap or pcapng; - is standard input", set_capture, ""},
	{"table", 't', "TABLE", "only this table (default: all on the packet's way)", set_table,
		"one of filter, mangle, nat, raw, security"},
	{"chain", 'c', "CHAIN", "where packets are asked about (default INPUT)", set_chain,
		"one of PREROUTING, INPUT, FORWARD, OUTPUT, POSTROUTING"},
	{"in", 'i', "IF", "interface the packets come in by", set_in,
		"an interface name of 1 to 15 bytes"},
	{"out", 'o', "IF", "interface they leave by", set_out,
		"an interface name of 1 to 15 bytes"},
	{"uid", 0, "N", "owner of their socket: a uid, 'none' (no socket) or 'kernel'", set_uid,
		"a user id, 'none' or 'kernel'"},
	{"gid", 0, "N", "group of their socket", set_gid, "a group id"},
	{"mark", 0, "N", "their mark at the start", set_mark, "a 32-bit number"},
	{"meta", 0, "FILE", "sidecar with uid, gid, mark, in, out, dir by packet number", set_meta,
		""},
	{"write", 'w', "FILE",
		"write accepted packets to a pcap file; - is standard output, counters then go to "
		"standard error",
		set_write, ""},
	{"engine", 0, "NAME", "jit (default), interp, or eval: rule by rule in plain C", set_engine,
		"one of jit, interp, eval"},
	{"workers", 0, "N", "run on N threads, each with its slot", set_workers,
		"a number from 1 to 255"},
	{"json", 0, NULL, "counters as JSON", set_json, "for use with --save"},
	{"save", 0, NULL, "counters as ip[6]tables-save -c prints them", set_save,
		"for use with --json"},
	{"ipv4", '4', NULL, "the rules are iptables'", set_v4, "for use with -6"},
	{"ipv6", '6', NULL, "the rules are ip6tables'", set_v6, "for use with -4"},
	{"skip-unsupported", 0, NULL, "leave out rules that can't be run here, and list them",
		set_skip, ""},
	{"lenient", 0, NULL, "repair what old versions wrote ('-s ! x', CRLF, ...)", set_lenient,
		""},
	{"join", 0, "GROUP...", "a multicast group that the host has joined; can be repeated",
		set_join, "a multicast address (at most 64 of them)"},
	{"not-local", 0, "PREFIX...",
		"INPUT: unicast addresses that aren't the host's; can be repeated", set_not_local,
		"an address or prefix (at most 64 of them)"},
	{"any-destination", 0, NULL,
		"INPUT: multicast and link-local destinations are the host's, too",
		set_any_destination, ""},
	{"cut", 0, NULL, "count packets that the capture cut short, by their headers", set_cut, ""},
	{"by-direction", 0, NULL, "leave out packets that the capture marks as going the other way",
		set_by_direction, ""},
	{"log", 0, NULL, "print a line for each packet that LOG or NFLOG sees; runs on one worker",
		set_log, ""},
	{"no-classifier", 0, NULL, "compile rule after rule, for comparison", set_no_classifier,
		""},
	{"quiet", 'q', NULL, "no summary and no progress on standard error", set_quiet, ""},
};

/* ---- what the host is like unless told otherwise ---- */

/* All-nodes groups, and the solicited-node group of an address ending in ::1. */
static const u8 default_groups[][16] = {
	{0xff, 0x02, [15] = 1},
	{0xff, 0x02, [11] = 1, [12] = 0xff, [15] = 1},
	{224, 0, 0, 1},
};

static void host_defaults(struct filter_cli *c)
{
	memmove(c->groups + ARRAY_LEN(default_groups), c->groups,
		c->nr_groups * sizeof(c->groups[0]));
	memcpy(c->groups, default_groups, sizeof(default_groups));
	c->run.host.groups = (const u8(*)[16])c->groups;
	c->run.host.foreign = c->foreign;
	c->run.host.nr_groups = c->nr_groups + (u32)ARRAY_LEN(default_groups);
}

/* ---- output ---- */

static void json_rule(
	struct buf *b, const struct rule *r, const struct rule_count *counts, bool skipped)
{
	const struct rule_count *n = &counts[r->counter];
	struct buf text = {0};

	rule_print(&text, r);
	buf_printf(b,
		"{\"number\":%u,\"line\":%u,\"packets\":%llu,\"bytes\":%llu,\"skipped\":%s,"
		"\"rule\":",
		r->number, r->pos.line, (unsigned long long)n->packets,
		(unsigned long long)n->bytes, skipped ? "true" : "false");
	buf_json_string(b, buf_cstr(&text), text.len);
	buf_puts(b, "}");
	buf_fini(&text);
}

static void json_chain(
	struct buf *b, const struct chain *c, const struct rule_count *counts, const bool *skip)
{
	buf_puts(b, "{\"name\":");
	buf_json_string(b, c->name, strlen(c->name));
	if (c->hook != HOOK_NONE)
		buf_printf(b, ",\"policy\":{\"verdict\":\"%s\",\"packets\":%llu,\"bytes\":%llu}",
			c->policy == TARGET_ACCEPT ? "ACCEPT" : "DROP",
			(unsigned long long)counts[c->policy_counter].packets,
			(unsigned long long)counts[c->policy_counter].bytes);
	buf_puts(b, ",\"rules\":[");
	for (const struct rule *r = c->rules; r; r = r->next) {
		if (r != c->rules)
			buf_puts(b, ",");
		json_rule(b, r, counts, skip && skip[r->counter]);
	}
	buf_puts(b, "]}");
}

static void json_stats(struct buf *b, const struct filter_stats *s)
{
	buf_printf(b,
		"\"packets\":%llu,\"not_ip\":%llu,\"other_family\":%llu,\"other_direction\":%llu,"
		"\"accepted\":%llu,\"dropped\":%llu,"
		"\"hotdropped\":%llu,\"fragments_joined\":%llu,\"lost\":{",
		(unsigned long long)s->packets, (unsigned long long)s->not_ip,
		(unsigned long long)s->other_family, (unsigned long long)s->other_direction,
		(unsigned long long)s->accepted, (unsigned long long)s->dropped,
		(unsigned long long)s->hotdropped, (unsigned long long)s->fragments_joined);
	bool first = true;
	for (int i = 1; i < NR_INPUT_REASONS; i++) {
		if (!s->lost[i])
			continue;
		buf_puts(b, first ? "" : ",");
		buf_json_string(b, input_reason_text((enum input_reason)i),
			strlen(input_reason_text((enum input_reason)i)));
		buf_printf(b, ":%llu", (unsigned long long)s->lost[i]);
		first = false;
	}
	buf_puts(b, "}");
}

static void print_json(struct buf *b, const struct ruleset *set, const struct rule_count *counts,
	const bool *skip, const struct filter_stats *s, bool complete)
{
	buf_printf(b, "{\"family\":\"%s\",\"complete\":%s,",
		set->family == FAMILY_IPV6 ? "ipv6" : "ipv4", complete ? "true" : "false");
	json_stats(b, s);
	buf_puts(b, ",\"tables\":[");
	for (const struct table *t = set->tables; t; t = t->next) {
		buf_printf(
			b, "%s{\"name\":\"%s\",\"chains\":[", t == set->tables ? "" : ",", t->name);
		for (const struct chain *c = t->chains; c; c = c->next) {
			buf_puts(b, c == t->chains ? "" : ",");
			json_chain(b, c, counts, skip);
		}
		buf_puts(b, "]}");
	}
	buf_puts(b, "]}\n");
}

static void print_lists(struct buf *b, const struct filter_cli *c, const struct ruleset *set,
	const struct rule_count *counts)
{
	struct chain *chains[PATH_STEPS_MAX];
	enum hook hooks[PATH_STEPS_MAX];
	u32 n = path_chains(set, c->hook, c->table, chains, hooks, NULL);
	bool first = true;

	for (const struct table *t = set->tables; t; t = t->next) {
		bool passed = false;

		for (u32 i = 0; i < n; i++)
			passed |= chains[i]->table == t;
		if (!passed)
			continue;
		if (set->nr_tables > 1)
			buf_printf(b, "%s*%s\n", first ? "" : "\n", t->name);
		first = false;
		rules_print_list(b, t, NULL, counts);
	}
}

static void print_summary(const struct filter_stats *s)
{
	fprintf(stderr, "%llu packets: %llu accepted, %llu dropped", (unsigned long long)s->packets,
		(unsigned long long)s->accepted, (unsigned long long)s->dropped);
	if (s->hotdropped)
		fprintf(stderr,
			" (%llu of them for headers that can't be parsed, counted by no rule)",
			(unsigned long long)s->hotdropped);
	if (s->fragments_joined)
		fprintf(stderr, ", %llu fragments put together",
			(unsigned long long)s->fragments_joined);
	if (s->other_direction)
		fprintf(stderr, ", %llu going the other way",
			(unsigned long long)s->other_direction);
	if (s->other_family)
		fprintf(stderr, ", %llu of the other IP family",
			(unsigned long long)s->other_family);
	if (s->not_ip)
		fprintf(stderr, ", %llu not IP", (unsigned long long)s->not_ip);
	fputc('\n', stderr);
	for (int i = 1; i < NR_INPUT_REASONS; i++)
		if (s->lost[i])
			fprintf(stderr, "%llu never reached the rules: %s\n",
				(unsigned long long)s->lost[i],
				input_reason_text((enum input_reason)i));
}

/* The packets go to standard output, so what is counted doesn't. */
static bool writes_stdout(const struct filter_cli *c)
{
	return c->write_path && !strcmp(c->write_path, "-");
}

static int print_counts(const struct filter_cli *c, const struct ruleset *set,
	const struct filter *f, const struct filter_stats *stats, bool complete)
{
	struct rule_count *counts = mem_zalloc(array_size(set->nr_counters + 1, sizeof(*counts)));
	struct buf out = {0};
	int code = EXIT_SYSTEM;

	if (!counts || filter_counts(f, counts)) {
		complain("out of memory");
		goto out;
	}
	if (!complete && c->output != OUTPUT_JSON)
		buf_puts(&out, "# incomplete: the capture could be read only in part\n");
	switch (c->output) {
	case OUTPUT_LIST:
		print_lists(&out, c, set, counts);
		break;
	case OUTPUT_SAVE:
		rules_print_save(&out, set, counts, PRINT_COUNTERS);
		break;
	case OUTPUT_JSON:
		print_json(&out, set, counts, c->run.path.skip, stats, complete);
		break;
	}
	code = write_out(writes_stdout(c) ? stderr : stdout, &out);
	if (!c->quiet)
		print_summary(stats);
out:
	buf_fini(&out);
	mem_free(counts);
	return code;
}

/* ---- the run ---- */

struct progress {
	struct timespec last;
	bool shown;
};

static void show_progress(void *user, const struct capture *capture, u64 packets)
{
	struct progress *p = user;
	struct timespec now;
	u64 size = capture_size(capture);

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec == p->last.tv_sec)
		return;
	p->last = now;
	p->shown = true;
	if (size)
		fprintf(stderr, "\r%llu packets, %llu %% ", (unsigned long long)packets,
			(unsigned long long)(capture_position(capture) * 100 / size));
	else
		fprintf(stderr, "\r%llu packets ", (unsigned long long)packets);
}

static void print_log_event(void *user, const struct log_event *e)
{
	struct buf text = {0};

	(void)user;
	rule_print(&text, e->rule);
	fprintf(stderr, "log %llu.%09llu %s:%s:%u len=%u mark=0x%x %s\n",
		(unsigned long long)(e->packet->time_ns / 1000000000u),
		(unsigned long long)(e->packet->time_ns % 1000000000u), e->rule->chain->table->name,
		e->rule->chain->name, e->rule->number, e->packet->len, e->packet->mark,
		buf_cstr(&text));
	buf_fini(&text);
}

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	(void)number;
	interrupted = 1;
}

/* Ctrl-C ends the reading of a live capture, not the command: what was counted is printed. */
static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* The run doesn't know the capture's name in all of its messages. */
static void name_capture(struct diag *d, const char *capture)
{
	for (size_t i = 0; i < d->nr; i++) {
		struct diag_entry *e = &d->entries[i];

		if (e->pos.kind == POS_NONE && e->level == DIAG_ERROR && e->err != ENOMEM &&
			e->err != EAGAIN)
			e->pos = (struct pos){.kind = POS_TEXT, .file = mem_strdup(capture)};
	}
}

static int run_capture(
	struct filter_cli *c, const struct ruleset *set, struct filter *f, struct diag *d)
{
	struct progress progress = {0};
	struct filter_stats stats = {0};
	struct filter_io io = {.write_path = c->write_path};
	int err = capture_open(c->capture, &io.capture, d), code;

	if (!err && c->meta_path)
		err = meta_open(c->meta_path, &io.meta, d);
	if (err) {
		report(d);
		code = err == -EINVAL ? EXIT_INCOMPLETE : EXIT_SYSTEM;
		goto out;
	}
	if (!c->quiet && isatty(STDERR_FILENO)) {
		io.progress = show_progress;
		io.progress_user = &progress;
	}
	if (c->log_events)
		io.log = print_log_event;
	io.stop = &interrupted;
	catch_signals();
	err = filter_run(f, &io, &stats, d);
	if (progress.shown)
		fputs("\r\033[K", stderr);
	name_capture(d, c->capture);
	report(d);
	bool system = err && exit_code_of(err) == EXIT_SYSTEM;
	code = system && !stats.packets ? EXIT_SYSTEM
					: print_counts(c, set, f, &stats, stats.complete);
	if (err)
		code = system ? EXIT_SYSTEM : EXIT_INCOMPLETE;
out:
	capture_close(io.capture);
	meta_close(io.meta);
	return code;
}

/* nat is never run; where it has rules that packets would meet, that is an error like other rules
 * that can't be run. */
static u32 check_nat(const struct filter_cli *c, const struct ruleset *set, struct diag *d)
{
	struct chain *chains[PATH_STEPS_MAX];
	u32 n = path_nat_chains(set, c->hook, c->table, chains), bad = 0;

	for (u32 i = 0; i < n; i++) {
		if (chains[i]->nr_rules) {
			diag_fail(d, chains[i]->rules->pos, ENOTSUP,
				"the rules of %s in table nat can't be run here: they need a flow "
				"table",
				chains[i]->name);
			bad += chains[i]->nr_rules;
		} else {
			diag_warn(d, chains[i]->pos,
				"table nat is not run: the policy of %s would count connections",
				chains[i]->name);
		}
	}
	return bad;
}

/* Writing begins while the capture is still being read. */
static bool same_file(const char *a, const char *b)
{
	struct stat sa, sb;

	return !stat(a, &sa) && !stat(b, &sb) && S_ISREG(sa.st_mode) && sa.st_dev == sb.st_dev &&
	       sa.st_ino == sb.st_ino;
}

/* Which rules can't be run: an error for each, or with --skip-unsupported a list of what is left
 * out. */
static int check_runnable(
	struct filter_cli *c, const struct ruleset *set, bool *skip, struct diag *d)
{
	struct chain *chains[PATH_STEPS_MAX];
	enum hook hooks[PATH_STEPS_MAX];
	u32 n = path_chains(set, c->hook, c->table, chains, hooks, d);

	if (!n)
		return -ENOENT;
	u32 bad = rules_check_runnable(set, chains, n, skip, d);
	if (bad == UINT32_MAX)
		return -ENOMEM;
	bad += check_nat(c, set, d);
	if (!bad)
		return 0;
	if (!c->skip_unsupported) {
		diag_note(d, pos_none(),
			"%u rules can't be run here; --skip-unsupported runs the others", bad);
		return -ENOTSUP;
	}
	for (size_t i = 0; i < d->nr; i++)
		if (d->entries[i].level == DIAG_ERROR)
			d->entries[i].level = DIAG_WARNING;
	diag_warn(d, pos_none(), "%u rules are left out", bad);
	c->run.path.skip = skip;
	return 0;
}

static int filter_rules(struct filter_cli *c, const struct ruleset *set, struct diag *d)
{
	bool *skip = mem_zalloc(set->nr_counters + 1);
	struct filter *f = NULL;
	int err = skip ? check_runnable(c, set, skip, d) : diag_nomem(d);

	if (!err) {
		report(d);
		diag_fini(d);
		c->run.path.hook = c->hook;
		c->run.path.table = c->table;
		c->run.path.engine = c->engine;
		c->run.path.no_classifier = c->no_classifier;
		err = filter_new(set, &c->run, &f, d);
		if (err == -E2BIG && c->engine != RUN_EVAL)
			diag_note(d, pos_none(), "the evaluator has no such limit: --engine eval");
	}
	int code;
	if (err) {
		report(d);
		code = exit_code_of(err);
	} else {
		code = run_capture(c, set, f, d);
	}
	filter_free(f);
	mem_free(skip);
	return code;
}

/* Before the rules are compiled, which may take a while. */
static int check_capture(const char *path, struct diag *d)
{
	if (!strcmp(path, "-") || !access(path, R_OK))
		return 0;
	diag_fail(d, pos_text(path, 0, 0), errno, "can't be opened: %s", strerror(errno));
	return -EIO;
}

static int filter_main(void *opts, char **args, u32 nr_args)
{
	struct filter_cli *c = opts;
	struct diag d = {0};
	struct buf text = {0};
	struct ruleset *set = NULL;
	int code;

	(void)nr_args;
	if (!c->capture) {
		complain("filter: which capture? -r FILE, or -r - for standard input");
		return EXIT_USAGE;
	}
	if (!strcmp(c->capture, "-") && !strcmp(args[0], "-")) {
		complain("filter: rules and capture can't both come from standard input");
		return EXIT_USAGE;
	}
	if (c->write_path &&
		(same_file(c->capture, c->write_path) || same_file(args[0], c->write_path))) {
		complain("filter: -w %s would overwrite what is being read", c->write_path);
		return EXIT_USAGE;
	}
	if (!c->hook_given)
		c->hook = HOOK_INPUT;
	if (c->log_events)
		c->run.workers = 1;
	host_defaults(c);
	int err = check_capture(c->capture, &d);
	if (!err)
		err = load_rules(args[0], c->family, c->lenient, &text, &set, &d);
	if (err) {
		report(&d);
		code = exit_code_of(err);
	} else {
		code = filter_rules(c, set, &d);
	}
	ruleset_free(set);
	buf_fini(&text);
	diag_fini(&d);
	return code;
}

const struct subcommand cmd_filter = {
	.name = "filter",
	.summary = "run a capture through a rule set and print what each rule counted",
	.usage = "RULES -r FILE [options]",
	.examples = "examples:\n"
		    "  weir filter rules.v6 -r wlan.pcap -i wlan0          the INPUT chain, listed "
		    "as ip6tables -L -v -n -x\n"
		    "  weir filter rules.v6 -r out.pcap -c OUTPUT -o wlan0 --uid 10050\n"
		    "                                                      what the packets of "
		    "user 10050 meet\n"
		    "  tcpdump -w - | weir filter rules.v4 -4 -r - --save  from a pipe, as "
		    "iptables-save -c\n"
		    "  weir filter rules.v6 -r big.pcapng --workers 2 -w accepted.pcap --json\n"
		    "\n"
		    "exit code: 0 done, 1 rules refused, 2 wrong command line, 3 capture broken "
		    "(what was counted until\n"
		    "then is printed and marked incomplete), 4 a file can't be read or written or "
		    "memory ran out\n",
	.options = filter_options,
	.nr_options = ARRAY_LEN(filter_options),
	.min_args = 1,
	.max_args = 1,
	.opts_bytes = sizeof(struct filter_cli),
	.run = filter_main,
};
