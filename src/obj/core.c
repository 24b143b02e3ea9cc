/* One relocation: its path in the object's types, the same path in every type of the target that may be meant, the one answer of
 * them all, the instruction. */
#include "obj/core_inside.h"

#include <errno.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"

static const char *const questions[CORE_NR_KINDS] = {
	[CORE_FIELD_BYTE_OFFSET] = "byte offset of",
	[CORE_FIELD_BYTE_SIZE] = "byte size of",
	[CORE_FIELD_EXISTS] = "existence of",
	[CORE_FIELD_SIGNED] = "sign of",
	[CORE_FIELD_LSHIFT_U64] = "left shift for",
	[CORE_FIELD_RSHIFT_U64] = "right shift for",
	[CORE_TYPE_ID_LOCAL] = "local id of",
	[CORE_TYPE_ID_TARGET] = "target's id of",
	[CORE_TYPE_EXISTS] = "existence of",
	[CORE_TYPE_SIZE] = "size of",
	[CORE_ENUMVAL_EXISTS] = "existence of",
	[CORE_ENUMVAL_VALUE] = "value of",
	[CORE_TYPE_MATCHES] = "likeness of",
};

bool core_needs_target(const struct core_relo *relo)
{
	return relo->kind != CORE_TYPE_ID_LOCAL;
}

void core_describe(const struct btf *local, const struct core_relo *relo, struct buf *out)
{
	struct core_path path;
	const char *why = core_path_read(local, relo, &path);

	buf_printf(out, "%s ", questions[relo->kind]);
	core_path_print(&path, out);
	if (why)
		buf_printf(out, " (access \"%.64s\")", relo->access);
}

struct relocation {
	const struct btf *local, *target;
	const struct core_relo *relo;
	struct pos pos;
	struct diag *d;
};

static int fail(struct relocation *r, int err, const char *why)
{
	struct buf text = {0};

	core_describe(r->local, r->relo, &text);
	err = diag_fail(r->d, r->pos, err, "CO-RE, %s: %s", buf_cstr(&text), why);
	buf_fini(&text);
	return err;
}

/* Two types of the target of this name that give different answers. */
static int fail_ambiguous(struct relocation *r, const struct core_path *a, u64 a_value,
	const struct core_path *b, u64 b_value)
{
	struct buf text = {0};
	int err;

	buf_printf(&text, "%s has two answers: ", btf_name(r->target));
	core_path_print(a, &text);
	buf_printf(&text, " (type %u) gives %llu, ", a->root, (unsigned long long)a_value);
	core_path_print(b, &text);
	buf_printf(&text, " (type %u) gives %llu", b->root, (unsigned long long)b_value);
	err = fail(r, EINVAL, buf_cstr(&text));
	buf_fini(&text);
	return err;
}

static bool same_answer(const struct core_path *a, const struct core_answer *x,
	const struct core_path *b, const struct core_answer *y)
{
	return a->bit_off == b->bit_off && x->missing == y->missing && x->value == y->value;
}

/* The answer of all target types that have the path; the one for `none` when there is none. */
static int ask_target(
	struct relocation *r, const struct core_path *local, struct core_answer *answer)
{
	struct btf_info root = btf_get(r->local, local->root);
	size_t len = btf_essential_len(root.name);
	struct core_path first, path;
	bool found = false;
	const char *why;

	for (u32 id = 0; (id = btf_find_flavour(r->target, root.name, len, id));) {
		struct core_answer other;

		if (!core_same_kind(btf_get(r->target, id).kind, root.kind) ||
			!core_path_match(local, r->relo->kind, r->target, id, &path))
			continue;
		why = core_answer(&path, r->relo->kind, &other);
		if (why)
			return fail(r, EINVAL, why);
		if (!found) {
			first = path;
			*answer = other;
			found = true;
		} else if (!same_answer(&first, answer, &path, &other)) {
			return fail_ambiguous(r, &first, answer->value, &path, other.value);
		}
	}
	if (found)
		return 0;
	why = core_answer(NULL, r->relo->kind, answer);
	return why ? fail(r, EINVAL, why) : 0;
}

/* Whether a load or store may become one of the target's size: pointers, and unsigned integers, whose upper bytes are zero. */
static bool sizes_fit(
	struct relocation *r, const struct core_answer *local, const struct core_answer *target)
{
	struct btf_info x = btf_get(r->local, btf_resolve(r->local, local->type));
	struct btf_info y = btf_get(r->target, btf_resolve(r->target, target->type));

	if (local->size == target->size || target->missing)
		return true;
	if (x.kind == BTF_PTR && y.kind == BTF_PTR)
		return true;
	return x.kind == BTF_INT && y.kind == BTF_INT && !x.is_signed && !y.is_signed;
}

int core_relocate(const struct btf *local, const struct btf *target, const struct core_relo *relo,
	const char *where, struct insn *insns, u32 len, u32 pc, bool *poisoned, struct diag *d)
{
	struct relocation r = {
		.local = local, .target = target, .relo = relo, .pos = pos_insn(where, pc), .d = d};
	struct core_answer here, there;
	struct core_path path;
	bool poison = false, fits = true;
	const char *why;
	int err;

	if (pc >= len)
		return fail(&r, EINVAL, "the instruction is behind the end of the program");
	why = core_path_read(local, relo, &path);
	if (!why)
		why = core_answer(&path, relo->kind, &here);
	if (why)
		return fail(&r, EINVAL, why);
	if (!core_needs_target(relo)) {
		there = here;
	} else {
		if (!target)
			return fail(&r, ENOENT,
				"needs the types of the machine that the program is to run on, and "
				"there are none");
		if (!btf_get(local, relo->type).name[0])
			return fail(&r, ENOTSUP, "types without a name can't be looked for");
		err = ask_target(&r, &path, &there);
		if (err)
			return err;
		fits = sizes_fit(&r, &here, &there);
	}
	why = core_patch(insns, len, pc, &here, &there, fits, &poison);
	if (why)
		return fail(&r, EINVAL, why);
	if (poisoned)
		*poisoned = poison;
	return 0;
}
