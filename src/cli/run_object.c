/* weir run OBJ. The stages: open and choose, load with the maps as the command line wants them, packets, results. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "cli/control.h"
#include "cli/map_set.h"
#include "cli/map_text.h"
#include "cli/run_cli.h"
#include "cli/run_tally.h"
#include "progtype/frame.h"
#include "run/link.h"

enum {
	LINK_ETHERNET = 1,
	ETHERNET_BYTES = 14,
	PACKET_BYTES_MAX = 1 << 20,
	SKB_HEADROOM = 16384, /* the kernel makes more when it is needed */
	ROOM_BYTES = PACKET_BYTES_MAX + 2 * SKB_HEADROOM,
	XDP_BYTES = 4096 -
		    320, /* as in the kernel's test runs: a page without struct skb_shared_info */
	JIFFY_NS = 4000000,
	LOOPBACK = 1,
	LOOPBACK_MTU = 65536,
};

/* One packet as it is before the first run on it. */
struct packet {
	const u8 *bytes;
	u32 len;
	u64 time_ns;
};

struct object_run {
	const struct run_cli *c;
	const char *path;
	struct weir_object *object;
	size_t index;
	enum weir_program_type type;
	struct weir_engine *engine;
	struct weir_slot *slot;
	struct weir_program *program;
	struct map_set maps;
	struct control *control;
	struct capture_writer *writer;
	struct tally tally;
	struct weir_frame last; /* after its run */
	u64 last_result;
	u64 now_ns; /* of the packet; 0: the machine's clocks count */
	u8 *room;   /* PACKET_BYTES_MAX + ROOM_BYTES */
	u8 *headed; /* a packet with an Ethernet header that its capture lacks */
	u64 cut, not_ip, too_short;
	bool write_failed;
	struct diag d;
};

/* ---- what programs find around them ---- */

static u64 packet_time(void *arg, enum weir_clock clock)
{
	const struct object_run *r = arg;

	return clock == WEIR_CLOCK_JIFFIES ? r->now_ns / JIFFY_NS : r->now_ns;
}

static void print_trace(void *arg, const char *text, size_t len)
{
	(void)arg;
	fprintf(stderr, "trace: %.*s\n", (int)len, text);
}

/* Interface 1 is loopback, as in the kernel's test runs; nothing is known of others. */
static int mtu_of(void *arg, uint32_t ifindex)
{
	(void)arg;
	return ifindex == LOOPBACK ? LOOPBACK_MTU : -1;
}

static void write_frame(struct object_run *r, const struct weir_frame *frame)
{
	struct record record = {.data = (const u8 *)(uintptr_t)frame->data,
		.bytes = (u32)(frame->data_end - frame->data),
		.link = r->type == WEIR_PROG_CGROUP_SKB || r->type == WEIR_PROG_NETFILTER
				? LINKTYPE_RAW
				: LINK_ETHERNET,
		.time_ns = r->now_ns ? r->now_ns : frame->time_ns};

	record.wire_bytes = record.bytes;
	if (r->type == WEIR_PROG_SOCKET_FILTER && (u32)r->last_result < record.bytes)
		record.bytes = (u32)r->last_result;
	if (r->writer && !r->write_failed && capture_writer_put(r->writer, &record, &r->d)) {
		r->write_failed = true;
		report(&r->d);
	}
}

static int take_clone(void *arg, const struct weir_frame *frame, uint32_t ifindex, uint64_t flags)
{
	struct object_run *r = arg;

	(void)flags;
	tally_clone(&r->tally, ifindex);
	write_frame(r, frame);
	return 0;
}

/* ---- loading ---- */

/* NAME of NAME or NAME=SPEC. */
static struct str name_of(const char *arg, struct str *spec)
{
	struct str name;

	if (!str_split(str_of(arg), '=', &name, spec))
		spec->p = NULL;
	return name;
}

static bool entries_of(struct str spec, u32 *entries)
{
	static const char label[] = "entries:";
	size_t len = strlen(label);

	return spec.p && spec.len > len && !memcmp(spec.p, label, len) &&
	       str_to_u32(str_new(spec.p + len, spec.len - len), entries);
}

