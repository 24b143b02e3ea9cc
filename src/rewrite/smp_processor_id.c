/* bpf_get_smp_processor_id() is a load from the head of this CPU's range. */
#include "cpu/cpu.h"
#include "helper/helper.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/gen.h"
#include "rewrite/passes.h"

int smp_processor_id_run(struct prog *p, struct facts *f, struct diag *d)
{
	const struct insn inlined[] = {
		gen_mov_imm(BPF_REG_0, 0),
		gen_percpu_mov(BPF_REG_0, BPF_REG_0),
		gen_load(BPF_W, BPF_REG_0, BPF_REG_0, CPU_HEAD_NUMBER_OFF),
	};
	struct editor e;

	editor_init(&e, p, f);
	for (u32 pc = 0; pc < p->len; pc += flow_width(p->insns[pc]))
		if (insn_is_helper_call(p->insns[pc]) &&
			p->insns[pc].imm == HELPER_get_smp_processor_id)
			edit_replace(&e, pc, 1, inlined, ARRAY_LEN(inlined));
	int err = editor_apply(&e, d);
	editor_fini(&e);
	return err;
}
