/* What linux/bpf.h says; in a file of its own because that header and isa/insn.h define the same
 * names. */
#ifndef TEST_PROGTYPE_KERNEL_FACTS_H
#define TEST_PROGTYPE_KERNEL_FACTS_H

#include "base/types.h"

struct kernel_field {
	const char *name;
	size_t off;
};

extern const struct kernel_field kernel_xdp_md[5];
extern const size_t kernel_xdp_md_bytes;
extern const u32 kernel_map_lookup_elem, kernel_skb_store_bytes, kernel_xdp_adjust_head;

#endif
