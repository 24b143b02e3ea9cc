/* weir run: its options, shared by the files that carry it out. */
#ifndef WEIR_CLI_RUN_CLI_H
#define WEIR_CLI_RUN_CLI_H

#include "base/limits.h"
#include "cli/object_cli.h"

enum { RUN_DATA_MAX = 256, RUN_MAPS_MAX = 256, CTX_FIELDS_MAX = 32 };

/* What --ctx says of every packet. */
struct ctx_given {
	u32 fields; /* a bit for each row of the table in run_ctx.c */
	u64 values[CTX_FIELDS_MAX];
};

struct run_cli {
	struct object_cli object;
	const char *capture, *write_path;
	const char *raw, *mem;
	const char *load_maps, *save_maps, *control;
	const char *data[RUN_DATA_MAX], *maps[RUN_MAPS_MAX], *vars[RUN_MAPS_MAX];
	u32 nr_data, nr_maps, nr_vars;
	u32 repeat, cpu;
	bool cpu_given;
	const char *slots; /* as weir_engine_new_sparse takes them */
	char slots_text[16]; /* where a number of slots becomes such a list */
	enum weir_mode mode;
	unsigned announce; /* enum weir_announce */
	unsigned harden; /* enum weir_harden */
	bool json, no_verify;
	struct ctx_given ctx;
};

/* --ctx FIELD=VALUE. */
bool ctx_parse(struct ctx_given *given, const char *arg);
/* A field that was given and that struct xdp_md doesn't have; NULL: none. */
const char *ctx_not_xdp(const struct ctx_given *given);
void ctx_apply(const struct ctx_given *given, struct weir_frame *frame);
/* The fields that programs can change, as a JSON object. */
void ctx_print_json(const struct weir_frame *frame, bool xdp, struct buf *out);

/* Hex digits, or a file's bytes for "@FILE", or for "-" hex digits from standard input. EXIT_OK, or a code after a message
 * that names `what`. */
int read_hex_arg(const char *what, const char *arg, struct buf *out);

int run_raw(const struct run_cli *c);
int run_object(const struct run_cli *c, const char *path);

#endif
