/* Keys and values of maps as text: as given on the command line, and as printed. */
#ifndef WEIR_CLI_MAP_TEXT_H
#define WEIR_CLI_MAP_TEXT_H

#include "base/text.h"
#include "weir/weir.h"

struct buf;

/* What people write for a key or value; ends the messages about one that is wrong. */
#define CELL_FORMS "a number, hex:0a0b..., an IPv4 address, an [IPv6 address], an address/length for lpm_trie, or str:text"

/* Reads `bytes` bytes. Numbers are in host byte order, addresses in network order. NULL, or what is wrong. */
const char *cell_parse(struct str text, bool is_lpm_key, u8 *out, u32 bytes);
/* Whether as many bytes are printed as a number. */
bool cell_is_number(u32 bytes);
/* A number where the size is that of one, an address for the key of an lpm_trie, else bytes as hex. */
void cell_print(struct buf *b, bool is_lpm_key, const u8 *cell, u32 bytes);
/* Bytes as hex digits, nothing between them. */
void hex_print(struct buf *b, const u8 *bytes, size_t len);
/* Hex digits with blanks and line ends anywhere between pairs; "0x" before is fine. -EINVAL, with *at the position. */
int hex_parse(struct str text, struct buf *out, size_t *at);

bool map_is_percpu(enum weir_map_type type);
/* Keys can be walked with weir_map_next and values looked up as bytes. */
bool map_is_table(enum weir_map_type type);

#endif
