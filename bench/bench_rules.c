/* What a packet and a rule cost: sets of 1, 16, 64 and 1000 IPv6 rules of which the last matches
 * (the worst case of a list), told apart by source prefix or by port, on each engine.
 *
 * usage: bench-rules [ROUNDS]
 *
 * Natively it prints nanoseconds of thread CPU time, engines interleaved, median of ROUNDS (default
 * 15), and the ratio to eval in the same run. Under qemu with the plugin qemu_count.so it prints
 * executed guest instructions instead. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "bench/clock.h"
#include "cpu/cpu.h"
#include "engine/engine.h"
#include "isa/prog.h"
#include "map/map.h"
#include "rules/compile.h"
#include "rules/parse.h"

enum { ROUNDS_MAX = 101, NR_ENGINES = 3, PACKET_BYTES = 48 };

enum engine { JIT, INTERP, EVAL };
static const char *const engine_names[NR_ENGINES] = {"jit", "interp", "eval"};

enum variant { BY_ADDRESS, BY_PORT };
static const char *const variant_names[] = {"addr", "port"};

struct subject {
	u32 nr_rules;
	enum variant variant;
	struct buf text;
	struct ruleset *set;
	struct chain *chain;
	struct cpus *cpus;
	struct map *counters;
	struct prog *prog;
	struct loaded *loaded[2]; /* JIT, INTERP */
	struct rule_count *counts;
	const struct rule **jumps;
	u8 packet[PACKET_BYTES];
	double parse_ns, compile_ns, verify_ns, load_ns;
	size_t code_bytes;
};

static void die(const struct diag *d)
{
	fprintf(stderr, "bench-rules: %s\n", diag_first(d));
	exit(1);
}

static void write_rules(struct subject *s)
{
	buf_puts(&s->text,
		"*filter\n:INPUT DROP [0:0]\n:FORWARD ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\n");
	for (u32 i = 1; i <= s->nr_rules; i++) {
		if (s->variant == BY_ADDRESS)
			buf_printf(&s->text,
				"-A INPUT -s 2001:db8:%x::/48 -p udp -m udp --dport 53 -j ACCEPT\n",
				i);
		else
			buf_printf(&s->text,
				"-A INPUT -s 2001:db8::/32 -p udp -m udp --dport %u -j ACCEPT\n",
				1000 + i);
	}
	buf_puts(&s->text, "COMMIT\n");
}

/* UDP from an address, to a port, that only the last rule is about. */
static void write_packet(struct subject *s)
{
	u8 *p = s->packet;

	p[0] = 0x60;
	store_be16(p + 4, 8);
	p[6] = 17;
	p[7] = 64;
	store_be32(p + 8, 0x20010db8);
	store_be16(p + 12, s->variant == BY_ADDRESS ? (u16)s->nr_rules : 7);
	store_be16(p + 40, 40000);
	store_be16(p + 42, s->variant == BY_ADDRESS ? 53 : (u16)(1000 + s->nr_rules));
	store_be16(p + 44, 8);
}

static void prepare(struct subject *s)
{
	struct parse_opts parse = {.family = FAMILY_IPV6};
	struct engine_opts opts[2] = {{.kind = ENGINE_JIT}, {.kind = ENGINE_INTERP}};
	struct facts facts = {0};
	struct jit_image image = {0};
	struct diag d = {0};

	write_rules(s);
	write_packet(s);
	u64 t0 = clock_cpu_ns();
	if (rules_parse("bench", str_new(buf_cstr(&s->text), s->text.len), &parse, &s->set, &d))
		die(&d);
	s->chain = table_chain(ruleset_table(s->set, "filter"), str_of("INPUT"));
	if (cpus_new(1, &s->cpus, &d) || rules_counters_new(s->set, s->cpus, &s->counters, &d))
		die(&d);
	u64 t1 = clock_cpu_ns();
	if (rules_compile(s->chain, s->counters, &(struct compile_opts){0}, &s->prog, &d))
		die(&d);
	u64 t2 = clock_cpu_ns();
	if (verify(s->prog, NULL, &facts, NULL, &d))
		die(&d);
	u64 t3 = clock_cpu_ns();
	for (int i = 0; i < 2; i++)
		if (engine_load(s->prog, &opts[i], &s->loaded[i], &d))
			die(&d);
	s->parse_ns = (double)(t1 - t0);
	s->compile_ns = (double)(t2 - t1);
	s->verify_ns = (double)(t3 - t2);
	t0 = clock_cpu_ns();
	if (jit_compile(loaded_prog(s->loaded[JIT]), loaded_facts(s->loaded[JIT]), &opts[0].jit,
		    &image, &d))
		die(&d);
	s->load_ns = (double)(clock_cpu_ns() - t0);
	s->code_bytes = image.code.len;
	s->jumps = calloc(s->set->jump_depth + 1, sizeof(*s->jumps));
	s->counts = calloc(s->set->nr_counters, sizeof(*s->counts));
	jit_image_fini(&image);
	facts_fini(&facts);
	diag_fini(&d);
}

