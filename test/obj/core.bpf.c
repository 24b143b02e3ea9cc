/* Programs that ask everything of types that the target has otherwise. Without CASE all that have an answer; with it one that
 * hasn't. No map, no global: the instructions are what they are but for CO-RE. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;

#define SEC(name) __attribute__((section(name), used))
#define CORE __attribute__((preserve_access_index))
#define field(expr, kind) __builtin_preserve_field_info(expr, kind)
#define type_info(type, kind) __builtin_preserve_type_info(*(type *)0, kind)
#define type_id(type, kind) __builtin_btf_type_id(*(type *)0, kind)
#define enum_info(type, value, kind) __builtin_preserve_enum_value(*(type *)value, kind)
enum { OFFSET, SIZE, EXISTS, SIGNED, LSHIFT, RSHIFT };
enum { TYPE_EXISTS, TYPE_SIZE, TYPE_MATCHES };

enum color { RED = 1, GREEN = 2, BLUE = 3, VIOLET = 9 };
enum wide { SMALL = 1, HUGE = 0x1122334455667788ull };
enum absent_enum { NOWHERE = 4 };

struct point {
	s32 x, y;
} CORE;

struct pair {
	struct point p[2];
} CORE;

struct thing {
	u32 first;
	u8 byte;
	u16 half;
	u64 word;
	struct point at;
	struct pair pairs[3];
	void *pointer;
	union {
		u32 in_union;
		u8 bytes[4];
	};
	struct {
		u32 deep;
	} named;
	u32 bits_a : 3, bits_b : 7;
	s32 bits_c : 9;
	enum color color;
	u32 gone;
	u32 wider;
	s32 signed_wider;
	u32 narrower;
	u32 many[8];
	u32 flexible[];
} CORE;

struct thing___other {
	u32 moved_name;
} CORE;

struct thing___wrong {
	struct point first; /* an int there */
} CORE;

struct absent {
	u32 a;
} CORE;

typedef struct thing thing_type;
typedef u32 (*function_type)(u32, struct thing *);
typedef u32 number;
struct forward;
struct like {
	struct thing *t;
	u32 n;
	struct forward *f;
	enum color c;
};
struct unlike {
	u64 n;
};

#ifndef CASE

SEC("socket") int loads(struct thing *t)
{
	int n = (int)t->first;

	n += t->byte;
	n += t->half;
	n += (int)t->word;
	n += t->at.y;
	n += t->pairs[2].p[1].x;
	n += t->in_union;
	n += t->bytes[3];
	n += t->named.deep;
	n += (int)t->color;
	n += t->many[7];
	n += t->flexible[5];
	return n + (int)(long)t->pointer;
}

SEC("socket") int another_element(struct thing *t)
{
	return t[3].half + (int)field(t[2].at, OFFSET);
}

SEC("socket") int stores(struct thing *t)
{
	t->half = 7;
	t->word = (u64)t;
	t->at.x = 3;
	return 0;
}

SEC("socket") int other_sizes(struct thing *t)
{
	return (int)(t->wider + t->narrower);
}

SEC("socket") int signed_other_size(struct thing *t)
{
	return t->signed_wider;
}

SEC("socket") int missing(struct thing *t)
{
	return field(t->gone, EXISTS) ? (int)t->gone : 1;
}

SEC("socket") int missing_word(struct thing *t)
{
	return (int)(field(t->gone, OFFSET) + field(t->gone, SIZE));
}

SEC("socket") int other_flavour(struct thing___other *t)
{
	return (int)t->moved_name;
}

SEC("socket") int wrong_kind(struct thing___wrong *t)
{
	return field(t->first, EXISTS);
}

SEC("socket") int numbers(struct thing *t)
{
	u64 n = field(t->first, OFFSET) + field(t->first, SIZE);

	n = n * 3 + field(t->word, EXISTS);
	n = n * 3 + field(t->at.y, OFFSET);
	n = n * 3 + field(t->pairs, SIZE);
	n = n * 3 + field(t->pairs[1], SIZE);
	n = n * 3 + field(t->pairs[1].p[1].y, OFFSET);
	n = n * 3 + field(t->half, SIGNED);
	n = n * 3 + field(t->at.x, SIGNED);
	n = n * 3 + field(t->color, SIGNED);
	n = n * 3 + field(t->half, LSHIFT);
	n = n * 3 + field(t->half, RSHIFT);
	return (int)n;
}

