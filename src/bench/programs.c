/* The table of benchmark programs, and the memory each runs on. */
#include "bench/program.h"

#include <string.h>

#include "base/bytes.h"

static u64 next_random(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static void fill_random(u8 *mem, u32 bytes)
{
	u64 state = 1;

	for (u32 i = 0; i < bytes; i++)
		mem[i] = (u8)next_random(&state);
}

/* A table of rising numbers, then keys, half of which are in it. */
static void fill_table(u8 *mem, u32 bytes)
{
	u64 state = 2;
	u32 number = 0;

	for (u32 i = 0; i < 1024; i++) {
		number += 1 + (u32)(next_random(&state) % 60);
		store_le16(mem + 2 * i, (u16)number);
	}
	for (u32 at = 2048; at < bytes; at += 2) {
		u16 key = load_le16(mem + 2 * (next_random(&state) % 1024));

		store_le16(mem + at, (u16)(key + (at / 2) % 2));
	}
}

/* UDP from 2001:db8:c::, to port 1500: the 12th rule of parse.c. */
static void fill_packet(u8 *mem, u32 bytes)
{
	memset(mem, 0, bytes);
	store_be16(mem + 12, 0x86dd);
	mem[14] = 0x60;
	store_be16(mem + 18, (u16)(bytes - 54));
	mem[20] = 17;
	mem[21] = 64;
	store_be32(mem + 22, 0x20010db8);
	store_be16(mem + 26, 12);
	store_be16(mem + 28, 7);
	store_be16(mem + 54, 40000);
	store_be16(mem + 56, 1500);
	store_be16(mem + 58, (u16)(bytes - 54));
}

static const struct bench_program programs[] = {
	{"empty", "nothing", 64, fill_random, false},
	{"mix", "64-bit hash mix x 1000", 64, fill_random, true},
	{"checksum", "internet checksum of 1500 B", 1500, fill_random, true},
	{"parse", "Ethernet/IPv6/UDP, 16 address rules", 128, fill_packet, true},
	{"murmur", "32-bit murmur mix of 1024 B", 1024, fill_random, true},
	{"bswap", "byte swaps, 64 x 4", 1024, fill_random, true},
	{"search", "binary search in 1024 entries x 16", 2080, fill_table, true},
	{"memory", "memcpy and memcmp of 256 B", 512, fill_random, true},
	{"bubble", "bubble sort of 32 on the stack", 128, fill_random, true},
	{"siphash", "siphash-2-4 of 64 B", 80, fill_random, true},
	{"calls", "64 local calls", 64, fill_random, false},
	{"helper", "64 helper calls", 64, fill_random, false},
	{"line", "long straight line", 64, fill_random, false},
};

const struct bench_program *bench_program_at(size_t i)
{
	return i < ARRAY_LEN(programs) ? &programs[i] : NULL;
}

const struct bench_program *bench_program_by_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(programs); i++)
		if (!strcmp(programs[i].name, name))
			return &programs[i];
	return NULL;
}

const struct bench_code *bench_code_by_name(const char *name)
{
	for (size_t i = 0; i < bench_nr_codes; i++)
		if (!strcmp(bench_codes[i].name, name))
			return &bench_codes[i];
	return NULL;
}
