/* Every x86-64 encoder against an assembler: the test writes down what each instruction should read as, has llvm-mc
 * assemble that text, and compares the bytes. Jumps go the other way round, through its disassembler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jit/x86_64/enc.h"
#include "watch.h"

#include "x86_64_watched.h"

static const char *const names64[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8",
	"r9", "r10", "r11", "r12", "r13", "r14", "r15"};
static const char *const names32[] = {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d",
	"r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"};
static const char *const names16[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w",
	"r10w", "r11w", "r12w", "r13w", "r14w", "r15w"};
static const char *const names8[] = {"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b",
	"r9b", "r10b", "r11b", "r12b", "r13b", "r14b", "r15b"};
static const char *const *const names_of_width[] = {names32, names64};
static const char *const *const names_of_size[] = {names8, names16, names32, names64};
static const char *const ptr_of_size[] = {"byte ptr", "word ptr", "dword ptr", "qword ptr"};
static const enum x86_size size_of_width[] = {X86_M32, X86_M64};

static const s32 disps[] = {
	0, 1, -1, 8, 127, 128, -128, -129, 255, 256, 32767, -32768, INT32_MAX, INT32_MIN};
static const s32 imms[] = {0, 1, -1, 2, 127, 128, -128, -129, 255, 256, 0x12345678, INT32_MAX,
	INT32_MIN, INT32_MIN + 1};

static const struct {
	enum x86_alu op;
	const char *name;
} alus[] = {
	{X86_ADD, "add"},
	{X86_OR, "or"},
	{X86_ADC, "adc"},
	{X86_AND, "and"},
	{X86_SUB, "sub"},
	{X86_XOR, "xor"},
	{X86_CMP, "cmp"},
};

/* Instructions: their text, their bytes, and where each one's bytes end. */
struct sheet {
	struct buf text, code;
	size_t ends[60000];
	size_t nr;
};

static struct sheet sheet;

static void setup_sheet(void)
{
	buf_reset(&sheet.text);
	buf_reset(&sheet.code);
	sheet.nr = 0;
}

/* What sheet.code got since the last call should read as this. */
static void expect(const char *fmt, ...) PRINTF_LIKE(1, 2);
static void expect(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	buf_vprintf(&sheet.text, fmt, args);
	va_end(args);
	buf_puts(&sheet.text, "\n");
	assert_true(sheet.nr < ARRAY_LEN(sheet.ends));
	sheet.ends[sheet.nr++] = sheet.code.len;
}

static const char *mem_text(struct x86_mem m)
{
	static char text[64];

	if (m.base == X86_NO_REG)
		snprintf(
			text, sizeof(text), "[%s*%d + %d]", names64[m.index], 1 << m.scale, m.disp);
	else if (m.index == X86_NO_REG)
		snprintf(text, sizeof(text), "[%s + %d]", names64[m.base], m.disp);
	else
		snprintf(text, sizeof(text), "[%s + %s*%d + %d]", names64[m.base], names64[m.index],
			1 << m.scale, m.disp);
	return text;
}

static FILE *llvm_mc(const struct buf *input, const char *flags, char *path)
{
	const char *tool = getenv("WEIR_LLVM_MC");
	char command[512];

	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, input->data, input->len), (ssize_t)input->len);
	close(fd);
	snprintf(command, sizeof(command), "%s -triple=x86_64 %s %s 2>&1", tool, flags, path);
	FILE *out = popen(command, "r");
	assert_non_null(out);
	return out;
}

/* The n-th line of the sheet's text. */
static const char *line_of(size_t n, int *len)
{
	const char *line = buf_cstr(&sheet.text);

	while (n--)
		line = strchr(line, '\n') + 1;
	*len = (int)strcspn(line, "\n");
	return line;
}

/* "0x48,0x01,...]" are the bytes of the n-th line? */
static bool same_bytes(size_t n, const char *at)
{
	size_t from = n ? sheet.ends[n - 1] : 0;

	for (size_t i = from; i < sheet.ends[n]; i++) {
		char *end;

		if (strtoul(at, &end, 16) != sheet.code.data[i])
			return false;
		if (*end != (i + 1 == sheet.ends[n] ? ']' : ','))
			return false;
		at = end + 1;
	}
	return true;
}

