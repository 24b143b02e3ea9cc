/* Every encoder against an assembler: the test writes down what each word should read as, in the plain (not alias) form,
 * has llvm-mc assemble that text, and compares. Logical immediates are checked exhaustively against the Arm ARM's decoder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "jit/arm64/enc.h"
#include "watch.h"

#include "arm64_watched.h"

struct sheet {
	struct buf text;
	struct buf words;
};

static void expect(struct sheet *s, u32 word, const char *fmt, ...) PRINTF_LIKE(3, 4);
static void expect(struct sheet *s, u32 word, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	buf_vprintf(&s->text, fmt, args);
	va_end(args);
	buf_puts(&s->text, "\n");
	buf_le32(&s->words, word);
}

/* The n-th line of the sheet, for messages. */
static void print_line(struct sheet *s, size_t n)
{
	const char *line = buf_cstr(&s->text);

	while (n--)
		line = strchr(line, '\n') + 1;
	print_error("  %.*s\n", (int)strcspn(line, "\n"), line);
}

/* Assembles the sheet's text and compares; the sheet is used up. */
static void check_sheet(struct sheet *s)
{
	const char *assembler = getenv("WEIR_LLVM_MC");
	char path[] = "/tmp/weir-arm64-enc-XXXXXX";
	char command[512], line[512];
	size_t n = 0, wrong = 0;

	if (!assembler) {
		buf_fini(&s->text);
		buf_fini(&s->words);
		print_message(
			"WEIR_LLVM_MC is not set: encodings are not compared with an assembler\n");
		skip();
	}
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, s->text.data, s->text.len), (ssize_t)s->text.len);
	close(fd);
	snprintf(command, sizeof(command),
		"%s -triple=aarch64 -mattr=+lse,+pauth,+bti --show-encoding %s 2>&1", assembler,
		path);
	FILE *out = popen(command, "r");
	assert_non_null(out);
	while (fgets(line, sizeof(line), out)) {
		const char *at = strstr(line, "encoding: [");
		unsigned b[4];

		if (strstr(line, "error:"))
			fail_msg("assembler: %s", line);
		if (!at || sscanf(at, "encoding: [%x,%x,%x,%x]", &b[0], &b[1], &b[2], &b[3]) != 4)
			continue;
		u32 want = b[0] | b[1] << 8 | b[2] << 16 | b[3] << 24, got;
		assert_true(n < s->words.len / 4);
		memcpy(&got, s->words.data + 4 * n, 4);
		if (got != want && wrong++ < 10) {
			print_error("%08" PRIx32 " should be %08" PRIx32 ":\n", got, want);
			print_line(s, n);
		}
		n++;
	}
	pclose(out);
	unlink(path);
	assert_int_equal(n, s->words.len / 4);
	assert_int_equal(wrong, 0);
	buf_fini(&s->text);
	buf_fini(&s->words);
}

static const unsigned regs[] = {0, 1, 7, 10, 19, 25, 30};

static const char *const names[2][32] = {
	{"w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9", "w10", "w11", "w12", "w13",
		"w14", "w15", "w16", "w17", "w18", "w19", "w20", "w21", "w22", "w23", "w24", "w25",
		"w26", "w27", "w28", "w29", "w30", "wzr"},
	{"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
		"x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25",
		"x26", "x27", "x28", "x29", "x30", "xzr"},
};
static const char *const shifts[] = {"lsl", "lsr", "asr", "ror"};
static const char *const extends[] = {
	"uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx"};
static const char *const conds[] = {
	"eq",
	"ne",
	"hs",
	"lo",
	"mi",
	"pl",
	"vs",
	"vc",
	"hi",
	"ls",
	"ge",
	"lt",
	"gt",
	"le",
	"al",
};

/* Some register, different for different i. */
static unsigned some(unsigned i)
{
	return regs[i % ARRAY_LEN(regs)];
}

