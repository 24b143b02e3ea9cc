/* CO-RE: objects of core.bpf.c with types of core_target.bpf.c, against libbpf's instructions (root only), against what is expected,
 * and with access strings and instructions that no compiler writes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/diag.h"
#include "obj/core.h"
#include "obj/libbpf_types.h"
#include "obj/make_btf.h"
#include "obj/sections.h"

/* Six files of each compiler. */
enum file { FILE_ALL, FILE_AMBIGUOUS, FILE_FAR, FILE_ODD, FILE_TARGET, FILE_KERNEL, NR_FILES };
static char **files;
static int nr_compilers;

static const char *file_of(int compiler, enum file file)
{
	return files[compiler * NR_FILES + (int)file];
}

struct object {
	struct buf btf_bytes, ext_bytes, insns;
	struct btf *btf;
	struct btf_ext *ext;
};

static struct object read_object(const char *path)
{
	struct object o = {0};
	struct diag d = {0};

	read_section(path, ".BTF", &o.btf_bytes);
	read_section(path, ".BTF.ext", &o.ext_bytes);
	read_section(path, "socket", &o.insns);
	assert_true(o.insns.len);
	if (btf_new(o.btf_bytes.data, o.btf_bytes.len, path, &o.btf, &d) ||
		btf_ext_new(o.ext_bytes.data, o.ext_bytes.len, o.btf, &o.ext, &d))
		fail_msg("%s", diag_first(&d));
	return o;
}

static void free_object(struct object *o)
{
	btf_ext_free(o->ext);
	btf_free(o->btf);
	buf_fini(&o->btf_bytes);
	buf_fini(&o->ext_bytes);
	buf_fini(&o->insns);
}

/* The first error. */
static int relocate(struct object *o, const struct btf *target, struct diag *d)
{
	size_t nr;
	const struct core_relo *relos = btf_ext_relos(o->ext, "socket", &nr);
	int err = 0;

	assert_true(nr);
	for (size_t i = 0; !err && i < nr; i++)
		err = core_relocate(o->btf, target, &relos[i], "socket",
			(struct insn *)(void *)o->insns.data,
			(u32)(o->insns.len / sizeof(struct insn)), relos[i].pc, NULL, d);
	return err;
}

static void compare_insns(struct object *o, const void *theirs, u32 nr)
{
	const struct insn *a = (const struct insn *)(const void *)o->insns.data, *b = theirs;
	size_t nr_relos;
	const struct core_relo *relos = btf_ext_relos(o->ext, "socket", &nr_relos);

	assert_int_equal(o->insns.len, nr * sizeof(struct insn));
	for (u32 pc = 0; pc < nr; pc++) {
		struct buf text = {0};

		if (!memcmp(&a[pc], &b[pc], sizeof(*a)))
			continue;
		for (size_t i = 0; i < nr_relos; i++)
			if (relos[i].pc == pc)
				core_describe(o->btf, &relos[i], &text);
		fail_msg("instruction %u, %s: code %02x off %d imm %d; libbpf has code %02x off %d "
			 "imm %d",
			pc, buf_cstr(&text), a[pc].code, a[pc].off, a[pc].imm, b[pc].code,
			b[pc].off, b[pc].imm);
	}
}

static void compare_with_libbpf(const char *local, const char *target_path)
{
	struct object o = read_object(local);
	struct diag d = {0};
	struct btf *target;
	void *theirs;
	u32 nr;
	int err;

	assert_int_equal(btf_open_file(target_path, &target, &d), 0);
	if (relocate(&o, target, &d))
		fail_msg("%s", diag_first(&d));
	err = other_relocate(local, target_path, &theirs, &nr);
	assert_true(!err || err == -EINVAL ||
		    err == -EACCES); /* the kernel doesn't like what was poisoned */
	compare_insns(&o, theirs, nr);
	free(theirs);
	btf_free(target);
	free_object(&o);
}

static void same_instructions_as_libbpf(void **state)
{
	(void)state;
	if (!nr_compilers || !other_can_load())
		skip();
	for (int i = 0; i < nr_compilers; i++)
		for (int k = 0; k < nr_compilers; k++)
			compare_with_libbpf(file_of(i, FILE_ALL), file_of(k, FILE_TARGET));
}

static void same_instructions_for_this_kernel(void **state)
{
	static const char path[] = "/sys/kernel/btf/vmlinux";

	(void)state;
	if (access(path, R_OK) || !other_can_load())
		skip();
	for (int i = 0; i < nr_compilers; i++)
		compare_with_libbpf(file_of(i, FILE_KERNEL), path);
}

