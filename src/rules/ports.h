/* Port ranges of tcp and udp, as both print them. */
#ifndef WEIR_RULES_PORTS_H
#define WEIR_RULES_PORTS_H

#include "base/buf.h"
#include "rules/matches.h"

/* " --sport 80", " ! --dport 1:2"; nothing for 0:65535, inverted or not, as iptables-save does. */
void print_port_option(struct buf *out, const char *name, struct port_range r, bool invert);
/* " spt:80", " dpts:!1:2" */
void list_ports(struct buf *out, const char *name, struct port_range r, bool invert);

#endif
