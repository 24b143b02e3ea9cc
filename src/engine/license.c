#include "engine/license.h"

#include <string.h>

bool license_is_gpl(const char *license)
{
	/* The kernel's list (license_is_gpl_compatible), compared exactly. */
	static const char *const compatible[] = {
		"GPL",
		"GPL v2",
		"GPL and additional rights",
		"Dual BSD/GPL",
		"Dual MIT/GPL",
		"Dual MPL/GPL",
	};

	for (size_t i = 0; i < ARRAY_LEN(compatible); i++)
		if (!strcmp(license, compatible[i]))
			return true;
	return false;
}