static void without_an_answer(void **state)
{
	static const struct {
		enum file file;
		const char *text;
	} rows[] = {
		{FILE_AMBIGUOUS, "byte offset of struct twice.x"},
		{FILE_AMBIGUOUS, "gives 0, struct twice___b.x (type "},
		{FILE_FAR, "too large for an instruction (32767)"},
	};
	(void)state;
	if (!nr_compilers)
		skip();
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct object o = read_object(file_of(0, rows[i].file));
		struct diag d = {0};
		struct btf *target;

		assert_int_equal(btf_open_file(file_of(0, FILE_TARGET), &target, &d), 0);
		assert_int_equal(relocate(&o, target, &d), -EINVAL);
		assert_int_equal(d.entries[0].pos.kind, POS_INSN);
		assert_string_equal(d.entries[0].pos.file, "socket");
		if (!strstr(diag_first(&d), rows[i].text))
			fail_msg("'%s' doesn't say '%s'", diag_first(&d), rows[i].text);
		btf_free(target);
		diag_fini(&d);
		free_object(&o);
	}
}

static void libbpf_refuses_them_too(void **state)
{
	void *insns;
	u32 nr;

	(void)state;
	if (!nr_compilers || !other_can_load())
		skip();
	for (enum file file = FILE_AMBIGUOUS; file <= FILE_FAR; file++) {
		int err = other_relocate(file_of(0, file), file_of(0, FILE_TARGET), &insns, &nr);

		assert_true(err == -EINVAL || err == -ERANGE);
		free(insns);
	}
}

static void a_narrower_field(void **state)
{
	struct object o;
	struct btf *target;

	(void)state;
	if (!nr_compilers)
		skip();
	o = read_object(file_of(0, FILE_ODD));
	assert_int_equal(btf_open_file(file_of(0, FILE_TARGET), &target, NULL), 0);
	assert_int_equal(relocate(&o, target, NULL), 0);
	const struct insn *load = (const struct insn *)(const void *)o.insns.data;
	assert_int_equal(load->code, BPF_LDX | BPF_MEM | BPF_H);
	assert_int_equal(load->off, 4);
	btf_free(target);
	free_object(&o);
}

static void without_a_target(void **state)
{
	struct diag d = {0};
	struct object o;

	(void)state;
	if (!nr_compilers)
		skip();
	o = read_object(file_of(0, FILE_ODD));
	assert_int_equal(relocate(&o, NULL, &d), -ENOENT);
	assert_non_null(
		strstr(diag_first(&d), "CO-RE, byte offset of struct odd.x: needs the types"));
	diag_fini(&d);
	free_object(&o);
}

/* ---- by hand ---- */

/* 1 int, 2 struct s {int a; struct {int b;}; int c[4]; int f[];}, 3 anonymous, 4 int[4], 5 int[0], 6 enum e {X = 7}, 7 struct s *. */
static struct btf *made(void)
{
	struct make_btf m = {0};
	struct buf bytes = {0};
	struct btf *btf;

	make_int(&m, "int", 4);
	make_type(&m, "s", BTF_STRUCT, 4, 24);
	make_field(&m, "a", 1, 0);
	make_field(&m, "", 3, 32);
	make_field(&m, "c", 4, 64);
	make_field(&m, "f", 5, 192);
	make_type(&m, "", BTF_STRUCT, 1, 4);
	make_field(&m, "b", 1, 0);
	make_array(&m, 1, 1, 4);
	make_array(&m, 1, 1, 0);
	make_type(&m, "e", BTF_ENUM, 1, 4);
	make_item(&m, "X", 7);
	make_type(&m, "", BTF_PTR, 0, 2);
	make_bytes(&m, &bytes);
	assert_int_equal(btf_new(bytes.data, bytes.len, "made", &btf, NULL), 0);
	buf_fini(&bytes);
	return btf;
}

