#include "engine/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void copy_text(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from ? from : "");
}

static void append_note(struct weir_error *e, const char *text)
{
	size_t len = strlen(e->message);

	snprintf(e->message + len, sizeof(e->message) - len, "\nnote: %s", text);
}

static void fill_position(struct weir_error *e, struct pos pos)
{
	switch (pos.kind) {
	case POS_NONE:
		return;
	case POS_TEXT:
		e->where = WEIR_AT_TEXT;
		e->line = pos.line;
		e->col = pos.col;
		break;
	case POS_INSN:
		e->where = WEIR_AT_INSN;
		e->insn = pos.line;
		break;
	}
	copy_text(e->name, sizeof(e->name), pos.file);
}

int error_fill(struct weir_error *e, int err, const struct diag *d)
{
	size_t i = 0;

	if (!e)
		return err;
	*e = (struct weir_error){.code = -err};
	while (i < d->nr && d->entries[i].level != DIAG_ERROR)
		i++;
	if (i == d->nr) {
		copy_text(e->message, sizeof(e->message), strerror(-err));
		return err;
	}
	copy_text(e->message, sizeof(e->message), d->entries[i].text);
	copy_text(e->source, sizeof(e->source), d->entries[i].source);
	fill_position(e, d->entries[i].pos);
	while (++i < d->nr && d->entries[i].level == DIAG_NOTE)
		append_note(e, d->entries[i].text);
	return err;
}

int error_null(struct weir_error *e, const char *argument)
{
	if (e) {
		*e = (struct weir_error){.code = EINVAL};
		snprintf(e->message, sizeof(e->message), "%s is NULL", argument);
	}
	return -EINVAL;
}
