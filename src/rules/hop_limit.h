/* TTL and hop limit, which differ only in where they are: struct ttl_match. */
#ifndef WEIR_RULES_HOP_LIMIT_H
#define WEIR_RULES_HOP_LIMIT_H

#include "base/types.h"

struct emit;
struct eval;

bool hop_limit_eval(const void *data, struct eval *e);
void hop_limit_emit(const void *data, struct emit *e);

#endif
