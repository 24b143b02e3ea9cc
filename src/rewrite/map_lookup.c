/* bpf_map_lookup_elem without the helper, where the verifier knows the map. In an array the value's
 * address follows from the key; a constant key leaves the address only. A hash table is looked into
 * by code made for its size of keys. Where the key is below max_entries the result is never NULL,
 * and null checks of it get their facts here, for dead_code to act on.
 *
 * Registers r1 to r5 are dead behind a call, so the code in its place may use them. */
#include "base/alloc.h"
#include "base/diag.h"
#include "helper/helper.h"
#include "map/map.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/gen.h"
#include "rewrite/passes.h"
#include "rewrite/regs.h"

enum { SHAPE_INSNS_MAX = 16, NULL_CHECK_WINDOW_INSNS = 64 };

/* Code in place of one call. */
struct shape {
	struct insn insns[SHAPE_INSNS_MAX];
	u32 nr;
};

static void shape_add(struct shape *s, struct insn i)
{
	assert(s->nr < SHAPE_INSNS_MAX);
	s->insns[s->nr++] = i;
}

/* Adds dst = address (array) or offset (per-CPU array) of the value `bytes` behind the first. */
static void shape_value(struct shape *s, u8 dst, const struct map *map, u32 map_index, u64 bytes)
{
	struct insn load[2];

	if (map->ops->flags & MAP_PER_CPU) {
		u64 off = map->layout.base + bytes;

		assert(off <= INT32_MAX);
		shape_add(s, gen_mov_imm(dst, (s32)off));
		return;
	}
	gen_ld_imm64(load, dst, LD_IMM64_MAP_IDX_VALUE, map_index, (u32)bytes);
	shape_add(s, load[0]);
	shape_add(s, load[1]);
}

static void shape_constant_key(struct shape *s, const struct map *map, const struct fact *fact)
{
	shape_value(s, BPF_REG_0, map, fact->map, (u64)fact->key * map->layout.stride);
	if (map->ops->flags & MAP_PER_CPU)
		shape_add(s, gen_percpu_mov(BPF_REG_0, BPF_REG_0));
}

static void shape_scale(struct shape *s, u8 dst, u32 factor)
{
	if ((factor & (factor - 1)) == 0)
		shape_add(s, gen_alu_imm(BPF_LSH, dst, __builtin_ctz(factor)));
	else
		shape_add(s, gen_alu_imm(BPF_MUL, dst, (s32)factor));
}

static void shape_variable_key(struct shape *s, const struct map *map, const struct fact *fact)
{
	u32 check = 0;
	bool checked = !(fact->flags & (FACT_KEY | FACT_KEY_IN_RANGE));

	if (fact->flags & FACT_KEY_OFF)
		shape_add(s, gen_load(BPF_W, BPF_REG_0, BPF_REG_FP, (s16)fact->key_off));
	else
		shape_add(s, gen_load(BPF_W, BPF_REG_0, BPF_REG_2, 0));
	if (checked) {
		check = s->nr;
		shape_add(s, gen_jmp32_imm(BPF_JGE, BPF_REG_0, (s32)map->spec.max_entries, 0));
	}
	shape_scale(s, BPF_REG_0, map->layout.stride);
	if (map->ops->flags & MAP_PER_CPU) {
		shape_add(s, gen_alu_imm(BPF_ADD, BPF_REG_0, (s32)map->layout.base));
		shape_add(s, gen_percpu_mov(BPF_REG_0, BPF_REG_0));
	} else {
		shape_value(s, BPF_REG_1, map, fact->map, 0);
		shape_add(s, gen_alu_reg(BPF_ADD, BPF_REG_0, BPF_REG_1));
	}
	if (checked) {
		shape_add(s, gen_ja(1));
		s->insns[check].off = (s16)(s->nr - check - 1);
		shape_add(s, gen_mov_imm(BPF_REG_0, 0));
	}
}

static bool key_is_constant(const struct map *map, const struct fact *fact)
{
	return fact->flags & FACT_KEY && (u64)fact->key * map->layout.stride <= UINT32_MAX;
}

