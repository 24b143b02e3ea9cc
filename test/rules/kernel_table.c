#include "kernel_table.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <linux/netfilter_ipv4/ip_tables.h>
#include <linux/netfilter_ipv6/ip6_tables.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static const u8 device_mac[6] = {0x02, 0, 0, 0, 1, 1};

static bool set_up(int device, struct ifreq *request)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	bool ok = s >= 0;

	request->ifr_hwaddr.sa_family = 1; /* ARPHRD_ETHER */
	memcpy(request->ifr_hwaddr.sa_data, device_mac, 6);
	ok = ok && ioctl(device, SIOCSIFHWADDR, request) == 0;
	request->ifr_mtu = 9000;
	ok = ok && ioctl(s, SIOCSIFMTU, request) == 0;
	request->ifr_flags = IFF_UP | IFF_RUNNING | IFF_NOARP;
	ok = ok && ioctl(s, SIOCSIFFLAGS, request) == 0;
	if (s >= 0)
		close(s);
	return ok;
}

/* New devices get no link-local address: with one the kernel would solicit routers and neighbours, and packets of its own would
 * be counted between ours. */
static bool be_silent(void)
{
	int fd = open("/proc/sys/net/ipv6/conf/default/addr_gen_mode", O_WRONLY);
	bool ok = fd >= 0 && write(fd, "1", 1) == 1;

	if (fd >= 0)
		close(fd);
	return ok;
}

int kernel_namespace(void)
{
	struct ifreq request = {.ifr_name = "eth0", .ifr_flags = IFF_TAP | IFF_NO_PI};

	if (unshare(CLONE_NEWNET) != 0 || !be_silent())
		return -1;
	int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK);

	if (device < 0)
		return -1;
	if (ioctl(device, TUNSETIFF, &request) != 0 || !set_up(device, &request)) {
		close(device);
		return -1;
	}
	return device;
}

bool kernel_load(enum family family, const char *text)
{
	FILE *f = popen(family == FAMILY_IPV6 ? "ip6tables-legacy-restore 2>/dev/null"
					      : "iptables-legacy-restore 2>/dev/null",
		"w");

	if (f == NULL)
		return false;
	fputs(text, f);
	if (pclose(f) == 0)
		return true;
	fputs("ip[6]tables-legacy-restore refuses the rule set\n", stderr);
	return false;
}

/* How the two families lay out what getsockopt returns. */
struct layout {
	int domain, level, info_option, entries_option;
	size_t head_bytes; /* of struct ip[6]t_get_entries */
	size_t target_off, next_off, counters_off;
};

static const struct layout ipv4_layout = {
	AF_INET,
	SOL_IP,
	IPT_SO_GET_INFO,
	IPT_SO_GET_ENTRIES,
	sizeof(struct ipt_get_entries),
	offsetof(struct ipt_entry, target_offset),
	offsetof(struct ipt_entry, next_offset),
	offsetof(struct ipt_entry, counters),
};
static const struct layout ipv6_layout = {
	AF_INET6,
	SOL_IPV6,
	IP6T_SO_GET_INFO,
	IP6T_SO_GET_ENTRIES,
	sizeof(struct ip6t_get_entries),
	offsetof(struct ip6t_entry, target_offset),
	offsetof(struct ip6t_entry, next_offset),
	offsetof(struct ip6t_entry, counters),
};

static u16 u16_at(const u8 *p)
{
	u16 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static struct chain *chain_at(const struct table *t, const struct ipt_getinfo *info,
	const u8 *entry, u32 off, const struct layout *l)
{
	const u8 *target = entry + u16_at(entry + l->target_off);

	for (struct chain *c = t->chains; c != NULL; c = c->next) {
		if (c->hook != HOOK_NONE && (info->valid_hooks >> c->hook & 1) &&
			info->hook_entry[c->hook] == off)
			return c;
		/* A user chain starts with an error target that holds its name. */
		if (c->hook == HOOK_NONE && strncmp((const char *)target + 2, "ERROR", 29) == 0 &&
			strncmp((const char *)target + 32, c->name, 30) == 0)
			return c;
	}
	return NULL;
}

/* Built-in chains end with their policy, user chains with a RETURN of their own; heads of user
 * chains hold no rule. */
static void read_entries(const struct table *t, const struct ipt_getinfo *info, const u8 *entries,
	const struct layout *l, struct rule_count *counts)
{
	const struct chain *chain = NULL;
	const struct rule *rule = NULL;

	for (u32 off = 0; off < info->size; off += u16_at(entries + off + l->next_off)) {
		const u8 *entry = entries + off;
		const struct chain *starts = chain_at(t, info, entry, off, l);
		struct xt_counters c;

		memcpy(&c, entry + l->counters_off, sizeof(c));
		if (starts != NULL) {
			chain = starts;
			rule = chain->rules;
			if (chain->hook == HOOK_NONE)
				continue;
		}
		if (chain == NULL)
			continue;
		u32 at = rule != NULL               ? rule->counter
			 : chain->hook != HOOK_NONE ? chain->policy_counter
						    : UINT32_MAX;

		if (at != UINT32_MAX) {
			counts[at].packets += c.pcnt;
			counts[at].bytes += c.bcnt;
		}
		if (rule == NULL)
			chain = NULL;
		else
			rule = rule->next;
	}
}

bool kernel_read(const struct ruleset *set, struct rule_count *counts)
{
	const struct layout *l = set->family == FAMILY_IPV6 ? &ipv6_layout : &ipv4_layout;
	struct ipt_getinfo info = {0}; /* the same for both */
	socklen_t len = sizeof(info);
	int s = socket(l->domain, SOCK_RAW, IPPROTO_RAW);
	bool ok = false;
	u8 *entries = NULL;

	snprintf(info.name, sizeof(info.name), "%s", set->tables->name);
	if (s >= 0 && getsockopt(s, l->level, l->info_option, &info, &len) == 0) {
		len = (socklen_t)(l->head_bytes + info.size);
		entries = calloc(1, len);
		memcpy(entries, info.name, sizeof(info.name));
		memcpy(entries + offsetof(struct ipt_get_entries, size), &info.size,
			sizeof(info.size));
		ok = getsockopt(s, l->level, l->entries_option, entries, &len) == 0;
	}
	if (ok)
		read_entries(set->tables, &info, entries + l->head_bytes, l, counts);
	else
		perror("reading the kernel's counters");
	free(entries);
	if (s >= 0)
		close(s);
	return ok;
}

bool kernel_send(int device, enum family family, const u8 *packet, size_t bytes, const u8 source[6])
{
	u8 frame[14 + 9000], drained[9100];

	memcpy(frame, device_mac, 6);
	memcpy(frame + 6, source, 6);
	memcpy(frame + 12, family == FAMILY_IPV6 ? "\x86\xdd" : "\x08\x00", 2);
	memcpy(frame + 14, packet, bytes);
	while (read(device, drained, sizeof(drained)) > 0)
		; /* what the kernel sends, so that its queue never fills */
	return write(device, frame, 14 + bytes) == (ssize_t)(14 + bytes);
}
