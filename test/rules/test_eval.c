/* The evaluator in the corners of the table walk. Each case: a rule set, a packet, the verdict, and
 * the packets that each rule of the start chain counts, then the policy; as a kernel 6.18 counted
 * them. The compiled programs must say the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "harness.h"

#define V6_HEAD(next) \
	"6000 0000 0000 " next \
	" 40 20010db8000000000000000000000001 20010db8000000000000000000000002 "
#define V4_HEAD(frag, proto) "4500 0000 0001 " frag " 40 " proto " 0000 0a000001 0a000002 "
#define PORTS "0fa0 0050 " /* 4000 to 80 */
#define TCP_SYN PORTS "00000001 00000000 5002 0400 0000 0000 "
#define UDP_8 PORTS "0010 0000 7878787878787878 "
#define PING6 "80 00 0000 0000 0000 "

static const struct {
	const char *name, *rules, *packet;
	enum verdict verdict;
	const char *counts; /* rules of INPUT in order, then the policy, then the rules of the user
			       chains a, b, c */
} cases[] = {
	{"nothing matches", "-A INPUT -s ::2 -j DROP\n", V6_HEAD("11") UDP_8, VERDICT_ACCEPT,
		"0 1"},
	{"no target counts and goes on", "-A INPUT\n-A INPUT -j DROP\n", V6_HEAD("11") UDP_8,
		VERDICT_DROP, "1 1 0"},
	{"RETURN in a built-in chain is the policy", "-A INPUT -j RETURN\n-A INPUT -j DROP\n",
		V6_HEAD("11") UDP_8, VERDICT_ACCEPT, "1 0 1"},
	{"jump comes back", "-A INPUT -j a\n-A INPUT -j DROP\n-A a\n", V6_HEAD("11") UDP_8,
		VERDICT_DROP, "1 1 0 1"},
	{"RETURN comes back", "-A INPUT -j a\n-A INPUT -j DROP\n-A a -j RETURN\n-A a -j ACCEPT\n",
		V6_HEAD("11") UDP_8, VERDICT_DROP, "1 1 0 1 0"},
	{"goto from a built-in chain ends in the policy", "-A INPUT -g a\n-A INPUT -j DROP\n-A a\n",
		V6_HEAD("11") UDP_8, VERDICT_ACCEPT, "1 0 1 1"},
	{"goto goes back to the caller's caller",
		"-A INPUT -j a\n-A INPUT -j DROP\n-A a -g b\n-A a -j ACCEPT\n-A b\n",
		V6_HEAD("11") UDP_8, VERDICT_DROP, "1 1 0 1 0 1"},
	{"a chain called twice",
		"-A INPUT -j a\n-A INPUT -j a\n-A INPUT -j DROP\n-A a\n-A a\n-A a\n",
		V6_HEAD("11") UDP_8, VERDICT_DROP, "1 1 1 0 2 2 2"},
	{"QUEUE with nobody there", "-A INPUT -j QUEUE\n", V6_HEAD("11") UDP_8, VERDICT_DROP,
		"1 0"},
	{"an inverted test that nothing fails", "-A INPUT ! -s ::/0 -j DROP\n", V6_HEAD("11") UDP_8,
		VERDICT_ACCEPT, "0 1"},
	{"a mask with gaps", "-A INPUT -s 2001::1/ffff:0:0:0:0:0:0:ffff -j DROP\n",
		V6_HEAD("11") UDP_8, VERDICT_DROP, "1 0"},
	{"no interface name differs from every one", "-A INPUT ! -i eth0 -j DROP\n",
		V6_HEAD("11") UDP_8, VERDICT_DROP, "1 0"},
	/* finding the protocol */
	{"extension headers are stepped over", "-A INPUT -p udp -m udp --dport 80 -j DROP\n",
		V6_HEAD("00") "3c00 000000000000 2b00 000000000000 1101 00000000000000000000 "
			      "00000000 " UDP_8,
		VERDICT_DROP, "1 0"},
	{"AH counts in 4 bytes", "-A INPUT -p udp -m udp --dport 80 -j DROP\n",
		V6_HEAD("33") "1104 0000 00000001 00000001 "
			      "000000000000000000000000 " UDP_8,
		VERDICT_DROP, "1 0"},
	{"ESP isn't stepped over", "-A INPUT -p udp\n-A INPUT -p esp\n", V6_HEAD("32") UDP_8,
		VERDICT_ACCEPT, "0 1 1"},
	{"no next header", "-A INPUT -p 59\n", V6_HEAD("3b") "00", VERDICT_ACCEPT, "1 1"},
	{"a cut chain: rules without -p match", "-A INPUT\n-A INPUT -p all\n-A INPUT\n",
		V6_HEAD("3c") "06", VERDICT_HOTDROP, "1 0 0 0"},
	{"a cut chain: any -p drops, also ! -p", "-A INPUT ! -p tcp -j ACCEPT\n",
		V6_HEAD("00") "06", VERDICT_HOTDROP, "0 0"},
	{"a cut chain: addresses come first", "-A INPUT -s ::2 -p tcp\n-A INPUT\n",
		V6_HEAD("3c") "06", VERDICT_ACCEPT, "0 1 1"},
	{"a header longer than the packet", "-A INPUT -p tcp\n-A INPUT -p tcp -m tcp\n",
		V6_HEAD("3c") "06ff 000000000000", VERDICT_HOTDROP, "1 0 0"},
	/* fragments */
	{"a later fragment has a protocol, but no ports",
		"-A INPUT -p udp\n-A INPUT ! -p tcp\n-A INPUT -p udp -m udp ! --dport 1\n-A INPUT "
		"-p udp -m multiport ! --dports 1\n",
		V6_HEAD("2c") "1100 0008 00000001 " UDP_8, VERDICT_ACCEPT, "1 1 0 0 1"},
	{"a later fragment of an extension header", "-A INPUT\n-A INPUT -p udp\n",
		V6_HEAD("2c") "3c00 0008 00000001 " UDP_8, VERDICT_HOTDROP, "1 0 0"},
	{"a first fragment is whole", "-A INPUT -p udp -m udp --dport 80\n",
		V6_HEAD("2c") "1100 0001 00000001 " UDP_8, VERDICT_ACCEPT, "1 1"},
	{"an atomic fragment is first and last",
		"-A INPUT -m frag --fragfirst --fraglast\n-A INPUT -m frag --fragmore\n",
		V6_HEAD("2c") "1100 0000 00000001 " UDP_8, VERDICT_ACCEPT, "1 0 1"},
	{"frag without a fragment", "-A INPUT -m frag\n-A INPUT -m frag ! --fragid 7\n",
		V6_HEAD("11") UDP_8, VERDICT_ACCEPT, "0 0 1"},
	/* upper headers */
	{"a cut TCP header",
		"-A INPUT -p tcp\n-A INPUT -p tcp -m multiport --dports 80\n-A INPUT -p tcp -m tcp "
		"--dport 1\n",
		V6_HEAD("06") PORTS "00000001", VERDICT_HOTDROP, "1 1 0 0"},
	{"a cut UDP header", "-A INPUT -p udp\n-A INPUT -p udp -m udp\n", V6_HEAD("11") PORTS,
		VERDICT_HOTDROP, "1 0 0"},
	{"ICMPv6 needs 8 bytes",
		"-A INPUT -p ipv6-icmp\n-A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 1\n",
		V6_HEAD("3a") "80000000", VERDICT_HOTDROP, "1 0 0"},
	{"ping",
		"-A INPUT -p ipv6-icmp -m icmp6 --icmpv6-type 128/1\n-A INPUT -p ipv6-icmp -m "
		"icmp6 ! --icmpv6-type 128/1\n",
		V6_HEAD("3a") PING6, VERDICT_ACCEPT, "0 1 1"},
	{"flags",
		"-A INPUT -p tcp -m tcp --syn\n-A INPUT -p tcp -m tcp ! --syn\n-A INPUT -p tcp -m "
		"tcp --tcp-flags ACK ACK\n",
		V6_HEAD("06") TCP_SYN, VERDICT_ACCEPT, "1 0 0 1"},
	{"no options: the option is absent",
		"-A INPUT -p tcp -m tcp --tcp-option 2\n-A INPUT -p tcp -m tcp ! --tcp-option 2\n",
		V6_HEAD("06") TCP_SYN, VERDICT_ACCEPT, "0 1 1"},
	{"options are read past the end of the list", "-A INPUT -p tcp -m tcp --tcp-option 8\n",
		V6_HEAD("06") PORTS "00000001 00000000 7002 0400 0000 0000 00 01 08 02 00000000",
		VERDICT_ACCEPT, "1 1"},
	{"a header length that can't be",
		"-A INPUT -p tcp -m tcp --dport 1 --tcp-option 2\n-A INPUT -p tcp -m tcp "
		"--tcp-option 2\n",
		V6_HEAD("06") PORTS "00000001 00000000 4002 0400 0000 0000", VERDICT_HOTDROP,
		"0 0 0"},
	/* IPv4 */
	{"IPv4: -p all matches all", "-A INPUT -p all -s 10.0.0.1\n", V4_HEAD("0000", "11") UDP_8,
		VERDICT_ACCEPT, "1 1"},
	{"IPv4: later fragments",
		"-A INPUT -f\n-A INPUT ! -f\n-A INPUT -s 10.0.0.1 -p udp -m udp ! --dport 1\n",
		V4_HEAD("0002", "11") UDP_8, VERDICT_ACCEPT, "1 0 0 1"},
	{"IPv4: the second 8 bytes of TCP",
		"-A INPUT -s 10.0.0.1 -p tcp\n-A INPUT -p tcp -m tcp ! --dport 1\n",
		V4_HEAD("0001", "06") UDP_8, VERDICT_HOTDROP, "1 0 0"},
	{"IPv4: length is what the header says", "-A INPUT -s 10.0.0.1 -m length --length 36\n",
		V4_HEAD("0000", "11") UDP_8, VERDICT_ACCEPT, "1 1"},
	{"a packet shorter than its header", "-A INPUT -s ::/64\n", "6000 0000 0000 1140",
		VERDICT_HOTDROP, "0 0"},
};

