/* weir run: programs of a BPF object on packets, or bare instructions. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/run_cli.h"

enum { REPEAT_MAX = 1000000000 };

static bool set_capture(void *opts, const char *arg)
{
	((struct run_cli *)opts)->capture = arg;
	return true;
}

static bool set_data(void *opts, const char *arg)
{
	struct run_cli *c = opts;

	if (c->nr_data == RUN_DATA_MAX)
		return false;
	c->data[c->nr_data++] = arg;
	return true;
}

static bool set_map(void *opts, const char *arg)
{
	struct run_cli *c = opts;

	if (c->nr_maps == RUN_MAPS_MAX || !*arg)
		return false;
	c->maps[c->nr_maps++] = arg;
	return true;
}

static bool set_var(void *opts, const char *arg)
{
	struct run_cli *c = opts;

	if (c->nr_vars == RUN_MAPS_MAX || !strchr(arg, '='))
		return false;
	c->vars[c->nr_vars++] = arg;
	return true;
}

static bool set_raw(void *opts, const char *arg)
{
	((struct run_cli *)opts)->raw = arg;
	return true;
}

static bool set_mem(void *opts, const char *arg)
{
	((struct run_cli *)opts)->mem = arg;
	return true;
}

static bool set_write(void *opts, const char *arg)
{
	((struct run_cli *)opts)->write_path = arg;
	return true;
}

static bool set_load_maps(void *opts, const char *arg)
{
	((struct run_cli *)opts)->load_maps = arg;
	return true;
}

static bool set_save_maps(void *opts, const char *arg)
{
	((struct run_cli *)opts)->save_maps = arg;
	return true;
}

static bool set_control(void *opts, const char *arg)
{
	((struct run_cli *)opts)->control = arg;
	return true;
}

static bool set_repeat(void *opts, const char *arg)
{
	u32 *repeat = &((struct run_cli *)opts)->repeat;

	return str_to_u32(str_of(arg), repeat) && *repeat && *repeat <= REPEAT_MAX;
}

static bool set_cpu(void *opts, const char *arg)
{
	u32 *cpu = &((struct run_cli *)opts)->cpu;

	((struct run_cli *)opts)->cpu_given = true;
	return str_to_u32(str_of(arg), cpu) && *cpu < CPU_SLOTS_MAX;
}

/* A number is 0 ... number - 1; else a list. */
static bool set_slots(void *opts, const char *arg)
{
	u64 set[CPU_SLOTS_MAX / 64];
	struct run_cli *c = opts;
	u32 n;

	if (str_to_u32(str_of(arg), &n)) {
		snprintf(c->slots_text, sizeof(c->slots_text), "0-%u", n - 1);
		c->slots = c->slots_text;
		return n && n <= CPU_SLOTS_MAX;
	}
	c->slots = arg;
	return str_to_cpus(str_of(arg), set, CPU_SLOTS_MAX, &n);
}

static u32 first_slot(const struct run_cli *c)
{
	u64 set[CPU_SLOTS_MAX / 64];
	u32 n, slot = 0;

	str_to_cpus(str_of(c->slots), set, CPU_SLOTS_MAX, &n);
	while (!(set[slot / 64] >> (slot % 64) & 1))
		slot++;
	return slot;
}

/* This machine's, and the one that the program is to run on. */
static void default_slots(struct run_cli *c)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	u32 n = cpus > 0 && cpus <= (long)CPU_SLOTS_MAX ? (u32)cpus : 1;

	if (c->slots) {
		if (!c->cpu_given)
			c->cpu = first_slot(c);
		return;
	}
	snprintf(c->slots_text, sizeof(c->slots_text), "0-%u", c->cpu >= n ? c->cpu : n - 1);
	c->slots = c->slots_text;
}

static bool slot_exists(const struct run_cli *c)
{
	u64 set[CPU_SLOTS_MAX / 64];
	u32 n;

	return str_to_cpus(str_of(c->slots), set, CPU_SLOTS_MAX, &n) && c->cpu < n &&
	       (set[c->cpu / 64] >> (c->cpu % 64) & 1);
}