static int find_map(struct object_run *r, struct str name)
{
	char *text = mem_strndup(name.p, name.len);
	int found = text ? weir_object_find_map(r->object, text) : -ENOMEM;

	mem_free(text);
	if (found == -ENOMEM)
		out_of_memory();
	else if (found < 0)
		complain("%s: there is no map '%.*s' (weir inspect lists them)", r->path,
			(int)name.len, name.p);
	return found;
}

static int size_maps(struct object_run *r)
{
	for (u32 i = 0; i < r->c->nr_maps; i++) {
		struct str spec, name = name_of(r->c->maps[i], &spec);
		int index = find_map(r, name);
		u32 entries;

		if (index < 0)
			return index == -ENOMEM ? EXIT_SYSTEM : EXIT_USAGE;
		if (entries_of(spec, &entries) &&
			weir_object_set_map_size(r->object, (size_t)index, entries)) {
			complain("map %.*s: the number of entries can't be changed", (int)name.len,
				name.p);
			return EXIT_USAGE;
		}
	}
	return EXIT_OK;
}

static int fill_maps(struct object_run *r)
{
	for (u32 i = 0; i < r->c->nr_maps; i++) {
		struct str spec, name = name_of(r->c->maps[i], &spec);
		u32 entries;

		if (!spec.p || entries_of(spec, &entries))
			continue;
		int err = map_fill(&r->maps, map_set_find(&r->maps, name), spec, &r->d);
		if (err) {
			report(&r->d);
			return err == -EINVAL ? EXIT_USAGE : EXIT_REFUSED;
		}
	}
	return EXIT_OK;
}

static int list_maps(struct object_run *r)
{
	for (size_t i = 0; i < weir_object_maps(r->object); i++) {
		const struct weir_object_map *om = weir_object_map(r->object, i);
		struct set_map m = {.name = (char *)om->name,
			.spec = om->spec,
			.map = weir_object_loaded_map(r->object, i),
			.object = r->object,
			.index = i};

		if (m.map && map_set_add(&r->maps, &m))
			return -ENOMEM;
	}
	r->maps.engine = r->engine;
	return 0;
}

static int load_saved(struct object_run *r)
{
	struct buf text = {0};
	int err = read_file(r->c->load_maps, UINT32_MAX, &text, &r->d);

	if (!err)
		err = map_set_read(&r->maps, r->c->load_maps,
			str_new(text.data ? (char *)text.data : "", text.len), &r->d);
	buf_fini(&text);
	if (err)
		report(&r->d);
	return err ? exit_code_of(err) : EXIT_OK;
}

/* --map ARRAY=KEY=prog:NAME,... */
static void load_named(struct object_run *r, struct str spec)
{
	struct str entry, key, value, kind, name;

	while (spec.p && spec.len) {
		str_split(spec, ',', &entry, &spec);
		if (!str_split(entry, '=', &key, &value) || !str_split(value, ':', &kind, &name) ||
			!str_eq(kind, "prog"))
			continue;
		char *text = mem_strndup(name.p, name.len);
		int i = text ? weir_object_find_program(r->object, text) : -ENOMEM;
		if (i >= 0)
			weir_object_set_autoload(r->object, (size_t)i, true);
		mem_free(text);
	}
}

/* Only the chosen program, and what prog arrays name, is loaded: others may be of types that don't run here. */
static void choose_autoload(struct object_run *r)
{
	for (size_t i = 0; i < weir_object_programs(r->object); i++)
		weir_object_set_autoload(r->object, i, i == r->index);
	for (u32 i = 0; i < r->c->nr_maps; i++) {
		struct str spec;

		name_of(r->c->maps[i], &spec);
		load_named(r, spec);
	}
}

