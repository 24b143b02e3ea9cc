/* pcapng (draft-ietf-opsawg-pcapng): sections, interfaces with their names and clocks, and the
 * three packet blocks. Other blocks are passed over, as the draft asks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "run/capture.h"
#include "run/capture_source.h"

enum block_type {
	BLOCK_SECTION = 0x0a0d0d0a,
	BLOCK_INTERFACE = 1,
	BLOCK_PACKET = 2, /* obsolete, still written by old tools */
	BLOCK_SIMPLE_PACKET = 3,
	BLOCK_ENHANCED_PACKET = 6,
};

enum { BYTE_ORDER_MAGIC = 0x1a2b3c4d };
enum {
	OPTION_END = 0,
	OPTION_IF_NAME = 2,
	OPTION_IF_TSRESOL = 9,
	OPTION_IF_TSOFFSET = 14,
	OPTION_PACKET_FLAGS = 2
};
enum { BLOCK_BYTES_MAX = 16 * 1024 * 1024, BLOCK_FRAME_BYTES = 12 };

struct pcapng_iface {
	u32 link, snaplen;
	u64 units_per_second;
	s64 offset_seconds;
	char *name; /* owned by the names list of the reader, since records may outlive a section */
};

struct pcapng {
	struct source *source;
	bool swapped;
	struct pcapng_iface *ifaces;
	size_t nr_ifaces, cap_ifaces;
	char **names;
	size_t nr_names, cap_names;
	u8 *block; /* body of the current block */
	size_t cap_block;
	u64 packets;
};

static u32 ng_u32(const struct pcapng *p, const u8 *at)
{
	u32 v = load_le32(at);

	return p->swapped ? __builtin_bswap32(v) : v;
}

static u16 ng_u16(const struct pcapng *p, const u8 *at)
{
	u16 v = load_le16(at);

	return p->swapped ? __builtin_bswap16(v) : v;
}

static int ng_fail(const struct pcapng *p, struct diag *d, const char *what)
{
	return diag_fail(d, pos_text(p->source->path, 0, 0), EINVAL, "packet %llu: byte %llu: %s",
		(unsigned long long)p->packets + 1, (unsigned long long)p->source->position, what);
}

static int ng_read(struct pcapng *p, void *to, size_t bytes, struct diag *d)
{
	int got = source_read(p->source, to, bytes);

	if (got == -EINTR)
		return got;
	if (got == -EIO)
		return diag_fail(d, pos_text(p->source->path, 0, 0), EIO, "can't be read: %s",
			strerror(errno));
	return got == 1 ? 0 : ng_fail(p, d, "the file is truncated: it ends inside a block");
}

/* A section begins: everything known of interfaces is void, and the byte order may change. */
static int section_begin(struct pcapng *p, const u8 *length_field, u32 *length, struct diag *d)
{
	u8 magic[4];
	int err = ng_read(p, magic, sizeof(magic), d);

	if (err)
		return err;
	if (load_le32(magic) == BYTE_ORDER_MAGIC)
		p->swapped = false;
	else if (load_be32(magic) == BYTE_ORDER_MAGIC)
		p->swapped = true;
	else
		return ng_fail(
			p, d, "a section header without byte-order magic: the file is corrupt");
	*length = ng_u32(p, length_field);
	p->nr_ifaces = 0;
	return 0;
}

/* Reads one block: *type, and its body in p->block. 1, 0 at the end, or -errno. */
static int block_read(struct pcapng *p, u32 *type, u32 *bytes, struct diag *d)
{
	u8 head[8], trailer[4];
	size_t done = BLOCK_FRAME_BYTES;
	int got = source_read(p->source, head, 4);

	if (got == 0 || got == -EINTR)
		return got;
	if (got == -EIO)
		return diag_fail(d, pos_text(p->source->path, 0, 0), EIO, "can't be read: %s",
			strerror(errno));
	int err = got == 1 ? ng_read(p, head + 4, 4, d)
			   : ng_fail(p, d, "the file is truncated: it ends inside a block");
	if (err)
		return err;
	u32 length = 0;
	if (load_le32(head) == BLOCK_SECTION) { /* reads the same in both byte orders */
		err = section_begin(p, head + 4, &length, d);
		if (err)
			return err;
		*type = BLOCK_SECTION;
		done += 4;
	} else {
		*type = ng_u32(p, head);
		length = ng_u32(p, head + 4);
	}
	if (length < done || length % 4 || length > BLOCK_BYTES_MAX)
		return ng_fail(p, d, "a block with an impossible length: the file is corrupt");
	*bytes = (u32)(length - done);
	if (array_grow((void **)&p->block, &p->cap_block, *bytes, 1))
		return diag_nomem(d);
	err = *bytes ? ng_read(p, p->block, *bytes, d) : 0;
	if (!err)
		err = ng_read(p, trailer, sizeof(trailer), d);
	if (err)
		return err;
	if (ng_u32(p, trailer) != length)
		return ng_fail(p, d, "a block whose two lengths differ: the file is corrupt");
	return 1;
}

