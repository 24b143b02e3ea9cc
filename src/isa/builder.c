#include "isa/builder.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/limits.h"
#include "isa/prog.h"

enum { LABEL_NONE = UINT32_MAX, LABEL_UNBOUND = UINT32_MAX };

/* One instruction as it was written. A jump to a label takes `len` instructions once its distance
 * is known. */
struct item {
	struct insn insn;
	label_t label;
	u32 len;
};

struct builder {
	struct item *items;
	size_t nr_items, cap_items;
	u32 *labels; /* index of the item that the label is bound to */
	size_t nr_labels, cap_labels;
	struct prog_line *lines; /* pc: index of an item */
	size_t nr_lines, cap_lines;
	struct buf text; /* source lines, each with its NUL; byte 0 is NUL */
	bool failed;     /* out of memory; sticky */
};

struct builder *builder_new(void)
{
	struct builder *b = mem_zalloc(sizeof(*b));

	if (b)
		buf_u8(&b->text, 0);
	return b;
}

static void release(struct builder *b)
{
	mem_free(b->items);
	mem_free(b->labels);
	mem_free(b->lines);
	buf_fini(&b->text);
}

void builder_free(struct builder *b)
{
	if (!b)
		return;
	release(b);
	mem_free(b);
}

u32 builder_pc(const struct builder *b)
{
	return (u32)b->nr_items;
}

label_t builder_label(struct builder *b)
{
	if (array_grow((void **)&b->labels, &b->cap_labels, b->nr_labels + 1, sizeof(*b->labels))) {
		b->failed = true;
		return LABEL_NONE;
	}
	b->labels[b->nr_labels] = LABEL_UNBOUND;
	return (label_t)b->nr_labels++;
}

void builder_bind(struct builder *b, label_t l)
{
	if (b->failed)
		return;
	assert(l < b->nr_labels && b->labels[l] == LABEL_UNBOUND);
	b->labels[l] = (u32)b->nr_items;
}

void builder_line(struct builder *b, u32 line, u32 col, const char *text)
{
	struct prog_line entry = {.pc = (u32)b->nr_items, .line = line, .col = col};

	if (text && *text) {
		entry.text = (u32)b->text.len;
		buf_put(&b->text, text, strlen(text) + 1);
	}
	if (b->nr_lines && b->lines[b->nr_lines - 1].pc == entry.pc)
		b->nr_lines--;
	if (array_grow((void **)&b->lines, &b->cap_lines, b->nr_lines + 1, sizeof(*b->lines)))
		b->failed = true;
	else
		b->lines[b->nr_lines++] = entry;
}

static void put(struct builder *b, struct insn i, label_t to)
{
	/* Keeps indexes inside 32 bits; builder_finish refuses the program anyway. */
	if (b->nr_items > PROG_MAX_INSNS)
		return;
	if (array_grow((void **)&b->items, &b->cap_items, b->nr_items + 1, sizeof(*b->items)))
		b->failed = true;
	else
		b->items[b->nr_items++] = (struct item){i, to, 1};
}

static struct insn make(unsigned code, unsigned dst, unsigned src, s16 off, s32 imm)
{
	assert(dst < 16 && src < 16);
	return (struct insn){(u8)code, dst & 0xfu, src & 0xfu, off, imm};
}

void bld_insn(struct builder *b, struct insn i)
{
	put(b, i, LABEL_NONE);
}

void bld_alu_imm(struct builder *b, u8 op, u8 dst, s32 imm)
{
	bld_insn(b, make(BPF_ALU64 | BPF_K | op, dst, 0, 0, imm));
}

void bld_alu_reg(struct builder *b, u8 op, u8 dst, u8 src)
{
	bld_insn(b, make(BPF_ALU64 | BPF_X | op, dst, src, 0, 0));
}

void bld_alu32_imm(struct builder *b, u8 op, u8 dst, s32 imm)
{
	bld_insn(b, make(BPF_ALU | BPF_K | op, dst, 0, 0, imm));
}

void bld_alu32_reg(struct builder *b, u8 op, u8 dst, u8 src)
{
	bld_insn(b, make(BPF_ALU | BPF_X | op, dst, src, 0, 0));
}

void bld_be(struct builder *b, u8 dst, unsigned bits)
{
	assert(bits == 16 || bits == 32 || bits == 64);
	bld_insn(b, make(BPF_ALU | BPF_END | BPF_X, dst, 0, 0, (s32)bits));
}