/* Calls of the lookup made for a hash table's size of keys. */
static struct insn hash_call(const struct map *map)
{
	static const struct {
		u32 key_size;    /* 0: any other */
		s32 calls[2][2]; /* [LRU][per-CPU] */
	} rows[] = {
#define ROW(key_size, suffix) \
	{ \
		key_size, \
		{ \
			{HELPER_hash_value_##suffix, HELPER_hash_percpu_##suffix}, \
			{ \
				HELPER_lru_value_##suffix, HELPER_lru_percpu_##suffix \
			} \
		} \
	}
		ROW(4, 4),
		ROW(8, 8),
		ROW(16, 16),
		ROW(0, any),
#undef ROW
	};
	bool lru = map->ops->flags & MAP_LRU, per_cpu = map->ops->flags & MAP_PER_CPU;
	size_t i = 0;

	while (rows[i].key_size && rows[i].key_size != map->spec.key_size)
		i++;
	return (struct insn){
		.code = BPF_JMP | BPF_CALL, .src = CALL_HELPER, .imm = rows[i].calls[lru][per_cpu]};
}

static bool is_null_check(struct insn i)
{
	return (i.code == (BPF_JMP | BPF_JEQ | BPF_K) || i.code == (BPF_JMP | BPF_JNE | BPF_K)) &&
	       i.imm == 0;
}

static bool is_copy(struct insn i)
{
	return i.code == (BPF_ALU64 | BPF_MOV | BPF_X) && i.off == 0;
}

/* The lookup at pc never gives NULL: says so to the null checks that only it reaches, down the
 * straight line. One that is decided stays so: where the verifier has it otherwise, nothing ever gets
 * there, and the way that it left out may lead to nowhere. */
static void decide_null_checks(const struct prog *p, struct facts *f, const u64 *targets, u32 pc)
{
	u16 holders = 1u << BPF_REG_0;
	u32 at = pc + 1;

	for (u32 n = 0; n < NULL_CHECK_WINDOW_INSNS && at < p->len && !flow_bit(targets, at); n++) {
		struct insn i = p->insns[at];

		if (insn_is_exit(i) || insn_is_ja(i))
			return;
		if (is_null_check(i) && holders >> i.dst & 1) {
			bool on_null = BPF_OP(i.code) == BPF_JEQ;

			if (!(f->insns[at].flags & (FACT_TAKEN | FACT_NOT_TAKEN)))
				f->insns[at].flags |= on_null ? FACT_NOT_TAKEN : FACT_TAKEN;
			if (!on_null)
				return;
		}
		if (is_copy(i) && holders >> i.src & 1)
			holders |= (u16)(1u << i.dst);
		else
			holders &= (u16)~regs_written(i);
		at += flow_width(i);
	}
}

/* The map that the call at pc always looks into, or NULL. */
static const struct map *lookup_map(const struct prog *p, const struct facts *f, u32 pc)
{
	struct insn i = p->insns[pc];

	if (!insn_is_helper_call(i) || i.imm != HELPER_map_lookup_elem ||
		!(f->insns[pc].flags & FACT_MAP))
		return NULL;
	return p->maps[f->insns[pc].map];
}

static void inline_array(
	struct prog *p, struct facts *f, const u64 *targets, u32 pc, struct editor *e)
{
	const struct map *map = lookup_map(p, f, pc);
	const struct fact *fact = &f->insns[pc];
	struct shape shape = {0};

	if (key_is_constant(map, fact))
		shape_constant_key(&shape, map, fact);
	else
		shape_variable_key(&shape, map, fact);
	edit_replace(e, pc, 1, shape.insns, shape.nr);
	if (fact->flags & (FACT_KEY | FACT_KEY_IN_RANGE))
		decide_null_checks(p, f, targets, pc);
}

/* The program's own null check, and nothing else, stands between the call at pc and pc + 2. */
static bool null_check_follows(const struct prog *p, const u64 *targets, u32 pc)
{
	struct insn check = p->insns[pc + 1];

	return is_null_check(check) && check.dst == BPF_REG_0 && BPF_OP(check.code) == BPF_JEQ &&
	       !flow_bit(targets, pc + 1) && !flow_bit(targets, pc + 2);
}

/* What a per-CPU table gives becomes an address where it isn't 0: behind the program's null check,
 * or one of ours. */
static void inline_hash(
	const struct prog *p, const struct map *map, const u64 *targets, u32 pc, struct editor *e)
{
	const struct insn lookup[] = {
		hash_call(map),
		{.code = BPF_JMP | BPF_JEQ | BPF_K, .dst = BPF_REG_0, .imm = 0, .off = 1},
		gen_percpu_mov(BPF_REG_0, BPF_REG_0),
	};

	if (!(map->ops->flags & MAP_PER_CPU)) {
		edit_replace(e, pc, 1, lookup, 1);
	} else if (null_check_follows(p, targets, pc)) {
		edit_replace(e, pc, 1, lookup, 1);
		edit_insert(e, pc + 2, &lookup[2], 1);
	} else {
		edit_replace(e, pc, 1, lookup, ARRAY_LEN(lookup));
	}
}

static bool is_hash(const struct map *map)
{
	switch ((int)map->spec.type) {
	case MAP_TYPE_HASH:
	case MAP_TYPE_PERCPU_HASH:
	case MAP_TYPE_LRU_HASH:
	case MAP_TYPE_LRU_PERCPU_HASH:
		return true;
	}
	return false;
}

int map_lookup_run(struct prog *p, struct facts *f, struct diag *d)
{
	u64 *targets = flow_targets(p);
	struct editor e;

	if (!targets)
		return diag_nomem(d);
	editor_init(&e, p, f);
	for (u32 pc = 0; pc < p->len; pc += flow_width(p->insns[pc])) {
		const struct map *map = lookup_map(p, f, pc);

		if (map && map->ops->flags & MAP_ARRAY_LIKE)
			inline_array(p, f, targets, pc, &e);
		else if (map && is_hash(map))
			inline_hash(p, map, targets, pc, &e);
	}
	int err = editor_apply(&e, d);
	editor_fini(&e);
	mem_free(targets);
	return err;
}
