/* What compiled programs look like, and what the compiler refuses. That they are right is
 * test_differential.c's business. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "cpu/cpu.h"
#include "harness.h"
#include "isa/prog.h"
#include "map/map.h"

struct compilation {
	struct buf text; /* the set borrows it */
	struct ruleset *set;
	struct cpus *cpus;
	struct map *counters;
	struct prog *prog;
	struct diag d;
	int err;
};

static const struct chain *input_of(const struct ruleset *set)
{
	for (const struct chain *c = set->tables->chains; c; c = c->next)
		if (c->hook == HOOK_INPUT)
			return c;
	return NULL;
}

/* `rules` in a table with INPUT and the user chains a, b, c. */
static void compile(struct compilation *c, const char *rules, const struct compile_opts *opts)
{
	*c = (struct compilation){0};
	buf_puts(&c->text, "*filter\n:INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\n:OUTPUT ACCEPT "
			   "[0:0]\n:a - [0:0]\n:b - [0:0]\n:c - [0:0]\n");
	buf_printf(&c->text, "%sCOMMIT\n", rules);
	struct parse_opts parse = {.family = FAMILY_IPV6};

	assert_int_equal(rules_parse("t", str_of(buf_cstr(&c->text)), &parse, &c->set, &c->d), 0);
	assert_int_equal(cpus_new(2, &c->cpus, &c->d), 0);
	assert_int_equal(rules_counters_new(c->set, c->cpus, &c->counters, &c->d), 0);
	c->err = rules_compile(input_of(c->set), c->counters, opts, &c->prog, &c->d);
}

static void finish(struct compilation *c)
{
	prog_free(c->prog);
	map_put(c->counters);
	cpus_free(c->cpus);
	ruleset_free(c->set);
	buf_fini(&c->text);
	diag_fini(&c->d);
}

/* Loads of address bytes, constants of 64 bits, and compares, as far as they belong to rules. */
struct shape {
	u32 loads, constants, compares;
};

static bool is_compare(struct insn i)
{
	return insn_is_cond_jump(i) && (BPF_OP(i.code) == BPF_JEQ || BPF_OP(i.code) == BPF_JNE);
}

static struct shape shape_of(const struct prog *p)
{
	struct shape s = {0};

	for (u32 pc = 0; pc < p->len; pc++) {
		struct insn i = p->insns[pc];
		const struct prog_line *line = prog_line_of(p, pc);

		if (line && line->line) {
			s.loads += BPF_CLASS(i.code) == BPF_LDX && i.src == BPF_REG_7;
			s.constants += insn_is_ld_imm64(i);
			s.compares += is_compare(i);
		}
		pc += insn_is_ld_imm64(i);
	}
	return s;
}

/* A constant mask: no word of zeros is loaded, and up to a whole word there is one load, at most
 * one constant, one compare. */
static void masked_compare(void **state)
{
	static const struct {
		const char *rule;
		u32 loads, constants, compares;
	} cases[] = {
		{"-s ::/0", 0, 0, 0},
		{"-s 2000::/8", 1, 0, 1},
		{"-s 2001::/16", 1, 0, 1},
		{"-s 2001:db8::/29", 1, 0, 1},
		{"-s 2001:db8::/32", 1, 0, 1},
		{"-s 2001:db8:1::/48", 1, 1, 1},
		{"-s 2001:db8:1:2::/61", 1, 1, 1}, /* bytes swapped and shifted, without the mask */
		{"-s 2001:db8:1:2::/64", 1, 1, 1},
		{"-s 2001:db8:1:2:3::/80", 2, 1, 2},
		{"-s 2001:db8:1:2:3:4::/96", 2, 1, 2},
		{"-s 2001:db8:1:2:3:4:5:6", 2, 2, 2},
		{"-s ::ff/::ff", 1, 0, 1},
		{"-s 0:0:0:1::/0:0:0:ffff::", 1, 0, 1},
		{"-s ff00::ff/ff00::ff", 2, 0, 2},
		{"-s ::99:0:0:0:1/0:0:0:ff:0:0:0:1", 2, 0, 2},
		{"! -s 2001:db8:1:2:3:4:5:6", 2, 2, 2},
		{"-s 2001:db8::/32 -d 2001:db8::/32", 2, 0, 2},
	};
	struct compile_opts opts = {.no_classifier = true};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct compilation c;
		char rule[128];

		snprintf(rule, sizeof(rule), "-A INPUT %s -j DROP\n", cases[i].rule);
		compile(&c, rule, &opts);
		assert_int_equal(c.err, 0);
		struct shape s = shape_of(c.prog);
		if (s.loads != cases[i].loads || s.constants != cases[i].constants ||
			s.compares != cases[i].compares)
			fail_msg("%s: %u loads, %u constants, %u compares", cases[i].rule, s.loads,
				s.constants, s.compares);
		finish(&c);
	}
}