/* --var NAME=VALUE: global variables before anything is loaded, so that constants are what the verifier sees. */
static int set_variables(struct object_run *r)
{
	for (u32 i = 0; i < r->c->nr_vars; i++) {
		struct str spec, name = name_of(r->c->vars[i], &spec);
		size_t map, off, len;
		char *text = mem_strndup(name.p, name.len);
		int err = text ? weir_object_variable(r->object, text, &map, &off, &len) : -ENOMEM;

		mem_free(text);
		if (err == -ENOMEM)
			return out_of_memory();
		const char *why =
			err ? "there is no such global variable"
			    : cell_parse(spec.p ? spec : str_new("", 0), false,
				      (u8 *)weir_object_map_data(r->object, map, NULL) + off,
				      (u32)len);

		if (!why)
			continue;
		complain("--var %s: %s", r->c->vars[i], why);
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

static int load_programs(struct object_run *r)
{
	struct weir_error error = {0};

	choose_autoload(r);
	if (weir_object_load(r->object, r->engine, r->c->mode, NULL, &error)) {
		int code = report_error(r->path, &error);

		explain_no_memory(weir_object_program(r->object, r->index));
		return code;
	}
	r->program = weir_object_loaded_program(r->object, r->index);
	return EXIT_OK;
}

static int load(struct object_run *r)
{
	struct weir_error error = {0};
	int code = size_maps(r);

	if (!code)
		code = set_variables(r);
	if (code)
		return code;
	if (weir_engine_new_sparse(r->c->slots, &r->engine, &error))
		return report_error(NULL, &error);
	weir_engine_announce(r->engine, r->c->announce);
	weir_engine_harden(r->engine, r->c->harden);
	code = load_programs(r);
	if (!code && (list_maps(r) || weir_slot_take(r->engine, r->c->cpu, &r->slot)))
		code = out_of_memory();
	if (!code && r->c->load_maps)
		code = load_saved(r);
	if (!code)
		code = fill_maps(r);
	if (!code && r->c->control && control_start(r->c->control, &r->maps, &r->control, &r->d)) {
		report(&r->d);
		code = EXIT_SYSTEM;
	}
	return code;
}

/* ---- packets ---- */

static u64 clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (u64)now.tv_sec * 1000000000u + (u64)now.tv_nsec;
}

/* The packet as the program finds it, in `room`. */
static int prepare(
	const struct object_run *r, u8 *room, const struct packet *p, struct weir_frame *frame)
{
	if (r->type == WEIR_PROG_RAW) {
		memcpy(room, p->bytes, p->len);
		frame->len = p->len;
		return 0;
	}
	bool xdp = r->type == WEIR_PROG_XDP;
	size_t capacity = !xdp                                      ? ROOM_BYTES
			  : p->len > XDP_BYTES - FRAME_XDP_HEADROOM ? p->len + FRAME_XDP_HEADROOM
								    : XDP_BYTES;
	int err = frame_init(frame, room, capacity, xdp ? FRAME_XDP_HEADROOM : SKB_HEADROOM,
		p->bytes, p->len, (enum prog_type)r->type);
	if (err)
		return err;
	frame->time_ns = p->time_ns;
	ctx_apply(&r->c->ctx, frame);
	return 0;
}

static int run_once(struct object_run *r, const struct packet *p)
{
	int err = prepare(r, r->room, p, &r->last);

	if (err)
		return err;
	return r->type == WEIR_PROG_RAW
		       ? weir_run(r->program, r->slot, r->room, p->len, &r->last_result)
		       : weir_run_frame(r->program, r->slot, &r->last, &r->last_result);
}

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	(void)number;
	interrupted = 1;
}

/* One run after the other, each on the packet as it was. Putting it back takes time, which isn't the program's. */
static int run_packet(struct object_run *r, const struct packet *p)
{
	u64 start = clock_ns(), middle;
	struct weir_frame again;
	int err = 0;

	r->now_ns = p->time_ns;
	u32 runs = 0;
	while (!err && runs < r->c->repeat && (!runs || !interrupted)) {
		err = run_once(r, p);
		runs++;
	}
	middle = clock_ns();
	if (err)
		return err;
	for (u32 i = 0; i < runs; i++)
		prepare(r, r->room + ROOM_BYTES, p, &again); /* beside: the result stays */
	r->tally.ns += (double)(middle - start) - (double)(clock_ns() - middle);
	r->tally.runs += runs;
	tally_result(&r->tally, r->type == WEIR_PROG_RAW ? NULL : &r->last, r->last_result);
	if (r->type != WEIR_PROG_RAW && verdict_keeps(r->type, r->last_result))
		write_frame(r, &r->last);
	return 0;
}

