#include "cli/listing.h"

#include <errno.h>
#include <string.h>

#ifdef HAVE_CAPSTONE
#include <capstone/capstone.h>
#endif

#include "base/buf.h"
#include "base/bytes.h"
#include "base/diag.h"
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
