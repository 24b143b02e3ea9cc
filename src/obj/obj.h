/* An object as the files of obj/ share it. What it holds lives in its arena, and nothing of it changes once it is open but
 * what weir_object_set_... and loading change. */
#ifndef WEIR_OBJ_OBJ_H
#define WEIR_OBJ_OBJ_H

#include "base/arena.h"
#include "base/diag.h"
#include "obj/btf_ext.h"
#include "obj/elf.h"
#include "weir/object.h"

struct kconfig;

/* An entry that a map has from the start. */
struct obj_entry {
	u32 index;
	bool is_program;
	u32 target; /* index of a function or map */
};

struct obj_map {
	struct weir_object_map pub;
	u32 section; /* where its definition is; 0 for .kconfig */
	u64 off, size; /* bytes of the definition in that section */
	u32 key_type, value_type; /* of BTF, 0: not known */
	u8 *data; /* is_data: the bytes it begins with */
	size_t data_len;
	bool has_inner;
	struct weir_map_spec inner; /* what entries of a map of maps are like */
	struct obj_entry *entries;
	u32 nr_entries;
	bool has_values; /* room for entries in its definition, of 8 bytes each */
	u32 values_off, values_nr; /* from the start of the definition; 0: to its end */
	u32 id, inner_id, inner_index; /* iproute2's; ids of 0 are none */
	struct weir_map *map; /* owned unless given */
	bool given;
};

/* A piece of code with a name: a program or a subprogram. */
struct obj_func {
	const char *name;
	u32 section;
	u32 start, len; /* in instructions, from the start of the section */
	bool global;
	bool hidden; /* from other files: global all the same, for programs */
	u32 *callees; /* functions that it calls or takes the address of, each once */
	u32 nr_callees;
	u32 *maps; /* that it names, each once */
	u32 nr_maps;
};

/* Helper numbers from here on are kernel functions (weir.h). */
#define OBJ_KFUNCS 0x20000u

enum extern_kind {
	EXTERN_KCONFIG,
	EXTERN_KSYM_VAR,
	EXTERN_KSYM_FUNC,
	EXTERN_UNDEFINED, /* nobody says what it is; programs that need it can't be loaded */
};

struct obj_extern {
	const char *name;
	u32 symbol;
	enum extern_kind kind;
	bool weak;
	u32 type; /* of BTF */
	u32 secvar; /* its number in the DATASEC */
	u32 off, size, align; /* EXTERN_KCONFIG: its place in the map .kconfig */
};

enum ref_kind { REF_MAP, REF_DATA, REF_FUNC, REF_CALL, REF_EXTERN, REF_EXTERN_CALL };

/* An instruction that names something. */
struct obj_ref {
	u32 insn; /* of its section */
	enum ref_kind kind;
	u32 target; /* index of a map, function or extern */
	u32 off; /* REF_DATA: bytes from the start of the value */
};

/* A section of instructions. */
struct obj_code {
	u32 section;
	u32 nr_insns;
	struct obj_ref *refs; /* sorted by insn */
	u32 nr_refs;
};

/* A function's place in a linked program. */
struct obj_piece {
	u32 func;
	u32 at; /* its first instruction in the program */
};

/* An instruction without an answer: a call stands there that nobody may come to. */
struct obj_poison {
	u32 insn;
	const char *what;
};

struct obj_linked {
	struct insn *insns;
	u32 len;
	struct weir_source_line *lines;
	size_t nr_lines;
	struct weir_function *functions;
	size_t nr_functions;
	struct obj_poison *poisons;
	u32 nr_poisons;
	struct weir_map **maps; /* filled when the program's spec is asked for */
};

struct obj_program {
	struct weir_object_program pub;
	u32 func;
	u32 attach_type;
	struct obj_piece *pieces; /* the first is the program itself */
	u32 nr_pieces;
	u32 *maps; /* indices of maps, in the order of the program's own map numbers */
	u32 nr_maps;
	struct obj_linked *linked; /* NULL until it is asked for */
	struct weir_program *program;
};

