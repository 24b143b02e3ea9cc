/* Context fields are read and written where the runner's structure has them. A packet pointer that
 * programs see as 32 bits is 64 bits there. The verifier has seen to it that an instruction
 * accesses either always the context or never. */
#include "progtype/progtype.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/passes.h"

static bool is_write(struct insn i)
{
	return BPF_CLASS(i.code) != BPF_LDX;
}

/* The access as the native structure wants it. */
static struct insn native_access(struct insn i, s32 ctx_off, const struct ctx_field *field)
{
	s32 moved = (s32)field->native_off - field->off;
	bool pointer = field->kind != CTX_SCALAR && field->native_size != field->size;

	assert(pointer || field->native_size == field->size);
	assert(!pointer || (ctx_off == field->off && field->native_size == 8));
	i.off = (s16)(i.off + moved);
	if (pointer)
		i.code = (u8)((i.code & ~0x18u) | BPF_DW);
	return i;
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
		const struct ctx_field *field =
			ctx_field_at(type, fact.off, flow_access_bytes(i), is_write(i), &why);
		assert(field);
		struct insn native = native_access(i, fact.off, field);
		if (native.off == i.off && native.code == i.code)
			continue;
		edit_replace(&e, pc, 1, &native, 1);
		fact.off += native.off - i.off;
		edit_fact(&e, 0, fact);
	}
	int err = editor_apply(&e, d);
	editor_fini(&e);
	return err;
}
