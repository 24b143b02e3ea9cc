/* Functions as BTF describes them, for what verifies them. */
#ifndef WEIR_OBJ_BTF_FUNC_H
#define WEIR_OBJ_BTF_FUNC_H

#include "isa/prog.h"
#include "obj/btf.h"

/* What a FUNC tells of a subprogram of a program of this type: linkage, result, arguments. f->pc and f->name are left
 * alone. */
void btf_func_describe(const struct btf *btf, u32 func, enum prog_type type, struct prog_func *f);

#endif
