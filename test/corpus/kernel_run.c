/* The kernel's side of the comparison: libbpf loads, BPF_PROG_TEST_RUN runs, on CPU 0 and in a network namespace of its own.
 * Data maps are called as their sections are. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "driver.h"

enum { MAPS_MAX = 64, LOG_BYTES = 1 << 24 };

static struct bpf_object *object;
static struct bpf_map *maps[MAPS_MAX];
static struct perf_buffer *perf_buffers[MAPS_MAX];
static size_t nr_maps;
static char *log_text;
static int cpus;

/* ---- the machine ---- */

/* Loopback is interface 1, and up. */
static int own_network(void)
{
	struct ifreq req = {.ifr_name = "lo"};
	int s, ret;

	if (unshare(CLONE_NEWNET))
		return -errno;
	s = socket(AF_INET, SOCK_DGRAM, 0);
	if (s < 0)
		return -errno;
	req.ifr_flags = IFF_UP | IFF_RUNNING;
	ret = ioctl(s, SIOCSIFFLAGS, &req) ? -errno : 0;
	close(s);
	return ret;
}

static int quiet(enum libbpf_print_level level, const char *format, va_list args)
{
	if (level == LIBBPF_WARN && getenv("WEIR_CORPUS_VERBOSE"))
		return vfprintf(stderr, format, args);
	return 0;
}

static int kernel_open(const char *path, char **words)
{
	struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
	cpu_set_t one;
	int ret;

	(void)words;
	if (geteuid() != 0)
		return -EPERM;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	setrlimit(RLIMIT_MEMLOCK, &unlimited);
	ret = own_network();
	if (ret)
		return ret;
	libbpf_set_print(quiet);
	cpus = libbpf_num_possible_cpus();
	log_text = calloc(1, LOG_BYTES);
	LIBBPF_OPTS(bpf_object_open_opts, opts, .kernel_log_buf = log_text,
		.kernel_log_size = LOG_BYTES);
	object = bpf_object__open_file(path, &opts);
	return object ? 0 : -errno;
}

/* ---- before the load ---- */

static const char *map_name(const struct bpf_map *m)
{
	const char *name = bpf_map__name(m), *dot = strchr(name, '.');

	return bpf_map__is_internal(m) && dot ? dot : name;
}

static struct bpf_map *map_by_name(const char *name)
{
	struct bpf_map *m;

	bpf_object__for_each_map(m, object) if (!strcmp(map_name(m), name)) return m;
	return NULL;
}

static int kernel_set_type(const char *program, const char *type)
{
	static const struct {
		const char *name;
		enum bpf_prog_type type;
	} types[] = {
		{"socket_filter", BPF_PROG_TYPE_SOCKET_FILTER},
		{"sched_cls", BPF_PROG_TYPE_SCHED_CLS},
		{"sched_act", BPF_PROG_TYPE_SCHED_ACT},
		{"xdp", BPF_PROG_TYPE_XDP},
		{"cgroup_skb", BPF_PROG_TYPE_CGROUP_SKB},
	};
	struct bpf_program *p = bpf_object__find_program_by_name(object, program);

	for (size_t i = 0; p && i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i].name, type))
			return bpf_program__set_type(p, types[i].type);
	return -ENOENT;
}

static int kernel_only(const char *program)
{
	struct bpf_program *p;

	bpf_object__for_each_program(p, object)
		bpf_program__set_autoload(p, !strcmp(bpf_program__name(p), program));
	return 0;
}

static int kernel_skip(const char *program)
{
	struct bpf_program *p = bpf_object__find_program_by_name(object, program);

	return p ? bpf_program__set_autoload(p, false) : -ENOENT;
}

static int kernel_init(const char *map, size_t off, const void *bytes, size_t len)
{
	struct bpf_map *m = map_by_name(map);
	size_t size = 0;
	char *data;

	if (!m)
		return -ENOENT;
	data = (char *)bpf_map__initial_value(m, &size);
	if (!data || off > size || len > size - off)
		return -EINVAL;
	memcpy(data + off, bytes, len);
	return 0;
}

/* The last lines in front of the statistics: the reason is among them. */
static void last_reason(char *why, size_t why_bytes)
{
	char *end = strstr(log_text, "\nprocessed "), *start;

	if (!end)
		end = log_text + strlen(log_text);
	*end = '\0';
	start = end;
	for (int lines = 0; start > log_text && lines < 5; start--)
		lines += start[-1] == '\n';
	snprintf(why, why_bytes, "%s", start);
}

static void record(void *arg, int cpu, void *data, __u32 len);

