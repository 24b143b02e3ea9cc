/* The sidecar file: what a capture can't hold about its packets (owner, mark, interfaces,
 * direction), by packet number.
 *
 *   # packet or range, then what is known about it
 *   1      dir=out uid=10050 gid=10050 out=wlan0
 *   2-900  uid=kernel mark=0x10
 *   901    dir=in in=eth0
 *
 * Packet numbers ascend; a packet without a line has what the options say. */
#ifndef WEIR_RUN_META_H
#define WEIR_RUN_META_H

#include "base/types.h"
#include "weir/packet.h"

struct diag;
struct meta;

/* "none", "kernel" or a uid into p->socket and p->uid; false when it is none of them. */
bool meta_parse_uid(const char *text, struct weir_packet *p);
/* Copies an interface name; false when it is empty or longer than 15 bytes. */
bool meta_parse_iface(const char *text, char iface[static 16]);

int meta_open(const char *path, struct meta **out, struct diag *d);
void meta_close(struct meta *m);
/* Fills in what the file says about packet `number`; numbers must ascend from call to call.
 * p->direction is an enum direction (run/capture.h) here. 0 or -EINVAL, -EIO. */
int meta_apply(struct meta *m, u64 number, struct weir_packet *p, struct diag *d);

#endif
