/* The names of IP protocols are a table of our own, as IANA's and /etc/protocols have them: what a rule set means and how it
 * prints must not depend on the machine. Service names come from the system. */
#include "rules/proto.h"

#include <netdb.h>
#include <string.h>

#include "base/bytes.h"

static const struct {
	u8 number;
	const char *name;
} protocols[] = {
	{1, "icmp"},
	{2, "igmp"},
	{3, "ggp"},
	{4, "ipencap"},
	{5, "st"},
	{6, "tcp"},
	{8, "egp"},
	{9, "igp"},
	{12, "pup"},
	{17, "udp"},
	{20, "hmp"},
	{22, "xns-idp"},
	{27, "rdp"},
	{29, "iso-tp4"},
	{33, "dccp"},
	{36, "xtp"},
	{37, "ddp"},
	{38, "idpr-cmtp"},
	{41, "ipv6"},
	{43, "ipv6-route"},
	{44, "ipv6-frag"},
	{45, "idrp"},
	{46, "rsvp"},
	{47, "gre"},
	{50, "esp"},
	{51, "ah"},
	{57, "skip"},
	{58, "ipv6-icmp"},
	{59, "ipv6-nonxt"},
	{60, "ipv6-opts"},
	{73, "rspf"},
	{81, "vmtp"},
	{88, "eigrp"},
	{89, "ospf"},
	{93, "ax.25"},
	{94, "ipip"},
	{97, "etherip"},
	{98, "encap"},
	{103, "pim"},
	{108, "ipcomp"},
	{112, "vrrp"},
	{115, "l2tp"},
	{124, "isis"},
	{132, "sctp"},
	{133, "fc"},
	{135, "mobility-header"},
	{136, "udplite"},
	{137, "mpls-in-ip"},
	{138, "manet"},
	{139, "hip"},
	{140, "shim6"},
	{141, "wesp"},
	{142, "rohc"},
	{143, "ethernet"},
};

/* Read, but never printed. */
static const struct {
	u8 number;
	const char *name;
} spellings[] = {
	{0, "all"},
	{0, "ip"},
	{0, "hopopt"},
	{PROTO_ICMPV6, "icmpv6"},
	{135, "ipv6-mh"},
	{135, "mh"},
};

bool proto_parse(struct str s, u8 *out)
{
	u64 number;

	if (str_to_u64(s, &number)) {
		if (number > UINT8_MAX)
			return false;
		*out = (u8)number;
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(protocols); i++) {
		if (str_eq_nocase(s, protocols[i].name)) {
			*out = protocols[i].number;
			return true;
		}
	}
	for (size_t i = 0; i < ARRAY_LEN(spellings); i++) {
		if (str_eq_nocase(s, spellings[i].name)) {
			*out = spellings[i].number;
			return true;
		}
	}
	return false;
}

const char *proto_name(u8 proto)
{
	for (size_t i = 0; i < ARRAY_LEN(protocols); i++)
		if (protocols[i].number == proto)
			return protocols[i].name;
	return NULL;
}

static bool service_port(struct str s, const char *proto, u16 *out)
{
	char name[64], memory[2048];
	struct servent entry, *found;

	if (!s.len || s.len >= sizeof(name) || memchr(s.p, '\0', s.len))
		return false;
	memcpy(name, s.p, s.len);
	name[s.len] = '\0';
	if (getservbyname_r(name, proto, &entry, memory, sizeof(memory), &found) || !found)
		return false;
	u16 port_be = (u16)found->s_port;
	*out = load_be16(&port_be);
	return true;
}

bool port_parse(struct str s, const char *proto, u16 *out)
{
	return str_to_u16(s, out) || service_port(s, proto, out);
}
