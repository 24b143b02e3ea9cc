/* Programs of many kinds of sections. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define PROGRAM(name, section, ctx) \
	SEC(section) int name(struct ctx *c) { return 2; }

PROGRAM(p_xdp, "xdp", xdp_md)
PROGRAM(p_frags, "xdp.frags", xdp_md)
PROGRAM(p_devmap, "xdp/devmap", xdp_md)
PROGRAM(p_sloppy, "xdp_redirect", xdp_md)
PROGRAM(p_off, "?xdp", xdp_md)
PROGRAM(p_tc, "tc", __sk_buff)
PROGRAM(p_tcx, "tcx/egress", __sk_buff)
PROGRAM(p_cls, "classifier/a", __sk_buff)
PROGRAM(p_act, "action", __sk_buff)
PROGRAM(p_sock, "socket", __sk_buff)
PROGRAM(p_socket1, "socket1", __sk_buff)
PROGRAM(p_in, "cgroup_skb/ingress", __sk_buff)
PROGRAM(p_eg, "cgroup_skb/egress", __sk_buff)
PROGRAM(p_cg, "cgroup/skb", __sk_buff)
PROGRAM(p_raw, "raw/16", __sk_buff)
PROGRAM(p_kprobe, "kprobe/x", __sk_buff)
PROGRAM(p_tp, "tp/syscalls/x", __sk_buff)
PROGRAM(p_lsm, "lsm/file_open", __sk_buff)
PROGRAM(p_ops, "struct_ops/x", __sk_buff)
PROGRAM(p_mine, "mine", __sk_buff)
PROGRAM(p_mine2, "mine2", __sk_buff)
PROGRAM(p_mine3, "mine2", __sk_buff)
