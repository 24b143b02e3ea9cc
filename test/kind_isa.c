/* isa: text to bytes and back.
 *
 *   -- asm      a program; or
 *   -- hex      its instructions, eight bytes a line in memory order (expected, when there is asm)
 *   -- print    expected listing
 *   -- error    expected refusals by the assembler instead, "line:col: text"
 *   -- check    expected verdict of prog_check: "ok" or "insn N: text"
 *
 * Whatever assembles must also come back the same from its own listing. */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "case.h"
#include "isa/isa.h"
#include "isa/prog.h"

enum { NR_TEST_MAPS = 4 }; /* so that map[0] ... map[3] exist */

static void put_errors(struct buf *out, const struct diag *d)
{
	for (size_t i = 0; i < d->nr; i++) {
		const struct diag_entry *e = &d->entries[i];

		if (e->pos.kind == POS_TEXT)
			buf_printf(out, "%u:%u: %s\n", e->pos.line, e->pos.col, e->text);
		else
			buf_printf(out, "insn %u: %s\n", e->pos.line, e->text);
	}
}

static void put_program(struct buf *out, const struct prog *p)
{
	for (u32 pc = 0; pc < p->len; pc++) {
		u8 bytes[sizeof(struct insn)];

		memcpy(bytes, &p->insns[pc], sizeof(bytes));
		for (size_t i = 0; i < sizeof(bytes); i++)
			buf_printf(out, "%02x%c", bytes[i], i + 1 == sizeof(bytes) ? '\n' : ' ');
	}
}

static void expect_buf(struct tcase *c, struct section *s, struct buf *actual)
{
	case_expect(c, s, str_new((const char *)actual->data, actual->len));
	buf_fini(actual);
}

static void check_round_trip(struct tcase *c, const struct prog *p)
{
	struct prog *again = prog_new("again", PROG_TYPE_RAW);
	struct buf text = {0};
	struct diag d = {0};

	prog_print(&text, p);
	if (prog_assemble(again, "listing", (const char *)text.data, text.len, &d))
		case_fail(c, NULL, "the listing does not assemble: %s", diag_first(&d));
	else if (again->len != p->len || memcmp(again->insns, p->insns, p->len * sizeof(*p->insns)))
		case_fail(c, NULL, "the listing assembles to other bytes:\n%s", buf_cstr(&text));
	diag_fini(&d);
	buf_fini(&text);
	prog_free(again);
}

static int read_hex(struct tcase *c, struct prog *p, const struct section *s)
{
	struct buf bytes = {0};
	int err = -EINVAL;

	if (!s)
		case_fail(c, NULL, "neither '-- asm' nor '-- hex'");
	else if (case_bytes(c, s, &bytes) && bytes.len % sizeof(struct insn))
		case_fail(c, s, "an instruction has eight bytes");
	else if (!c->failed)
		err = prog_set_insns(
			p, (const struct insn *)bytes.data, (u32)(bytes.len / sizeof(struct insn)));
	buf_fini(&bytes);
	return err;
}

static void check_form(struct tcase *c, const struct prog *p, struct section *s)
{
	struct buf out = {0};
	struct diag d = {0};

	if (prog_check(p, &d))
		put_errors(&out, &d);
	else
		buf_puts(&out, "ok");
	expect_buf(c, s, &out);
	diag_fini(&d);
}

static void check_program(struct tcase *c, const struct prog *p)
{
	struct section *hex = case_find(c, "hex", ""), *print = case_find(c, "print", "");
	struct section *check = case_find(c, "check", "");
	struct buf out = {0};

	if (!hex && !print && !check)
		case_fail(c, NULL, "none of '-- hex', '-- print' and '-- check'");
	if (hex && case_find(c, "asm", "")) {
		put_program(&out, p);
		expect_buf(c, hex, &out);
	}
	if (print) {
		prog_print(&out, p);
		expect_buf(c, print, &out);
	}
	if (check)
		check_form(c, p, check);
	check_round_trip(c, p);
}

static void check_errors(struct tcase *c, const struct diag *d)
{
	struct section *error = case_find(c, "error", "");
	struct buf out = {0};

	put_errors(&out, d);
	if (error)
		case_expect(c, error, str_of(buf_cstr(&out)));
	else if (out.len)
		case_fail(c, NULL, "refused:\n%s", buf_cstr(&out));
	buf_fini(&out);
}

static void run(struct tcase *c)
{
	const struct section *text = case_find(c, "asm", "");
	struct prog *p = prog_new("case", PROG_TYPE_RAW);
	struct diag d = {0};
	u32 index;
	int err;

	for (int i = 0; i < NR_TEST_MAPS; i++)
		prog_add_map(p, NULL, &index);
	if (text)
		err = prog_assemble(p, "asm", text->body.p, text->body.len, &d);
	else
		err = read_hex(c, p, case_find(c, "hex", ""));
	if (!c->failed)
		check_errors(c, &d);
	if (!err)
		check_program(c, p);
	diag_fini(&d);
	prog_free(p);
}

const struct kind kind_isa = {"isa", run};
