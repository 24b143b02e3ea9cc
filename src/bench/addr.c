/* Counts: a program with the compare and one without, both run under the plugin; the difference is the compare. */
#include "bench/addr.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "bench/addr_function.h"
#include "bench/blob.h"
#include "bench/count.h"
#include "cpu/cpu.h"
#include "engine/engine.h"
#include "isa/builder.h"
#include "isa/isa.h"
#include "isa/prog.h"
#include "map/callable.h"
#include "map/map.h"
#include "rules/compile.h"
#include "rules/emit.h"
#include "rules/parse.h"

enum {
	PACKET_BYTES = 64,
	SOURCE_AT = 8,
	ADDR_BYTES = 16,
	ADDR_BITS = 128,
	NR_RULES = 16,
	MASKS = 64
};

/* ---- the C function ---- */

typedef bool (*differs_fn)(const void *a1, const void *a2, const void *mask);

struct function {
	differs_fn differs;
	u8 a1[ADDR_BYTES], a2[ADDR_BYTES], mask[ADDR_BYTES];
};

static void run_function(void *function, u32 times)
{
	const struct function *f = function;
	differs_fn volatile differs = f->differs;

	for (u32 i = 0; i < times; i++)
		differs(f->a1, f->a2, f->mask);
}

static int count_function(double *insns, struct diag *d)
{
	struct function f = {.differs = bench_addr_differs, .mask = {0xff, 0xff}};
	struct bench_blob *just_return = bench_blob_return();

	if (!just_return)
		return diag_nomem(d);
	jit_entry entry = bench_blob_entry(just_return);
	struct function nothing = {0};
	memcpy(&nothing.differs, &entry, sizeof(entry));
	*insns = bench_count(run_function, &f) - bench_count(run_function, &nothing);
	bench_blob_free(just_return);
	return 0;
}

/* ---- programs ---- */

struct entry_on_packet {
	jit_entry entry;
	u8 *packet, *self;
	u64 expected;
	bool wrong;
};

static void run_entry(void *entry, u32 times)
{
	struct entry_on_packet *e = entry;

	for (u32 i = 0; i < times; i++)
		if (e->entry((uintptr_t)e->packet, PACKET_BYTES, e->self) != e->expected)
			e->wrong = true;
}

/* Of the whole program, with what calls it. */
static int count_program(const struct prog *p, u8 *packet, struct cpus *cpus, u64 expected,
	double *insns, struct diag *d)
{
	struct loaded *l = NULL;
	int err = engine_load(p, &(struct engine_opts){.kind = ENGINE_JIT}, &l, d);

	if (err)
		return err;
	struct entry_on_packet e = {.entry = loaded_callable(l)->entry,
		.packet = packet,
		.self = cpu_base(cpus, 0),
		.expected = expected};
	*insns = bench_count(run_entry, &e);
	loaded_free(l);
	return e.wrong ? diag_fail(d, pos_none(), EPROTO, "a compare has the wrong result") : 0;
}

static struct prog *new_program(struct diag *d)
{
	struct prog *p = prog_new("addr", PROG_TYPE_RAW);

	if (p)
		p->raw_mem_bytes = PACKET_BYTES;
	else
		diag_nomem(d);
	return p;
}

/* The packet's address stands in r7, as in programs of rules. With `want`: the compare as rules have it, and 1 when it holds;
 * without: a load in place of that 1. */
static int write_compare(struct prog *p, const u8 *want, const u8 *mask, struct diag *d)
{
	struct builder *b = builder_new();
	struct emit e = {.b = b, .family = FAMILY_IPV6};
	struct atom atoms[2];

	if (!b)
		return diag_nomem(d);
	struct spot miss = emit_spot(&e);
	e.miss = e.hotdrop = &miss;
	bld_alu_reg(b, BPF_MOV, REG_PACKET, BPF_REG_1);
	if (want) {
		u32 nr = atoms_of_bytes(ATOM_PACKET, SOURCE_AT, want, mask, ADDR_BYTES, atoms);

		emit_atoms(&e, atoms, nr, false);
		bld_alu_imm(b, BPF_MOV, BPF_REG_0, 1);
	} else {
		bld_load(b, BPF_DW, BPF_REG_0, REG_PACKET, SOURCE_AT);
	}
	bld_exit(b);
	emit_bind(&e, &miss);
	if (miss.used) {
		bld_alu_imm(b, BPF_MOV, BPF_REG_0, 0);
		bld_exit(b);
	}
	int err = builder_finish(b, p, d);
	builder_free(b);
	return err;
}

int bench_addr_constant(const u8 *want, const u8 *mask, struct prog **out, struct diag *d)
{
	struct prog *p = new_program(d);
	int err = p ? write_compare(p, want, mask, d) : -ENOMEM;

	if (!err)
		*out = p;
	else
		prog_free(p);
	return err;
}

