#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel_map.h"

enum { KERNEL_ENOTSUPP = 524 }; /* has no name outside the kernel */

static int call(enum bpf_cmd command, union bpf_attr *attr)
{
	long ret = syscall(SYS_bpf, command, attr, sizeof(*attr));

	if (ret >= 0)
		return (int)ret;
	return errno == KERNEL_ENOTSUPP ? -EOPNOTSUPP : -errno;
}

static u64 ptr(const void *p)
{
	return (uintptr_t)p;
}

bool kernel_maps_work(void)
{
	const struct map_spec spec = {.name = "probe",
		.type = MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 4,
		.max_entries = 1};
	int fd = kernel_map_new(&spec);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

u32 kernel_nr_cpus(void)
{
	FILE *f = fopen("/sys/devices/system/cpu/possible", "r");
	unsigned first = 0, last = 0;

	if (f) {
		if (fscanf(f, "%u-%u", &first, &last) < 2)
			last = first;
		fclose(f);
	}
	return last + 1;
}

/* All of it: an initialiser need not clear what lies behind the member it names, and the kernel insists on zeros. */
static void attr_clear(union bpf_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
}

/* BTF of a key, and of a value with nothing but a lock in it: the descriptor, or -errno. */
static int lock_btf(const struct map_spec *spec)
{
	static const char names[] = "\0u32\0bpf_spin_lock\0val\0value\0lock\0key";
	enum { U32 = 1, SPIN_LOCK = 5, VAL = 19, VALUE = 23, LOCK = 29, KEY = 34 };
	enum { INT_KIND = 1u << 24, STRUCT_KIND = 4u << 24 };
	const u32 types[] = {
		U32,
		INT_KIND,
		4,
		32,
		SPIN_LOCK,
		STRUCT_KIND | 1,
		4,
		VAL,
		1,
		0,
		VALUE,
		STRUCT_KIND | 1,
		spec->value_size,
		LOCK,
		2,
		8 * (spec->lock_at - 1),
		KEY,
		STRUCT_KIND,
		spec->key_size,
	};
	const struct {
		u16 magic;
		u8 version, flags;
		u32 bytes, types_off, types_bytes, names_off, names_bytes;
	} head = {0xeb9f, 1, 0, sizeof(head), 0, sizeof(types), sizeof(types), sizeof(names)};
	u8 blob[sizeof(head) + sizeof(types) + sizeof(names)];
	union bpf_attr attr;

	memcpy(blob, &head, sizeof(head));
	memcpy(blob + sizeof(head), types, sizeof(types));
	memcpy(blob + sizeof(head) + sizeof(types), names, sizeof(names));
	attr_clear(&attr);
	attr.btf = ptr(blob);
	attr.btf_size = sizeof(blob);
	return call(BPF_BTF_LOAD, &attr);
}

int kernel_map_new(const struct map_spec *spec)
{
	return kernel_map_new_of(spec, 0);
}

int kernel_map_new_of(const struct map_spec *spec, int inner)
{
	union bpf_attr attr;
	int btf = spec->lock_at ? lock_btf(spec) : 0;

	if (btf < 0)
		return btf;
	attr_clear(&attr);
	if (spec->lock_at) {
		attr.btf_fd = (u32)btf;
		attr.btf_key_type_id = spec->key_size == 4 ? 1 : 4;
		attr.btf_value_type_id = 3;
	}
	attr.map_type = spec->type;
	attr.key_size = spec->key_size;
	attr.value_size = spec->value_size;
	attr.max_entries = spec->max_entries;
	attr.map_flags = spec->flags;
	attr.map_extra = spec->extra;
	attr.inner_map_fd = (u32)inner;
	memcpy(attr.map_name, spec->name, sizeof(spec->name));

	int fd = call(BPF_MAP_CREATE, &attr);

	if (spec->lock_at)
		close(btf);
	return fd;
}

static int elem_call(enum bpf_cmd command, int fd, const void *key, const void *value, u64 flags)
{
	union bpf_attr attr;

	attr_clear(&attr);
	attr.map_fd = (u32)fd;
	attr.key = ptr(key);
	attr.value = ptr(value);
	attr.flags = flags;
	return call(command, &attr);
}

int kernel_map_read(int fd, const void *key, void *value)
{
	return kernel_map_read_flags(fd, key, value, 0);
}

int kernel_map_read_flags(int fd, const void *key, void *value, u64 flags)
{
	return elem_call(BPF_MAP_LOOKUP_ELEM, fd, key, value, flags);
}

int kernel_map_write(int fd, const void *key, const void *value, u64 flags)
{
	return elem_call(BPF_MAP_UPDATE_ELEM, fd, key, value, flags);
}

int kernel_map_remove(int fd, const void *key)
{
	return elem_call(BPF_MAP_DELETE_ELEM, fd, key, NULL, 0);
}

int kernel_map_next_key(int fd, const void *key, void *next)
{
	return elem_call(BPF_MAP_GET_NEXT_KEY, fd, key, next, 0);
}

int kernel_map_read_and_remove(int fd, const void *key, void *value)
{
	return elem_call(BPF_MAP_LOOKUP_AND_DELETE_ELEM, fd, key, value, 0);
}

int kernel_map_read_batch(int fd, bool start, void *cursor, void *keys, void *values, u32 *count)
{
	union bpf_attr attr;

	attr_clear(&attr);
	attr.batch.in_batch = start ? 0 : ptr(cursor);
	attr.batch.out_batch = ptr(cursor);
	attr.batch.keys = ptr(keys);
	attr.batch.values = ptr(values);
	attr.batch.count = *count;
	attr.batch.map_fd = (u32)fd;
	int err = call(BPF_MAP_LOOKUP_BATCH, &attr);

	*count = attr.batch.count;
	return err;
}

int kernel_map_freeze(int fd)
{
	union bpf_attr attr;

	attr_clear(&attr);
	attr.map_fd = (u32)fd;
	return call(BPF_MAP_FREEZE, &attr);
}