static bool set_engine(void *opts, const char *arg)
{
	static const struct {
		const char *name;
		enum weir_mode mode;
	} engines[] = {{"jit", WEIR_MODE_NATIVE}, {"interp", WEIR_MODE_INTERPRETER}};

	for (size_t i = 0; i < ARRAY_LEN(engines); i++)
		if (!strcmp(arg, engines[i].name)) {
			((struct run_cli *)opts)->mode = engines[i].mode;
			return true;
		}
	return false;
}

static bool set_ctx(void *opts, const char *arg)
{
	return ctx_parse(&((struct run_cli *)opts)->ctx, arg);
}

static bool set_json(void *opts, const char *arg)
{
	(void)arg;
	((struct run_cli *)opts)->json = true;
	return true;
}

static bool set_no_verify(void *opts, const char *arg)
{
	(void)arg;
	((struct run_cli *)opts)->no_verify = true;
	return true;
}

static bool set_perf_map(void *opts, const char *arg)
{
	(void)arg;
	((struct run_cli *)opts)->announce |= WEIR_ANNOUNCE_PERF;
	return true;
}

static bool set_harden(void *opts, const char *arg)
{
	(void)arg;
	((struct run_cli *)opts)->harden = WEIR_HARDEN_CONSTANTS | WEIR_HARDEN_LANDING_PADS;
	return true;
}

static bool set_debugger(void *opts, const char *arg)
{
	(void)arg;
	((struct run_cli *)opts)->announce |= WEIR_ANNOUNCE_DEBUGGER | WEIR_ANNOUNCE_UNWINDERS;
	return true;
}

static const struct cli_option run_options[] = {
	OBJECT_PROG_OPTION("which program (default: the only one)"),
	{"read", 'r', "FILE", "a capture, pcap or pcapng; - is standard input", set_capture, ""},
	{"data", 0, "HEX...", "a packet as hex digits, from a file with @FILE; more than once",
		set_data, "one of at most 256 packets"},
	{"repeat", 0, "N", "run N times on each packet, each time as it was", set_repeat,
		"a number from 1 to 1000000000"},
	{"map", 0, "NAME[=SPEC]...",
		"print this map only; set its entries before: KEY=VALUE,... "
		"or entries:N",
		set_map, "one of at most 256 maps"},
	{"var", 0, "NAME=VALUE...", "set a global variable before the program is loaded", set_var,
		"NAME=VALUE"},
	{"write", 'w', "FILE", "write packets that go on, as they are then, as pcap", set_write,
		""},
	{"ctx", 0, "FIELD=VALUE...", "what is known of every packet: mark, ifindex, hash ...",
		set_ctx,
		"a field of the context with a number that fits, like mark=5 or ifindex=2"},
	{"cpu", 0, "N", "the CPU slot to run on (default 0)", set_cpu, "a number below 256"},
	{"slots", 0, "LIST", "CPU slots that exist, a number or a list like 0,4-7", set_slots,
		"a number from 1 to 256 or a list like 0,4-7"},
	{"engine", 'e', "ENGINE", "jit or interp (default: native code where it can be had)",
		set_engine, "jit or interp"},
	{"load-maps", 0, "FILE", "maps begin with what was saved", set_load_maps, ""},
	{"save-maps", 0, "FILE", "save the maps for weir map and --load-maps", set_save_maps, ""},
	{"control", 0, "SOCKET", "let weir map look at and change the maps meanwhile", set_control,
		""},
	{"json", 0, NULL, "print as JSON", set_json, ""},
	OBJECT_OPTIONS,
	OBJECT_MEM_OPTION,
	{"raw", 0, "HEX",
		"instead of OBJ: bare instructions; - reads the digits from standard input, @FILE "
		"the "
		"bytes themselves",
		set_raw, ""},
	{"mem", 0, "HEX", "with --raw: the memory that r1 points to, r2 is its length", set_mem,
		""},
	{"no-verify", 0, NULL,
		"with --raw and --engine interp: check accesses as they happen instead",
		set_no_verify, ""},
	{"harden", 0, NULL, "hide constants in native code, and where it may be entered",
		set_harden, ""},
	{"perf-map", 0, NULL, "name native code in /tmp/perf-PID.map, where perf looks for it",
		set_perf_map, ""},
	{"debugger", 0, NULL, "tell gdb of native code: names and frames", set_debugger, ""},
};