static u32 count_local_calls(const struct prog *p)
{
	u32 nr = 0;

	for (u32 pc = 0; pc < p->len; pc++)
		nr += insn_is_local_call(p->insns[pc]);
	return nr;
}

/* Reads of the next-header field: the walk. */
static bool walks_headers(const struct prog *p)
{
	for (u32 pc = 0; pc < p->len; pc++) {
		struct insn i = p->insns[pc];

		if (i.code == (BPF_LDX | BPF_MEM | BPF_B) && i.src == BPF_REG_7 && i.off == 6)
			return true;
	}
	return false;
}

static void only_what_rules_need(void **state)
{
	struct compilation c;

	(void)state;
	compile(&c, "-A INPUT -s ::1 -m mark --mark 1 -j DROP\n", NULL);
	assert_false(walks_headers(c.prog));
	finish(&c);
	compile(&c, "-A INPUT -p tcp -j DROP\n", NULL);
	assert_true(walks_headers(c.prog));
	finish(&c);
	/* A skipped rule needs nothing. */
	bool skip[8] = {0};
	compile(&c, "-A INPUT -s ::1\n-A INPUT -p tcp -j DROP\n", NULL);
	skip[input_of(c.set)->rules->next->counter] = true;
	finish(&c);
	compile(&c, "-A INPUT -s ::1\n-A INPUT -p tcp -j DROP\n",
		&(struct compile_opts){.skip = skip});
	assert_false(walks_headers(c.prog));
	finish(&c);
}

static void chains_in_place_or_called(void **state)
{
	static const char *const body =
		"-A a -s ::1 -j DROP\n-A a -s ::2 -j DROP\n-A a -s ::3 -j DROP\n";
	struct compilation c;
	char rules[256];

	(void)state;
	snprintf(rules, sizeof(rules), "-A INPUT -j a\n%s", body);
	compile(&c, rules, NULL);
	assert_int_equal(count_local_calls(c.prog), 0);
	finish(&c);
	snprintf(rules, sizeof(rules),
		"-A INPUT -d ::1 -j a\n-A INPUT -d ::2 -j a\n-A INPUT -d ::3 -g a\n%s", body);
	compile(&c, rules, NULL);
	assert_int_equal(count_local_calls(c.prog), 3);
	finish(&c);
	/* Tiny ones are cheaper where they are. */
	compile(&c, "-A INPUT -d ::1 -j a\n-A INPUT -d ::2 -j a\n-A a -s ::1 -j DROP\n", NULL);
	assert_int_equal(count_local_calls(c.prog), 0);
	finish(&c);
}

static void put_chain_head(struct buf *out, u32 nr)
{
	buf_puts(
		out, "*filter\n:INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\n");
	for (u32 i = 0; i < nr; i++)
		buf_printf(out, ":n%u - [0:0]\n", i);
}

/* Each chain calls the next one `calls` times. */
static void put_nested(struct buf *out, u32 nr, u32 calls)
{
	put_chain_head(out, nr);
	buf_puts(out, "-A INPUT -j n0\n");
	for (u32 i = 0; i < nr; i++) {
		for (u32 n = 0; n < calls && i + 1 < nr; n++)
			buf_printf(out, "-A n%u -s ::%u -j n%u\n", i, n, i + 1);
		for (u32 n = 0; n < 3; n++)
			buf_printf(out, "-A n%u -d ::%u\n", i, n);
	}
	buf_puts(out, "COMMIT\n");
}

static struct weir_packet packet_at(u8 bytes[64], const char *src, const char *dst)
{
	memset(bytes, 0, 64);
	bytes[0] = 0x60;
	bytes[6] = 59;
	assert_true(str_to_ipv6(str_of(src), bytes + 8));
	assert_true(str_to_ipv6(str_of(dst), bytes + 24));
	return (struct weir_packet){
		.data = (u64)(uintptr_t)bytes, .data_end = (u64)(uintptr_t)bytes + 64, .len = 64};
}

static void run_packet(struct harness *h, const char *src, const char *dst)
{
	struct buf why = {0};
	u8 bytes[64];
	struct weir_packet p = packet_at(bytes, src, dst);

	if (!harness_packet(h, &p, &why))
		fail_msg("%s to %s: %s", src, dst, buf_cstr(&why));
	buf_fini(&why);
}

/* More calls inside each other than a program may have frames. */
static void deep_nesting(void **state)
{
	static const struct {
		u32 chains, calls;
	} shapes[] = {{60, 1}, {12, 2}, {9, 2}, {7, 3}, {1024, 1}};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		struct buf text = {0};
		struct harness h;

		put_nested(&text, shapes[i].chains, shapes[i].calls);
		assert_true(harness_init(&h, str_of(buf_cstr(&text)), FAMILY_IPV6, HOOK_INPUT));
		run_packet(&h, "::0", "::1");
		run_packet(&h, "::1", "::2");
		run_packet(&h, "::7", "::9");
		harness_fini(&h);
		buf_fini(&text);
	}
}

