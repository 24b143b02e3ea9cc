/* Frame descriptions as DWARF 5, 6.4 and the Linux Standard Base's chapter on .eh_frame define them: one entry for what all
 * functions have in common, one for each function, one for the thunks behind them. */
#include "jit/unwind.h"

#include "base/bytes.h"
#include "jit/target.h"

enum {
	CFA_ADVANCE = 0x40, /* | distance */
	CFA_OFFSET = 0x80,  /* | register */
	CFA_RESTORE = 0xc0, /* | register */
	CFA_ADVANCE_4 = 0x04,
	CFA_REMEMBER = 0x0a,
	CFA_RECALL = 0x0b,
	CFA_DEF_CFA = 0x0c,
	ADDRESS_ABSOLUTE = 0, /* DW_EH_PE_absptr */
	SLOT_BYTES = 8,
};

static void put_uleb(struct buf *out, u32 value)
{
	for (; value >= 0x80; value >>= 7)
		buf_u8(out, (u8)(value | 0x80));
	buf_u8(out, (u8)value);
}

static void put_le64(struct buf *out, u64 value)
{
	buf_le32(out, (u32)value);
	buf_le32(out, (u32)(value >> 32));
}

static void put_def_cfa(struct buf *out, u8 reg, u32 value)
{
	buf_u8(out, CFA_DEF_CFA);
	buf_u8(out, reg);
	put_uleb(out, value);
}

/* Pads the entry that begins at `start` and writes its length. */
static void close_entry(struct buf *out, size_t start)
{
	while ((out->len - start - 4) % 8 != 4)
		buf_u8(out, 0); /* DW_CFA_nop */
	if (!out->failed)
		store_le32(out->data + start, (u32)(out->len - start - 4));
}

static void put_common(const struct jit_target *t, struct buf *out)
{
	size_t start = out->len;

	buf_le32(out, 0);
	buf_le32(out, 0); /* a common entry */
	buf_u8(out, 1);   /* version */
	buf_put(out, "zR", 3);
	buf_u8(out, 1);    /* distances count bytes */
	buf_u8(out, 0x78); /* slots count -8 bytes */
	buf_u8(out, t->dwarf_return);
	buf_u8(out, 1);
	buf_u8(out, ADDRESS_ABSOLUTE);
	put_def_cfa(out, t->dwarf_sp, t->entry_cfa);
	if (t->entry_cfa) {
		buf_u8(out, CFA_OFFSET | t->dwarf_return);
		put_uleb(out, t->entry_cfa / SLOT_BYTES);
	}
	close_entry(out, start);
}

static void put_row(const struct jit_target *t, const struct jit_cfi *row, struct buf *out)
{
	u8 reg = t->dwarf_regs[row->reg];

	switch ((enum jit_cfi_kind)row->kind) {
	case JIT_CFI_SP:
		return put_def_cfa(out, t->dwarf_sp, row->value);
	case JIT_CFI_FP:
		return put_def_cfa(out, t->dwarf_fp, row->value);
	case JIT_CFI_SAVED:
		buf_u8(out, CFA_OFFSET | reg);
		return put_uleb(out, row->value / SLOT_BYTES);
	case JIT_CFI_SAME:
		return buf_u8(out, CFA_RESTORE | reg);
	case JIT_CFI_REMEMBER:
		return buf_u8(out, CFA_REMEMBER);
	case JIT_CFI_RECALL:
		return buf_u8(out, CFA_RECALL);
	}
	UNREACHABLE();
}

static void put_advance(struct buf *out, u32 distance)
{
	if (distance && distance < 0x40) {
		buf_u8(out, (u8)(CFA_ADVANCE | distance));
	} else if (distance) {
		buf_u8(out, CFA_ADVANCE_4);
		buf_le32(out, distance);
	}
}

/* The code from `at` to `end`; *row is the first row that isn't before it, and gets the first behind it. */
static void put_function(const struct jit_image *image, u64 base, size_t common, u32 at, u32 end,
	u32 *row, struct buf *out)
{
	size_t start = out->len;

	buf_le32(out, 0);
	buf_le32(out, (u32)(out->len - common)); /* how far back the common entry is */
	put_le64(out, base + at);
	put_le64(out, end - at);
	buf_u8(out, 0);
	for (; *row < image->nr_cfi; ++*row) {
		const struct jit_cfi *r = &image->cfi[*row];

		if (r->at > end || (r->at == end && r->kind != JIT_CFI_RECALL))
			break;
		put_advance(out, r->at - at);
		at = r->at;
		put_row(image->target, r, out);
	}
	close_entry(out, start);
}

void unwind_table(const struct jit_image *image, u64 base, struct buf *out)
{
	size_t common = out->len;
	u32 row = 0, end = 0;

	put_common(image->target, out);
	for (u32 i = 0; i < image->nr_functions; i++) {
		const struct jit_function *f = &image->functions[i];

		put_function(image, base, common, f->at, f->end, &row, out);
		end = f->end;
	}
	if (end < image->code.len)
		put_function(image, base, common, end, (u32)image->code.len, &row, out);
	buf_le32(out, 0);
}