static void add_subtract(void **state)
{
	static const char *const ops[] = {"add", "adds", "sub", "subs"};
	struct sheet s = {0};

	(void)state;
	for (unsigned w = 0; w < 2; w++) {
		for (unsigned op = 0; op < 4; op++) {
			for (u32 imm = 0; imm < 4096; imm += imm < 8 ? 1 : 509)
				expect(&s, a64_addsub_imm(w, op, some(imm), some(imm + 1), imm),
					"%s %s, %s, #%u", ops[op], names[w][some(imm)],
					names[w][some(imm + 1)], imm);
			for (u32 imm = 4096; imm < 1u << 24; imm += 4096 * 127)
				expect(&s, a64_addsub_imm(w, op, 3, 4, imm),
					"%s %s, %s, #%u, lsl #12", ops[op], names[w][3],
					names[w][4], imm >> 12);
			for (unsigned shift = 0; shift < 3; shift++)
				for (unsigned amount = 0; amount < (w ? 64u : 32u); amount++)
					expect(&s,
						a64_addsub_reg(w, op, some(amount),
							some(amount / 3), some(amount + 2), shift,
							amount),
						"%s %s, %s, %s, %s #%u", ops[op],
						names[w][some(amount)], names[w][some(amount / 3)],
						names[w][some(amount + 2)], shifts[shift], amount);
			for (unsigned i = 0; i < 32; i++)
				expect(&s, a64_addsub_reg(w, op, i, 31 - i, i ^ 5, A64_LSL, 0),
					"%s %s, %s, %s", ops[op], names[w][i], names[w][31 - i],
					names[w][i ^ 5]);
			for (unsigned extend = 0; extend < 8; extend++)
				for (unsigned amount = 0; amount < 5; amount++)
					expect(&s,
						a64_addsub_ext(w, op, some(amount + extend),
							some(extend + 1), some(amount), extend,
							amount),
						"%s %s, %s, %s, %s #%u", ops[op],
						names[w][some(amount + extend)],
						names[w][some(extend + 1)],
						names[w && (extend & 3) == 3][some(amount)],
						extends[extend], amount);
		}
	}
	expect(&s, a64_addsub_imm(A64_X, A64_ADD, 25, A64_SP, 16), "add x25, sp, #16");
	expect(&s, a64_addsub_imm(A64_X, A64_SUB, A64_SP, A64_SP, 512), "sub sp, sp, #512");
	check_sheet(&s);
	assert_false(a64_is_addsub_imm(4097) || a64_is_addsub_imm(1u << 24) ||
		     a64_is_addsub_imm(UINT64_MAX));
}

static void logical(void **state)
{
	static const char *const ops[] = {"and", "bic", "orr", "orn", "eor", "eon", "ands", "bics"};
	struct sheet s = {0};

	(void)state;
	for (unsigned w = 0; w < 2; w++)
		for (unsigned op = 0; op < 8; op++)
			for (unsigned shift = 0; shift < 4; shift++)
				for (unsigned amount = 0; amount < (w ? 64u : 32u); amount += 3)
					expect(&s,
						a64_logic_reg(w, op, some(amount), 31 - amount / 3,
							amount / 3, shift, amount),
						"%s %s, %s, %s, %s #%u", ops[op],
						names[w][some(amount)], names[w][31 - amount / 3],
						names[w][amount / 3], shifts[shift], amount);
	check_sheet(&s);
}

/* Arm ARM, DecodeBitMasks(N, imms, immr, TRUE): false for reserved values. */
static bool decode_bitmask(u32 field, u64 *value)
{
	unsigned n = field >> 12, immr = field >> 6 & 0x3f, imms = field & 0x3f;
	unsigned combined = n << 6 | (~imms & 0x3f);

	if (combined < 2)
		return false;
	unsigned len = 31 - (unsigned)__builtin_clz(combined);
	unsigned size = 1u << len, levels = size - 1;
	unsigned ones = (imms & levels) + 1, rotate = immr & levels;
	if (ones == size)
		return false;
	u64 pattern = 0;
	for (unsigned i = 0; i < 64; i++)
		if ((i % size + rotate) % size < ones)
			pattern |= (u64)1 << i;
	*value = pattern;
	return true;
}

