/* Names of IP protocols and of ports. */
#ifndef WEIR_RULES_PROTO_H
#define WEIR_RULES_PROTO_H

#include "base/text.h"

enum {
	PROTO_ICMP = 1, PROTO_TCP = 6, PROTO_UDP = 17, PROTO_DCCP = 33, PROTO_ICMPV6 = 58, PROTO_SCTP = 132, PROTO_UDPLITE = 136,
};

/* A number 0..255 or a name in any case; "all" is 0. *out changes only on success. */
bool proto_parse(struct str s, u8 *out);
/* As ip[6]tables-save prints it; NULL when it prints the number. */
const char *proto_name(u8 proto);

/* A number 0..65535 or a service name of that protocol ("tcp"). */
bool port_parse(struct str s, const char *proto, u16 *out);

#endif
