/* Finds sections of code, the functions in them, and which of them are programs: those that are global, outside of .text.
 * In an object with functions in .text only it is these, since such objects are made for other loaders. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "isa/insn.h"
#include "obj/obj.h"
#include "obj/section.h"

enum { INSN_BYTES = sizeof(struct insn) };

/* ---- sections ---- */

static int add_code(struct weir_object *o, u32 section, struct diag *d)
{
	const struct elf_section *s = &o->elf->sections[section];

	if (s->size % INSN_BYTES)
		return diag_fail(d, obj_pos(o), EINVAL,
			"section '%s': %zu bytes aren't whole instructions, which have %u", s->name,
			s->size, (unsigned)INSN_BYTES);
	if (s->size / INSN_BYTES > PROG_MAX_INSNS)
		return diag_fail(d, obj_pos(o), E2BIG,
			"section '%s': %zu instructions, the limit is %u", s->name,
			s->size / INSN_BYTES, PROG_MAX_INSNS);
	int err = obj_grow(o, (void **)&o->codes, o->nr_codes, sizeof(*o->codes), d);
	if (err)
		return err;
	o->codes[o->nr_codes++] =
		(struct obj_code){.section = section, .nr_insns = (u32)(s->size / INSN_BYTES)};
	return 0;
}

static int compare_codes(const void *key, const void *entry)
{
	u32 section = *(const u32 *)key;
	const struct obj_code *code = entry;

	return section < code->section ? -1 : section > code->section;
}

struct obj_code *obj_code_of(const struct weir_object *o, u32 section)
{
	return o->nr_codes
		       ? bsearch(&section, o->codes, o->nr_codes, sizeof(*o->codes), compare_codes)
		       : NULL;
}

struct insn obj_insn(const struct weir_object *o, const struct obj_code *code, u32 i)
{
	struct insn insn;

	memcpy(&insn, o->elf->sections[code->section].data + (size_t)i * INSN_BYTES, sizeof(insn));
	return insn;
}

/* ---- functions ---- */

static int add_func(struct weir_object *o, const struct elf_symbol *s, struct diag *d)
{
	const char *section = o->elf->sections[s->section].name;

	if (s->value % INSN_BYTES || s->size % INSN_BYTES)
		return diag_fail(d, obj_pos(o), EINVAL,
			"section '%s': function '%s' has bytes %llu up to %llu, which isn't on the "
			"bounds of instructions (%u)",
			section, s->name, (unsigned long long)s->value,
			(unsigned long long)(s->value + s->size), (unsigned)INSN_BYTES);
	if (s->value == o->elf->sections[s->section].size)
		return diag_fail(d, obj_pos(o), EINVAL,
			"section '%s': function '%s' stands at the end, without an instruction",
			section, s->name);
	int err = obj_grow(o, (void **)&o->funcs, o->nr_funcs, sizeof(*o->funcs), d);
	if (err)
		return err;
	o->funcs[o->nr_funcs++] = (struct obj_func){
		.name = s->name,
		.section = s->section,
		.start = (u32)(s->value / INSN_BYTES),
		.len = (u32)(s->size / INSN_BYTES),
		.global = s->bind != STB_LOCAL,
		.hidden = s->visibility == STV_HIDDEN || s->visibility == STV_INTERNAL,
	};
	return 0;
}

/* By section and start; names of the same place with the global one first. */
static int compare_funcs(const void *x, const void *y)
{
	const struct obj_func *a = x, *b = y;

	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->global != b->global)
		return a->global ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Where the next function of the section starts that doesn't start where this one does. */
static u32 next_start(const struct weir_object *o, u32 i)
{
	const struct obj_func *f = &o->funcs[i];

	for (u32 k = i + 1; k < o->nr_funcs && o->funcs[k].section == f->section; k++)
		if (o->funcs[k].start != f->start)
			return o->funcs[k].start;
	return obj_code_of(o, f->section)->nr_insns;
}

static int set_lengths(struct weir_object *o, struct diag *d)
{
	for (u32 i = o->nr_funcs; i-- > 0;) {
		struct obj_func *f = &o->funcs[i];
		const struct obj_func *same = f + 1;
		u32 next = i + 1 < o->nr_funcs && same->section == f->section &&
					   same->start == f->start
				   ? same->start + same->len
				   : next_start(o, i);

		if (!f->len)
			f->len = next - f->start;
		if (f->len > next - f->start)
			return diag_fail(d, obj_pos(o), EINVAL,
				"section '%s': function '%s' has instructions %u up to %u, and the "
				"next "
				"begins at %u",
				o->elf->sections[f->section].name, f->name, f->start,
				f->start + f->len, next);
	}
	return 0;
}

/* Clang before 8 gives static functions no type, and before 4 none at all. Labels inside of functions have none either. */
static bool is_untyped(const struct weir_object *o, const struct elf_symbol *s)
{
	if (s->type != STT_NOTYPE || !strncmp(s->name, "LBB", 3) || !s->name[0])
		return false;
	return s->value / INSN_BYTES <= UINT32_MAX &&
	       obj_func_of(o, s->section, (u32)(s->value / INSN_BYTES)) < 0;
}

static void sort_funcs(struct weir_object *o)
{
	if (o->nr_funcs)
		qsort(o->funcs, o->nr_funcs, sizeof(*o->funcs), compare_funcs);
}

