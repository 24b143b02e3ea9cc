/* Fragments are copied to their place in a 64 KiB datagram; runs of neighbours say what is there. A
 * fragment inside a run is a duplicate and ignored; one that overlaps a run's edge ends the whole
 * datagram, as in Linux since 4.19. */
#include "run/defrag.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "run/input.h"

enum {
	DATAGRAM_BYTES_MAX = 65535,
	IPV4_HEADER_BYTES_MAX = 60,
	MEMORY_BYTES_MAX = 4 * 1024 * 1024, /* the kernel's ipfrag_high_thresh */
	RUNS_MAX = 8192,                    /* a datagram has no more units of 8 bytes */
	BUCKETS = 1024,
	SOURCES = 4096,           /* remembered, see source_next */
	FRAGMENTS_APART_MAX = 64, /* the kernel's ipfrag_max_dist */
};

static const u64 timeout_ns = 30ull * 1000000000u; /* the kernel's ipfrag_time */

struct run {
	u32 start, end; /* payload bytes */
};

/* A datagram being put together. */
struct queue {
	struct queue *next;          /* in its bucket */
	struct queue *older, *newer; /* by arrival of the first fragment */
	u8 key[13];                  /* source, destination, id, protocol */
	u64 born_ns;
	struct weir_packet first; /* what is known of the fragment with offset 0 */
	u8 header[IPV4_HEADER_BYTES_MAX];
	u32 header_bytes; /* 0: first fragment not here yet */
	u32 len;          /* payload bytes known so far */
	u32 last_number;  /* of its source's fragments: see too_far */
	bool has_last;
	u8 ecn;   /* a bit for each ECN codepoint seen */
	u32 have; /* payload bytes that are here */
	u32 fragments;
	struct run *runs; /* sorted */
	size_t nr_runs, cap_runs;
	u8 *payload;
	size_t cap_payload;
};

/* How many fragments a source has sent. */
struct source_count {
	u8 addr[4];
	u32 fragments;
};

struct defrag {
	struct queue *buckets[BUCKETS];
	struct queue *oldest, *newest;
	size_t memory;
	struct source_count sources[SOURCES];
	u32 nr_fragments;
	u8 packet[IPV4_HEADER_BYTES_MAX + DATAGRAM_BYTES_MAX];
};

struct defrag *defrag_new(void)
{
	return mem_zalloc(sizeof(struct defrag));
}

static struct queue **bucket_of(struct defrag *f, const u8 key[static 13])
{
	u64 h = load_le64(key) * 0x9e3779b97f4a7c15u ^ load_le32(key + 8) * 0xc2b2ae3d27d4eb4fu ^
		key[12];

	return &f->buckets[(h >> 32) % BUCKETS];
}

static size_t queue_memory(const struct queue *q)
{
	return sizeof(*q) + q->cap_payload + q->cap_runs * sizeof(*q->runs);
}

static void queue_remove(struct defrag *f, struct queue *q)
{
	struct queue **at = bucket_of(f, q->key);

	while (*at != q)
		at = &(*at)->next;
	*at = q->next;
	*(q->older ? &q->older->newer : &f->oldest) = q->newer;
	*(q->newer ? &q->newer->older : &f->newest) = q->older;
	f->memory -= queue_memory(q);
	mem_free(q->runs);
	mem_free(q->payload);
	mem_free(q);
}

void defrag_free(struct defrag *f)
{
	if (!f)
		return;
	while (f->oldest)
		queue_remove(f, f->oldest);
	mem_free(f);
}

static struct queue *queue_find(struct defrag *f, const u8 key[static 13], u64 time_ns)
{
	while (f->oldest && f->oldest->born_ns + timeout_ns < time_ns)
		queue_remove(f, f->oldest);
	struct queue **bucket = bucket_of(f, key);
	for (struct queue *q = *bucket; q; q = q->next)
		if (!memcmp(q->key, key, sizeof(q->key)))
			return q;
	struct queue *q = f->memory < MEMORY_BYTES_MAX ? mem_zalloc(sizeof(*q)) : NULL;
	if (!q)
		return NULL;
	memcpy(q->key, key, sizeof(q->key));
	q->born_ns = time_ns;
	q->next = *bucket;
	*bucket = q;
	q->older = f->newest;
	*(f->newest ? &f->newest->newer : &f->oldest) = q;
	f->newest = q;
	f->memory += queue_memory(q);
	return q;
}

