/* What matches and targets write BPF with.
 *
 * A program keeps three registers all the time:
 *   r6  struct weir_packet
 *   r7  the IP header; its fixed part (20 or 40 bytes) is there
 *   r9  this CPU's counters and scratch memory, see counters.h
 * r0 ... r5 are free inside one match or target. The scratch memory holds the "upper word": what
 * rules ask about the upper protocol, bits of enum upper_bit. It isn't in a register, for a
 * verifier would remember there which bits were tested and look at all that follows again for each
 * combination of them; memory makes it forget.
 *
 * There are three kinds of code for a rule. EMIT_WHOLE is for packets whose headers parse, which
 * are no later fragments and whose upper header is complete: nothing in it need ask for that, so
 * tests can stand in any order. EMIT_ODD is for all others, and EMIT_ANY for both: these ask
 * everything in the kernel's order. */
#ifndef WEIR_RULES_EMIT_H
#define WEIR_RULES_EMIT_H

#include "isa/builder.h"
#include "rules/tree.h"

enum { REG_CTX = BPF_REG_6, REG_PACKET = BPF_REG_7, REG_COUNTERS = BPF_REG_9 };

enum emit_mode { EMIT_WHOLE, EMIT_ODD, EMIT_ANY, NR_EMIT_MODES };

/* Bits of the upper word. Bit 0 ... 15: the protocol's class, exactly one is set unless the chain
 * is broken. */
enum upper_bit {
	UPPER_OTHER = 1 << 0, /* a protocol that has no class of its own */
	UPPER_CLASSES = 0xffff,
	UPPER_LATER = 1 << 16,   /* fragment with an offset */
	UPPER_SECOND = 1 << 17,  /* IPv4 fragment at offset 1 (8 bytes) */
	UPPER_UNDER_4 = 1 << 18, /* fewer bytes of the upper header are there */
	UPPER_UNDER_8 = 1 << 19,
	UPPER_UNDER_20 = 1 << 20,
	UPPER_BROKEN = 1 << 21, /* IPv6: the header chain can't be parsed */
	UPPER_ODD = 1 << 22,    /* not for EMIT_WHOLE */
};
/* Bytes of the upper word: TCP flags, or the protocol's number when it isn't TCP; then the first 4
 * bytes of the upper header as they stand in the packet. */
enum upper_byte {
	UPPER_FLAGS_BYTE = 3,
	UPPER_SPORT_BYTE = 4,
	UPPER_DPORT_BYTE = 6,
	UPPER_TYPE_BYTE = 4,
	UPPER_CODE_BYTE = 5
};
enum { NR_UPPER_CLASSES = 16 };

/* A label that knows whether anything jumps to it, so that no unreachable code is written behind
 * it. */
struct spot {
	label_t label;
	bool used;
};

struct atom;

struct emit {
	struct builder *b;
	enum family family;
	enum emit_mode mode;
	const u8 *class_of; /* protocol number to bit number of its class; 0: UPPER_OTHER */
	const struct rule *rule;
	struct spot *miss, *hotdrop;
	/* What is true of every packet here, so that the base match needn't test it again; NULL, 0:
	 * nothing. */
	const struct atom *known;
	u32 known_bits;            /* of the upper word: one of them is set */
	bool src_holds, dst_holds; /* the rule's test of that address */
};

label_t emit_miss(struct emit *e);
label_t emit_hotdrop(struct emit *e);
struct spot emit_spot(struct emit *e);
label_t spot_use(struct spot *s);
void emit_bind(struct emit *e, const struct spot *s);

/* Where a value to compare is. */
enum atom_base { ATOM_PACKET, ATOM_CTX, ATOM_UPPER };

/* (value & mask) == want, over `size` bytes at `off` as a little-endian number; ATOM_UPPER: of the
 * upper word. */
struct atom {
	u8 base; /* enum atom_base */
	u8 size; /* 1, 2, 4, 8 */
	s16 off;
	u64 mask, want;
};

/* Masked comparison of up to 16 bytes at `off` as atoms, one for each 8 bytes whose mask isn't
 * zero, each as narrow as its mask. Returns how many (up to 2). */
u32 atoms_of_bytes(enum atom_base base, s16 off, const u8 *want, const u8 *mask, u32 bytes,
	struct atom out[2]);

/* The masked value into `reg`, and a jump that depends on whether it is what is wanted. Both may
 * use r5. */
void emit_atom_load(struct emit *e, const struct atom *a, u8 reg);
void emit_atom_jump(struct emit *e, const struct atom *a, u8 reg, bool when_equal, label_t to);
/* Misses unless all atoms hold; with `invert`, unless one doesn't. Uses r0, r1, r5. */
void emit_atoms(struct emit *e, const struct atom *atoms, u32 nr, bool invert);

/* Goes to `to` when one of the upper word's bits is set. Uses r0. */
void emit_upper_jump(struct emit *e, u32 bits, label_t to);
/* A number of `size` bytes in network order (packet, upper word) or host order (context) into reg.
 */
void emit_be_load(struct emit *e, enum atom_base base, u8 size, s16 off, u8 reg);
void emit_ctx_load(struct emit *e, u8 size, size_t off, u8 reg);
/* Misses unless min <= reg <= max (32-bit), or the other way round with `invert`. max_value: what
 * reg can't exceed. */
void emit_range(struct emit *e, u8 reg, u32 min, u32 max, u32 max_value, bool invert);
/* Misses whenever this is reached; what follows is dead but not unreachable code. */
void emit_never(struct emit *e);
/* Misses for later fragments, drops packets without `bytes` (4, 8, 20) of upper header; nothing in
 * EMIT_WHOLE. */
void emit_whole_upper(struct emit *e, u32 bytes);
/* A logging target's event: the number of e->rule's counter, for the runner. Uses r0, r1. */
void emit_log(struct emit *e);

/* The base match of e->rule, in the kernel's order. */
void emit_base(struct emit *e);
/* Atoms of one side's address, none when inverted tests aside anything matches. */
u32 rule_src_atoms(const struct rule *r, enum family family, struct atom out[2]);
u32 rule_dst_atoms(const struct rule *r, enum family family, struct atom out[2]);
u32 rule_in_atoms(const struct rule *r, struct atom out[2]);
u32 rule_out_atoms(const struct rule *r, struct atom out[2]);
/* The upper word's bits that tell that the packet may be of the rule's protocol or must be dropped
 * by its -p; 0: no -p. */
u32 rule_proto_bits(const struct emit *e, const struct rule *r);

#endif