/* Programs of all types begin with an Ethernet frame, as in BPF_PROG_TEST_RUN; a capture without them gets a header with
 * zero addresses. False: it is no IP packet. */
static bool packet_of(struct object_run *r, const struct record *record, struct packet *p)
{
	struct link_packet ip;

	*p = (struct packet){record->data, record->bytes, record->time_ns};
	if (record->link == LINK_ETHERNET || r->type == WEIR_PROG_RAW)
		return record->bytes <= PACKET_BYTES_MAX;
	link_parse(record, &ip);
	if (ip.family == FAMILY_NONE || ip.bytes > PACKET_BYTES_MAX - ETHERNET_BYTES)
		return false;
	memset(r->headed, 0, ETHERNET_BYTES);
	store_be16(r->headed + 12, ip.family == FAMILY_IPV6 ? 0x86dd : 0x0800);
	memcpy(r->headed + ETHERNET_BYTES, ip.ip, ip.bytes);
	p->bytes = r->headed;
	p->len = ip.bytes + ETHERNET_BYTES;
	return true;
}

/* The least that a program can be run on. */
static u32 least_bytes(const struct object_run *r)
{
	return r->type == WEIR_PROG_RAW ? weir_object_program(r->object, r->index)->raw_bytes
					: ETHERNET_BYTES;
}

static const char *least_text(const struct object_run *r)
{
	return r->type == WEIR_PROG_RAW ? "their memory" : "an Ethernet header";
}

/* A frame without a whole header is no packet: it is counted and left out. */
static int run_captured(struct object_run *r, const struct packet *p)
{
	int err = run_packet(r, p);

	r->too_short += err == -EINVAL;
	return r->write_failed ? EXIT_SYSTEM : EXIT_OK;
}

static int run_capture(struct object_run *r)
{
	struct capture *capture;
	struct record record;
	struct packet p;
	int code = EXIT_OK, got = 0;

	if (capture_open(r->c->capture, &capture, &r->d)) {
		report(&r->d);
		return EXIT_SYSTEM;
	}
	while (!interrupted && !code && (got = capture_next(capture, &record, &r->d)) > 0) {
		if (r->type != WEIR_PROG_RAW && (got = link_check(&record, &r->d)) < 0)
			break;
		r->cut += record.bytes < record.wire_bytes;
		if (packet_of(r, &record, &p))
			code = run_captured(r, &p);
		else
			r->not_ip++;
	}
	if (!interrupted && !code && got < 0) {
		report(&r->d);
		code = EXIT_INCOMPLETE;
	}
	capture_close(capture);
	return code;
}

static int run_data(struct object_run *r, const char *arg)
{
	struct buf bytes = {0};
	int code = read_hex_arg("data", arg, &bytes);
	u8 nothing = 0;
	struct packet p = {bytes.len ? bytes.data : &nothing, (u32)bytes.len, 0};

	if (!code && bytes.len > PACKET_BYTES_MAX) {
		complain("--data: %zu bytes, the longest packet has %u", bytes.len,
			(unsigned)PACKET_BYTES_MAX);
		code = EXIT_USAGE;
	}
	if (!code && run_packet(r, &p)) {
		complain("--data: %u bytes are too few: programs of type %s need %u for %s", p.len,
			weir_program_type_name(r->type), least_bytes(r), least_text(r));
		code = EXIT_USAGE;
	}
	buf_fini(&bytes);
	return code;
}

static int run_packets(struct object_run *r)
{
	struct weir_env env = {
		.arg = r, .trace = print_trace, .clone_redirect = take_clone, .mtu = mtu_of};
	struct sigaction action = {.sa_handler = on_signal};
	int code = EXIT_OK;

	/* Ctrl-C ends the run, not the command: what was run is printed. */
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (r->c->capture)
		env.now = packet_time;
	weir_slot_set_env(r->slot, &env);
	if (r->c->capture)
		code = run_capture(r);
	for (u32 i = 0; !code && !interrupted && i < r->c->nr_data; i++) {
		code = run_data(r, r->c->data[i]);
		if (!code && r->write_failed)
			code = EXIT_SYSTEM;
	}
	weir_slot_set_env(r->slot, NULL);
	return code;
}