SEC("socket") int bitfields(struct thing *t)
{
	u64 n = 0;

	n = n * 3 + field(t->bits_a, OFFSET) + field(t->bits_a, SIZE) + field(t->bits_a, LSHIFT) +
	    field(t->bits_a, RSHIFT);
	n = n * 3 + field(t->bits_b, OFFSET) + field(t->bits_b, SIZE) + field(t->bits_b, LSHIFT) +
	    field(t->bits_b, RSHIFT);
	n = n * 3 + field(t->bits_c, OFFSET) + field(t->bits_c, SIZE) + field(t->bits_c, LSHIFT) +
	    field(t->bits_c, RSHIFT);
	return (int)(n + field(t->bits_c, SIGNED) + field(t->bits_a, SIGNED));
}

SEC("socket") int types(void)
{
	u64 n = type_info(struct thing, TYPE_EXISTS);

	n = n * 3 + type_info(struct thing, TYPE_SIZE);
	n = n * 3 + type_info(struct absent, TYPE_EXISTS);
	n = n * 3 + type_info(struct absent, TYPE_SIZE);
	n = n * 3 + type_info(thing_type, TYPE_EXISTS);
	n = n * 3 + type_info(thing_type, TYPE_SIZE);
	n = n * 3 + type_info(function_type, TYPE_EXISTS);
	n = n * 3 + type_info(enum color, TYPE_EXISTS);
	n = n * 3 + type_info(enum absent_enum, TYPE_EXISTS);
	n = n * 3 + type_info(number, TYPE_EXISTS);
	n = n * 3 + type_info(union never, TYPE_EXISTS);
	return (int)n;
}

SEC("socket") u64 ids(void)
{
	return type_id(struct thing, 0) + type_id(struct thing, 1) * 3 +
	       type_id(struct absent, 1) * 5 + type_id(thing_type, 1);
}

SEC("socket") u64 enums(void)
{
	u64 n = enum_info(enum color, RED, 0);

	n = n * 3 + enum_info(enum color, GREEN, 1);
	n = n * 3 + enum_info(enum color, BLUE, 0);
	n = n * 3 + enum_info(enum color, BLUE, 1);
	n = n * 3 + enum_info(enum color, VIOLET, 0);
	n = n * 3 + enum_info(enum absent_enum, NOWHERE, 0);
	return n;
}

SEC("socket") u64 missing_value(void)
{
	return enum_info(enum color, VIOLET, 1);
}

#if __clang_major__ >= 15
SEC("socket") u64 wide_enums(void)
{
	return enum_info(enum wide, SMALL, 1) + enum_info(enum wide, HUGE, 1) * 3 +
	       enum_info(enum wide, HUGE, 0);
}

SEC("socket") int likeness(void)
{
	u64 n = type_info(struct like, TYPE_MATCHES);

	n = n * 3 + type_info(struct unlike, TYPE_MATCHES);
	n = n * 3 + type_info(struct point, TYPE_MATCHES);
	n = n * 3 + type_info(struct thing, TYPE_MATCHES);
	n = n * 3 + type_info(struct absent, TYPE_MATCHES);
	n = n * 3 + type_info(enum color, TYPE_MATCHES);
	n = n * 3 + type_info(function_type, TYPE_MATCHES);
	n = n * 3 + type_info(number, TYPE_MATCHES);
	return (int)n;
}
#endif

#elif CASE == 1
struct twice {
	u32 pad, x;
} CORE;

/* Two types of this name, with different answers. */
SEC("socket") int ambiguous(struct twice *t)
{
	return (int)t->x;
}
#elif CASE == 2
struct far {
	u32 x;
} CORE;

/* The target's offset is no 16-bit number. */
SEC("socket") int too_far(struct far *t)
{
	return (int)t->x;
}
#elif CASE == 3
struct odd {
	u32 x;
} CORE;

/* Three bytes in the target. */
SEC("socket") int odd_size(struct odd *t)
{
	return (int)t->x;
}
#endif

char LICENSE[] SEC("license") = "GPL";
