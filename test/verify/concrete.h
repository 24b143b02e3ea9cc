/* The meaning of arithmetic and comparisons, written apart from the code under test. */
#ifndef WEIR_TEST_CONCRETE_H
#define WEIR_TEST_CONCRETE_H

#include "base/types.h"

/* op: BPF_ADD ... BPF_ARSH, NEG (of x) included; sign: DIV and MOD are signed. */
u64 run64(u8 op, bool sign, u64 x, u64 y);
u64 run32(u8 op, bool sign, u32 x, u32 y);
/* op: BPF_JEQ ... BPF_JSLE. */
bool compare64(u8 op, u64 x, u64 y);
bool compare32(u8 op, u64 x, u64 y);

#endif
