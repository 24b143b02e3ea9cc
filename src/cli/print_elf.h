/* What is in a BPF object's ELF file, as text. */
#ifndef WEIR_CLI_PRINT_ELF_H
#define WEIR_CLI_PRINT_ELF_H

#include "base/types.h"

struct buf;
struct diag;

/* Sections, symbols, and the instructions of each section of code as the file has them, with their relocations. Errors as
 * elf_open's. */
int print_elf(const char *name, const void *bytes, size_t len, struct buf *out, struct diag *d);

#endif