static void put_ld_imm64(struct builder *b, u8 dst, u8 kind, u32 low, u32 high)
{
	bld_insn(b, make(BPF_LD | BPF_IMM | BPF_DW, dst, kind, 0, (s32)low));
	bld_insn(b, make(0, 0, 0, 0, (s32)high));
}

void bld_const(struct builder *b, u8 dst, u64 value)
{
	if ((u64)(s64)(s32)value == value)
		bld_alu_imm(b, BPF_MOV, dst, (s32)value);
	else if (value <= UINT32_MAX)
		bld_alu32_imm(b, BPF_MOV, dst, (s32)value);
	else
		put_ld_imm64(b, dst, LD_IMM64_VALUE, (u32)value, (u32)(value >> 32));
}

void bld_map(struct builder *b, u8 dst, u32 map_index)
{
	put_ld_imm64(b, dst, LD_IMM64_MAP_IDX, map_index, 0);
}

void bld_map_value(struct builder *b, u8 dst, u32 map_index, u32 off)
{
	put_ld_imm64(b, dst, LD_IMM64_MAP_IDX_VALUE, map_index, off);
}

void bld_load(struct builder *b, u8 size, u8 dst, u8 src, s16 off)
{
	bld_insn(b, make(BPF_LDX | BPF_MEM | size, dst, src, off, 0));
}

void bld_store(struct builder *b, u8 size, u8 dst, s16 off, u8 src)
{
	bld_insn(b, make(BPF_STX | BPF_MEM | size, dst, src, off, 0));
}

void bld_store_imm(struct builder *b, u8 size, u8 dst, s16 off, s32 imm)
{
	bld_insn(b, make(BPF_ST | BPF_MEM | size, dst, 0, off, imm));
}

void bld_ja(struct builder *b, label_t to)
{
	put(b, make(BPF_JMP | BPF_JA, 0, 0, 0, 0), to);
}

void bld_jmp_imm(struct builder *b, u8 op, u8 dst, s32 imm, label_t to)
{
	put(b, make(BPF_JMP | BPF_K | op, dst, 0, 0, imm), to);
}

void bld_jmp_reg(struct builder *b, u8 op, u8 dst, u8 src, label_t to)
{
	put(b, make(BPF_JMP | BPF_X | op, dst, src, 0, 0), to);
}

void bld_jmp32_imm(struct builder *b, u8 op, u8 dst, s32 imm, label_t to)
{
	put(b, make(BPF_JMP32 | BPF_K | op, dst, 0, 0, imm), to);
}

void bld_jmp32_reg(struct builder *b, u8 op, u8 dst, u8 src, label_t to)
{
	put(b, make(BPF_JMP32 | BPF_X | op, dst, src, 0, 0), to);
}

void bld_call(struct builder *b, s32 helper_id)
{
	bld_insn(b, make(BPF_JMP | BPF_CALL, 0, CALL_HELPER, 0, helper_id));
}

void bld_call_local(struct builder *b, label_t to)
{
	put(b, make(BPF_JMP | BPF_CALL, 0, CALL_LOCAL, 0, 0), to);
}

void bld_func(struct builder *b, u8 dst, label_t to)
{
	put(b, make(BPF_LD | BPF_IMM | BPF_DW, dst, LD_IMM64_FUNC, 0, 0), to);
	bld_insn(b, (struct insn){0});
}

void bld_exit(struct builder *b)
{
	bld_insn(b, make(BPF_JMP | BPF_EXIT, 0, 0, 0, 0));
}

/* The jump taken exactly when `op` is not; 0 where there is none. */
static u8 inverse_of(u8 op)
{
	static const u8 inverse[16] = {[BPF_JEQ >> 4] = BPF_JNE,
		[BPF_JNE >> 4] = BPF_JEQ,
		[BPF_JGT >> 4] = BPF_JLE,
		[BPF_JLE >> 4] = BPF_JGT,
		[BPF_JGE >> 4] = BPF_JLT,
		[BPF_JLT >> 4] = BPF_JGE,
		[BPF_JSGT >> 4] = BPF_JSLE,
		[BPF_JSLE >> 4] = BPF_JSGT,
		[BPF_JSGE >> 4] = BPF_JSLT,
		[BPF_JSLT >> 4] = BPF_JSGE};

	return inverse[op >> 4];
}

