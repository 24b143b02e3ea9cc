/* BTF: the types of an object or a kernel, as the kernel's document "BPF Type Format" lays them out. Everything is
 * checked when it is opened: references, names, and that no type contains itself other than by a pointer. So every walk
 * below ends, and a question never fails but by "there is none". An id that doesn't exist is answered like void. */
#ifndef WEIR_OBJ_BTF_H
#define WEIR_OBJ_BTF_H

#include "base/types.h"

struct buf;
struct diag;

enum btf_kind { /* the format's numbers */
	BTF_VOID = 0, /* id 0, and what isn't there */
	BTF_INT = 1,
	BTF_PTR = 2,
	BTF_ARRAY = 3,
	BTF_STRUCT = 4,
	BTF_UNION = 5,
	BTF_ENUM = 6,
	BTF_FWD = 7,
	BTF_TYPEDEF = 8,
	BTF_VOLATILE = 9,
	BTF_CONST = 10,
	BTF_RESTRICT = 11,
	BTF_FUNC = 12,
	BTF_FUNC_PROTO = 13,
	BTF_VAR = 14,
	BTF_DATASEC = 15,
	BTF_FLOAT = 16,
	BTF_DECL_TAG = 17,
	BTF_TYPE_TAG = 18,
	BTF_ENUM64 = 19,
	BTF_NR_KINDS
};

/* Of VAR and FUNC. */
enum btf_linkage { BTF_STATIC = 0, BTF_GLOBAL = 1, BTF_EXTERN = 2 };

/* A type without what it consists of. Names are "" for none, and live as long as the struct btf, as all texts do. */
struct btf_info {
	enum btf_kind kind;
	const char *name;
	u32 nr;	   /* members, enum values, parameters, variables; elements of an array */
	u32 size;  /* INT, STRUCT, UNION, ENUM, ENUM64, DATASEC, FLOAT: bytes */
	u32 type;  /* what it refers to; FUNC: its prototype, FUNC_PROTO: the result, ARRAY: an element */
	u32 index; /* ARRAY: type of the index */
	enum btf_linkage linkage;     /* VAR, FUNC */
	bool is_signed;		      /* INT, ENUM, ENUM64 */
	bool is_char, is_bool;	      /* INT, as far as the compiler says so */
	u8 int_bits, int_bit_off;     /* INT */
	bool is_union;		      /* FWD */
	s32 component;		      /* DECL_TAG: member or parameter, -1: the type itself */
};

/* A member of a struct or union. */
struct btf_field {
	const char *name; /* "": anonymous */
	u32 type;
	u32 bit_off;
	u32 bits; /* of a bitfield, else 0 */
};

struct btf_value { /* of an ENUM or ENUM64 */
	const char *name;
	u64 value; /* of an ENUM sign-extended from 32 bits, whatever its sign: older compilers don't say it */
};

struct btf_arg { /* of a FUNC_PROTO; type 0 at the end: "..." */
	const char *name;
	u32 type;
};

struct btf_secvar { /* of a DATASEC */
	u32 var;  /* id of the VAR */
	u32 off;
	u32 size;
};

struct btf;

/* From the bytes of a .BTF section, which are copied. `name` is copied too and begins messages. -EINVAL, -ENOTSUP
 * (big endian), -ENOMEM. */
int btf_new(const void *bytes, size_t len, const char *name, struct btf **btf, struct diag *d);
/* A file: raw as /sys/kernel/btf/vmlinux, or ELF with a section .BTF. Also the errno of opening and reading. */
int btf_open_file(const char *path, struct btf **btf, struct diag *d);
void btf_free(struct btf *btf);

const char *btf_name(const struct btf *btf); /* as given to btf_new, or the path */
u32 btf_nr_types(const struct btf *btf); /* ids are 1 ... this - 1, 0 is void */
/* "" for an offset that isn't in the string table. */
const char *btf_string(const struct btf *btf, u32 off);
bool btf_has_string(const struct btf *btf, u32 off);

struct btf_info btf_get(const struct btf *btf, u32 id);
/* i below .nr of a type of the right kind; otherwise an empty answer. */
struct btf_field btf_get_field(const struct btf *btf, u32 id, u32 i);
struct btf_value btf_get_value(const struct btf *btf, u32 id, u32 i);
struct btf_arg btf_get_arg(const struct btf *btf, u32 id, u32 i);
struct btf_secvar btf_get_secvar(const struct btf *btf, u32 id, u32 i);

/* The first type of that kind and name, or 0. */
u32 btf_find(const struct btf *btf, enum btf_kind kind, const char *name);
/* Types of any kind whose name is `name` up to a flavour ("___" and what follows), in order of ids: the first one, or the
 * next behind `after`, which was an answer to the same question; 0: no more. len: of `name`, which has no flavour. */
u32 btf_find_flavour(const struct btf *btf, const char *name, size_t len, u32 after);
/* Length of a name without its flavour. */
size_t btf_essential_len(const char *name);
/* i-th string of a DECL_TAG on a type's component (-1: the type itself), or NULL when there are fewer. */
const char *btf_decl_tag(const struct btf *btf, u32 id, s32 component, u32 i);

/* Without const, volatile, restrict and type tags; btf_resolve also without typedefs. */
u32 btf_skip_mods(const struct btf *btf, u32 id);
u32 btf_resolve(const struct btf *btf, u32 id);
/* Bytes of a value of the type; false for void, functions, forward declarations and what is larger than 4 GiB. */
bool btf_size_of(const struct btf *btf, u32 id, u32 *bytes);
bool btf_align_of(const struct btf *btf, u32 id, u32 *bytes);
/* The field of that name in a struct or union, also inside anonymous ones; *bit_off is from the start of the type. */
bool btf_find_field(const struct btf *btf, u32 id, const char *name, struct btf_field *field, u32 *bit_off);
/* Structs called `name` ("bpf_spin_lock") inside a value of type id, at any depth: how many, and in *off the offset of
 * the first. */
u32 btf_find_inside(const struct btf *btf, u32 id, const char *name, u32 *off);
/* A type as C writes it: "struct sk_buff *", "int[4]". Sticky failure in the buf only. */
void btf_print_type(const struct btf *btf, u32 id, struct buf *out);

/* clang leaves the offsets of global variables in a DATASEC, and its size, to the loader. */
void btf_set_secvar_off(struct btf *btf, u32 datasec, u32 i, u32 off);
void btf_set_datasec_size(struct btf *btf, u32 datasec, u32 size);

#endif
