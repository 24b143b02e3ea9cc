#include "map/ring.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"

#define RECORD_BYTES_MAX (UINT32_MAX / 4) /* kernel: RINGBUF_MAX_RECORD_SZ */

int ring_event_new(void)
{
	int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

void ring_event_clear(int event)
{
	u64 count;
	ssize_t n = read(event, &count, sizeof(count));

	(void)n; /* nothing there: EAGAIN */
}

void ring_event_set(int event)
{
	const u64 one = 1;
	ssize_t n = write(event, &one, sizeof(one));

	(void)n; /* the counter is full: it is set all the same */
}

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t head_bytes(void)
{
	size_t page = page_bytes();

	return (sizeof(struct ring) + page - 1) & ~(page - 1);
}

/* The data's pages come when they are touched. */
static int map_twice(u8 *at, size_t bytes)
{
	int fd = memfd_create("weir-ring", MFD_CLOEXEC);
	int err = fd < 0 || ftruncate(fd, (off_t)bytes) ? -errno : 0;

	for (int half = 0; !err && half < 2; half++)
		if (mmap(at + (size_t)half * bytes, bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
			err = -errno;
	if (fd >= 0)
		close(fd);
	return err;
}

int ring_new(u64 capacity, int event, struct ring **out)
{
	size_t page = page_bytes(), head = head_bytes();
	size_t data = capacity < page ? page : (size_t)capacity;
	size_t bytes = head + 2 * data;
	u8 *p = mem_reserve(bytes);

	if (!p)
		return -ENOMEM;
	int err = map_twice(p + head, data);
	if (err) {
		mem_unreserve(p, bytes);
		return err;
	}
	struct ring *r = (struct ring *)(void *)p;
	r->data = p + head;
	r->mask = data - 1;
	r->capacity = capacity;
	r->mapped_bytes = bytes;
	r->event = event;
	*out = r;
	return 0;
}

void ring_free(struct ring *r)
{
	if (r)
		mem_unreserve(r, r->mapped_bytes);
}

static struct ring_header *header_at(const struct ring *r, u64 position)
{
	return (struct ring_header *)(void *)(r->data + (position & r->mask));
}

/* Of a record in the ring. */
static u64 record_bytes(u64 data_bytes)
{
	return (data_bytes + RING_HEADER_BYTES + 7) & ~(u64)7;
}

/* How far everything is given back. */
static u64 find_pending(struct ring *r, u64 produced)
{
	while (r->pending < produced) {
		u32 len =
			atomic_load_explicit(&header_at(r, r->pending)->len, memory_order_acquire);

		if (len & RING_BUSY)
			break;
		r->pending += record_bytes(len & ~RING_DISCARD);
	}
	return r->pending;
}

static void *reserve_locked(struct ring *r, u64 bytes)
{
	u64 consumed = atomic_load_explicit(&r->consumed, memory_order_acquire);
	u64 produced = atomic_load_explicit(&r->produced, memory_order_relaxed);
	u64 next = produced + record_bytes(bytes), pending = find_pending(r, produced);
	struct ring_header *h = header_at(r, produced);

	/* The oldest record that isn't given back holds up all behind it. */
	if (next - consumed > r->capacity - 1 || next - pending > r->capacity - 1)
		return NULL;
	h->pages_back = (u32)(((uintptr_t)h - (uintptr_t)r) / RING_PAGE_BYTES);
	atomic_store_explicit(&h->len, (u32)bytes | RING_BUSY, memory_order_relaxed);
	atomic_store_explicit(&r->produced, next, memory_order_release);
	return h + 1;
}

void *ring_reserve(struct ring *r, u64 bytes)
{
	void *data = NULL;

	if (bytes <= RECORD_BYTES_MAX && record_bytes(bytes) <= r->capacity) {
		lock_take(&r->lock);
		data = reserve_locked(r, bytes);
		lock_drop(&r->lock);
	}
	if (!data)
		atomic_fetch_add_explicit(&r->lost, 1, memory_order_relaxed);
	return data;
}

static struct ring *ring_of(struct ring_header *h)
{
	uintptr_t page = (uintptr_t)h & ~(uintptr_t)(RING_PAGE_BYTES - 1);

	return (struct ring *)(page - (uintptr_t)h->pages_back * RING_PAGE_BYTES);
}

/* The consumer stores how far it has come and then looks at the next record; here the record is given back and then it is
 * seen how far the consumer has come: one of the two sees the other. */
void ring_commit(void *data, u32 bits, u64 flags)
{
	struct ring_header *h = (struct ring_header *)data - 1;
	struct ring *r = ring_of(h);
	u32 len = atomic_load_explicit(&h->len, memory_order_relaxed);
	u64 at = (u64)((u8 *)h - r->data);

	atomic_store(&h->len, (len & ~RING_BUSY) | bits);
	bool waits = (atomic_load(&r->consumed) & r->mask) == at;
	if (flags & BPF_RB_FORCE_WAKEUP || (waits && !(flags & BPF_RB_NO_WAKEUP)))
		ring_event_set(r->event);
}

bool ring_output(struct ring *r, const void *first, u64 first_bytes, const void *second,
	u64 second_bytes, u64 flags)
{
	u8 *to = ring_reserve(r, first_bytes + second_bytes);

	if (!to)
		return false;
	memcpy(to, first, first_bytes);
	if (second_bytes)
		memcpy(to + first_bytes, second, second_bytes);
	ring_commit(to, 0, flags);
	return true;
}

u64 ring_waiting(const struct ring *r)
{
	u64 consumed = atomic_load_explicit(&r->consumed, memory_order_acquire);

	return atomic_load_explicit(&r->produced, memory_order_acquire) - consumed;
}

int ring_consume(struct ring *r, u32 slot, map_record_fn fn, void *arg)
{
	u64 at = atomic_load_explicit(&r->consumed, memory_order_relaxed);
	int nr = 0, err = 0;

	while (err >= 0 && at < atomic_load_explicit(&r->produced, memory_order_acquire)) {
		struct ring_header *h = header_at(r, at);
		u32 len = atomic_load(&h->len);

		if (len & RING_BUSY)
			break;
		if (!(len & RING_DISCARD)) {
			err = fn(arg, slot, h + 1, len);
			nr++;
		}
		at += record_bytes(len & ~RING_DISCARD);
		atomic_store(&r->consumed, at);
	}
	return err < 0 ? err : nr;
}