/* Hexadecimal digits with blanks between. */
static u32 bytes_of(const char *hex, u8 *out)
{
	u32 nr = 0;

	while (*hex) {
		unsigned value;

		if (*hex == ' ') {
			hex++;
			continue;
		}
		assert_int_equal(sscanf(hex, "%2x", &value), 1);
		out[nr++] = (u8)value;
		hex += 2;
	}
	return nr;
}

static void set_length(u8 *packet, u32 bytes)
{
	if (packet[0] >> 4 == 4)
		store_be16(packet + 2, (u16)bytes);
	else if (bytes > 40)
		store_be16(packet + 4, (u16)(bytes - 40));
}

static void add_count(struct buf *out, const struct rule_count *c)
{
	buf_printf(out, "%s%llu", out->len ? " " : "", (unsigned long long)c->packets);
}

static void print_counts(struct buf *out, const struct harness *h)
{
	for (const struct rule *r = h->start->rules; r; r = r->next)
		add_count(out, &h->counts[r->counter]);
	add_count(out, &h->counts[h->start->policy_counter]);
	for (const struct chain *c = h->set->tables->chains; c; c = c->next)
		for (const struct rule *r = c->hook == HOOK_NONE ? c->rules : NULL; r; r = r->next)
			add_count(out, &h->counts[r->counter]);
}

