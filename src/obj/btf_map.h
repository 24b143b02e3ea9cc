/* Definitions of maps in .maps: variables of a struct whose members' types say what is wanted. */
#ifndef WEIR_OBJ_BTF_MAP_H
#define WEIR_OBJ_BTF_MAP_H

#include "obj/btf.h"

enum btf_pinning { BTF_PIN_NONE = 0, BTF_PIN_BY_NAME = 1 };

struct btf_map_def {
	u32 type, key_size, value_size, max_entries, flags, numa_node;
	u64 map_extra;
	enum btf_pinning pinning;
	u32 key_type, value_type; /* ids; 0: only sizes are given */
	bool has_inner;	 /* __array(values, struct {...}): *inner is filled */
	bool has_values; /* __array(values, ...) at all; of programs in a prog array */
	u32 values_off;	 /* bytes from the start of the definition: entry i is at values_off + 8 * i */
	u32 values_nr;	 /* entries that the definition has room for, 0: as many as are given (a flexible array) */
};

/* The definition that a VAR of section .maps is. *inner is changed if def->has_inner only. -EINVAL, -ENOTSUP with the
 * map's name and what is wrong. */
int btf_map_read(
	const struct btf *btf, u32 var, struct btf_map_def *def, struct btf_map_def *inner, struct diag *d);

#endif
