/* What kernel_run and weir_run share: both read the same plan from standard input, line by line, and answer in the same
 * JSON, an object a line. Each brings its own struct backend.
 *
 *     type PROG NAME            before load: a program's type
 *     only PROG, skip PROG      before load: which programs are wanted
 *     init MAP OFF HEX          before load: bytes of global data
 *     load
 *     set MAP KEY VALUE         one value for all CPUs
 *     push MAP VALUE
 *     prog MAP INDEX PROG
 *     inner MAP KEY OTHERMAP
 *     run PROG DATA [NAME=NUMBER ...]     with fields of the context
 *     maps                      everything that is in maps, and all waiting records
 */
#ifndef WEIR_CORPUS_DRIVER_H
#define WEIR_CORPUS_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DRIVER_DATA_MAX = 4096, DRIVER_CPUS_MAX = 256 };

/* Fields of contexts that a caller may set and read again: those of the kernel's test runs. */
struct driver_ctx {
	uint64_t mark, priority, ingress_ifindex, ifindex, cb[5], tstamp, wire_len, gso_segs, gso_size, hwtstamp;
	uint64_t meta, rx_queue_index; /* xdp: bytes of metadata in front of the packet */
};

struct driver_run {
	const char *program;
	uint8_t data[DRIVER_DATA_MAX]; /* in, out */
	size_t len;
	struct driver_ctx ctx; /* in, out */
	uint32_t retval;
	enum { DRIVER_NO_CTX, DRIVER_SKB, DRIVER_XDP } kind; /* of ctx on the way out */
};

/* Of a map's entry as user space sees it. */
typedef void (*driver_entry_fn)(const void *key, size_t key_bytes, const void *value, size_t value_bytes);
typedef void (*driver_record_fn)(const void *data, size_t len);

/* Functions return 0 or a negative errno. Names of data maps are those of their sections. */
struct backend {
	int (*open)(const char *path, char **words); /* words: what else is on the command line */
	int (*set_type)(const char *program, const char *type);
	int (*only)(const char *program);
	int (*skip)(const char *program);
	int (*init)(const char *map, size_t off, const void *bytes, size_t len);
	int (*load)(char *why, size_t why_bytes); /* why: the last lines of the verifier's log */
	int (*set)(const char *map, const void *key, size_t key_bytes, const void *value, size_t value_bytes);
	int (*push)(const char *map, const void *value, size_t value_bytes);
	int (*set_program)(const char *map, uint32_t index, const char *program);
	int (*set_map)(const char *map, const void *key, size_t key_bytes, const char *inner);
	int (*run)(struct driver_run *run);
	/* The i-th map: its name and what kind of thing it holds; false behind the last. */
	bool (*map)(size_t i, const char **name, const char **type);
	void (*entries)(size_t i, driver_entry_fn fn);
	void (*records)(size_t i, driver_record_fn fn);
};

int driver_main(int argc, char **argv, const struct backend *backend);

#endif
