#include "cli/listing.h"

#include <errno.h>
#include <string.h>

#ifdef HAVE_CAPSTONE
#include <capstone/capstone.h>
#endif

#include "base/buf.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "base/text.h"
#include "isa/isa.h"
#include "isa/prog.h"
#include "jit/jit.h"

/* Prints code[from, to), one instruction a line. */
struct disassembler;

#ifdef HAVE_CAPSTONE

struct disassembler {
	csh handle;
	bool words; /* instructions are 32-bit words, shown as such; else bytes */
};

static int disassembler_init(struct disassembler *dis, const char *target, struct diag *d)
{
	bool arm = !strcmp(target, "arm64");
	dis->words = arm;
	cs_err err = cs_open(
		arm ? CS_ARCH_ARM64 : CS_ARCH_X86, arm ? CS_MODE_ARM : CS_MODE_64, &dis->handle);

	return err ? diag_fail(d, pos_none(), ENOTSUP, "the disassembler can't be set up: %s",
			     cs_strerror(err))
		   : 0;
}

static void disassembler_fini(struct disassembler *dis)
{
	cs_close(&dis->handle);
}

static void print_code(struct disassembler *dis, struct buf *out, const u8 *code, u32 from, u32 to)
{
	cs_insn *insns;
	size_t n = cs_disasm(dis->handle, code + from, to - from, from, 0, &insns);
	u32 at = from;

	for (size_t i = 0; i < n; i++) {
		buf_printf(out, "    %5x:  ", at);
		if (dis->words)
			buf_printf(out, "%08x  ", load_le32(code + at));
		for (u32 b = 0; b < insns[i].size && !dis->words; b++)
			buf_printf(out, "%02x", code[at + b]);
		int gap = insns[i].size < 11 ? 2 * (11 - (int)insns[i].size) : 1;
		buf_printf(out, "%*s%s %s\n", dis->words ? 0 : gap, "", insns[i].mnemonic,
			insns[i].op_str);
		at += insns[i].size;
	}
	if (n)
		cs_free(insns, n);
	if (at < to) { /* data, e.g. a literal */
		buf_printf(out, "    %5x:  ", at);
		for (; at < to; at++)
			buf_printf(out, "%02x", code[at]);
		buf_puts(out, "\n");
	}
}

/* The same without addresses and bytes. */
static void print_short(struct disassembler *dis, struct buf *out, const u8 *code, u32 from, u32 to)
{
	cs_insn *insns;
	size_t n = cs_disasm(dis->handle, code + from, to - from, from, 0, &insns);

	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%s %s\n", insns[i].mnemonic, insns[i].op_str);
	if (n)
		cs_free(insns, n);
}

#else

struct disassembler {
	char unused;
};

static int disassembler_init(struct disassembler *dis, const char *target, struct diag *d)
{
	(void)dis;
	(void)target;
	(void)d;
	return 0;
}

static void disassembler_fini(struct disassembler *dis)
{
	(void)dis;
}

static void print_code(struct disassembler *dis, struct buf *out, const u8 *code, u32 from, u32 to)
{
	(void)dis;
	for (u32 at = from; at < to; at += 16) {
		buf_printf(out, "    %5x:  ", at);
		for (u32 b = at; b < to && b < at + 16; b++)
			buf_printf(out, "%02x", code[b]);
		buf_puts(out, "\n");
	}
}

static void print_short(struct disassembler *dis, struct buf *out, const u8 *code, u32 from, u32 to)
{
	(void)dis;
	for (u32 at = from; at < to; at++)
		buf_printf(out, "%02x%s", code[at],
			at + 1 == to || (at - from) % 12 == 11 ? "\n" : "");
}

#endif

static void print_source_line(struct buf *out, const struct prog *p, u32 pc, u32 *last)
{
	const struct prog_line *line = prog_line_of(p, pc);

	if (!line || line->line == *last)
		return;
	*last = line->line;
	if (line->text)
		buf_printf(out, "; %u: %s\n", line->line, p->line_text + line->text);
}

int listing_print(
	struct buf *out, const struct prog *p, const struct jit_image *image, struct diag *d)
{
	struct disassembler dis;
	u32 last_line = 0;
	int err = disassembler_init(&dis, jit_target_name(image->target), d);

