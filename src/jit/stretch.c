/* Longer jumps where shorter ones stand: the code behind them moves on, and with it everything that says where in the code
 * something is. A round makes all jumps longer that don't reach their labels, and may move others out of reach.
 *
 * A round:
 *   find_short  which jumps, in the order of the code
 *   rebuild     the code, piece by piece: longer jumps, and new padding before short loops; notes where things shift
 *   shift_all   labels, fixups and the like */
#include "jit/stretch.h"

#include <errno.h>

#include "base/alloc.h"
#include "jit/loop.h"
#include "jit/target.h"

/* Then all jumps become long: keeps this linear where each round would move just one more jump out of reach. */
enum { ROUNDS_MAX = 12 };

struct short_jump {
	size_t fixup;
	u32 at; /* its first byte */
	struct jit_longer longer;
};

/* What is at `at` or behind it goes `by` bytes further on. Before a loop without padding something else may be at the same
 * place, which stays: that whose owner is before `start`. */
struct shift {
	u32 at, by; /* modulo 2^32, for padding can become less */
	u32 start;
};

/* Owners: 1 + the instruction; or these. */
enum { BEFORE_LOOPS = 0, IN_LOOPS = INT32_MAX };

struct stretch {
	struct jit *j;
	struct short_jump *jumps;
	size_t nr_jumps, jumps_cap;
	struct shift *shifts; /* in the order of the code */
	size_t nr_shifts, shifts_cap;
	struct buf code;
	u32 done; /* so many bytes of the old code are in `code`, or have been replaced */
};

static bool reaches(struct jit *j, const struct jit_fixup *f)
{
	u8 unwanted[8] = {0};
	s64 delta = (s64)j->label_off[f->to] - (s64)f->at;

	return j->target->patch(unwanted, f->kind, delta);
}

static void find_short(struct stretch *s, bool all)
{
	struct jit *j = s->j;

	s->nr_jumps = 0;
	for (size_t i = 0; i < j->nr_fixups && !j->err; i++) {
		struct jit_fixup *f = &j->fixups[i];
		struct short_jump jump = {.fixup = i};

		if ((!all && reaches(j, f)) ||
			!j->target->lengthen(j->code.data + f->at, f->kind, &jump.longer))
			continue;
		jump.at = f->at - jump.longer.old_at;
		if (array_grow(
			    (void **)&s->jumps, &s->jumps_cap, s->nr_jumps + 1, sizeof(*s->jumps)))
			return jit_fail(j, f->pc, ENOMEM, "out of memory");
		s->jumps[s->nr_jumps++] = jump;
	}
}

static void copy_up_to(struct stretch *s, u32 at)
{
	buf_put(&s->code, s->j->code.data + s->done, at - s->done);
	s->done = at;
}

/* `bytes` of the old code have been replaced. */
static void skip(struct stretch *s, u32 bytes, u32 start)
{
	s->done += bytes;
	if (array_grow((void **)&s->shifts, &s->shifts_cap, s->nr_shifts + 1, sizeof(*s->shifts)))
		return jit_fail(s->j, 0, ENOMEM, "out of memory");
	s->shifts[s->nr_shifts++] = (struct shift){s->done, (u32)s->code.len - s->done, start};
}

static void put_jump(struct stretch *s, const struct short_jump *jump)
{
	copy_up_to(s, jump->at);
	buf_put(&s->code, jump->longer.code, jump->longer.new_bytes);
	skip(s, jump->longer.old_bytes, BEFORE_LOOPS);
}

/* `next` is the first jump behind the loop's beginning. */
static void put_padding(struct stretch *s, struct jit_placed *loop, size_t next)
{
	static const u8 room[64];
	u32 end = loop->at + loop->pad + loop->bytes, old_pad = loop->pad;

	for (; next < s->nr_jumps && s->jumps[next].at < end; next++)
		loop->bytes += s->jumps[next].longer.new_bytes - s->jumps[next].longer.old_bytes;
	copy_up_to(s, loop->at);
	loop->at = (u32)s->code.len;
	loop->pad = jit_loop_pad(loop->at, loop->bytes);
	buf_put(&s->code, room, loop->pad);
	if (!s->code.failed)
		s->j->target->pad(s->code.data + loop->at, loop->pad);
	skip(s, old_pad, 1 + loop->start);
}

