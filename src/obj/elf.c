/* ELF files of the BPF machine, as libelf reads them, with every offset, size and string checked before use. */
#include "obj/elf.h"
