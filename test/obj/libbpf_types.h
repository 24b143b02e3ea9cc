/* The same questions asked of libbpf, whose names can't be had in one file with ours. */
#ifndef WEIR_TEST_LIBBPF_TYPES_H
#define WEIR_TEST_LIBBPF_TYPES_H

#include "base/types.h"

struct other_type {
	u32 kind, nr, size_or_type;
	const char *name;
	s64 value_size; /* -1: none */
	int align;	/* 0: none */
};

struct other_field {
	const char *name;
	u32 type, bit_off, bits;
};

/* A file as btf__parse reads it, raw or ELF; NULL: it can't. */
void *other_open(const char *path);
void other_free(void *btf);
u32 other_nr_types(const void *btf);
struct other_type other_get(const void *btf, u32 id);
struct other_field other_field(const void *btf, u32 id, u32 i);
s64 other_enum_value(const void *btf, u32 id, u32 i, const char **name);

/* Whether this machine's kernel lets us load programs; not without root, nor in qemu. */
bool other_can_load(void);
/* Opens an object and has libbpf relocate and load it with the target's types from `target`. *insns gets the instructions
 * of all its programs as libbpf has relocated them; free with free. 0, or -errno when it couldn't load it: then they may be
 * relocated in part. */
int other_relocate(const char *object, const char *target, void **insns, u32 *nr);

#endif
