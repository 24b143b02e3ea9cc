/* Program types: what r1 points to, which helpers may be called, which return values are allowed.
 * Verifier, rewriter and runner read the same tables. */
#ifndef WEIR_PROGTYPE_PROGTYPE_H
#define WEIR_PROGTYPE_PROGTYPE_H

#include "isa/prog.h"

enum ctx_field_kind {
	CTX_SCALAR,      /* a number */
	CTX_PACKET,      /* pointer to the first packet byte */
	CTX_PACKET_META, /* pointer to metadata before the packet */
	CTX_PACKET_END,  /* pointer behind the last packet byte */
	CTX_NF_STATE,    /* pointer to the kernel's struct nf_hook_state */
	CTX_NF_SKB,      /* pointer to its struct sk_buff: the frame itself */
};

enum ctx_field_flags {
	CTX_READ = 1 << 0,
	CTX_WRITE = 1 << 1,
	CTX_NARROW = 1 << 2, /* loads narrower than the field are allowed (little endian sub-ranges) */
	CTX_NARROW_WRITE = 1 << 3, /* stores too */
	CTX_LOW16 = 1 << 4, /* stores change the lower 16 bits, the upper ones stay zero */
	CTX_QUEUE = 1 << 5, /* likewise, and numbers from 0xffff on aren't stored at all */
	CTX_ABSENT = 1 << 6, /* the kernel's programs may read it, but weir hasn't what it points to */
};

/* One field as programs see it, and where it is in the structure that the runner really passes. A
 * field may stand for an array: loads of any size aligned to that size, inside [off, off + size).
 */
struct ctx_field {
	const char *name;
	u16 off, size;               /* as programs see it, bytes */
	u16 native_off, native_size; /* in the runner's structure; equal to off/size when no
					rewriting is needed */
	u8 kind;                     /* enum ctx_field_kind */
	u8 flags;                    /* enum ctx_field_flags */
	u8 attach;                   /* 0, or the only attach type whose programs have it */
};

/* How a type's rules differ by where its programs are attached: the kernel's enum bpf_attach_type. */
struct attach_rule {
	u32 type;
	s64 ret_min, ret_max;
};

struct prog_type_ops {
	enum prog_type type;
	const char *name; /* the kernel's or ours: "xdp", "raw", "packet" */
	const struct ctx_field *fields;
	u32 nr_fields;
	u32 ctx_bytes; /* size of the context as programs see it */
	s64 ret_min,
		ret_max; /* allowed return values as the kernel enforces them; min > max: any */
	const struct attach_rule *attach_rules; /* NULL: any attach type, all with ret_min and ret_max */
	u32 nr_attach_rules;
	bool (*helper_allowed)(u32 helper_id);
	bool packet_writable; /* stores through packet pointers are allowed */
	bool runs_on_frames; /* the context is struct weir_frame */
};

const struct prog_type_ops *prog_type_ops_of(enum prog_type type); /* NULL: not here */
/* By the kernel's or our name ("sched_cls"). */
enum prog_type prog_type_by_name(const char *name); /* PROG_TYPE_UNSPEC when unknown */
/* The field that covers an access of `size` bytes at `off` in programs for this attach type, or NULL with *why set to the
 * reason. */
const struct ctx_field *ctx_field_at(const struct prog_type_ops *t, u32 attach_type, s64 off, u32 size, bool write,
	const char **why);
/* The field that holds the byte at `off`, whatever may be done with it; NULL for padding and bytes behind the end. */
const struct ctx_field *ctx_field_of_byte(const struct prog_type_ops *t, s64 off);
/* The row for an attach type: NULL when the type has no rows, or none for this one. */
const struct attach_rule *attach_rule_of(const struct prog_type_ops *t, u32 attach_type);

#endif