static u64 clock_units(u8 resolution)
{
	u64 units = 1;

	if (resolution & 0x80)
		return (resolution & 0x7f) < 64 ? 1ull << (resolution & 0x7f) : 0;
	for (unsigned i = 0; i < resolution; i++)
		if (__builtin_mul_overflow(units, 10ull, &units))
			return 0;
	return units;
}

static int iface_name(
	struct pcapng *p, struct pcapng_iface *iface, const u8 *text, size_t len, struct diag *d)
{
	if (array_grow((void **)&p->names, &p->cap_names, p->nr_names + 1, sizeof(*p->names)))
		return diag_nomem(d);
	char *name = mem_strndup((const char *)text, len);
	if (!name)
		return diag_nomem(d);
	p->names[p->nr_names++] = name;
	iface->name = name;
	return 0;
}

static int iface_options(
	struct pcapng *p, struct pcapng_iface *iface, const u8 *at, size_t left, struct diag *d)
{
	while (left >= 4) {
		u16 code = ng_u16(p, at), len = ng_u16(p, at + 2);
		size_t padded = ((size_t)len + 3) & ~(size_t)3;

		at += 4;
		left -= 4;
		if (code == OPTION_END)
			return 0;
		if (padded > left)
			return ng_fail(p, d,
				"an interface option longer than its block: the file is corrupt");
		if (code == OPTION_IF_NAME && len) {
			int err = iface_name(p, iface, at, len, d);

			if (err)
				return err;
		} else if (code == OPTION_IF_TSRESOL && len == 1) {
			iface->units_per_second = clock_units(at[0]);
			if (!iface->units_per_second)
				return ng_fail(
					p, d, "an interface clock finer than 64 bits can count");
		} else if (code == OPTION_IF_TSOFFSET && len == 8) {
			u64 offset = load_le64(at);

			iface->offset_seconds =
				(s64)(p->swapped ? __builtin_bswap64(offset) : offset);
		}
		at += padded;
		left -= padded;
	}
	return 0;
}

static int iface_add(struct pcapng *p, u32 bytes, struct diag *d)
{
	if (bytes < 8)
		return ng_fail(p, d, "an interface block that is too short: the file is corrupt");
	if (array_grow((void **)&p->ifaces, &p->cap_ifaces, p->nr_ifaces + 1, sizeof(*p->ifaces)))
		return diag_nomem(d);
	struct pcapng_iface *iface = &p->ifaces[p->nr_ifaces];
	*iface = (struct pcapng_iface){
		.link = ng_u16(p, p->block),
		.snaplen = ng_u32(p, p->block + 4),
		.units_per_second = 1000000,
	};
	int err = iface_options(p, iface, p->block + 8, bytes - 8, d);
	if (!err)
		p->nr_ifaces++;
	return err;
}

static u64 packet_time(const struct pcapng_iface *iface, u64 units)
{
	u64 seconds = units / iface->units_per_second + (u64)iface->offset_seconds;
	unsigned __int128 rest = (unsigned __int128)(units % iface->units_per_second) * 1000000000u;

	return seconds * 1000000000u + (u64)(rest / iface->units_per_second);
}

