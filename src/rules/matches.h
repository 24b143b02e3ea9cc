/* The data of every match and target that runs here, shared by its parser, printer, evaluator and emitter. */
#ifndef WEIR_RULES_MATCHES_H
#define WEIR_RULES_MATCHES_H

#include "base/types.h"

struct port_range { u16 min, max; };
struct u32_range { u32 min, max; };

struct tcp_match {
	struct port_range sport, dport; /* 0:65535 by default */
	u8 flags_mask, flags_comp;	/* ((flags & mask) == comp) ^ inv; both 0: not asked unless inverted */
	u8 option;			/* 0: not asked */
	bool inv_sport, inv_dport, inv_flags, inv_option;
	bool has_flags; /* for the parser */
};

struct udp_match {
	struct port_range sport, dport;
	bool inv_sport, inv_dport;
};

struct icmp_match { /* icmp and icmp6 */
	u8 type, code_min, code_max;
	bool any; /* IPv4 --icmp-type any */
	bool inv;
};

enum { MULTIPORT_SLOTS = 15 };
enum multiport_side { MULTIPORT_SOURCE, MULTIPORT_DEST, MULTIPORT_EITHER };
struct multiport_match {
	u8 side; /* enum multiport_side */
	u8 nr;	 /* ranges; single ports have min == max */
	bool is_range[MULTIPORT_SLOTS];
	struct port_range ports[MULTIPORT_SLOTS];
	bool inv;
};

struct comment_match { char text[256]; };

struct mark_match { u32 value, mask; bool inv; };

struct owner_match {
	struct u32_range uid, gid;
	bool has_uid, has_gid, has_socket; /* socket: --socket-exists */
	bool inv_uid, inv_gid, inv_socket;
	bool suppl_groups;
};

struct length_match { struct port_range len; bool inv; };

enum ttl_op { TTL_EQ, TTL_NE, TTL_LT, TTL_GT };
struct ttl_match { u8 op; u8 value; bool given; }; /* hl and ttl */

struct frag_match { /* IPv6 only */
	struct u32_range id;
	u32 len;
	bool has_id, inv_id, has_len, inv_len, res, first, more, last;
};

struct iprange_match {
	u8 src_min[16], src_max[16], dst_min[16], dst_max[16]; /* network order */
	bool has_src, has_dst, inv_src, inv_dst;
};

struct mac_match { u8 addr[6]; bool inv; bool given; };

/* --set-xmark value/mask: mark = (mark & ~mask) ^ value; the other spellings are turned into it. */
struct mark_target { u32 value, mask; bool given; };

struct log_target { u8 level; char prefix[30]; bool tcp_sequence, tcp_options, ip_options, uid, macdecode; };

struct nflog_target { u16 group, threshold; u32 range, size; bool has_range, has_size, has_threshold; char prefix[64]; };

/* Read, checked and printed, but not run yet. */

enum ct_state { CT_INVALID = 1, CT_NEW = 2, CT_RELATED = 4, CT_ESTABLISHED = 8, CT_UNTRACKED = 16, CT_SNAT = 32, CT_DNAT = 64 };

struct state_match { u8 states; bool inv; };

enum ct_address { CT_ORIG_SRC, CT_ORIG_DST, CT_REPL_SRC, CT_REPL_DST, NR_CT_ADDRESSES };

struct conntrack_match {
	u8 states, status, proto, dir; /* dir: 1 original, 2 reply */
	bool has_states, inv_states, has_status, inv_status, has_proto, inv_proto, has_expire, inv_expire;
	struct u32_range expire;
	struct {
		u8 addr[16], mask[16];
		struct port_range ports;
		bool has_addr, inv_addr, has_ports, inv_ports;
	} tuple[NR_CT_ADDRESSES];
};

struct limit_match { u32 average, burst; }; /* average: 1/10000 s from packet to packet */

struct reject_target { u8 with; }; /* row of target_reject.c's table */

#endif
