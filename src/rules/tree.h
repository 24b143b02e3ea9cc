/* A rule set as it was read: tables, chains, rules. It keeps everything, also what weir can't run, so that it can be
 * printed back as ip[6]tables-save would. */
#ifndef WEIR_RULES_TREE_H
#define WEIR_RULES_TREE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/limits.h"
#include "base/text.h"

struct match_ops;
struct target_ops;
struct known_extension;
struct chain;
struct table;

enum family { FAMILY_NONE = 0, FAMILY_IPV4 = 4, FAMILY_IPV6 = 6 };

/* Hooks, numbered as in linux/netfilter.h. */
enum hook { HOOK_NONE = -1, HOOK_PREROUTING, HOOK_INPUT, HOOK_FORWARD, HOOK_OUTPUT, HOOK_POSTROUTING, NR_HOOKS };

enum verdict_kind { /* of a policy or of a rule's built-in target */
	TARGET_NONE = 0, /* the rule counts and the next one follows */
	TARGET_ACCEPT,
	TARGET_DROP,
	TARGET_QUEUE,
	TARGET_RETURN,
	TARGET_JUMP, /* -j to a user chain */
	TARGET_GOTO, /* -g */
	TARGET_EXT,  /* an extension: ops and data, or raw words when weir doesn't know it */
};

/* What `[p:b]` said, if it was there. */
struct file_counters {
	bool given;
	u64 packets, bytes;
};

struct raw_word {
	struct str text; /* after removing quotes */
	bool quoted;	 /* stood in quotes; printed in quotes again */
};

/* The words of an extension that doesn't run here, kept to be printed back. */
struct raw_words {
	struct raw_word *words;
	u32 nr;
};

/* A loaded match (-m) or target (-j) extension. */
struct extension {
	const char *name; /* as written, canonical when known */
	const struct match_ops *match; /* NULL: a target, or not known */
	const struct target_ops *target;
	void *data;	     /* ops->size bytes, NULL when not known */
	const struct known_extension *known; /* iptables has it, weir doesn't run it; NULL when run, or unknown to both */
	struct raw_words raw; /* when not run here */
	struct pos pos;
};

enum rule_invert { /* `!` on a base option */
	INV_SRC = 1 << 0, INV_DST = 1 << 1, INV_IN = 1 << 2, INV_OUT = 1 << 3, INV_PROTO = 1 << 4, INV_FRAG = 1 << 5,
};

struct rule {
	struct chain *chain;
	u32 number; /* 1-based in its chain */
	u32 counter; /* index of its counter in the whole rule set */
	bool dead; /* no packet comes here: a rule before it in the chain asks nothing and has a verdict */
	struct pos pos;
	struct file_counters file_counters;
	/* base match; addresses in network order, first 4 bytes for IPv4; host bits cleared as far as the mask goes */
	u8 src[16], src_mask[16], dst[16], dst_mask[16];
	char in_iface[IFACE_NAME_BYTES], in_mask[IFACE_NAME_BYTES]; /* mask bytes 0xff or 0, NUL included unless '+' */
	char out_iface[IFACE_NAME_BYTES], out_mask[IFACE_NAME_BYTES];
	u16 proto;
	bool has_proto; /* -p was given (also -p all) */
	bool fragment;	/* IPv4 -f */
	u8 invert;	/* enum rule_invert */
	struct extension *matches; /* in written order */
	u32 nr_matches;
	enum verdict_kind target;
	struct chain *to;	  /* TARGET_JUMP, TARGET_GOTO */
	struct extension ext;	  /* TARGET_EXT */
	struct str to_name;	  /* as written */
	struct pos target_pos;
	struct rule *next;
};

struct chain {
	struct table *table;
	char name[RULES_CHAIN_NAME_MAX + 1];
	enum hook hook;		    /* HOOK_NONE: a user chain */
	enum verdict_kind policy;   /* built-in: TARGET_ACCEPT or TARGET_DROP */
	u32 policy_counter;	    /* built-in: index of the policy's counter */
	struct file_counters file_counters;
	struct rule *rules, *last;
	u32 nr_rules;
	u32 nr_refs; /* rules that jump or go here */
	u32 index;   /* among all chains of the set */
	u32 jump_depth; /* jumps that packets can have open at once from here on */
	u32 hooks;   /* bit (1 << hook) for each built-in chain that packets can come from to here */
	struct pos pos;
	struct chain *next;
	struct chain *hash_next; /* tree_edit.c */
};

struct table {
	struct ruleset *set;
	const char *name; /* "filter", "mangle", "nat", "raw", "security" */
	struct chain *chains; /* in the order ip[6]tables-save prints them: built-in by hook, then user chains by name */
	u32 nr_chains;
	struct chain **buckets; /* hash of all chains by name; nr_buckets is a power of two, 0 = no hash yet */
	u32 nr_buckets;
	struct table *next;
};

struct ruleset {
	struct arena arena; /* everything below lives here */
	const char *file;   /* name for messages */
	struct str text;    /* the whole file, for source lines in messages; borrowed or in the arena */
	const u32 *lines;   /* offset in text of each line */
	u32 nr_lines;
	enum family family;
	struct table *tables; /* in file order */
	u32 nr_tables;
	u32 nr_chains;   /* of all tables */
	u32 nr_counters; /* rules and policies of all tables */
	u32 nr_rules;
	u32 jump_depth; /* jumps that a packet can have open at once */
};

struct table *ruleset_table(const struct ruleset *set, const char *name);
struct chain *table_chain(const struct table *t, struct str name);
/* The source line of a position, without its line end. */
struct str ruleset_line(const struct ruleset *set, struct pos pos);

#endif
