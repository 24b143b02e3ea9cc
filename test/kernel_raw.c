#include "kernel_raw.h"

#include <stdlib.h>
#include <unistd.h>

#include "isa/builder.h"
#include "kernel_prog.h"

static struct prog *wrap(const struct prog *p, u32 bytes, u32 r2)
{
	struct prog *whole = prog_new("wrapped", PROG_TYPE_XDP);
	struct builder *b = builder_new();
	label_t body = builder_label(b), fail = builder_label(b);

	bld_load(b, BPF_W, BPF_REG_2, BPF_REG_1, 4); /* data_end */
	bld_load(b, BPF_W, BPF_REG_1, BPF_REG_1, 0); /* data */
	bld_alu_reg(b, BPF_MOV, BPF_REG_6, BPF_REG_1);
	bld_alu_reg(b, BPF_MOV, BPF_REG_3, BPF_REG_1);
	bld_alu_imm(b, BPF_ADD, BPF_REG_3, (s32)bytes);
	bld_jmp_reg(b, BPF_JGT, BPF_REG_3, BPF_REG_2, fail);
	bld_const(b, BPF_REG_2, r2);
	bld_call_local(b, body);
	bld_store(b, BPF_DW, BPF_REG_6, (s16)(bytes - 8), BPF_REG_0);
	builder_bind(b, fail);
	bld_const(b, BPF_REG_0, 0);
	bld_exit(b);
	builder_bind(b, body);
	for (u32 pc = 0; pc < p->len; pc++)
		bld_insn(b, p->insns[pc]);
	if (builder_finish(b, whole, NULL))
		abort();
	builder_free(b);
	return whole;
}

int kernel_raw_run(const struct prog *p, u8 *packet, u32 bytes, u32 r2, char *log)
{
	struct prog *whole = wrap(p, bytes, r2);
	int fd = kernel_prog_load(KERNEL_XDP, whole->insns, whole->len, log, KERNEL_RAW_LOG_BYTES);
	u32 retval;
	int err = fd < 0 ? fd : kernel_prog_run(fd, packet, bytes, &retval);

	if (fd >= 0)
		close(fd);
	prog_free(whole);
	return err;
}
