/* The run, in stages: read a record -> find the IP packet -> the IP layer's checks -> a batch -> a
 * lane takes each packet through the hooks -> accepted records are written in the order they came.
 *
 * Batches go round a ring: the reader fills one, a worker runs it, and before the reader fills it
 * again it writes what was accepted, so that memory stays bounded and order is kept. IPv4 fragments
 * are run by the reader itself, since what becomes of one depends on those before it. */
#include "run/filter.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "cpu/cpu.h"
#include "run/defrag.h"
#include "run/lane.h"
#include "run/link.h"
#include "run/meta.h"

enum {
	BATCH_ITEMS = 256,
	BATCH_BYTES = 256 * 1024, /* closed when it holds more */
	BATCHES_PER_WORKER = 3,
	PROGRESS_PACKETS = 1 << 16,
	HELD_BYTES_MAX = 16 * 1024 *
			 1024, /* frames of incomplete datagrams; reassembly itself keeps 4 MiB */
};

struct frame { /* a record kept until its datagram's fate is known */
	struct frame *next;
	struct record record;
	u8 key[12]; /* addresses, id, protocol, folded: who belongs together */
	u8 bytes[];
};

struct item {
	struct weir_packet packet;
	struct record record; /* .data unused: the bytes are at `frame` in the batch */
	u32 frame, ip;        /* offsets into the batch's bytes */
	u32 ip_bytes;
	enum fate fate;
	bool done;            /* run by the reader */
	struct frame *before; /* accepted fragments to be written before this one; owned */
};

enum batch_state { BATCH_FREE, BATCH_FULL, BATCH_DONE };

struct batch {
	enum batch_state state;
	struct item items[BATCH_ITEMS];
	u32 nr_items;
	u8 *bytes;
	size_t used, cap;
};

struct worker {
	struct filter *filter;
	struct lane lane;
	pthread_t thread;
	bool started;
};

struct filter {
	const struct ruleset *set;
	struct filter_opts opts;
	struct cpus *cpus;
	struct path path;
	struct lane reader;     /* slot 0 */
	struct worker *workers; /* threads, when more than one is asked for; slots from 1 on */
	u32 nr_workers;
	struct batch *ring;
	u32 nr_batches;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	u64 filled, taken; /* batches so far; index modulo nr_batches */
	bool stop;
};

/* ---- life ---- */

static int lane_init(struct lane *l, struct filter *f, u32 slot, struct diag *d)
{
	*l = (struct lane){
		.opts = &f->opts,
		.path = &f->path,
		.family = f->set->family,
		.base = cpu_base(f->cpus, slot),
		.defrag = defrag_new(),
	};
	if (f->opts.path.engine == RUN_EVAL) {
		l->counts = mem_zalloc(array_size(f->set->nr_counters + 1, sizeof(*l->counts)));
		l->jumps = mem_alloc(array_size(f->set->jump_depth, sizeof(*l->jumps)));
	}
	if (!l->defrag || (f->opts.path.engine == RUN_EVAL && (!l->counts || !l->jumps)))
		return diag_nomem(d);
	return 0;
}

static void lane_fini(struct lane *l)
{
	defrag_free(l->defrag);
	mem_free(l->counts);
	mem_free(l->jumps);
	mem_free(l->rules);
}

static int filter_init(struct filter *f, struct diag *d)
{
	u32 workers = f->opts.workers > 1 ? f->opts.workers : 0;
	int err = cpus_new(workers + 1, &f->cpus, d);

	if (!err)
		err = path_new(f->set, &f->opts.path, f->cpus, &f->path, d);
	if (!err)
		err = lane_init(&f->reader, f, 0, d);
	if (err)
		return err;
	f->nr_batches = workers ? workers * BATCHES_PER_WORKER : 1;
	f->ring = mem_zalloc(array_size(f->nr_batches, sizeof(*f->ring)));
	f->workers = mem_zalloc(array_size(workers, sizeof(*f->workers)));
	if (!f->ring || !f->workers)
		return diag_nomem(d);
	for (; f->nr_workers < workers; f->nr_workers++) {
		f->workers[f->nr_workers].filter = f;
		err = lane_init(&f->workers[f->nr_workers].lane, f, f->nr_workers + 1, d);
		if (err) {
			lane_fini(&f->workers[f->nr_workers].lane);
			return err;
		}
	}
	return 0;
}