/* ---- results ---- */

/* --map NAME asks for these only; else all are shown. */
static bool wants_map(const struct object_run *r, const struct set_map *m)
{
	bool asked = false;

	for (u32 i = 0; i < r->c->nr_maps; i++) {
		struct str spec, name = name_of(r->c->maps[i], &spec);

		asked |= !spec.p;
		if (!spec.p && map_set_find(&r->maps, name) == m)
			return true;
	}
	return !asked;
}

static void print_json(const struct object_run *r, struct buf *out)
{
	const struct weir_object_program *p = weir_object_program(r->object, r->index);
	const char *separator = "";

	buf_puts(out, "{\"program\":");
	buf_json_string(out, p->name, strlen(p->name));
	buf_printf(out, ",\"type\":\"%s\",\"engine\":\"%s\",\"retval\":%" PRIu64 ",", p->type_text,
		weir_program_is_native(r->program) ? "jit" : "interp", r->last_result);
	tally_print_json(&r->tally, out);
	if (r->c->nr_data && r->type != WEIR_PROG_RAW) {
		/* As the kernel's test runs: with XDP's metadata in front. */
		u64 from = r->type == WEIR_PROG_XDP ? r->last.meta : r->last.data;

		buf_puts(out, ",\"data_out\":\"");
		hex_print(out, (const u8 *)(uintptr_t)from, (size_t)(r->last.data_end - from));
		buf_puts(out, "\",\"ctx_out\":");
		ctx_print_json(&r->last, r->type == WEIR_PROG_XDP, out);
	} else if (r->c->nr_data) {
		buf_puts(out, ",\"data_out\":\"");
		hex_print(out, r->room, r->last.len);
		buf_puts(out, "\"");
	}
	buf_puts(out, ",\"maps\":[");
	for (size_t i = 0; i < r->maps.nr; i++) {
		if (!wants_map(r, &r->maps.maps[i]))
			continue;
		buf_puts(out, separator);
		separator = ",";
		map_print_json(&r->maps.maps[i], r->engine, out);
	}
	buf_puts(out, "]}\n");
}

static void print_text(const struct object_run *r, struct buf *out)
{
	const struct weir_object_program *p = weir_object_program(r->object, r->index);

	buf_printf(out, "%s (%s, %s): %llu packets\n", p->name, p->type_text,
		weir_program_is_native(r->program) ? "native code" : "interpreter",
		(unsigned long long)r->tally.packets);
	tally_print(&r->tally, out);
	for (size_t i = 0; i < r->maps.nr; i++)
		if (wants_map(r, &r->maps.maps[i])) {
			buf_puts(out, "\n");
			map_print(&r->maps.maps[i], r->engine, out);
		}
}

static int save_maps(struct object_run *r)
{
	struct buf text = {0};

	map_set_write(&r->maps, &text);
	for (size_t i = 0; i < r->maps.nr; i++)
		if (!map_is_table(r->maps.maps[i].spec.type))
			complain("map %s: the contents of a %s can't be saved",
				r->maps.maps[i].name,
				weir_map_type_name(r->maps.maps[i].spec.type));
	int code = replace_file(r->c->save_maps, &text);
	buf_fini(&text);
	return code;
}

/* A run may be long: what can't be written is said before. */
static int check_save_path(const struct object_run *r)
{
	const char *path = r->c->save_maps;
	bool is_there = path && !access(path, F_OK);
	FILE *file = path ? fopen(path, "ab") : NULL;

	if (path && !file) {
		complain("%s: can't be written: %s", path, strerror(errno));
		return EXIT_SYSTEM;
	}
	if (file)
		fclose(file);
	if (file && !is_there)
		unlink(path);
	return EXIT_OK;
}

