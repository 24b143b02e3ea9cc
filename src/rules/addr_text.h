/* A single address as ip[6]tables reads it. */
#ifndef WEIR_RULES_ADDR_TEXT_H
#define WEIR_RULES_ADDR_TEXT_H

#include "rules/tree.h"

/* 4 or 16 bytes in network order. For IPv4 trailing parts may be missing ("10.1" is 10.1.0.0). out changes only on success. */
bool addr_parse(struct str s, enum family family, u8 *out);
/* A mask or a prefix length. */
bool mask_parse(struct str s, enum family family, u8 *out);

#endif