struct weir_object {
	struct arena arena;
	char *name; /* for messages */
	const char *short_name; /* of the file, without its folders */
	char *btf_path, *kconfig_path; /* NULL: the machine's own */
	const char *skip_passes;
	enum weir_program_type default_type;
	u32 default_raw_bytes;
	struct elf *elf;
	u32 *by_name; /* symbols that aren't local, sorted by name */
	u32 nr_by_name;
	struct btf *btf; /* NULL: the object has none */
	struct btf_ext *ext;
	struct btf *target; /* for CO-RE, opened when it is needed */
	const char *license;
	struct obj_map *maps;
	u32 nr_maps;
	struct obj_func *funcs; /* sorted by section and start */
	u32 nr_funcs;
	struct obj_extern *externs;
	u32 nr_externs;
	struct obj_code *codes;
	u32 nr_codes;
	struct obj_program *programs;
	u32 nr_programs;
	u32 kconfig_map; /* its index, where an extern is EXTERN_KCONFIG */
	struct weir_engine *engine; /* borrowed; whose maps they are, once there are some */
	bool maps_made, loaded;
};

static inline struct pos obj_pos(const struct weir_object *o)
{
	return pos_text(o->name, 0, 0);
}

/* Room for one more entry behind `nr` of an array in the arena, which has room for the next power of two: a longer copy
 * when it is full. 0, -ENOMEM. Call as obj_grow(o, (void **)&a, nr, sizeof(*a), d). */
int obj_grow(struct weir_object *o, void **array, u32 nr, size_t elem, struct diag *d);

/* ---- the stages of opening, in order ---- */

/* symbols.c: the index by name. types.c: .BTF and .BTF.ext, with places of variables as in the ELF file. */
int obj_index_symbols(struct weir_object *o, struct diag *d);
int obj_read_types(struct weir_object *o, struct diag *d);
/* func.c: sections of code, functions, programs. */
int obj_find_code(struct weir_object *o, struct diag *d);
int obj_find_programs(struct weir_object *o, struct diag *d);
/* maps.c, with maps_btf.c and maps_old.c: maps of .maps and maps; data.c: of .data, .rodata, .bss. */
int obj_find_maps(struct weir_object *o, struct diag *d);
int obj_find_btf_maps(struct weir_object *o, struct diag *d);
int obj_find_old_maps(struct weir_object *o, struct diag *d);
int obj_find_data(struct weir_object *o, struct diag *d);
/* extern.c */
int obj_find_externs(struct weir_object *o, struct diag *d);
/* refs.c: relocations of code; entries.c: of maps. */
int obj_find_refs(struct weir_object *o, struct diag *d);
int obj_find_entries(struct weir_object *o, struct diag *d);
/* pieces.c: which functions and maps each program is made of. */
int obj_find_pieces(struct weir_object *o, struct diag *d);

/* ---- questions ---- */

/* Index of the map whose definition or data holds byte `off` of a section, -1: none. */
int obj_map_at(const struct weir_object *o, u32 section, u64 off);
/* Index of the function that begins at an instruction, or that holds it; -1: none. Of several names of one function
 * always the same. */
int obj_func_at(const struct weir_object *o, u32 section, u32 insn);
int obj_func_of(const struct weir_object *o, u32 section, u32 insn);
struct obj_code *obj_code_of(const struct weir_object *o, u32 section); /* NULL: not code */
const struct obj_ref *obj_ref_at(const struct obj_code *code, u32 insn); /* NULL: it names nothing */
/* Instruction i as the file has it. */
struct insn obj_insn(const struct weir_object *o, const struct obj_code *code, u32 i);
/* Index of the extern that an undefined symbol is, or -1; it may become EXTERN_UNDEFINED. */
int obj_extern_of(struct weir_object *o, u32 symbol, struct diag *d);
/* data.c: what libbpf calls the map of a section of data, or NULL: no memory. */
const char *obj_data_map_name(struct weir_object *o, const char *section);
/* A new map of zeroes at the end of the list, or NULL. */
struct obj_map *obj_add_map(struct weir_object *o, struct diag *d);
/* A symbol that isn't local, by name; 0: none. */
u32 obj_symbol(const struct weir_object *o, const char *name);
/* Index of the program that is function `func`, -1: none. */
int obj_program_of(const struct weir_object *o, u32 func);

/* ---- loading ---- */

/* extern.c: values of .kconfig externs into their map. */
int obj_fill_kconfig(struct weir_object *o, struct diag *d);
/* link.c: the program's instructions, lines, functions. Maps are numbers, there may be none yet. */
int obj_link(struct weir_object *o, u32 program, struct diag *d);
/* lines.c */
int obj_link_lines(struct weir_object *o, const struct obj_program *p, struct obj_linked *l, struct diag *d);
int obj_link_functions(struct weir_object *o, const struct obj_program *p, struct obj_linked *l, struct diag *d);

#endif
