/* What the parts of the parser share: one file's state, and one rule line's. */
#ifndef WEIR_RULES_PARSER_H
#define WEIR_RULES_PARSER_H

#include "rules/known.h"
#include "rules/lex.h"
#include "rules/match.h"
#include "rules/parse.h"
#include "rules/tree_edit.h"

struct parser {
	struct ruleset *set;
	const struct parse_opts *opts;
	struct diag *diag;
	struct str line; /* the line at hand, without its end */
	u32 line_no;
	struct words words; /* of that line */
	u32 *lines; /* grows; set->lines points here until the end */
	size_t cap_lines;
	struct table *table; /* between "*table" and COMMIT, else NULL */
	struct pos table_pos;
	bool stray_reported; /* a line outside of tables was reported since the last table */
	bool crlf_reported;
	bool junk_table; /* inside a table that doesn't exist: its lines are skipped */
	/* Rules whose target wasn't a chain yet when they were read. */
	struct rule **unresolved;
	size_t nr_unresolved, cap_unresolved;
};

struct pos parser_pos(const struct parser *p, u32 col, u32 width);
/* An error in the line at hand, at a word; w NULL: the whole line. Returns -err, -EINVAL mostly. */
int parser_fail(struct parser *p, const struct word *w, const char *fmt, ...) PRINTF_LIKE(3, 4);
int parser_fail_at(struct parser *p, struct pos pos, const char *fmt, ...) PRINTF_LIKE(3, 4);
void parser_warn(struct parser *p, const struct word *w, const char *fmt, ...) PRINTF_LIKE(3, 4);
void parser_warn_at(struct parser *p, struct pos pos, const char *fmt, ...) PRINTF_LIKE(3, 4);
int parser_nomem(struct parser *p);
/* "p:b]" behind '['; *end = what is behind ']'. */
bool parse_counters(struct str s, struct file_counters *out, struct str *end);
/* Why `name` can't be a chain's name, or NULL. */
const char *chain_name_error(struct str name);

struct net { /* an address and its mask */
	u8 addr[16], mask[16];
};

struct nets {
	struct net *at;
	size_t nr, cap;
};

/* "a/m,b/m,..." appended to out. 0; -EINVAL and what is wrong in *wrong (in the arena or static); -ENOMEM. */
int parse_nets(struct str s, enum family family, struct arena *arena, struct nets *out, const char **wrong);

enum command { /* what a rule line does */
	COMMAND_NONE, COMMAND_APPEND, COMMAND_INSERT, COMMAND_DELETE, COMMAND_DELETE_NUMBER, COMMAND_REPLACE, COMMAND_CHECK,
	COMMAND_NEW_CHAIN, COMMAND_DELETE_CHAIN, COMMAND_FLUSH, COMMAND_ZERO, COMMAND_POLICY, COMMAND_RENAME,
};

struct loaded { /* an extension that the line has loaded */
	struct extension ext;
	bool is_target;
	u64 seen; /* bit per row of ops->options */
	struct word at; /* its name, for messages */
	struct known_values values; /* of a known extension */
	struct raw_word *raw; /* of an unknown one; grows, copied to the arena at the end */
	size_t nr_raw, cap_raw;
};

struct option_word { /* an option as it stands in the line */
	const struct word *word;
	struct str name; /* without dashes */
	bool is_long;
	bool has_value; /* --name=value or -xvalue */
	struct str value;
};

struct rule_line {
	struct parser *p;
	struct rule *rule; /* not yet in a chain */
	size_t next;	   /* word */
	struct str cluster; /* letters left of "-abc" */
	const struct word *cluster_word;
	const struct word *bang; /* the `!` before the option at hand, or NULL */
	enum command command;
	const struct word *command_word;
	struct word chain_name, new_name, policy;
	u32 number; /* -I, -R, -D; 0: not given */
	u32 given;  /* bit per base option letter */
	struct word proto_word;
	bool proto_used; /* the protocol's match was loaded without -m */
	bool skip;	 /* -4 or -6 says that it is for the other family */
	struct address_option {
		bool given, inverted;
		struct word word, bang;
	} src_option, dst_option; /* read at the end of the line, which -4 or -6 may still skip */
	struct nets src, dst;
	struct loaded *loaded;
	size_t nr_loaded, cap_loaded;
	struct word to; /* target's name */
	bool has_to;
};

/* A line inside a table that is neither a chain line nor COMMIT. 0 also when it had errors, which are in the diag then;
 * -ENOMEM. */
int parse_rule_line(struct parser *p);

/* Takes the argument of an option: its value or the next word. NULL when there is none. With `!` in its place: see
 * parse_rule.c. */
int option_argument(struct rule_line *l, const struct option_word *o, bool invertible, const char *expects,
	struct word *out);
/* True when the next word can be an optional argument: neither an option nor `!`. */
bool optional_argument_follows(const struct rule_line *l);

struct base_option {
	char letter; /* '\0': no short form */
	const char *name, *alias;
	bool has_arg, invertible;
	int (*parse)(struct rule_line *l, const struct base_option *b, const struct word *option, const struct word *arg);
	u64 value; /* for parse */
};

/* What -s and -d said becomes nets. 0, -EINVAL (reported), -ENOMEM. */
int read_addresses(struct rule_line *l);

const struct base_option *base_option_by_letter(char letter);
const struct base_option *base_option_at(size_t i); /* NULL behind the last */

/* Loads `-m name` or a target. 0, -EINVAL (reported), -ENOMEM. */
int extension_load_match(struct rule_line *l, const struct word *name);
int extension_load_target(struct rule_line *l, const struct word *name);
/* Loads the match of the rule's protocol if that is still to be done. 1: loaded, 0: nothing to load, <0: error. */
int extension_load_protocol(struct rule_line *l);
/* Takes that back, when it didn't help; nothing was loaded since. */
void extension_unload_protocol(struct rule_line *l);

struct extension_option { /* a row of an option table of either kind */
	struct loaded *of;
	const struct option *option; /* of a runnable extension, or NULL */
	u32 index;
	struct known_option known;
	bool exact;
};

/* Finds a long option among what is loaded: the newest exact name, else abbreviations. Returns how many different options
 * the name may mean; *out is the first. */
u32 extension_find_option(struct rule_line *l, struct str name, struct extension_option *out);
int extension_set_option(struct rule_line *l, const struct extension_option *x, const struct option_word *o);
/* For lenient reading: an option that nobody has goes to the extension loaded last, if that isn't run here anyway. 1: kept,
 * 0: there is no such extension, -ENOMEM. */
int extension_keep_option(struct rule_line *l, const struct option_word *o);
/* Required options, checks, and moves all into the rule. */
int extension_finish(struct rule_line *l);

/* Does what the line says. */
int command_execute(struct rule_line *l);

/* Loops, what can reach what, and where the kernel allows an extension. Errors are in the diag; -ENOMEM. */
int table_check(struct parser *p, struct table *t);

/* FAMILY_NONE when the text doesn't tell. */
enum family family_guess(const char *file, struct str text, struct arena *arena);

#endif