static int kernel_load(char *why, size_t why_bytes)
{
	int ret = bpf_object__load(object);
	struct bpf_map *m;

	if (ret) {
		last_reason(why, why_bytes);
		return ret;
	}
	bpf_object__for_each_map(m, object)
	{
		if (nr_maps == MAPS_MAX)
			return -E2BIG;
		if (bpf_map__type(m) == BPF_MAP_TYPE_PERF_EVENT_ARRAY) {
			perf_buffers[nr_maps] =
				perf_buffer__new(bpf_map__fd(m), 8, record, NULL, NULL, NULL);
			if (!perf_buffers[nr_maps])
				return -errno;
		}
		maps[nr_maps++] = m;
	}
	return 0;
}

/* ---- maps from outside ---- */

static bool per_cpu(const struct bpf_map *m)
{
	enum bpf_map_type type = bpf_map__type(m);

	return type == BPF_MAP_TYPE_PERCPU_ARRAY || type == BPF_MAP_TYPE_PERCPU_HASH ||
	       type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

static size_t outside_bytes(const struct bpf_map *m)
{
	size_t bytes = bpf_map__value_size(m);

	return per_cpu(m) ? (bytes + 7) / 8 * 8 * (size_t)cpus : bytes;
}

static int kernel_set(
	const char *map, const void *key, size_t key_bytes, const void *value, size_t value_bytes)
{
	struct bpf_map *m = map_by_name(map);
	size_t copies, stride;
	char *all;
	int ret;

	if (!m)
		return -ENOENT;
	if (key_bytes != bpf_map__key_size(m) || value_bytes != bpf_map__value_size(m))
		return -EMSGSIZE;
	copies = per_cpu(m) ? (size_t)cpus : 1;
	stride = (value_bytes + 7) / 8 * 8;
	all = calloc(copies, stride);
	for (size_t i = 0; i < copies; i++)
		memcpy(all + i * stride, value, value_bytes);
	ret = bpf_map_update_elem(bpf_map__fd(m), key, all, BPF_ANY);
	free(all);
	return ret;
}

static int kernel_push(const char *map, const void *value, size_t value_bytes)
{
	struct bpf_map *m = map_by_name(map);

	if (!m || value_bytes != bpf_map__value_size(m))
		return m ? -EMSGSIZE : -ENOENT;
	return bpf_map_update_elem(bpf_map__fd(m), NULL, value, BPF_ANY);
}

static int kernel_set_program(const char *map, uint32_t index, const char *program)
{
	struct bpf_program *p = bpf_object__find_program_by_name(object, program);
	struct bpf_map *m = map_by_name(map);
	int fd;

	if (!m || !p)
		return -ENOENT;
	fd = bpf_program__fd(p);
	return bpf_map_update_elem(bpf_map__fd(m), &index, &fd, BPF_ANY);
}

static int kernel_set_map(const char *map, const void *key, size_t key_bytes, const char *inner)
{
	struct bpf_map *m = map_by_name(map), *in = map_by_name(inner);
	int fd;

	if (!m || !in || key_bytes != bpf_map__key_size(m))
		return -ENOENT;
	fd = bpf_map__fd(in);
	return bpf_map_update_elem(bpf_map__fd(m), key, &fd, BPF_ANY);
}

static bool kernel_map(size_t i, const char **name, const char **type)
{
	if (i >= nr_maps)
		return false;
	*name = map_name(maps[i]);
	*type = libbpf_bpf_map_type_str(bpf_map__type(maps[i]));
	return true;
}

/* What a value is to user space alone: numbers of programs and maps are this kernel's own. */
static bool value_is_number_of_object(const struct bpf_map *m)
{
	enum bpf_map_type type = bpf_map__type(m);

	return type == BPF_MAP_TYPE_PROG_ARRAY || type == BPF_MAP_TYPE_ARRAY_OF_MAPS ||
	       type == BPF_MAP_TYPE_HASH_OF_MAPS;
}

static void take_all(const struct bpf_map *m, driver_entry_fn fn)
{
	char *value = calloc(1, bpf_map__value_size(m));

	while (!bpf_map_lookup_and_delete_elem(bpf_map__fd(m), NULL, value))
		fn("", 0, value, bpf_map__value_size(m));
	free(value);
}

static void kernel_entries(size_t i, driver_entry_fn fn)
{
	const struct bpf_map *m = maps[i];
	size_t key_bytes = bpf_map__key_size(m), value_bytes = outside_bytes(m);
	int fd = bpf_map__fd(m);
	char *key, *next, *value;
	bool first = true;

	if (bpf_map__type(m) == BPF_MAP_TYPE_QUEUE || bpf_map__type(m) == BPF_MAP_TYPE_STACK) {
		take_all(m, fn);
		return;
	}
	if (!key_bytes || bpf_map__type(m) == BPF_MAP_TYPE_PERF_EVENT_ARRAY)
		return;
	key = calloc(1, key_bytes);
	next = calloc(1, key_bytes);
	value = calloc(1, value_bytes);
	while (!bpf_map_get_next_key(fd, first ? NULL : key, next)) {
		first = false;
		memcpy(key, next, key_bytes);
		if (!bpf_map_lookup_elem(fd, key, value))
			fn(key, key_bytes, value, value_is_number_of_object(m) ? 0 : value_bytes);
	}
	free(key);
	free(next);
	free(value);
}

static driver_record_fn record_fn;

static int ring_record(void *arg, void *data, size_t len)
{
	(void)arg;
	record_fn(data, len);
	return 0;
}

static void record(void *arg, int cpu, void *data, __u32 len)
{
	(void)arg;
	(void)cpu;
	record_fn(data, len);
}

static void kernel_records(size_t i, driver_record_fn fn)
{
	struct ring_buffer *rb;

	record_fn = fn;
	if (perf_buffers[i])
		perf_buffer__consume(perf_buffers[i]);
	if (bpf_map__type(maps[i]) != BPF_MAP_TYPE_RINGBUF)
		return;
	rb = ring_buffer__new(bpf_map__fd(maps[i]), ring_record, NULL, NULL);
	if (rb)
		ring_buffer__consume(rb);
	ring_buffer__free(rb);
}

/* ---- runs ---- */

static void skb_from_ctx(struct __sk_buff *skb, const struct driver_ctx *c)
{
	skb->mark = (uint32_t)c->mark;
	skb->priority = (uint32_t)c->priority;
	skb->ingress_ifindex = (uint32_t)c->ingress_ifindex;
	skb->ifindex = (uint32_t)c->ifindex;
	for (int i = 0; i < 5; i++)
		skb->cb[i] = (uint32_t)c->cb[i];
	skb->tstamp = c->tstamp;
	skb->wire_len = (uint32_t)c->wire_len;
	skb->gso_segs = (uint32_t)c->gso_segs;
	skb->gso_size = (uint32_t)c->gso_size;
	skb->hwtstamp = c->hwtstamp;
}

static void ctx_from_skb(struct driver_ctx *c, const struct __sk_buff *skb)
{
	c->mark = skb->mark;
	c->priority = skb->priority;
	c->ingress_ifindex = skb->ingress_ifindex;
	c->ifindex = skb->ifindex;
	for (int i = 0; i < 5; i++)
		c->cb[i] = skb->cb[i];
	c->tstamp = skb->tstamp;
	c->wire_len = skb->wire_len;
	c->gso_segs = skb->gso_segs;
	c->gso_size = skb->gso_size;
	c->hwtstamp = skb->hwtstamp;
}

static int kernel_run(struct driver_run *run)
{
	struct bpf_program *p = bpf_object__find_program_by_name(object, run->program);
	static uint8_t out[DRIVER_DATA_MAX];
	struct __sk_buff skb = {0};
	struct xdp_md xdp = {0};
	int ret;

	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = run->data,
		.data_size_in = (uint32_t)run->len, .data_out = out, .data_size_out = sizeof(out),
		.repeat = 1);
	if (!p)
		return -ENOENT;
	run->kind = bpf_program__type(p) == BPF_PROG_TYPE_XDP ? DRIVER_XDP : DRIVER_SKB;
	if (run->kind == DRIVER_SKB) {
		skb_from_ctx(&skb, &run->ctx);
		opts.ctx_in = opts.ctx_out = &skb;
		opts.ctx_size_in = sizeof(skb);
		opts.ctx_size_out = sizeof(skb);
	} else {
		xdp.data = (uint32_t)run->ctx.meta;
		xdp.data_end = (uint32_t)run->len;
		xdp.rx_queue_index = (uint32_t)run->ctx.rx_queue_index;
		opts.ctx_in = opts.ctx_out =
			&xdp; /* who asks for one on the way out has given one */
		opts.ctx_size_in = sizeof(xdp);
		opts.ctx_size_out = sizeof(xdp);
	}
	ret = bpf_prog_test_run_opts(bpf_program__fd(p), &opts);
	if (ret)
		return ret;
	run->retval = opts.retval;
	run->len = opts.data_size_out;
	memcpy(run->data, out, run->len);
	if (run->kind == DRIVER_SKB && opts.ctx_size_out)
		ctx_from_skb(&run->ctx, &skb);
	if (run->kind == DRIVER_XDP)
		run->ctx = (struct driver_ctx){
			.meta = xdp.data - xdp.data_meta, .rx_queue_index = xdp.rx_queue_index};
	return 0;
}

int main(int argc, char **argv)
{
	static const struct backend kernel = {
		.open = kernel_open,
		.set_type = kernel_set_type,
		.only = kernel_only,
		.skip = kernel_skip,
		.init = kernel_init,
		.load = kernel_load,
		.set = kernel_set,
		.push = kernel_push,
		.set_program = kernel_set_program,
		.set_map = kernel_set_map,
		.run = kernel_run,
		.map = kernel_map,
		.entries = kernel_entries,
		.records = kernel_records,
	};

	return driver_main(argc, argv, &kernel);
}
