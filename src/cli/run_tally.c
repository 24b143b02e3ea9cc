#include "cli/run_tally.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"

static const struct {
	enum weir_program_type type;
	s64 value;
	const char *name;
	bool keeps;
} verdicts[] = {
	{WEIR_PROG_XDP, 0, "XDP_ABORTED", false},
	{WEIR_PROG_XDP, 1, "XDP_DROP", false},
	{WEIR_PROG_XDP, 2, "XDP_PASS", true},
	{WEIR_PROG_XDP, 3, "XDP_TX", true},
	{WEIR_PROG_XDP, 4, "XDP_REDIRECT", true},
	{WEIR_PROG_SCHED_CLS, -1, "TC_ACT_UNSPEC", true},
	{WEIR_PROG_SCHED_CLS, 0, "TC_ACT_OK", true},
	{WEIR_PROG_SCHED_CLS, 1, "TC_ACT_RECLASSIFY", true},
	{WEIR_PROG_SCHED_CLS, 2, "TC_ACT_SHOT", false},
	{WEIR_PROG_SCHED_CLS, 3, "TC_ACT_PIPE", true},
	{WEIR_PROG_SCHED_CLS, 4, "TC_ACT_STOLEN", false},
	{WEIR_PROG_SCHED_CLS, 5, "TC_ACT_QUEUED", false},
	{WEIR_PROG_SCHED_CLS, 6, "TC_ACT_REPEAT", true},
	{WEIR_PROG_SCHED_CLS, 7, "TC_ACT_REDIRECT", true},
	{WEIR_PROG_SCHED_CLS, 8, "TC_ACT_TRAP", false},
	{WEIR_PROG_SOCKET_FILTER, 0, "drop", false},
	{WEIR_PROG_CGROUP_SKB, 0, "drop", false},
	{WEIR_PROG_CGROUP_SKB, 1, "pass", true},
	{WEIR_PROG_CGROUP_SKB, 2, "drop, congested", false},
	{WEIR_PROG_CGROUP_SKB, 3, "pass, congested", true},
	{WEIR_PROG_NETFILTER, 0, "NF_DROP", false},
	{WEIR_PROG_NETFILTER, 1, "NF_ACCEPT", true},
};

/* Actions return what classifiers do. Return values are signed numbers of 32 bits, but where they are lengths. */
static enum weir_program_type table_type(enum weir_program_type type)
{
	return type == WEIR_PROG_SCHED_ACT ? WEIR_PROG_SCHED_CLS : type;
}

static s64 value_of(enum weir_program_type type, u64 result)
{
	if (type == WEIR_PROG_RAW)
		return (s64)result;
	return table_type(type) == WEIR_PROG_SCHED_CLS ? (s32)result : (s64)(u32)result;
}

const char *verdict_name(enum weir_program_type type, s64 value)
{
	for (size_t i = 0; i < ARRAY_LEN(verdicts); i++)
		if (verdicts[i].type == table_type(type) && verdicts[i].value == value)
			return verdicts[i].name;
	return NULL;
}

bool verdict_keeps(enum weir_program_type type, u64 result)
{
	s64 value = value_of(type, result);

	for (size_t i = 0; i < ARRAY_LEN(verdicts); i++)
		if (verdicts[i].type == table_type(type) && verdicts[i].value == value)
			return verdicts[i].keeps;
	return type == WEIR_PROG_SOCKET_FILTER || table_type(type) == WEIR_PROG_SCHED_CLS;
}

static void count_value(struct tally *t, s64 value)
{
	u32 at = 0;

	while (at < t->nr_values && t->values[at].value < value)
		at++;
	if (at < t->nr_values && t->values[at].value == value) {
		t->values[at].nr++;
		return;
	}
	if (t->nr_values == TALLY_VALUES_MAX) {
		t->nr_other++;
		return;
	}
	memmove(t->values + at + 1, t->values + at, (t->nr_values - at) * sizeof(*t->values));
	t->values[at].value = value;
	t->values[at].nr = 1;
	t->nr_values++;
}

