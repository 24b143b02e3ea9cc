/* What a section's name says of the programs in it. */
#ifndef WEIR_OBJ_SECTION_H
#define WEIR_OBJ_SECTION_H

#include "base/types.h"
#include "weir/weir.h"

struct section_kind {
	enum weir_program_type type; /* 0: none of weir's */
	const char *text;	     /* the type's name, NULL: the section says nothing */
	u32 attach_type;
	u32 raw_bytes; /* WEIR_PROG_RAW: of "raw/64" */
};

/* `name` without a '?' before it. */
struct section_kind section_kind_of(const char *name);
/* "2/7" as iproute2 has it: a program for slot 7 of the prog array whose id is 2. */
bool section_tail_call(const char *name, u32 *id, u32 *slot);

#endif