static void release(struct subject *s)
{
	free(s->jumps);
	free(s->counts);
	loaded_free(s->loaded[JIT]);
	loaded_free(s->loaded[INTERP]);
	prog_free(s->prog);
	map_put(s->counters);
	cpus_free(s->cpus);
	ruleset_free(s->set);
	buf_fini(&s->text);
}

static void run(struct subject *s, enum engine engine, u32 times)
{
	struct weir_packet packet = {
		.data = (uintptr_t)s->packet,
		.data_end = (uintptr_t)s->packet + PACKET_BYTES,
		.len = PACKET_BYTES,
	};
	u8 *base = cpu_base(s->cpus, 0);

	for (u32 i = 0; i < times; i++) {
		u64 verdict = engine == EVAL
				      ? rules_eval(s->chain, &packet, NULL, s->counts, s->jumps,
						NULL, NULL)
				      : loaded_run(s->loaded[engine], (uintptr_t)&packet, 0, base);

		if (verdict != VERDICT_ACCEPT) {
			fprintf(stderr, "bench-rules: %s: wrong verdict\n", engine_names[engine]);
			exit(1);
		}
	}
}

static u32 times_for(const struct subject *s, enum engine engine)
{
	u32 budget = engine == JIT ? 400000 : 40000;

	return budget / (s->nr_rules + 8) + 1;
}

static void measure_time(struct subject *s, u32 rounds)
{
	static double samples[NR_ENGINES][ROUNDS_MAX];
	double ns[NR_ENGINES];

	for (u32 r = 0; r < rounds; r++) {
		for (int e = 0; e < NR_ENGINES; e++) {
			u32 times = times_for(s, (enum engine)e);
			u64 start = clock_cpu_ns();

			run(s, (enum engine)e, times);
			samples[e][r] = (double)(clock_cpu_ns() - start) / times;
		}
	}
	for (int e = 0; e < NR_ENGINES; e++)
		ns[e] = bench_median(samples[e], rounds);
	double n = s->nr_rules;
	printf("%-4s %5u %9.1f %9.1f %9.1f %8.3f %8.3f %8.0f %8.0f %8.0f %8.0f %8.1f",
		variant_names[s->variant], s->nr_rules, ns[JIT], ns[INTERP], ns[EVAL],
		ns[JIT] / ns[EVAL], ns[INTERP] / ns[EVAL], s->parse_ns / n, s->compile_ns / n,
		s->verify_ns / n, s->load_ns / n, (double)s->code_bytes / n);
}

static void measure_insns(struct subject *s)
{
	printf("%-4s %5u", variant_names[s->variant], s->nr_rules);
	for (int e = 0; e < NR_ENGINES; e++) {
		enum { TIMES = 64 };

		run(s, (enum engine)e, 1);
		u64 start = guest_insns();
		u64 idle = guest_insns() - start; /* what asking costs */
		start = guest_insns();
		run(s, (enum engine)e, TIMES);
		printf(" %9.1f", (double)(guest_insns() - start - idle) / (double)TIMES);
	}
	printf("  %8.1f", (double)s->code_bytes / s->nr_rules);
}

/* Each subject in a process of its own, whose peak memory is then its. */
static void measure(u32 nr_rules, enum variant variant, u32 rounds, bool count)
{
	fflush(stdout);
	pid_t child = fork();
	if (child) {
		int status = 1;

		waitpid(child, &status, 0);
		if (status)
			exit(1);
		return;
	}
	struct subject s = {.nr_rules = nr_rules, .variant = variant};
	struct rusage usage;
	prepare(&s);
	if (count)
		measure_insns(&s);
	else
		measure_time(&s, rounds);
	release(&s);
	getrusage(RUSAGE_SELF, &usage);
	printf(" %8ld\n", usage.ru_maxrss);
	fflush(stdout);
	_exit(0);
}

int main(int argc, char **argv)
{
	static const u32 sizes[] = {1, 16, 64, 1000};
	u32 rounds = argc > 1 ? (u32)atoi(argv[1]) : 15;
	bool count = guest_insns() != 0;

	if (!rounds || rounds > ROUNDS_MAX) {
		fprintf(stderr, "usage: bench-rules [ROUNDS]   1 to %d\n", ROUNDS_MAX);
		return 2;
	}
	if (count)
		printf("executed guest instructions a packet, the last of N rules matches\n"
		       "kind     N       jit    interp      eval   code B/rule  peak KiB\n");
	else
		printf("ns a packet (thread CPU time), the last of N rules matches; ns a rule for "
		       "parse, compile, verify, JIT\n"
		       "kind     N       jit    interp      eval jit/eval int/eval    parse  "
		       "compile   verify      jit"
		       "  code B peak KiB\n");
	for (int variant = BY_ADDRESS; variant <= BY_PORT; variant++)
		for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
			measure(sizes[i], (enum variant)variant, rounds, count);
	return 0;
}
