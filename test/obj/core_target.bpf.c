/* The types of core.bpf.c as another machine has them. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;

enum color { GREEN = 2, RED = -1, BLUE___later = 30 };
enum wide { SMALL = 2, HUGE = 0x8877665544332211ull };

struct point {
	s32 y, z, x;
};

struct pair {
	u64 before;
	struct point p[3];
};

struct thing {
	u64 new_at_start;
	struct {
		union {
			u32 first;
			u32 moved_name;
		};
	};
	u16 half;
	u64 pad;
	u8 byte;
	u32 word; /* half as large */
	struct pair pairs[5];
	struct point at;
	const char *pointer;
	struct {
		u8 bytes[16];
		u32 in_union;
	} inner;
	union {
		u32 deep_inside;
		struct {
			u8 bytes[8];
			u32 in_union;
		};
	};
	struct {
		u32 pad;
		const volatile u32 deep;
	} named;
	u64 other_bits : 30, bits_b : 7;
	s32 bits_c : 13;
	u8 bits_a : 2;
	enum color color;
	u64 wider;
	s32 pad_again;
	long long signed_wider;
	u16 narrower;
	u32 many[8];
	u32 flexible[];
};

typedef struct thing thing_type;
typedef u32 (*function_type)(u32, struct thing *);
typedef u64 number;
struct forward {
	int known;
};
struct like {
	struct forward *f;
	u32 n;
	u64 more;
	struct thing *t;
	enum color c;
};
struct unlike {
	u32 n;
};

struct twice {
	u32 x;
};
struct twice___b {
	u64 a, b, x;
};

struct far {
	u8 pad[40000];
	u32 x;
};

struct odd {
	struct {
		u8 b[3];
	} pad;
	u16 x;
};

struct thing thing;
struct like like;
struct unlike unlike;
struct twice twice;
struct twice___b twice_b;
struct far far;
struct odd odd;
thing_type *pointer;
function_type function;
number number_here;
enum wide wide;
