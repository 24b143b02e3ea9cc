/* weir's side of the comparison, through the public interface of objects. One more word on the command line: "native",
 * "interpreter", or "needed" (the interpreter behind the needed passes only). Frames are described as the kernel's test
 * runs describe theirs. WEIR_CORPUS_CPUS: how many slots, if not as many as this machine has CPUs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"
#include "progtype/frame.h"
#include "weir/object.h"

enum {
	PAGE = 4096,
	SHARED_INFO = 320,
	SKB_ROOM = 3 * PAGE
}; /* struct skb_shared_info ends what XDP gets of a page */

static struct weir_engine *engine;
static struct weir_object *object;
static struct weir_slot *slot;
static enum weir_mode mode = WEIR_MODE_NATIVE;

static int say(int ret, const struct weir_error *error)
{
	if (ret && getenv("WEIR_CORPUS_VERBOSE"))
		fprintf(stderr, "%s\n", error->message);
	return ret;
}

static int read_mode(char **words, struct weir_object_opts *opts)
{
	const char *word = words[0] ? words[0] : "native";

	if (!strcmp(word, "native"))
		return 0;
	mode = WEIR_MODE_INTERPRETER;
	if (!strcmp(word, "needed"))
		opts->skip_passes = "*";
	else if (strcmp(word, "interpreter") != 0)
		return -EINVAL;
	return 0;
}

static int weir_open(const char *path, char **words)
{
	const char *wish = getenv("WEIR_CORPUS_CPUS");
	uint32_t cpus = (uint32_t)(wish ? strtoul(wish, NULL, 10)
					: (unsigned long)sysconf(_SC_NPROCESSORS_CONF));
	struct weir_object_opts opts = {0};
	struct weir_error error = {0};
	int ret = read_mode(words, &opts);

	if (!ret)
		ret = weir_engine_new(cpus, &engine, &error);
	if (!ret)
		ret = weir_slot_take(engine, 0, &slot);
	if (!ret)
		ret = weir_object_open(path, &opts, &object, &error);
	return say(ret, &error);
}

/* ---- before the load ---- */

static int weir_set_type(const char *program, const char *type)
{
	static const enum weir_program_type types[] = {WEIR_PROG_SOCKET_FILTER, WEIR_PROG_SCHED_CLS,
		WEIR_PROG_SCHED_ACT, WEIR_PROG_XDP, WEIR_PROG_CGROUP_SKB};
	int p = weir_object_find_program(object, program);

	for (size_t i = 0; p >= 0 && i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(weir_program_type_name(types[i]), type))
			return weir_object_set_program_type(object, (size_t)p, types[i]);
	return -ENOENT;
}

static int weir_only(const char *program)
{
	for (size_t i = 0; i < weir_object_programs(object); i++)
		weir_object_set_autoload(
			object, i, !strcmp(weir_object_program(object, i)->name, program));
	return 0;
}

static int weir_skip(const char *program)
{
	int p = weir_object_find_program(object, program);

	return p < 0 ? p : weir_object_set_autoload(object, (size_t)p, false);
}

static int weir_init(const char *map, size_t off, const void *bytes, size_t len)
{
	int m = weir_object_find_map(object, map);
	size_t size = 0;
	char *data = m < 0 ? NULL : weir_object_map_data(object, (size_t)m, &size);

	if (!data)
		return -ENOENT;
	if (off > size || len > size - off)
		return -EINVAL;
	memcpy(data + off, bytes, len);
	return 0;
}

static int weir_load(char *why, size_t why_bytes)
{
	struct weir_error error = {0};
	int ret = weir_object_load(object, engine, mode, NULL, &error);

	if (ret)
		snprintf(why, why_bytes, "%s", error.message);
	return ret;
}

/* ---- maps from outside ---- */

static struct weir_map *map_by_name(const char *name)
{
	int i = weir_object_find_map(object, name);

	return i < 0 ? NULL : weir_object_loaded_map(object, (size_t)i);
}

