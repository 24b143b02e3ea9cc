/* Random rule sets and packets: the evaluator and every compiled form must agree in verdict, mark,
 * log events and all counters, after every packet.
 *
 * usage: test-differential [NR_RULE_SETS [FIRST_SEED]] */
#include <stdio.h>
#include <stdlib.h>

#include "generate.h"
#include "harness.h"

enum { DEFAULT_SETS = 400, PACKETS_PER_SET = 40 };

static void print_packet(const struct generated_packet *p)
{
	fprintf(stderr,
		"packet of %u bytes, in '%s', out '%s', mark %u, socket %u, uid %u, gid %u:\n",
		p->meta.len, p->meta.in_iface, p->meta.out_iface, p->meta.mark, p->meta.socket,
		p->meta.uid, p->meta.gid);
	for (u64 i = 0; i < p->meta.data_end - p->meta.data; i++)
		fprintf(stderr, "%02x%s", p->bytes[i], i % 40 == 39 ? "\n" : "");
	fputs("\n", stderr);
}

struct totals {
	u64 verdicts[3], hits, too_deep;
};

static void add_hits(const struct harness *h, struct totals *t)
{
	for (u32 i = 0; i < h->set->nr_counters; i++)
		t->hits += h->counts[i].packets;
}

static bool run_packets(struct generator *g, struct harness *h, struct totals *t)
{
	struct generated_packet p;
	struct buf why = {0};
	bool ok = true;

	for (u32 n = 0; n < PACKETS_PER_SET && ok; n++) {
		generate_packet(g, &p);
		ok = harness_packet(h, &p.meta, &why);
		t->verdicts[h->last.verdict]++;
		if (!ok) {
			fputs(buf_cstr(&why), stderr);
			print_packet(&p);
		}
	}
	add_hits(h, t);
	buf_fini(&why);
	return ok;
}

static bool run_set(u64 seed, struct totals *t)
{
	struct generator g;
	struct harness h;
	struct buf text = {0};

	generator_init(&g, seed);
	generate_rules(&g, &text);
	bool ok = harness_init(&h, str_of(buf_cstr(&text)), g.family, g.hook)
			  ? run_packets(&g, &h, t)
			  : h.too_deep;

	t->too_deep += h.too_deep;
	if (!ok)
		fprintf(stderr, "%s\nseed %llu, IPv%d: the rule set above\n", buf_cstr(&text),
			(unsigned long long)seed, (int)g.family);
	harness_fini(&h);
	buf_fini(&text);
	return ok;
}

int main(int argc, char **argv)
{
	u64 nr = argc > 1 ? strtoull(argv[1], NULL, 0) : DEFAULT_SETS;
	u64 seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	struct totals t = {0};

	for (u64 i = 0; i < nr; i++)
		if (!run_set(seed + i, &t))
			return 1;
	printf("%llu rule sets from seed %llu: %llu packets dropped, %llu accepted, %llu "
	       "hotdropped; %llu counts; "
	       "%llu sets beyond the limit of nesting\n",
		(unsigned long long)nr, (unsigned long long)seed,
		(unsigned long long)t.verdicts[VERDICT_DROP],
		(unsigned long long)t.verdicts[VERDICT_ACCEPT],
		(unsigned long long)t.verdicts[VERDICT_HOTDROP], (unsigned long long)t.hits,
		(unsigned long long)t.too_deep);
	if (t.too_deep * 100 > nr) {
		fputs("more than 1 in 100 rule sets were refused\n", stderr);
		return 1;
	}
	return 0;
}
