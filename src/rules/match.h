/* What a match or target extension is: one file and one row in matches.def or targets.def. */
#ifndef WEIR_RULES_MATCH_H
#define WEIR_RULES_MATCH_H

#include "rules/tree.h"

struct box;
struct buf;
struct emit;
struct eval;

enum family_mask { FAMILIES_V4 = 1, FAMILIES_V6 = 2, FAMILIES_BOTH = 3 };

/* What is wrong with a value, for messages: NULL = it is fine. */
typedef const char *option_error;

struct option_ctx { /* given to a custom option parser */
	enum family family;
	const struct rule *rule; /* as far as it is read: its -p may come later */
	bool invert;
	struct str value;  /* the option's argument; empty for flags */
	struct str value2; /* the second one of OPTION_TWO_ARGS */
	struct arena *arena; /* for messages and data */
	const char **warning; /* set when the value is right but surely not what was meant */
	bool *conflict;	      /* set when the error isn't about the value, see option_conflict */
};

enum option_kind {
	OPTION_FLAG,   /* no argument; sets a bool at offset */
	OPTION_U8, OPTION_U16, OPTION_U32, OPTION_U64, /* number at offset, min..max */
	OPTION_RANGE_U8, OPTION_RANGE_U16, OPTION_RANGE_U32, /* a:b, two numbers at offset; one number is both; open sides = min, max */
	OPTION_MASKED_U32, /* value[/mask], two u32 at offset */
	OPTION_TEXT,   /* NUL-terminated into `bytes` at offset */
	OPTION_CUSTOM, /* parse decides */
};

enum option_flags {
	OPTION_INVERT = 1 << 0,	  /* `!` allowed; sets the bool at invert_offset */
	OPTION_REQUIRED = 1 << 1, /* ip[6]tables insists on it */
	OPTION_TWO_ARGS = 1 << 2, /* OPTION_CUSTOM only, as the next */
	OPTION_NO_ARG = 1 << 3,
};

struct option {
	const char *name; /* without the dashes */
	const char *alias; /* second spelling, or NULL */
	enum option_kind kind;
	u32 flags;
	size_t offset, invert_offset; /* into the extension's data */
	size_t seen_offset; /* of a bool set when the option was given; 0 = none (offset 0 never is one) */
	u64 min, max;
	size_t bytes; /* OPTION_TEXT */
	option_error (*parse)(const struct option *o, const struct option_ctx *c, void *data); /* OPTION_CUSTOM */
	const char *expects; /* what a right value looks like, for messages: "a port or port:port" */
};

enum match_needs {
	NEEDS_UPPER = 1 << 0,	   /* the first bytes of the upper header: ports, ICMP type and code, TCP flags */
	NEEDS_TCP_OPTIONS = 1 << 1, /* which options a TCP header has */
	NEEDS_FRAGMENT = 1 << 2,   /* the first IPv6 fragment header */
	MATCHES_WHOLE = 1 << 3,	   /* never true for a fragment or a cut upper header of the rule's protocol */
	MAY_HOTDROP = 1 << 4,	   /* even with a whole upper header */
};

struct match_ops {
	const char *name;
	const char *const *aliases; /* NULL-terminated, or NULL */
	unsigned families;	    /* enum family_mask */
	size_t size;		    /* bytes of data, zeroed before parsing */
	const struct option *options;
	u32 nr_options;
	void (*init)(void *data, enum family family); /* defaults that aren't zero; may be NULL */
	/* What ip[6]tables or the kernel refuses at load for this rule; NULL = fine. May be NULL. */
	option_error (*check)(const void *data, const struct rule *r);
	/* " --dport 80" for save; the leading "-m name" is written by the caller. */
	void (*print)(struct buf *out, const void *data, enum family family);
	/* " tcp dpt:80" for listings. */
	void (*list)(struct buf *out, const void *data, enum family family);
	/* Plain C: does the packet match? Sets e->hotdrop to drop the packet at once. NULL: can't be run here. */
	bool (*eval)(const void *data, struct eval *e);
	/* BPF for the same: falls through when the packet matches, else jumps to emit_miss or emit_hotdrop. See emit.h. */
	void (*emit)(const void *data, struct emit *e);
	/* What emit relies on and may do; NULL: nothing. */
	unsigned (*needs)(const void *data); /* enum match_needs */
	/* Cuts away packets that can't match, for the classifier; NULL: none. */
	void (*narrow)(const void *data, struct box *box);
	u32 hooks; /* bit per hook where the kernel allows it; 0: everywhere */
	const char *why_not; /* when it can't be run: "it needs a flow table" */
	bool stateful; /* consumes a token: nothing may be reordered across it or merged with it */
};

struct target_ops {
	const char *name;
	const char *const *aliases;
	unsigned families;
	size_t size;
	const struct option *options;
	u32 nr_options;
	void (*init)(void *data, enum family family);
	option_error (*check)(const void *data, const struct rule *r);
	void (*print)(struct buf *out, const void *data, enum family family);
	void (*list)(struct buf *out, const void *data, enum family family);
	/* NULL: can't be run here. All targets so far continue with the next rule. */
	void (*eval)(const void *data, struct eval *e);
	void (*emit)(const void *data, struct emit *e);
	const char *table; /* the only one where the kernel allows it; NULL: all */
	const char *why_not;
};

const struct match_ops *match_ops_by_name(struct str name, enum family family); /* NULL: weir doesn't know it */
const struct target_ops *target_ops_by_name(struct str name, enum family family);
const struct match_ops *match_ops_at(size_t i); /* NULL behind the last */
const struct target_ops *target_ops_at(size_t i);

#endif
