/* Short loops lie in as few cache lines as they fit: one that crosses a border for nothing can take twice as long. A loop is
 * moved as soon as its last jump back is there, which needs no second walk, because code within one is the same at any
 * place. The images begin at a border. */
#include "jit/loop.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "jit/target.h"

enum { LINE_BYTES = 64, LOOP_BYTES_MAX = 2 * LINE_BYTES };

u32 jit_loop_pad(u32 at, u32 bytes)
{
	if (bytes > LOOP_BYTES_MAX)
		return 0;
	u32 last = (at + bytes - 1) / LINE_BYTES, lines = last - at / LINE_BYTES + 1;
	u32 needed = (bytes + LINE_BYTES - 1) / LINE_BYTES;

	return lines > needed ? LINE_BYTES - at % LINE_BYTES : 0;
}

static void move_labels(struct jit *j, u32 start, u32 next, u32 at, u32 by)
{
	size_t first_own = j->prog->len + 2 * (size_t)j->nr_subprogs;

	for (u32 pc = start; pc < next; pc++)
		j->label_off[pc] += by;
	for (size_t l = first_own; l < j->nr_labels; l++)
		if (j->label_off[l] != JIT_UNBOUND && j->label_off[l] >= at)
			j->label_off[l] += by;
}

/* Fixups and relocations are in the order of the code. */
static void move_fixups(struct jit *j, u32 at, u32 by)
{
	for (size_t i = j->nr_fixups; i-- > 0 && j->fixups[i].at >= at;)
		j->fixups[i].at += by;
	for (size_t i = j->nr_relocs; i-- > 0 && j->relocs[i].at >= at;)
		j->relocs[i].at += by;
	/* What holds at `at` holds in the padding already. */
	for (size_t i = j->nr_cfi; i-- > 0 && j->cfi[i].at > at;)
		j->cfi[i].at += by;
}

static void move(struct jit *j, u32 start, u32 next, u32 by)
{
	static const u8 room[LINE_BYTES];
	u32 at = j->label_off[start], bytes = jit_offset(j) - at;

	buf_put(&j->code, room, by);
	if (j->code.failed)
		return;
	memmove(j->code.data + at + by, j->code.data + at, bytes);
	j->target->pad(j->code.data + at, by);
	move_labels(j, start, next, at, by);
	move_fixups(j, at, by);
}

/* It may have to move once more when jumps become longer. */
static void remember(struct jit *j, struct jit_placed loop)
{
	if (array_grow((void **)&j->placed, &j->placed_cap, j->nr_placed + 1, sizeof(*j->placed)))
		jit_fail(j, loop.start, ENOMEM, "out of memory");
	else
		j->placed[j->nr_placed++] = loop;
}

void jit_place_loop(struct jit *j, u32 start, u32 next)
{
	u32 at = j->label_off[start], bytes = jit_offset(j) - at;

	if (bytes == 0 || j->err)
		return;
	u32 by = jit_loop_pad(at, bytes);
	if (by)
		move(j, start, next, by);
	if (j->target->lengthen)
		remember(j, (struct jit_placed){start, at, by, bytes});
}
