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

#include "weir/env.h"
#include "weir/frame.h"
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
/* The same with the slots that a list names, as the kernel writes those of CPUs: "0,4-7". */
WEIR_API int weir_engine_new_sparse(const char *slots, struct weir_engine **engine, struct weir_error *error);
WEIR_API void weir_engine_free(struct weir_engine *engine);

/* Who is told of native code, so that a debugger, a profiler or a signal's handler finds its way through it. */
enum weir_announce {
	WEIR_ANNOUNCE_UNWINDERS = 1, /* libgcc's, which backtrace() and exceptions use */
	WEIR_ANNOUNCE_PERF = 2,	     /* names of functions in /tmp/perf-PID.map */
	WEIR_ANNOUNCE_DEBUGGER = 4,  /* gdb's JIT interface: names, and frames */
};
/* From now on programs that are loaded are announced to `what`, bits of enum weir_announce; nobody is told before the first
 * call. Not while another thread loads programs. Announced code takes two mappings for each program, where other programs
 * share one, so the kernel's limit of mappings (vm.max_map_count) comes at some 32,000 programs. In a child of fork, perf
 * knows the names of what the child loads only. */
WEIR_API void weir_engine_announce(struct weir_engine *engine, unsigned what);

/* What makes native code harder to misuse, beside what is always so: it is never writable and executable at once, and has
 * guard pages. */
enum weir_harden {
	/* No constant of a program stands in its code, but shift counts and offsets. A program is refused (E2BIG) that has less
	 * than 16 bytes of stack left. */
	WEIR_HARDEN_CONSTANTS = 1,
	WEIR_HARDEN_LANDING_PADS = 2, /* indirect jumps arrive at BTI or ENDBR64 only; always so if weir was built with them */
};
/* From now on programs are loaded so: bits of enum weir_harden. Not while another thread loads programs. */
WEIR_API void weir_engine_harden(struct weir_engine *engine, unsigned how);
/* 1 + the highest number of a slot. */
WEIR_API uint32_t weir_engine_slots(const struct weir_engine *engine);
/* How many there are, and the number of the i-th; -EINVAL when there are fewer. */
WEIR_API uint32_t weir_engine_slot_count(const struct weir_engine *engine);
WEIR_API int weir_engine_slot_number(const struct weir_engine *engine, uint32_t i);

/* Makes the slot the calling thread's; the result is for this thread only. -EBUSY: another thread
 * has it, -EINVAL: there is no such slot, -ENOMEM. A thread may take a slot that it has again, and
 * gives it back as often. */
WEIR_API int weir_slot_take(struct weir_engine *engine, uint32_t number, struct weir_slot **slot);
WEIR_API void weir_slot_release(struct weir_slot *slot);
/* What programs on this slot find around them; borrowed until it is replaced or the slot released. NULL: this machine's
 * clocks, nothing else. */
WEIR_API int weir_slot_set_env(struct weir_slot *slot, const struct weir_env *env);

/* ---- maps ---- */

/* Numbers as in linux/bpf.h. What stands in values that aren't the user's own bytes: devmap, devmap_hash: u32 number of an
 * interface, and with 8 bytes u32 descriptor of a program, as linux/bpf.h has it; cpumap: u32 queue size, and a descriptor
 * likewise; xskmap: u32, which only says that a socket is there. They say where bpf_redirect_map may send a packet; sending
 * is up to who runs the program (weir_frame.redirect_*). */
enum weir_map_type {
	WEIR_MAP_HASH = 1,
	WEIR_MAP_ARRAY = 2,
	WEIR_MAP_PROG_ARRAY = 3,
	WEIR_MAP_PERF_EVENT_ARRAY = 4,
	WEIR_MAP_PERCPU_HASH = 5,
	WEIR_MAP_PERCPU_ARRAY = 6,
	WEIR_MAP_LRU_HASH = 9,
	WEIR_MAP_LRU_PERCPU_HASH = 10,
	WEIR_MAP_LPM_TRIE = 11,
	WEIR_MAP_ARRAY_OF_MAPS = 12,
	WEIR_MAP_HASH_OF_MAPS = 13,
	WEIR_MAP_DEVMAP = 14,
	WEIR_MAP_CPUMAP = 16,
	WEIR_MAP_XSKMAP = 17,
	WEIR_MAP_QUEUE = 22,
	WEIR_MAP_STACK = 23,
	WEIR_MAP_DEVMAP_HASH = 25,
	WEIR_MAP_RINGBUF = 27,
	WEIR_MAP_BLOOM_FILTER = 30,
};

