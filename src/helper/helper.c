/* The tables of helpers: what is here, and what the kernel calls the rest. */
#include "helper/helper.h"

#include <string.h>

#include "base/limits.h"
#include "helper/functions.h"

#define ANY .ret_min = 1, .ret_max = 0
#define RANGE(lowest, highest) .ret_min = lowest, .ret_max = highest
#define HELPER(number, helper_name, result, range, helper_flags, ...) \
	{.id = number, \
		.name = #helper_name, \
		.fn = helper_##helper_name, \
		.ret = result, \
		.args = {__VA_ARGS__}, \
		.flags = helper_flags, \
		range},
static const struct helper helpers[] = {
#include "helper/helpers.def"
};

/* Numbered from HELPER_INTERNAL on without a gap. */
static const struct helper internal[] = {
#include "helper/internal.def"
};

/* Numbered from HELPER_KFUNCS on without a gap. */
static const struct helper kfuncs[] = {
#include "helper/kfuncs.def"
};
#undef HELPER
#undef RANGE
#undef ANY

static const char *const known_names[] = {
#define KNOWN(number, name) [number] = #name,
#include "helper/known_names.def"
#undef KNOWN
};

const struct helper *helper_by_id(u32 id)
{
	if (id >= HELPER_KFUNCS)
		return id - HELPER_KFUNCS < ARRAY_LEN(kfuncs) ? &kfuncs[id - HELPER_KFUNCS] : NULL;
	if (id >= HELPER_INTERNAL)
		return id - HELPER_INTERNAL < ARRAY_LEN(internal) ? &internal[id - HELPER_INTERNAL]
								  : NULL;
	for (size_t i = 0; i < ARRAY_LEN(helpers); i++)
		if (helpers[i].id == id)
			return &helpers[i];
	return NULL;
}

const struct helper *helper_by_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(helpers); i++)
		if (!strcmp(helpers[i].name, name))
			return &helpers[i];
	for (size_t i = 0; i < ARRAY_LEN(kfuncs); i++)
		if (!strcmp(kfuncs[i].name, name))
			return &kfuncs[i];
	return NULL;
}

const char *helper_known_name(u32 id)
{
	return id < ARRAY_LEN(known_names) ? known_names[id] : NULL;
}

const struct helper *helper_at(size_t i)
{
	return i < ARRAY_LEN(helpers) ? &helpers[i] : NULL;
}

bool helper_known_number(const char *name, u32 *id)
{
	for (u32 i = 0; i < ARRAY_LEN(known_names); i++)
		if (known_names[i] && !strcmp(known_names[i], name)) {
			*id = i;
			return true;
		}
	return false;
}