int filter_new(const struct ruleset *set, const struct filter_opts *opts, struct filter **out,
	struct diag *d)
{
	struct filter *f = mem_zalloc(sizeof(*f));

	if (!f)
		return diag_nomem(d);
	f->set = set;
	f->opts = *opts;
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->changed, NULL);
	int err = filter_init(f, d);
	if (err) {
		filter_free(f);
		return err;
	}
	*out = f;
	return 0;
}

void filter_free(struct filter *f)
{
	if (!f)
		return;
	for (u32 i = 0; i < f->nr_workers; i++)
		lane_fini(&f->workers[i].lane);
	for (u32 i = 0; i < (f->ring ? f->nr_batches : 0); i++)
		mem_free(f->ring[i].bytes);
	mem_free(f->ring);
	mem_free(f->workers);
	lane_fini(&f->reader);
	path_fini(&f->path);
	cpus_free(f->cpus);
	pthread_cond_destroy(&f->changed);
	pthread_mutex_destroy(&f->lock);
	mem_free(f);
}

/* ---- running batches ---- */

static void item_run(struct lane *l, struct batch *b, struct item *i)
{
	i->fate = lane_run(l, &i->packet, b->bytes + i->ip, i->ip_bytes);
	i->done = true;
}

static void batch_run(struct lane *l, struct batch *b)
{
	for (u32 i = 0; i < b->nr_items; i++)
		if (!b->items[i].done)
			item_run(l, b, &b->items[i]);
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;
	struct filter *f = w->filter;
	u32 slot = (u32)(w - f->workers) + 1;

	cpu_take(f->cpus, slot);
	pthread_mutex_lock(&f->lock);
	for (;;) {
		while (f->taken == f->filled && !f->stop)
			pthread_cond_wait(&f->changed, &f->lock);
		if (f->taken == f->filled)
			break;
		struct batch *b = &f->ring[f->taken++ % f->nr_batches];
		pthread_mutex_unlock(&f->lock);
		batch_run(&w->lane, b);
		pthread_mutex_lock(&f->lock);
		b->state = BATCH_DONE;
		pthread_cond_broadcast(&f->changed);
	}
	pthread_mutex_unlock(&f->lock);
	cpu_release(f->cpus, slot);
	return NULL;
}

/* ---- writing ---- */

struct run {
	struct filter *filter;
	const struct filter_io *io;
	struct capture_writer *writer;
	bool writer_tried;
	struct frame *oldest,
		*newest; /* fragments whose datagram isn't complete; only when writing */
	size_t held_bytes;
	bool at_end; /* of the capture */
	struct filter_stats stats;
	struct diag *d;
};

/* The file begins with the first accepted record, whose link type it gets. */
static int write_record(struct run *r, const struct record *record)
{
	if (!r->writer) {
		int err = capture_writer_open(r->io->write_path, record->link, &r->writer, r->d);

		if (err)
			return err;
	}
	return capture_writer_put(r->writer, record, r->d);
}

static void frames_free(struct frame *list)
{
	while (list) {
		struct frame *next = list->next;

		mem_free(list);
		list = next;
	}
}

static int batch_write(struct run *r, struct batch *b)
{
	int err = 0;

	for (u32 i = 0; i < b->nr_items; i++) {
		struct item *item = &b->items[i];

		for (struct frame *f = item->before; f && !err; f = f->next)
			err = write_record(r, &f->record);
		frames_free(item->before);
		item->before = NULL;
		if (err || item->fate != FATE_ACCEPTED || !r->io->write_path)
			continue;
		item->record.data = b->bytes + item->frame;
		err = write_record(r, &item->record);
	}
	return err;
}

