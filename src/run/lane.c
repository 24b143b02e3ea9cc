#include "run/lane.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "engine/engine.h"
#include "rules/counters.h"
#include "run/defrag.h"

int lane_log(struct lane *l, const struct ruleset *set, log_fn log, void *user)
{
	l->log = log;
	l->log_user = user;
	mem_free(l->rules);
	l->rules = NULL;
	if (!log || !l->path->counters)
		return 0;
	l->rules = mem_zalloc(array_size(set->nr_counters, sizeof(struct rule *)));
	if (!l->rules)
		return -ENOMEM;
	for (const struct table *t = set->tables; t; t = t->next)
		for (const struct chain *c = t->chains; c; c = c->next)
			for (const struct rule *r = c->rules; r; r = r->next)
				l->rules[r->counter] = r;
	return 0;
}

static void tell_logged(struct lane *l, const struct weir_packet *packet)
{
	u32 events[LOG_EVENTS_MAX];

	if (!l->rules)
		return;
	u32 nr = rules_log_take(l->path->counters, l->base, events, LOG_EVENTS_MAX);
	for (u32 i = 0; i < nr && i < LOG_EVENTS_MAX; i++)
		l->log(l->log_user,
			&(struct log_event){.rule = l->rules[events[i]], .packet = packet});
}

static enum verdict step_run(struct lane *l, const struct step *s, struct weir_packet *packet)
{
	if (s->loaded) {
		enum verdict verdict =
			(enum verdict)loaded_run(s->loaded, (u64)(uintptr_t)packet, 0, l->base);

		tell_logged(l, packet);
		return verdict;
	}
	return rules_eval(
		s->chain, packet, l->opts->path.skip, l->counts, l->jumps, l->log, l->log_user);
}

static enum fate lost(struct lane *l, enum input_reason reason)
{
	l->stats.lost[reason]++;
	return FATE_LOST;
}

/* IPv4 is put together before INPUT; IPv6 only behind it, so that INPUT sees its fragments. */
static enum fate join_fragments(struct lane *l, struct weir_packet *packet)
{
	const u8 *ip = (const u8 *)(uintptr_t)packet->data;

	if (l->family != FAMILY_IPV4 || !(load_be16(ip + 6) & 0x3fff))
		return FATE_ACCEPTED;
	if (packet->data_end - packet->data < packet->len)
		return lost(l, INPUT_CUT);
	switch (defrag_add(l->defrag, packet)) {
	case DEFRAG_WHOLE:
		break;
	case DEFRAG_HELD:
		l->stats.lost[INPUT_FRAGMENT]++;
		return FATE_HELD;
	case DEFRAG_COMPLETE:
		/* the others were counted as lost while they waited */
		l->stats.lost[INPUT_FRAGMENT] -= defrag_nr_fragments(l->defrag) - 1;
		l->stats.fragments_joined += defrag_nr_fragments(l->defrag);
		break;
	}
	return FATE_ACCEPTED;
}

/* RFC 1624's incremental update of the checksum is what routers do; the result is the same as
 * computing it anew. */
static void count_hop(enum family family, u8 *ip)
{
	if (family == FAMILY_IPV6) {
		ip[7]--;
		return;
	}
	ip[8]--;
	u32 sum = load_be16(ip + 10) + 0x100u;
	store_be16(ip + 10, (u16)(sum + (sum >> 16)));
}

/* What happens between the hook before and this one. FATE_ACCEPTED: go on. */
static enum fate enter_hook(struct lane *l, enum hook hook, struct weir_packet *packet, u8 *ip)
{
	enum input_reason reason = INPUT_PASSES;

	if (hook == HOOK_INPUT)
		reason = input_deliver(l->family, ip, &l->opts->host);
	else if (hook == HOOK_FORWARD)
		reason = input_forward(l->family, ip);
	if (reason)
		return lost(l, reason);
	if (hook == HOOK_FORWARD)
		count_hop(l->family, ip);
	return hook == HOOK_INPUT ? join_fragments(l, packet) : FATE_ACCEPTED;
}

/* Which devices a hook knows of; the others are empty, as in the kernel. */
static void hook_ifaces(enum hook hook, const struct weir_packet *all, struct weir_packet *packet)
{
	bool in = hook == HOOK_PREROUTING || hook == HOOK_INPUT || hook == HOOK_FORWARD;
	bool out = hook == HOOK_FORWARD || hook == HOOK_OUTPUT || hook == HOOK_POSTROUTING;

	memset(packet->in_iface, 0, sizeof(packet->in_iface));
	memset(packet->out_iface, 0, sizeof(packet->out_iface));
	if (in)
		memcpy(packet->in_iface, all->in_iface, sizeof(packet->in_iface));
	if (out)
		memcpy(packet->out_iface, all->out_iface, sizeof(packet->out_iface));
	packet->direction = (u32)hook;
}

enum fate lane_run(struct lane *l, struct weir_packet *packet, u8 *ip, u32 bytes)
{
	const struct path *path = l->path;
	struct weir_packet all = *packet;

	packet->data = (uintptr_t)ip;
	packet->data_end = packet->data + (bytes < packet->len ? bytes : packet->len);
	for (const enum hook *hook = path_way(l->opts->path.hook); *hook != HOOK_NONE; hook++) {
		enum fate fate = enter_hook(l, *hook, packet, ip);

		if (fate != FATE_ACCEPTED)
			return fate;
		hook_ifaces(*hook, &all, packet);
		for (u32 i = 0; i < path->nr_steps; i++) {
			if (path->steps[i].hook != *hook)
				continue;
			enum verdict verdict = step_run(l, &path->steps[i], packet);
			if (verdict == VERDICT_ACCEPT)
				continue;
			l->stats.dropped++;
			l->stats.hotdropped += verdict == VERDICT_HOTDROP;
			return FATE_DROPPED;
		}
	}
	l->stats.accepted++;
	return FATE_ACCEPTED;
}
