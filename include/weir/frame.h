/* A packet as network programs (xdp, tc, socket filter, cgroup_skb) work on it: the bytes, the room around them, and what
 * the kernel's struct xdp_md and struct __sk_buff say about a packet. Helpers change it as they change the kernel's. */
#ifndef WEIR_FRAME_H
#define WEIR_FRAME_H

#include <stdint.h>

enum weir_redirect {
	WEIR_REDIRECT_NONE = 0,
	WEIR_REDIRECT_IFINDEX = 1, /* bpf_redirect: to ifindex `redirect_ifindex` */
	WEIR_REDIRECT_MAP = 2,	   /* bpf_redirect_map: entry `redirect_key` of `redirect_map` */
	WEIR_REDIRECT_PEER = 3,
	WEIR_REDIRECT_NEIGH = 4,
};

/* Filled by whoever runs the program, all of it: zero says "nothing known". Numbers are in host byte order but for those
 * said to be in network order. Always room <= meta <= data <= data_end <= room_end. */
struct weir_frame {
	/* Addresses. */
	uint64_t data;	   /* first byte of the packet as the program sees it */
	uint64_t data_end; /* behind the last one */
	uint64_t meta;	   /* metadata lies between meta and data; meta == data: none */
	uint64_t room;	   /* lowest address that the program may make its own (headroom) */
	uint64_t room_end; /* behind the highest one (tailroom) */

	uint64_t time_ns; /* packet time since the epoch; 0: unknown */
	uint64_t tstamp;  /* __sk_buff.tstamp */
	uint64_t hwtstamp;
	uint64_t cookie; /* of the socket; 0: no socket */

	uint32_t len; /* data_end - data, kept so by helpers */
	uint32_t mark, priority, hash;
	uint32_t ifindex, ingress_ifindex, rx_queue_index, egress_ifindex;
	uint32_t queue_mapping; /* 16 bits, as tc_index and tc_classid */
	uint32_t protocol; /* EtherType, network order in the low 16 bits, as __sk_buff.protocol */
	uint32_t pkt_type;
	uint32_t vlan_present, vlan_tci; /* a tag beside the packet; vlan_present is 1 then, else 0 */
	uint32_t vlan_proto; /* network order, as __sk_buff.vlan_proto */
	uint32_t tc_index, tc_classid;
	uint32_t cb[5];
	uint32_t napi_id;
	uint32_t wire_len, gso_segs, gso_size, tstamp_type;
	uint32_t has_owner, uid, gid; /* of the socket, where has_owner is 1 */

	/* Where things are, from `data` on; may be negative: what helpers would find in the kernel's sk_buff. */
	int32_t mac_off;       /* link layer header */
	int32_t network_off;   /* IP header */
	int32_t transport_off; /* 0: not known */
	uint32_t mac_len;      /* skb->mac_len: how far VLAN tags in the packet are looked for; 0: Ethernet's 14 */
	uint32_t encapsulated; /* 1: skb_adjust_room has put a tunnel's headers in front */
	uint32_t csum_checked; /* 1: checksums are known to be right, of csum_level + 1 headers */
	uint32_t csum_level;
	uint32_t hash_known; /* 1: `hash` is the packet's; 0: get_hash_recalc computes one */

	/* Of netfilter programs: how the kernel's struct nf_hook_state begins. Numbers as in linux/netfilter.h. */
	uint8_t nf_hook, nf_pf;
	uint8_t nf_pad[6];

	/* Socket fields of __sk_buff; addresses and remote_port in network order. */
	uint32_t family;
	uint32_t remote_ip4, local_ip4;
	uint32_t remote_ip6[4], local_ip6[4];
	uint32_t remote_port, local_port;

	/* What the program asked for. */
	uint32_t redirect; /* enum weir_redirect */
	uint32_t redirect_ifindex;
	uint32_t redirect_family;      /* WEIR_REDIRECT_NEIGH: AF_INET, AF_INET6 of the next hop; 0: the packet's destination */
	uint32_t redirect_next_hop[4]; /* network order */
	uint32_t pad;
	uint64_t redirect_key, redirect_flags;
	const void *redirect_map; /* struct map, inside weir */

	uint64_t inside[2]; /* weir's own, filled by weir_run_frame */
	uint64_t reserved[4];
};

#endif