static void frame_key(const u8 *ip, u8 key[static 12])
{
	memcpy(key, ip + 12, 8);
	memcpy(key + 8, ip + 4, 2);
	key[10] = ip[9];
	key[11] = 0;
}

static void frame_drop_oldest(struct run *r)
{
	struct frame *f = r->oldest;

	r->oldest = f->next;
	if (!r->oldest)
		r->newest = NULL;
	r->held_bytes -= sizeof(*f) + f->record.bytes;
	mem_free(f);
}

/* Keeps a copy; the oldest ones go when there are too many or nobody can wait for them any more. */
static int frame_hold(struct run *r, const struct item *item, const u8 *ip, const u8 *bytes)
{
	const u64 too_old_ns = 60ull * 1000000000u; /* twice the time a datagram may take */
	struct frame *f = mem_alloc(sizeof(*f) + item->record.bytes);

	if (!f)
		return diag_nomem(r->d);
	*f = (struct frame){.record = item->record};
	memcpy(f->bytes, bytes, item->record.bytes);
	f->record.data = f->bytes;
	frame_key(ip, f->key);
	*(r->newest ? &r->newest->next : &r->oldest) = f;
	r->newest = f;
	r->held_bytes += sizeof(*f) + f->record.bytes;
	while (r->held_bytes > HELD_BYTES_MAX ||
		r->oldest->record.time_ns + too_old_ns < f->record.time_ns)
		frame_drop_oldest(r);
	return 0;
}

/* Takes the datagram's fragments out of what is held, oldest first. */
static struct frame *frames_take(struct run *r, const u8 *ip)
{
	struct frame *taken = NULL, **taken_end = &taken, **at = &r->oldest;
	u8 key[12];

	frame_key(ip, key);
	r->newest = NULL;
	while (*at) {
		struct frame *f = *at;

		if (memcmp(f->key, key, sizeof(key)) != 0) {
			r->newest = f;
			at = &f->next;
			continue;
		}
		*at = f->next;
		f->next = NULL;
		*taken_end = f;
		taken_end = &f->next;
		r->held_bytes -= sizeof(*f) + f->record.bytes;
	}
	return taken;
}

/* ---- reading ---- */

/* Waits until a batch has been run, writes it out and empties it. */
static int batch_recycle(struct run *r, struct batch *b)
{
	struct filter *f = r->filter;

	pthread_mutex_lock(&f->lock);
	while (b->state == BATCH_FULL)
		pthread_cond_wait(&f->changed, &f->lock);
	pthread_mutex_unlock(&f->lock);
	int err = b->state == BATCH_DONE ? batch_write(r, b) : 0;
	b->state = BATCH_FREE;
	b->nr_items = 0;
	b->used = 0;
	return err;
}

static void batch_hand_over(struct filter *f, struct batch *b)
{
	if (!f->nr_workers) {
		batch_run(&f->reader, b);
		b->state = BATCH_DONE;
		return;
	}
	pthread_mutex_lock(&f->lock);
	b->state = BATCH_FULL;
	f->filled++;
	pthread_cond_broadcast(&f->changed);
	pthread_mutex_unlock(&f->lock);
}

static bool is_fragment(enum family family, const u8 *ip)
{
	return family == FAMILY_IPV4 && (load_be16(ip + 6) & 0x3fff);
}

/* Runs a fragment at once, in order; when records are written it must be kept until its datagram's
 * fate is known. */
static int run_fragment(struct run *r, struct batch *b, struct item *item)
{
	u8 *bytes = b->bytes + item->frame, *ip = b->bytes + item->ip;

	item_run(&r->filter->reader, b, item);
	if (!r->io->write_path || r->filter->opts.path.hook != HOOK_INPUT)
		return 0;
	if (item->fate == FATE_HELD)
		return frame_hold(r, item, ip, bytes);
	item->before = frames_take(r, ip);
	if (item->fate != FATE_ACCEPTED) {
		frames_free(item->before);
		item->before = NULL;
	}
	return 0;
}

