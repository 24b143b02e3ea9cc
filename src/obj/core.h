/* CO-RE: instructions whose offsets, sizes and ids are those of the types on the machine that runs them. Decides which
 * target type is meant and what number it gives; which relocations there are, btf_ext.c reads. */
#ifndef WEIR_OBJ_CORE_H
#define WEIR_OBJ_CORE_H

#include "isa/insn.h"
#include "obj/btf_ext.h"

/* imm of the call that stands for an instruction without an answer: no helper has that number, so the verifier refuses the
 * program if the instruction can be reached, and only then. libbpf's number. */
#define CORE_POISON_IMM 195896080

/* Answers the relocation and patches insns[pc] of the program or section `where` (for messages). *poisoned (may be
 * NULL): the field, type or value doesn't exist in the target, and a call of CORE_POISON_IMM stands there now. target
 * NULL: only what is local can be answered, else -ENOENT says so. -EINVAL, -ENOTSUP, -ENOMEM with section, instruction,
 * and the path as text. */
int core_relocate(const struct btf *local, const struct btf *target, const struct core_relo *relo, const char *where,
	struct insn *insns, u32 len, u32 pc, bool *poisoned, struct diag *d);
/* Whether the relocation needs a target at all. */
bool core_needs_target(const struct core_relo *relo);
/* "byte offset of struct sk_buff.len": what a relocation asks for. */
void core_describe(const struct btf *local, const struct core_relo *relo, struct buf *out);

#endif
