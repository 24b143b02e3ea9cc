/* gdb's JIT interface ("JIT Compilation Interface" in its manual), which lldb reads too. */
#ifndef WEIR_JIT_DEBUGGER_H
#define WEIR_JIT_DEBUGGER_H

#include "isa/prog.h"
#include "jit/jit.h"

/* An ELF file in memory with the image's functions at `base` and their frames. */
void debugger_file(
	const struct jit_image *image, u64 base, const struct prog *p, struct buf *out);

/* What the debugger reads: the layout is the interface's. */
struct debugger_entry {
	struct debugger_entry *next, *prev;
	const void *file;
	u64 file_bytes;
};

/* The entry and its file stay until debugger_remove. Thread-safe. */
void debugger_add(struct debugger_entry *e);
void debugger_remove(struct debugger_entry *e);

#endif
