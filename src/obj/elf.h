/* The sections and symbols of a BPF object, bounds checked. */
#ifndef WEIR_OBJ_ELF_H
#define WEIR_OBJ_ELF_H
#endif
