/* Reads the sidecar one line ahead of the capture, so that its size doesn't matter. */
#include "run/meta.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/text.h"
#include "run/capture.h"

struct meta {
	const char *path;
	FILE *file;
	char *line;
	size_t cap_line;
	u32 line_number;
	u64 first, last;         /* packets that the line at hand is about; first 0: no line */
	struct weir_packet what; /* its values */
	u32 given;               /* bits of meta_keys */
};

bool meta_parse_uid(const char *text, struct weir_packet *p)
{
	u32 uid = 0;

	if (!strcmp(text, "none"))
		p->socket = WEIR_SOCKET_NONE;
	else if (!strcmp(text, "kernel"))
		p->socket = WEIR_SOCKET_KERNEL;
	else if (str_to_u32(str_of(text), &uid))
		p->socket = WEIR_SOCKET_USER;
	else
		return false;
	p->uid = uid;
	return true;
}

bool meta_parse_iface(const char *text, char iface[static 16])
{
	size_t len = strlen(text);

	if (!len || len > 15)
		return false;
	memset(iface, 0, 16);
	memcpy(iface, text, len);
	return true;
}

static bool set_uid(const char *text, struct weir_packet *p)
{
	return meta_parse_uid(text, p);
}

static bool set_gid(const char *text, struct weir_packet *p)
{
	return str_to_u32(str_of(text), &p->gid);
}

static bool set_mark(const char *text, struct weir_packet *p)
{
	return str_to_u32(str_of(text), &p->mark);
}

static bool set_in(const char *text, struct weir_packet *p)
{
	return meta_parse_iface(text, p->in_iface);
}

static bool set_out(const char *text, struct weir_packet *p)
{
	return meta_parse_iface(text, p->out_iface);
}

static bool set_direction(const char *text, struct weir_packet *p)
{
	p->direction = !strcmp(text, "in")    ? DIRECTION_IN
		       : !strcmp(text, "out") ? DIRECTION_OUT
					      : DIRECTION_UNKNOWN;
	return p->direction != DIRECTION_UNKNOWN;
}

static void copy_uid(struct weir_packet *to, const struct weir_packet *from)
{
	to->socket = from->socket;
	to->uid = from->uid;
}

static void copy_gid(struct weir_packet *to, const struct weir_packet *from)
{
	to->gid = from->gid;
}

static void copy_mark(struct weir_packet *to, const struct weir_packet *from)
{
	to->mark = from->mark;
}

static void copy_in(struct weir_packet *to, const struct weir_packet *from)
{
	memcpy(to->in_iface, from->in_iface, sizeof(to->in_iface));
}

static void copy_out(struct weir_packet *to, const struct weir_packet *from)
{
	memcpy(to->out_iface, from->out_iface, sizeof(to->out_iface));
}

static void copy_direction(struct weir_packet *to, const struct weir_packet *from)
{
	to->direction = from->direction;
}

static const struct meta_key {
	const char *name, *expects;
	bool (*set)(const char *text, struct weir_packet *p);
	void (*copy)(struct weir_packet *to, const struct weir_packet *from);
} meta_keys[] = {
	{"uid", "a user id, 'none' (no socket) or 'kernel'", set_uid, copy_uid},
	{"gid", "a group id", set_gid, copy_gid},
	{"mark", "a 32-bit number", set_mark, copy_mark},
	{"in", "an interface name of at most 15 bytes", set_in, copy_in},
	{"out", "an interface name of at most 15 bytes", set_out, copy_out},
	{"dir", "in or out", set_direction, copy_direction},
};

static int parse_word(struct meta *m, char *word, struct diag *d)
{
	struct pos pos = pos_text(m->path, m->line_number, (u32)(word - m->line) + 1);
	char *value = strchr(word, '=');

	if (!value)
		return diag_fail(d, pos, EINVAL, "'%s' is not of the form key=value", word);
	*value++ = '\0';
	for (size_t i = 0; i < ARRAY_LEN(meta_keys); i++) {
		if (strcmp(word, meta_keys[i].name))
			continue;
		if (!meta_keys[i].set(value, &m->what))
			return diag_fail(d, pos, EINVAL, "'%s' is no %s: expected %s", value, word,
				meta_keys[i].expects);
		m->given |= 1u << i;
		return 0;
	}
	return diag_fail(d, pos, EINVAL,
		"unknown key '%s': there are uid, gid, mark, in, out and dir", word);
}

static int parse_range(struct meta *m, const char *word, struct diag *d)
{
	struct str first, last;
	u64 before = m->last;
	bool range = str_split(str_of(word), '-', &first, &last);

	if (!str_to_u64(first, &m->first) || !m->first || (range && !str_to_u64(last, &m->last)))
		return diag_fail(d, pos_text(m->path, m->line_number, 1), EINVAL,
			"'%s' is no packet number or range of them (N or N-M, from 1)", word);
	if (!range)
		m->last = m->first;
	if (m->first <= before || m->last < m->first)
		return diag_fail(d, pos_text(m->path, m->line_number, 1), EINVAL,
			"packet numbers must ascend: '%s' follows %llu", word,
			(unsigned long long)before);
	return 0;
}

static int parse_line(struct meta *m, char *text, struct diag *d)
{
	char *save = NULL, *word = strtok_r(text, " \t\r\n", &save);
	int err = parse_range(m, word, d);

	m->given = 0;
	m->what = (struct weir_packet){0};
	while (!err && (word = strtok_r(NULL, " \t\r\n", &save)))
		err = parse_word(m, word, d);
	return err;
}

/* The next line with something on it; first = 0 behind the last. */
static int next_line(struct meta *m, struct diag *d)
{
	while (getline(&m->line, &m->cap_line, m->file) >= 0) {
		m->line_number++;
		char *text = m->line + strspn(m->line, " \t\r\n");
		if (*text && *text != '#')
			return parse_line(m, text, d);
	}
	m->first = 0;
	if (ferror(m->file))
		return diag_fail(
			d, pos_text(m->path, 0, 0), EIO, "can't be read: %s", strerror(errno));
	return 0;
}

int meta_open(const char *path, struct meta **out, struct diag *d)
{
	struct meta *m = mem_zalloc(sizeof(*m));

	if (!m)
		return diag_nomem(d);
	m->path = path;
	m->file = fopen(path, "r");
	int err = m->file ? next_line(m, d)
			  : diag_fail(d, pos_text(path, 0, 0), errno, "can't be opened: %s",
				    strerror(errno));
	if (err) {
		meta_close(m);
		return err;
	}
	*out = m;
	return 0;
}

void meta_close(struct meta *m)
{
	if (!m)
		return;
	if (m->file)
		fclose(m->file);
	free(m->line); /* getline's own allocation */
	mem_free(m);
}

int meta_apply(struct meta *m, u64 number, struct weir_packet *p, struct diag *d)
{
	while (m->first && m->last < number) {
		int err = next_line(m, d);

		if (err)
			return err;
	}
	if (!m->first || number < m->first)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(meta_keys); i++)
		if (m->given & 1u << i)
			meta_keys[i].copy(p, &m->what);
	return 0;
}
