/* What types share in checking a map_spec, and flags of the kernel that only matter there. */
#ifndef WEIR_MAP_SPEC_H
#define WEIR_MAP_SPEC_H

#include "map/map.h"

/* linux/bpf.h; those that map.h doesn't show to others. */
#define BPF_F_NO_COMMON_LRU (1u << 1) /* our LRU is as common as needed either way */
#define BPF_F_NUMA_NODE (1u << 2) /* a wish; memory goes where it is touched first */
#define BPF_F_RDONLY (1u << 3)	  /* map_write and its kin: -EPERM */
#define BPF_F_WRONLY (1u << 4)	  /* map_read and its kin: -EPERM */
#define BPF_F_ZERO_SEED (1u << 6)
#define BPF_F_MMAPABLE (1u << 10) /* all our maps can be seen from outside */
#define BPF_F_INNER_MAP (1u << 12)

#define MAP_ACCESS_FLAGS (BPF_F_RDONLY | BPF_F_WRONLY | BPF_F_RDONLY_PROG | BPF_F_WRONLY_PROG)

/* -EINVAL with the reason when spec has other flags than `known`, or both of a pair that excludes itself. */
int spec_check_flags(const struct map_spec *spec, u32 known, struct diag *d);
/* -EINVAL with the reason when max_entries, key_size or value_size are 0. */
int spec_check_not_empty(const struct map_spec *spec, struct diag *d);
/* -err with the reason when value_size is above `limit`. */
int spec_check_value_size(const struct map_spec *spec, u32 limit, int err, struct diag *d);

enum {
	PERCPU_VALUE_BYTES_MAX = 32 << 10, /* the kernel's limit on a per-CPU value (PCPU_MIN_UNIT_SIZE) */
	VALUE_BYTES_MAX = 4 << 20, /* queue, stack, bloom filter: the kernel's KMALLOC_MAX_SIZE */
};

#endif