static int packet_fill(struct pcapng *p, u32 index, const u8 *data, u32 captured, u32 wire,
	u32 room, u64 units, struct record *r, struct diag *d)
{
	if (index >= p->nr_ifaces)
		return ng_fail(p, d,
			"a packet of an interface that the file doesn't describe: the file is "
			"corrupt");
	const struct pcapng_iface *iface = &p->ifaces[index];
	if (captured > room)
		return ng_fail(p, d, "a packet longer than its block: the file is corrupt");
	if (captured > CAPTURE_RECORD_MAX || (iface->snaplen && captured > iface->snaplen))
		return ng_fail(p, d,
			"a packet longer than its interface's snap length: the file is corrupt");
	*r = (struct record){
		.data = data,
		.bytes = captured,
		.wire_bytes = wire,
		.link = iface->link,
		.time_ns = packet_time(iface, units),
		.iface = iface->name,
	};
	p->packets++;
	return 1;
}

/* The two low bits of a packet's flags: 1 inbound, 2 outbound. A broken option list says nothing.
 */
static enum direction packet_direction(const struct pcapng *p, const u8 *at, size_t left)
{
	while (left >= 4) {
		u16 code = ng_u16(p, at), len = ng_u16(p, at + 2);
		size_t padded = ((size_t)len + 3) & ~(size_t)3;

		at += 4;
		left -= 4;
		if (code == OPTION_END || padded > left)
			return DIRECTION_UNKNOWN;
		if (code == OPTION_PACKET_FLAGS && len == 4) {
			u32 bits = ng_u32(p, at) & 3;

			return bits == 1   ? DIRECTION_IN
			       : bits == 2 ? DIRECTION_OUT
					   : DIRECTION_UNKNOWN;
		}
		at += padded;
		left -= padded;
	}
	return DIRECTION_UNKNOWN;
}

/* Enhanced packets and the obsolete kind differ in the width of the interface's number only. */
static int packet_timed(struct pcapng *p, u32 index, u32 bytes, struct record *r, struct diag *d)
{
	const u8 *b = p->block;

	if (bytes < 20)
		return ng_fail(p, d, "a packet block that is too short: the file is corrupt");
	u64 units = (u64)ng_u32(p, b + 4) << 32 | ng_u32(p, b + 8);
	u32 captured = ng_u32(p, b + 12);
	int got =
		packet_fill(p, index, b + 20, captured, ng_u32(p, b + 16), bytes - 20, units, r, d);
	size_t options = 20 + (((size_t)captured + 3) & ~(size_t)3);
	if (got == 1 && options < bytes)
		r->direction = packet_direction(p, b + options, bytes - options);
	return got;
}

static int packet_simple(struct pcapng *p, u32 bytes, struct record *r, struct diag *d)
{
	if (bytes < 4)
		return ng_fail(p, d, "a packet block that is too short: the file is corrupt");
	u32 wire = ng_u32(p, p->block), captured = wire;

	if (p->nr_ifaces && p->ifaces[0].snaplen && captured > p->ifaces[0].snaplen)
		captured = p->ifaces[0].snaplen;
	return packet_fill(p, 0, p->block + 4, captured, wire, bytes - 4, 0, r, d);
}

int pcapng_next(struct pcapng *p, struct record *r, struct diag *d)
{
	for (;;) {
		u32 type = 0, bytes = 0;
		int got = block_read(p, &type, &bytes, d);

		if (got != 1)
			return got;
		switch (type) {
		case BLOCK_INTERFACE:
			got = iface_add(p, bytes, d);
			if (got)
				return got;
			break;
		case BLOCK_ENHANCED_PACKET:
			return packet_timed(p, bytes >= 4 ? ng_u32(p, p->block) : 0, bytes, r, d);
		case BLOCK_PACKET:
			return packet_timed(p, bytes >= 4 ? ng_u16(p, p->block) : 0, bytes, r, d);
		case BLOCK_SIMPLE_PACKET:
			return packet_simple(p, bytes, r, d);
		}
	}
}

int pcapng_new(struct source *s, struct pcapng **out, struct diag *d)
{
	struct pcapng *p = mem_zalloc(sizeof(*p));

	if (!p)
		return diag_nomem(d);
	p->source = s;
	*out = p;
	return 0;
}

void pcapng_free(struct pcapng *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->nr_names; i++)
		mem_free(p->names[i]);
	mem_free(p->names);
	mem_free(p->ifaces);
	mem_free(p->block);
	mem_free(p);
}