static void check_assembled(void)
{
	char path[] = "/tmp/weir-x86-enc-XXXXXX", line[512];
	size_t n = 0, wrong = 0;
	FILE *out = llvm_mc(&sheet.text, "-x86-asm-syntax=intel -show-encoding", path);

	while (fgets(line, sizeof(line), out)) {
		const char *at = strstr(line, "encoding: [");

		if (strstr(line, "error:"))
			fail_msg("assembler: %s", line);
		if (!at)
			continue;
		assert_true(n < sheet.nr);
		if (!same_bytes(n, at + strlen("encoding: [")) && wrong++ < 10) {
			int len;
			const char *text = line_of(n, &len);

			print_error("%.*s should be %s", len, text, at);
		}
		n++;
	}
	pclose(out);
	unlink(path);
	assert_int_equal(n, sheet.nr);
	assert_int_equal(wrong, 0);
	assert_false(sheet.code.failed);
}

static void two_registers(void **state)
{
	struct buf *b = &sheet.code;

	(void)state;
	setup_sheet();
	for (unsigned dst = 0; dst < 16; dst++)
		for (unsigned src = 0; src < 16; src++) {
			for (unsigned w = 0; w < 2; w++) {
				const char *d = names_of_width[w][dst], *s = names_of_width[w][src];

				x86_mov(b, w, dst, src);
				expect("mov %s, %s", d, s);
				x86_test(b, w, dst, src);
				expect("test %s, %s", d, s);
				x86_imul(b, w, dst, src);
				expect("imul %s, %s", d, s);
				for (size_t op = 0; op < ARRAY_LEN(alus); op++) {
					x86_alu(b, w, alus[op].op, dst, src);
					expect("%s %s, %s", alus[op].name, d, s);
				}
				x86_movsx(b, w, X86_M8, dst, src);
				expect("movsx %s, %s", d, names8[src]);
				x86_movsx(b, w, X86_M16, dst, src);
				expect("movsx %s, %s", d, names16[src]);
			}
			x86_movsx(b, X86_64, X86_M32, dst, src);
			expect("movsxd %s, %s", names64[dst], names32[src]);
			x86_movzx(b, X86_M8, dst, src);
			expect("movzx %s, %s", names32[dst], names8[src]);
			x86_movzx(b, X86_M16, dst, src);
			expect("movzx %s, %s", names32[dst], names16[src]);
		}
	check_assembled();
}

static void immediates(void **state)
{
	struct buf *b = &sheet.code;

	(void)state;
	setup_sheet();
	for (unsigned reg = 0; reg < 16; reg++) {
		for (size_t k = 0; k < ARRAY_LEN(imms); k++) {
			for (unsigned w = 0; w < 2; w++) {
				for (size_t op = 0; op < ARRAY_LEN(alus); op++) {
					x86_alu_imm(b, w, alus[op].op, reg, imms[k]);
					expect("%s %s, %d", alus[op].name, names_of_width[w][reg],
						imms[k]);
				}
				x86_test_imm(b, w, reg, imms[k]);
				expect("test %s, %d", names_of_width[w][reg], imms[k]);
				x86_imul_imm(b, w, reg, 15 - reg, imms[k]);
				expect("imul %s, %s, %d", names_of_width[w][reg],
					names_of_width[w][15 - reg], imms[k]);
			}
			x86_mov_simm32(b, reg, imms[k]);
			expect("mov %s, %d", names64[reg], imms[k]);
			x86_mov_imm32(b, reg, (u32)imms[k]);
			expect("mov %s, %d", names32[reg], imms[k]);
			x86_mov_imm64(b, reg, (u64)(u32)imms[k] * 0x100000001);
			expect("movabs %s, %lld", names64[reg],
				(long long)((u64)(u32)imms[k] * 0x100000001));
			x86_test_imm8(b, reg, (u8)imms[k]);
			expect("test %s, %u", names8[reg], (u8)imms[k]);
		}
	}
	check_assembled();
}

