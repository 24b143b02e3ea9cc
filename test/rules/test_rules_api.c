/* The public interface to rules, as a program outside uses it: only public headers, only the shared
 * library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "weir/rules.h"

static const char text[] = "*filter\n"
			   ":INPUT DROP [0:0]\n"
			   ":FORWARD ACCEPT [0:0]\n"
			   ":OUTPUT ACCEPT [0:0]\n"
			   ":web - [0:0]\n"
			   "-A INPUT -s 2001:db8::/32 -j web\n"
			   "-A INPUT -s 2001:db8::/32 -j LOG\n"
			   "-A web -p tcp -m tcp --dport 80 -j ACCEPT\n"
			   "-A web -j MARK --set-xmark 0x7/0xffffffff\n"
			   "COMMIT\n";

static uint8_t syn[60] = {
	0x60,
	0,
	0,
	0,
	0,
	20,
	6,
	64,
	0x20,
	0x01,
	0x0d,
	0xb8,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	1,
	0x20,
	0x01,
	0x0d,
	0xb8,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	2,
	0x0f,
	0xa0,
	0,
	80,
	0,
	0,
	0,
	1,
	0,
	0,
	0,
	0,
	0x50,
	2,
};

struct fixture {
	struct weir_engine *engine;
	struct weir_slot *slot;
	struct weir_rules *rules;
	struct weir_filter *filter;
	struct weir_error error;
};

static void start(struct fixture *f, const char *rules, const struct weir_filter_spec *spec)
{
	memset(f, 0, sizeof(*f));
	assert_int_equal(weir_engine_new(2, &f->engine, &f->error), 0);
	assert_int_equal(weir_slot_take(f->engine, 1, &f->slot), 0);
	assert_int_equal(
		weir_rules_parse("t.rules", rules, strlen(rules), WEIR_IPV6, &f->rules, &f->error),
		0);
	assert_int_equal(weir_rules_family(f->rules), WEIR_IPV6);
	if (spec)
		assert_int_equal(
			weir_filter_new(f->engine, f->rules, spec, &f->filter, &f->error), 0);
}

static void stop(struct fixture *f)
{
	weir_rules_free(f->rules); /* filters keep what they need */
	weir_slot_release(f->slot);
	weir_engine_free(f->engine);
	weir_filter_free(f->filter);
}

static struct weir_packet packet(void)
{
	return (struct weir_packet){.data = (uintptr_t)syn,
		.data_end = (uintptr_t)syn + sizeof(syn),
		.len = sizeof(syn)};
}

static enum weir_verdict ask(struct fixture *f, struct weir_packet *p)
{
	enum weir_verdict v = WEIR_HOTDROP;

	assert_int_equal(weir_filter_run(f->filter, f->slot, p, &v), 0);
	return v;
}

static void expect_counter(struct fixture *f, const char *chain, uint32_t number, uint64_t packets)
{
	struct weir_counter c = {0};

	assert_int_equal(weir_filter_counter(f->filter, chain, number, &c), 0);
	assert_int_equal(c.packets, packets);
	assert_int_equal(c.bytes, packets * sizeof(syn));
}

static void verdicts_and_counters(void **state)
{
	static const enum weir_mode modes[] = {WEIR_MODE_AUTO, WEIR_MODE_INTERPRETER};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct weir_packet p = packet();
		uint32_t lines[4] = {0};
		struct fixture f;

		start(&f, text, &(struct weir_filter_spec){.mode = modes[i]});
		syn[43] = 80;
		assert_int_equal(ask(&f, &p), WEIR_ACCEPT);
		assert_int_equal(p.mark, 0);
		assert_int_equal(weir_filter_logged(f.filter, f.slot, lines, 4), 0);
		syn[43] = 81;
		assert_int_equal(ask(&f, &p), WEIR_DROP);
		assert_int_equal(p.mark, 7);
		assert_int_equal(weir_filter_logged(f.filter, f.slot, lines, 4), 1);
		assert_int_equal(lines[0], 7);
		expect_counter(&f, "INPUT", 1, 2);
		expect_counter(&f, "web", 1, 1);
		expect_counter(&f, "web", 2, 1);
		expect_counter(&f, "INPUT", 0, 1);
		stop(&f);
	}
}

static void saves_as_it_read(void **state)
{
	struct weir_packet p = packet();
	struct fixture f;
	char *saved = NULL;

	(void)state;
	start(&f, text, &(struct weir_filter_spec){0});
	syn[43] = 80;
	ask(&f, &p);
	assert_int_equal(weir_filter_save(f.filter, &saved), 0);
	assert_non_null(strstr(saved, "[1:60] -A web -p tcp -m tcp --dport 80 -j ACCEPT\n"));
	assert_non_null(strstr(saved, ":INPUT DROP [0:0]\n"));
	weir_text_free(saved);
	stop(&f);
}