/* For weir_map_update. */
enum weir_update_flags {
	WEIR_ANY = 0,
	WEIR_NOEXIST = 1,
	WEIR_EXIST = 2,
	WEIR_LOCK = 4, /* to be added: take the lock in the value */
};

struct weir_map_spec {
	const char *name; /* at most 15 bytes are kept; may be NULL */
	enum weir_map_type type;
	uint32_t key_size, value_size, max_entries;
	uint32_t flags; /* BPF_F_... as in linux/bpf.h */
	uint64_t map_extra; /* as in linux/bpf.h: bloom filter, number of hashes */
	struct weir_map *inner; /* maps of maps: a map like those that entries will be; needed there only */
	uint32_t lock_at; /* 1 + offset of a struct bpf_spin_lock in the value, 0: none */
};

struct weir_map;
struct weir_program;

/* A new map, all values of an array zero. The errors are the kernel's for such a map: -EINVAL,
 * -E2BIG, -ENOMEM. */
WEIR_API int weir_map_new(struct weir_engine *engine, const struct weir_map_spec *spec,
	struct weir_map **map, struct weir_error *error);
WEIR_API void weir_map_free(struct weir_map *map);
/* A number that no other map and no program of the engine has, not 0. */
WEIR_API uint32_t weir_map_id(const struct weir_map *map);

/* Bytes of a value for lookup and update below: value_size, and for per-CPU types one value for
 * each slot that exists, in the order of their numbers, each at a multiple of 8. */
WEIR_API size_t weir_map_value_bytes(const struct weir_map *map);

/* Copies the value of key out; a bpf_spin_lock in it reads as 0. -ENOENT. */
WEIR_API int weir_map_lookup(const struct weir_map *map, const void *key, void *value);
/* As weir_map_lookup and weir_map_update, with sizes checked: -EINVAL unless key_bytes is the map's key_size and value_bytes
 * its weir_map_value_bytes. flags of lookup: 0 or WEIR_LOCK. */
WEIR_API int weir_map_lookup_sized(const struct weir_map *map, const void *key, size_t key_bytes, void *value,
	size_t value_bytes, uint64_t flags);
WEIR_API int weir_map_update_sized(struct weir_map *map, const void *key, size_t key_bytes, const void *value,
	size_t value_bytes, uint64_t flags);
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
/* What the map is like; name is static as long as the map, inner is NULL. */
WEIR_API int weir_map_info(const struct weir_map *map, struct weir_map_spec *spec);
/* "hash": the kernel's name of a type, static; NULL when weir has no such type. */
WEIR_API const char *weir_map_type_name(enum weir_map_type type);
/* No more updates from outside. -EPERM: there were none (frozen already, or BPF_F_RDONLY); -EOPNOTSUPP: its values have a
 * lock. */
WEIR_API int weir_map_freeze(struct weir_map *map);
/* Queue, stack, bloom filter (push, peek: is the value in it?); -EOPNOTSUPP of other types. -E2BIG: full, unless flags is
 * WEIR_EXIST, which drops the oldest; -ENOENT: empty. weir_map_update, weir_map_lookup_and_delete and weir_map_lookup mean
 * the same with key NULL. */
WEIR_API int weir_map_push(struct weir_map *map, const void *value, uint64_t flags);
WEIR_API int weir_map_pop(struct weir_map *map, void *value);
WEIR_API int weir_map_peek(struct weir_map *map, void *value);
/* Copies the value out and deletes the entry. -ENOENT, -EOPNOTSUPP for arrays. */
WEIR_API int weir_map_lookup_and_delete(struct weir_map *map, const void *key, void *value);
/* The values of an array map, in place: programs see changes at once. *stride: bytes from one to the next. NULL for other
 * types. Valid as long as the map. */
