// SPDX-License-Identifier: BSD-2-Clause
/* No program, only maps: they are made, and can be filled and read.
 *
 * build: g
 * set: table u32:1 u64:10
 * set: names 6100000000000000 u32:1
 */
#include "corpus.h"

MAP(table, BPF_MAP_TYPE_ARRAY, __u32, __u64, 3);
MAP(names, BPF_MAP_TYPE_HASH, __u64, __u32, 3);

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 2);
	__uint(key_size, 8);
	__uint(value_size, 12);
	__uint(pinning, 0);
} sizes SEC(".maps");
