/* Captures in and out: pcap through libpcap, pcapng read here, since libpcap says nothing of a
 * packet's interface and refuses files with several link types. */
#ifndef WEIR_RUN_CAPTURE_H
#define WEIR_RUN_CAPTURE_H

#include "base/types.h"

struct diag;

enum { LINKTYPE_RAW = 101 };

enum direction { DIRECTION_UNKNOWN = 0, DIRECTION_IN, DIRECTION_OUT };

/* One captured frame. */
struct record {
	const u8 *data;    /* borrowed until the next call on the capture */
	u32 bytes;         /* that are there */
	u32 wire_bytes;    /* that the frame had */
	u32 link;          /* LINKTYPE_ number (tcpdump.org/linktypes.html) */
	u64 time_ns;       /* since the epoch */
	const char *iface; /* name of the interface from pcapng, or NULL; lives as long as the
			      capture */
	u64 number;        /* 1-based */
	enum direction direction; /* as pcapng says it */
};

struct capture;

/* Opens a pcap or pcapng file, "-" for standard input. 0, or -errno with the reason in d. */
int capture_open(const char *path, struct capture **out, struct diag *d);
void capture_close(struct capture *c);
/* 1 and *r, 0 at the end or when a signal interrupted reading, or -EINVAL (truncated, corrupt) or
 * -EIO with packet number and reason in d. */
int capture_next(struct capture *c, struct record *r, struct diag *d);
/* Bytes read so far, and the size of the file, 0 when it isn't known (pipe). */
u64 capture_position(const struct capture *c);
u64 capture_size(const struct capture *c);

struct capture_writer;

/* Creates a pcap file ("-": standard output) of one link type with nanosecond times. */
int capture_writer_open(const char *path, u32 link, struct capture_writer **out, struct diag *d);
/* 0, -EINVAL when r has another link type, -EIO. */
int capture_writer_put(struct capture_writer *w, const struct record *r, struct diag *d);
/* Flushes; 0 or -EIO when not everything got written. */
int capture_writer_close(struct capture_writer *w, struct diag *d);

#endif
