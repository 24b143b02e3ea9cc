/* Types of every kind, for what reads BTF. */
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#define SEC(name) __attribute__((section(name), used))
#define __uint(name, val) int(*name)[val]
#define __type(name, val) typeof(val) *name
#define __array(name, val) typeof(val) *name[]

enum color { RED, GREEN = 5, BLUE = 0x7fffffff };
enum negative { MINUS = -3, PLUS = 3 };
enum wide { SMALL = 1, HUGE = 0x1122334455667788ull };

struct list {
	struct list *next;
	struct unknown *elsewhere;
};

struct bpf_spin_lock {
	u32 val;
};

struct inner {
	u8 a : 3;
	u8 b : 5;
	volatile const u32 c;
};

struct __attribute__((packed)) tight {
	u8 one;
	u64 eight;
};

struct value {
	u32 plain;
	struct bpf_spin_lock lock;
	union {
		u32 number;
		char text[12];
		struct {
			int deep;
		};
	};
	struct inner in[2];
	enum color color;
	enum negative negative;
	enum wide wide;
	_Bool flag;
	float real;
	double *reals;
	int (*function)(struct list *list, ...);
	struct tight tight;
	struct list list;
	unsigned long long bits : 40;
	signed long long sign : 7;
	_Bool yes : 1;
	u8 rest[];
};

typedef struct value value_type;
typedef value_type *value_pointer;

struct {
	__uint(type, 1);
	__uint(max_entries, 16);
	__type(key, u32);
	__type(value, value_type);
	__uint(pinning, 1);
} with_lock SEC(".maps");

struct inner_map {
	__uint(type, 2);
	__uint(max_entries, 3);
	__uint(key_size, 4);
	__uint(value_size, 8);
	__uint(map_flags, 0x400);
} first SEC(".maps"), second SEC(".maps");

struct {
	__uint(type, 12);
	__uint(max_entries, 2);
	__type(key, u32);
	__array(values, struct inner_map);
} outer SEC(".maps") = {.values = {[1] = &second}};

int program(void *ctx);

struct {
	__uint(type, 3);
	__uint(max_entries, 4);
	__uint(key_size, 4);
	__array(values, int(void *));
} programs SEC(".maps") = {.values = {(void *)0, (void *)&program}};

value_pointer global_pointer;
const volatile u32 constant = 7;
static volatile enum wide hidden = HUGE;
extern int CONFIG_HZ __attribute__((section(".kconfig")));

__attribute__((noinline)) int add(
	const struct list *list, u32 n, u64 wide, enum color color, void *nothing)
{
	return (int)(n + wide + color) + !list + !nothing;
}

__attribute__((noinline)) static void nothing_back(volatile u32 *p)
{
	*p += 1;
}

SEC("xdp") int program(void *ctx)
{
	u32 n = (u32)hidden;

	nothing_back(&n);
	return add(0, n, constant, GREEN, ctx) + CONFIG_HZ;
}

char LICENSE[] SEC("license") = "GPL";
