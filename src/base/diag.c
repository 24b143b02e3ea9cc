#include "base/diag.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"

static void diag_add(struct diag *d, enum diag_level level, struct pos pos, int err,
	const char *fmt, va_list args)
{
	struct diag_entry entry = {.level = level, .err = err, .pos = pos};
	struct buf text = {0};
	char *file = NULL;

	if (level == DIAG_ERROR)
		d->nr_errors++;
	if (d->nr >= DIAG_MAX_ENTRIES)
		goto drop;
	buf_vprintf(&text, fmt, args);
	entry.text = text.failed ? NULL : mem_strndup((const char *)text.data, text.len);
	if (pos.file)
		file = mem_strdup(pos.file);
	if (!entry.text || (pos.file && !file) ||
		array_grow((void **)&d->entries, &d->cap, d->nr + 1, sizeof(*d->entries)))
		goto drop;
	entry.pos.file = file;
	d->entries[d->nr++] = entry;
	buf_fini(&text);
	return;
drop:
	d->nr_dropped++;
	mem_free(entry.text);
	mem_free(file);
	buf_fini(&text);
}

int diag_fail(struct diag *d, struct pos pos, int err, const char *fmt, ...)
{
	va_list args;

	if (d) {
		va_start(args, fmt);
		diag_add(d, DIAG_ERROR, pos, err, fmt, args);
		va_end(args);
	}
	return -err;
}

void diag_warn(struct diag *d, struct pos pos, const char *fmt, ...)
{
	va_list args;

	if (!d)
		return;
	va_start(args, fmt);
	diag_add(d, DIAG_WARNING, pos, 0, fmt, args);
	va_end(args);
}

void diag_note(struct diag *d, struct pos pos, const char *fmt, ...)
{
	va_list args;

	if (!d)
		return;
	va_start(args, fmt);
	diag_add(d, DIAG_NOTE, pos, 0, fmt, args);
	va_end(args);
}

void diag_source(struct diag *d, const char *line, size_t len)
{
	if (!d || !d->nr)
		return;
	struct diag_entry *last = &d->entries[d->nr - 1];
	mem_free(last->source);
	last->source = mem_strndup(line, len);
}

int diag_nomem(struct diag *d)
{
	return diag_fail(d, pos_none(), ENOMEM, "out of memory");
}

const char *thread_error_text(int err)
{
	return err == EAGAIN ? "no memory for its stack, or too many threads" : strerror(err);
}

const char *diag_first(const struct diag *d)
{
	for (size_t i = 0; d && i < d->nr; i++)
		if (d->entries[i].level == DIAG_ERROR)
			return d->entries[i].text;
	return "";
}

void diag_fini(struct diag *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->nr; i++) {
		mem_free((char *)d->entries[i].pos.file);
		mem_free(d->entries[i].text);
		mem_free(d->entries[i].source);
	}
	mem_free(d->entries);
	*d = (struct diag){0};
}