static int compare_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* All values that some field decodes to, sorted and without repeats; returns their number. */
static size_t all_patterns(u64 *patterns, u32 fields)
{
	size_t nr = 0, unique = 0;

	for (u32 field = 0; field < fields; field++)
		nr += decode_bitmask(field, &patterns[nr]);
	qsort(patterns, nr, sizeof(*patterns), compare_u64);
	for (size_t i = 0; i < nr; i++)
		if (i == 0 || patterns[i] != patterns[i - 1])
			patterns[unique++] = patterns[i];
	return unique;
}

static void check_not_pattern(const u64 *patterns, size_t nr, u64 value)
{
	u32 field;

	if (!bsearch(&value, patterns, nr, sizeof(value), compare_u64))
		assert_false(a64_bitmask(A64_X, value, &field));
}

static void logical_immediates(void **state)
{
	static u64 patterns[8192];
	static const char *const ops[] = {"and", "orr", "eor", "ands"};
	struct sheet s = {0};
	u64 decoded = 0;
	u32 field = 0;

	(void)state;
	size_t nr = all_patterns(patterns, 1u << 13);
	assert_int_equal(nr, 5334);
	for (size_t i = 0; i < nr; i++) {
		assert_true(a64_bitmask(A64_X, patterns[i], &field));
		assert_true(decode_bitmask(field, &decoded) && decoded == patterns[i]);
		expect(&s,
			a64_logic_imm(A64_X, (unsigned)(i % 4 * 2), some((unsigned)i),
				(unsigned)i % 31, field),
			"%s %s, %s, #0x%" PRIx64, ops[i % 4], names[1][some((unsigned)i)],
			names[1][i % 31], patterns[i]);
		for (unsigned bit = 0; bit < 64; bit++)
			check_not_pattern(patterns, nr, patterns[i] ^ (u64)1 << bit);
		check_not_pattern(patterns, nr, patterns[i] * 3);
	}
	check_not_pattern(patterns, nr, 0);
	check_not_pattern(patterns, nr, UINT64_MAX);

	nr = all_patterns(patterns, 1u << 12); /* N = 0: the words */
	assert_int_equal(nr, 1302);
	for (size_t i = 0; i < nr; i++) {
		u32 word = (u32)patterns[i];

		assert_true(a64_bitmask(A64_W, word | (u64)i << 32, &field));
		assert_true(decode_bitmask(field, &decoded) && decoded == patterns[i]);
		expect(&s,
			a64_logic_imm(A64_W, (unsigned)(i % 4 * 2), some((unsigned)i),
				(unsigned)i % 31, field),
			"%s %s, %s, #0x%" PRIx32, ops[i % 4], names[0][some((unsigned)i)],
			names[0][i % 31], word);
		for (unsigned bit = 0; bit < 32; bit++) {
			u64 twice = (word ^ 1u << bit) | (u64)(word ^ 1u << bit) << 32;

			if (!bsearch(&twice, patterns, nr, sizeof(twice), compare_u64))
				assert_false(a64_bitmask(A64_W, twice, &field));
		}
	}
	assert_false(
		a64_bitmask(A64_W, UINT32_MAX, &field) || a64_bitmask(A64_W, (u64)1 << 40, &field));
	check_sheet(&s);
}

