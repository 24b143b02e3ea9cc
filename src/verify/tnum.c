#include "verify/tnum.h"

/* Bits below the highest one of x, and that one: the bits that differ somewhere in a range whose ends differ by x. */
static u64 smear(u64 x)
{
	return x ? UINT64_MAX >> __builtin_clzll(x) : 0;
}

struct tnum tnum_range(u64 min, u64 max)
{
	u64 mask = smear(min ^ max);

	return (struct tnum){min & ~mask, mask};
}

/* A sum's bit is unknown where an operand's is, or where the carry into it differs between the smallest and the
 * largest sum. */
struct tnum tnum_add(struct tnum a, struct tnum b)
{
	u64 least = a.value + b.value;
	u64 most = least + a.mask + b.mask;
	u64 mask = (least ^ most) | a.mask | b.mask;

	return (struct tnum){least & ~mask, mask};
}

struct tnum tnum_sub(struct tnum a, struct tnum b)
{
	u64 middle = a.value - b.value;
	u64 mask = ((middle + a.mask) ^ (middle - b.mask)) | a.mask | b.mask;

	return (struct tnum){middle & ~mask, mask};
}

/* Schoolbook: add b, shifted, for each bit of a that is one; for an unknown bit the sum may or may not get it. */
struct tnum tnum_mul(struct tnum a, struct tnum b)
{
	struct tnum sum = tnum_const(0);

	for (unsigned i = 0; i < 64 && tnum_max(a) >> i; i++) {
		struct tnum more = tnum_add(sum, tnum_lsh(b, i));

		if (a.value >> i & 1)
			sum = more;
		else if (a.mask >> i & 1)
			sum = tnum_union(sum, more);
	}
	return sum;
}

struct tnum tnum_and(struct tnum a, struct tnum b)
{
	u64 ones = a.value & b.value;

	return (struct tnum){ones, tnum_max(a) & tnum_max(b) & ~ones};
}

struct tnum tnum_or(struct tnum a, struct tnum b)
{
	u64 ones = a.value | b.value;

	return (struct tnum){ones, (a.mask | b.mask) & ~ones};
}

struct tnum tnum_xor(struct tnum a, struct tnum b)
{
	u64 mask = a.mask | b.mask;

	return (struct tnum){(a.value ^ b.value) & ~mask, mask};
}

struct tnum tnum_lsh(struct tnum a, unsigned count)
{
	return (struct tnum){a.value << count, a.mask << count};
}

struct tnum tnum_rsh(struct tnum a, unsigned count)
{
	return (struct tnum){a.value >> count, a.mask >> count};
}

struct tnum tnum_arsh(struct tnum a, unsigned count)
{
	return (struct tnum){(u64)((s64)a.value >> count), (u64)((s64)a.mask >> count)};
}

struct tnum tnum_union(struct tnum a, struct tnum b)
{
	u64 mask = a.mask | b.mask | (a.value ^ b.value);

	return (struct tnum){a.value & ~mask, mask};
}

bool tnum_intersect(struct tnum a, struct tnum b, struct tnum *out)
{
	if ((a.value ^ b.value) & ~a.mask & ~b.mask)
		return false;
	*out = (struct tnum){a.value | b.value, a.mask & b.mask};
	return true;
}

static u64 low_bits(unsigned bits)
{
	return UINT64_MAX >> (64 - bits);
}

struct tnum tnum_zext(struct tnum a, unsigned bits)
{
	return (struct tnum){a.value & low_bits(bits), a.mask & low_bits(bits)};
}

struct tnum tnum_sext(struct tnum a, unsigned bits)
{
	return tnum_arsh(tnum_lsh(a, 64 - bits), 64 - bits);
}

static u64 swap(u64 v, unsigned bits)
{
	return __builtin_bswap64(v) >> (64 - bits);
}

struct tnum tnum_bswap(struct tnum a, unsigned bits)
{
	return (struct tnum){swap(a.value, bits), swap(a.mask, bits)};
}

struct tnum tnum_with_low32(struct tnum high, struct tnum low)
{
	const u64 lo = UINT32_MAX;

	return (struct tnum){
		(high.value & ~lo) | (low.value & lo), (high.mask & ~lo) | (low.mask & lo)};
}
