/* Executable memory that many programs share: a file in memory, mapped for reading and executing only. Code gets there by
 * pwrite, so no address is ever writable and executable, no mapping changes its rights when a program is loaded, and loading
 * a small one costs a system call. A segment lies between guard pages.
 *
 * Places are never used again: whoever still jumps to freed code meets traps, and nobody (an emulator, the other side of a
 * fork) can have seen other code there. A child of fork may go on with what its parent frees: what was there before a fork
 * gets no traps. A segment goes when its last program is freed and it is not the one being filled. */
#include "jit/pool.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"

enum {
	SEGMENT_BYTES = 64 << 10,
	ALIGN_BYTES = 64,
	REACH_BYTES = 96 << 20, /* a call on arm64 reaches 128 MB */
	TRAP_BYTES = 4096,
	WANT_EXEC = 0x10, /* MFD_EXEC: since Linux 6.3, where systems may want to be asked */
};

struct pool_segment {
	struct pool_segment *next;
	u8 *map; /* guard page, code, guard page */
	size_t map_bytes, bytes, used;
	u32 programs;
	u64 near; /* what it was to be near to */
	bool landing_pads;
	int fd;
	u32 forks;   /* there had been so many when it was made */
	pid_t owner; /* a child shares the file with its parent, so it must not write there */
};

/* Those that have room, last used first. */
static struct pool_segment *open_segments;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static u32 forks; /* of this process, since the first segment was made */

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
	forks++;
}

static void after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

static void watch_forks(void)
{
	pthread_atfork(before_fork, after_fork, after_fork);
}

u8 *reserve_near(size_t bytes, u64 near)
{
	static const u64 distances[] = {16u << 20, 64u << 20, 256u << 20, 1024u << 20};
	u64 page = (u64)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; near && i < ARRAY_LEN(distances); i++) {
		if (near < distances[i] + bytes)
			break;
		u64 hint = (near - distances[i] - bytes) & ~(page - 1);
		u8 *map = mmap((void *)(uintptr_t)hint, bytes, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		if (map != MAP_FAILED)
			return map;
	}
	u8 *map = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return map == MAP_FAILED ? NULL : map;
}

/* 0x10 is PROT_BTI of the arm64 kernels, which refuse it where the processor can't. On x86-64 the process as a whole
 * decides. */
int make_executable(u8 *at, size_t bytes, bool landing_pads)
{
	enum { GUARDED = 0x10 };

#if defined(__aarch64__)
	if (landing_pads && !mprotect(at, bytes, PROT_READ | PROT_EXEC | GUARDED))
		return 0;
#else
	(void)landing_pads;
#endif
	return mprotect(at, bytes, PROT_READ | PROT_EXEC) ? -errno : 0;
}

/* Bytes that trap as instructions: int3 on x86-64, udf on arm64. */
static bool write_traps(const struct pool_segment *s, size_t from, size_t bytes)
{
#if defined(__x86_64__)
	enum { TRAP = 0xcc };
#else
	enum { TRAP = 0 };
#endif
	u8 traps[TRAP_BYTES];

	memset(traps, TRAP, sizeof(traps));
	for (size_t done = 0; done < bytes;) {
		size_t n = bytes - done < sizeof(traps) ? bytes - done : sizeof(traps);

		if (pwrite(s->fd, traps, n, (off_t)(from + done)) != (ssize_t)n)
			return false;
		done += n;
	}
	return true;
}

static void segment_free(struct pool_segment *s)
{
	if (s->map)
		munmap(s->map, s->map_bytes);
	if (s->fd >= 0)
		close(s->fd);
	mem_free(s);
}

static int memory_file(void)
{
	int fd = memfd_create("weir code", MFD_CLOEXEC | WANT_EXEC);

	return fd >= 0 ? fd : memfd_create("weir code", MFD_CLOEXEC);
}

static bool segment_map(struct pool_segment *s, size_t page)
{
	u8 *code = s->map + page;

	return mmap(code, s->bytes, PROT_READ, MAP_SHARED | MAP_FIXED | MAP_POPULATE, s->fd, 0) ==
		       code &&
	       !make_executable(code, s->bytes, s->landing_pads);
}

static struct pool_segment *segment_new(size_t bytes, u64 near, bool landing_pads)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct pool_segment *s = mem_zalloc(sizeof(*s));

	if (!s)
		return NULL;
	s->bytes = ((bytes < SEGMENT_BYTES ? SEGMENT_BYTES : bytes) + page - 1) / page * page;
	s->map_bytes = s->bytes + 2 * page;
	s->near = near;
	s->landing_pads = landing_pads;
	s->owner = getpid();
	s->forks = forks;
	s->fd = memory_file();
	if (s->fd >= 0)
		s->map = reserve_near(s->map_bytes, near);
	if (s->fd < 0 || !s->map || !write_traps(s, 0, s->bytes) || !segment_map(s, page)) {
		segment_free(s);
		return NULL;
	}
	return s;
}

static bool is_near(u64 a, u64 b)
{
	return (a < b ? b - a : a - b) < REACH_BYTES;
}

static bool fits(const struct pool_segment *s, size_t bytes, u64 near, bool landing_pads)
{
	return bytes <= s->bytes - s->used && s->landing_pads == landing_pads &&
	       is_near(s->near, near);
}

static void close_segment(struct pool_segment **link)
{
	struct pool_segment *s = *link;

	*link = s->next;
	if (!s->programs)
		segment_free(s);
}

/* The first open one that fits. Those of a parent process are closed, and of those that fit but for their room the first one
 * is: no list grows. */
static struct pool_segment *find_open(size_t bytes, u64 near, bool landing_pads)
{
	pid_t self = getpid();

	for (struct pool_segment **link = &open_segments; *link;) {
		struct pool_segment *s = *link;

		if (s->owner == self && fits(s, bytes, near, landing_pads))
			return s;
		if (s->owner != self || fits(s, 0, near, landing_pads))
			close_segment(link);
		else
			link = &s->next;
	}
	return NULL;
}

bool pool_take(size_t bytes, u64 near, bool landing_pads, struct pool_place *place)
{
	u64 here = near ? near : (u64)(uintptr_t)pool_take;

	bytes = (bytes + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&lock);
	struct pool_segment *s = find_open(bytes, here, landing_pads);
	if (!s) {
		s = segment_new(bytes, here, landing_pads);
		if (s) {
			s->next = open_segments;
			open_segments = s;
		}
	}
	if (s) {
		*place = (struct pool_place){
			s, s->map + (s->map_bytes - s->bytes) / 2 + s->used, bytes};
		s->used += bytes;
		s->programs++;
	}
	pthread_mutex_unlock(&lock);
	return s;
}

static size_t offset_of(const struct pool_place *p)
{
	return (size_t)(p->at - p->segment->map) - (p->segment->map_bytes - p->segment->bytes) / 2;
}

bool pool_write(const struct pool_place *p, const u8 *code)
{
	return pwrite(p->segment->fd, code, p->bytes, (off_t)offset_of(p)) == (ssize_t)p->bytes;
}

static bool is_open(const struct pool_segment *s)
{
	const struct pool_segment *o = open_segments;

	while (o && o != s)
		o = o->next;
	return o;
}

void pool_free(const struct pool_place *p)
{
	struct pool_segment *s = p->segment;

	pthread_mutex_lock(&lock);
	if (s->owner == getpid() &&
		s->forks == forks) /* a courtesy: nobody has a right to come here */
		write_traps(s, offset_of(p), p->bytes);
	bool last = !--s->programs && !is_open(s);
	pthread_mutex_unlock(&lock);
	if (last)
		segment_free(s);
}