static int weir_set(
	const char *map, const void *key, size_t key_bytes, const void *value, size_t value_bytes)
{
	struct weir_map *m = map_by_name(map);
	struct weir_map_spec spec;
	size_t stride = (value_bytes + 7) / 8 * 8, all_bytes;
	char *all;
	int ret;

	if (!m || weir_map_info(m, &spec))
		return -ENOENT;
	if (key_bytes != spec.key_size || value_bytes != spec.value_size)
		return -EMSGSIZE;
	all_bytes = weir_map_value_bytes(m);
	all = calloc(1, all_bytes + stride);
	for (size_t at = 0; at < all_bytes; at += stride)
		memcpy(all + at, value, value_bytes);
	ret = weir_map_update(m, key, all, WEIR_ANY);
	free(all);
	return ret;
}

static int weir_push(const char *map, const void *value, size_t value_bytes)
{
	struct weir_map *m = map_by_name(map);
	struct weir_map_spec spec;

	if (!m || weir_map_info(m, &spec))
		return -ENOENT;
	return value_bytes == spec.value_size ? weir_map_push(m, value, WEIR_ANY) : -EMSGSIZE;
}

static struct weir_program *program_by_name(const char *name, enum weir_program_type *type)
{
	int p = weir_object_find_program(object, name);

	if (p < 0)
		return NULL;
	if (type)
		*type = weir_object_program(object, (size_t)p)->type;
	return weir_object_loaded_program(object, (size_t)p);
}

static int weir_set_program(const char *map, uint32_t index, const char *program)
{
	struct weir_program *p = program_by_name(program, NULL);
	struct weir_map *m = map_by_name(map);

	return m && p ? weir_map_set_program(m, index, p) : -ENOENT;
}

static int weir_set_map(const char *map, const void *key, size_t key_bytes, const char *inner)
{
	struct weir_map *m = map_by_name(map), *in = map_by_name(inner);

	(void)key_bytes;
	return m && in ? weir_map_set_map(m, key, in, WEIR_ANY) : -ENOENT;
}

static bool weir_map_at(size_t i, const char **name, const char **type)
{
	const struct weir_object_map *m = weir_object_map(object, i);

	if (!m)
		return false;
	*name = m->name;
	*type = weir_map_type_name(m->spec.type);
	if (!*type)
		*type = "?";
	return true;
}

/* Values that are numbers of programs and maps are left out, as on the kernel's side. */
static size_t shown_bytes(struct weir_map *m, enum weir_map_type type)
{
	return type == WEIR_MAP_PROG_ARRAY || type == WEIR_MAP_ARRAY_OF_MAPS ||
			       type == WEIR_MAP_HASH_OF_MAPS
		       ? 0
		       : weir_map_value_bytes(m);
}

static void weir_entries(size_t i, driver_entry_fn fn)
{
	struct weir_map *m = weir_object_loaded_map(object, i);
	struct weir_map_spec spec;
	char *key, *next, *value;
	bool first = true;

	if (!m || weir_map_info(m, &spec))
		return;
	if (spec.type == WEIR_MAP_PERF_EVENT_ARRAY)
		return;
	key = calloc(1, spec.key_size + 1);
	next = calloc(1, spec.key_size + 1);
	value = calloc(1, weir_map_value_bytes(m) + 8);
	if (spec.type == WEIR_MAP_QUEUE || spec.type == WEIR_MAP_STACK)
		while (!weir_map_pop(m, value))
			fn("", 0, value, spec.value_size);
	while (spec.key_size && !weir_map_next(m, first ? NULL : key, next)) {
		first = false;
		memcpy(key, next, spec.key_size);
		if (!weir_map_lookup(m, key, value))
			fn(key, spec.key_size, value, shown_bytes(m, spec.type));
	}
	free(key);
	free(next);
	free(value);
}

static int one_record(void *arg, uint32_t number, const void *data, size_t len)
{
	driver_record_fn fn;

	(void)number;
	memcpy(&fn, arg, sizeof(fn));
	fn(data, len);
	return 0;
}

static void weir_records(size_t i, driver_record_fn fn)
{
	struct weir_map *m = weir_object_loaded_map(object, i);
	enum weir_map_type type = weir_object_map(object, i)->spec.type;

	if (m && (type == WEIR_MAP_RINGBUF || type == WEIR_MAP_PERF_EVENT_ARRAY))
		weir_map_consume(m, one_record, &fn, NULL);
}

/* ---- runs ---- */