/* Typed functions must be there, sorted, for is_untyped: so untyped ones are counted apart while they are found. */
static int add_untyped(struct weir_object *o, struct diag *d)
{
	u32 nr = o->nr_funcs, typed = nr;
	int err = 0;

	for (u32 i = 1; !err && i < o->elf->nr_symbols; i++) {
		const struct elf_symbol *s = &o->elf->symbols[i];

		if (s->section >= o->elf->nr_sections || !obj_code_of(o, s->section) ||
			!is_untyped(o, s))
			continue;
		o->nr_funcs = nr;
		err = add_func(o, s, d);
		nr = o->nr_funcs;
		o->nr_funcs = typed;
	}
	o->nr_funcs = nr;
	return err;
}

static int find_funcs(struct weir_object *o, struct diag *d)
{
	for (u32 i = 1; i < o->elf->nr_symbols; i++) {
		const struct elf_symbol *s = &o->elf->symbols[i];

		if (s->type != STT_FUNC || s->section >= o->elf->nr_sections ||
			!obj_code_of(o, s->section))
			continue;
		int err = add_func(o, s, d);
		if (err)
			return err;
	}
	sort_funcs(o);
	int err = add_untyped(o, d);
	sort_funcs(o);
	return err ? err : set_lengths(o, d);
}

int obj_find_code(struct weir_object *o, struct diag *d)
{
	for (u32 i = 1; i < o->elf->nr_sections; i++) {
		if (!elf_section_is_code(&o->elf->sections[i]))
			continue;
		int err = add_code(o, i, d);

		if (err)
			return err;
	}
	return find_funcs(o, d);
}

/* The last function that doesn't start behind the place, or nr_funcs. */
static u32 last_before(const struct weir_object *o, u32 section, u32 insn)
{
	u32 low = 0, high = o->nr_funcs;

	while (low < high) {
		u32 mid = low + (high - low) / 2;
		const struct obj_func *f = &o->funcs[mid];

		if (f->section < section || (f->section == section && f->start <= insn))
			low = mid + 1;
		else
			high = mid;
	}
	return low ? low - 1 : o->nr_funcs;
}

int obj_func_of(const struct weir_object *o, u32 section, u32 insn)
{
	u32 i = last_before(o, section, insn);

	if (i == o->nr_funcs || o->funcs[i].section != section)
		return -1;
	while (i && o->funcs[i - 1].section == section &&
		o->funcs[i - 1].start == o->funcs[i].start)
		i--;
	return insn - o->funcs[i].start < o->funcs[i].len ? (int)i : -1;
}

int obj_func_at(const struct weir_object *o, u32 section, u32 insn)
{
	int i = obj_func_of(o, section, insn);

	return i >= 0 && o->funcs[i].start == insn ? i : -1;
}

/* ---- programs ---- */

static bool is_text(const struct weir_object *o, const struct obj_func *f)
{
	return !strcmp(o->elf->sections[f->section].name, ".text");
}

/* iproute2's "2/7" is of the type that the programs around it are. */
static enum weir_program_type tail_call_type(const struct weir_object *o)
{
	for (u32 i = 0; i < o->nr_funcs; i++) {
		const char *name = o->elf->sections[o->funcs[i].section].name;
		struct section_kind kind = section_kind_of(name);

		if (kind.type)
			return kind.type;
	}
	return WEIR_PROG_SCHED_CLS;
}

static void find_type(const struct weir_object *o, struct obj_program *p)
{
	const char *name = p->pub.section + (p->pub.section[0] == '?');
	struct section_kind kind = section_kind_of(name);
	u32 id, slot;

	p->pub.type = kind.type;
	p->pub.type_text = kind.text;
	p->attach_type = kind.attach_type;
	p->pub.raw_bytes = kind.raw_bytes ? kind.raw_bytes : o->default_raw_bytes;
	if (kind.text)
		return;
	if (o->default_type)
		p->pub.type = o->default_type;
	else if (section_tail_call(name, &id, &slot))
		p->pub.type = tail_call_type(o);
	p->pub.type_text = p->pub.type ? weir_program_type_name(p->pub.type) : NULL;
}

static int add_program(struct weir_object *o, u32 func, struct diag *d)
{
	const struct obj_func *f = &o->funcs[func];
	const char *section = o->elf->sections[f->section].name;

	if (o->nr_programs == OBJ_MAX_PROGRAMS)
		return diag_fail(d, obj_pos(o), E2BIG, "more than %u programs", OBJ_MAX_PROGRAMS);
	int err = obj_grow(o, (void **)&o->programs, o->nr_programs, sizeof(*o->programs), d);
	if (err)
		return err;
	struct obj_program *p = &o->programs[o->nr_programs++];
	*p = (struct obj_program){.func = func,
		.pub = {.name = f->name, .section = section, .autoload = section[0] != '?'}};
	find_type(o, p);
	return 0;
}

int obj_find_programs(struct weir_object *o, struct diag *d)
{
	bool any = false;
	int err = 0;

	for (u32 i = 0; i < o->nr_funcs; i++)
		any |= o->funcs[i].global && !is_text(o, &o->funcs[i]);
	for (u32 i = 0; !err && i < o->nr_funcs; i++)
		if (o->funcs[i].global && is_text(o, &o->funcs[i]) != any)
			err = add_program(o, i, d);
	return err;
}

int obj_program_of(const struct weir_object *o, u32 func)
{
	for (u32 i = 0; i < o->nr_programs; i++)
		if (o->programs[i].func == func)
			return (int)i;
	return -1;
}
