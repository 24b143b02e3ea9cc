#include "harness.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"
#include "engine/engine.h"
#include "isa/isa.h"
#include "isa/prog.h"
#include "map/map.h"

static void print_messages(const struct diag *d)
{
	for (size_t i = 0; i < d->nr; i++)
		if (d->entries[i].level != DIAG_WARNING)
			fprintf(stderr, "%u:%u: %s\n", d->entries[i].pos.line,
				d->entries[i].pos.col, d->entries[i].text);
}

static void print_prog(const struct prog *p)
{
	struct buf out = {0};

	prog_print(&out, p);
	fputs(buf_cstr(&out), stderr);
	buf_fini(&out);
}

static bool load(struct compiled *c, struct diag *d)
{
	struct engine_opts opts = {
		.kind = c->interpreted ? ENGINE_INTERP : ENGINE_JIT, .fall_back = true};

	return engine_load(c->prog, &opts, &c->loaded, d) == 0;
}

static bool compile(struct harness *h, struct compiled *c)
{
	struct compile_opts opts = {.no_classifier = c->no_classifier};
	struct diag d = {0};
	bool ok = rules_counters_new(h->set, h->cpus, &c->counters, &d) == 0;

	if (ok) {
		int err = rules_compile(h->start, c->counters, &opts, &c->prog, &d);

		h->too_deep =
			err == -E2BIG && strstr(diag_first(&d), "call each other so much") != NULL;
		ok = err == 0 && load(c, &d);
	}
	c->counts = calloc(h->set->nr_counters, sizeof(*c->counts));
	ok = ok && c->counts != NULL;
	if (!ok && !h->too_deep) {
		fprintf(stderr, "%s:\n", c->how);
		print_messages(&d);
		if (c->prog != NULL && getenv("WEIR_TEST_VERBOSE") != NULL)
			print_prog(c->prog);
	}
	diag_fini(&d);
	return ok;
}

static bool compile_all(struct harness *h)
{
	for (size_t i = 0; i < HARNESS_FORMS; i++)
		if (!compile(h, &h->forms[i]))
			return false;
	return true;
}

bool harness_init(struct harness *h, struct str text, enum family family, enum hook hook)
{
	struct parse_opts opts = {.family = family};
	struct diag d = {0};

	*h = (struct harness){
		.forms = {
			{.how = "native code"},
			{.how = "interpreter", .interpreted = true},
			{.how = "native code without classifier", .no_classifier = true},
		}};
	bool ok = rules_parse("generated", text, &opts, &h->set, &d) == 0 &&
		  cpus_new(1, &h->cpus, &d) == 0;

	if (!ok)
		print_messages(&d);
	diag_fini(&d);
	if (!ok)
		return false;
	cpu_take(h->cpus, 0);
	for (const struct chain *c = h->set->tables->chains; c != NULL; c = c->next)
		if (c->hook == hook)
			h->start = c;
	h->counts = calloc(h->set->nr_counters, sizeof(*h->counts));
	h->jumps = calloc(h->set->jump_depth + 1, sizeof(*h->jumps));
	return h->start != NULL && h->jumps != NULL && h->counts != NULL && compile_all(h);
}

void harness_fini(struct harness *h)
{
	for (size_t i = 0; i < HARNESS_FORMS; i++) {
		loaded_free(h->forms[i].loaded);
		prog_free(h->forms[i].prog);
		map_put(h->forms[i].counters);
		free(h->forms[i].counts);
	}
	if (h->cpus != NULL) {
		cpu_release(h->cpus, 0);
		cpus_free(h->cpus);
	}
	if (h->set != NULL)
		ruleset_free(h->set);
	free(h->counts);
	free(h->jumps);
}

static void note_log(void *user, const struct log_event *event)
{
	struct rule_log *log = user;

	if (log->nr < HARNESS_LOG_MAX)
		log->counters[log->nr] = event->rule->counter;
	log->nr++;
}

static struct outcome evaluate(struct harness *h, const struct weir_packet *p)
{
	struct weir_packet packet = *p;
	struct outcome out = {0};

	out.verdict = rules_eval(h->start, &packet, NULL, h->counts, h->jumps, note_log, &out.log);
	out.mark = packet.mark;
	return out;
}

static struct outcome run(struct harness *h, struct compiled *c, const struct weir_packet *p)
{
	struct weir_packet packet = *p;
	struct outcome out = {0};
	u8 *self = cpu_base(h->cpus, 0);
	u8 *before = cpu_enter(self);

	out.verdict = (enum verdict)loaded_run(c->loaded, (u64)(uintptr_t)&packet, 0, self);
	out.mark = packet.mark;
	out.log.nr = rules_log_take(c->counters, self, out.log.counters, HARNESS_LOG_MAX);
	cpu_enter(before);
	return out;
}

/* The program keeps as many events as there is room for. */
enum { LOG_KEPT = 32 };

static bool same_log(const struct rule_log *want, const struct rule_log *got)
{
	u32 kept = want->nr < LOG_KEPT ? want->nr : LOG_KEPT;

	return want->nr == got->nr &&
	       memcmp(want->counters, got->counters, kept * sizeof(u32)) == 0;
}

static bool same_outcome(const struct compiled *c, const struct outcome *want,
	const struct outcome *got, struct buf *why)
{
	if (want->verdict != got->verdict)
		buf_printf(why, "%s: verdict %d, evaluator says %d\n", c->how, (int)got->verdict,
			(int)want->verdict);
	else if (want->mark != got->mark)
		buf_printf(why, "%s: mark %u, evaluator says %u\n", c->how, got->mark, want->mark);
	else if (!same_log(&want->log, &got->log))
		buf_printf(why, "%s: %u log events, evaluator has %u, or others\n", c->how,
			got->log.nr, want->log.nr);
	else
		return true;
	return false;
}

static bool same_counts(const struct harness *h, struct compiled *c, struct buf *why)
{
	if (rules_counters_read(h->set, c->counters, c->counts) != 0) {
		buf_puts(why, "counters can't be read\n");
		return false;
	}
	for (u32 i = 0; i < h->set->nr_counters; i++) {
		if (memcmp(&c->counts[i], &h->counts[i], sizeof(h->counts[i])) == 0)
			continue;
		buf_printf(why, "%s: counter %u is [%llu:%llu], evaluator has [%llu:%llu]\n",
			c->how, i, (unsigned long long)c->counts[i].packets,
			(unsigned long long)c->counts[i].bytes,
			(unsigned long long)h->counts[i].packets,
			(unsigned long long)h->counts[i].bytes);
		return false;
	}
	return true;
}

bool harness_packet(struct harness *h, const struct weir_packet *p, struct buf *why)
{
	struct outcome want = evaluate(h, p);

	h->last = want;
	for (size_t i = 0; i < HARNESS_FORMS; i++) {
		struct outcome got = run(h, &h->forms[i], p);

		if (!same_outcome(&h->forms[i], &want, &got, why) ||
			!same_counts(h, &h->forms[i], why))
			return false;
	}
	return true;
}