static void moves_and_bitfields(void **state)
{
	static const char *const moves[] = {"movn", "", "movz", "movk"};
	static const char *const fields[] = {"sbfm", "bfm", "ubfm"};
	struct sheet s = {0};

	(void)state;
	for (unsigned w = 0; w < 2; w++) {
		unsigned bits = w ? 64 : 32;

		for (unsigned shift = 0; shift < bits; shift += 16)
			for (unsigned op = 0; op < 4; op += op ? 1 : 2)
				for (u32 imm = 0; imm < 1u << 16; imm += 0x1fff)
					expect(&s, a64_movw(w, op, some(imm), imm, shift),
						"%s %s, #%u, lsl #%u", moves[op],
						names[w][some(imm)], imm, shift);
		for (unsigned op = 0; op < 3; op++)
			for (unsigned immr = 0; immr < bits; immr++)
				for (unsigned imms = immr % 7; imms < bits; imms += 7)
					expect(&s,
						a64_bitfield(w, op, some(immr + 1), some(imms),
							immr, imms),
						"%s %s, %s, #%u, #%u", fields[op],
						names[w][some(immr + 1)], names[w][some(imms)],
						immr, imms);
		for (unsigned amount = 0; amount < bits; amount++) {
			expect(&s, a64_lsl_imm(w, some(amount), amount % 31, amount),
				"lsl %s, %s, #%u", names[w][some(amount)], names[w][amount % 31],
				amount);
			expect(&s, a64_lsr_imm(w, some(amount), amount % 31, amount),
				"lsr %s, %s, #%u", names[w][some(amount)], names[w][amount % 31],
				amount);
			expect(&s, a64_asr_imm(w, some(amount), amount % 31, amount),
				"asr %s, %s, #%u", names[w][some(amount)], names[w][amount % 31],
				amount);
			expect(&s, a64_extr(w, amount % 31, some(amount), 30 - amount % 31, amount),
				"extr %s, %s, %s, #%u", names[w][amount % 31],
				names[w][some(amount)], names[w][30 - amount % 31], amount);
		}
	}
	check_sheet(&s);
}

static void arithmetic(void **state)
{
	static const struct {
		enum a64_dp2 op;
		const char *name;
	} dp2[] = {
		{A64_UDIV, "udiv"},
		{A64_SDIV, "sdiv"},
		{A64_LSLV, "lsl"},
		{A64_LSRV, "lsr"},
		{A64_ASRV, "asr"},
		{A64_RORV, "ror"},
	};
	static const struct {
		enum a64_dp3 op;
		const char *name;
	} long3[] = {
		{A64_SMADDL, "smaddl"},
		{A64_SMSUBL, "smsubl"},
		{A64_UMADDL, "umaddl"},
		{A64_UMSUBL, "umsubl"},
	};
	static const struct {
		enum a64_dp1 op;
		const char *name[2];
	} dp1[] = {
		{A64_RBIT, {"rbit", "rbit"}},
		{A64_REV16, {"rev16", "rev16"}},
		{A64_REV32, {"rev", "rev32"}},
		{A64_CLZ, {"clz", "clz"}},
		{A64_CLS, {"cls", "cls"}},
	};
	struct sheet s = {0};

	(void)state;
	for (unsigned i = 0; i < 32; i++) {
		unsigned j = 31 - i, k = i ^ 9;

		for (unsigned w = 0; w < 2; w++) {
			const char *const *n = names[w];

			for (size_t op = 0; op < ARRAY_LEN(dp2); op++)
				expect(&s, a64_dp2(w, dp2[op].op, i, j, k), "%s %s, %s, %s",
					dp2[op].name, n[i], n[j], n[k]);
			for (size_t op = 0; op < ARRAY_LEN(dp1); op++)
				expect(&s, a64_dp1(w, dp1[op].op, i, k), "%s %s, %s",
					dp1[op].name[w], n[i], n[k]);
			expect(&s, a64_dp3(w, A64_MADD, i, j, k, i), "madd %s, %s, %s, %s", n[i],
				n[j], n[k], n[i]);
			expect(&s, a64_dp3(w, A64_MSUB, i, j, k, j), "msub %s, %s, %s, %s", n[i],
				n[j], n[k], n[j]);
		}
		for (size_t op = 0; op < ARRAY_LEN(long3); op++)
			expect(&s, a64_dp3(A64_X, long3[op].op, i, j, k, j), "%s %s, %s, %s, %s",
				long3[op].name, names[1][i], names[0][j], names[0][k], names[1][j]);
		expect(&s, a64_dp3(A64_X, A64_SMULH, i, j, k, A64_ZR), "smulh %s, %s, %s",
			names[1][i], names[1][j], names[1][k]);
		expect(&s, a64_dp3(A64_X, A64_UMULH, i, j, k, A64_ZR), "umulh %s, %s, %s",
			names[1][i], names[1][j], names[1][k]);
		expect(&s, a64_dp1(A64_X, A64_REV64, i, j), "rev %s, %s", names[1][i], names[1][j]);
	}
	check_sheet(&s);
}