static void rebuild(struct stretch *s)
{
	struct jit *j = s->j;
	size_t loop = 0;

	s->done = 0;
	s->nr_shifts = 0;
	buf_reset(&s->code);
	for (size_t i = 0; i < s->nr_jumps; i++) {
		for (; loop < j->nr_placed && j->placed[loop].at <= s->jumps[i].at; loop++)
			put_padding(s, &j->placed[loop], i);
		put_jump(s, &s->jumps[i]);
	}
	for (; loop < j->nr_placed; loop++)
		put_padding(s, &j->placed[loop], s->nr_jumps);
	copy_up_to(s, (u32)j->code.len);
	if (s->code.failed)
		jit_fail(j, 0, ENOMEM, "out of memory");
	else
		jit_check_bytes(j, &s->code);
}

static bool is_before(const struct shift *shift, u32 off, u32 owner)
{
	return shift->at < off || (shift->at == off && owner >= shift->start);
}

/* Where what was at `off` is now. */
static u32 shifted(const struct stretch *s, u32 off, u32 owner)
{
	size_t low = 0, high = s->nr_shifts;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (is_before(&s->shifts[mid], off, owner))
			low = mid + 1;
		else
			high = mid;
	}
	return low ? off + s->shifts[low - 1].by : off;
}

/* Labels of instructions are in the order of the code, like the shifts. */
static void shift_insns(struct stretch *s)
{
	struct jit *j = s->j;
	size_t next = 0;

	for (u32 pc = 0; pc < j->prog->len; pc++) {
		u32 *off = &j->label_off[pc];

		while (next < s->nr_shifts && is_before(&s->shifts[next], *off, 1 + pc))
			next++;
		*off += next ? s->shifts[next - 1].by : 0;
	}
}

static void shift_labels(struct stretch *s)
{
	struct jit *j = s->j;
	size_t first = j->prog->len, first_own = first + 2 * (size_t)j->nr_subprogs;

	for (size_t l = first; l < j->nr_labels; l++)
		if (j->label_off[l] != JIT_UNBOUND)
			j->label_off[l] = shifted(
				s, j->label_off[l], l < first_own ? BEFORE_LOOPS : IN_LOOPS);
}

static void shift_fixups(struct stretch *s)
{
	struct jit *j = s->j;

	for (size_t i = 0; i < j->nr_fixups; i++)
		j->fixups[i].at = shifted(s, j->fixups[i].at, IN_LOOPS);
	for (size_t i = 0; i < s->nr_jumps; i++) {
		struct jit_fixup *f = &j->fixups[s->jumps[i].fixup];
		const struct jit_longer *longer = &s->jumps[i].longer;

		f->kind = longer->kind;
		f->at += (u32)longer->new_at - longer->old_at;
	}
	for (size_t i = 0; i < j->nr_relocs; i++)
		j->relocs[i].at = shifted(s, j->relocs[i].at, IN_LOOPS);
}

static void shift_all(struct stretch *s)
{
	struct jit *j = s->j;

	shift_insns(s);
	shift_labels(s);
	shift_fixups(s);
	for (size_t i = 0; i < j->nr_cfi; i++)
		j->cfi[i].at = shifted(s, j->cfi[i].at, BEFORE_LOOPS);
	for (size_t i = 0; i < j->nr_functions; i++) {
		j->functions[i].at = shifted(s, j->functions[i].at, BEFORE_LOOPS);
		j->functions[i].end = shifted(s, j->functions[i].end, BEFORE_LOOPS);
	}
	j->body_end = shifted(s, j->body_end, BEFORE_LOOPS);
}

void jit_stretch(struct jit *j)
{
	struct stretch s = {.j = j};

	for (unsigned round = 1;; round++) {
		find_short(&s, round >= ROUNDS_MAX);
		if (!s.nr_jumps || j->err)
			break;
		rebuild(&s);
		if (j->err)
			break;
		shift_all(&s);
		struct buf old = j->code;
		j->code = s.code;
		s.code = old;
	}
	buf_fini(&s.code);
	mem_free(s.jumps);
	mem_free(s.shifts);
}