static void one_register(void **state)
{
	static const struct {
		enum x86_shift op;
		const char *name;
	} shifts[] = {
		{X86_ROL, "rol"},
		{X86_ROR, "ror"},
		{X86_SHL, "shl"},
		{X86_SHR, "shr"},
		{X86_SAR, "sar"},
	};
	static const struct {
		enum x86_unary op;
		const char *name;
	} unary[] = {
		{X86_NOT, "not"},
		{X86_NEG, "neg"},
		{X86_MUL, "mul"},
		{X86_DIV, "div"},
		{X86_IDIV, "idiv"},
	};
	struct buf *b = &sheet.code;

	(void)state;
	setup_sheet();
	for (unsigned reg = 0; reg < 16; reg++) {
		for (unsigned w = 0; w < 2; w++) {
			const char *name = names_of_width[w][reg];

			for (size_t op = 0; op < ARRAY_LEN(unary); op++) {
				x86_unary(b, w, unary[op].op, reg);
				expect("%s %s", unary[op].name, name);
			}
			x86_step(b, w, X86_INC, reg);
			expect("inc %s", name);
			x86_step(b, w, X86_DEC, reg);
			expect("dec %s", name);
			x86_bswap(b, w, reg);
			expect("bswap %s", name);
			for (size_t op = 0; op < ARRAY_LEN(shifts); op++) {
				x86_shift_cl(b, w, shifts[op].op, reg);
				expect("%s %s, cl", shifts[op].name, name);
				for (unsigned count = 1; count < (w ? 64 : 32); count++) {
					x86_shift_imm(b, w, shifts[op].op, reg, count);
					expect(count == 1 ? "%s %s" : "%s %s, %u", shifts[op].name,
						name, count);
				}
			}
		}
		x86_swap16(b, reg);
		expect("rol %s, 8", names16[reg]);
		x86_push(b, reg);
		expect("push %s", names64[reg]);
		x86_pop(b, reg);
		expect("pop %s", names64[reg]);
		x86_jmp_reg(b, reg);
		expect("jmp %s", names64[reg]);
	}
	x86_sign_rdx(b, X86_32);
	expect("cdq");
	x86_sign_rdx(b, X86_64);
	expect("cqo");
	x86_leave(b);
	expect("leave");
	x86_ret(b);
	expect("ret");
	x86_endbr64(b);
	expect("endbr64");
	check_assembled();
}

/* Arithmetic with memory as its first operand. */
static void memory_arithmetic(struct buf *b, struct x86_mem m, unsigned reg, s32 imm)
{
	const char *text = mem_text(m);

	for (unsigned size = X86_M8; size <= X86_M64; size++) {
		const char *ptr = ptr_of_size[size];
		s32 cut = size == X86_M8 ? (s8)imm : imm;

		x86_step_mem(b, size, X86_INC, m);
		expect("inc %s %s", ptr, text);
		x86_step_mem(b, size, X86_DEC, m);
		expect("dec %s %s", ptr, text);
		for (size_t op = 0; op < ARRAY_LEN(alus); op++) {
			x86_alu_store(b, size, alus[op].op, m, reg);
			expect("%s %s %s, %s", alus[op].name, ptr, text, names_of_size[size][reg]);
			if (size == X86_M16 && !x86_fits8(imm))
				continue;
			x86_alu_store_imm(b, size, alus[op].op, m, imm);
			expect("%s %s %s, %d", alus[op].name, ptr, text, cut);
		}
		if (size == X86_M16)
			continue;
		x86_test_mem_imm(b, size, m, imm);
		expect("test %s %s, %d", ptr, text, cut);
	}
}

/* All forms with this operand and register. */
static void memory_forms(struct buf *b, struct x86_mem m, unsigned reg)
{
	const char *text = mem_text(m);

	for (unsigned size = X86_M8; size <= X86_M64; size++) {
		x86_store(b, size, m, reg);
		expect("mov %s %s, %s", ptr_of_size[size], text, names_of_size[size][reg]);
		x86_load(b, size, reg, m);
		expect("%s %s, %s %s", size < X86_M32 ? "movzx" : "mov",
			size == X86_M64 ? names64[reg] : names32[reg], ptr_of_size[size], text);
	}
	for (unsigned size = X86_M8; size <= X86_M32; size++) {
		x86_load_signed(b, size, reg, m);
		expect("%s %s, %s %s", size == X86_M32 ? "movsxd" : "movsx", names64[reg],
			ptr_of_size[size], text);
	}
	for (unsigned w = 0; w < 2; w++) {
		const char *name = names_of_width[w][reg], *ptr = ptr_of_size[size_of_width[w]];

		x86_lea(b, w, reg, m);
		expect("lea %s, %s", name, text);
		x86_xchg_mem(b, w, m, reg);
		expect("xchg %s %s, %s", ptr, text, name);
		x86_lock_xadd(b, w, m, reg);
		expect("lock xadd %s %s, %s", ptr, text, name);
		x86_lock_cmpxchg(b, w, m, reg);
		expect("lock cmpxchg %s %s, %s", ptr, text, name);
		for (size_t op = 0; op < ARRAY_LEN(alus); op++) {
			x86_alu_load(b, w, alus[op].op, reg, m);
			expect("%s %s, %s %s", alus[op].name, name, ptr, text);
			if (alus[op].op == X86_CMP)
				continue;
			x86_lock_alu(b, w, alus[op].op, m, reg);
			expect("lock %s %s %s, %s", alus[op].name, ptr, text, name);
		}
	}
}

