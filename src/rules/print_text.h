/* Pieces that the printers of rules, matches and targets share. */
#ifndef WEIR_RULES_PRINT_TEXT_H
#define WEIR_RULES_PRINT_TEXT_H

#include "base/buf.h"
#include "base/text.h"
#include "rules/tree.h"

/* A blank and the text, in double quotes when iptables-save would: unless it has only letters, digits, '-' and '_'. */
void print_quoted(struct buf *out, struct str s);
/* A blank and the word as it stood in the file. */
void print_raw_word(struct buf *out, const struct raw_word *w);
/* " ! --name" or " --name" */
void print_option(struct buf *out, bool invert, const char *name);
void print_address(struct buf *out, const u8 *addr, enum family family);
/* "/24", or "/255.0.255.0" for a mask with holes. */
void print_mask(struct buf *out, const u8 *mask, enum family family);
/* "0x1" or "0x1/0xff" */
void print_masked(struct buf *out, u32 value, u32 mask);

#endif