static void conditions(void **state)
{
	static const char *const selects[] = {"csel", "csinc", "csinv", "csneg"};
	static const char *const compares[] = {"ccmn", "ccmp"};
	struct sheet s = {0};

	(void)state;
	for (unsigned w = 0; w < 2; w++) {
		for (unsigned cond = 0; cond < 14; cond++) {
			const char *const *n = names[w];

			for (unsigned op = 0; op < 4; op++)
				expect(&s,
					a64_csel(w, op, some(cond), (cond * 5 + 3) % 31,
						(cond * 11 + 1) % 32, cond),
					"%s %s, %s, %s, %s", selects[op], n[some(cond)],
					n[(cond * 5 + 3) % 31], n[(cond * 11 + 1) % 32],
					conds[cond]);
			for (unsigned op = 0; op < 2; op++) {
				expect(&s,
					a64_ccmp_reg(w, op, (cond * 5 + 3) % 31, some(cond),
						cond + 1, cond),
					"%s %s, %s, #%u, %s", compares[op], n[(cond * 5 + 3) % 31],
					n[some(cond)], cond + 1, conds[cond]);
				expect(&s,
					a64_ccmp_imm(
						w, op, some(cond), cond * 7 % 32, 15 - cond, cond),
					"%s %s, #%u, #%u, %s", compares[op], n[some(cond)],
					cond * 7 % 32, 15 - cond, conds[cond]);
			}
		}
	}
	check_sheet(&s);
	for (unsigned cond = 0; cond < 14; cond++)
		assert_int_equal(a64_cond_not(cond), cond % 2 ? cond - 1 : cond + 1);
}

/* Mnemonics by size and direction; the register's width comes with them. */
static const struct {
	enum a64_size size;
	enum a64_ldst op;
	const char *suffix;
	unsigned w;
} accesses[] = {
	{A64_8, A64_STR, "strb", 0},
	{A64_16, A64_STR, "strh", 0},
	{A64_32, A64_STR, "str", 0},
	{A64_64, A64_STR, "str", 1},
	{A64_8, A64_LDR, "ldrb", 0},
	{A64_16, A64_LDR, "ldrh", 0},
	{A64_32, A64_LDR, "ldr", 0},
	{A64_64, A64_LDR, "ldr", 1},
	{A64_8, A64_LDRS_X, "ldrsb", 1},
	{A64_16, A64_LDRS_X, "ldrsh", 1},
	{A64_32, A64_LDRS_X, "ldrsw", 1},
	{A64_8, A64_LDRS_W, "ldrsb", 0},
	{A64_16, A64_LDRS_W, "ldrsh", 0},
};

