/* Values as text. Every read is bounded by the bytes there are: types may say more than that. */
#include "obj/typeprint.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "obj/btf.h"

struct printer {
	const struct btf *btf;
	struct buf *out;
	const u8 *bytes;
	u64 bits_there; /* 8 * number of bytes */
	/* Parts that may still be printed. Types of no size, or unions in unions, could name the same byte without end. */
	u64 budget;
};

/* A part of the value. */
struct part {
	u32 type;
	u64 bit_off;
	u32 bits; /* of a bitfield, else 0 */
};

static void print_part(struct printer *p, struct part part);

static bool is_there(const struct printer *p, u64 bit_off, u64 bits)
{
	return bit_off <= p->bits_there && bits <= p->bits_there - bit_off;
}

static void print_hex(struct buf *out, const u8 *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		buf_printf(out, "%02x", bytes[i]);
}

/* Up to 64 bits that are there. */
static u64 read_bits(const struct printer *p, u64 bit_off, u32 bits)
{
	u64 value = 0;

	for (u32 i = 0; i < bits; i++) {
		u64 at = bit_off + i;

		value |= (u64)(p->bytes[at / 8] >> at % 8 & 1) << i;
	}
	return value;
}

static u64 read_number(const struct printer *p, u64 bit_off, u32 bits)
{
	u64 value = 0;

	if (bit_off % 8 || bits % 8)
		return read_bits(p, bit_off, bits);
	memcpy(&value, p->bytes + bit_off / 8, bits / 8);
	return value;
}

static s64 sign_extend(u64 value, u32 bits)
{
	u32 shift = 64 - bits;

	return bits ? (s64)(value << shift) >> shift : 0;
}

static void print_int(struct printer *p, const struct btf_info *info, struct part part, u32 bits)
{
	u64 value;

	if (bits > 64) { /* __int128: no number that everybody reads */
		buf_puts(p->out, "\"0x");
		for (u32 i = bits / 8; i-- > 0;)
			buf_printf(p->out, "%02x", (u8)read_bits(p, part.bit_off + 8 * i, 8));
		buf_puts(p->out, "\"");
		return;
	}
	value = read_number(p, part.bit_off, bits);
	if (info->is_bool && value <= 1)
		buf_puts(p->out, value ? "true" : "false");
	else if (info->is_signed)
		buf_printf(p->out, "%" PRId64, sign_extend(value, bits));
	else
		buf_printf(p->out, "%" PRIu64, value);
}

static void print_enum(
	struct printer *p, u32 id, const struct btf_info *info, struct part part, u32 bits)
{
	u64 value = read_number(p, part.bit_off, bits),
	    mask = bits < 64 ? (1ull << bits) - 1 : UINT64_MAX;

	for (u32 i = 0; i < info->nr; i++) {
		struct btf_value v = btf_get_value(p->btf, id, i);

		if ((v.value & mask) == value) {
			buf_printf(p->out, "\"%s\"", v.name);
			return;
		}
	}
	if (info->is_signed)
		buf_printf(p->out, "%" PRId64, sign_extend(value, bits));
	else
		buf_printf(p->out, "%" PRIu64, value);
}

static void print_float(struct printer *p, const struct btf_info *info, struct part part)
{
	const u8 *at = p->bytes + part.bit_off / 8;
	double number;
	float narrow;

	if (part.bit_off % 8 || (info->size != sizeof(narrow) && info->size != sizeof(number))) {
		buf_puts(p->out, "null");
		return;
	}
	if (info->size == sizeof(narrow)) {
		memcpy(&narrow, at, sizeof(narrow));
		number = (double)narrow;
	} else {
		memcpy(&number, at, sizeof(number));
	}
	if (isfinite(number))
		buf_printf(p->out, "%.*g", info->size == sizeof(narrow) ? 9 : 17, number);
	else
		buf_printf(p->out, "\"%g\"", number);
}

/* Characters up to the first NUL or the end, if all of them can be printed: a string. */
static bool print_string(struct printer *p, const struct btf_info *array,
	const struct btf_info *element, u64 bit_off)
{
	const char *text = (const char *)p->bytes + bit_off / 8;
	size_t len = 0;

	if (element->kind != BTF_INT || element->size != 1 || element->is_bool ||
		(!element->is_char && strcmp(element->name, "char")))
		return false;
	if (!array->nr || bit_off % 8 || !is_there(p, bit_off, 8ull * array->nr))
		return false;
	for (; len < array->nr && text[len]; len++)
		if (text[len] < 0x20 || text[len] > 0x7e)
			return false;
	buf_u8(p->out, '"');
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"' || text[i] == '\\')
			buf_u8(p->out, '\\');
		buf_u8(p->out, (u8)text[i]);
	}
	buf_u8(p->out, '"');
	return true;
}