static void refusals(void **state)
{
	static const char bad[] = "*filter\n:INPUT ACCEPT [0:0]\n-A INPUT --frobnicate\nCOMMIT\n";
	static const char state_rule[] = "*filter\n:INPUT ACCEPT [0:0]\n-A INPUT -s ::1 -m "
					 "conntrack --ctstate NEW -j ACCEPT\nCOMMIT\n";
	struct weir_rules *rules = NULL;
	struct weir_filter *filter = NULL;
	struct weir_counter c;
	struct fixture f;

	(void)state;
	start(&f, state_rule, NULL);
	assert_int_equal(
		weir_rules_parse("bad", bad, strlen(bad), WEIR_IPV6, &rules, &f.error), -EINVAL);
	assert_int_equal(f.error.where, WEIR_AT_TEXT);
	assert_int_equal(f.error.line, 3);
	assert_null(rules);
	assert_int_equal(weir_filter_new(f.engine, f.rules,
				 &(struct weir_filter_spec){.table = "raw"}, &filter, &f.error),
		-ENOENT);
	assert_int_equal(weir_filter_new(f.engine, f.rules,
				 &(struct weir_filter_spec){.chain = "nope"}, &filter, &f.error),
		-ENOENT);
	assert_int_equal(weir_filter_new(f.engine, f.rules, &(struct weir_filter_spec){0}, &filter,
				 &f.error),
		-ENOTSUP);
	assert_int_equal(f.error.line, 3);
	assert_null(filter);
	struct weir_filter_spec skipping = {.skip_unsupported = true};

	assert_int_equal(weir_filter_new(f.engine, f.rules, &skipping, &f.filter, &f.error), 0);
	assert_int_equal(weir_filter_skipped(f.filter), 1);
	assert_int_equal(weir_filter_counter(f.filter, "INPUT", 2, &c), -ENOENT);
	assert_int_equal(weir_filter_counter(f.filter, "nope", 1, &c), -ENOENT);
	stop(&f);
}

struct foreign_run {
	struct fixture *f;
	int run;
	size_t logged;
};

static void *run_in_thread(void *arg)
{
	struct foreign_run *r = arg;
	struct weir_packet p = packet();
	enum weir_verdict v;
	uint32_t line;

	r->run = weir_filter_run(r->f->filter, r->f->slot, &p, &v);
	r->logged = weir_filter_logged(r->f->filter, r->f->slot, &line, 1);
	return NULL;
}

static void slot_of_another_thread(void **state)
{
	struct fixture f;
	struct foreign_run r = {.f = &f};
	struct weir_packet p = packet();
	pthread_t thread;

	(void)state;
	start(&f, text, &(struct weir_filter_spec){0});
	syn[43] = 81;
	ask(&f, &p);
	assert_int_equal(pthread_create(&thread, NULL, run_in_thread, &r), 0);
	pthread_join(thread, NULL);
	assert_int_equal(r.run, -EINVAL);
	assert_int_equal(r.logged, 0);
	run_in_thread(&r);
	assert_int_equal(r.run, 0);
	assert_int_equal(r.logged, 2);
	stop(&f);
}

static void odd_arguments(void **state)
{
	struct weir_filter_spec odd = {.mode = (enum weir_mode)9};
	struct weir_rules *rules = NULL;
	struct weir_filter *filter = NULL;
	struct weir_packet p = packet();
	struct weir_counter c;
	enum weir_verdict v;
	struct fixture f;

	(void)state;
	start(&f, text, &(struct weir_filter_spec){0});
	assert_int_equal(
		weir_rules_parse("t", text, 1, (enum weir_family)99, &rules, &f.error), -EINVAL);
	assert_string_equal(f.error.message, "family 99 is not known: 4, 6, or 0 for any");
	assert_int_equal(weir_rules_parse("t", NULL, 1, WEIR_IPV6, &rules, &f.error), -EINVAL);
	assert_string_equal(f.error.message, "text is NULL");
	assert_int_equal(weir_rules_parse("t", text, 1, WEIR_IPV6, NULL, &f.error), -EINVAL);
	assert_null(rules);
	assert_int_equal(weir_rules_parse(NULL, NULL, 0, WEIR_IPV6, &rules, &f.error), 0);
	weir_rules_free(rules);
	assert_int_equal(weir_rules_family(NULL), WEIR_FAMILY_ANY);
	assert_int_equal(weir_filter_new(NULL, f.rules, &odd, &filter, &f.error), -EINVAL);
	assert_string_equal(f.error.message, "engine is NULL");
	assert_int_equal(weir_filter_new(f.engine, NULL, &odd, &filter, &f.error), -EINVAL);
	assert_int_equal(weir_filter_new(f.engine, f.rules, NULL, &filter, &f.error), -EINVAL);
	assert_int_equal(weir_filter_new(f.engine, f.rules, &odd, NULL, &f.error), -EINVAL);
	assert_int_equal(weir_filter_new(f.engine, f.rules, &odd, &filter, &f.error), -EINVAL);
	assert_string_equal(f.error.message, "mode 9 is not known");
	assert_null(filter);
	assert_int_equal(weir_filter_run(NULL, f.slot, &p, &v), -EINVAL);
	assert_int_equal(weir_filter_run(f.filter, NULL, &p, &v), -EINVAL);
	assert_int_equal(weir_filter_run(f.filter, f.slot, NULL, &v), -EINVAL);
	assert_int_equal(weir_filter_run(f.filter, f.slot, &p, NULL), -EINVAL);
	assert_int_equal(weir_filter_logged(f.filter, f.slot, NULL, 4), 0);
	assert_int_equal(weir_filter_counter(f.filter, NULL, 1, &c), -EINVAL);
	assert_int_equal(weir_filter_counter(f.filter, "INPUT", 1, NULL), -EINVAL);
	assert_int_equal(weir_filter_save(f.filter, NULL), -EINVAL);
	assert_int_equal(weir_filter_skipped(NULL), 0);
	assert_false(weir_filter_is_native(NULL));
	stop(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_and_counters),
		cmocka_unit_test(saves_as_it_read),
		cmocka_unit_test(refusals),
		cmocka_unit_test(slot_of_another_thread),
		cmocka_unit_test(odd_arguments),
	};

	return cmocka_run_group_tests_name("rules-api", tests, NULL, NULL);
}
