/* weir: eBPF programs compiled to native code, in user space. The engine's public interface.
 *
 * An engine has numbered slots, which are what CPUs are to a program in the kernel: a thread takes
 * a slot, runs programs on it, and owns that slot's per-CPU data meanwhile. Maps and programs
 * belong to one engine.
 *
 * Functions that can fail return 0 or a negative errno and, where they take a struct weir_error,
 * fill it unless it is NULL. Out-parameters change only on success, if not said otherwise. Objects
 * keep what they depend on alive, so they may be freed in any order; freeing NULL does nothing. Any
 * other NULL that isn't said to be possible is -EINVAL, or an answer of 0 or false.
 * Sizes are in bytes, integers in host byte order. Everything but what is said to belong to one
 * thread may be used by any thread at any time; freeing must come after all other uses. */
#ifndef WEIR_WEIR_H
#define WEIR_WEIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "weir/packet.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEIR_API __attribute__((visibility("default")))

/* "0.1.0"; static. */
WEIR_API const char *weir_version(void);

/* ---- errors ---- */

enum weir_where {
	WEIR_NOWHERE = 0,
	WEIR_AT_INSN = 1, /* name: the program's; insn: index of the instruction */
	WEIR_AT_TEXT = 2, /* name: the file's; line and col from 1, 0 = unknown */
};

/* Plain memory of the caller's, nothing to free. Texts are NUL-terminated and cut when they are
 * longer. */
struct weir_error {
	int code; /* a positive errno; 0: no error */
	enum weir_where where;
	uint32_t insn;
	uint32_t line, col;
	char name[256];
	char source[256];   /* the source line, when it is known */
	char message[1024]; /* the first error; its notes follow on lines of their own */
};

/* ---- engine and slots ---- */

struct weir_engine;
struct weir_slot;

/* An engine of `slots` slots, numbered from 0; at most 256. -EINVAL, -ENOMEM. */
WEIR_API int weir_engine_new(uint32_t slots, struct weir_engine **engine, struct weir_error *error);
WEIR_API void weir_engine_free(struct weir_engine *engine);
WEIR_API uint32_t weir_engine_slots(const struct weir_engine *engine);

/* Makes the slot the calling thread's; the result is for this thread only. -EBUSY: another thread
 * has it, -EINVAL: there is no such slot, -ENOMEM. A thread may take a slot that it has again, and
 * gives it back as often. */
WEIR_API int weir_slot_take(struct weir_engine *engine, uint32_t number, struct weir_slot **slot);
WEIR_API void weir_slot_release(struct weir_slot *slot);

/* ---- maps ---- */

enum weir_map_type { /* numbers as in linux/bpf.h */
	WEIR_MAP_HASH = 1,
	WEIR_MAP_ARRAY = 2,
	WEIR_MAP_PERCPU_HASH = 5,
	WEIR_MAP_PERCPU_ARRAY = 6,
	WEIR_MAP_LPM_TRIE = 11,
};

/* For weir_map_update. */
enum weir_update_flags { WEIR_ANY = 0, WEIR_NOEXIST = 1, WEIR_EXIST = 2 };

struct weir_map_spec {
	const char *name; /* at most 15 bytes are kept; may be NULL */
	enum weir_map_type type;
	uint32_t key_size, value_size, max_entries;
	uint32_t flags; /* BPF_F_... as in linux/bpf.h */
};

struct weir_map;

/* A new map, all values of an array zero. The errors are the kernel's for such a map: -EINVAL,
 * -E2BIG, -ENOMEM. */
WEIR_API int weir_map_new(struct weir_engine *engine, const struct weir_map_spec *spec,
	struct weir_map **map, struct weir_error *error);
WEIR_API void weir_map_free(struct weir_map *map);

/* Bytes of a value for lookup and update below: value_size, and for per-CPU types one value for
 * each slot, in the order of slots, each at a multiple of 8. */
WEIR_API size_t weir_map_value_bytes(const struct weir_map *map);

/* Copies the value of key out. -ENOENT. */
WEIR_API int weir_map_lookup(const struct weir_map *map, const void *key, void *value);
/* Copies one slot's value (value_size bytes) out; -EINVAL unless the map is per-CPU and has the
 * slot, -ENOENT, -ENOMEM. */
WEIR_API int weir_map_lookup_slot(
	const struct weir_map *map, const void *key, uint32_t slot, void *value);
/* Adds up the slots' values as numbers of 64 bits, value_size / 8 of them. -EINVAL when value_size
 * isn't a multiple of 8, -ENOENT, -ENOMEM. Of a map that isn't per-CPU it is the value itself. */