static bool same_file(const char *a, const char *b)
{
	struct stat sa, sb;

	return a && b && !stat(a, &sa) && !stat(b, &sb) && S_ISREG(sa.st_mode) &&
	       sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

/* Combinations that make no sense. NULL: fine. */
static const char *why_not(const struct run_cli *c, const char *path)
{
	if (c->raw && path)
		return "--raw takes the place of an object";
	if (!c->raw && !path)
		return "which object? weir run OBJ, or --raw HEX";
	if (!c->raw && (c->mem || c->no_verify))
		return "--mem and --no-verify belong to --raw";
	if (c->no_verify && c->mode != WEIR_MODE_INTERPRETER)
		return "--no-verify needs --engine interp: only the interpreter checks accesses as "
		       "they happen";
	if (c->raw && (c->capture || c->nr_data || c->nr_maps || c->write_path || c->ctx.fields))
		return "--raw runs on the memory of --mem, not on packets or maps";
	if (c->raw && (c->object.prog || c->object.type || c->object.btf || c->object.kconfig ||
			      c->object.mem_bytes || c->nr_vars || c->load_maps || c->save_maps ||
			      c->control))
		return "--raw has no object: --prog, --type, --mem-size, --btf, --kconfig, --var, "
		       "--load-maps, "
		       "--save-maps and "
		       "--control belong to one";
	if (!c->raw && !c->capture && !c->nr_data)
		return "on what? -r FILE, or --data HEX";
	if (c->capture && c->nr_data)
		return "either -r or --data";
	if (same_file(c->write_path, c->capture) || same_file(c->write_path, path))
		return "-w would overwrite what is being read";
	if (c->mode == WEIR_MODE_INTERPRETER && c->announce)
		return "--perf-map and --debugger are about native code, not --engine interp";
	if (!slot_exists(c))
		return "--cpu names a slot that doesn't exist: see --slots";
	return NULL;
}

static int run_main(void *opts, char **args, u32 nr_args)
{
	struct run_cli *c = opts;
	const char *path = nr_args ? args[0] : NULL;

	default_slots(c);
	if (!c->repeat)
		c->repeat = 1;
	const char *why = why_not(c, path);
	if (why) {
		complain("run: %s", why);
		return EXIT_USAGE;
	}
	return c->raw ? run_raw(c) : run_object(c, path);
}

const struct subcommand cmd_run = {
	.name = "run",
	.summary = "run a program of a BPF object on packets",
	.usage = "OBJ -r FILE | OBJ --data HEX | --raw HEX [options]",
	.examples =
		"examples:\n"
		"  weir run prog.o -r wlan.pcap                    what the program returns, and "
		"its "
		"maps\n"
		"  weir run prog.o --prog xdp_main --data @frame --repeat 1000000\n"
		"  weir run prog.o -r in.pcap -w out.pcap --map blocked=10.0.0.1=1 --map counters\n"
		"  weir run --raw 'b7000000 2a000000 95000000 00000000'\n"
		"\n"
		"exit code: 0 done, 1 the object is refused, 2 wrong command line, 3 capture "
		"broken "
		"(what was run until\n"
		"then is printed), 4 a file can't be read or written or memory ran out\n",
	.options = run_options,
	.nr_options = ARRAY_LEN(run_options),
	.min_args = 0,
	.max_args = 1,
	.opts_bytes = sizeof(struct run_cli),
	.run = run_main,
};
