/* Nothing: what a call costs. */
#include "prog.h"

PROGRAM
{
	return 0;
}