static void fill_packet(const struct run *r, const struct record *record,
	const struct link_packet *link, struct weir_packet *packet)
{
	const struct filter_opts *opts = &r->filter->opts;

	*packet = opts->defaults;
	packet->time_ns = record->time_ns;
	packet->direction = opts->by_direction ? link->direction : DIRECTION_UNKNOWN;
	if (record->iface && !opts->iface_given) {
		bool out = opts->path.hook == HOOK_OUTPUT || opts->path.hook == HOOK_POSTROUTING;
		size_t len = strnlen(record->iface, sizeof(packet->in_iface) - 1);

		memcpy(out ? packet->out_iface : packet->in_iface, record->iface, len);
	}
	if (link->mac_source) {
		packet->has_mac = 1;
		memcpy(packet->mac_source, link->mac_source, 6);
	}
}

/* A packet that is known to go the other way never gets to these hooks. */
static bool wrong_way(const struct filter_opts *opts, u32 direction)
{
	bool outgoing = opts->path.hook == HOOK_OUTPUT || opts->path.hook == HOOK_POSTROUTING;

	return direction == (outgoing ? DIRECTION_IN : DIRECTION_OUT);
}

/* Puts a record into the batch, if its packet gets as far as the first hook. */
static int batch_add(struct run *r, struct batch *b, const struct record *record)
{
	struct filter *f = r->filter;
	const struct filter_opts *opts = &f->opts;
	struct item *item = &b->items[b->nr_items];
	struct link_packet link;

	link_parse(record, &link);
	if (link.family != f->set->family) {
		*(link.family == FAMILY_NONE ? &r->stats.not_ip : &r->stats.other_family) += 1;
		return 0;
	}
	*item = (struct item){.record = *record, .frame = (u32)b->used, .ip_bytes = link.bytes};
	fill_packet(r, record, &link, &item->packet);
	int err = r->io->meta ? meta_apply(r->io->meta, record->number, &item->packet, r->d) : 0;
	if (err)
		return err;
	if (wrong_way(opts, item->packet.direction)) {
		r->stats.other_direction++;
		return 0;
	}
	struct input_opts input = {
		.loopback = !strcmp(item->packet.in_iface, "lo"),
		.outgoing = opts->path.hook == HOOK_OUTPUT || opts->path.hook == HOOK_POSTROUTING,
		.count_cut = opts->count_cut,
	};
	enum input_reason reason = input_receive(
		link.family, link.ip, link.bytes, link.wire_bytes, &input, &item->packet.len);
	if (reason) {
		r->stats.lost[reason]++;
		return 0;
	}
	if (array_grow((void **)&b->bytes, &b->cap, b->used + record->bytes, 1))
		return diag_nomem(r->d);
	memcpy(b->bytes + b->used, record->data, record->bytes);
	item->ip = item->frame + (u32)(link.ip - record->data);
	b->used += record->bytes;
	b->nr_items++;
	return is_fragment(link.family, link.ip) ? run_fragment(r, b, item) : 0;
}

static bool stopped(const struct run *r)
{
	return r->io->stop && *r->io->stop;
}

/* Fills one batch. 1: more to come, 0: end of the capture, or -errno; the batch is valid in each
 * case. */
static int batch_fill(struct run *r, struct batch *b)
{
	while (b->nr_items < BATCH_ITEMS && b->used < BATCH_BYTES) {
		struct record record;

		int got = stopped(r) ? 0 : capture_next(r->io->capture, &record, r->d);
		if (got != 1) {
			r->at_end = got == 0;
			return got;
		}
		int err = link_check(&record, r->d);
		if (err)
			return err;
		r->stats.packets++;
		if (r->io->progress && r->stats.packets % PROGRESS_PACKETS == 0)
			r->io->progress(r->io->progress_user, r->io->capture, r->stats.packets);
		err = batch_add(r, b, &record);
		if (err)
			return err;
	}
	return 1;
}

