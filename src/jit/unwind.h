/* The caller's frame at every instruction of an image, as unwinders read it. */
#ifndef WEIR_JIT_UNWIND_H
#define WEIR_JIT_UNWIND_H

#include "jit/jit.h"

/* Appends what stands in a section .eh_frame for the image when its code is at `base`, with the mark of its end. The image
 * was compiled with `unwinding`. */
void unwind_table(const struct jit_image *image, u64 base, struct buf *out);

#endif
