/* The table of targets. */
#include "jit/target.h"

#include <string.h>

static const struct jit_target *const targets[] = {
#define JIT_TARGET(id) &jit_target_##id,
#include "jit/targets.def"
#undef JIT_TARGET
	NULL,
};

const struct jit_target *jit_target_at(size_t i)
{
	return i < ARRAY_LEN(targets) ? targets[i] : NULL;
}

const struct jit_target *jit_target_by_name(const char *name)
{
	for (size_t i = 0; targets[i]; i++)
		if (!strcmp(targets[i]->name, name))
			return targets[i];
	return NULL;
}

const char *jit_target_name(const struct jit_target *t)
{
	return t->name;
}
