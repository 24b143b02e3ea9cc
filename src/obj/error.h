/* From messages to struct weir_error, with the object's name where a message has no place. */
#ifndef WEIR_OBJ_ERROR_H
#define WEIR_OBJ_ERROR_H

#include <stdio.h>

#include "engine/error.h"
#include "obj/obj.h"

/* o may be NULL. Returns err. */
static inline int obj_error(const struct weir_object *o, struct weir_error *error, int err, const struct diag *d)
{
	error_fill(error, err, d);
	if (error && error->where == WEIR_NOWHERE && o && o->name) {
		error->where = WEIR_AT_TEXT;
		snprintf(error->name, sizeof(error->name), "%s", o->name);
	}
	return err;
}

#endif