WEIR_API int weir_map_sum(const struct weir_map *map, const void *key, uint64_t *sums);
/* flags: enum weir_update_flags. -EEXIST, -ENOENT, -E2BIG (full), -EINVAL. */
WEIR_API int weir_map_update(
	struct weir_map *map, const void *key, const void *value, uint64_t flags);
/* -ENOENT; -EINVAL for arrays. */
WEIR_API int weir_map_delete(struct weir_map *map, const void *key);
/* The key behind `key` in the map's own order; the first one when `key` is NULL or not there.
 * -ENOENT: no more. */
WEIR_API int weir_map_next(const struct weir_map *map, const void *key, void *next);

/* ---- programs ---- */

/* One instruction as RFC 9669 and struct bpf_insn have it. A 64-bit immediate load with src 5 names
 * a map by its index in weir_program_spec.maps, in imm; with src 6 the first value of that map, at
 * the offset in the second imm. */
struct weir_insn {
	uint8_t code;
	uint8_t dst : 4;
	uint8_t src : 4;
	int16_t off;
	int32_t imm;
};

enum weir_program_type {
	WEIR_PROG_XDP = 6,          /* r1: struct xdp_md as in linux/bpf.h */
	WEIR_PROG_RAW = 0x10000,    /* r1: raw_bytes bytes of memory, r2: that number */
	WEIR_PROG_PACKET = 0x10001, /* r1: struct weir_packet; returns 0 ... 2 */
};

enum weir_mode {
	WEIR_MODE_AUTO = 0, /* native code, or the interpreter where this host has no compiler for
			       the program */
	WEIR_MODE_NATIVE = 1,
	WEIR_MODE_INTERPRETER = 2,
};

/* Zero what isn't needed. Nothing is kept but the maps. */
struct weir_program_spec {
	const char *name; /* for messages */
	enum weir_program_type type;
	const struct weir_insn *insns;
	size_t nr_insns; /* a 64-bit immediate load counts as two */
	struct weir_map *const *maps;
	size_t nr_maps;
	uint32_t raw_bytes; /* WEIR_PROG_RAW */
	enum weir_mode mode;
	unsigned log_level; /* of the verifier: 0 no log, 1 the path to the error, 2 every step */
	const char
		*skip_passes; /* letters of optional passes to leave out, "*" for all; NULL: none */
};

struct weir_program;

/* Checks, verifies, rewrites and compiles. *log, if log isn't NULL, gets the verifier's log also on
 * failure (NULL when there is none): free it with weir_text_free. Errors are those of
 * bpf(BPF_PROG_LOAD): -EINVAL, -EACCES, -EPERM, -E2BIG, -ENOMEM; -ENOTSUP: WEIR_MODE_NATIVE can't
 * be had here. */
WEIR_API int weir_program_new(struct weir_engine *engine, const struct weir_program_spec *spec,
	struct weir_program **program, char **log, struct weir_error *error);
WEIR_API void weir_program_free(struct weir_program *program);
/* Whether native code runs it. */
WEIR_API bool weir_program_is_native(const struct weir_program *program);

/* Runs on `len` bytes: the memory of WEIR_PROG_RAW (at least raw_bytes), a frame for WEIR_PROG_XDP,
 * a packet from its IP header on for WEIR_PROG_PACKET, about which nothing else is known then.
 * *result gets r0, of which only WEIR_PROG_RAW has more than 32 bits. The slot must be the calling
 * thread's and of the same engine. -EINVAL. Allocates nothing. */
WEIR_API int weir_run(const struct weir_program *program, struct weir_slot *slot, void *bytes,
	size_t len, uint64_t *result);
/* The same for WEIR_PROG_PACKET with all that is known about the packet; the program may change
 * packet->mark. */
WEIR_API int weir_run_packet(const struct weir_program *program, struct weir_slot *slot,
	struct weir_packet *packet, uint64_t *result);

/* Shows what becomes of a program. stages: P the program as given, V the verifier's steps, R after
 * all passes, J native code as bytes, and a pass's letter (weir_pass) for the program before and
 * after it; "*" for all passes. target: "arm64", "x86_64" or NULL for this host's, for J. *text is
 * to be freed with weir_text_free and is set on failure too, to what was reached, or NULL. */
WEIR_API int weir_program_dump(struct weir_engine *engine, const struct weir_program_spec *spec,
	const char *stages, const char *target, char **text, struct weir_error *error);
WEIR_API void weir_text_free(char *text);

struct weir_pass {
	char letter;
	bool optional;
	const char *name, *what; /* static */
};

/* The i-th pass in their order; false behind the last. */
WEIR_API bool weir_pass(size_t i, struct weir_pass *pass);

#ifdef __cplusplus
}
#endif

#endif
