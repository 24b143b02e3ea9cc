/* Making the maps of an object, for load.c. */
#ifndef WEIR_OBJ_MAKE_H
#define WEIR_OBJ_MAKE_H

#include "obj/obj.h"

/* Makes the maps that aren't there. made[i], of nr_maps, false before: whether map i is new. All or none. */
int obj_make_maps(struct weir_object *o, struct weir_engine *engine, bool *made, struct weir_error *error);
/* Frees those that were made. */
void obj_drop_maps(struct weir_object *o, const bool *made);

#endif