static void memory(void **state)
{
	(void)state;
	setup_sheet();
	for (unsigned base = 0; base < 16; base++) {
		for (size_t k = 0; k < ARRAY_LEN(disps); k++)
			memory_forms(
				&sheet.code, x86_at(base, disps[k]), (base * 5 + (unsigned)k) % 16);
		for (unsigned reg = 0; reg < 16; reg++)
			memory_forms(&sheet.code, x86_at(base, 8), reg);
	}
	check_assembled();
}

static void memory_first(void **state)
{
	(void)state;
	setup_sheet();
	for (unsigned base = 0; base < 16; base++)
		for (size_t k = 0; k < ARRAY_LEN(disps); k++)
			memory_arithmetic(&sheet.code, x86_at(base, disps[k]),
				(base * 3 + (unsigned)k) % 16, imms[k]);
	check_assembled();
}

static void indexed_memory(void **state)
{
	struct buf *b = &sheet.code;

	(void)state;
	setup_sheet();
	for (unsigned base = 0; base < 16; base++)
		for (unsigned index = 0; index < 16; index++)
			for (unsigned scale = 0; scale < 4; scale++)
				for (size_t k = 0; k < ARRAY_LEN(disps); k++) {
					struct x86_mem m =
						x86_indexed(base, index, scale, disps[k]);

					if (index == RSP)
						continue;
					x86_lea(b, X86_64, (base + index) % 16, m);
					expect("lea %s, %s", names64[(base + index) % 16],
						mem_text(m));
				}
	/* Without a base the assembler prefers another form when the index isn't scaled. */
	for (unsigned index = 0; index < 16; index++)
		for (unsigned scale = 1; scale < 4 && index != RSP; scale++)
			for (size_t k = 0; k < ARRAY_LEN(disps); k++) {
				struct x86_mem m = x86_indexed(X86_NO_REG, index, scale, disps[k]);

				x86_lea(b, X86_64, 15 - index, m);
				expect("lea %s, %s", names64[15 - index], mem_text(m));
			}
	check_assembled();
}

static void memory_immediates(void **state)
{
	struct buf *b = &sheet.code;

	(void)state;
	setup_sheet();
	for (unsigned base = 0; base < 16; base++)
		for (size_t d = 0; d < ARRAY_LEN(disps); d++)
			for (size_t k = 0; k < ARRAY_LEN(imms); k++) {
				struct x86_mem m = x86_at(base, disps[d]);

				x86_store_imm(b, X86_M8, m, imms[k]);
				expect("mov byte ptr %s, %d", mem_text(m), (s8)imms[k]);
				x86_store_imm(b, X86_M16, m, imms[k]);
				expect("mov word ptr %s, %d", mem_text(m), (s16)imms[k]);
				x86_store_imm(b, X86_M32, m, imms[k]);
				expect("mov dword ptr %s, %d", mem_text(m), imms[k]);
				x86_store_imm(b, X86_M64, m, imms[k]);
				expect("mov qword ptr %s, %d", mem_text(m), imms[k]);
			}
	for (unsigned reg = 0; reg < 16; reg++)
		for (size_t k = 0; k < ARRAY_LEN(disps); k++) {
			x86_add_segment(b, X86_FS, reg, disps[k]);
			expect("add %s, qword ptr fs:[%d]", names64[reg], disps[k]);
			x86_add_segment(b, X86_GS, reg, disps[k]);
			expect("add %s, qword ptr gs:[%d]", names64[reg], disps[k]);
		}
	check_assembled();
}

static const struct {
	enum x86_cond cc;
	const char *name;
} conds[] = {
	{X86_B, "jb"},
	{X86_AE, "jae"},
	{X86_E, "je"},
	{X86_NE, "jne"},
	{X86_BE, "jbe"},
	{X86_A, "ja"},
	{X86_L, "jl"},
	{X86_GE, "jge"},
	{X86_LE, "jle"},
	{X86_G, "jg"},
};

static void bmi2(void **state)
{
	static const struct {
		enum x86_shift op;
		const char *name;
	} shifts[] = {{X86_SHL, "shlx"}, {X86_SHR, "shrx"}, {X86_SAR, "sarx"}};
	struct buf *b = &sheet.code;

	(void)state;
	setup_sheet();
	for (unsigned w = 0; w < 2; w++)
		for (unsigned dst = 0; dst < 16; dst++)
			for (unsigned src = 0; src < 16; src++) {
				const char *const *names = names_of_width[w];
				unsigned count = (dst * 7 + src * 3) % (w ? 64 : 32);

				x86_rorx(b, w, dst, src, count);
				expect("rorx %s, %s, %u", names[dst], names[src], count);
				for (unsigned k = 0; k < 16 * ARRAY_LEN(shifts); k++) {
					x86_shift_into(b, w, shifts[k / 16].op, dst, src, k % 16);
					expect("%s %s, %s, %s", shifts[k / 16].name, names[dst],
						names[src], names[k % 16]);
				}
			}
	check_assembled();
}

