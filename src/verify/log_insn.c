/* An instruction in the log: as isa/ prints it, but jumps and calls in the kernel's words. */
#include "base/buf.h"
#include "helper/helper.h"
#include "isa/isa.h"
#include "verify/log.h"

static const char *const conditions[16] = {
	[BPF_JEQ >> 4] = "==",
	[BPF_JGT >> 4] = ">",
	[BPF_JGE >> 4] = ">=",
	[BPF_JSET >> 4] = "&",
	[BPF_JNE >> 4] = "!=",
	[BPF_JSGT >> 4] = "s>",
	[BPF_JSGE >> 4] = "s>=",
	[BPF_JLT >> 4] = "<",
	[BPF_JLE >> 4] = "<=",
	[BPF_JSLT >> 4] = "s<",
	[BPF_JSLE >> 4] = "s<=",
};

static void put_cond_jump(struct buf *b, struct insn i)
{
	char half = BPF_CLASS(i.code) == BPF_JMP32 ? 'w' : 'r';

	buf_printf(b, "if %c%u %s ", half, i.dst, conditions[BPF_OP(i.code) >> 4]);
	if (BPF_SRC(i.code) == BPF_X)
		buf_printf(b, "%c%u", half, i.src);
	else
		buf_printf(b, "0x%x", (u32)i.imm);
	buf_printf(b, " goto pc%+d", i.off);
}

static void put_ja(struct buf *b, struct insn i)
{
	if (BPF_CLASS(i.code) == BPF_JMP32)
		buf_printf(b, "gotol pc%+d", i.imm);
	else
		buf_printf(b, "goto pc%+d", i.off);
}

static void put_helper(struct buf *b, u32 id)
{
	const struct helper *h = helper_by_id(id);
	const char *name = h ? h->name : helper_known_name(id);

	if (name)
		buf_printf(b, "call bpf_%s#%u", name, id);
	else
		buf_printf(b, "call unknown#%d", (s32)id);
}

static void put_map(struct buf *b, const struct verifier *v, struct insn i, struct insn second)
{
	buf_printf(b, "r%u = map[%d]", i.dst, i.imm);
	if ((u32)i.imm < v->prog->nr_maps && v->prog->maps[i.imm]->spec.name[0])
		buf_printf(b, " %.15s", v->prog->maps[i.imm]->spec.name);
	if (i.src == LD_IMM64_MAP_IDX_VALUE)
		buf_printf(b, "[0]+%u", (u32)second.imm);
}

void log_put_insn(struct verifier *v, u32 pc)
{
	struct insn i = v->prog->insns[pc];
	const struct insn *next = pc + 1 < v->prog->len ? &v->prog->insns[pc + 1] : NULL;
	struct buf *b = v->opts.log;

	buf_printf(b, "(%02x) ", i.code);
	if (insn_is_cond_jump(i))
		put_cond_jump(b, i);
	else if (insn_is_ja(i))
		put_ja(b, i);
	else if (insn_is_helper_call(i) || insn_is_kfunc_call(i))
		put_helper(b, (u32)i.imm);
	else if (insn_is_ld_imm64(i) &&
		 (i.src == LD_IMM64_MAP_IDX || i.src == LD_IMM64_MAP_IDX_VALUE))
		put_map(b, v, i, *next);
	else
		insn_print(b, i, next);
}
