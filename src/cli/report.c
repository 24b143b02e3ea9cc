/* Messages to people, and files for the subcommands. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "cli/cli.h"
#include "rules/parse.h"

enum { SOURCE_COLUMNS = 160 }; /* a longer source line is shown in part */

static void print_place(const struct pos *pos)
{
	switch (pos->kind) {
	case POS_NONE:
		fputs("weir: ", stderr);
		return;
	case POS_TEXT:
		fprintf(stderr, "%s:", pos->file);
		if (pos->line)
			fprintf(stderr, "%u:", pos->line);
		if (pos->line && pos->col)
			fprintf(stderr, "%u:", pos->col);
		fputc(' ', stderr);
		return;
	case POS_INSN:
		fprintf(stderr, "%s: insn %u: ", pos->file, pos->line);
		return;
	}
	UNREACHABLE();
}

/* Length of the UTF-8 sequence that begins at s, or 0 when there is none. */
static size_t utf8_length(const char *s, size_t left)
{
	u8 c = (u8)s[0];
	size_t len = c < 0x80                ? 1
		     : c >= 0xc2 && c < 0xe0 ? 2
		     : c >= 0xe0 && c < 0xf0 ? 3
		     : c >= 0xf0 && c < 0xf5 ? 4
					     : 0;

	for (size_t i = 1; i < len; i++)
		if (i >= left || ((u8)s[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

/* Files and messages that quote them may hold anything: control characters and broken UTF-8 come
 * out as '?'. */
static void print_clean(const char *s, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t n = utf8_length(s + i, len - i);

		if (n == 0 || (n == 1 && ((u8)s[i] < ' ' || s[i] == 0x7f))) {
			fputc(s[i] == '\t' ? ' ' : '?', stderr);
			i++;
		} else {
			fwrite(s + i, 1, n, stderr);
			i += n;
		}
	}
}

/* The source line with a caret under the column. */
static void print_source(const struct diag_entry *e)
{
	size_t len = strlen(e->source), col = e->pos.col ? e->pos.col - 1 : 0;
	size_t from =
		col > SOURCE_COLUMNS / 2 && len > SOURCE_COLUMNS ? col - SOURCE_COLUMNS / 2 : 0;

	fputs("    ", stderr);
	print_clean(e->source + from, len - from < SOURCE_COLUMNS ? len - from : SOURCE_COLUMNS);
	fputc('\n', stderr);
	if (!e->pos.col || col > len)
		return;
	fprintf(stderr, "    %*s^", (int)(col - from), "");
	for (u32 i = 1; i < e->pos.width && col + i < len && col + i < from + SOURCE_COLUMNS; i++)
		fputc('~', stderr);
	fputc('\n', stderr);
}

void complain(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fputs("weir: ", stderr);
	vfprintf(stderr, fmt, args);
	fputc('\n', stderr);
	va_end(args);
}

int out_of_memory(void)
{
	complain("out of memory");
	return EXIT_SYSTEM;
}

void report(const struct diag *d)
{
	static const char *const levels[] = {
		[DIAG_ERROR] = "error: ", [DIAG_WARNING] = "warning: ", [DIAG_NOTE] = "note: "};

	fflush(stdout);
	for (size_t i = 0; i < d->nr; i++) {
		const struct diag_entry *e = &d->entries[i];

		print_place(&e->pos);
		fputs(levels[e->level], stderr);
		print_clean(e->text, strlen(e->text));
		fputc('\n', stderr);
		if (e->source)
			print_source(e);
	}
	if (d->nr_dropped && d->nr < DIAG_MAX_ENTRIES)
		out_of_memory(); /* even for the message */
	else if (d->nr_dropped)
		fprintf(stderr, "weir: %zu more messages are not shown\n", d->nr_dropped);
}

int exit_code_of(int err)
{
	switch (-err) {
	case 0:
		return EXIT_OK;
	case ENOMEM:
	case EAGAIN: /* of threads */
	case EMFILE:
	case ENFILE:
	case EIO:
		return EXIT_SYSTEM;
	default:
		return EXIT_REFUSED;
	}
}

static int read_stream(FILE *file, const char *path, size_t max, struct buf *out, struct diag *d)
{
	u8 block[65536];
	size_t got;

	while ((got = fread(block, 1, sizeof(block), file)) > 0) {
		buf_put(out, block, got);
		if (out->failed)
			return diag_nomem(d);
		if (out->len > max)
			return diag_fail(
				d, pos_text(path, 0, 0), EFBIG, "is longer than %zu bytes", max);
	}
	if (ferror(file))
		return diag_fail(
			d, pos_text(path, 0, 0), errno, "can't be read: %s", strerror(errno));
	return 0;
}

int read_file(const char *path, size_t max, struct buf *out, struct diag *d)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;

	if (!file) {
		diag_fail(d, pos_text(path, 0, 0), errno, "can't be opened: %s", strerror(errno));
		return -EIO;
	}
	int err = read_stream(file, path, max, out, d);
	if (file != stdin)
		fclose(file);
	return err == -EFBIG ? err : err ? -EIO : 0;
}

void drop_result(struct buf *out, int err)
{
	if (err != -ENOMEM)
		return;
	buf_reset(out);
	out->failed = true; /* takes nothing more */
}

int write_out(FILE *to, struct buf *b)
{
	if (b->failed)
		return out_of_memory();
	if ((b->len && fwrite(b->data, 1, b->len, to) != b->len) || fflush(to)) {
		complain("the result can't be written: %s", strerror(errno));
		return EXIT_SYSTEM;
	}
	return EXIT_OK;
}

/* A pipe, a device, a link: what leads somewhere else can't be replaced. */
static bool is_replaceable(const char *path)
{
	struct stat st;

	return lstat(path, &st) ? errno == ENOENT : S_ISREG(st.st_mode);
}

static int write_file(const char *path, const char *name, struct buf *text)
{
	FILE *file = fopen(path, "wb");
	bool ok = file && (!text->len || fwrite(text->data, 1, text->len, file) == text->len) &&
		  !fflush(file);
	int err = errno;

	if (file && fclose(file) && ok) {
		ok = false;
		err = errno;
	}
	if (ok)
		return EXIT_OK;
	complain("%s: can't be written: %s", name, strerror(err));
	return EXIT_SYSTEM;
}

int replace_file(const char *path, struct buf *text)
{
	struct buf beside = {0};

	if (text->failed)
		return out_of_memory();
	if (!is_replaceable(path))
		return write_file(path, path, text);
	buf_printf(&beside, "%s.%ld.tmp", path, (long)getpid());
	if (beside.failed)
		return out_of_memory();
	const char *new = buf_cstr(&beside);
	int code = write_file(new, path, text);
	if (!code && rename(new, path)) {
		complain("%s: can't be written: %s", path, strerror(errno));
		code = EXIT_SYSTEM;
	}
	if (code)
		unlink(new);
	buf_fini(&beside);
	return code;
}

bool choose_family(enum family *to, enum family family)
{
	bool first = *to == FAMILY_NONE || *to == family;

	*to = family;
	return first;
}

int load_rules(const char *path, enum family family, bool lenient, struct buf *text,
	struct ruleset **out, struct diag *d)
{
	struct parse_opts opts = {.family = family, .lenient = lenient};
	int err = read_file(path, RULES_FILE_BYTES_MAX, text, d);

	if (err)
		return err;
	return rules_parse(path, str_new(text->data ? (const char *)text->data : "", text->len),
		&opts, out, d);
}

void buf_json_string(struct buf *b, const char *s, size_t len)
{
	buf_u8(b, '"');
	for (size_t i = 0; i < len;) {
		size_t n = utf8_length(s + i, len - i);
		u8 c = (u8)s[i];

		if (c == '"' || c == '\\')
			buf_printf(b, "\\%c", c);
		else if (n == 0 || c < ' ' || c == 0x7f) /* what isn't UTF-8 is taken as Latin-1 */
			buf_printf(b, "\\u%04x", c);
		else
			buf_put(b, s + i, n);
		i += n ? n : 1;
	}
	buf_u8(b, '"');
}
