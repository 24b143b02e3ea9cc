/* What the files of CO-RE share. */
#ifndef WEIR_OBJ_CORE_INSIDE_H
#define WEIR_OBJ_CORE_INSIDE_H

#include "obj/core.h"

#define CORE_STEPS_MAX 64 /* libbpf's limit, and the kernel's */

struct core_step {
	const char *name; /* of the field or enum value; NULL: an array's element */
	u32 type;	  /* struct, union or enum that has it; of an element the element's own type */
	u32 index;
};

/* The way from a type to what is asked for. Anonymous structs on it aren't steps. */
struct core_path {
	const struct btf *btf;
	u32 root;
	u32 nr; /* 0: the type itself is asked for */
	u64 bit_off;
	struct core_step steps[CORE_STEPS_MAX];
};

/* What a path gives for a kind of question. */
struct core_answer {
	u64 value;
	bool missing;  /* there is no such thing, and the question needs one */
	bool checked;  /* the local answer must be what the compiler has put into the instruction */
	u32 size;      /* of a field whose offset is asked for, 0: the access isn't of a size */
	u32 type;      /* of that field */
};

static inline bool core_is_type_kind(enum core_kind kind)
{
	return kind == CORE_TYPE_ID_LOCAL || kind == CORE_TYPE_ID_TARGET || kind == CORE_TYPE_EXISTS ||
	       kind == CORE_TYPE_SIZE || kind == CORE_TYPE_MATCHES;
}

static inline bool core_is_value_kind(enum core_kind kind)
{
	return kind == CORE_ENUMVAL_EXISTS || kind == CORE_ENUMVAL_VALUE;
}

static inline bool core_is_enum(enum btf_kind kind)
{
	return kind == BTF_ENUM || kind == BTF_ENUM64;
}

static inline bool core_is_composite(enum btf_kind kind)
{
	return kind == BTF_STRUCT || kind == BTF_UNION;
}

static inline bool core_same_kind(enum btf_kind a, enum btf_kind b)
{
	return a == b || (core_is_enum(a) && core_is_enum(b));
}

bool core_same_name(const char *a, const char *b); /* without flavours */

/* ---- core_path.c ---- */

/* The path of a relocation in the object's own types. A reason, or NULL. */
const char *core_path_read(const struct btf *local, const struct core_relo *relo, struct core_path *path);
/* The same path from type `root` of the target; false: there is none. */
bool core_path_match(const struct core_path *local, enum core_kind kind, const struct btf *target, u32 root,
	struct core_path *path);
/* path NULL: there is none. A reason why the question has no answer at all, or NULL. */
const char *core_answer(const struct core_path *path, enum core_kind kind, struct core_answer *answer);
void core_path_print(const struct core_path *path, struct buf *out);

/* ---- core_types.c ---- */

/* Whether a target's type can stand for the local one: of a field on a path; of a type asked for by name; and member for member. */
bool core_fields_fit(const struct btf *local, u32 a, const struct btf *target, u32 b);
bool core_types_fit(const struct btf *local, u32 a, const struct btf *target, u32 b);
bool core_types_match(const struct btf *local, u32 a, const struct btf *target, u32 b);

/* ---- core_patch.c ---- */

/* Puts the target's answer in place of the local one. A reason why it can't, or NULL. *poisoned: see core.h. */
const char *core_patch(struct insn *insns, u32 len, u32 pc, const struct core_answer *local, const struct core_answer *target,
	bool sizes_fit, bool *poisoned);

#endif
