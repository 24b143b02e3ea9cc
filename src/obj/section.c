/* The table of section names. */
#include "obj/section.h"

#include <string.h>

#include "base/text.h"

enum match { EXACT, SUB, LOOSE };

static const struct row {
	const char *name;
	enum match match;
	enum weir_program_type type;
	const char *text;
	u32 attach_type;
} rows[] = {
#define SECTION(name, match, type, text, attach) {name, match, type, text, attach},
#include "obj/sections.def"
#undef SECTION
};

static bool row_fits(const struct row *row, const char *name)
{
	size_t len = strlen(row->name);

	if (strncmp(row->name, name, len) != 0)
		return false;
	return row->match == LOOSE || !name[len] || (row->match == SUB && name[len] == '/');
}

static const struct row *find_row(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (row_fits(&rows[i], name))
			return &rows[i];
	return NULL;
}

struct section_kind section_kind_of(const char *name)
{
	const struct row *row = find_row(name);
	struct section_kind kind = {0};

	if (!row)
		return kind;
	kind.type = row->type;
	kind.text = row->text;
	kind.attach_type = row->attach_type;
	if (row->type == WEIR_PROG_RAW && name[strlen(row->name)] == '/')
		(void)str_to_u32(str_of(name + strlen(row->name) + 1), &kind.raw_bytes);
	return kind;
}

bool section_tail_call(const char *name, u32 *id, u32 *slot)
{
	struct str head, rest;

	return str_split(str_of(name), '/', &head, &rest) && str_to_u32(head, id) &&
	       str_to_u32(rest, slot);
}
