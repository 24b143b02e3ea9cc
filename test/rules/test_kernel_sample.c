/* Random rule sets and packets through the kernel's own ip[6]tables (raw PREROUTING of a namespace)
 * and the evaluator: the same counters after every packet. Packets that the kernel's IP layer drops
 * in front of the rules are left out; the rule that generate.c puts first tells. Needs root; exit
 * 77 where it can't run.
 *
 * usage: test-kernel-sample [NR_RULE_SETS [FIRST_SEED]] */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "kernel_table.h"
#include "rules/eval.h"
#include "rules/parse.h"

enum { DEFAULT_SETS = 40, PACKETS_PER_SET = 40, EXIT_SKIPPED = 77 };

struct sample {
	struct generator g;
	struct buf text;
	struct ruleset *set;
	const struct chain *start;
	struct rule_count *kernel, *ours;
	const struct rule **jumps;
	u64 seen, hits;
};

static bool sample_init(struct sample *s, u64 seed)
{
	struct diag d = {0};

	generator_init(&s->g, seed);
	s->g.kernel = true;
	s->g.hook = HOOK_PREROUTING;
	s->g.table = "raw";
	generate_rules(&s->g, &s->text);
	bool ok = rules_parse("generated", str_of(buf_cstr(&s->text)),
			  &(struct parse_opts){.family = s->g.family}, &s->set, &d) == 0;

	if (!ok)
		fprintf(stderr, "%s\n", diag_first(&d));
	diag_fini(&d);
	if (!ok)
		return false;
	for (const struct chain *c = s->set->tables->chains; c != NULL; c = c->next)
		if (c->hook == HOOK_PREROUTING)
			s->start = c;
	s->jumps = calloc(s->set->jump_depth + 1, sizeof(*s->jumps));
	s->kernel = calloc(s->set->nr_counters, sizeof(*s->kernel));
	s->ours = calloc(s->set->nr_counters, sizeof(*s->ours));
	return kernel_load(s->g.family, buf_cstr(&s->text)) && kernel_read(s->set, s->kernel);
}

static void sample_fini(struct sample *s)
{
	if (s->set != NULL)
		ruleset_free(s->set);
	free(s->jumps);
	free(s->kernel);
	free(s->ours);
	buf_fini(&s->text);
}

static void report(const struct sample *s, const struct generated_packet *p)
{
	for (u32 i = 0; i < s->set->nr_counters; i++)
		if (memcmp(&s->kernel[i], &s->ours[i], sizeof(s->ours[i])) != 0)
			fprintf(stderr, "counter %u: kernel [%llu:%llu], evaluator [%llu:%llu]\n",
				i, (unsigned long long)s->kernel[i].packets,
				(unsigned long long)s->kernel[i].bytes,
				(unsigned long long)s->ours[i].packets,
				(unsigned long long)s->ours[i].bytes);
	for (u64 i = 0; i < p->meta.data_end - p->meta.data; i++)
		fprintf(stderr, "%02x", p->bytes[i]);
	fputs("\n", stderr);
}

/* One packet; counters start from zero. */
static bool run_packet(struct sample *s, int device)
{
	size_t bytes = s->set->nr_counters * sizeof(struct rule_count);
	struct generated_packet p;
	struct rule_count *before = s->ours;

	generate_packet(&s->g, &p);
	memcpy(before, s->kernel, bytes);
	memset(s->kernel, 0, bytes);
	if (!kernel_send(device, s->g.family, p.bytes, p.meta.data_end - p.meta.data,
		    p.meta.mac_source) ||
		!kernel_read(s->set, s->kernel))
		return false;
	u32 first = s->start->rules->counter;

	if (s->kernel[first].packets == before[first].packets)
		return true; /* the IP layer dropped it */
	s->seen++;
	rules_eval(s->start, &p.meta, NULL, before, s->jumps, NULL, NULL);
	if (memcmp(before, s->kernel, bytes) == 0)
		return true;
	report(s, &p);
	return false;
}

int main(int argc, char **argv)
{
	u64 nr = argc > 1 ? strtoull(argv[1], NULL, 0) : DEFAULT_SETS;
	u64 seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	u64 seen = 0;

	if (getenv("WEIR_CROSS_BUILD") != NULL) {
		fprintf(stderr, "SKIPPED: an emulator doesn't pass on the kernel's tables\n");
		return EXIT_SKIPPED;
	}
	int device = kernel_namespace();

	if (device < 0 || system("ip6tables-legacy -V >/dev/null 2>&1") != 0) {
		fprintf(stderr, "SKIPPED: needs root, /dev/net/tun and ip[6]tables-legacy: %s\n",
			strerror(errno));
		return EXIT_SKIPPED;
	}
	for (u64 i = 0; i < nr; i++) {
		struct sample s = {0};
		bool ok = sample_init(&s, seed + i);

		for (u32 n = 0; n < PACKETS_PER_SET && ok; n++)
			ok = run_packet(&s, device);
		if (!ok)
			fprintf(stderr, "%s\nseed %llu: the rule set above\n", buf_cstr(&s.text),
				(unsigned long long)(seed + i));
		seen += s.seen;
		sample_fini(&s);
		if (!ok)
			return 1;
	}
	printf("%llu rule sets from seed %llu: the kernel counted %llu packets, all as the "
	       "evaluator does\n",
		(unsigned long long)nr, (unsigned long long)seed, (unsigned long long)seen);
	return seen == 0;
}
