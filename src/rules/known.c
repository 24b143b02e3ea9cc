#include "rules/known.h"

#define KNOWN_MATCH(name, families, needs, options) {#name, FAMILIES_##families, needs, options},
static const struct known_extension matches[] = {
#include "rules/known.def"
};
#undef KNOWN_MATCH

#define KNOWN_TARGET(name, families, needs, options) {#name, FAMILIES_##families, needs, options},
static const struct known_extension targets[] = {
#include "rules/known.def"
};
#undef KNOWN_TARGET

static const struct known_extension *find(
	const struct known_extension *table, size_t nr, struct str name, enum family family)
{
	unsigned families = family == FAMILY_IPV4 ? FAMILIES_V4 : FAMILIES_V6;

	for (size_t i = 0; i < nr; i++)
		if ((table[i].families & families) && str_eq(name, table[i].name))
			return &table[i];
	return NULL;
}

const struct known_extension *known_match_by_name(struct str name, enum family family)
{
	return find(matches, ARRAY_LEN(matches), name, family);
}

const struct known_extension *known_target_by_name(struct str name, enum family family)
{
	return find(targets, ARRAY_LEN(targets), name, family);
}

bool known_option_next(struct str *rest, struct known_option *out)
{
	if (!rest->len)
		return false;
	str_split(*rest, ' ', &out->name, rest);
	out->nr_args = 0;
	out->optional_arg = out->name.len && out->name.p[out->name.len - 1] == '?';
	out->name.len -= out->optional_arg;
	while (out->name.len && out->name.p[out->name.len - 1] == '=') {
		out->name.len--;
		out->nr_args++;
	}
	return true;
}