WEIR_API void *weir_map_array_values(struct weir_map *map, size_t *stride);
/* Prog array: program NULL empties the entry. Takes effect at once; what was there stays until no run uses it any more.
 * -EINVAL: the program is of another type, attach type or mode than those that are there or call through the map, or of
 * another engine; -E2BIG: no such entry; -ENOENT: it is empty already; -ENOMEM. weir_map_delete empties entries, too;
 * weir_map_lookup gives 4 bytes, the program's weir_program_id. weir_map_free empties the map: programs that keep it find
 * nothing in it any more. */
WEIR_API int weir_map_set_program(struct weir_map *map, uint32_t index, struct weir_program *program);
/* Map of maps: entry NULL deletes. Takes effect at once; what was there stays until no run uses it any more. -EINVAL: not like
 * the inner map that was given, or of another engine; -E2BIG, -EEXIST, -ENOENT as weir_map_update; -ENOMEM. weir_map_delete
 * takes entries out, too; weir_map_lookup gives 4 bytes, the entry's weir_map_id. */
WEIR_API int weir_map_set_map(struct weir_map *map, const void *key, struct weir_map *entry, uint64_t flags);

/* A record of a ring buffer or perf event array; `data` is readable during the call only. A negative result stops. */
typedef int (*weir_record_fn)(void *arg, uint32_t slot, const void *data, size_t len);

/* A descriptor that poll(2) and epoll(7) report readable when records wait; the map's own, not to be closed. -EINVAL for
 * other types. */
WEIR_API int weir_map_fd(struct weir_map *map);
/* Hands all waiting records to fn, in order (of a perf event array: slot by slot). One thread at a time. How many, or what
 * fn returned when that was negative. Of a perf event array *lost, unless NULL, gets how many didn't fit since last time. */
WEIR_API int weir_map_consume(struct weir_map *map, weir_record_fn fn, void *arg, uint64_t *lost);

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
	WEIR_PROG_SOCKET_FILTER = 1, /* r1: struct __sk_buff as in linux/bpf.h */
	WEIR_PROG_SCHED_CLS = 3,     /* likewise */
	WEIR_PROG_SCHED_ACT = 4,     /* likewise */
	WEIR_PROG_XDP = 6,          /* r1: struct xdp_md as in linux/bpf.h */
	WEIR_PROG_CGROUP_SKB = 8,    /* r1: struct __sk_buff; packets start at the IP header */
	WEIR_PROG_NETFILTER = 32,    /* r1: struct bpf_nf_ctx */
	WEIR_PROG_RAW = 0x10000,    /* r1: raw_bytes bytes of memory, r2: that number */
	WEIR_PROG_PACKET = 0x10001, /* r1: struct weir_packet; returns 0 ... 2 */
};

enum weir_mode {
	WEIR_MODE_AUTO = 0, /* native code, or the interpreter where this host has no compiler for
			       the program */
	WEIR_MODE_NATIVE = 1,
	WEIR_MODE_INTERPRETER = 2,
};

/* Instructions from `insn` up to the next entry come from this line. */
struct weir_source_line {
	uint32_t insn, line, col;
	const char *text; /* the line itself; may be NULL */
};

enum weir_arg_kind {
	WEIR_ARG_SCALAR = 0,
	WEIR_ARG_CTX = 1,
	WEIR_ARG_MEM = 2, /* `bytes` of memory, or NULL unless nonnull */
	WEIR_ARG_UNSUPPORTED = 3,
};

/* What is known of a subprogram besides its instructions. A global one is verified by its arguments' types alone, once;
 * others at each call. */