static void loads_and_stores(void **state)
{
	struct sheet s = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(accesses); i++) {
		enum a64_size size = accesses[i].size;
		enum a64_ldst op = accesses[i].op;
		const char *name = accesses[i].suffix;
		const char *const *n = names[accesses[i].w];
		u32 bytes = 1u << size;

		for (u32 unit = 0; unit < 4096; unit += unit < 4 ? 1 : 31)
			expect(&s,
				a64_ldst_scaled(size, op, some(unit), some(unit + 3), unit * bytes),
				"%s %s, [%s, #%u]", name, n[some(unit)], names[1][some(unit + 3)],
				unit * bytes);
		expect(&s, a64_ldst_scaled(size, op, A64_ZR, A64_SP, 4095 * bytes),
			"%s %s, [sp, #%u]", name, n[31], 4095 * bytes);
		for (s32 off = -256; off < 256; off++) {
			unsigned reg = some((unsigned)off), base = (unsigned)off % 24 + 3;

			/* "ldr" has its unscaled twin "ldur": the u goes behind the second letter. */
			expect(&s, a64_ldst_unscaled(size, op, reg, base, off),
				"%.2su%s %s, [%s, #%d]", name, name + 2, n[reg], names[1][base],
				off);
			if (base == reg || off % 5)
				continue;
			expect(&s, a64_ldst_indexed(size, op, A64_POST, reg, base, off),
				"%s %s, [%s], #%d", name, n[reg], names[1][base], off);
			expect(&s, a64_ldst_indexed(size, op, A64_PRE, reg, base, off),
				"%s %s, [%s, #%d]!", name, n[reg], names[1][base], off);
		}
		for (unsigned reg = 0; reg < 31; reg++) {
			expect(&s, a64_ldst_reg(size, op, reg, 30 - reg, reg ^ 3, A64_UXTX, false),
				"%s %s, [%s, %s]", name, n[reg], names[1][30 - reg],
				names[1][reg ^ 3]);
			expect(&s, a64_ldst_reg(size, op, reg, 30 - reg, reg ^ 3, A64_UXTX, true),
				"%s %s, [%s, %s, lsl #%u]", name, n[reg], names[1][30 - reg],
				names[1][reg ^ 3], (unsigned)size);
			expect(&s, a64_ldst_reg(size, op, reg, 30 - reg, reg ^ 3, A64_UXTW, true),
				"%s %s, [%s, %s, uxtw #%u]", name, n[reg], names[1][30 - reg],
				names[0][reg ^ 3], (unsigned)size);
			expect(&s, a64_ldst_reg(size, op, reg, 30 - reg, reg ^ 3, A64_SXTW, false),
				"%s %s, [%s, %s, sxtw]", name, n[reg], names[1][30 - reg],
				names[0][reg ^ 3]);
			expect(&s, a64_ldst_reg(size, op, reg, 30 - reg, reg ^ 3, A64_SXTX, false),
				"%s %s, [%s, %s, sxtx]", name, n[reg], names[1][30 - reg],
				names[1][reg ^ 3]);
		}
	}
	check_sheet(&s);
	assert_true(a64_is_ldst_scaled(A64_64, 32760) && a64_is_ldst_scaled(A64_8, 4095) &&
		    a64_is_ldst_scaled(A64_16, 0));
	assert_false(a64_is_ldst_scaled(A64_64, 32768) || a64_is_ldst_scaled(A64_64, 4) ||
		     a64_is_ldst_scaled(A64_8, -1));
}

static void pairs(void **state)
{
	static const char *const ops[] = {"stp", "ldp"};
	struct sheet s = {0};

	(void)state;
	for (unsigned w = 0; w < 2; w++) {
		for (unsigned op = 0; op < 2; op++) {
			for (s32 unit = -64; unit < 64; unit++) {
				s32 off = unit * (w ? 8 : 4);
				unsigned reg = (unsigned)(unit + 64) % 20;
				const char *a = names[w][reg], *b = names[w][reg + 1];

				unsigned base = (unsigned)(unit + 64) * 7 % 31;
				expect(&s, a64_pair(w, op, A64_OFFSET, reg, reg + 1, base, off),
					"%s %s, %s, [%s, #%d]", ops[op], a, b, names[1][base], off);
				expect(&s, a64_pair(w, op, A64_PRE, reg, reg + 1, 31, off),
					"%s %s, %s, [sp, #%d]!", ops[op], a, b, off);
				expect(&s, a64_pair(w, op, A64_POST, reg, reg + 1, 31, off),
					"%s %s, %s, [sp], #%d", ops[op], a, b, off);
			}
		}
	}
	check_sheet(&s);
	assert_true(a64_is_pair_off(A64_X, 504) && a64_is_pair_off(A64_X, -512) &&
		    a64_is_pair_off(A64_W, 252));
	assert_false(a64_is_pair_off(A64_X, 512) || a64_is_pair_off(A64_X, -520) ||
		     a64_is_pair_off(A64_X, 4));
}

