/* .BTF.ext: which line an instruction comes from, where functions begin, which instructions depend on types. */
#ifndef WEIR_OBJ_BTF_EXT_H
#define WEIR_OBJ_BTF_EXT_H

#include "obj/btf.h"

/* Records have the index of their instruction in the section (not in the program), are sorted by it. */
struct btf_line {
	u32 pc;
	u32 line, col;
	const char *file;
	const char *text; /* the source line, "" if the compiler left it out */
};

struct btf_func_at {
	u32 pc;
	u32 func; /* id of a FUNC */
};

enum core_kind { /* the kernel's numbers, enum bpf_core_relo_kind */
	CORE_FIELD_BYTE_OFFSET = 0,
	CORE_FIELD_BYTE_SIZE = 1,
	CORE_FIELD_EXISTS = 2,
	CORE_FIELD_SIGNED = 3,
	CORE_FIELD_LSHIFT_U64 = 4,
	CORE_FIELD_RSHIFT_U64 = 5,
	CORE_TYPE_ID_LOCAL = 6,
	CORE_TYPE_ID_TARGET = 7,
	CORE_TYPE_EXISTS = 8,
	CORE_TYPE_SIZE = 9,
	CORE_ENUMVAL_EXISTS = 10,
	CORE_ENUMVAL_VALUE = 11,
	CORE_TYPE_MATCHES = 12,
	CORE_NR_KINDS
};

struct core_relo {
	u32 pc;
	u32 type; /* local id */
	const char *access; /* "0:1:2" */
	enum core_kind kind;
};

struct btf_ext;

/* Checked against `btf`, which must outlive it. */
int btf_ext_new(const void *bytes, size_t len, const struct btf *btf, struct btf_ext **ext, struct diag *d);
void btf_ext_free(struct btf_ext *ext);
/* The records of a section, *nr of them (0: none). ext may be NULL. */
const struct btf_line *btf_ext_lines(const struct btf_ext *ext, const char *section, size_t *nr);
const struct btf_func_at *btf_ext_funcs(const struct btf_ext *ext, const char *section, size_t *nr);
const struct core_relo *btf_ext_relos(const struct btf_ext *ext, const char *section, size_t *nr);

#endif
