/* Ring buffers and perf event arrays: what programs write, against this machine's kernel (root), and consuming it. */
#include "special_maps.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "isa/prog.h"
#include "kernel_prog.h"
#include "map/ring.h"
#include "map/ringbuf.h"
#include "map/perf_event_array.h"

/* r9 = r9 * 31 + r0: what all calls have answered. */
#define MIX \
	{.code = 0x27, .dst = 9, .imm = 31}, \
	{ \
		.code = 0x0f, .dst = 9, .src = 0 \
	}
#define OUTPUT(bytes, flags) \
	LOAD_MAP(1, 0), MOV_REG(2, 10), ADD(2, -256), MOV(3, bytes), MOV(4, flags), \
		HELPER_CALL(130), MIX
#define QUERY(what) LOAD_MAP(1, 0), MOV(2, what), HELPER_CALL(134), MIX
#define RESERVE(bytes, flags, end) \
	LOAD_MAP(1, 0), MOV(2, bytes), MOV(3, flags), HELPER_CALL(131), IF_NOT_NULL(0, 2), \
		ADD(9, 5), {.code = 0x05, .off = 4}, {.code = 0x7a, .dst = 0, .imm = (bytes)}, \
		MOV_REG(1, 0), MOV(2, 0), HELPER_CALL(end)

static void ringbuf_programs(void **state)
{
	static const struct insn progs[][INSNS_MAX] = {
		{MOV(9, 0), {.code = 0x7a, .dst = 10, .off = -256, .imm = 3}, OUTPUT(8, 0),
			QUERY(0), QUERY(1), QUERY(2), QUERY(3), QUERY(4), OUTPUT(8, 4),
			OUTPUT(8, 1), OUTPUT(8, 2), QUERY(0), MOV_REG(0, 9), EXIT},
		{MOV(9, 0), RESERVE(8, 0, 132), RESERVE(16, 0, 133), RESERVE(8, 1, 132), QUERY(0),
			QUERY(3), MOV_REG(0, 9), EXIT},
		/* until it is full: 4080 with their header are one too many behind 8. */
		{MOV(9, 0), RESERVE(4089, 0, 132), QUERY(3), RESERVE(8, 0, 132),
			RESERVE(4072, 0, 132), QUERY(3), RESERVE(4064, 0, 132), QUERY(3),
			RESERVE(8, 0, 132), QUERY(0), MOV_REG(0, 9), EXIT},
		{MOV(9, 0), RESERVE(4088, 0, 132), QUERY(3), RESERVE(4080, 0, 133), QUERY(3),
			RESERVE(8, 0, 132), QUERY(0), MOV_REG(0, 9), EXIT},
	};

	if (!kernel_progs_work())
		skip();
	for (size_t i = 0; i < ARRAY_LEN(progs); i++)
		for (size_t e = 0; e < NR_ENGINES; e++) {
			struct map *m = map_of(*state, MAP_TYPE_RINGBUF, 0, 0, 4096, 0, NULL);
			int fd = kernel_plain_map(MAP_TYPE_RINGBUF, 0, 0, 4096, 0);
			struct loaded *l = load(progs[i], &m, 1, &engines[e].opts);
			struct weir_frame frame = frame_new();
			u32 theirs = run_in_kernel(progs[i], &fd), ours = run(*state, l, &frame);

			loaded_free(l);
			map_put(m);
			close(fd);
			if (ours != theirs)
				fail_msg("program %zu, %s: %u, the kernel's %u", i, engines[e].name,
					ours, theirs);
		}
}

struct seen {
	u32 nr, slot, last_len;
	u64 next[8]; /* the number that each producer's next record has */
	u32 stop_at; /* 0: never */
};

struct record {
	u32 producer, bytes;
	u64 number;
	u8 fill[];
};

static int see_record(void *arg, u32 slot, const void *data, size_t len)
{
	struct seen *s = arg;
	const struct record *r = data;

	assert_int_equal(len, r->bytes);
	assert_int_equal(r->number, s->next[r->producer]);
	for (size_t i = sizeof(*r); i < len; i++)
		assert_int_equal(r->fill[i - sizeof(*r)], (u8)r->number);
	s->next[r->producer]++;
	s->slot = slot;
	s->last_len = (u32)len;
	return ++s->nr == s->stop_at ? -ECANCELED : 0;
}

