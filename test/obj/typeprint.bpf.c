#include "typeprint_types.h"

struct typeprint_value *pointer;
int some_data = 1;
