/* BPF objects as clang builds them: programs and maps in an ELF file, without root and without a kernel. In libweir-obj,
 * which needs libelf and zlib besides libweir.
 *
 * Open, change what should be other than the file says, load, run. As in weir.h, functions that can fail return 0 or a
 * negative errno and fill an error; messages name file, section, symbol or instruction. Names are static as long as the
 * object. What is loaded belongs to the engine given; the object may be freed before or after it. */
#ifndef WEIR_OBJECT_H
#define WEIR_OBJECT_H

#include "weir/weir.h"

#ifdef __cplusplus
extern "C" {
#endif

struct weir_object;

/* Zero what isn't needed. */
struct weir_object_opts {
	const char *name; /* for messages; NULL: the path, or "object" */
	/* For programs whose section doesn't say a type. */
	enum weir_program_type default_type;
	/* Types of the machine that the programs are to run on, for CO-RE: a file with BTF (raw or ELF). NULL:
	 * /sys/kernel/btf/vmlinux, read when it is needed only. */
	const char *btf;
	/* A kernel configuration, plain or gzip, for .kconfig externs; NULL: /proc/config.gz or /boot/config-RELEASE, read
	 * when it is needed only. */
	const char *kconfig;
	/* As in struct weir_program_spec: letters of optional passes that programs are loaded without. */
	const char *skip_passes;
	/* Of programs of type WEIR_PROG_RAW whose section doesn't say it: raw_bytes in struct weir_program_spec. */
	uint32_t default_raw_bytes;
};

WEIR_API int weir_object_open(const char *path, const struct weir_object_opts *opts,
	struct weir_object **object, struct weir_error *error);
/* The bytes are copied. */
WEIR_API int weir_object_open_memory(const void *bytes, size_t len, const struct weir_object_opts *opts,
	struct weir_object **object, struct weir_error *error);
WEIR_API void weir_object_free(struct weir_object *object);

WEIR_API const char *weir_object_license(const struct weir_object *object); /* NULL: none */

/* ---- maps ---- */

/* What an object says of a map: the .maps section, the older `maps`, or a section of global data. */
struct weir_object_map {
	const char *name;    /* as in the source, or ".rodata" ... */
	const char *section;
	struct weir_map_spec spec; /* inner is NULL until it is loaded */
	bool is_data;	     /* .data*, .rodata*, .bss*, .kconfig: one value with the section's bytes */
	bool read_only;	     /* frozen once loaded */
	bool pinned;	     /* asks to be pinned by name; nothing is */
	bool autocreate;
};

WEIR_API size_t weir_object_maps(const struct weir_object *object);
/* NULL when there are fewer. */
WEIR_API const struct weir_object_map *weir_object_map(const struct weir_object *object, size_t i);
/* Its index, or -ENOENT. ".rodata" also finds "NAME.rodata" as libbpf calls it. */
WEIR_API int weir_object_find_map(const struct weir_object *object, const char *name);

/* Before it is loaded: other sizes than the file's. -EBUSY: loaded already. */
WEIR_API int weir_object_set_map_size(struct weir_object *object, size_t i, uint32_t max_entries);
/* Before it is loaded: a map that exists already, which must be like the file's. */
WEIR_API int weir_object_use_map(struct weir_object *object, size_t i, struct weir_map *map, struct weir_error *error);
/* Bytes that a data map begins with, to be changed before it is loaded. NULL for other maps. */
WEIR_API void *weir_object_map_data(struct weir_object *object, size_t i, size_t *len);
/* A global variable by name, its place in a data map. -ENOENT. */
WEIR_API int weir_object_variable(const struct weir_object *object, const char *name, size_t *map, size_t *off, size_t *len);

/* A key or value of map i by its type in BTF, as JSON on one line; of global data an object of its variables. Free *text with
 * weir_text_free. -ENOENT: its type isn't known. */
WEIR_API int weir_object_print_key(const struct weir_object *object, size_t i, const void *key, size_t len, char **text);
WEIR_API int weir_object_print_value(const struct weir_object *object, size_t i, const void *value, size_t len, char **text);

/* ---- programs ---- */

struct weir_object_program {
	const char *name; /* of the function */
	const char *section;
	enum weir_program_type type; /* 0: the section doesn't say, or a type that weir hasn't */
	const char *type_text; /* the type's name, also of types that weir hasn't ("kprobe"); NULL: unknown */
	size_t nr_insns; /* with the subprograms that it calls */
	bool autoload; /* false: the section starts with '?' */
	uint32_t raw_bytes; /* WEIR_PROG_RAW: as in struct weir_program_spec */
};

WEIR_API size_t weir_object_programs(const struct weir_object *object);
WEIR_API const struct weir_object_program *weir_object_program(const struct weir_object *object, size_t i);
/* By the function's name, or by its section's if that has one program. Its index, or -ENOENT. */
WEIR_API int weir_object_find_program(const struct weir_object *object, const char *name);
WEIR_API int weir_object_set_program_type(struct weir_object *object, size_t i, enum weir_program_type type);
/* Whether weir_object_load loads it. */
WEIR_API int weir_object_set_autoload(struct weir_object *object, size_t i, bool autoload);

/* ---- loading ---- */

/* Makes the maps that don't exist yet, fills and freezes them, and resolves the programs' names for them. */
WEIR_API int weir_object_make_maps(struct weir_object *object, struct weir_engine *engine, struct weir_error *error);
/* That, then loads every program whose autoload is set, with those that its prog arrays name, and fills prog arrays. *log as in weir_program_new, of the program
 * that failed. Either everything is loaded or nothing. */
WEIR_API int weir_object_load(struct weir_object *object, struct weir_engine *engine, enum weir_mode mode, char **log,
	struct weir_error *error);
/* A program as weir_program_new and weir_program_dump want it, behind weir_object_make_maps. Valid until the object is
 * freed. The fields mode, log_level and skip_passes may be changed in a copy. */
WEIR_API int weir_object_program_spec(struct weir_object *object, size_t i, struct weir_program_spec *spec,
	struct weir_error *error);
/* Borrowed; NULL unless loaded. */
WEIR_API struct weir_map *weir_object_loaded_map(const struct weir_object *object, size_t i);
WEIR_API struct weir_program *weir_object_loaded_program(const struct weir_object *object, size_t i);

/* What a program needs and weir hasn't, one line of text each in *text (NULL: nothing): helpers, kernel functions, map
 * types, relocations without an answer. Free with weir_text_free. */
WEIR_API int weir_object_program_lacks(struct weir_object *object, size_t i, char **text);

#ifdef __cplusplus
}
#endif

#endif
