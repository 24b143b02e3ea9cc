/* The tables of all matches and targets that run here: one row each in matches.def and targets.def. */
#include "rules/match.h"

#define MATCH(name) extern const struct match_ops match_##name;
#include "rules/matches.def"
#undef MATCH
#define TARGET(name) extern const struct target_ops target_##name;
#include "rules/targets.def"
#undef TARGET

#define MATCH(name) &match_##name,
static const struct match_ops *const matches[] = {
#include "rules/matches.def"
};
#undef MATCH

#define TARGET(name) &target_##name,
static const struct target_ops *const targets[] = {
#include "rules/targets.def"
};
#undef TARGET

static bool named(struct str name, const char *canonical, const char *const *aliases)
{
	if (str_eq(name, canonical))
		return true;
	for (; aliases && *aliases; aliases++)
		if (str_eq(name, *aliases))
			return true;
	return false;
}

static unsigned family_bit(enum family family)
{
	return family == FAMILY_IPV4 ? FAMILIES_V4 : FAMILIES_V6;
}

const struct match_ops *match_ops_at(size_t i)
{
	return i < ARRAY_LEN(matches) ? matches[i] : NULL;
}

const struct target_ops *target_ops_at(size_t i)
{
	return i < ARRAY_LEN(targets) ? targets[i] : NULL;
}

const struct match_ops *match_ops_by_name(struct str name, enum family family)
{
	for (size_t i = 0; i < ARRAY_LEN(matches); i++)
		if ((matches[i]->families & family_bit(family)) &&
			named(name, matches[i]->name, matches[i]->aliases))
			return matches[i];
	return NULL;
}

const struct target_ops *target_ops_by_name(struct str name, enum family family)
{
	for (size_t i = 0; i < ARRAY_LEN(targets); i++)
		if ((targets[i]->families & family_bit(family)) &&
			named(name, targets[i]->name, targets[i]->aliases))
			return targets[i];
	return NULL;
}
