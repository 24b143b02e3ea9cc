/* Types of every kind with values in them, the same for the host's compiler and for BPF. */
#ifndef WEIR_TEST_TYPEPRINT_TYPES_H
#define WEIR_TEST_TYPEPRINT_TYPES_H

enum color { RED, GREEN = 5, BLUE = 6 };
enum negative { MINUS = -3, PLUS = 3 };

struct __attribute__((packed)) tight {
	unsigned char a;
	unsigned long long b;
};

struct bits {
	unsigned int a : 3;
	int b : 5;
	unsigned long long c : 40;
	_Bool d : 1;
	enum color color : 3;
};

struct typeprint_value {
	unsigned char u8;
	signed char s8;
	unsigned long long u64;
	long long s64;
	enum color color;
	volatile const enum color unknown;
	enum negative negative;
	_Bool yes;
	char name[16];
	unsigned char not_text[3];
	char full[4];
	int numbers[2][2];
	union {
		unsigned int in_union;
		unsigned char bytes[4];
	};
	struct tight tight;
	struct bits bits;
	float real;
	double very_real;
	void *pointer;
	int (*function)(int);
	int last[];
};

#endif
