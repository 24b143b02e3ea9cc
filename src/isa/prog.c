#include "isa/prog.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"

struct prog *prog_new(const char *name, enum prog_type type)
{
	struct prog *p = mem_zalloc(sizeof(*p));

	if (!p)
		return NULL;
	strncpy(p->name, name, sizeof(p->name) - 1);
	p->type = type;
	return p;
}

void prog_free(struct prog *p)
{
	if (!p)
		return;
	mem_free(p->insns);
	mem_free(p->maps);
	mem_free(p->lines);
	mem_free(p->line_text);
	mem_free(p->funcs);
	mem_free(p);
}

/* A copy of n elements, or NULL when out of memory; also of nothing, so that NULL means only that.
 */
static void *dup_array(const void *from, size_t n, size_t elem)
{
	void *to = mem_alloc(array_size(n, elem));

	if (to && n)
		memcpy(to, from, n * elem);
	return to;
}

struct prog *prog_clone(const struct prog *p)
{
	struct prog *copy = mem_alloc(sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *p;
	copy->insns = dup_array(p->insns, p->len, sizeof(*p->insns));
	copy->maps = dup_array(p->maps, p->nr_maps, sizeof(struct map *));
	copy->lines = dup_array(p->lines, p->nr_lines, sizeof(*p->lines));
	copy->line_text = dup_array(p->line_text, p->line_text_len, 1);
	copy->funcs = dup_array(p->funcs, p->nr_funcs, sizeof(*p->funcs));
	if (copy->insns && copy->maps && copy->lines && copy->line_text && copy->funcs)
		return copy;
	prog_free(copy);
	return NULL;
}

int prog_set_insns(struct prog *p, const struct insn *insns, u32 n)
{
	struct insn *copy = dup_array(insns, n, sizeof(*insns));

	if (!copy)
		return -ENOMEM;
	mem_free(p->insns);
	p->insns = copy;
	p->len = n;
	return 0;
}

int prog_add_map(struct prog *p, struct map *map, u32 *index)
{
	if (p->nr_maps >= PROG_MAX_MAPS)
		return -E2BIG;
	struct map **maps = mem_realloc(p->maps, array_size(p->nr_maps + 1, sizeof(struct map *)));
	if (!maps)
		return -ENOMEM;
	p->maps = maps;
	maps[p->nr_maps] = map;
	*index = p->nr_maps++;
	return 0;
}

const struct prog_line *prog_line_of(const struct prog *p, u32 pc)
{
	u32 low = 0, high = p->nr_lines;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (p->lines[mid].pc <= pc)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &p->lines[low - 1] : NULL;
}
