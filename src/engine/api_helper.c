/* Public interface: what weir knows of helpers and program types. */
#include <string.h>

#include "helper/helper.h"
#include "progtype/progtype.h"
#include "weir/weir.h"

static bool is_internal(u32 number)
{
	return number >= HELPER_INTERNAL && number < HELPER_KFUNCS;
}

bool weir_helper_by_number(u32 number, struct weir_helper *helper)
{
	const struct helper *h = is_internal(number) ? NULL : helper_by_id(number);
	const char *name = h ? h->name : helper_known_name(number);

	if (!name || !helper)
		return false;
	*helper = (struct weir_helper){
		.number = number,
		.name = name,
		.here = h,
		.gpl_only = h && h->flags & HELPER_GPL,
	};
	return true;
}

bool weir_helper_by_name(const char *name, struct weir_helper *helper)
{
	const struct helper *h;
	u32 number;

	if (!name)
		return false;
	if (!strncmp(name, "bpf_", 4))
		name += 4;
	h = helper_by_name(name);
	if (h)
		number = h->id;
	else if (!helper_known_number(name, &number))
		return false;
	return weir_helper_by_number(number, helper);
}

bool weir_helper_allowed(enum weir_program_type type, u32 number)
{
	const struct prog_type_ops *ops = prog_type_ops_of((enum prog_type)type);

	return ops && !is_internal(number) && helper_by_id(number) && ops->helper_allowed(number);
}

const char *weir_program_type_name(enum weir_program_type type)
{
	const struct prog_type_ops *ops = prog_type_ops_of((enum prog_type)type);

	return ops ? ops->name : NULL;
}