static void count_target(struct tally *t, u32 kind, u64 to)
{
	for (u32 i = 0; i < t->nr_targets; i++)
		if (t->targets[i].kind == kind && t->targets[i].to == to) {
			t->targets[i].nr++;
			return;
		}
	if (t->nr_targets == TALLY_TARGETS_MAX)
		return;
	t->targets[t->nr_targets].kind = kind;
	t->targets[t->nr_targets].to = to;
	t->targets[t->nr_targets++].nr = 1;
}

static bool is_redirected(const struct tally *t, s64 value)
{
	return (t->type == WEIR_PROG_XDP && value == 4) ||
	       (table_type(t->type) == WEIR_PROG_SCHED_CLS && value == 7);
}

void tally_result(struct tally *t, const struct weir_frame *frame, u64 result)
{
	s64 value = value_of(t->type, result);

	t->packets++;
	count_value(t, value);
	if (frame && is_redirected(t, value) && frame->redirect)
		count_target(t, frame->redirect,
			frame->redirect == WEIR_REDIRECT_MAP ? frame->redirect_key
							     : frame->redirect_ifindex);
}

void tally_clone(struct tally *t, u32 ifindex)
{
	count_target(t, WEIR_REDIRECT_NONE, ifindex);
}

static const char *target_text(u32 kind)
{
	static const char *const texts[] = {[WEIR_REDIRECT_NONE] = "clone to ifindex",
		[WEIR_REDIRECT_IFINDEX] = "redirect to ifindex",
		[WEIR_REDIRECT_MAP] = "redirect to map entry",
		[WEIR_REDIRECT_PEER] = "redirect to peer of ifindex",
		[WEIR_REDIRECT_NEIGH] = "redirect to neighbour on ifindex"};

	return texts[kind];
}

static double ns_per_run(const struct tally *t)
{
	/* Of a few runs the clock's own noise may be left only. */
	return t->runs && t->ns > 0 ? t->ns / (double)t->runs : 0;
}

void tally_print(const struct tally *t, struct buf *out)
{
	for (u32 i = 0; i < t->nr_values; i++) {
		const char *name = verdict_name(t->type, t->values[i].value);
		char number[24];

		snprintf(number, sizeof(number), "%lld", (long long)t->values[i].value);
		buf_printf(out, "  %-18s %8llu\n", name ? name : number,
			(unsigned long long)t->values[i].nr);
	}
	if (t->nr_other)
		buf_printf(out, "  %-18s %8llu\n", "other values", (unsigned long long)t->nr_other);
	for (u32 i = 0; i < t->nr_targets; i++)
		buf_printf(out, "  %s %llu: %llu\n", target_text(t->targets[i].kind),
			(unsigned long long)t->targets[i].to, (unsigned long long)t->targets[i].nr);
	buf_printf(out, "time per run: %.1f ns, %llu runs\n", ns_per_run(t),
		(unsigned long long)t->runs);
}

void tally_print_json(const struct tally *t, struct buf *out)
{
	buf_printf(out, "\"packets\":%llu,\"runs\":%llu,\"ns_per_run\":%.1f,\"returned\":[",
		(unsigned long long)t->packets, (unsigned long long)t->runs, ns_per_run(t));
	for (u32 i = 0; i < t->nr_values; i++) {
		const char *name = verdict_name(t->type, t->values[i].value);

		buf_printf(out, "%s{\"value\":%lld,", i ? "," : "", (long long)t->values[i].value);
		if (name)
			buf_printf(out, "\"name\":\"%s\",", name);
		buf_printf(out, "\"packets\":%llu}", (unsigned long long)t->values[i].nr);
	}
	buf_printf(out, "],\"other_values\":%llu,\"sent\":[", (unsigned long long)t->nr_other);
	for (u32 i = 0; i < t->nr_targets; i++)
		buf_printf(out, "%s{\"how\":\"%s\",\"to\":%llu,\"packets\":%llu}", i ? "," : "",
			target_text(t->targets[i].kind), (unsigned long long)t->targets[i].to,
			(unsigned long long)t->targets[i].nr);
	buf_puts(out, "]");
}