static bool readable(struct map *m)
{
	struct pollfd p = {.fd = map_event(m), .events = POLLIN};

	return poll(&p, 1, 0) == 1;
}

static void record_fill(struct record *r, u32 producer, u32 bytes, u64 number)
{
	r->producer = producer;
	r->bytes = bytes;
	r->number = number;
	memset(r->fill, (int)(u8)number, bytes - sizeof(*r));
}

static void ringbuf_consuming(void **state)
{
	struct map *m = map_of(*state, MAP_TYPE_RINGBUF, 0, 0, 4096, 0, NULL);
	struct seen s = {0};
	u64 lost = 9;

	assert_false(readable(m));
	assert_int_equal(map_consume(m, see_record, &s, &lost), 0);
	assert_int_equal(lost, 0);
	struct record *first = ringbuf_reserve(m, 24), *second = ringbuf_reserve(m, 40);
	record_fill(first, 0, 24, 0);
	record_fill(second, 0, 40, 1);
	ring_commit(second, 0, 0); /* not the one that is waited for */
	assert_false(readable(m));
	assert_int_equal(map_consume(m, see_record, &s, NULL), 0);
	ring_commit(first, 0, 0);
	assert_true(readable(m));
	s.stop_at = 1;
	assert_int_equal(map_consume(m, see_record, &s, NULL), -ECANCELED);
	assert_true(readable(m)); /* one more waits */
	assert_int_equal(map_consume(m, see_record, &s, NULL), 1);
	assert_false(readable(m));
	assert_int_equal(s.nr, 2);
	/* What was dropped isn't seen; flags decide about waking. */
	ring_commit(ringbuf_reserve(m, 8), RING_DISCARD, BPF_RB_NO_WAKEUP);
	assert_false(readable(m));
	record_fill(first = ringbuf_reserve(m, 32), 0, 32, 2);
	ring_commit(first, 0, BPF_RB_FORCE_WAKEUP);
	assert_true(readable(m));
	assert_int_equal(map_consume(m, see_record, &s, NULL), 1);
	assert_null(ringbuf_reserve(m, 4096));
	assert_int_equal(map_consume(m, see_record, &s, &lost), 0);
	assert_int_equal(lost, 1);
	assert_int_equal(map_consume(m, see_record, &s, &lost), 0);
	assert_int_equal(lost, 0);
	/* Records that go over the end are in one piece. */
	for (u32 n = 0; n < 300; n++) {
		u32 bytes = 24 + n * 8 % 900;

		record_fill(first = ringbuf_reserve(m, bytes), 0, bytes, 3 + n);
		ring_commit(first, 0, 0);
		assert_int_equal(map_consume(m, see_record, &s, NULL), 1);
	}
	map_put(m);
	m = map_of(*state, MAP_TYPE_ARRAY, 4, 4, 1, 0, NULL);
	assert_int_equal(map_event(m), -EINVAL);
	assert_int_equal(map_consume(m, see_record, &s, NULL), -EINVAL);
	map_put(m);
}

struct producer {
	struct map *m;
	u32 number, records;
};

static void *produce(void *arg)
{
	struct producer *p = arg;

	for (u64 n = 0; n < p->records; n++) {
		u32 bytes = 24 + (u32)(n * 8 % 200);
		struct record *r;

		if (n % 13 == 0) {
			void *dropped = ringbuf_reserve(p->m, bytes);

			if (dropped)
				ring_commit(dropped, RING_DISCARD, 0);
		}
		while (!(r = ringbuf_reserve(p->m, bytes)))
			sched_yield();
		record_fill(r, p->number, bytes, n);
		ring_commit(r, 0, 0);
	}
	return NULL;
}

