#include "concrete.h"

#include "isa/insn.h"

u64 run64(u8 op, bool sign, u64 x, u64 y)
{
	switch (op) {
	case BPF_ADD:
		return x + y;
	case BPF_SUB:
		return x - y;
	case BPF_MUL:
		return x * y;
	case BPF_AND:
		return x & y;
	case BPF_OR:
		return x | y;
	case BPF_XOR:
		return x ^ y;
	case BPF_LSH:
		return x << (y & 63);
	case BPF_RSH:
		return x >> (y & 63);
	case BPF_ARSH:
		return (u64)((s64)x >> (y & 63));
	case BPF_NEG:
		return 0 - x;
	case BPF_DIV:
		if (!y)
			return 0;
		if (sign)
			return (s64)y == -1 ? 0 - x : (u64)((s64)x / (s64)y);
		return x / y;
	case BPF_MOD:
		if (!y)
			return x;
		if (sign)
			return (s64)y == -1 ? 0 : (u64)((s64)x % (s64)y);
		return x % y;
	}
	UNREACHABLE();
}

u64 run32(u8 op, bool sign, u32 x, u32 y)
{
	switch (op) {
	case BPF_LSH:
		return (u32)(x << (y & 31));
	case BPF_RSH:
		return x >> (y & 31);
	case BPF_ARSH:
		return (u32)((s32)x >> (y & 31));
	case BPF_DIV:
	case BPF_MOD:
		if (sign)
			return (u32)run64(op, true, (u64)(s64)(s32)x, (u64)(s64)(s32)y);
		return (u32)run64(op, false, x, y);
	default:
		return (u32)run64(op, false, x, y);
	}
}

bool compare64(u8 op, u64 x, u64 y)
{
	switch (op) {
	case BPF_JEQ:
		return x == y;
	case BPF_JNE:
		return x != y;
	case BPF_JGT:
		return x > y;
	case BPF_JGE:
		return x >= y;
	case BPF_JLT:
		return x < y;
	case BPF_JLE:
		return x <= y;
	case BPF_JSGT:
		return (s64)x > (s64)y;
	case BPF_JSGE:
		return (s64)x >= (s64)y;
	case BPF_JSLT:
		return (s64)x < (s64)y;
	case BPF_JSLE:
		return (s64)x <= (s64)y;
	case BPF_JSET:
		return (x & y) != 0;
	}
	UNREACHABLE();
}

bool compare32(u8 op, u64 x, u64 y)
{
	bool sign = op == BPF_JSGT || op == BPF_JSGE || op == BPF_JSLT || op == BPF_JSLE;

	if (sign)
		return compare64(op, (u64)(s64)(s32)(u32)x, (u64)(s64)(s32)(u32)y);
	return compare64(op, (u32)x, (u32)y);
}
