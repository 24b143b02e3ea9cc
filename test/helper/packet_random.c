#include "packet_random.h"

#include <string.h>

#include "base/bytes.h"
#include "helper/helper.h"

static u64 state;
/* How much longer at the start the packet may be than it was. Once the kernel makes more headroom than a test run gives, it
 * takes an unknown transport header for one that is there, and skb_change_tail goes by it. */
static u32 grown;
enum { HEADROOM = 64, GROWS_LITTLE = 20 };

static u64 draw(void)
{
	u64 z = state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static u32 below(u32 n)
{
	return (u32)(draw() % n);
}

static bool one_in(u32 n)
{
	return below(n) == 0;
}

/* Programs. r6: context, r7: what has been seen so far, the lower STACK_BYTES of the stack for helpers. */

enum { STACK_BYTES = 64, CALLS_MOST = 6 };

static void put(struct random_case *c, struct insn i)
{
	assert(c->nr < RANDOM_INSNS);
	c->insns[c->nr++] = i;
}

static void put_mov(struct random_case *c, u8 dst, u64 value)
{
	put(c, (struct insn){
		       .code = BPF_LD | BPF_IMM | BPF_DW, .dst = dst & 0xfu, .imm = (s32)value});
	put(c, (struct insn){.imm = (s32)(value >> 32)});
}

static void put_alu(struct random_case *c, u8 op, u8 dst, u8 src)
{
	put(c, (struct insn){
		       .code = (u8)(BPF_ALU64 | op | BPF_X), .dst = dst & 0xfu, .src = src & 0xfu});
}

static void put_alu_imm(struct random_case *c, u8 op, u8 dst, s32 imm)
{
	put(c, (struct insn){.code = (u8)(BPF_ALU64 | op | BPF_K), .dst = dst & 0xfu, .imm = imm});
}

/* r7 remembers the register. */
static void put_see(struct random_case *c, u8 reg)
{
	put_alu_imm(c, BPF_MUL, 7, 0x1e3779b1);
	put_alu(c, BPF_ADD, 7, reg);
}

static void put_see_memory(struct random_case *c, u8 size, u8 base, s16 off)
{
	put(c, (struct insn){.code = (u8)(BPF_LDX | BPF_MEM | size),
		       .dst = 8,
		       .src = base & 0xfu,
		       .off = off});
	put_see(c, 8);
}

static void put_see_fields(struct random_case *c)
{
	/* len, pkt_type, mark, queue_mapping, protocol, vlan_present, vlan_tci, vlan_proto, priority, tc_index, cb, hash, gso_segs,
	 * gso_size */
	static const u8 fields[] = {0, 4, 8, 12, 16, 20, 24, 28, 32, 44, 48, 68, 164, 176};

	if (c->type == PROG_TYPE_XDP)
		return;
	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		put_see_memory(c, BPF_W, 6, fields[i]);
	if (c->type == PROG_TYPE_SCHED_CLS)
		put_see_memory(c, BPF_B, 6, 180); /* tstamp_type */
}

static void put_see_stack(struct random_case *c)
{
	for (s16 off = -STACK_BYTES; off < 0; off += 8)
		put_see_memory(c, BPF_DW, BPF_REG_FP, off);
}

/* A byte of the packet, by its pointers. */
static void put_see_packet(struct random_case *c)
{
	s16 at = (s16)below(80);
	s16 end = c->type == PROG_TYPE_XDP ? 4 : 80, data = c->type == PROG_TYPE_XDP ? 0 : 76;

	if (c->type == PROG_TYPE_SOCKET_FILTER)
		return;
	put(c, (struct insn){.code = BPF_LDX | BPF_MEM | BPF_W, .dst = 8, .src = 6, .off = data});
	put(c, (struct insn){.code = BPF_LDX | BPF_MEM | BPF_W, .dst = 9, .src = 6, .off = end});
	put_alu(c, BPF_MOV, 2, 8);
	put_alu_imm(c, BPF_ADD, 2, at + 1);
	put(c, (struct insn){.code = BPF_JMP | BPF_JGT | BPF_X, .dst = 2, .src = 9, .off = 3});
	put_see_memory(c, BPF_B, 8, at);
}

enum {
	FILTER = 1 << 0,
	TC = 1 << 1,
	XDP = 1 << 2,
	CGROUP = 1 << 3,
	SKB = FILTER | TC | CGROUP,
};

/* What to pass for an argument. */
enum arg {
	NONE,
	CTX,
	ANY,   /* anything */
	OFF,   /* an offset into the packet, or nearly */
	STACK, /* memory, of the size behind it */
	STACK_OR_NULL,
	SIZE,
	SIZE_OR_ZERO,
	SMALL, /* -70 ... 70, or anything */
	FLAGS, /* bits of the row's flags, seldom another */
	CSUM_FLAGS,
	NUMBER,      /* 0 ... 4 */
	PROTO,       /* a protocol number, network order */
	NETWORK_LEN, /* a length near the packet's */
	ROOM_FLAGS,
	ROOM_DIFF,
	IFINDEX, /* 0, the loopback device's 1, or none */
	MTU,     /* a pointer to 4 bytes */
};

struct row {
	u32 id;
	u32 types;
	u8 args[5];
	u64 flags;
};

static const struct row rows[] = {
	{HELPER_skb_store_bytes, TC, {CTX, OFF, STACK, SIZE, FLAGS}, 3},
	{HELPER_l3_csum_replace, TC, {CTX, OFF, ANY, ANY, CSUM_FLAGS}, 0},
	{HELPER_l4_csum_replace, TC, {CTX, OFF, ANY, ANY, CSUM_FLAGS}, 0xf0},
	{HELPER_skb_vlan_push, TC, {CTX, PROTO, ANY}, 0},
	{HELPER_skb_vlan_push, TC, {CTX, PROTO, ANY}, 0},
	{HELPER_skb_vlan_pop, TC, {CTX}, 0},
	{HELPER_redirect, TC | XDP, {ANY, FLAGS}, 1},
	{HELPER_redirect_peer, TC, {ANY, FLAGS}, 0},
	{HELPER_redirect_neigh, TC, {ANY, STACK_OR_NULL, SIZE_OR_ZERO, FLAGS}, 0},
	{HELPER_skb_load_bytes, SKB, {CTX, OFF, STACK, SIZE}, 0},
	{HELPER_skb_load_bytes_relative, SKB, {CTX, OFF, STACK, SIZE, NUMBER}, 0},
	{HELPER_skb_change_proto, TC, {CTX, PROTO, FLAGS}, 0},
	{HELPER_skb_change_type, TC, {CTX, NUMBER}, 0},
	{HELPER_skb_change_tail, TC, {CTX, NETWORK_LEN, FLAGS}, 0},
	{HELPER_skb_pull_data, TC, {CTX, NETWORK_LEN}, 0},
	{HELPER_csum_update, TC, {CTX, ANY}, 0},
	{HELPER_set_hash_invalid, TC, {CTX}, 0},
	{HELPER_set_hash, TC, {CTX, ANY}, 0},
	{HELPER_skb_change_head, TC, {CTX, SMALL, FLAGS}, 0},
	{HELPER_skb_adjust_room, TC, {CTX, ROOM_DIFF, NUMBER, ROOM_FLAGS}, 0},
	{HELPER_skb_adjust_room, TC, {CTX, ROOM_DIFF, NUMBER, ROOM_FLAGS}, 0},
	{HELPER_skb_adjust_room, TC, {CTX, ROOM_DIFF, NUMBER, ROOM_FLAGS}, 0},
	{HELPER_get_socket_uid, SKB, {CTX}, 0},
	{HELPER_skb_ecn_set_ce, TC | CGROUP, {CTX}, 0},
	{HELPER_csum_level, TC, {CTX, NUMBER}, 0},
	{HELPER_skb_set_tstamp, TC, {CTX, ANY, NUMBER}, 0},
	{HELPER_check_mtu, TC | XDP, {CTX, IFINDEX, MTU, SMALL, FLAGS}, 1},
	{HELPER_xdp_adjust_head, XDP, {CTX, SMALL}, 0},
	{HELPER_xdp_adjust_meta, XDP, {CTX, SMALL}, 0},
	{HELPER_xdp_adjust_tail, XDP, {CTX, SMALL}, 0},
	{HELPER_xdp_get_buff_len, XDP, {CTX}, 0},
	{HELPER_xdp_load_bytes, XDP, {CTX, OFF, STACK, SIZE}, 0},
	{HELPER_xdp_store_bytes, XDP, {CTX, OFF, STACK, SIZE}, 0},
};

static u64 any_number(void)
{
	static const u64 corners[] = {
		0, 1, UINT16_MAX, UINT32_MAX, INT32_MAX, (u64)INT64_MIN, UINT64_MAX, 0x80000000u};

	switch (below(4)) {
	case 0:
		return corners[below(ARRAY_LEN(corners))];
	case 1:
		return below(1 << 16);
	default:
		return draw();
	}
}

static u64 near_len(const struct random_case *c)
{
	u64 len = c->len + below(40);

	return one_in(10) ? any_number() : len - below(60);
}

static u64 room_flags(void)
{
	static const u64 useful[] = {0, 1, 2, 4, 2 | 16, 4 | 8, 2 | 16 | 64 | 14ull << 56,
		4 | 8 | 4ull << 56, 32, 128, 256, 128 | 32};

	return one_in(3) ? draw() & 0x1ff
			 : useful[below(ARRAY_LEN(useful))] | (one_in(20) ? draw() : 0);
}

static u64 room_diff(void)
{
	static const s64 useful[] = {20, 40, -20, -40, 8, -8, 28, 50, 4, -4, 0, 4095, 4096, -4096};
	s64 diff = one_in(3) ? (s64)below(200) - 100 : useful[below(ARRAY_LEN(useful))];

	grown += diff > 0 ? (u32)diff : 0;
	return (u64)diff;
}

static u64 small_number(void)
{
	u64 n = one_in(12) ? any_number() : (u64)((s64)below(140) - 70);

	grown += (s32)n > 0 && (u32)n < 1 << 16 ? (u32)n : GROWS_LITTLE;
	return n;
}

static u64 number_for(const struct random_case *c, const struct row *row, u8 arg)
{
	static const u16 protocols[] = {0x0008, 0xdd86, 0x0081, 0xa888, 0x0608, 0};
	static const u8 csum_sizes[] = {0, 2, 4, 2, 4, 3};

	switch ((enum arg)arg) {
	case OFF:
		return one_in(8) ? any_number() : one_in(4) ? near_len(c) : below(c->len + 4);
	case SMALL:
		return small_number();
	case FLAGS:
		return one_in(12) ? draw() : draw() & row->flags;
	case CSUM_FLAGS:
		return csum_sizes[below(ARRAY_LEN(csum_sizes))] |
		       (one_in(20) ? draw() : draw() & row->flags);
	case IFINDEX:
		return one_in(4) ? 77 : below(2);
	case NUMBER:
		return one_in(20) ? any_number() : below(5);
	case PROTO:
		return one_in(12) ? any_number() : protocols[below(ARRAY_LEN(protocols))];
	case NETWORK_LEN:
		return near_len(c);
	case ROOM_FLAGS:
		return room_flags();
	case ROOM_DIFF:
		return room_diff();
	case ANY:
	case NONE:
	case MTU:
	case CTX:
	case STACK:
	case STACK_OR_NULL:
	case SIZE:
	case SIZE_OR_ZERO:
		break;
	}
	return any_number();
}

/* Arguments of memory and its size belong together. */
static void put_args(struct random_case *c, const struct row *row)
{
	u32 size = below(STACK_BYTES) + 1;
	bool null = one_in(3);

	for (u8 i = 0; i < 5 && row->args[i] != NONE; i++) {
		u8 reg = (u8)(i + 1);

		switch (row->args[i]) {
		case CTX:
			put_alu(c, BPF_MOV, reg, 6);
			break;
		case STACK_OR_NULL:
		case STACK:
			if (row->args[i] == STACK_OR_NULL && null) {
				put_mov(c, reg, 0);
				break;
			}
			put_alu(c, BPF_MOV, reg, BPF_REG_FP);
			put_alu_imm(c, BPF_ADD, reg, -(s32)size);
			break;
		case MTU:
			put_alu(c, BPF_MOV, reg, BPF_REG_FP);
			put_alu_imm(c, BPF_ADD, reg, -8);
			put(c, (struct insn){.code = BPF_ST | BPF_MEM | BPF_W,
				       .dst = BPF_REG_FP,
				       .off = -8,
				       .imm = one_in(3) ? 0 : (s32)below(70000)});
			break;
		case SIZE:
			put_mov(c, reg, size);
			break;
		case SIZE_OR_ZERO:
			put_mov(c, reg, null ? 0 : size);
			break;
		default:
			put_mov(c, reg, number_for(c, row, row->args[i]));
		}
	}
}

static u32 type_bit(enum prog_type type)
{
	switch (type) {
	case PROG_TYPE_SOCKET_FILTER:
		return FILTER;
	case PROG_TYPE_XDP:
		return XDP;
	case PROG_TYPE_CGROUP_SKB:
		return CGROUP;
	default:
		return TC;
	}
}

static void put_call(struct random_case *c, u32 id)
{
	put(c, (struct insn){.code = BPF_JMP | BPF_CALL, .imm = (s32)id});
	put_see(c, 0);
}

static bool may_call(u32 id)
{
	if (id == HELPER_skb_vlan_push || id == HELPER_skb_change_proto)
		grown += GROWS_LITTLE;
	return id != HELPER_skb_change_tail || grown < HEADROOM;
}

/* Offsets: into the packet or nearly, from the headers, anywhere. */
static s32 legacy_off(const struct random_case *c)
{
	static const s32 starts[] = {0, 0, 0, -0x100000, -0x200000};

	return one_in(8) ? (s32)any_number()
			 : starts[below(ARRAY_LEN(starts))] + (s32)below(c->len + 4);
}

static void put_legacy_load(struct random_case *c)
{
	static const u8 sizes[] = {BPF_B, BPF_H, BPF_W};
	u8 size = sizes[below(ARRAY_LEN(sizes))];

	if (!(type_bit(c->type) & (FILTER | TC)))
		return;
	if (one_in(2)) {
		put(c, (struct insn){.code = BPF_LD | BPF_ABS | size, .imm = legacy_off(c)});
	} else {
		u8 src = (u8)(one_in(2) ? 8 : below(6));
		s32 off = legacy_off(c), imm = one_in(2) ? (s32)below(30) - 10 : legacy_off(c);

		put_mov(c, src, one_in(6) ? any_number() : (u64)((s64)off - imm));
		put(c, (struct insn){
			       .code = BPF_LD | BPF_IND | size, .src = src & 0xfu, .imm = imm});
	}
	put_see(c, 0);
}

static void put_random_call(struct random_case *c)
{
	const struct row *row;

	do
		row = &rows[below(ARRAY_LEN(rows))];
	while (!(row->types & type_bit(c->type)) || !may_call(row->id));
	put_args(c, row);
	put_call(c, row->id);
	if (row->id == HELPER_set_hash && one_in(2)) {
		put_alu(c, BPF_MOV, 1, 6);
		put_call(c, HELPER_get_hash_recalc);
	}
	put_see_fields(c);
	put_see_stack(c);
	put_see_packet(c);
	if (one_in(3))
		put_legacy_load(c);
}

/* What was seen becomes the result or goes into cb. */
static void put_end(struct random_case *c)
{
	put_alu(c, BPF_MOV, 0, 7);
	put_alu_imm(c, BPF_RSH, 7, 32);
	if (c->type == PROG_TYPE_XDP) {
		put_alu(c, BPF_XOR, 0, 7);
	} else {
		put(c, (struct insn){
			       .code = BPF_STX | BPF_MEM | BPF_W, .dst = 6, .src = 0, .off = 48});
		put(c, (struct insn){
			       .code = BPF_STX | BPF_MEM | BPF_W, .dst = 6, .src = 7, .off = 52});
	}
	if (c->type == PROG_TYPE_CGROUP_SKB)
		put_alu_imm(c, BPF_AND, 0, 1);
	put(c, (struct insn){.code = BPF_JMP | BPF_EXIT});
}

static void make_program(struct random_case *c)
{
	c->nr = 0;
	grown = 0;
	put_alu(c, BPF_MOV, 6, 1);
	put_mov(c, 7, 0);
	for (s16 off = -STACK_BYTES; off < 0; off += 8)
		put(c, (struct insn){.code = BPF_ST | BPF_MEM | BPF_DW,
			       .dst = BPF_REG_FP,
			       .off = off,
			       .imm = (s32)draw()});
	for (u32 n = below(CALLS_MOST) + 1; n--;)
		put_random_call(c);
	put_end(c);
}

/* Packets. */

static u32 put_link(u8 *p)
{
	static const u16 types[] = {0x0800, 0x86dd, 0x0800, 0x86dd, 0x0806, 0x0040};
	u32 at = 12;

	for (u32 i = 0; i < 12; i++)
		p[i] = (u8)draw();
	if (one_in(3))
		memset(p, one_in(2) ? 0xff : 0, 6);
	while (one_in(3) && at < 32) {
		store_be16(p + at, one_in(4) ? 0x88a8 : 0x8100);
		store_be16(p + at + 2, (u16)draw());
		at += 4;
	}
	store_be16(p + at, types[below(ARRAY_LEN(types))]);
	return at + 2;
}

static void make_packet(struct random_case *c, u32 meta)
{
	u8 *p = c->bytes;

	for (u32 i = 0; i < meta; i++)
		p[i] = (u8)draw();
	u32 at = meta + put_link(p + meta);
	for (u32 i = at; i < RANDOM_PACKET_BYTES; i++)
		p[i] = one_in(3) ? 0 : one_in(8) ? 0xff : (u8)draw();
	if (load_be16(p + at - 2) == 0x0800)
		p[at] = 0x45;
	else
		p[at] = 0x60;
	c->len = one_in(4)    ? meta + 14 + below(30)
		 : one_in(10) ? meta + 1500
			      : at + 20 + below(100);
	if (one_in(50))
		c->len = meta + below(20);
}

static void make_ctx(struct random_case *c, u32 meta)
{
	memset(c->ctx, 0, sizeof(c->ctx));
	if (c->type == PROG_TYPE_XDP) {
		c->ctx_bytes = RANDOM_XDP_BYTES;
		store_le32(c->ctx, meta);
		store_le32(c->ctx + 4, c->len);
		return;
	}
	c->ctx_bytes = RANDOM_SKB_BYTES;
	store_le32(c->ctx + 8, (u32)draw());
	store_le32(c->ctx + 32, (u32)draw());
	for (u32 at = 48; at < 68; at += 4)
		store_le32(c->ctx + at, (u32)draw());
	store_le64(c->ctx + 152, draw());
	store_le64(c->ctx + 184, draw());
	if (one_in(4))
		store_le32(c->ctx + 160, c->len + below(1000));
	if (one_in(4))
		store_le32(c->ctx + 164, below(100));
	if (one_in(8))
		store_le32(c->ctx + 176, below(1000));
}

void random_case_make(struct random_case *c, u64 seed)
{
	static const enum prog_type types[] = {PROG_TYPE_SCHED_CLS, PROG_TYPE_SCHED_CLS,
		PROG_TYPE_SCHED_ACT, PROG_TYPE_XDP, PROG_TYPE_SOCKET_FILTER, PROG_TYPE_CGROUP_SKB};

	state = seed * 0x2545f4914f6cdd1du;
	c->type = types[below(ARRAY_LEN(types))];
	c->attach_type = 0;
	u32 meta = c->type == PROG_TYPE_XDP && one_in(2) ? below(16) * 4 : 0;
	make_packet(c, meta);
	make_ctx(c, meta);
	make_program(c);
}
