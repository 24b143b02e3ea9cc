/* What the instructions of the object name: maps, variables, functions, externs. From the relocations of sections of code,
 * and from calls inside of a section, which need none. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "isa/insn.h"
#include "obj/obj.h"

enum { CALL_CODE = BPF_JMP | BPF_CALL, INSN_BYTES = sizeof(struct insn) };

/* One relocation, looked at. */
struct site {
	struct weir_object *o;
	const struct obj_code *code;
	const struct elf_symbol *symbol;
	struct insn insn;
	u32 at; /* index of the instruction in its section */
	u32 symbol_index;
	struct diag *d;
};

static int site_fail(const struct site *s, int err, const char *what)
{
	const struct weir_object *o = s->o;
	int func = obj_func_of(o, s->code->section, s->at);

	return diag_fail(s->d, obj_pos(o), err, "section '%s'%s%s%s, instruction %u: '%s' %s",
		o->elf->sections[s->code->section].name, func >= 0 ? ", function '" : "",
		func >= 0 ? o->funcs[func].name : "", func >= 0 ? "'" : "", s->at, s->symbol->name,
		what);
}

static int add_ref(
	struct weir_object *o, struct obj_code *code, const struct obj_ref *ref, struct diag *d)
{
	int err = obj_grow(o, (void **)&code->refs, code->nr_refs, sizeof(*code->refs), d);

	if (!err)
		code->refs[code->nr_refs++] = *ref;
	return err;
}

/* ---- what a symbol is ---- */

static int name_function(const struct site *s, s64 insn, struct obj_ref *ref)
{
	int func = insn >= 0 && insn <= UINT32_MAX
			   ? obj_func_at(s->o, s->symbol->section, (u32)insn)
			   : -1;

	if (func < 0)
		return site_fail(s, EINVAL,
			"is in a section of code, but no function begins where it points to");
	ref->target = (u32)func;
	return 0;
}

static int name_map(const struct site *s, u64 off, struct obj_ref *ref)
{
	int map = obj_map_at(s->o, s->symbol->section, off);

	/* The end of an array may be named; what a program does with it is the verifier's business. */
	if (map < 0 && off)
		map = obj_map_at(s->o, s->symbol->section, off - 1);
	if (map < 0)
		return site_fail(s, EINVAL,
			"points into a section of data (.data, .rodata, .bss) or maps, but to none "
			"of its bytes");
	const struct obj_map *m = &s->o->maps[map];
	if (!m->pub.is_data && off != m->off)
		return site_fail(s, EINVAL,
			"points into the definition of a map: only its address can be used");
	ref->kind = m->pub.is_data ? REF_DATA : REF_MAP;
	ref->target = (u32)map;
	ref->off = (u32)(off - m->off);
	return 0;
}

static bool has_maps(const struct weir_object *o, u32 section)
{
	for (u32 i = 0; i < o->nr_maps; i++)
		if (o->maps[i].section == section)
			return true;
	return false;
}

static int name_extern(const struct site *s, enum ref_kind kind, struct obj_ref *ref)
{
	int e = obj_extern_of(s->o, s->symbol_index, s->d);

	if (e < 0)
		return -ENOMEM;
	if (kind == REF_EXTERN_CALL && s->o->externs[e].kind != EXTERN_KSYM_FUNC &&
		s->o->externs[e].kind != EXTERN_UNDEFINED)
		return site_fail(s, EINVAL, "is called, but no function");
	ref->kind = kind;
	ref->target = (u32)e;
	return 0;
}

/* r = &symbol */
static int name_address(const struct site *s, struct obj_ref *ref)
{
	const struct elf_symbol *symbol = s->symbol;
	s64 off = (s64)symbol->value + s->insn.imm;

	if (symbol->section == SHN_UNDEF)
		return name_extern(s, REF_EXTERN, ref);
	if (symbol->section == SHN_COMMON)
		return site_fail(s, ENOTSUP, "is a common variable: compile with -fno-common");
	if (symbol->section >= s->o->elf->nr_sections)
		return site_fail(s, ENOTSUP, "is an absolute address, which means nothing here");
	if (obj_code_of(s->o, symbol->section)) {
		ref->kind = REF_FUNC;
		return off % INSN_BYTES ? site_fail(s, EINVAL, "points into an instruction")
					: name_function(s, off / INSN_BYTES, ref);
	}
	if (!has_maps(s->o, symbol->section))
		return site_fail(s, EINVAL,
			"is in a section that is neither data (.data, .rodata, .bss), maps nor "
			"code");
	return name_map(s, (u64)off, ref);
}

