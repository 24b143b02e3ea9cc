/* What the files of BTF share. */
#ifndef WEIR_OBJ_BTF_INSIDE_H
#define WEIR_OBJ_BTF_INSIDE_H

#include "base/bytes.h"
#include "obj/btf.h"

struct btf {
	char *name;	/* owned */
	u8 *bytes;	/* owned: the whole section */
	u8 *types;	/* in bytes */
	size_t types_len;
	const char *strings; /* in bytes; starts and ends with NUL */
	size_t strings_len;
	u32 nr;	      /* types, with void */
	u32 *offs;    /* owned; of each type in `types` */
	u32 *buckets; /* owned; by the hash of the essential name, first id; 0 ends */
	u32 *chain;   /* owned; for each id the next one of its bucket */
	u32 bucket_mask;
	u32 *tags; /* owned; ids of DECL_TAGs */
	u32 nr_tags;
};

/* The parts of struct btf_type. */
static inline const u8 *btf_at(const struct btf *b, u32 id)
{
	return b->types + b->offs[id];
}

static inline u32 btf_raw_info(const u8 *t)
{
	return load_le32(t + 4);
}

static inline u32 btf_raw_kind(const u8 *t)
{
	return btf_raw_info(t) >> 24 & 0x1f;
}

static inline u32 btf_raw_vlen(const u8 *t)
{
	return btf_raw_info(t) & 0xffff;
}

static inline bool btf_raw_flag(const u8 *t)
{
	return btf_raw_info(t) >> 31;
}

static inline u32 btf_raw_size_or_type(const u8 *t)
{
	return load_le32(t + 8);
}

#define BTF_TYPE_BYTES 12 /* what every kind begins with */

/* What a kind consists of besides. */
struct btf_kind_row {
	const char *word; /* as messages call it */
	u8 fixed_bytes;	  /* behind the common part */
	u8 item_bytes;	  /* of each of vlen items behind that */
	bool refers;	  /* the last word of the common part is a type, not a size */
};

extern const struct btf_kind_row btf_kind_rows[BTF_NR_KINDS];

/* Takes `bytes`, also when it fails. Otherwise as btf_new. */
int btf_take(u8 *bytes, size_t len, const char *name, struct btf **btf, struct diag *d);
/* References, and that nothing contains itself; offs and strings are there. */
int btf_check_references(const struct btf *b, struct diag *d);

#endif
