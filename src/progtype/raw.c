/* Type "raw": r1 points to prog.raw_mem_bytes bytes of plain memory, r2 is that number. There is no
 * context. */
#include "progtype/types.h"

const struct prog_type_ops prog_type_raw = {
	.type = PROG_TYPE_RAW,
	.name = "raw",
	.ret_min = 1,
	.ret_max = 0,
	.helper_allowed = helper_in_base_set,
};
