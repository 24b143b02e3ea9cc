/* Maps: one struct map_ops per type, one row in types.def. Sizes in bytes; errno as the kernel's. */
#ifndef WEIR_MAP_MAP_H
#define WEIR_MAP_MAP_H

#include <stdatomic.h>

#include "base/types.h"

struct buf;
struct callable;
struct cpus;
struct diag;
struct map;

enum map_type { /* the kernel's numbers */
	MAP_TYPE_UNSPEC = 0,
	MAP_TYPE_HASH = 1,
	MAP_TYPE_ARRAY = 2,
	MAP_TYPE_PROG_ARRAY = 3,
	MAP_TYPE_PERF_EVENT_ARRAY = 4,
	MAP_TYPE_PERCPU_HASH = 5,
	MAP_TYPE_PERCPU_ARRAY = 6,
	MAP_TYPE_LRU_HASH = 9,
	MAP_TYPE_LRU_PERCPU_HASH = 10,
	MAP_TYPE_LPM_TRIE = 11,
	MAP_TYPE_ARRAY_OF_MAPS = 12,
	MAP_TYPE_HASH_OF_MAPS = 13,
	MAP_TYPE_DEVMAP = 14,
	MAP_TYPE_CPUMAP = 16,
	MAP_TYPE_XSKMAP = 17,
	MAP_TYPE_QUEUE = 22,
	MAP_TYPE_STACK = 23,
	MAP_TYPE_DEVMAP_HASH = 25,
	MAP_TYPE_RINGBUF = 27,
	MAP_TYPE_BLOOM_FILTER = 30,
};

/* Flags of create and update (linux/bpf.h). */
#define BPF_F_NO_PREALLOC (1u << 0)
#define BPF_F_RDONLY_PROG (1u << 7)
#define BPF_F_WRONLY_PROG (1u << 8)
#define BPF_ANY 0
#define BPF_NOEXIST 1
#define BPF_EXIST 2
#define BPF_F_LOCK 4

struct map_spec {
	char name[16]; /* kernel: BPF_OBJ_NAME_LEN */
	enum map_type type;
	u32 key_size, value_size, max_entries;
	u32 flags;
	u64 extra; /* the kernel's map_extra: bloom filter, number of hashes in the low 4 bits */
	struct map *inner; /* maps of maps: what an entry must be like; the map has a reference on it */
	u32 lock_at; /* 1 + offset of the struct bpf_spin_lock (4 bytes) in a value; 0: none */
};

/* A record, readable during the call; a negative result stops. */
typedef int (*map_record_fn)(void *arg, u32 slot, const void *data, size_t len);

enum map_ops_flags {
	MAP_PER_CPU = 1 << 0,	 /* a value per slot */
	MAP_ARRAY_LIKE = 1 << 1, /* key is a u32 index, every key below max_entries exists */
	MAP_LRU = 1 << 2,	 /* a full map makes room by itself; lookups of programs count as use */
};

/* How inlined lookups find values without a call; valid for MAP_ARRAY_LIKE maps and prog arrays. */
struct map_layout {
	u64 base;  /* array: address of value 0; per-CPU array: per-CPU offset of value 0; prog array: address of an
		      array of struct callable * */
	u32 stride; /* bytes from one value to the next, a multiple of 8 */
};

/* Where a program's walk over the elements of a map is; zero at its start. What was deleted by the time isn't visited, what
 * is inserted meanwhile may be, and no walk takes more than max_entries steps. */
struct map_cursor {
	u64 key; /* address of the element's key, valid until the next step */
	u32 at;	 /* index or bucket of the element to come */
	u32 next; /* hash: that element, 0: the first of the bucket */
	u32 steps; /* so far */
	u32 index; /* array: the key */
};

struct map_ops {
	const char *name; /* the kernel's, "percpu_array" */
	u32 flags;
	/* Checks what is special about the type: -EINVAL, -E2BIG as the kernel's bpf(BPF_MAP_CREATE). */
	int (*check_spec)(const struct map_spec *spec, struct diag *d);
	int (*create)(struct map *m); /* fills m->priv and m->layout */
	void (*destroy)(struct map *m);

	/* For programs, on the slot whose base is `self`: the value's address or NULL. Lock-free. */
	void *(*lookup)(struct map *m, const void *key, u8 *self);
	/* For programs: per-CPU maps touch this slot's value only. `self` as above. */
	int (*update)(struct map *m, const void *key, const void *value, u64 flags, u8 *self);
	int (*remove)(struct map *m, const void *key); /* programs and outside */

	/* From outside: per-CPU types read and write all slots, value_size rounded up to 8 for each. */
	int (*read)(struct map *m, const void *key, void *value);
	int (*write)(struct map *m, const void *key, const void *value, u64 flags);
	int (*read_locked)(struct map *m, const void *key, void *value); /* NULL: values can't have locks */
	/* key NULL or unknown: the first one. -ENOENT behind the last. */
	int (*next_key)(struct map *m, const void *key, void *next);
	int (*read_and_remove)(struct map *m, const void *key, void *value); /* NULL: not possible */
	int (*read_batch)(struct map *m, u64 *cursor, void *keys, void *values, u32 *count); /* likewise */
	u64 (*memory_bytes)(const struct map *m);
	/* For programs on the slot `self`: the next element's value, or NULL behind the last. Lock-free. NULL: not possible. */
	void *(*each)(struct map *m, struct map_cursor *c, u8 *self);