/* What the kernel takes from a context, and how it checks it. */
static int skb_from_ctx(struct weir_frame *f, const struct driver_ctx *c)
{
	if (c->wire_len && c->wire_len < f->len)
		return -EINVAL;
	f->mark = (uint32_t)c->mark;
	f->priority = (uint32_t)c->priority;
	f->ingress_ifindex = (uint32_t)c->ingress_ifindex;
	for (int i = 0; i < 5; i++)
		f->cb[i] = (uint32_t)c->cb[i];
	f->tstamp = c->tstamp;
	f->wire_len = c->wire_len ? (uint32_t)c->wire_len : f->len;
	f->gso_segs = (uint32_t)c->gso_segs;
	f->gso_size = (uint32_t)c->gso_size;
	f->hwtstamp = c->hwtstamp;
	return 0;
}

static void ctx_from_skb(struct driver_ctx *c, const struct weir_frame *f)
{
	*c = (struct driver_ctx){.mark = f->mark,
		.priority = f->priority,
		.ingress_ifindex = f->ingress_ifindex,
		.ifindex = f->ifindex,
		.cb = {f->cb[0], f->cb[1], f->cb[2], f->cb[3], f->cb[4]},
		.tstamp = f->tstamp,
		.wire_len = f->wire_len,
		.gso_segs = f->gso_segs,
		.gso_size = f->gso_size,
		.hwtstamp = f->hwtstamp};
}

/* The packet as the kernel hands it out: with metadata, and zeros where programs saw no link layer. */
static void take_packet(struct driver_run *run, const struct weir_frame *f)
{
	size_t front = f->mac_off < 0 ? (size_t)-f->mac_off : 0;
	uint64_t start = run->kind == DRIVER_XDP ? f->meta : f->data;

	run->len = f->data_end - start + front;
	if (run->len > sizeof(run->data))
		run->len = sizeof(run->data);
	memset(run->data, 0, front);
	memcpy(run->data + front, (const void *)(uintptr_t)start, run->len - front);
}

static int make_frame(
	struct weir_frame *f, const struct driver_run *run, enum weir_program_type type)
{
	static uint8_t buffer[2 * SKB_ROOM];

	memset(buffer, 0,
		sizeof(buffer)); /* as the kernel's is: programs see what is in front of a packet */
	if (run->kind == DRIVER_XDP) {
		if (run->ctx.meta > run->len)
			return -EINVAL;
		int ret = frame_init(f, buffer, PAGE - SHARED_INFO, FRAME_XDP_HEADROOM, run->data,
			run->len, (enum prog_type)type);
		f->data += run->ctx.meta;
		f->len -= (uint32_t)run->ctx.meta;
		f->rx_queue_index = (uint32_t)run->ctx.rx_queue_index;
		return ret;
	}
	int ret = frame_init(
		f, buffer, sizeof(buffer), PAGE, run->data, run->len, (enum prog_type)type);
	return ret ? ret : skb_from_ctx(f, &run->ctx);
}

static int weir_run_one(struct driver_run *run)
{
	enum weir_program_type type = 0;
	struct weir_program *p = program_by_name(run->program, &type);
	struct weir_frame frame;
	uint64_t result = 0;
	int ret;

	if (!p)
		return -ENOENT;
	run->kind = type == WEIR_PROG_XDP ? DRIVER_XDP : DRIVER_SKB;
	ret = make_frame(&frame, run, type);
	if (!ret)
		ret = weir_run_frame(p, slot, &frame, &result);
	if (ret)
		return ret;
	run->retval = (uint32_t)result;
	take_packet(run, &frame);
	if (run->kind == DRIVER_SKB)
		ctx_from_skb(&run->ctx, &frame);
	else
		run->ctx = (struct driver_ctx){
			.meta = frame.data - frame.meta, .rx_queue_index = frame.rx_queue_index};
	return 0;
}

int main(int argc, char **argv)
{
	static const struct backend weir = {
		.open = weir_open,
		.set_type = weir_set_type,
		.only = weir_only,
		.skip = weir_skip,
		.init = weir_init,
		.load = weir_load,
		.set = weir_set,
		.push = weir_push,
		.set_program = weir_set_program,
		.set_map = weir_set_map,
		.run = weir_run_one,
		.map = weir_map_at,
		.entries = weir_entries,
		.records = weir_records,
	};
	int ret = driver_main(argc, argv, &weir);

	weir_object_free(object);
	weir_slot_release(slot);
	weir_engine_free(engine);
	return ret;
}
