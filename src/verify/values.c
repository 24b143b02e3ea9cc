#include "verify/verifier.h"
int find_values(struct verifier *v, struct fact *f)
{
	(void)v;
	(void)f;
	return 0;
}
