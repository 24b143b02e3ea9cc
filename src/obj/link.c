/* Puts a program together: copies its pieces behind each other, answers CO-RE relocations, fills in what instructions name. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "isa/insn.h"
#include "obj/core.h"
#include "obj/obj.h"

/* imm of the call of a weak kernel function that isn't here, plus the number of the extern: no helper, so the verifier
 * refuses the program if the call can be reached, and only then. libbpf's number. */
enum { POISON_KFUNC_IMM = 2002000000 };

struct linker {
	struct weir_object *o;
	struct obj_program *p;
	struct obj_linked *l;
	struct diag *d;
};

/* ---- CO-RE ---- */

static int open_target(struct linker *k, const struct core_relo *relo)
{
	struct weir_object *o = k->o;

	if (o->target || !core_needs_target(relo))
		return 0;
	return btf_open_file(
		o->btf_path ? o->btf_path : "/sys/kernel/btf/vmlinux", &o->target, k->d);
}

static int add_poison(struct linker *k, u32 at, struct buf *what)
{
	struct obj_linked *l = k->l;
	int err = obj_grow(k->o, (void **)&l->poisons, l->nr_poisons, sizeof(*l->poisons), k->d);

	if (err)
		return err;
	const char *copy =
		what->failed ? NULL : arena_strndup(&k->o->arena, buf_cstr(what), what->len);
	if (!copy)
		return diag_nomem(k->d);
	l->poisons[l->nr_poisons++] = (struct obj_poison){at, copy};
	return 0;
}

static int poison_core(struct linker *k, const struct core_relo *relo, u32 at)
{
	struct buf what = {0};

	core_describe(k->o->btf, relo, &what);
	buf_printf(
		&what, ", which %s hasn't", k->o->target ? btf_name(k->o->target) : "the target");
	int err = add_poison(k, at, &what);
	buf_fini(&what);
	return err;
}

static int apply_core(struct linker *k, const struct obj_piece *piece)
{
	const struct obj_func *f = &k->o->funcs[piece->func];
	size_t nr;
	const struct core_relo *relos =
		btf_ext_relos(k->o->ext, k->o->elf->sections[f->section].name, &nr);
	int err = 0;

	for (size_t i = 0; !err && i < nr; i++) {
		if (relos[i].pc < f->start || relos[i].pc - f->start >= f->len)
			continue;
		u32 at = piece->at + relos[i].pc - f->start;
		bool poisoned = false;

		err = open_target(k, &relos[i]);
		if (!err)
			err = core_relocate(k->o->btf, k->o->target, &relos[i], k->p->pub.name,
				k->l->insns, k->l->len, at, &poisoned, k->d);
		if (!err && poisoned)
			err = poison_core(k, &relos[i], at);
	}
	return err;
}

/* ---- names ---- */

static u32 piece_at(const struct linker *k, u32 func)
{
	for (u32 i = 0; i < k->p->nr_pieces; i++)
		if (k->p->pieces[i].func == func)
			return k->p->pieces[i].at;
	UNREACHABLE();
}

static s32 map_number(const struct linker *k, u32 map)
{
	for (u32 i = 0; i < k->p->nr_maps; i++)
		if (k->p->maps[i] == map)
			return (s32)i;
	UNREACHABLE();
}

static void set_load(struct insn *insn, enum ld_imm64_kind kind, s32 low, s32 high)
{
	insn[0].src = kind & 0xf;
	insn[0].imm = low;
	insn[1].imm = high;
}

static bool find_kfunc(const struct obj_extern *e, struct weir_helper *helper)
{
	return weir_helper_by_name(e->name, helper) && helper->here && helper->number >= OBJ_KFUNCS;
}

static int missing(struct linker *k, const struct obj_extern *e, u32 at)
{
	static const struct {
		const char *before, *behind;
	} texts[] = {
		[EXTERN_KCONFIG] = {"", " isn't in the kernel's configuration"},
		[EXTERN_KSYM_VAR] = {"kernel variable ", " isn't here: weir has none"},
		[EXTERN_KSYM_FUNC] = {"kernel function ", " isn't here"},
		[EXTERN_UNDEFINED] = {"",
			" is defined nowhere: define it, or declare it with __ksym or __kconfig "
			"and compile with -g"},
	};

	return diag_fail(k->d, obj_pos(k->o), ENOENT,
		"program '%s' (section '%s'), instruction %u: %s'%s'%s", k->p->pub.name,
		k->p->pub.section, at, texts[e->kind].before, e->name, texts[e->kind].behind);
}

