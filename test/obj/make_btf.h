/* BTF by hand, right or wrong: types as words in the order that the format has them, names as texts. */
#ifndef WEIR_TEST_MAKE_BTF_H
#define WEIR_TEST_MAKE_BTF_H

#include <string.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "obj/btf.h"

struct make_btf {
	struct buf types, strings;
	u32 last; /* id of the last type */
};

static inline u32 make_name(struct make_btf *m, const char *name)
{
	u32 off;

	if (!m->strings.len)
		buf_u8(&m->strings, 0);
	if (!name || !name[0])
		return 0;
	off = (u32)m->strings.len;
	buf_put(&m->strings, name, strlen(name) + 1);
	return off;
}

/* The common part; what the kind has besides follows by buf_le32(&m->types, ...). Its id. */
static inline u32 make_type(struct make_btf *m, const char *name, u32 kind, u32 vlen, u32 size_or_type)
{
	buf_le32(&m->types, make_name(m, name));
	buf_le32(&m->types, kind << 24 | vlen);
	buf_le32(&m->types, size_or_type);
	return ++m->last;
}

static inline u32 make_int(struct make_btf *m, const char *name, u32 size)
{
	u32 id = make_type(m, name, BTF_INT, 0, size);

	buf_le32(&m->types, size * 8);
	return id;
}

/* Of a struct, union (a: type, b: offset in bits), enum (a: value, once), prototype (a: type, once). */
static inline void make_item(struct make_btf *m, const char *name, u32 a)
{
	buf_le32(&m->types, make_name(m, name));
	buf_le32(&m->types, a);
}

static inline void make_field(struct make_btf *m, const char *name, u32 type, u32 bit_off)
{
	make_item(m, name, type);
	buf_le32(&m->types, bit_off);
}

static inline u32 make_array(struct make_btf *m, u32 type, u32 index, u32 nr)
{
	u32 id = make_type(m, NULL, BTF_ARRAY, 0, 0);

	buf_le32(&m->types, type);
	buf_le32(&m->types, index);
	buf_le32(&m->types, nr);
	return id;
}

/* Header, types, strings into out; m is empty afterwards. */
static inline void make_bytes(struct make_btf *m, struct buf *out)
{
	make_name(m, NULL);
	buf_le32(out, 0x0001eb9f);
	buf_le32(out, 24);
	buf_le32(out, 0);
	buf_le32(out, (u32)m->types.len);
	buf_le32(out, (u32)m->types.len);
	buf_le32(out, (u32)m->strings.len);
	buf_put(out, m->types.data, m->types.len);
	buf_put(out, m->strings.data, m->strings.len);
	buf_fini(&m->types);
	buf_fini(&m->strings);
	*m = (struct make_btf){0};
}

#endif
