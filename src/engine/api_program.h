/* From a public description to a program of ours. */
#ifndef WEIR_ENGINE_API_PROGRAM_H
#define WEIR_ENGINE_API_PROGRAM_H

#include "isa/prog.h"
#include "weir/weir.h"

struct diag;

/* The maps are borrowed. -EINVAL, -E2BIG, -ENOMEM. */
int prog_from_spec(const struct weir_engine *engine, const struct weir_program_spec *spec,
	struct prog **out, struct diag *d);

#endif
