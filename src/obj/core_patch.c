/* Instructions that get a target's number. */
#include "obj/core_inside.h"

static void poison(struct insn *insns, u32 pc)
{
	struct insn call = {.code = BPF_JMP | BPF_CALL, .imm = CORE_POISON_IMM};

	if (insn_is_ld_imm64(insns[pc]))
		insns[pc + 1] = call;
	insns[pc] = call;
}

static const char *patch_alu(
	struct insn *i, const struct core_answer *local, const struct core_answer *target)
{
	if (BPF_SRC(i->code) != BPF_K)
		return "the instruction has no immediate";
	if (local->checked && (u32)i->imm != (u32)local->value)
		return "the immediate isn't what the object's own types say";
	i->imm = (s32)(u32)target->value;
	return NULL;
}

static const char *patch_imm64(
	struct insn *i, const struct core_answer *local, const struct core_answer *target)
{
	u64 value = (u32)i[0].imm | (u64)(u32)i[1].imm << 32;

	if (i[0].src || i[0].off || i[1].code || i[1].dst || i[1].src || i[1].off)
		return "the 64-bit immediate isn't a plain number";
	if (local->checked && value != local->value)
		return "the immediate isn't what the object's own types say";
	i[0].imm = (s32)(u32)target->value;
	i[1].imm = (s32)(u32)(target->value >> 32);
	return NULL;
}

static const struct {
	u32 bytes;
	u8 size;
} sizes[] = {{1, BPF_B}, {2, BPF_H}, {4, BPF_W}, {8, BPF_DW}};

/* Another size of the access, when the field has one. */
static const char *patch_size(struct insn *i, u32 from, u32 to)
{
	for (size_t k = 0; k < ARRAY_LEN(sizes); k++)
		if (sizes[k].size == BPF_SIZE(i->code) && sizes[k].bytes != from)
			return "the access is of another size than the field, whose size differs "
			       "on the target";
	for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
		if (sizes[k].bytes == to) {
			i->code = (u8)((i->code & ~BPF_SIZE(0xff)) | sizes[k].size);
			return NULL;
		}
	}
	return "the target's field has no size that an instruction can access";
}

static const char *patch_memory(
	struct insn *i, const struct core_answer *local, const struct core_answer *target)
{
	if (local->checked && (i->off < 0 || (u64)i->off != local->value))
		return "the offset isn't what the object's own types say";
	if (target->value > INT16_MAX)
		return "the target's offset is too large for an instruction (32767)";
	i->off = (s16)target->value;
	return target->size == local->size ? NULL : patch_size(i, local->size, target->size);
}

const char *core_patch(struct insn *insns, u32 len, u32 pc, const struct core_answer *local,
	const struct core_answer *target, bool sizes_fit, bool *poisoned)
{
	struct insn *i = &insns[pc];
	unsigned cls = BPF_CLASS(i->code);
	bool memory = cls == BPF_LDX || cls == BPF_ST || cls == BPF_STX;

	if (insn_is_ld_imm64(*i) && pc + 1 == len)
		return "half a 64-bit immediate";
	*poisoned = target->missing || (memory && !sizes_fit);
	if (*poisoned) {
		poison(insns, pc);
		return NULL;
	}
	if (cls == BPF_ALU || cls == BPF_ALU64)
		return patch_alu(i, local, target);
	if (memory)
		return patch_memory(i, local, target);
	if (insn_is_ld_imm64(*i))
		return patch_imm64(i, local, target);
	return "the instruction has nothing to relocate";
}
