/* Context fields are read and written where the runner's structure has them. A packet pointer that
 * programs see as 32 bits is 64 bits there, and stores to fields of 16 bits leave the upper ones alone. The verifier has seen
 * to it that an instruction accesses either always the context or never. */
#include "progtype/progtype.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/gen.h"
#include "rewrite/passes.h"

enum { NO_QUEUE = 0xffff }; /* queue mappings from here on aren't stored */

static bool is_write(struct insn i)
{
	return BPF_CLASS(i.code) != BPF_LDX;
}

static struct insn with_size(struct insn i, u8 size)
{
	i.code = (u8)((i.code & ~0x18u) | size);
	return i;
}

/* The access as the native structure wants it. */
static struct insn native_access(struct insn i, s32 ctx_off, const struct ctx_field *field)
{
	s32 moved = (s32)field->native_off - field->off;
	bool pointer = field->kind != CTX_SCALAR && field->native_size != field->size;

	assert(!pointer || (ctx_off == field->off && field->native_size == 8));
	i.off = (s16)(i.off + moved);
	if (pointer)
		return with_size(i, BPF_DW);
	return is_write(i) && field->flags & (CTX_LOW16 | CTX_QUEUE) ? with_size(i, BPF_H) : i;
}

/* The kernel drops what isn't a queue; it compares whole registers and signed immediates. */
static u32 guard_queue(struct insn native, struct insn out[static 2])
{
	if (BPF_CLASS(native.code) == BPF_ST) {
		out[0] = native;
		return native.imm < NO_QUEUE ? 1 : 0;
	}
	out[0] = (struct insn){
		.code = BPF_JMP | BPF_JGE | BPF_K, .dst = native.src, .off = 1, .imm = NO_QUEUE};
	out[1] = native;
	return 2;
}

static void edit_access(
	struct editor *e, u32 pc, struct insn i, const struct ctx_field *field, struct fact fact)
{
	struct insn native = native_access(i, fact.off, field), out[2] = {native};
	u32 n = is_write(i) && field->flags & CTX_QUEUE ? guard_queue(native, out) : 1;

	if (n == 1 && native.off == i.off && native.code == i.code)
		return;
	edit_replace(e, pc, 1, out, n);
	fact.off += native.off - i.off;
	if (n)
		edit_fact(e, n - 1, fact);
}

int ctx_access_run(struct prog *p, struct facts *f, struct diag *d)
{
	const struct prog_type_ops *type = prog_type_ops_of(p->type);
	struct editor e;

	assert(type);
	editor_init(&e, p, f);
	for (u32 pc = 0; pc < p->len; pc += flow_width(p->insns[pc])) {
		struct insn i = p->insns[pc];
		struct fact fact = f->insns[pc];
		const char *why = NULL;

		if (fact.mem != MEM_CTX)
			continue;
		const struct ctx_field *field = ctx_field_at(
			type, p->attach_type, fact.off, flow_access_bytes(i), is_write(i), &why);
		assert(field);
		edit_access(&e, pc, i, field, fact);
	}
	int err = editor_apply(&e, d);
	editor_fini(&e);
	return err;
}
