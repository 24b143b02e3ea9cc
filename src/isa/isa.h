/* Text to instructions and back, in the style of the kernel's verifier log and llvm-objdump. */
#ifndef WEIR_ISA_ISA_H
#define WEIR_ISA_ISA_H

#include "isa/insn.h"

struct buf;
struct diag;
struct prog;

/* Why this instruction alone is not valid RFC 9669 (field by field), or NULL when it is. `next` is the instruction
 * behind it, or NULL at the end (a 64-bit immediate load needs it). Jump targets are prog_check's business.
 * The text names the field: "reserved field off is 4, must be 0". */
const char *insn_check(struct insn i, const struct insn *next, bool internal);

/* One instruction without a line end, "r0 += r1"; `next` as above. Never fails: an unknown one prints as
 * ".insn 0x<16 hex digits>". Jumps print relative, "goto +2". */
void insn_print(struct buf *out, struct insn i, const struct insn *next);

/* The whole program, one "%4u: text" line per instruction, with source lines as "; text" above when known.
 * Map loads name their map. */
void prog_print(struct buf *out, const struct prog *p);

/* Assembles `text` (one instruction per line, "label:" lines and labels as jump targets allowed, ';' or '#' starts a
 * comment, "map[N]" for maps by index). Replaces p's instructions. 0 or -EINVAL with file:line:col in d. */
int prog_assemble(struct prog *p, const char *file, const char *text, size_t len, struct diag *d);

#endif