/* call symbol: imm is -1 for the symbol itself, and says more where the symbol is that of the section. */
static int name_call(const struct site *s, struct obj_ref *ref)
{
	const struct elf_symbol *symbol = s->symbol;

	if (symbol->section == SHN_UNDEF)
		return name_extern(s, REF_EXTERN_CALL, ref);
	if (symbol->section >= s->o->elf->nr_sections || !obj_code_of(s->o, symbol->section))
		return site_fail(s, EINVAL, "is called, but not in a section of code");
	if (s->insn.src != CALL_LOCAL)
		return site_fail(s, EINVAL, "is relocated to, in a call of a helper");
	if (symbol->value % INSN_BYTES)
		return site_fail(s, EINVAL, "points into an instruction");
	ref->kind = REF_CALL;
	return name_function(s, (s64)(symbol->value / INSN_BYTES) + s->insn.imm + 1, ref);
}

/* ---- relocations ---- */

static int read_reloc(
	struct weir_object *o, struct obj_code *code, struct elf_reloc r, struct diag *d)
{
	const char *section = o->elf->sections[code->section].name;
	struct obj_ref ref = {.insn = (u32)(r.off / INSN_BYTES)};
	int err;

	if (r.type == ELF_R_BPF_NONE)
		return 0;
	if (r.off % INSN_BYTES)
		return diag_fail(d, obj_pos(o), EINVAL,
			"section '%s': relocation (%s) at offset %llu, which isn't where an "
			"instruction "
			"begins",
			section, elf_reloc_name(r.type), (unsigned long long)r.off);
	struct site s = {o, code, &o->elf->symbols[r.symbol], obj_insn(o, code, ref.insn), ref.insn,
		r.symbol, d};
	if (r.type == ELF_R_BPF_64_64 && insn_is_ld_imm64(s.insn))
		err = name_address(&s, &ref);
	else if (r.type == ELF_R_BPF_64_32 && s.insn.code == CALL_CODE)
		err = name_call(&s, &ref);
	else
		return diag_fail(d, obj_pos(o), EINVAL,
			"section '%s', instruction %u: relocation %s for opcode 0x%02x; "
			"R_BPF_64_64 goes with "
			"64-bit immediate loads (0x18), R_BPF_64_32 with calls (0x85)",
			section, ref.insn, elf_reloc_name(r.type), s.insn.code);
	return err ? err : add_ref(o, code, &ref, d);
}

static int compare_refs(const void *x, const void *y)
{
	const struct obj_ref *a = x, *b = y;

	return a->insn < b->insn ? -1 : a->insn > b->insn;
}

static void sort_refs(struct obj_code *code)
{
	if (code->nr_refs)
		qsort(code->refs, code->nr_refs, sizeof(*code->refs), compare_refs);
}

static int read_relocs(struct weir_object *o, struct obj_code *code, struct diag *d)
{
	for (u32 rel = elf_next_rel(o->elf, code->section, 0); rel;
		rel = elf_next_rel(o->elf, code->section, rel))
		for (size_t i = 0; i < elf_nr_relocs(o->elf, rel); i++) {
			int err = read_reloc(o, code, elf_reloc_at(o->elf, rel, i), d);

			if (err)
				return err;
		}
	sort_refs(code);
	for (u32 i = 1; i < code->nr_refs; i++)
		if (code->refs[i].insn == code->refs[i - 1].insn)
			return diag_fail(d, obj_pos(o), EINVAL,
				"section '%s', instruction %u: two relocations for one instruction",
				o->elf->sections[code->section].name, code->refs[i].insn);
	return 0;
}

