/* From a frame to the IP packet in it. */
#ifndef WEIR_RUN_LINK_H
#define WEIR_RUN_LINK_H

#include "rules/tree.h"
#include "run/capture.h"

struct diag;

struct link_packet {
	enum family family; /* FAMILY_NONE: something else (ARP, LLDP, ...) or too short to tell */
	const u8 *ip;       /* the IP header */
	u32 bytes;          /* that are there from it on */
	u32 wire_bytes;     /* that there were */
	const u8 *mac_source;     /* 6 bytes, or NULL when the link isn't Ethernet */
	enum direction direction; /* as the capture says it */
};

/* The name of a link type weir can read, "EN10MB", or NULL. */
const char *link_name(u32 link);
/* Names of all, separated by ", ". */
void link_names(struct buf *out);
/* 0, or -EPROTONOSUPPORT with the packet's number and the link types that can be read. */
int link_check(const struct record *r, struct diag *d);
/* Takes a frame of a known link type apart. */
void link_parse(const struct record *r, struct link_packet *out);

#endif