struct weir_function {
	uint32_t insn; /* its first */
	const char *name;
	bool global, returns_void;
	uint8_t nr_args;
	struct {
		uint8_t kind; /* enum weir_arg_kind */
		bool nonnull;
		uint32_t bytes;
	} args[5];
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
		*skip_passes; /* letters of optional passes to leave out, "*" for all; NULL: none. Others: -EINVAL */
	const struct weir_source_line *lines; /* sorted by insn */
	size_t nr_lines;
	const struct weir_function *functions; /* sorted by insn; may lack subprograms */
	size_t nr_functions;
	const char *license; /* helpers for GPL programs are refused unless it is compatible; NULL: not looked at */
	uint32_t attach_type; /* enum bpf_attach_type of linux/bpf.h, where rules depend on it */
	bool strict_alignment;
	bool refuse_fib; /* no fib_lookup: nobody answers it (struct weir_env) */
};

/* What weir knows of a helper or, from 0x20000 on, a kernel function: the imm of its call. */
struct weir_helper {
	uint32_t number;
	const char *name; /* without bpf_; static */
	bool here;	  /* false: the kernel has it, weir hasn't */
	bool gpl_only;
};

/* false: nobody knows the number. */
WEIR_API bool weir_helper_by_number(uint32_t number, struct weir_helper *helper);
/* name: with or without bpf_. */
WEIR_API bool weir_helper_by_name(const char *name, struct weir_helper *helper);
/* Whether programs of this type may call it. */
WEIR_API bool weir_helper_allowed(enum weir_program_type type, uint32_t number);
/* "xdp": static; NULL when weir doesn't run the type. */
WEIR_API const char *weir_program_type_name(enum weir_program_type type);

/* Checks, verifies, rewrites and compiles. *log, if log isn't NULL, gets the verifier's log also on
 * failure (NULL when there is none): free it with weir_text_free. Errors are those of
 * bpf(BPF_PROG_LOAD): -EINVAL, -EACCES, -EPERM, -E2BIG, -ENOMEM; -ENOTSUP: WEIR_MODE_NATIVE can't
 * be had here. */
WEIR_API int weir_program_new(struct weir_engine *engine, const struct weir_program_spec *spec,
	struct weir_program **program, char **log, struct weir_error *error);
WEIR_API void weir_program_free(struct weir_program *program);
/* A number that no other program and no map of the engine has, not 0. */
WEIR_API uint32_t weir_program_id(const struct weir_program *program);
/* Whether native code runs it. */
WEIR_API bool weir_program_is_native(const struct weir_program *program);

/* Runs on `len` bytes: the memory of WEIR_PROG_RAW (at least raw_bytes), a packet from its IP header
 * on for WEIR_PROG_PACKET, an Ethernet frame for all others, about which nothing else is known then. As in
 * the kernel's test runs it has 14 bytes at least and, but for WEIR_PROG_XDP, a whole IP header.
 * *result gets r0, of which only WEIR_PROG_RAW has more than 32 bits. The slot must be the calling
 * thread's and of the same engine. -EINVAL. Allocates nothing. */
WEIR_API int weir_run(const struct weir_program *program, struct weir_slot *slot, void *bytes,
	size_t len, uint64_t *result);
/* The same for WEIR_PROG_PACKET with all that is known about the packet; the program may change
 * packet->mark. */
WEIR_API int weir_run_packet(const struct weir_program *program, struct weir_slot *slot,
	struct weir_packet *packet, uint64_t *result);

/* The same for programs on network packets: xdp, socket_filter, sched_cls, sched_act, cgroup_skb, netfilter. Helpers may
 * move the packet's ends and fill in what is to become of it. */
WEIR_API int weir_run_frame(const struct weir_program *program, struct weir_slot *slot,
	struct weir_frame *frame, uint64_t *result);
/* n frames one after the other; an unsound one (see frame.h) stops with -EINVAL. */
WEIR_API int weir_run_frames(const struct weir_program *program, struct weir_slot *slot,
	struct weir_frame *frames, size_t n, uint64_t *results);

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
	bool on_request; /* see weir_engine_harden */
	const char *name, *what; /* static */
};

/* The i-th pass in their order; false behind the last. */
WEIR_API bool weir_pass(size_t i, struct weir_pass *pass);

#ifdef __cplusplus
}
#endif

#endif