	/* Queue, stack, bloom filter: for programs and outside. NULL: -EOPNOTSUPP. */
	int (*push)(struct map *m, const void *value, u64 flags);
	int (*pop)(struct map *m, void *value);
	int (*peek)(struct map *m, void *value);
	/* Prog arrays and maps of maps, from outside: a reference is taken. NULL: the type holds no such things. */
	int (*set_program)(struct map *m, u32 index, struct callable *program);
	/* A program that refers to the map is loaded: -EINVAL when it doesn't fit to those in it. NULL: all do. */
	int (*admit)(struct map *m, const struct callable *program);
	/* Nobody outside has the map any more: lets go of the programs in it, which may hold the map. NULL: nothing to do. */
	void (*release)(struct map *m);
	int (*set_map)(struct map *m, const void *key, struct map *entry, u64 flags);
	/* Ring buffer, perf event array: the eventfd, and records for outside. NULL: the type has none. */
	int (*event)(struct map *m);
	int (*consume)(struct map *m, map_record_fn fn, void *arg, u64 *lost);
};

struct map {
	const struct map_ops *ops;
	struct map_spec spec;
	u32 value_stride; /* value_size rounded up to 8 */
	u32 id; /* unlike that of all other maps and programs on these slots */
	struct map_layout layout;
	struct cpus *cpus; /* borrowed; never NULL */
	_Atomic u32 refs;
	_Atomic bool frozen;
	void *priv;
};

/* A new map with one reference. 0, or the kernel's errno for such a spec, with the reason in d. */
int map_new(const struct map_spec *spec, struct cpus *cpus, struct map **out, struct diag *d);
void map_get(struct map *m);
void map_put(struct map *m); /* NULL ok */
/* The same for the last reference that was outside: programs may hold the map longer. */
void map_put_outside(struct map *m);
/* May a program refer to the map? 0, or -EINVAL with the reason. */
int map_admit(struct map *m, const struct callable *program, struct diag *d);

/* Calls for programs (helpers, interpreter); thread-safe, lock-free lookups, see each type's file for what is promised. */
static inline void *map_lookup(struct map *m, const void *key, u8 *self)
{
	return m->ops->lookup(m, key, self);
}

/* Calls from outside, with the kernel's errno: -ENOENT, -EEXIST, -E2BIG (array index, full hash), -ENOSPC (full LPM trie),
 * -EINVAL, -EPERM (frozen, or BPF_F_RDONLY or BPF_F_WRONLY at creation), -ENOMEM. -EOPNOTSUPP where the kernel has its
 * internal 524. `value` of a per-CPU map is map_outside_value_bytes() long: one value per slot that exists, in the order of
 * their numbers, each at a multiple of 8. Of maps without keys (key_size 0) `key` must be NULL; write is push, read is peek,
 * read_and_remove is pop; reading a bloom filter asks for the value given. */
int map_read(struct map *m, const void *key, void *value);
/* flags: 0, or BPF_F_LOCK to read under the lock in the value. */
int map_read_flags(struct map *m, const void *key, void *value, u64 flags);
int map_write(struct map *m, const void *key, const void *value, u64 flags);
int map_remove(struct map *m, const void *key);
int map_next_key(struct map *m, const void *key, void *next);
int map_read_and_remove(struct map *m, const void *key, void *value);
size_t map_outside_value_bytes(const struct map *m);
/* From outside: no more writes but by programs. 0, -EPERM when nobody may write it from outside anyway, -EOPNOTSUPP when
 * values have a lock. */
int map_freeze(struct map *m);
/* -EOPNOTSUPP unless queue, stack, bloom filter. */
int map_push(struct map *m, const void *value, u64 flags);
int map_pop(struct map *m, void *value);
int map_peek(struct map *m, void *value);
int map_set_program(struct map *m, u32 index, struct callable *program);
int map_set_map(struct map *m, const void *key, struct map *entry, u64 flags);
/* -EINVAL for types without records. Of consume: how many, or what fn returned below 0; *lost unless NULL: how many there
 * was no room for since it was asked last. One thread at a time. */
int map_event(struct map *m);
int map_consume(struct map *m, map_record_fn fn, void *arg, u64 *lost);
/* Batch: up to *count entries behind *cursor (an opaque 8-byte position, 0 = start) into keys and values; *count gets how
 * many. -ENOENT when the end was reached (entries may still have been returned), as bpf(BPF_MAP_LOOKUP_BATCH); -ENOSPC
 * when *count is too small for what must be returned together (a hash bucket) and nothing was returned. */
int map_read_batch(struct map *m, u64 *cursor, void *keys, void *values, u32 *count);

const struct map_ops *map_ops_of(enum map_type type); /* NULL: not here */
const char *map_type_name(enum map_type type);	      /* "?" when unknown */
enum map_type map_type_by_name(const char *name);     /* MAP_TYPE_UNSPEC when unknown */

#endif