/* Many producers; the consumer sleeps in poll, and is woken whenever something is there for it. */
static void ringbuf_threads(void **state)
{
	enum { PRODUCERS = 3, RECORDS = 20000 };
	struct map *m = map_of(*state, MAP_TYPE_RINGBUF, 0, 0, 8192, 0, NULL);
	struct producer producers[PRODUCERS];
	pthread_t threads[PRODUCERS];
	struct seen s = {0};

	for (u32 n = 0; n < PRODUCERS; n++) {
		producers[n] = (struct producer){.m = m, .number = n, .records = RECORDS};
		assert_int_equal(pthread_create(&threads[n], NULL, produce, &producers[n]), 0);
	}
	while (s.nr < PRODUCERS * RECORDS) {
		struct pollfd p = {.fd = map_event(m), .events = POLLIN};

		if (poll(&p, 1, 30000) != 1)
			fail_msg("no wakeup behind %u records", s.nr);
		assert_true(map_consume(m, see_record, &s, NULL) >= 0);
	}
	for (u32 n = 0; n < PRODUCERS; n++)
		pthread_join(threads[n], NULL);
	map_put(m);
}

/* perf_event_output(ctx, map, flags, stack, 24) */
static void perf_events(void **state)
{
	static const struct insn insns[INSNS_MAX] = {
		{.code = 0x7a, .dst = 10, .off = -24, .imm = 0},
		{.code = 0x62, .dst = 10, .off = -20, .imm = 24},
		{.code = 0x7a, .dst = 10, .off = -16, .imm = 0},
		{.code = 0x7a, .dst = 10, .off = -8, .imm = 0}, LOAD_MAP(2, 0),
		{.code = 0x18, .dst = 3, .imm = -1}, {0}, MOV_REG(4, 10), ADD(4, -24), MOV(5, 24),
		HELPER_CALL(25), EXIT};
	static const struct {
		u64 flags;
		int result;
		u32 packet_bytes;
	} calls[] = {
		{UINT32_MAX, 0, 0},
		{1, 0, 0},
		{0, -EOPNOTSUPP, 0},
		{2, -ENOENT, 0}, /* no such slot */
		{4, -E2BIG, 0},
		{UINT32_MAX | 10ull << 32, 0, 10},
		{UINT32_MAX | 64ull << 32, 0, 64},
		{UINT32_MAX | 65ull << 32, -EFAULT, 0},
		{UINT32_MAX | 1ull << 52, -EINVAL, 0},
	};
	struct map *m = map_of(*state, MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, 4, 0, NULL);

	for (size_t e = 0; e < NR_ENGINES; e++)
		for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
			struct insn copy[INSNS_MAX];
			struct weir_frame frame = frame_new();
			struct seen s = {0};
			u64 lost = 9;

			memcpy(copy, insns, sizeof(copy));
			copy[1].imm = 24 + (s32)calls[i].packet_bytes;
			copy[6].imm = (s32)calls[i].flags;
			copy[7].imm = (s32)(calls[i].flags >> 32);
			struct loaded *l = load(copy, &m, 1, &engines[e].opts);
			assert_int_equal((int)run(*state, l, &frame), calls[i].result);
			loaded_free(l);
			assert_int_equal(readable(m), calls[i].result == 0);
			assert_int_equal(
				map_consume(m, see_record, &s, &lost), calls[i].result == 0);
			assert_int_equal(lost, 0);
			if (!calls[i].result) {
				assert_int_equal(s.last_len, 24 + calls[i].packet_bytes);
				assert_int_equal(s.slot, 1);
			}
		}
	map_put(m);
}

static void perf_lost(void **state)
{
	struct map *m = map_of(*state, MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, 2, 0, NULL);
	struct seen s = {0};
	u64 big[1000 / sizeof(u64)] = {0}; /* a struct record and its bytes */
	u64 lost = 0, nr = 0, failed = 0;

	assert_int_equal(cpu_take(*state, 0), 0);
	for (; nr < 1000; nr++) {
		record_fill((struct record *)(void *)big, 0, 1000, nr - failed);
		int err = perf_event_output(m, UINT32_MAX, big, 1000, NULL, 0, cpu_base(*state, 0));
		assert_true(err == 0 || err == -ENOSPC);
		failed += err != 0;
	}
	cpu_release(*state, 0);
	assert_true(failed > 0 && failed < 1000);
	assert_int_equal(map_consume(m, see_record, &s, &lost), nr - failed);
	assert_int_equal(lost, failed);
	map_put(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(ringbuf_programs),
		TEST(ringbuf_consuming),
		TEST(ringbuf_threads),
		TEST(perf_events),
		TEST(perf_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