static void print_array(struct printer *p, const struct btf_info *info, struct part part)
{
	struct btf_info element = btf_get(p->btf, btf_resolve(p->btf, info->type));
	u32 size;

	if (print_string(p, info, &element, part.bit_off))
		return;
	buf_u8(p->out, '[');
	if (btf_size_of(p->btf, info->type, &size) && size) {
		for (u32 i = 0; i < info->nr && p->budget; i++) {
			u64 bit_off = part.bit_off + 8ull * size * i;

			if (!is_there(p, bit_off, 8))
				break;
			buf_puts(p->out, i ? "," : "");
			print_part(p, (struct part){.type = info->type, .bit_off = bit_off});
		}
	}
	buf_u8(p->out, ']');
}

static void print_name(struct printer *p, const char *name, bool *first)
{
	buf_printf(p->out, "%s\"%s\":", *first ? "" : ",", name);
	*first = false;
}

/* Whether the part is of a kind that may end beyond the bytes there are. */
static bool may_be_cut(enum btf_kind kind)
{
	return kind == BTF_ARRAY || kind == BTF_STRUCT || kind == BTF_UNION;
}

static void print_members(struct printer *p, u32 id, u64 base, bool *first)
{
	u32 nr = btf_get(p->btf, id).nr;

	for (u32 i = 0; i < nr && p->budget; i++) {
		struct btf_field f = btf_get_field(p->btf, id, i);
		struct part part = {.type = f.type, .bit_off = base + f.bit_off, .bits = f.bits};
		u32 inner = btf_resolve(p->btf, f.type), size = 0;
		enum btf_kind kind = btf_get(p->btf, inner).kind;

		p->budget--;
		if (!f.name[0] && (kind == BTF_STRUCT || kind == BTF_UNION)) {
			print_members(p, inner, part.bit_off, first);
			continue;
		}
		if (!f.name[0]) /* padding */
			continue;
		btf_size_of(p->btf, f.type, &size);
		if (!is_there(p, part.bit_off,
			    may_be_cut(kind) ? 0
			    : f.bits         ? f.bits
					     : 8ull * size))
			continue;
		print_name(p, f.name, first);
		print_part(p, part);
	}
}

static void print_section(struct printer *p, u32 id, u64 base)
{
	u32 nr = btf_get(p->btf, id).nr;
	bool first = true;

	for (u32 i = 0; i < nr && p->budget; i++) {
		struct btf_secvar v = btf_get_secvar(p->btf, id, i);
		struct btf_info var = btf_get(p->btf, v.var);

		p->budget--;
		if (!is_there(p, base + 8ull * v.off, 8ull * v.size))
			continue;
		print_name(p, var.name, &first);
		print_part(p, (struct part){.type = var.type, .bit_off = base + 8ull * v.off});
	}
}

static void print_scalar(struct printer *p, u32 id, const struct btf_info *info, struct part part)
{
	u32 size = 0, bits;

	btf_size_of(p->btf, id, &size);
	bits = part.bits ? part.bits : 8 * size;
	if (!bits || size > 16 || !is_there(p, part.bit_off, bits))
		buf_puts(p->out, "null");
	else if (info->kind == BTF_INT)
		print_int(p, info, part, bits);
	else if (info->kind == BTF_FLOAT)
		print_float(p, info, part);
	else if (bits > 64)
		buf_puts(p->out, "null");
	else if (info->kind == BTF_PTR)
		buf_printf(p->out, "\"0x%" PRIx64 "\"", read_number(p, part.bit_off, bits));
	else
		print_enum(p, id, info, part, bits);
}

static void print_part(struct printer *p, struct part part)
{
	u32 id = btf_resolve(p->btf, part.type);
	struct btf_info info = btf_get(p->btf, id);
	bool first = true;

	p->budget -= p->budget > 0;
	switch (info.kind) {
	case BTF_INT:
	case BTF_FLOAT:
	case BTF_PTR:
	case BTF_ENUM:
	case BTF_ENUM64:
		print_scalar(p, id, &info, part);
		return;
	case BTF_ARRAY:
		print_array(p, &info, part);
		return;
	case BTF_STRUCT:
	case BTF_UNION:
		buf_u8(p->out, '{');
		print_members(p, id, part.bit_off, &first);
		buf_u8(p->out, '}');
		return;
	case BTF_DATASEC:
		buf_u8(p->out, '{');
		print_section(p, id, part.bit_off);
		buf_u8(p->out, '}');
		return;
	case BTF_VAR:
		print_part(p, (struct part){.type = info.type, .bit_off = part.bit_off});
		return;
	case BTF_VOID:
	case BTF_FWD:
	case BTF_TYPEDEF:
	case BTF_VOLATILE:
	case BTF_CONST:
	case BTF_RESTRICT:
	case BTF_FUNC:
	case BTF_FUNC_PROTO:
	case BTF_DECL_TAG:
	case BTF_TYPE_TAG:
	case BTF_NR_KINDS:
		break;
	}
	buf_puts(p->out, "null");
}

void typeprint(const struct btf *btf, u32 type, const void *bytes, size_t len, struct buf *out)
{
	struct printer p = {.btf = btf,
		.out = out,
		.bytes = bytes,
		.bits_there = 8ull * len,
		.budget = 100000 + 64ull * len};

	if (btf && type) {
		print_part(&p, (struct part){.type = type});
		return;
	}
	buf_u8(out, '"');
	print_hex(out, bytes, len);
	buf_u8(out, '"');
}