static bool fits_off(s64 distance)
{
	return distance >= INT16_MIN && distance <= INT16_MAX;
}

/* From the end of the item, which is where the longest form has its gotol. */
static s64 distance_of(const struct builder *b, size_t item, const u32 *pos)
{
	return (s64)pos[b->labels[b->items[item].label]] - pos[item + 1];
}

/* pos[i]: where item i starts. Items only ever get longer, so this ends. */
static void place(struct builder *b, u32 *pos)
{
	bool changed = true;

	while (changed) {
		changed = false;
		pos[0] = 0;
		for (size_t i = 0; i < b->nr_items; i++)
			pos[i + 1] = pos[i] + b->items[i].len;
		for (size_t i = 0; i < b->nr_items; i++) {
			struct item *it = &b->items[i];

			if (it->label == LABEL_NONE || it->len > 1 ||
				!insn_is_cond_jump(it->insn) || fits_off(distance_of(b, i, pos)))
				continue;
			it->len = inverse_of(BPF_OP(it->insn.code)) ? 2 : 3;
			changed = true;
		}
	}
}

static const struct insn gotol = {.code = BPF_JMP32 | BPF_JA};

static void write_jump(const struct item *it, s64 distance, struct insn *out)
{
	struct insn *last = out + it->len - 1;

	assert(distance >= INT32_MIN && distance <= INT32_MAX);
	*out = it->insn;
	if (insn_is_local_call(it->insn) || insn_is_ld_imm64(it->insn)) {
		out->imm = (s32)distance;
		return;
	}
	if (it->len == 1 && fits_off(distance)) {
		out->off = (s16)distance;
		return;
	}
	if (it->len == 2) {
		out->code = (u8)(inverse_of(BPF_OP(it->insn.code)) | (it->insn.code & 0x0f));
		out->off = 1;
	} else if (it->len == 3) {
		out[0].off = 1;
		out[1] = (struct insn){.code = BPF_JMP | BPF_JA, .off = 1};
	}
	*last = gotol;
	last->imm = (s32)distance;
}

static void write_items(const struct builder *b, const u32 *pos, struct insn *out)
{
	for (size_t i = 0; i < b->nr_items; i++) {
		const struct item *it = &b->items[i];

		if (it->label == LABEL_NONE)
			out[pos[i]] = it->insn;
		else
			write_jump(it, distance_of(b, i, pos), out + pos[i]);
	}
}

/* Moves code and lines into p; nothing fails from here on. */
static void deliver(struct builder *b, const u32 *pos, struct insn *insns, struct prog *p)
{
	for (size_t i = 0; i < b->nr_lines; i++)
		b->lines[i].pc = pos[b->lines[i].pc];
	mem_free(p->insns);
	mem_free(p->lines);
	mem_free(p->line_text);
	p->insns = insns;
	p->len = pos[b->nr_items];
	p->lines = b->lines;
	p->nr_lines = (u32)b->nr_lines;
	p->line_text = (char *)b->text.data;
	p->line_text_len = b->text.len;
	b->lines = NULL;
	b->text = (struct buf){0};
	release(b);
	*b = (struct builder){0};
	buf_u8(&b->text, 0);
}

int builder_finish(struct builder *b, struct prog *p, struct diag *d)
{
	u32 *pos;
	struct insn *insns;

	if (b->failed || b->text.failed)
		return diag_nomem(d);
	for (size_t i = 0; i < b->nr_items; i++)
		assert(b->items[i].label == LABEL_NONE ||
			b->labels[b->items[i].label] != LABEL_UNBOUND);
	pos = mem_alloc(array_size(b->nr_items + 1, sizeof(*pos)));
	if (!pos)
		return diag_nomem(d);
	place(b, pos);
	if (pos[b->nr_items] > PROG_MAX_INSNS) {
		mem_free(pos);
		return diag_fail(d, pos_insn(p->name, 0), E2BIG,
			"the program is longer than PROG_MAX_INSNS (%u instructions)",
			PROG_MAX_INSNS);
	}
	insns = mem_alloc(array_size(pos[b->nr_items], sizeof(*insns)));
	if (!insns) {
		mem_free(pos);
		return diag_nomem(d);
	}
	write_items(b, pos, insns);
	deliver(b, pos, insns, p);
	mem_free(pos);
	return 0;
}