static void atomics(void **state)
{
	static const char *const suffix[] = {"b", "h", "", ""};
	static const struct {
		enum a64_atomic op;
		const char *load, *store;
	} ops[] = {
		{A64_LDADD, "ldaddal", "stadd"},
		{A64_LDCLR, "ldclral", "stclr"},
		{A64_LDEOR, "ldeoral", "steor"},
		{A64_LDSET, "ldsetal", "stset"},
		{A64_SWP, "swpal", NULL},
	};
	struct sheet s = {0};

	(void)state;
	for (unsigned size = 0; size < 4; size++) {
		const char *const *n = names[size == A64_64];

		for (unsigned reg = 0; reg < 31; reg++) {
			unsigned other = (reg + 7) % 31, base = (reg + 13) % 31;

			for (size_t op = 0; op < ARRAY_LEN(ops); op++) {
				expect(&s, a64_atomic(size, ops[op].op, reg, other, base),
					"%s%s %s, %s, [%s]", ops[op].load, suffix[size], n[reg],
					n[other], names[1][base]);
				if (ops[op].store)
					expect(&s, a64_atomic_store(size, ops[op].op, reg, base),
						"%s%s %s, [%s]", ops[op].store, suffix[size],
						n[reg], names[1][base]);
			}
			expect(&s, a64_casal(size, reg, other, base), "casal%s %s, %s, [%s]",
				suffix[size], n[reg], n[other], names[1][base]);
			expect(&s, a64_ldxr(size, A64_RELAXED, reg, base), "ldxr%s %s, [%s]",
				suffix[size], n[reg], names[1][base]);
			expect(&s, a64_ldxr(size, A64_ORDERED, reg, base), "ldaxr%s %s, [%s]",
				suffix[size], n[reg], names[1][base]);
			expect(&s, a64_stxr(size, A64_RELAXED, reg, other, base),
				"stxr%s %s, %s, [%s]", suffix[size], names[0][reg], n[other],
				names[1][base]);
			expect(&s, a64_stxr(size, A64_ORDERED, reg, other, base),
				"stlxr%s %s, %s, [%s]", suffix[size], names[0][reg], n[other],
				names[1][base]);
			expect(&s, a64_ldar(size, reg, base), "ldar%s %s, [%s]", suffix[size],
				n[reg], names[1][base]);
			expect(&s, a64_stlr(size, reg, base), "stlr%s %s, [%s]", suffix[size],
				n[reg], names[1][base]);
		}
	}
	expect(&s, a64_dmb_ish(), "dmb ish");
	check_sheet(&s);
}

/* Distances at and around both limits of a signed field of `bits` words, and some in between. */
static s64 distance(unsigned i, unsigned bits)
{
	s64 limit = (s64)1 << (bits + 1);
	const s64 all[] = {
		0, 4, -4, limit - 4, -limit, limit / 2, -limit / 2, limit / 3 & ~(s64)3, 8};

	return all[i % ARRAY_LEN(all)];
}

