/* Licenses whose programs may call what the kernel keeps for the GPL's. */
#ifndef WEIR_ENGINE_LICENSE_H
#define WEIR_ENGINE_LICENSE_H

#include "base/types.h"

bool license_is_gpl(const char *license);

#endif
