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

int kernel_map_new(const struct map_spec *spec)
{
	union bpf_attr attr;

	attr_clear(&attr);
	attr.map_type = spec->type;
	attr.key_size = spec->key_size;
	attr.value_size = spec->value_size;
	attr.max_entries = spec->max_entries;
	attr.map_flags = spec->flags;
	attr.map_extra = spec->extra;
	memcpy(attr.map_name, spec->name, sizeof(spec->name));
	return call(BPF_MAP_CREATE, &attr);
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
	return elem_call(BPF_MAP_LOOKUP_ELEM, fd, key, value, 0);
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
