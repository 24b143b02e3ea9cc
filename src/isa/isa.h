/* Text to instructions and back, in the style of the kernel's verifier log and llvm-objdump. */
#ifndef WEIR_ISA_ISA_H
#define WEIR_ISA_ISA_H

#include "isa/insn.h"

struct buf;
struct diag;
struct prog;

/* Why this instruction alone is not valid RFC 9669 (field by field), or NULL when it is. `next` is the
 * instruction behind it, or NULL at the end (a 64-bit immediate load needs it). Jump targets are
 * prog_check's business. The text names the field: "reserved field off must be 0". */
const char *insn_check(struct insn i, const struct insn *next, bool internal);

/* One instruction without a line end, "r0 += r1"; `next` as above. Never fails: one that insn_check
 * refuses prints as ".insn 0x" and its eight bytes in memory order. Jumps print relative, "goto +2". */
void insn_print(struct buf *out, struct insn i, const struct insn *next);

/* The whole program, one "%4u: text" line per instruction, with source lines as "; text" above when
 * known. prog_assemble reads it back. */
void prog_print(struct buf *out, const struct prog *p);

/* The same with calls as "call bpf_map_lookup_elem#1" instead of "call 1". name_of gives a helper's name
 * without "bpf_", or NULL; isa/ stands below the table of helpers. */
typedef const char *(*helper_name_fn)(u32 id);
void insn_print_named(
	struct buf *out, struct insn i, const struct insn *next, helper_name_fn name_of);
void prog_print_named(struct buf *out, const struct prog *p, helper_name_fn name_of);

/* Assembles `text`: one instruction per line in the form insn_print writes. "label:" may stand alone or
 * before an instruction, and for any distance; "0:" (a listing's number) is passed over. Comments run
 * from ';', or from a '#' that begins a word, to the end of the line. Immediates are decimal, 0x or 0
 * octal. ".insn 0x<16 hex digits>" is any eight bytes, unchecked. Replaces p's instructions and lines.
 * 0, -ENOMEM, or -EINVAL (-E2BIG) with every error as file:line:col in d, and p as it was. */
int prog_assemble(struct prog *p, const char *file, const char *text, size_t len, struct diag *d);

#endif
