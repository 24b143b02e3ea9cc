/* From diagnostics to the public struct weir_error. */
#ifndef WEIR_ENGINE_ERROR_H
#define WEIR_ENGINE_ERROR_H

#include "base/diag.h"
#include "weir/weir.h"

/* Fills *e (NULL ok) with the first error in d and the notes behind it, or with what errno says of
 * `err` (negative) when d has none. Returns err. */
int error_fill(struct weir_error *e, int err, const struct diag *d);
/* For an argument that may not be NULL: says so in *e (NULL ok). Returns -EINVAL. */
int error_null(struct weir_error *e, const char *argument);

#endif