	if (err)
		return err;
	buf_printf(out, "; %s: %u BPF instructions, %zu bytes of code\n",
		jit_target_name(image->target), p->len, image->code.len);
	if (p->len && image->insn_off[0])
		print_code(&dis, out, image->code.data, 0, image->insn_off[0]);
	for (u32 pc = 0; pc < p->len; pc++) {
		print_source_line(out, p, pc, &last_line);
		buf_printf(out, "%4u: ", pc);
		insn_print(out, p->insns[pc], pc + 1 < p->len ? &p->insns[pc + 1] : NULL);
		buf_puts(out, "\n");
		bool wide = insn_is_ld_imm64(p->insns[pc]);
		u32 end = image->insn_off[pc + (wide ? 2 : 1)];
		if (image->insn_off[pc] < end)
			print_code(&dis, out, image->code.data, image->insn_off[pc], end);
		pc += wide;
	}
	if (image->insn_off[p->len] < image->code.len)
		print_code(
			&dis, out, image->code.data, image->insn_off[p->len], (u32)image->code.len);
	disassembler_fini(&dis);
	return 0;
}

enum { COLUMNS = 3, COLUMN_CHARS = 44 };

/* The next line of a column, without its end; empty behind the last. */
static struct str next_line(struct str *rest)
{
	struct str line;

	str_split(*rest, '\n', &line, rest);
	return line;
}

/* Prints the columns' lines beside each other. */
static void print_row(struct buf *out, struct buf *cells)
{
	struct str rest[COLUMNS];
	bool more = true;

	for (int i = 0; i < COLUMNS; i++)
		rest[i] = str_new(buf_cstr(&cells[i]), cells[i].len);
	while (more) {
		struct str lines[COLUMNS];
		int last = 0;

		more = false;
		for (int i = 0; i < COLUMNS; i++) {
			lines[i] = next_line(&rest[i]);
			last = lines[i].len ? i : last;
			more |= rest[i].len > 0;
		}
		for (int i = 0; i <= last; i++)
			buf_printf(out, i < last ? "%-*.*s| " : "%*.*s",
				i < last ? COLUMN_CHARS : 0, (int)lines[i].len, lines[i].p);
		buf_puts(out, "\n");
	}
	for (int i = 0; i < COLUMNS; i++)
		buf_reset(&cells[i]);
}

static void side_rows(struct buf *out, const struct prog *p, const struct jit_image *const *images,
	struct disassembler *dis)
{
	struct buf cells[COLUMNS] = {0};
	u32 last_line = 0;

	for (int i = 1; i < COLUMNS; i++)
		print_short(&dis[i - 1], &cells[i], images[i - 1]->code.data, 0,
			images[i - 1]->insn_off[0]);
	if (cells[1].len || cells[2].len)
		print_row(out, cells);
	for (u32 pc = 0; pc < p->len; pc++) {
		bool wide = insn_is_ld_imm64(p->insns[pc]);

		print_source_line(out, p, pc, &last_line);
		buf_printf(&cells[0], "%4u: ", pc);
		insn_print(&cells[0], p->insns[pc], pc + 1 < p->len ? &p->insns[pc + 1] : NULL);
		for (int i = 1; i < COLUMNS; i++)
			print_short(&dis[i - 1], &cells[i], images[i - 1]->code.data,
				images[i - 1]->insn_off[pc],
				images[i - 1]->insn_off[pc + (wide ? 2 : 1)]);
		print_row(out, cells);
		pc += wide;
	}
	for (int i = 0; i < COLUMNS; i++) {
		out->failed |= cells[i].failed;
		buf_fini(&cells[i]);
	}
}

int listing_print_side(struct buf *out, const struct prog *p, const struct jit_image *x86,
	const struct jit_image *arm, struct diag *d)
{
	const struct jit_image *images[] = {x86, arm};
	struct disassembler dis[2];
	int err = disassembler_init(&dis[0], jit_target_name(x86->target), d);

	if (err)
		return err;
	err = disassembler_init(&dis[1], jit_target_name(arm->target), d);
	if (!err) {
		buf_printf(out, "%-*s| %-*s| %s\n", COLUMN_CHARS, "BPF", COLUMN_CHARS,
			jit_target_name(x86->target), jit_target_name(arm->target));
		side_rows(out, p, images, dis);
		disassembler_fini(&dis[1]);
	}
	disassembler_fini(&dis[0]);
	return err;
}