static int count_compare(const u8 *want, const u8 *mask, u8 *packet, struct cpus *cpus,
	double *insns, struct diag *d)
{
	struct prog *p = NULL;
	int err = bench_addr_constant(want, mask, &p, d);

	if (!err)
		err = count_program(
			p, packet, cpus, want ? 1 : load_le64(packet + SOURCE_AT), insns, d);
	prog_free(p);
	return err;
}

static const u8 dense[ADDR_BYTES] = {0x20, 0x01, 0x0d, 0xb8, 0x85, 0xa3, 0x12, 0x34, 0x56, 0x78,
	0x8a, 0x2e, 0x03, 0x70, 0x73, 0x34};

/* Constants: the source address of the packet is `dense`, and the rule's is that under its mask. */
static int count_mask(const u8 *mask, struct cpus *cpus, double *insns, struct diag *d)
{
	u8 packet[PACKET_BYTES] = {0x60}, want[ADDR_BYTES];
	double without;

	memcpy(packet + SOURCE_AT, dense, ADDR_BYTES);
	for (u32 i = 0; i < ADDR_BYTES; i++)
		want[i] = dense[i] & mask[i];
	int err = count_compare(NULL, NULL, packet, cpus, &without, d);
	if (!err)
		err = count_compare(want, mask, packet, cpus, insns, d);
	if (!err)
		*insns -= without;
	return err;
}

static void prefix_mask(u8 *mask, u32 bits)
{
	for (u32 i = 0; i < ADDR_BYTES; i++)
		mask[i] = bits >= 8 * i + 8 ? 0xff
			  : bits > 8 * i    ? (u8)(0xff00u >> (bits - 8 * i))
					    : 0;
}

static int count_prefix(u32 bits, struct cpus *cpus, double *insns, struct diag *d)
{
	u8 mask[ADDR_BYTES];

	prefix_mask(mask, bits);
	return count_mask(mask, cpus, insns, d);
}

/* Masks with holes: bytes of a fixed sequence of random numbers. */
static int count_random_mask(u32 number, struct cpus *cpus, double *insns, struct diag *d)
{
	u8 mask[ADDR_BYTES];
	u64 x = number + 1;

	for (u32 i = 0; i < ADDR_BYTES; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		mask[i] = (u8)(x >> 56);
	}
	return count_mask(mask, cpus, insns, d);
}

typedef int (*count_fn)(u32 number, struct cpus *cpus, double *insns, struct diag *d);

static int count_worst(count_fn count, u32 from, u32 to, struct cpus *cpus, double *insns,
	u32 *worst, struct diag *d)
{
	int err = 0;

	*insns = 0;
	for (u32 i = from; !err && i <= to; i++) {
		double one;

		err = count(i, cpus, &one, d);
		if (err || one <= *insns)
			continue;
		*insns = one;
		*worst = i;
	}
	return err;
}

/* ---- a mask that isn't known before ---- */

#define FROM_MAP "r6 = map[0]+0 ll\n"
static const char dynamic_text[] = FROM_MAP
	"r2 = *(u64 *)(r1 +8)\nr3 = *(u64 *)(r6 +0)\nr2 ^= r3\nr3 = *(u64 *)(r6 +16)\nr2 &= r3\n"
	"r4 = *(u64 *)(r1 +16)\nr3 = *(u64 *)(r6 +8)\nr4 ^= r3\nr3 = *(u64 *)(r6 +24)\nr4 &= r3\n"
	"r2 |= r4\nif r2 != 0 goto miss\nr0 = 1\nexit\nmiss:\nr0 = 0\nexit\n";
static const char dynamic_without[] = FROM_MAP "r0 = *(u64 *)(r6 +0)\nexit\n";

static int program_of_text(const char *text, struct map *map, struct prog **out, struct diag *d)
{
	struct prog *p = new_program(d);
	u32 index;
	int err = p ? prog_assemble(p, "addr", text, strlen(text), d) : -ENOMEM;

	if (!err)
		err = prog_add_map(p, map, &index);
	if (!err)
		*out = p;
	else
		prog_free(p);
	return err;
}

static int count_text(const char *text, struct map *map, u8 *packet, struct cpus *cpus,
	u64 expected, double *insns, struct diag *d)
{
	struct prog *p = NULL;
	int err = program_of_text(text, map, &p, d);

	if (!err)
		err = count_program(p, packet, cpus, expected, insns, d);
	prog_free(p);
	return err;
}

static int new_value(struct cpus *cpus, struct map **out, struct diag *d)
{
	const struct map_spec spec = {.name = "addr",
		.type = MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 2 * ADDR_BYTES,
		.max_entries = 1};

	return map_new(&spec, cpus, out, d);
}

int bench_addr_dynamic(struct cpus *cpus, struct map **value, struct prog **out, struct diag *d)
{
	struct map *map = NULL;
	int err = new_value(cpus, &map, d);

	if (!err)
		err = program_of_text(dynamic_text, map, out, d);
	if (!err)
		*value = map;
	else
		map_put(map);
	return err;
}

