/* Instructions whose work is done before their turn, as part of another one. */
#include "jit/arm64/lower.h"

bool a64_early_add(struct jit *j, u32 pc, u8 place)
{
	struct a64 *a = a64_of(j);

	if (a->nr_early == A64_EARLY_MAX)
		return false;
	a->early[a->nr_early++] = (struct a64_early){.pc = pc, .place = place};
	return true;
}

static struct a64_early *early_at(const struct jit *j, u32 pc)
{
	struct a64 *a = a64_of(j);

	for (u32 n = 0; n < a->nr_early; n++)
		if (a->early[n].pc == pc)
			return &a->early[n];
	return NULL;
}

bool a64_is_early(const struct jit *j, u32 pc)
{
	return early_at(j, pc);
}

bool a64_lower_early(struct jit *j, struct insn i)
{
	struct a64 *a = a64_of(j);
	struct a64_early *e = early_at(j, j->pc);

	if (!e)
		return false;
	u8 place = e->place;
	*e = a->early[--a->nr_early];
	if (place)
		a64_set(j, i.dst, (struct value){.kind = VALUE_ADD, .src = place});
	return true;
}
