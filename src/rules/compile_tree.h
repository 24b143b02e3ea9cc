/* Inside the layout of chains: what trees and groups of trees call of each other. */
#ifndef WEIR_RULES_COMPILE_TREE_H
#define WEIR_RULES_COMPILE_TREE_H

#include "rules/classify.h"

struct code;
struct spot;

/* The code for the packets of a region. spare: how many rules may stand in the code once more.
 * loaded: the field in r1, NR_BOX_FIELDS: none. Nothing falls through. */
void code_region(struct code *c, const struct candidates *list, const struct box *region, u32 spare,
	enum box_field loaded, struct spot *ret);

/* Two trees for a list that one tree doesn't suit (compile_groups.c). False, and nothing written:
 * one tree will do. */
bool code_groups(
	struct code *c, const struct candidates *list, const struct box *region, struct spot *ret);

#endif
