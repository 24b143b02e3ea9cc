/* What the commands on BPF objects share: opening, choosing programs, messages. */
#ifndef WEIR_CLI_OBJECT_CLI_H
#define WEIR_CLI_OBJECT_CLI_H

#include "cli/cli.h"
#include "weir/object.h"

/* Options that all these commands have: the first member of their own, so that OBJECT_OPTIONS fits each. */
struct object_cli {
	const char *prog; /* name or section; NULL: all, or the only one */
	enum weir_program_type type;
	u32 mem_bytes; /* that r1 of raw programs points to; 0: as the section says */
	const char *btf, *kconfig;
};

bool set_object_prog(void *opts, const char *arg);
bool set_object_type(void *opts, const char *arg);
bool set_object_mem_size(void *opts, const char *arg);
bool set_object_btf(void *opts, const char *arg);
bool set_object_kconfig(void *opts, const char *arg);

/* Rows of a struct cli_option table. */
#define OBJECT_PROG_OPTION(help_) {"prog", 'p', "NAME", help_, set_object_prog, "a name"}
#define OBJECT_MEM_OPTION \
	{"mem-size", 0, "BYTES", "type raw: what r1 points to, where the section isn't raw/BYTES", set_object_mem_size, \
		"a number from 1 to 536870912"}
#define OBJECT_OPTIONS \
	{"type", 0, "TYPE", "type of programs whose section doesn't say it", set_object_type, \
		"one of xdp, sched_cls (or tc), sched_act, socket_filter, cgroup_skb, netfilter, raw"}, \
		{"btf", 0, "FILE", "types of the kernel, for CO-RE (default: this machine's)", set_object_btf, ""}, \
		{"kconfig", 0, "FILE", "configuration of the kernel (default: this machine's)", set_object_kconfig, ""}

/* Prints the error as report() does; returns the exit code that fits it. */
int report_error(const char *file, const struct weir_error *error);
/* Opens and applies the options. EXIT_OK, or the code after a message. */
int open_object(const char *path, const struct object_cli *o, struct weir_object **object);
/* Index of the program that --prog names, or of the only one. -1 after a message. */
int choose_program(const struct weir_object *object, const char *path, const char *name);
/* A program that was refused may lack nothing but memory: says how it gets some. */
void explain_no_memory(const struct weir_object_program *p);
/* Whether a program is meant: no --prog means all. */
bool is_chosen(const struct weir_object *object, size_t i, const char *name);
/* Whether the file begins like an ELF file. */
bool is_elf_file(const char *path);

#endif
