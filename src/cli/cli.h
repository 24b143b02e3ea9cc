/* What the subcommands share. Only this folder prints. */
#ifndef WEIR_CLI_CLI_H
#define WEIR_CLI_CLI_H

#include <stdio.h>

#include "base/buf.h"
#include "base/diag.h"
#include "rules/tree.h"

/* Exit codes; documented in the man page. */
enum exit_code {
	EXIT_OK = 0,
	EXIT_REFUSED = 1,    /* the rules, object or program are wrong or can't be run here */
	EXIT_USAGE = 2,      /* the command line is wrong */
	EXIT_INCOMPLETE = 3, /* the capture is broken: what was read until then has been printed */
	EXIT_SYSTEM = 4,     /* a file can't be read or written, or memory ran out */
};

/* One option of a subcommand. */
struct cli_option {
	const char *name; /* long name without dashes */
	char letter;      /* 0: none */
	const char *arg;  /* name of its argument, NULL: none; ends with "..." when the option may be given again */
	const char *help;
	/* Stores it; false when the argument (without one: the option, here) isn't what `expects`
	 * says. */
	bool (*set)(void *opts, const char *arg);
	const char *expects;
};

struct subcommand {
	const char *name;
	const char *summary;
	const char *usage;    /* behind "weir NAME " */
	const char *examples; /* taught by --help */
	const struct cli_option *options;
	size_t nr_options;
	u32 min_args, max_args; /* positional */
	size_t opts_bytes;
	int (*run)(void *opts, char **args, u32 nr_args);
};

extern const struct subcommand cmd_filter, cmd_check, cmd_dump, cmd_run, cmd_verify, cmd_inspect, cmd_map, cmd_bench;

/* Prints all messages of d to stderr, as file:line:col: error: ... with the source line and a
 * caret. */
void report(const struct diag *d);
/* One line "weir: text" on stderr. */
void complain(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* Says so; EXIT_SYSTEM. */
int out_of_memory(void);
/* Which exit code an error of the rules' side (negative errno) has. */
int exit_code_of(int err);

/* A whole file, or standard input for "-", of at most `max` bytes. 0 or -errno with the reason in
 * d. */
int read_file(const char *path, size_t max, struct buf *out, struct diag *d);
/* What was found out about some of the programs is no result when memory ran out (err -ENOMEM) for another: nothing is
 * printed then. */
void drop_result(struct buf *out, int err);
/* Writes the buffer; EXIT_OK, or EXIT_SYSTEM with a message. */
int write_out(FILE *to, struct buf *b);
/* The text in place of what the file has, all of it or nothing; EXIT_OK, or EXIT_SYSTEM with a message. */
int replace_file(const char *path, struct buf *text);

/* -4 or -6: false when the other one was given before. */
bool choose_family(enum family *to, enum family family);
/* Reads and parses a rule set. `text` and `path` must outlive it. */
int load_rules(const char *path, enum family family, bool lenient, struct buf *text,
	struct ruleset **out, struct diag *d);
/* A JSON string with its quotes. */
void buf_json_string(struct buf *b, const char *s, size_t len);

#endif