static int count_dynamic(struct cpus *cpus, double *insns, struct diag *d)
{
	u8 packet[PACKET_BYTES] = {0}, value[2 * ADDR_BYTES];
	struct map *map = NULL;
	u32 key = 0;
	double without = 0;

	memcpy(packet + SOURCE_AT, dense, ADDR_BYTES);
	memcpy(value, dense, ADDR_BYTES);
	prefix_mask(value + ADDR_BYTES, 61);
	int err = new_value(cpus, &map, d);
	if (!err)
		err = map_write(map, &key, value, 0);
	if (!err)
		err = count_text(dynamic_without, map, packet, cpus, load_le64(dense), &without, d);
	if (!err)
		err = count_text(dynamic_text, map, packet, cpus, 1, insns, d);
	map_put(map);
	if (!err)
		*insns -= without;
	return err;
}

/* ---- a chain of rules ---- */

struct chain_run {
	struct loaded *loaded;
	struct weir_packet packet;
	u8 *self;
	bool wrong;
};

static void run_chain(void *run, u32 times)
{
	struct chain_run *r = run;

	for (u32 i = 0; i < times; i++)
		if (loaded_run(r->loaded, (uintptr_t)&r->packet, 0, r->self) != VERDICT_ACCEPT)
			r->wrong = true;
}

/* `rules` rules of different sources, of which the last is the packet's; 0: one rule without a test. */
static void write_rules(struct buf *text, u32 rules)
{
	buf_puts(text, "*filter\n:INPUT DROP\n");
	for (u32 i = 1; i <= rules; i++)
		buf_printf(text, "-A INPUT -s 2001:db8:%x::/48 -j ACCEPT\n", 0x85a3 - rules + i);
	buf_puts(text, rules ? "COMMIT\n" : "-A INPUT -j ACCEPT\nCOMMIT\n");
}

static int load_chain(struct ruleset *set, struct cpus *cpus, struct map **counters,
	struct loaded **out, struct diag *d)
{
	struct chain *chain = table_chain(ruleset_table(set, "filter"), str_of("INPUT"));
	struct prog *p = NULL;
	int err = rules_counters_new(set, cpus, counters, d);

	if (!err)
		err = rules_compile(chain, *counters, &(struct compile_opts){0}, &p, d);
	if (!err)
		err = engine_load(p, &(struct engine_opts){.kind = ENGINE_JIT}, out, d);
	prog_free(p);
	return err;
}

static int count_chain(u32 rules, struct cpus *cpus, double *insns, struct diag *d)
{
	const struct parse_opts opts = {.family = FAMILY_IPV6};
	u8 bytes[PACKET_BYTES] = {0x60, [5] = PACKET_BYTES - 40, [6] = 59, [7] = 64};
	struct chain_run run = {.self = cpu_base(cpus, 0)};
	struct ruleset *set = NULL;
	struct map *counters = NULL;
	struct buf text = {0};

	memcpy(bytes + SOURCE_AT, dense, ADDR_BYTES);
	run.packet = (struct weir_packet){.data = (uintptr_t)bytes,
		.data_end = (uintptr_t)bytes + PACKET_BYTES,
		.len = PACKET_BYTES};
	write_rules(&text, rules);
	int err = rules_parse("addr", str_new(buf_cstr(&text), text.len), &opts, &set, d);
	if (!err)
		err = load_chain(set, cpus, &counters, &run.loaded, d);
	if (!err)
		*insns = bench_count(run_chain, &run);
	if (run.wrong)
		err = diag_fail(d, pos_none(), EPROTO, "a rule doesn't match its packet");
	loaded_free(run.loaded);
	map_put(counters);
	ruleset_free(set);
	buf_fini(&text);
	return err;
}

static int count_rules(struct cpus *cpus, double *insns, struct diag *d)
{
	double without;
	int err = count_chain(0, cpus, &without, d);

	if (!err)
		err = count_chain(NR_RULES, cpus, insns, d);
	if (!err)
		*insns -= without;
	return err;
}

int bench_addr_count(
	enum bench_addr_case which, struct cpus *cpus, double *insns, u32 *worst, struct diag *d)
{
	static const u32 bits[ADDR_CASES] = {
		[ADDR_32] = 32, [ADDR_64] = 64, [ADDR_48] = 48, [ADDR_128] = 128};

	*worst = 0;
	switch (which) {
	case ADDR_FUNCTION:
		return count_function(insns, d);
	case ADDR_DYNAMIC:
		return count_dynamic(cpus, insns, d);
	case ADDR_32:
	case ADDR_64:
	case ADDR_48:
	case ADDR_128:
		return count_prefix(bits[which], cpus, insns, d);
	case ADDR_PREFIXES:
		return count_worst(count_prefix, 1, ADDR_BITS, cpus, insns, worst, d);
	case ADDR_MASKS:
		return count_worst(count_random_mask, 1, MASKS, cpus, insns, worst, d);
	case ADDR_RULES:
		return count_rules(cpus, insns, d);
	case ADDR_CASES:
		break;
	}
	UNREACHABLE();
}
