/* Calls of kernel functions become calls of helpers, in place: engines know one kind. */
#include "helper/helper.h"
#include "progtype/progtype.h"
#include "rewrite/flow.h"
#include "rewrite/passes.h"

int kfuncs_run(struct prog *p, struct facts *f UNUSED_ARG, struct diag *d UNUSED_ARG)
{
	bool writable = prog_type_ops_of(p->type)->packet_writable;

	for (u32 pc = 0; pc < p->len; pc += flow_width(p->insns[pc])) {
		struct insn *i = &p->insns[pc];

		if (!insn_is_kfunc_call(*i))
			continue;
		i->src = CALL_HELPER;
		if (i->imm == HELPER_dynptr_from_skb && !writable)
			i->imm = HELPER_dynptr_from_skb_rdonly;
	}
	return 0;
}