static const struct {
	u32 type;
	const char *access;
	enum core_kind kind;
	struct insn insn;
	s32 imm;          /* afterwards; off of a load */
	const char *text; /* NULL: fine */
} by_hand[] = {
	{2, "0", CORE_FIELD_BYTE_OFFSET, {.code = 0xb7, .imm = 0}, 0, NULL},
	{2, "2", CORE_FIELD_BYTE_OFFSET, {.code = 0xb7, .imm = 48}, 48, NULL},
	{2, "0:1:0", CORE_FIELD_BYTE_OFFSET, {.code = 0x61, .off = 4}, 4, NULL},
	{2, "0:2:3", CORE_FIELD_BYTE_OFFSET, {.code = 0x07, .imm = 20}, 20, NULL},
	{2, "0:3:9", CORE_FIELD_BYTE_OFFSET, {.code = 0x07, .imm = 60}, 60, NULL},
	{6, "0", CORE_ENUMVAL_VALUE, {.code = 0xb7, .imm = 7}, 7, NULL},
	{2, "0", CORE_TYPE_SIZE, {.code = 0xb7, .imm = 24}, 24, NULL},
	{2, "0", CORE_TYPE_ID_LOCAL, {.code = 0xb7, .imm = 9}, 2, NULL},
	{2, "0:2:4", CORE_FIELD_BYTE_OFFSET, {.code = 0x07}, 0, "behind the end of its array"},
	{2, "0:4", CORE_FIELD_BYTE_OFFSET, {.code = 0x07}, 0, "a member that its struct hasn't"},
	{2, "0:0:0", CORE_FIELD_BYTE_OFFSET, {.code = 0x07}, 0, "neither struct, union nor array"},
	{2, "", CORE_FIELD_BYTE_OFFSET, {.code = 0x07}, 0, "isn't numbers with colons between"},
	{2, "0:", CORE_FIELD_BYTE_OFFSET, {.code = 0x07}, 0, "isn't numbers with colons between"},
	{2, "0:x", CORE_FIELD_BYTE_OFFSET, {.code = 0x07}, 0, "isn't numbers with colons between"},
	{2, "0:-1", CORE_FIELD_BYTE_OFFSET, {.code = 0x07}, 0, "isn't numbers with colons between"},
	{2, "99999999999999999999", CORE_FIELD_BYTE_OFFSET, {.code = 0x07}, 0,
		"isn't numbers with colons between"},
	{2, "2147483647", CORE_FIELD_BYTE_OFFSET, {.code = 0x07}, 0, "the type has no size"},
	{2, "0:3:2147483647", CORE_FIELD_BYTE_OFFSET, {.code = 0x07}, 0, "an element out of reach"},
	{2, "0", CORE_ENUMVAL_VALUE, {.code = 0xb7}, 0, "the type is no enum"},
	{6, "1", CORE_ENUMVAL_VALUE, {.code = 0xb7}, 0, "names no enum value"},
	{6, "0:0", CORE_ENUMVAL_VALUE, {.code = 0xb7}, 0, "names no enum value"},
	{2, "1", CORE_TYPE_SIZE, {.code = 0xb7}, 0, "the access string of a type isn't \"0\""},
	{7, "0", CORE_FIELD_BYTE_OFFSET, {.code = 0xb7}, 0,
		"types without a name can't be looked for"},
	{2, "0:2:1", CORE_FIELD_SIGNED, {.code = 0xb7}, 0, "only offset, size and existence"},
	{2, "0:2", CORE_FIELD_BYTE_OFFSET, {.code = 0xb7, .imm = 7}, 0,
		"isn't what the object's own types say"},
	{2, "0:2", CORE_FIELD_BYTE_OFFSET, {.code = 0x61, .off = 7}, 0,
		"isn't what the object's own types say"},
	{2, "0:2", CORE_FIELD_BYTE_OFFSET, {.code = 0xbf}, 0, "the instruction has no immediate"},
	{2, "0:2", CORE_FIELD_BYTE_OFFSET, {.code = 0x95}, 0,
		"the instruction has nothing to relocate"},
	{2, "0:2", CORE_FIELD_BYTE_OFFSET, {.code = 0x18, .imm = 8}, 0, "half a 64-bit immediate"},
};

static void relocations_by_hand(void **state)
{
	struct btf *btf = made();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(by_hand); i++) {
		struct core_relo relo = {.type = by_hand[i].type,
			.access = by_hand[i].access,
			.kind = by_hand[i].kind};
		struct insn insn = by_hand[i].insn;
		struct diag d = {0};
		int err = core_relocate(btf, btf, &relo, "made", &insn, 1, 0, NULL, &d);

		if (!by_hand[i].text) {
			if (err)
				fail_msg("row %zu: %s", i, diag_first(&d));
			assert_int_equal(BPF_CLASS(insn.code) == BPF_LDX ? insn.off : insn.imm,
				by_hand[i].imm);
		} else if (!err || !strstr(diag_first(&d), by_hand[i].text)) {
			fail_msg("row %zu: '%s' doesn't say '%s'", i, diag_first(&d),
				by_hand[i].text);
		}
		diag_fini(&d);
	}
	assert_int_equal(core_relocate(btf, btf, &(struct core_relo){.type = 2, .access = "0"},
				 "made", NULL, 0, 0, NULL, NULL),
		-EINVAL);
	btf_free(btf);
}

/* Both halves of a 64-bit immediate are poisoned. */
static void poisoned_immediates(void **state)
{
	struct core_relo relo = {.type = 2, .access = "0:0", .kind = CORE_FIELD_BYTE_OFFSET};
	struct insn insns[2] = {{.code = 0x18}};
	struct make_btf m = {0};
	struct buf bytes = {0};
	struct btf *btf = made(), *empty;
	bool poisoned = false;

	(void)state;
	make_int(&m, "int", 4);
	make_bytes(&m, &bytes);
	assert_int_equal(btf_new(bytes.data, bytes.len, "empty", &empty, NULL), 0);
	assert_int_equal(core_relocate(btf, empty, &relo, "made", insns, 2, 0, &poisoned, NULL), 0);
	assert_true(poisoned);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(insns[i].code, BPF_JMP | BPF_CALL);
		assert_int_equal(insns[i].imm, CORE_POISON_IMM);
	}
	buf_fini(&bytes);
	btf_free(empty);
	btf_free(btf);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_instructions_as_libbpf),
		cmocka_unit_test(same_instructions_for_this_kernel),
		cmocka_unit_test(without_an_answer),
		cmocka_unit_test(libbpf_refuses_them_too),
		cmocka_unit_test(a_narrower_field),
		cmocka_unit_test(without_a_target),
		cmocka_unit_test(relocations_by_hand),
		cmocka_unit_test(poisoned_immediates),
	};

	files = argv + 1;
	nr_compilers = (argc - 1) / NR_FILES;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