enum place { PLACE_NEW, PLACE_DUPLICATE, PLACE_OVERLAP, PLACE_NO_MEMORY };

static enum place run_insert(struct queue *q, size_t at, struct run run)
{
	if (q->nr_runs >= RUNS_MAX ||
		array_grow((void **)&q->runs, &q->cap_runs, q->nr_runs + 1, sizeof(*q->runs)))
		return PLACE_NO_MEMORY;
	memmove(q->runs + at + 1, q->runs + at, (q->nr_runs - at) * sizeof(*q->runs));
	q->runs[at] = run;
	q->nr_runs++;
	return PLACE_NEW;
}

static enum place run_place(struct queue *q, struct run add)
{
	struct run *last = q->nr_runs ? &q->runs[q->nr_runs - 1] : NULL;

	if (last && last->end < add.end) { /* in order: the usual case */
		if (add.start < last->end)
			return PLACE_OVERLAP;
		if (add.start == last->end) {
			last->end = add.end;
			return PLACE_NEW;
		}
		return run_insert(q, q->nr_runs, add);
	}
	size_t at = 0;
	while (at < q->nr_runs && q->runs[at].end <= add.start)
		at++;
	if (at == q->nr_runs || add.end <= q->runs[at].start)
		return run_insert(q, at, add);
	return add.start >= q->runs[at].start && add.end <= q->runs[at].end ? PLACE_DUPLICATE
									    : PLACE_OVERLAP;
}

/* The payload's new length is consistent with what was said before. */
static bool queue_extend(struct queue *q, struct run *add, bool more)
{
	if (!more) {
		if (add->end < q->len || (q->has_last && add->end != q->len))
			return false;
		q->has_last = true;
		q->len = add->end;
	} else {
		add->end &= ~7u;
		if (add->end > q->len) {
			if (q->has_last)
				return false;
			q->len = add->end;
		}
	}
	return add->end > add->start;
}

static bool queue_store(struct defrag *f, struct queue *q, struct run add, const u8 *payload)
{
	size_t before = queue_memory(q);

	if (array_grow((void **)&q->payload, &q->cap_payload, add.end, 1))
		return false;
	memcpy(q->payload + add.start, payload, add.end - add.start);
	q->have += add.end - add.start;
	q->fragments++;
	f->memory += queue_memory(q) - before;
	return true;
}

enum { ECN_NONE = 1 << 0, ECN_CONGESTED = 1 << 3, ECN_BITS = 3 };

/* RFC 3168, 5.3: fragments with and without ECN don't belong together; congestion met by one is the
 * whole's. */
static bool queue_ecn_ok(const struct queue *q)
{
	return q->ecn == ECN_NONE || !(q->ecn & ECN_NONE);
}

/* The datagram: the first fragment's header with the new length, no fragment fields, and a fresh
 * checksum. */
static void queue_finish(struct defrag *f, const struct queue *q, struct weir_packet *p)
{
	u8 *ip = f->packet;
	u32 bytes = q->header_bytes + q->len;

	memcpy(ip, q->header, q->header_bytes);
	memcpy(ip + q->header_bytes, q->payload, q->len);
	if (q->ecn & ECN_CONGESTED)
		ip[1] |= ECN_BITS;
	store_be16(ip + 2, (u16)bytes);
	store_be16(ip + 6, 0);
	store_be16(ip + 10, 0);
	store_be16(ip + 10, input_ipv4_checksum(ip, q->header_bytes));
	f->nr_fragments = q->fragments;
	u64 time_ns = p->time_ns;
	*p = q->first;
	p->time_ns = time_ns;
	p->data = (uintptr_t)ip;
	p->data_end = p->data + bytes;
	p->len = bytes;
}