const struct obj_ref *obj_ref_at(const struct obj_code *code, u32 insn)
{
	struct obj_ref key = {.insn = insn};

	return code->nr_refs ? bsearch(&key, code->refs, code->nr_refs, sizeof(key), compare_refs)
			     : NULL;
}

/* ---- inside a section ---- */

static int read_local(
	struct weir_object *o, struct obj_code *code, u32 at, struct insn insn, struct diag *d)
{
	s64 to = (s64)at + 1 + insn.imm;
	int func = to >= 0 && to < code->nr_insns ? obj_func_at(o, code->section, (u32)to) : -1;

	if (func < 0)
		return diag_fail(d, obj_pos(o), EINVAL,
			"section '%s', instruction %u: names a function at instruction %lld, and "
			"none begins "
			"there",
			o->elf->sections[code->section].name, at, (long long)to);
	struct obj_ref ref = {.insn = at,
		.kind = insn_is_ld_imm64(insn) ? REF_FUNC : REF_CALL,
		.target = (u32)func};
	return add_ref(o, code, &ref, d);
}

static int read_locals(struct weir_object *o, struct obj_code *code, struct diag *d)
{
	struct obj_code known = *code; /* without what is added here */
	int err = 0;

	for (u32 i = 0; !err && i < code->nr_insns; i++) {
		struct insn insn = obj_insn(o, code, i);
		bool local = insn_is_local_call(insn) ||
			     (insn_is_ld_imm64(insn) && insn.src == LD_IMM64_FUNC);

		if (local && !obj_ref_at(&known, i))
			err = read_local(o, code, i, insn, d);
		i += insn_is_ld_imm64(insn);
	}
	sort_refs(code);
	return err;
}

/* ---- what functions need ---- */

/* Lists stop growing when they are longer than any program's may be, which obj_find_pieces then says. */
static int add_once(struct weir_object *o, u32 **list, u32 *nr, u32 max, u32 entry, struct diag *d)
{
	for (u32 i = 0; i < *nr; i++)
		if ((*list)[i] == entry)
			return 0;
	if (*nr > max)
		return 0;
	int err = obj_grow(o, (void **)list, *nr, sizeof(**list), d);
	if (!err)
		(*list)[(*nr)++] = entry;
	return err;
}

static int add_need(struct weir_object *o, const struct obj_code *code, const struct obj_ref *ref,
	struct diag *d)
{
	int func = obj_func_of(o, code->section, ref->insn);
	struct obj_func *f = func >= 0 ? &o->funcs[func] : NULL;
	bool two = ref->kind != REF_CALL && ref->kind != REF_EXTERN_CALL;

	if (!f)
		return 0;
	if (two && ref->insn + 1 - f->start >= f->len)
		return diag_fail(d, obj_pos(o), EINVAL,
			"section '%s', instruction %u: function '%s' ends within a 64-bit "
			"immediate load",
			o->elf->sections[code->section].name, ref->insn, f->name);
	switch (ref->kind) {
	case REF_MAP:
	case REF_DATA:
		return add_once(o, &f->maps, &f->nr_maps, PROG_MAX_MAPS, ref->target, d);
	case REF_FUNC:
	case REF_CALL:
		return add_once(o, &f->callees, &f->nr_callees, PROG_MAX_SUBPROGS, ref->target, d);
	case REF_EXTERN:
		return o->externs[ref->target].kind == EXTERN_KCONFIG
			       ? add_once(
					 o, &f->maps, &f->nr_maps, PROG_MAX_MAPS, o->kconfig_map, d)
			       : 0;
	case REF_EXTERN_CALL:
		return 0;
	}
	UNREACHABLE();
}

int obj_find_refs(struct weir_object *o, struct diag *d)
{
	int err = 0;

	for (u32 i = 0; !err && i < o->nr_codes; i++) {
		err = read_relocs(o, &o->codes[i], d);
		if (!err)
			err = read_locals(o, &o->codes[i], d);
		for (u32 k = 0; !err && k < o->codes[i].nr_refs; k++)
			err = add_need(o, &o->codes[i], &o->codes[i].refs[k], d);
	}
	return err;
}
