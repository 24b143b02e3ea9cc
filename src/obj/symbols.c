/* The index of symbols by name. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "obj/obj.h"

static int compare_names(const void *x, const void *y, void *elf)
{
	const struct elf_symbol *symbols = ((const struct elf *)elf)->symbols;
	u32 a = *(const u32 *)x, b = *(const u32 *)y;
	int order = strcmp(symbols[a].name, symbols[b].name);

	return order ? order : a < b ? -1 : a > b;
}

int obj_index_symbols(struct weir_object *o, struct diag *d)
{
	const struct elf *e = o->elf;

	o->by_name = arena_array(&o->arena, e->nr_symbols, sizeof(*o->by_name));
	if (!o->by_name)
		return diag_nomem(d);
	for (u32 i = 1; i < e->nr_symbols; i++)
		if (e->symbols[i].bind != STB_LOCAL)
			o->by_name[o->nr_by_name++] = i;
	qsort_r(o->by_name, o->nr_by_name, sizeof(*o->by_name), compare_names, o->elf);
	return 0;
}

u32 obj_symbol(const struct weir_object *o, const char *name)
{
	u32 low = 0, high = o->nr_by_name;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (strcmp(o->elf->symbols[o->by_name[mid]].name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == o->nr_by_name || strcmp(o->elf->symbols[o->by_name[low]].name, name) != 0)
		return 0;
	return o->by_name[low];
}

int obj_grow(struct weir_object *o, void **array, u32 nr, size_t elem, struct diag *d)
{
	if (nr & (nr - 1))
		return 0;
	void *longer = arena_array(&o->arena, nr ? (size_t)nr * 2 : 1, elem);

	if (!longer)
		return diag_nomem(d);
	if (nr)
		memcpy(longer, *array, nr * elem);
	*array = longer;
	return 0;
}
