/* Between the files of progtype/: one row each, and what rows share. */
#ifndef WEIR_PROGTYPE_TYPES_H
#define WEIR_PROGTYPE_TYPES_H

#include "progtype/progtype.h"

extern const struct prog_type_ops prog_type_raw;
extern const struct prog_type_ops prog_type_packet;
extern const struct prog_type_ops prog_type_xdp;

/* Helpers that the kernel gives to programs of every type. */
bool helper_in_base_set(u32 helper_id);

#endif
