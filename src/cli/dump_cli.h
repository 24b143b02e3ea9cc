/* weir dump: its options, shared by the files that carry it out. */
#ifndef WEIR_CLI_DUMP_CLI_H
#define WEIR_CLI_DUMP_CLI_H

#include "cli/object_cli.h"
#include "jit/jit.h"

struct prog;

struct dump_cli {
	struct object_cli object;
	const char *stage, *table, *passes, *skip_passes, *added_passes;
	enum hook hook;
	bool hook_given, lenient, no_classifier, skip_unsupported;
	enum family family;
	enum percpu_base percpu;
};

/* Whether the stage is one of a program, not of a whole file. */
bool is_program_stage(const char *name);
/* Prints the program at c->stage; it may be used up by that. */
int dump_program(const struct dump_cli *c, struct prog *p, struct buf *out, struct diag *d);
/* A rule set, a BPF object: the exit code, after messages. */
int dump_rules(const struct dump_cli *c, const char *path, struct buf *out);
int dump_object(const struct dump_cli *c, const char *path, struct buf *out);

#endif
