/* The functions behind the table: u64 helper_NAME(u64 r1, ... u64 r5) for each row of helpers.def and internal.def. */
#ifndef WEIR_HELPER_FUNCTIONS_H
#define WEIR_HELPER_FUNCTIONS_H

#include "base/types.h"

#define HELPER(number, name, ...) u64 helper_##name(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5);
#include "helper/helpers.def"
#include "helper/kfuncs.def"
#include "helper/internal.def"
#undef HELPER

#endif