/* Puts one fragment into its datagram. PLACE_DUPLICATE changes nothing but what is known of the
 * length. */
static enum place queue_add(struct defrag *f, struct queue *q, const struct weir_packet *p)
{
	const u8 *ip = (const u8 *)(uintptr_t)p->data;
	u32 header = (ip[0] & 0xfu) * 4, offset = (load_be16(ip + 6) & 0x1fffu) * 8;
	struct run add = {offset, offset + p->len - header};
	size_t before = queue_memory(q);
	enum place place = PLACE_OVERLAP;

	if (add.end <= DATAGRAM_BYTES_MAX && queue_extend(q, &add, load_be16(ip + 6) & 0x2000))
		place = run_place(q, add);
	f->memory += queue_memory(q) - before;
	if (place != PLACE_NEW)
		return place;
	if (!queue_store(f, q, add, ip + header))
		return PLACE_NO_MEMORY;
	q->ecn |= (u8)(1 << (ip[1] & ECN_BITS));
	if (!offset) {
		memcpy(q->header, ip, header);
		q->header_bytes = header;
		q->first = *p;
	}
	return PLACE_NEW;
}

/* The number of this fragment among those of its source. Sources share slots; the newest has it. */
static u32 source_next(struct defrag *f, const u8 *addr)
{
	u32 at = (load_le32(addr) * 0x9e3779b1u) >> 20;
	struct source_count *s = &f->sources[at];

	_Static_assert(SOURCES == 1 << 12, "the hash has 12 bits");
	if (memcmp(s->addr, addr, sizeof(s->addr)) != 0) {
		memcpy(s->addr, addr, sizeof(s->addr));
		s->fragments = 0;
	}
	return ++s->fragments;
}

/* So many other fragments of the source lie between this one and the one before that the id may be
 * another datagram's: what was there is forgotten. */
static void forget_if_too_far(struct defrag *f, struct queue *q, u32 number)
{
	bool too_far = q->nr_runs && (s32)(number - q->last_number) > FRAGMENTS_APART_MAX;

	q->last_number = number;
	if (!too_far)
		return;
	f->memory -= queue_memory(q);
	mem_free(q->runs);
	mem_free(q->payload);
	q->runs = NULL;
	q->payload = NULL;
	q->nr_runs = q->cap_runs = q->cap_payload = 0;
	q->header_bytes = q->len = q->have = q->fragments = 0;
	q->has_last = false;
	q->ecn = 0;
	f->memory += queue_memory(q);
}

enum defrag_result defrag_add(struct defrag *f, struct weir_packet *p)
{
	const u8 *ip = (const u8 *)(uintptr_t)p->data;
	u8 key[13] = {0};

	if (!(load_be16(ip + 6) & 0x3fff))
		return DEFRAG_WHOLE;
	memcpy(key, ip + 12, 8);
	memcpy(key + 8, ip + 4, 2);
	key[12] = ip[9];
	struct queue *q = queue_find(f, key, p->time_ns);
	if (!q)
		return DEFRAG_HELD;
	forget_if_too_far(f, q, source_next(f, ip + 12));
	enum place place = queue_add(f, q, p);
	if (place == PLACE_DUPLICATE) /* never completes anything, as in the kernel */
		return DEFRAG_HELD;
	if (place != PLACE_NEW) {
		queue_remove(f, q);
		return DEFRAG_HELD;
	}
	if (!q->header_bytes || !q->has_last || q->have != q->len)
		return DEFRAG_HELD;
	bool fits = q->header_bytes + q->len <= DATAGRAM_BYTES_MAX && queue_ecn_ok(q);
	if (fits)
		queue_finish(f, q, p);
	queue_remove(f, q);
	return fits ? DEFRAG_COMPLETE : DEFRAG_HELD;
}

u32 defrag_nr_fragments(const struct defrag *f)
{
	return f->nr_fragments;
}