/* r = &extern. Of a kernel function only whether it is here means something. */
static int set_extern(struct linker *k, const struct obj_extern *e, u32 at)
{
	struct insn *insn = &k->l->insns[at];
	struct weir_helper helper;

	switch (e->kind) {
	case EXTERN_KCONFIG:
		set_load(insn, LD_IMM64_MAP_IDX_VALUE, map_number(k, k->o->kconfig_map),
			(s32)e->off);
		return 0;
	case EXTERN_KSYM_FUNC:
		if (find_kfunc(e, &helper)) {
			set_load(insn, LD_IMM64_VALUE, (s32)helper.number, 0);
			return 0;
		}
		break;
	case EXTERN_KSYM_VAR:
	case EXTERN_UNDEFINED:
		break;
	}
	if (!e->weak)
		return missing(k, e, at);
	set_load(insn, LD_IMM64_VALUE, 0, 0);
	return 0;
}

static int poison_call(struct linker *k, const struct obj_extern *e, u32 at)
{
	struct buf what = {0};

	buf_printf(&what, "call of '%s', which is weak and isn't here", e->name);
	int err = add_poison(k, at, &what);
	buf_fini(&what);
	return err;
}

static int set_extern_call(struct linker *k, u32 number, u32 at)
{
	const struct obj_extern *e = &k->o->externs[number];
	struct insn *insn = &k->l->insns[at];
	struct weir_helper helper;

	if (e->kind == EXTERN_KSYM_FUNC && find_kfunc(e, &helper)) {
		insn->src = CALL_KFUNC;
		insn->off = 0;
		insn->imm = (s32)helper.number;
	} else if (e->weak) {
		insn->src = CALL_HELPER;
		insn->off = 0;
		insn->imm = POISON_KFUNC_IMM + (s32)number;
		return poison_call(k, e, at);
	} else {
		return missing(k, e, at);
	}
	return 0;
}

static int set_ref(struct linker *k, const struct obj_ref *ref, u32 at)
{
	struct insn *insn = &k->l->insns[at];

	switch (ref->kind) {
	case REF_MAP:
		set_load(insn, LD_IMM64_MAP_IDX, map_number(k, ref->target), 0);
		return 0;
	case REF_DATA:
		set_load(insn, LD_IMM64_MAP_IDX_VALUE, map_number(k, ref->target), (s32)ref->off);
		return 0;
	case REF_FUNC:
		set_load(insn, LD_IMM64_FUNC, (s32)(piece_at(k, ref->target) - at - 1), 0);
		return 0;
	case REF_CALL:
		insn->imm = (s32)(piece_at(k, ref->target) - at - 1);
		return 0;
	case REF_EXTERN:
		return set_extern(k, &k->o->externs[ref->target], at);
	case REF_EXTERN_CALL:
		return set_extern_call(k, ref->target, at);
	}
	UNREACHABLE();
}

/* ---- pieces ---- */

static int add_piece(struct linker *k, const struct obj_piece *piece)
{
	const struct obj_func *f = &k->o->funcs[piece->func];
	const struct obj_code *code = obj_code_of(k->o, f->section);
	int err;

	for (u32 i = 0; i < f->len; i++)
		k->l->insns[piece->at + i] = obj_insn(k->o, code, f->start + i);
	err = apply_core(k, piece);
	for (u32 i = 0; !err && i < f->len; i++) {
		const struct obj_ref *ref = obj_ref_at(code, f->start + i);

		if (ref)
			err = set_ref(k, ref, piece->at + i);
	}
	return err;
}

int obj_link(struct weir_object *o, u32 program, struct diag *d)
{
	struct obj_program *p = &o->programs[program];
	struct obj_linked *l;
	int err = 0;

	if (p->linked)
		return 0;
	l = arena_alloc(&o->arena, sizeof(*l));
	if (!l)
		return diag_nomem(d);
	l->len = (u32)p->pub.nr_insns;
	l->insns = arena_array(&o->arena, l->len, sizeof(*l->insns));
	l->maps = arena_array(&o->arena, p->nr_maps, sizeof(struct weir_map *));
	if (!l->insns || !l->maps)
		return diag_nomem(d);
	struct linker k = {o, p, l, d};
	for (u32 i = 0; !err && i < p->nr_pieces; i++)
		err = add_piece(&k, &p->pieces[i]);
	if (!err)
		err = obj_link_lines(o, p, l, d);
	if (!err)
		err = obj_link_functions(o, p, l, d);
	if (!err)
		p->linked = l;
	return err;
}