/* A goto leaves nothing behind: they nest as deep as there are chains. */
static void many_gotos(void **state)
{
	struct buf text = {0};
	struct harness h;

	(void)state;
	put_chain_head(&text, 2000);
	buf_puts(&text, "-A INPUT -j n0\n-A INPUT -s ::1 -j DROP\n");
	for (u32 i = 0; i + 1 < 2000; i++)
		buf_printf(&text, "-A n%u -d ::7 -j RETURN\n-A n%u -g n%u\n", i, i, i + 1);
	buf_puts(&text, "-A n1999 -d ::8 -j ACCEPT\nCOMMIT\n");
	assert_true(harness_init(&h, str_of(buf_cstr(&text)), FAMILY_IPV6, HOOK_INPUT));
	run_packet(&h, "::1", "::7");
	run_packet(&h, "::1", "::8");
	run_packet(&h, "::1", "::9");
	harness_fini(&h);
	buf_fini(&text);
}

static void compile_text(struct compilation *c, struct buf *text)
{
	struct parse_opts parse = {.family = FAMILY_IPV6};

	*c = (struct compilation){0};
	assert_int_equal(rules_parse("t", str_of(buf_cstr(text)), &parse, &c->set, &c->d), 0);
	assert_int_equal(cpus_new(1, &c->cpus, &c->d), 0);
	assert_int_equal(rules_counters_new(c->set, c->cpus, &c->counters, &c->d), 0);
	c->err = rules_compile(input_of(c->set), c->counters, NULL, &c->prog, &c->d);
}

static void refusals(void **state)
{
	struct compilation c;
	struct buf text = {0};

	(void)state;
	/* Rules that can't be run, with their place, unless they are skipped. */
	compile(&c, "-A INPUT -s ::1\n-A INPUT -m conntrack --ctstate NEW -j ACCEPT\n", NULL);
	assert_int_equal(c.err, -ENOTSUP);
	assert_string_equal(diag_first(&c.d), "match 'conntrack' can't be run here");
	assert_int_equal(c.d.entries[0].pos.line, 9);
	bool skip[8] = {0};
	skip[input_of(c.set)->rules->next->counter] = true;
	assert_int_equal(rules_compile(input_of(c.set), c.counters,
				 &(struct compile_opts){.skip = skip}, &c.prog, &c.d),
		0);
	finish(&c);
	/* Chains that double the ways 30 times over; one chain inside the other 1,100 times. */
	put_nested(&text, 30, 2);
	compile_text(&c, &text);
	assert_int_equal(c.err, -E2BIG);
	assert_non_null(strstr(diag_first(&c.d), "call each other so much"));
	finish(&c);
	buf_reset(&text);
	put_nested(&text, 1025, 1);
	compile_text(&c, &text);
	assert_int_equal(c.err, -E2BIG);
	assert_non_null(
		strstr(diag_first(&c.d), "chain 'n1024' is nested deeper than the 1024 jumps"));
	finish(&c);
	buf_fini(&text);
}

/* Counters lie in several values of the map; the chain is long enough for a tree. */
static void many_rules(void **state)
{
	static const u32 hits[] = {0, 1, 1000, 1022, 1023, 1024, 1025, 2047, 2048, 2499, 2500};
	struct buf text = {0};
	struct harness h;
	char dst[32];

	(void)state;
	put_chain_head(&text, 0);
	for (u32 i = 0; i < 2500; i++)
		buf_printf(&text, "-A INPUT -d 2001:db8:%x::/48%s\n", i, i % 2 ? " -j DROP" : "");
	buf_puts(&text, "COMMIT\n");
	assert_true(harness_init(&h, str_of(buf_cstr(&text)), FAMILY_IPV6, HOOK_INPUT));
	for (size_t i = 0; i < ARRAY_LEN(hits); i++) {
		snprintf(dst, sizeof(dst), "2001:db8:%x::1", hits[i]);
		run_packet(&h, "::1", dst);
	}
	harness_fini(&h);
	buf_fini(&text);
}

static u32 random_below(u64 *seed, u32 n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (u32)(*seed >> 33) % n;
}

/* An address that many rules' prefixes of some length cover. */
static void put_shared_address(struct buf *out, u64 *seed)
{
	buf_printf(out, "2001:db8:%x:%x::%x", random_below(seed, 40), random_below(seed, 40),
		random_below(seed, 3));
}

static void put_udp(u8 bytes[64], u64 *seed)
{
	bytes[6] = 17;
	store_be16(bytes + 40, (u16)random_below(seed, 4));
	store_be16(bytes + 42, (u16)random_below(seed, 4));
	bytes[45] = 24;
}

