/* Instructions to text, by the patterns of ops.def. */
#include "isa/isa.h"

#include "base/buf.h"
#include "base/bytes.h"
#include "isa/op.h"
#include "isa/pattern.h"
#include "isa/prog.h"

static void print_raw(struct buf *out, struct insn i)
{
	u8 bytes[sizeof(i)];

	memcpy(bytes, &i, sizeof(i));
	buf_puts(out, ".insn 0x");
	for (size_t n = 0; n < sizeof(bytes); n++)
		buf_printf(out, "%02x", bytes[n]);
}

static void print_helper(struct buf *out, u32 id, helper_name_fn name_of)
{
	const char *name = name_of ? name_of(id) : NULL;

	if (name)
		buf_printf(out, "bpf_%s#%d", name, (s32)id);
	else
		buf_printf(out, "%d", (s32)id);
}

static void print_field(
	struct buf *out, char what, struct insn i, const struct insn *next, helper_name_fn name_of)
{
	switch (what) {
	case 'd':
		buf_printf(out, "r%u", i.dst);
		break;
	case 'D':
		buf_printf(out, "w%u", i.dst);
		break;
	case 's':
		buf_printf(out, "r%u", i.src);
		break;
	case 'S':
		buf_printf(out, "w%u", i.src);
		break;
	case 'i':
		buf_printf(out, "%d", i.imm);
		break;
	case 'o':
	case 'j':
		buf_printf(out, "%+d", i.off);
		break;
	case 'J':
		buf_printf(out, "%+d", i.imm);
		break;
	case 'c':
		buf_printf(out, "pc%+d", i.imm);
		break;
	case 'h':
		print_helper(out, (u32)i.imm, name_of);
		break;
	case 'n':
		buf_printf(out, "%u", (u32)next->imm);
		break;
	case 'q':
		buf_printf(out, "0x%llx", (unsigned long long)(u32)next->imm << 32 | (u32)i.imm);
		break;
	default:
		UNREACHABLE();
	}
}

void insn_print_named(
	struct buf *out, struct insn i, const struct insn *next, helper_name_fn name_of)
{
	if (insn_check(i, next, true)) {
		print_raw(out, i);
		return;
	}
	for (const char *p = op_of(i)->text; *p; p++) {
		if (pattern_is_field(p))
			print_field(out, *++p, i, next, name_of);
		else
			buf_u8(out, (u8)*p);
	}
}

void insn_print(struct buf *out, struct insn i, const struct insn *next)
{
	insn_print_named(out, i, next, NULL);
}

static void print_source(struct buf *out, const struct prog *p, u32 pc)
{
	const struct prog_line *line = prog_line_of(p, pc);

	if (line && line->pc == pc && line->text)
		buf_printf(out, "; %s\n", p->line_text + line->text);
}

void prog_print_named(struct buf *out, const struct prog *p, helper_name_fn name_of)
{
	for (u32 pc = 0; pc < p->len; pc++) {
		struct insn i = p->insns[pc];
		const struct insn *next = pc + 1 < p->len ? &p->insns[pc + 1] : NULL;

		print_source(out, p, pc);
		buf_printf(out, "%4u: ", pc);
		insn_print_named(out, i, next, name_of);
		buf_u8(out, '\n');
		/* A pair prints as one line, unless the first half had to print as bytes. */
		pc += insn_is_ld_imm64(i) && !insn_check(i, next, true);
	}
}

void prog_print(struct buf *out, const struct prog *p)
{
	prog_print_named(out, p, NULL);
}
