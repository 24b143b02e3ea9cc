#ifndef WEIR_BENCH_ADDR_FUNCTION_H
#define WEIR_BENCH_ADDR_FUNCTION_H

#include <stdbool.h>

bool bench_addr_differs(const void *a1, const void *a2, const void *mask);
/* Its assembler text. */
extern const char bench_addr_text[];

#endif