/* Rules for sources and rules for destinations, mixed: two trees, of which now this one and now
 * that one has the first match. Some packets are cut. */
static void two_groups(void **state)
{
	static const u32 lengths[] = {48, 64, 64, 126, 128};
	struct buf text = {0}, why = {0};
	u64 seed = 7;
	struct harness h;

	(void)state;
	put_chain_head(&text, 0);
	for (u32 i = 0; i < 1500; i++) {
		buf_printf(&text, "-A INPUT -%c ", random_below(&seed, 2) ? 's' : 'd');
		put_shared_address(&text, &seed);
		buf_printf(&text, "/%u", lengths[random_below(&seed, 5)]);
		if (random_below(&seed, 4))
			buf_printf(&text, " -p udp -m udp --dport %u", random_below(&seed, 4));
		buf_puts(&text, random_below(&seed, 2) ? " -j ACCEPT\n" : " -j DROP\n");
	}
	buf_puts(&text, "COMMIT\n");
	assert_true(harness_init(&h, str_of(buf_cstr(&text)), FAMILY_IPV6, HOOK_INPUT));
	for (u32 i = 0; i < 1500; i++) {
		struct buf src = {0}, dst = {0};
		u8 bytes[64];

		put_shared_address(&src, &seed);
		put_shared_address(&dst, &seed);
		struct weir_packet p = packet_at(bytes, buf_cstr(&src), buf_cstr(&dst));

		put_udp(bytes, &seed);
		if (random_below(&seed, 8) == 0)
			p.data_end -= 20;
		if (!harness_packet(&h, &p, &why))
			fail_msg("%s to %s: %s", buf_cstr(&src), buf_cstr(&dst), buf_cstr(&why));
		buf_fini(&src);
		buf_fini(&dst);
	}
	harness_fini(&h);
	buf_fini(&text);
}

/* More log events in one packet than there is room for: counted, the first ones kept. */
static void log_overflow(void **state)
{
	struct buf text = {0};
	struct harness h;

	(void)state;
	put_chain_head(&text, 0);
	for (u32 i = 0; i < 40; i++)
		buf_puts(&text, "-A INPUT -j LOG\n");
	buf_puts(&text, "COMMIT\n");
	assert_true(harness_init(&h, str_of(buf_cstr(&text)), FAMILY_IPV6, HOOK_INPUT));
	run_packet(&h, "::1", "::2");
	assert_int_equal(h.last.log.nr, 40);
	harness_fini(&h);
	buf_fini(&text);
}

/* Sums over all slots, each written by its own thread in real life. */
static void counters_sum(void **state)
{
	struct compilation c;
	struct rule_count counts[8];
	static const u32 key = 0;

	(void)state;
	compile(&c, "-A INPUT -j DROP\n", NULL);
	u32 counter = input_of(c.set)->rules->counter;

	for (u32 slot = 0; slot < 2; slot++) {
		u8 *value = map_lookup(c.counters, &key, cpu_base(c.cpus, slot));

		store_le64(value + 256 + counter * 16, 3 + slot);
		store_le64(value + 256 + counter * 16 + 8, 100 + slot);
	}
	assert_true(c.set->nr_counters <= ARRAY_LEN(counts));
	assert_int_equal(rules_counters_read(c.set, c.counters, counts), 0);
	assert_int_equal(counts[counter].packets, 7);
	assert_int_equal(counts[counter].bytes, 201);
	finish(&c);
}

static void survives_no_memory(void **state)
{
	struct compilation c;
	struct prog *prog = NULL;
	u64 nth = 1;
	int err;

	(void)state;
	compile(&c,
		"-A INPUT -p tcp -m tcp --dport 1 -j a\n-A INPUT -s ::1 -j a\n-A a -d ::1\n-A a -d "
		"::2\n-A a -d ::3 -j DROP\n",
		NULL);
	assert_int_equal(c.err, 0);
	do {
		mem_fail_at(nth++);
		err = rules_compile(input_of(c.set), c.counters, NULL, &prog, &c.d);
		mem_fail_at(0);
		assert_true(err == 0 || err == -ENOMEM);
	} while (err != 0);
	assert_true(nth > 10);
	prog_free(prog);
	finish(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(masked_compare),
		cmocka_unit_test(only_what_rules_need),
		cmocka_unit_test(chains_in_place_or_called),
		cmocka_unit_test(deep_nesting),
		cmocka_unit_test(many_gotos),
		cmocka_unit_test(refusals),
		cmocka_unit_test(many_rules),
		cmocka_unit_test(two_groups),
		cmocka_unit_test(log_overflow),
		cmocka_unit_test(counters_sum),
		cmocka_unit_test(survives_no_memory),
	};

	return cmocka_run_group_tests_name("compile", tests, NULL, NULL);
}
