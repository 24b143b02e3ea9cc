#include <linux/bpf.h>

#include "kernel_facts.h"

const struct kernel_field kernel_xdp_md[5] = {
	{"data", offsetof(struct xdp_md, data)},
	{"data_end", offsetof(struct xdp_md, data_end)},
	{"data_meta", offsetof(struct xdp_md, data_meta)},
	{"ingress_ifindex", offsetof(struct xdp_md, ingress_ifindex)},
	{"rx_queue_index", offsetof(struct xdp_md, rx_queue_index)},
};
const size_t kernel_xdp_md_bytes = sizeof(struct xdp_md);
const u32 kernel_map_lookup_elem = BPF_FUNC_map_lookup_elem;
const u32 kernel_skb_store_bytes = BPF_FUNC_skb_store_bytes;
const u32 kernel_xdp_adjust_head = BPF_FUNC_xdp_adjust_head;