static void branches(void **state)
{
	static const char *const zero[] = {"z", "nz"};
	struct sheet s = {0};

	(void)state;
	for (unsigned i = 0; i < 18; i++) {
		expect(&s, a64_b(distance(i, 26)), "b #%" PRId64, distance(i, 26));
		expect(&s, a64_bl(distance(i, 26)), "bl #%" PRId64, distance(i, 26));
		for (unsigned cond = 0; cond < 14; cond++)
			expect(&s, a64_bcond(cond, distance(i, 19)), "b.%s #%" PRId64, conds[cond],
				distance(i, 19));
		for (unsigned op = 0; op < 2; op++) {
			for (unsigned w = 0; w < 2; w++)
				expect(&s, a64_cbz(w, op, some(i), distance(i, 19)),
					"cb%s %s, #%" PRId64, zero[op], names[w][some(i)],
					distance(i, 19));
			for (unsigned bit = 0; bit < 64; bit++)
				expect(&s, a64_tbz(op, some(bit), bit, distance(i, 14)),
					"tb%s %s, #%u, #%" PRId64, zero[op],
					names[bit >= 32][some(bit)], bit, distance(i, 14));
		}
		expect(&s, a64_ldr_literal(i % 2, some(i), distance(i, 19)), "ldr %s, #%" PRId64,
			names[i % 2][some(i)], distance(i, 19));
		s32 delta = (s32)(distance(i, 19) + (i < 9 ? 0 : (s64)i % 4));
		expect(&s, a64_adr(some(i), delta), "adr %s, #%d", names[1][some(i)], delta);
	}
	for (unsigned reg = 0; reg < 31; reg++) {
		expect(&s, a64_branch_reg(A64_BR, reg), "br %s", names[1][reg]);
		expect(&s, a64_branch_reg(A64_BLR, reg), "blr %s", names[1][reg]);
		expect(&s, a64_branch_reg(A64_RET, reg), "ret %s", names[1][reg]);
	}
	check_sheet(&s);
	assert_true(a64_fits_signed(-256, 9) && a64_fits_signed(255, 9));
	assert_false(a64_fits_signed(-257, 9) || a64_fits_signed(256, 9));
}

static void system_words(void **state)
{
	struct sheet s = {0};

	(void)state;
	for (unsigned reg = 0; reg < 31; reg++) {
		expect(&s, a64_mrs(reg, A64_TPIDR_EL0), "mrs %s, tpidr_el0", names[1][reg]);
		expect(&s, a64_mrs(reg, A64_TPIDR_EL1), "mrs %s, tpidr_el1", names[1][reg]);
		expect(&s, a64_mrs(reg, A64_TPIDR_EL2), "mrs %s, tpidr_el2", names[1][reg]);
		expect(&s, a64_mrs(reg, A64_SP_EL0), "mrs %s, sp_el0", names[1][reg]);
	}
	for (unsigned hint = 0; hint < 128; hint++)
		expect(&s, a64_hint(hint), "hint #%u", hint);
	expect(&s, a64_hint(A64_NOP), "nop");
	expect(&s, a64_hint(A64_PACIASP), "paciasp");
	expect(&s, a64_hint(A64_AUTIASP), "autiasp");
	expect(&s, a64_hint(A64_BTI_C), "bti c");
	expect(&s, a64_hint(A64_BTI_J), "bti j");
	expect(&s, a64_hint(A64_BTI_JC), "bti jc");
	expect(&s, a64_udf(), "udf #0");
	expect(&s, a64_brk(0), "brk #0");
	expect(&s, a64_brk(0x100), "brk #0x100");
	expect(&s, a64_brk(0xffff), "brk #0xffff");
	check_sheet(&s);
}

/* Last: no encoder and no value of an operand was left out above. */
static void all_operands(void **state)
{
	(void)state;
	assert_int_equal(watch_check(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(add_subtract),
		cmocka_unit_test(logical),
		cmocka_unit_test(logical_immediates),
		cmocka_unit_test(moves_and_bitfields),
		cmocka_unit_test(arithmetic),
		cmocka_unit_test(conditions),
		cmocka_unit_test(loads_and_stores),
		cmocka_unit_test(pairs),
		cmocka_unit_test(atomics),
		cmocka_unit_test(branches),
		cmocka_unit_test(system_words),
		cmocka_unit_test(all_operands),
	};

	return cmocka_run_group_tests_name("arm64-enc", tests, NULL, NULL);
}
