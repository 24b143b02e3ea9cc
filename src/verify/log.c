/* When the log says what. How registers and instructions look is in log_state.c and log_insn.c. */
#include "verify/log.h"

#include <string.h>

#include "base/buf.h"

enum {
	LEVEL_PATH = 1,
	LEVEL_ALL = 2,
	/* Where the comment behind an instruction starts: at this column, or at a multiple of 8 behind longer ones. */
	COMMENT_COLUMN = 40,
	COMMENT_GAP = 4,
	COMMENT_STEP = 8,
};

static bool logs(const struct verifier *v)
{
	return v->opts.log && v->opts.log_level >= LEVEL_PATH;
}

static bool logs_all(const struct verifier *v)
{
	return logs(v) && v->opts.log_level >= LEVEL_ALL;
}

static void touch_all(struct verifier *v)
{
	v->log.regs = UINT16_MAX;
	v->log.slots = UINT64_MAX;
}

static bool touched(const struct verifier *v)
{
	return v->log.regs || v->log.slots;
}

static void untouch(struct verifier *v)
{
	v->log.regs = 0;
	v->log.slots = 0;
}

static void put_live(struct verifier *v)
{
	struct buf *b = v->opts.log;

	buf_puts(b, "Live regs before insn:\n");
	for (u32 pc = 0; pc < v->prog->len; pc += insn_is_ld_imm64(v->prog->insns[pc]) ? 2 : 1) {
		buf_printf(b, "    %3u: ", pc);
		for (u32 r = 0; r < BPF_REG_FP; r++)
			buf_u8(b, (u8)(v->live[pc].regs >> r & 1 ? '0' + r : '.'));
		buf_puts(b, " ");
		log_put_insn(v, pc);
		buf_puts(b, "\n");
	}
}

void log_start(struct verifier *v)
{
	if (logs_all(v)) {
		for (u32 n = 0; n < v->nr_subprogs; n++)
			buf_printf(v->opts.log, "func#%u @%u\n", n, v->subprogs[n].start);
		put_live(v);
	}
	touch_all(v);
}

/* Spaces up to where the comment behind an instruction of that many characters starts. */
static u32 comment_gap(u32 insn_len)
{
	u32 from =
		insn_len + COMMENT_GAP > COMMENT_COLUMN ? insn_len + COMMENT_GAP : COMMENT_COLUMN;

	return (from + COMMENT_STEP - 1) / COMMENT_STEP * COMMENT_STEP - insn_len - 1;
}

static void put_changes(struct verifier *v, u32 pc)
{
	struct buf *b = v->opts.log;

	if (v->log.insn_end && v->log.insn_end == b->len) {
		b->len--; /* the line's end */
		buf_printf(b, "%*c;", (int)comment_gap(v->log.insn_len), ' ');
	} else {
		buf_printf(b, "%u:", pc);
	}
	log_put_state(v, v->cur.depth, false);
	untouch(v);
}

void log_changes(struct verifier *v)
{
	if (logs(v) && touched(v))
		put_changes(v, v->next_pc);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Where neighbours come from one line, it is shown once. */
static void put_line(struct verifier *v)
{
	const struct prog_line *line = prog_line_of(v->prog, v->pc), *last = v->log.line;
	const char *text = v->prog->line_text;

	if (!line || !line->text || line->pc != v->pc || line == last)
		return;
	v->log.line = line;
	if (last && last->file == line->file && last->line == line->line)
		return;
	text += line->text;
	while (*text == ' ' || *text == '\t')
		text++;
	buf_printf(v->opts.log, "; %s", text);
	if (line->file)
		buf_printf(v->opts.log, " @ %s:%u", base_name(v->prog->line_text + line->file),
			line->line);
	buf_puts(v->opts.log, "\n");
}

static void put_from(struct verifier *v)
{
	buf_printf(v->opts.log, "\nfrom %u to %u:", v->log.from_pc, v->pc);
}

void log_insn(struct verifier *v, struct insn i)
{
	struct buf *b = v->opts.log;

	if (!logs(v))
		return;
	if (logs_all(v) && v->log.from) {
		put_from(v);
		log_put_state(v, v->cur.depth, true);
		v->log.from = false;
	}
	if (touched(v))
		put_changes(v, v->pc);
	put_line(v);
	size_t start = b->len;
	buf_printf(b, "%u: ", v->pc);
	log_put_insn(v, v->pc);
	buf_puts(b, "\n");
	v->log.insn_len = (u32)(b->len - start);
	v->log.insn_end = b->len;
	log_touch_regs(v, insn_defs(i));
}

void log_call(struct verifier *v)
{
	struct buf *b = v->opts.log;

	if (!logs(v))
		return;
	buf_puts(b, "caller:\n");
	log_put_state(v, v->cur.depth - 1, true);
	buf_puts(b, "callee:\n");
	log_put_state(v, v->cur.depth, true);
	touch_all(v);
}

void log_return(struct verifier *v)
{
	struct buf *b = v->opts.log;

	if (!logs(v))
		return;
	buf_puts(b, "returning from callee:\n");
	log_put_state(v, v->cur.depth + 1, true);
	buf_printf(b, "to caller at %u:\n", v->next_pc);
	log_put_state(v, v->cur.depth, true);
	v->log.from = true;
	v->log.from_pc = v->pc;
	untouch(v);
}

void log_pruned(struct verifier *v)
{
	if (!logs(v))
		return;
	if (v->log.from)
		put_from(v);
	else
		buf_printf(v->opts.log, "%u:", v->pc);
	buf_puts(v->opts.log, " safe\n");
}

void log_branch(struct verifier *v)
{
	v->log.from = true;
	v->log.from_pc = v->pc;
	touch_all(v);
}

void log_rewind(struct verifier *v, size_t len)
{
	if (logs(v) && v->opts.log_level < LEVEL_ALL && len <= v->opts.log->len) {
		v->opts.log->len = len;
		if (len)
			v->opts.log->data[len - 1] = '\n'; /* a comment may have taken its place */
		v->log.insn_end = 0;
	}
}

void log_stats(struct verifier *v)
{
	if (logs(v))
		buf_printf(v->opts.log,
			"processed %u insns (limit %u) max_states_per_insn %u total_states %u "
			"peak_states %u mark_read 0\n",
			v->stats.insns_walked, v->opts.max_insns, v->stats.states_per_insn,
			v->stats.states_total, v->stats.states_peak);
}

void log_text(struct verifier *v, const char *text)
{
	if (logs(v))
		buf_printf(v->opts.log, "%s\n", text);
}

void log_printf(struct verifier *v, const char *fmt, ...)
{
	va_list args;

	if (!logs(v))
		return;
	va_start(args, fmt);
	buf_vprintf(v->opts.log, fmt, args);
	va_end(args);
	buf_puts(v->opts.log, "\n");
}
