#include "rules/ct_state.h"

#include <string.h>
#include <strings.h>

#include "rules/options.h"

const struct bit_name ct_state_names[NR_CT_STATES] = {
	{"INVALID", CT_INVALID},
	{"NEW", CT_NEW},
	{"RELATED", CT_RELATED},
	{"ESTABLISHED", CT_ESTABLISHED},
	{"UNTRACKED", CT_UNTRACKED},
	{"SNAT", CT_SNAT},
	{"DNAT", CT_DNAT},
};

option_error bits_parse(
	const struct option_ctx *c, const struct bit_name *names, size_t nr, u8 *out)
{
	struct str rest = c->value, name;
	bool more = true;
	u8 bits = 0;

	while (more) {
		size_t i = 0;

		more = str_split(rest, ',', &name, &rest);
		while (i < nr && (strlen(names[i].name) < name.len ||
					 strncasecmp(names[i].name, name.p, name.len)))
			i++;
		if (i == nr || !name.len)
			return option_errorf(c, "'%.*s' is not one of them",
				(int)(name.len > 32 ? 32 : name.len), name.p);
		bits |= names[i].bit;
	}
	*out = bits;
	return NULL;
}

void bits_print(struct buf *out, const struct bit_name *names, size_t nr, u8 bits)
{
	const char *before = " ";

	for (size_t i = 0; i < nr; i++) {
		if (!(bits & names[i].bit))
			continue;
		buf_printf(out, "%s%s", before, names[i].name);
		before = ",";
	}
}
