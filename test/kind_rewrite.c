/* rewrite: what passes make of a program.
 *
 *   -- type          raw BYTES, packet or xdp; without it raw 64
 *   -- maps          see case_maps.h
 *   -- asm           the program
 *   -- skip          letters of optional passes to leave out
 *   -- after PASS    the program behind that pass; addresses of this process print as ADDRESS */
#include <ctype.h>
#include <string.h>

#include "base/diag.h"
#include "case.h"
#include "case_maps.h"
#include "isa/isa.h"
#include "isa/prog.h"
#include "progtype/progtype.h"
#include "rewrite/rewrite.h"
#include "verify/verify.h"

enum { ADDRESS_DIGITS_MIN = 9 };

static void read_type(struct tcase *c, struct prog *p)
{
	const struct section *s = case_find(c, "type", "");
	struct str name, bytes, text = s ? section_body(s) : str_of("raw 64");
	char type[32] = "";

	while (text.len && text.p[text.len - 1] == '\n')
		text.len--;
	str_split(text, ' ', &name, &bytes);
	if (name.len < sizeof(type))
		memcpy(type, name.p, name.len);
	p->type = prog_type_by_name(type);
	if (p->type == PROG_TYPE_UNSPEC || (bytes.len && !str_to_u32(bytes, &p->raw_mem_bytes)))
		case_fail(c, s, "'%.*s' is not a type", (int)text.len, text.p);
}

/* Addresses change from run to run. */
static void hide_addresses(struct buf *out, const char *text)
{
	while (*text) {
		size_t digits = 0;

		if (text[0] == '0' && text[1] == 'x')
			while (isxdigit((unsigned char)text[2 + digits]))
				digits++;
		if (digits >= ADDRESS_DIGITS_MIN) {
			buf_puts(out, "ADDRESS");
			text += 2 + digits;
		} else {
			buf_u8(out, (u8)*text++);
		}
	}
}

static const struct pass *pass_by_name(struct str name)
{
	for (size_t i = 0; pass_at(i); i++)
		if (str_eq(name, pass_at(i)->name))
			return pass_at(i);
	return NULL;
}

/* The listing behind a pass in a dump of it, or NULL. */
static const char *listing_after(struct buf *dump, const struct pass *pass)
{
	struct buf title = {0};

	buf_printf(&title, "; after %s\n", pass->name);
	const char *at = strstr(buf_cstr(dump), buf_cstr(&title));
	if (at)
		at += title.len;
	buf_fini(&title);
	return at;
}

/* Rewrites a copy of p with its facts from the start, since a program can be rewritten only once.
 */
static void check_after(struct tcase *c, struct section *s, const struct prog *p, const char *skip)
{
	const struct pass *pass = pass_by_name(s->args);
	struct prog *copy = prog_clone(p);
	struct facts facts = {0};
	struct diag d = {0};
	struct buf dump = {0}, text = {0};
	char letter[2] = {pass ? pass->letter : 0};
	struct rewrite_opts opts = {.skip = skip, .dump = letter, .dump_to = &dump};

	if (!pass)
		case_fail(c, s, "there is no pass '%.*s'", (int)s->args.len, s->args.p);
	else if (verify(copy, NULL, &facts, NULL, &d) || rewrite(copy, &facts, &opts, &d))
		case_fail(c, s, "refused: %s", diag_first(&d));
	else if (!listing_after(&dump, pass))
		case_fail(c, s, "pass %s did not run", pass->name);
	else
		hide_addresses(&text, listing_after(&dump, pass));
	if (!c->failed)
		case_expect(c, s, str_new((const char *)text.data, text.len));
	facts_fini(&facts);
	prog_free(copy);
	diag_fini(&d);
	buf_fini(&dump);
	buf_fini(&text);
}

static void check_all(struct tcase *c, const struct prog *p)
{
	const struct section *skip = case_find(c, "skip", "");
	char letters[32] = "";
	bool any = false;

	if (skip)
		for (size_t i = 0, n = 0; i < section_body(skip).len && n < sizeof(letters) - 1;
			i++)
			if (isalpha((unsigned char)section_body(skip).p[i]))
				letters[n++] = section_body(skip).p[i];
	for (size_t i = 0; i < c->nr && !c->failed; i++) {
		struct section *s = &c->file->sections[c->first + i];

		if (!str_eq(s->name, "after"))
			continue;
		any = true;
		check_after(c, s, p, letters);
	}
	if (!any)
		case_fail(c, NULL, "no section '-- after PASS'");
}

static void run(struct tcase *c)
{
	struct str text = case_need(c, "asm", "");
	struct prog *p = prog_new("case", PROG_TYPE_RAW);
	struct case_maps maps;
	struct diag d = {0};

	read_type(c, p);
	case_maps_init(&maps, c, p);
	if (!c->failed && prog_assemble(p, "asm", text.p, text.len, &d))
		case_fail(c, case_find(c, "asm", ""), "refused: %s", diag_first(&d));
	if (!c->failed)
		check_all(c, p);
	prog_free(p);
	case_maps_fini(&maps);
	diag_fini(&d);
}

const struct kind kind_rewrite = {"rewrite", run};