static int read_all(struct run *r)
{
	int more = 1;

	while (more == 1) {
		struct filter *f = r->filter;
		struct batch *b = &f->ring[f->filled % f->nr_batches];
		int err = batch_recycle(r, b);

		if (err)
			return err;
		more = batch_fill(r, b);
		batch_hand_over(f, b);
	}
	return more;
}

/* Waits for what is being run and writes it, oldest first. */
static int drain(struct run *r)
{
	struct filter *f = r->filter;
	int err = 0;

	for (u32 i = 0; i < f->nr_batches; i++) {
		int failed = batch_recycle(r, &f->ring[(f->filled + i) % f->nr_batches]);

		err = err ? err : failed;
	}
	return err;
}

/* ---- the whole ---- */

static void stop_workers(struct filter *f)
{
	pthread_mutex_lock(&f->lock);
	f->stop = true;
	pthread_cond_broadcast(&f->changed);
	pthread_mutex_unlock(&f->lock);
	for (u32 i = 0; i < f->nr_workers; i++)
		if (f->workers[i].started)
			pthread_join(f->workers[i].thread, NULL);
	f->stop = false;
}

static int start_workers(struct filter *f, struct diag *d)
{
	for (u32 i = 0; i < f->nr_workers; i++) {
		struct worker *w = &f->workers[i];
		int err = pthread_create(&w->thread, NULL, worker_main, w);

		w->started = !err;
		if (err)
			return diag_fail(d, pos_none(), err,
				"worker thread %u can't be started: %s", i, thread_error_text(err));
	}
	return 0;
}

static void stats_add(struct filter_stats *to, struct lane *lane)
{
	to->accepted += lane->stats.accepted;
	to->dropped += lane->stats.dropped;
	to->hotdropped += lane->stats.hotdropped;
	to->fragments_joined += lane->stats.fragments_joined;
	for (size_t i = 0; i < NR_INPUT_REASONS; i++)
		to->lost[i] += lane->stats.lost[i];
	lane->stats = (struct filter_stats){0};
}

int filter_run(
	struct filter *f, const struct filter_io *io, struct filter_stats *stats, struct diag *d)
{
	struct run r = {.filter = f, .io = io, .d = d};

	int err = cpu_take(f->cpus, 0);
	if (err)
		return diag_fail(d, pos_none(), -err, "slot 0 is held by another thread");
	err = lane_log(&f->reader, f->set, io->log, io->log_user) ? diag_nomem(d) : 0;
	if (!err)
		err = start_workers(f, d);
	if (!err)
		err = read_all(&r);
	r.stats.complete = r.at_end;
	int write_err = drain(&r);
	stop_workers(f);
	cpu_release(f->cpus, 0);
	frames_free(r.oldest);
	if (io->write_path && !r.writer && !err && !write_err)
		write_err = capture_writer_open(io->write_path, LINKTYPE_RAW, &r.writer,
			d); /* nothing accepted: raw IP, empty */
	int close_err = capture_writer_close(r.writer, d);
	stats_add(&r.stats, &f->reader);
	for (u32 i = 0; i < f->nr_workers; i++)
		stats_add(&r.stats, &f->workers[i].lane);
	*stats = r.stats;
	return err ? err : write_err ? write_err : close_err;
}

static void counts_add(struct rule_count *to, const struct rule_count *from, u32 n)
{
	for (u32 i = 0; from && i < n; i++) {
		to[i].packets += from[i].packets;
		to[i].bytes += from[i].bytes;
	}
}

int filter_counts(const struct filter *f, struct rule_count *counts)
{
	u32 n = f->set->nr_counters;

	if (f->path.counters)
		return rules_counters_read(f->set, f->path.counters, counts);
	memset(counts, 0, n * sizeof(*counts));
	counts_add(counts, f->reader.counts, n);
	for (u32 i = 0; i < f->nr_workers; i++)
		counts_add(counts, f->workers[i].lane.counts, n);
	return 0;
}