static void emit_nop(struct buf *b, u32 bytes)
{
	u8 code[9];

	x86_nop(code, bytes);
	buf_put(b, code, bytes);
}

static void nops(void **state)
{
	static const char *const texts[] = {"nop", "xchg ax, ax", "nop dword ptr [rax]",
		"{disp8} nop dword ptr [rax]", "{disp8} nop dword ptr [rax + rax]",
		"{disp8} nop word ptr [rax + rax]", "{disp32} nop dword ptr [rax]",
		"{disp32} nop dword ptr [rax + rax]", "{disp32} nop word ptr [rax + rax]"};

	(void)state;
	setup_sheet();
	for (u32 n = 1; n <= ARRAY_LEN(texts); n++) {
		emit_nop(&sheet.code, n);
		expect("%s", texts[n - 1]);
	}
	check_assembled();
}

static void setcc(void **state)
{
	(void)state;
	setup_sheet();
	for (size_t c = 0; c < ARRAY_LEN(conds); c++)
		for (unsigned reg = 0; reg < 16; reg++) {
			x86_setcc(&sheet.code, conds[c].cc, reg);
			expect("set%s %s", conds[c].name + 1, names8[reg]);
		}
	check_assembled();
}

static void emit_long_jump(struct buf *b, u8 opcode, s32 disp)
{
	u8 code[2];

	buf_put(b, code, x86_long_jump(code, opcode));
	buf_le32(b, (u32)disp);
}

static void emit_jumps(struct buf *b, s32 disp)
{
	emit_long_jump(b, 0xeb, disp);
	expect("jmp\t%d", disp);
	x86_jmp_rel32(b, disp);
	expect("jmp\t%d", disp);
	x86_call_rel32(b, disp);
	expect("call\t%d", disp);
	if (x86_fits8(disp)) {
		x86_jmp_rel8(b, (s8)disp);
		expect("jmp\t%d", disp);
	}
	for (size_t c = 0; c < ARRAY_LEN(conds); c++) {
		x86_jcc_rel32(b, conds[c].cc, disp);
		expect("%s\t%d", conds[c].name, disp);
		emit_long_jump(b, (u8)(0x70 | conds[c].cc), disp);
		expect("%s\t%d", conds[c].name, disp);
		if (!x86_fits8(disp))
			continue;
		x86_jcc_rel8(b, conds[c].cc, (s8)disp);
		expect("%s\t%d", conds[c].name, disp);
	}
}

static void jumps(void **state)
{
	char path[] = "/tmp/weir-x86-enc-XXXXXX", line[512];
	struct buf hex = {0};
	size_t n = 0;

	(void)state;
	setup_sheet();
	for (size_t k = 0; k < ARRAY_LEN(disps); k++)
		emit_jumps(&sheet.code, disps[k]);
	for (size_t i = 0; i < sheet.code.len; i++)
		buf_printf(&hex, "0x%02x\n", sheet.code.data[i]);
	FILE *out = llvm_mc(&hex, "-disassemble -output-asm-variant=1", path);
	while (fgets(line, sizeof(line), out)) {
		if (line[0] != '\t' || line[1] == '.')
			continue;
		int len;
		const char *want = line_of(n++, &len);

		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line + 1, want, (size_t)len) || line[1 + len])
			fail_msg("'%s' should be '%.*s'", line + 1, len, want);
	}
	pclose(out);
	unlink(path);
	buf_fini(&hex);
	assert_int_equal(n, sheet.nr);
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
		cmocka_unit_test(two_registers),
		cmocka_unit_test(immediates),
		cmocka_unit_test(one_register),
		cmocka_unit_test(memory),
		cmocka_unit_test(memory_first),
		cmocka_unit_test(indexed_memory),
		cmocka_unit_test(memory_immediates),
		cmocka_unit_test(bmi2),
		cmocka_unit_test(nops),
		cmocka_unit_test(setcc),
		cmocka_unit_test(jumps),
		cmocka_unit_test(all_operands),
	};

	if (!getenv("WEIR_LLVM_MC")) {
		print_message(
			"WEIR_LLVM_MC is not set: encodings are not compared with an assembler\n");
		return 77;
	}
	int failed = cmocka_run_group_tests_name("x86-enc", tests, NULL, NULL);
	buf_fini(&sheet.text);
	buf_fini(&sheet.code);
	return failed;
}
