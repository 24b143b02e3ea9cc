/* What any text may do to the parser: nothing but a tree or messages. Texts are the cases' rules (argv[1] is their folder)
 * and what becomes of them by cutting, changing and mixing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/parse.h"
#include "rules/print.h"

enum { MUTATIONS = 6000, SEEDS_MAX = 1000 };

static struct {
	struct buf texts[SEEDS_MAX];
	size_t nr;
	u64 random;
} corpus;

static u64 random_u64(void)
{
	corpus.random ^= corpus.random << 13;
	corpus.random ^= corpus.random >> 7;
	corpus.random ^= corpus.random << 17;
	return corpus.random;
}

static size_t random_below(size_t n)
{
	return n ? random_u64() % n : 0;
}

/* Adds the bodies of all "-- rules" sections. */
static void add_case_file(const char *path)
{
	char line[65536];
	struct buf *open = NULL;
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, "-- ", 3)) {
			open = NULL;
			if (!strncmp(line, "-- rules", 8) && corpus.nr < SEEDS_MAX)
				open = &corpus.texts[corpus.nr++];
		} else if (open) {
			buf_puts(open, line);
		}
	}
	fclose(f);
}

static int read_corpus(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	char path[4096];

	if (!dir)
		return -1;
	while ((entry = readdir(dir))) {
		if (!strstr(entry->d_name, ".t"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		add_case_file(path);
	}
	closedir(dir);
	return corpus.nr ? 0 : -1;
}

static void put_all(struct buf *out, const struct ruleset *set)
{
	rules_print_save(out, set, NULL, PRINT_COUNTERS);
}

/* Everything that walks a tree. */
static void use_set(const struct ruleset *set)
{
	struct buf out = {0};
	struct diag d = {0};

	rules_print_tree(&out, set);
	for (const struct table *t = set->tables; t; t = t->next) {
		rules_print_list(&out, t, NULL, NULL);
		for (struct chain *c = t->chains; c; c = c->next)
			if (c->hook != HOOK_NONE)
				rules_check_runnable(set, &c, 1, NULL, &d);
	}
	assert_false(out.failed);
	buf_fini(&out);
	diag_fini(&d);
}

static void check_positions(const struct diag *d, struct str text)
{
	u32 lines = 1;

	for (size_t i = 0; i < text.len; i++)
		lines += text.p[i] == '\n';
	for (size_t i = 0; i < d->nr; i++) {
		assert_true(d->entries[i].pos.line <= lines);
		assert_true(d->entries[i].text[0]);
		assert_string_equal(d->entries[i].pos.file, "file");
	}
}

/* cmocka cuts long texts: the lines that differ. */
static void show_difference(const char *a, const char *b)
{
	size_t at = 0, start = 0;

	for (; a[at] && a[at] == b[at]; at++)
		if (a[at] == '\n')
			start = at + 1;
	if (a[at] != b[at])
		print_message("first:  %.*s\nsecond: %.*s\n", (int)strcspn(a + start, "\n"),
			a + start, (int)strcspn(b + start, "\n"), b + start);
}

/* What was accepted prints a text that is accepted and prints itself. */
static void check_round_trip(const struct ruleset *set, bool lenient)
{
	struct parse_opts opts = {.family = set->family, .lenient = lenient};
	struct buf first = {0}, second = {0};
	struct ruleset *again = NULL;
	struct diag d = {0};

	put_all(&first, set);
	int err = rules_parse(
		"file", str_new((const char *)first.data, first.len), &opts, &again, &d);
	if (err)
		print_message("refused: %s\n%s", diag_first(&d), buf_cstr(&first));
	assert_int_equal(err, 0);
	put_all(&second, again);
	show_difference(buf_cstr(&first), buf_cstr(&second));
	assert_string_equal(buf_cstr(&first), buf_cstr(&second));
	ruleset_free(again);
	diag_fini(&d);
	buf_fini(&first);
	buf_fini(&second);
}

/* 1 when it was accepted. */
static int check_text(struct str text, const struct parse_opts *opts)
{
	struct ruleset *set = NULL;
	struct diag d = {0};
	int err = rules_parse("file", text, opts, &set, &d);

	check_positions(&d, text);
	if (err) {
		assert_int_equal(err, -EINVAL);
		assert_true(d.nr_errors > 0);
	} else {
		assert_int_equal(d.nr_errors, 0);
		use_set(set);
		check_round_trip(set, opts->lenient);
	}
	ruleset_free(set);
	diag_fini(&d);
	return !err;
}

static const char *const tokens[] = {
	" -m ",
	" -j ",
	" ! ",
	"\n",
	"\"",
	"\\",
	" --",
	"-",
	"*filter\n",
	"COMMIT\n",
	":a - [0:0]\n",
	"-A INPUT ",
	":",
	",",
	"/",
	"0",
	"65536",
	" -p tcp ",
	" -m multiport ",
	" -j LOG ",
	" -g a ",
	"[1:2] ",
	"::",
	"255.255",
	"\t",
	"\r",
	"+",
	"-I a 1 ",
	"-D a 1\n",
	"-F\n",
	"-X a\n",
	"-E a b\n",
	" --dports 1:2",
	" --set-mark ",
	"=",
	" -c 1 2 ",
	"-N a\n",
};

static size_t line_start(const struct buf *text, size_t at)
{
	while (at > 0 && text->data[at - 1] != '\n')
		at--;
	return at;
}

/* A whole line of another text between two lines. */
static void splice_line(
	struct buf *out, const struct buf *text, const struct buf *other, size_t at, size_t from)
{
	const u8 *end;

	at = line_start(text, at);
	from = line_start(other, from);
	end = memchr(other->data + from, '\n', other->len - from);
	buf_put(out, text->data, at);
	buf_put(out, other->data + from, end ? (size_t)(end + 1 - other->data) - from : 0);
	buf_put(out, text->data + at, text->len - at);
}

static void mutate(struct buf *out, const struct buf *text)
{
	const struct buf *other = &corpus.texts[random_below(corpus.nr)];
	size_t at = random_below(text->len + 1), len = random_below(text->len - at + 1) % 40,
	       from = random_below(other->len + 1);
	const char *token = tokens[random_below(ARRAY_LEN(tokens))];

	if (random_below(3) == 0) {
		splice_line(out, text, other, at, from);
		return;
	}
	buf_put(out, text->data, at);
	switch (random_below(7)) {
	case 0: /* cut off */
		return;
	case 1: /* a byte */
		buf_u8(out, (u8)random_u64());
		len = len ? 1 : 0;
		break;
	case 2: /* leave out */
		break;
	case 3: /* twice */
		buf_put(out, text->data + at, len);
		len = 0;
		break;
	case 4: /* from another text */
		buf_put(out, other->data + from, random_below(other->len - from + 1) % 80);
		break;
	default:
		buf_puts(out, token);
		len = random_below(2) ? len : 0;
	}
	buf_put(out, text->data + at + len, text->len - at - len);
}

static void mutations(void **state)
{
	const char *seed = getenv("WEIR_TEST_SEED");
	struct buf texts[2] = {0};
	int accepted = 0;

	(void)state;
	corpus.random =
		seed ? strtoull(seed, NULL, 0) : 0x6b0dc9a700001; /* any odd number will do */
	print_message("WEIR_TEST_SEED=0x%llx\n", (unsigned long long)corpus.random);
	for (int i = 0; i < MUTATIONS; i++) {
		struct parse_opts opts = {.lenient = i & 1};
		int rounds = 1 + (int)random_below(3);

		opts.family =
			(enum family[]){FAMILY_NONE, FAMILY_IPV4, FAMILY_IPV6}[random_below(3)];
		buf_reset(&texts[0]);
		mutate(&texts[0], &corpus.texts[random_below(corpus.nr)]);
		for (int k = 1; k < rounds; k++) {
			buf_reset(&texts[k & 1]);
			mutate(&texts[k & 1], &texts[~k & 1]);
		}
		const struct buf *text = &texts[(rounds - 1) & 1];
		accepted += check_text(str_new((const char *)text->data, text->len), &opts);
	}
	print_message("%d of %d mutations accepted\n", accepted, MUTATIONS);
	assert_true(accepted > 0);
	buf_fini(&texts[0]);
	buf_fini(&texts[1]);
}

/* Whichever allocation fails, there is no tree, and nothing is lost. */
static void out_of_memory(void **state)
{
	int failures = 0;

	(void)state;
	for (size_t i = 0; i < corpus.nr; i++) {
		struct str text = str_new((const char *)corpus.texts[i].data, corpus.texts[i].len);

		for (u64 nth = 1;; nth++) {
			struct parse_opts opts = {.family = FAMILY_IPV4};
			struct ruleset *set = NULL;
			struct diag d = {0};

			mem_fail_at(nth);
			int err = rules_parse("file", text, &opts, &set, &d);
			mem_fail_at(0);
			assert_true(err == 0 || err == -ENOMEM || err == -EINVAL);
			assert_true(err != -EINVAL || d.nr_errors);
			failures += err == -ENOMEM;
			ruleset_free(set);
			bool done = err == 0 || (err == -EINVAL && !d.nr_dropped);
			diag_fini(&d);
			if (done || nth > 300)
				break;
		}
	}
	assert_true(failures > 100);
}

static double seconds_to_parse(u32 nr_chains, u32 rules_per_chain)
{
	struct parse_opts opts = {.family = FAMILY_IPV6};
	struct buf text = {0};
	struct ruleset *set = NULL;
	struct timespec from, to;

	buf_puts(&text, "*filter\n");
	for (u32 i = 0; i < nr_chains; i++)
		buf_printf(&text, ":chain-%u - [0:0]\n", i * 2654435761u);
	for (u32 i = 0; i < nr_chains; i++) {
		for (u32 k = 0; k < rules_per_chain; k++)
			buf_printf(&text,
				"-A chain-%u -s 2001:db8:%x::%x/128 -p tcp -m tcp --dport %u -j "
				"chain-%u\n",
				i * 2654435761u, i & 0xffff, k, k,
				(i + 1 < nr_chains ? i + 1 : 0) * 2654435761u);
	}
	buf_puts(&text, "COMMIT\n");
	assert_false(text.failed);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	assert_int_equal(
		rules_parse("file", str_new((const char *)text.data, text.len), &opts, &set, NULL),
		0);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	assert_int_equal(set->nr_rules, nr_chains * rules_per_chain);
	ruleset_free(set);
	buf_fini(&text);
	return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
}

/* Eight times the chains and rules take eight times as long, not sixty-four times. */
static void linear_time(void **state)
{
	double small = seconds_to_parse(4000, 2), big = seconds_to_parse(32000, 2);

	(void)state;
	print_message("8000 rules %.3f s, 64000 rules %.3f s\n", small, big);
	assert_true(big < 0.05 || big < small * 24);
}

/* A line of a megabyte, chains nested ten thousand deep. */
static void big_shapes(void **state)
{
	struct parse_opts opts = {.family = FAMILY_IPV6};
	struct buf text = {0};

	(void)state;
	buf_puts(&text, "*filter\n-A INPUT -m vendor");
	for (int i = 0; i < 200000; i++)
		buf_puts(&text, " --x 1");
	buf_puts(&text, "\nCOMMIT\n");
	assert_int_equal(check_text(str_new((const char *)text.data, text.len), &opts), 1);
	buf_reset(&text);
	buf_puts(&text, "*filter\n");
	for (int i = 0; i < 10000; i++)
		buf_printf(&text, ":c%d -\n", i);
	buf_puts(&text, "-A INPUT -j c0\n");
	for (int i = 0; i + 1 < 10000; i++)
		buf_printf(&text, "-A c%d -j c%d\n", i, i + 1);
	buf_puts(&text, "COMMIT\n");
	assert_int_equal(check_text(str_new((const char *)text.data, text.len), &opts), 1);
	buf_fini(&text);
}

static const struct udp_match *udp_of(const struct ruleset *set)
{
	return set->tables->chains->rules->matches[0].data;
}

/* Services come from the system. UDP takes those of TCP too, as iptables does; TCP takes its own. */
static void services(void **state)
{
	static const char udp[] =
		"*filter\n-A INPUT -p udp -m udp --sport ssh:http --dport tftp\nCOMMIT\n";
	static const char tcp[] = "*filter\n-A INPUT -p tcp -m tcp --dport tftp\nCOMMIT\n";
	struct parse_opts opts = {.family = FAMILY_IPV6};
	struct ruleset *set = NULL;

	(void)state;
	if (!getservbyname("http", "tcp") || getservbyname("http", "udp") ||
		!getservbyname("tftp", "udp") || getservbyname("tftp", "tcp"))
		skip();
	assert_int_equal(rules_parse("file", str_of(udp), &opts, &set, NULL), 0);
	assert_int_equal(udp_of(set)->sport.min, 22);
	assert_int_equal(udp_of(set)->sport.max, 80);
	assert_int_equal(udp_of(set)->dport.min, 69);
	ruleset_free(set);
	assert_int_equal(rules_parse("file", str_of(tcp), &opts, &set, NULL), -EINVAL);
}

/* Each row of the tables can be found, printed and says what it takes. */
static void tables_are_whole(void **state)
{
	(void)state;
	for (size_t i = 0; match_ops_at(i); i++) {
		const struct match_ops *m = match_ops_at(i);

		assert_true(m->families && m->nr_options <= 64 && m->print && m->list);
		assert_ptr_equal(match_ops_by_name(str_of(m->name),
					 m->families & FAMILIES_V6 ? FAMILY_IPV6 : FAMILY_IPV4),
			m);
		for (u32 k = 0; k < m->nr_options; k++)
			assert_true(m->options[k].kind != OPTION_CUSTOM || m->options[k].parse);
	}
	for (size_t i = 0; target_ops_at(i); i++) {
		const struct target_ops *t = target_ops_at(i);

		assert_true(t->families && t->nr_options <= 64 && t->print && t->list);
		assert_ptr_equal(target_ops_by_name(str_of(t->name),
					 t->families & FAMILIES_V6 ? FAMILY_IPV6 : FAMILY_IPV4),
			t);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_whole),
		cmocka_unit_test(mutations),
		cmocka_unit_test(out_of_memory),
		cmocka_unit_test(linear_time),
		cmocka_unit_test(big_shapes),
		cmocka_unit_test(services),
	};

	if (argc < 2 || read_corpus(argv[1])) {
		fprintf(stderr, "usage: test-parse FOLDER-OF-CASES\n");
		return 2;
	}
	int failed = cmocka_run_group_tests_name("parse", tests, NULL, NULL);
	for (size_t i = 0; i < corpus.nr; i++)
		buf_fini(&corpus.texts[i]);
	return failed;
}
