/* Jumps that prove too short. */
#ifndef WEIR_JIT_STRETCH_H
#define WEIR_JIT_STRETCH_H

struct jit;

/* All code stands, with its labels. Gives jumps that don't reach their labels the longer form that the target knows, until
 * all that can be longer are; what is left isn't patched yet. */
void jit_stretch(struct jit *j);

#endif