static void run_case(size_t i)
{
	struct buf text = {0}, counts = {0}, why = {0};
	struct weir_packet p = {0};
	struct harness h;
	u8 packet[256] = {0};
	u32 bytes = bytes_of(cases[i].packet, packet);

	set_length(packet, bytes);
	p.data = (u64)(uintptr_t)packet;
	p.data_end = p.data + bytes;
	p.len = bytes;
	buf_puts(&text,
		"*filter\n:INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\n");
	for (const char *c = "abc"; *c; c++)
		buf_printf(&text, ":%c - [0:0]\n", *c);
	buf_printf(&text, "%sCOMMIT\n", cases[i].rules);
	assert_true(harness_init(&h, str_of(buf_cstr(&text)),
		packet[0] >> 4 == 4 ? FAMILY_IPV4 : FAMILY_IPV6, HOOK_INPUT));
	if (!harness_packet(&h, &p, &why))
		fail_msg("%s: %s", cases[i].name, buf_cstr(&why));
	print_counts(&counts, &h);
	if (h.last.verdict != cases[i].verdict || strcmp(buf_cstr(&counts), cases[i].counts) != 0)
		fail_msg("%s: verdict %d, counts '%s'", cases[i].name, (int)h.last.verdict,
			buf_cstr(&counts));
	harness_fini(&h);
	buf_fini(&text);
	buf_fini(&counts);
	buf_fini(&why);
}

static void corners(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		run_case(i);
}

/* As the kernel, which has room for all chains. */
static void deep_jumps(void **state)
{
	enum { CHAINS = 5000 };
	struct parse_opts opts = {.family = FAMILY_IPV6};
	struct buf text = {0};
	struct ruleset *set = NULL;
	u8 bytes[64] = {0};
	struct weir_packet p = {
		.data = (uintptr_t)bytes, .data_end = (uintptr_t)bytes + 64, .len = 64};

	(void)state;
	bytes_of(V6_HEAD("3b"), bytes);
	buf_puts(&text, "*filter\n");
	for (u32 i = 0; i < CHAINS; i++)
		buf_printf(&text, ":n%u - [0:0]\n", i);
	buf_puts(&text, "-A INPUT -j n0\n");
	for (u32 i = 0; i + 1 < CHAINS; i++)
		buf_printf(&text, "-A n%u -%c n%u\n-A n%u\n", i, i % 2 ? 'j' : 'g', i + 1, i);
	buf_puts(&text, "COMMIT\n");
	assert_int_equal(rules_parse("deep", str_of(buf_cstr(&text)), &opts, &set, NULL), 0);
	assert_int_equal(set->jump_depth, 1 + (CHAINS - 1) / 2);
	struct rule_count *counts = calloc(set->nr_counters, sizeof(*counts));
	const struct rule **jumps = calloc(set->jump_depth, sizeof(*jumps));

	assert_int_equal(rules_eval(set->tables->chains, &p, NULL, counts, jumps, NULL, NULL),
		VERDICT_ACCEPT);
	assert_int_equal(counts[set->tables->chains->policy_counter].packets, 1);
	for (const struct chain *c = set->tables->chains; c; c = c->next)
		for (const struct rule *r = c->rules; r; r = r->next)
			assert_int_equal(counts[r->counter].packets,
				r->target != TARGET_NONE || c->rules->target == TARGET_JUMP);
	free(counts);
	free(jumps);
	ruleset_free(set);
	buf_fini(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(corners),
		cmocka_unit_test(deep_jumps),
	};

	return cmocka_run_group_tests_name("eval", tests, NULL, NULL);
}