static int print_results(struct object_run *r)
{
	bool to_stderr = r->c->write_path && !strcmp(r->c->write_path, "-");
	struct buf out = {0};

	if (r->cut)
		complain("%llu packets were cut by the capture's snap length: the program saw what "
			 "there is",
			(unsigned long long)r->cut);
	if (r->not_ip)
		complain("%llu records are left out: they hold no IP packet",
			(unsigned long long)r->not_ip);
	if (r->too_short)
		complain("%llu records are left out: they have less than the %u bytes that the "
			 "program needs for %s",
			(unsigned long long)r->too_short, least_bytes(r), least_text(r));
	if (r->c->json)
		print_json(r, &out);
	else
		print_text(r, &out);
	int code = write_out(to_stderr ? stderr : stdout, &out);
	buf_fini(&out);
	return code;
}

static int open_writer(struct object_run *r)
{
	bool ip = r->type == WEIR_PROG_CGROUP_SKB || r->type == WEIR_PROG_NETFILTER;

	if (!r->c->write_path)
		return EXIT_OK;
	if (!capture_writer_open(
		    r->c->write_path, ip ? LINKTYPE_RAW : LINK_ETHERNET, &r->writer, &r->d))
		return EXIT_OK;
	report(&r->d);
	return EXIT_SYSTEM;
}

static int close_writer(struct object_run *r)
{
	if (!r->writer || !capture_writer_close(r->writer, &r->d))
		return EXIT_OK;
	if (!r->write_failed)
		report(&r->d);
	return EXIT_SYSTEM;
}

static int choose(struct object_run *r)
{
	int index = choose_program(r->object, r->path, r->c->object.prog);

	if (index < 0)
		return EXIT_USAGE;
	const struct weir_object_program *p = weir_object_program(r->object, (size_t)index);
	r->index = (size_t)index;
	r->type = p->type;
	r->tally.type = p->type;
	if (p->type && r->c->object.type && p->type != r->c->object.type) {
		complain("%s: program %s is of type %s, which --type can't change", r->path,
			p->name, p->type_text);
		return EXIT_USAGE;
	}
	const char *missing = p->type == WEIR_PROG_XDP ? ctx_not_xdp(&r->c->ctx) : NULL;
	if (missing) {
		complain("--ctx %s: programs of type xdp have no such field", missing);
		return EXIT_USAGE;
	}
	if (p->type)
		return EXIT_OK;
	if (p->type_text)
		complain("%s: program %s is of type %s, which can't be run here", r->path, p->name,
			p->type_text);
	else
		complain("%s: the section \"%s\" of program %s doesn't say its type: --type TYPE",
			r->path, p->section, p->name);
	return EXIT_REFUSED;
}

static int run_opened(struct object_run *r)
{
	int code = choose(r);

	r->room = mem_alloc(2 * ROOM_BYTES);
	if (r->room)
		memset(r->room, 0, 2 * ROOM_BYTES); /* pages are there before times are taken */
	r->headed = mem_alloc(PACKET_BYTES_MAX);
	if (!code && (!r->room || !r->headed))
		code = out_of_memory();
	if (!code)
		code = load(r);
	if (!code)
		code = open_writer(r);
	if (!code)
		code = check_save_path(r);
	if (!code) {
		code = run_packets(r);
		int closed = close_writer(r);
		int printed = code == EXIT_OK || code == EXIT_INCOMPLETE ? print_results(r) : 0;
		bool has_run = code != EXIT_REFUSED && code != EXIT_USAGE;
		int saved = r->c->save_maps && has_run ? save_maps(r) : 0;
		code = code ? code : closed ? closed : printed ? printed : saved;
	}
	return code;
}

int run_object(const struct run_cli *c, const char *path)
{
	struct object_run r = {.c = c, .path = path};
	int code = open_object(path, &c->object, &r.object);

	if (code)
		return code;
	code = run_opened(&r);
	control_stop(r.control);
	map_set_fini(&r.maps);
	weir_slot_release(r.slot);
	weir_object_free(r.object);
	weir_engine_free(r.engine);
	mem_free(r.room);
	mem_free(r.headed);
	diag_fini(&r.d);
	return code;
}
