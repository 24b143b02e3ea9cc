/* Maps of the running kernel by bpf(2): the oracle. Results as weir's: 0 or -errno. */
#ifndef WEIR_TEST_KERNEL_MAP_H
#define WEIR_TEST_KERNEL_MAP_H

#include "map/map.h"

/* May this process make maps? */
bool kernel_maps_work(void);
/* CPUs of the kernel's per-CPU values. */
u32 kernel_nr_cpus(void);

/* A file descriptor, or -errno; with lock_at it gets types of its own that have a lock there. */
int kernel_map_new(const struct map_spec *spec);
/* The same with the inner map's descriptor, or 0. */
int kernel_map_new_of(const struct map_spec *spec, int inner);
int kernel_map_read(int fd, const void *key, void *value);
int kernel_map_read_flags(int fd, const void *key, void *value, u64 flags);
int kernel_map_write(int fd, const void *key, const void *value, u64 flags);
int kernel_map_remove(int fd, const void *key);
int kernel_map_next_key(int fd, const void *key, void *next);
int kernel_map_read_and_remove(int fd, const void *key, void *value);
/* `cursor` has room for a key. */
int kernel_map_read_batch(int fd, bool start, void *cursor, void *keys, void *values, u32 *count);
int kernel_map_freeze(int fd);

#endif
