/* BTF, .BTF.ext and CO-RE: three pieces, the object's BTF, its .BTF.ext, the target's BTF (the object's own if it is empty).
 * Every question is asked of every type. */
#include "fuzz.h"

#include "base/buf.h"
#include "base/diag.h"
#include "isa/prog.h"
#include "obj/btf.h"
#include "obj/btf_ext.h"
#include "obj/btf_func.h"
#include "obj/btf_map.h"
#include "obj/core.h"
#include "obj/typeprint.h"

/* Of types, and of relocations: how long one input may take. */
enum { TYPES_MAX = 2000, RELOS_MAX = 200 };

static void ask(const struct btf *btf, u32 id, struct buf *text)
{
	static const u8 value[64] = {1, 2, 3, 0xff, 'a'};
	struct btf_info info = btf_get(btf, id);
	struct btf_map_def def, inner;
	struct prog_func func = {0};
	struct btf_field field;
	u32 n = 0, off;

	if (btf_size_of(btf, id, &n))
		FUZZ_CHECK(btf_size_of(btf, btf_resolve(btf, id), &off) && off == n, "type %u", id);
	btf_align_of(btf, id, &n);
	if (btf_find_inside(btf, id, "bpf_spin_lock", &off))
		FUZZ_CHECK(btf_find(btf, BTF_STRUCT, "bpf_spin_lock"), "type %u", id);
	btf_find_field(btf, id, "deep", &field, &n);
	btf_print_type(btf, id, text);
	btf_decl_tag(btf, id, -1, 0);
	btf_map_read(btf, id, &def, &inner, NULL);
	btf_func_describe(btf, id, PROG_TYPE_XDP, &func);
	FUZZ_CHECK(func.nr_args <= ARRAY_LEN(func.args), "type %u", id);
	for (u32 i = 0; i < info.nr && i < 50; i++) {
		btf_get_field(btf, id, i);
		btf_get_value(btf, id, i);
		btf_get_arg(btf, id, i);
		btf_get_secvar(btf, id, i);
	}
	typeprint(btf, id, value, id % (sizeof(value) + 1), text);
	buf_reset(text);
}

static void ask_everything(const struct btf *btf)
{
	struct buf text = {0};

	for (u32 id = 0; id <= btf_nr_types(btf) && id < TYPES_MAX; id++)
		ask(btf, id, &text);
	buf_fini(&text);
}

/* Instructions of each kind that can be patched; what a compiler would have put in isn't known, so errors are fine. */
static void relocate(
	const struct btf *local, const struct btf *target, const struct core_relo *relo)
{
	static const u8 codes[] = {BPF_ALU64 | BPF_MOV | BPF_K, BPF_LDX | BPF_MEM | BPF_W,
		BPF_STX | BPF_MEM | BPF_DW, BPF_LD | BPF_IMM | BPF_DW, BPF_JMP | BPF_EXIT};
	struct buf text = {0};

	core_describe(local, relo, &text);
	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		struct insn insns[2] = {{.code = codes[i]}};
		struct diag d = {0};
		bool poisoned = false;
		int err = core_relocate(local, target, relo, "fuzz", insns, 2, 0, &poisoned, &d);

		FUZZ_CHECK(!err == !d.nr_errors, "%d", err);
		FUZZ_CHECK(!poisoned || insns[0].imm == CORE_POISON_IMM, "%d", insns[0].imm);
		diag_fini(&d);
	}
	buf_fini(&text);
}

static const char *const sections[] = {"socket", "xdp", "tc"};

static void read_ext(const struct btf *local, struct input bytes, const struct btf *target)
{
	struct btf_ext *ext;

	if (btf_ext_new(bytes.p, bytes.len, local, &ext, NULL))
		return;
	for (size_t i = 0; i < ARRAY_LEN(sections); i++) {
		size_t nr;
		const struct btf_line *lines = btf_ext_lines(ext, sections[i], &nr);
		for (size_t k = 0; k < nr; k++)
			FUZZ_CHECK(strlen(lines[k].text) + strlen(lines[k].file) < SIZE_MAX &&
					   (!k || lines[k - 1].pc <= lines[k].pc),
				"line %zu", k);
		const struct btf_func_at *funcs = btf_ext_funcs(ext, sections[i], &nr);
		for (size_t k = 0; k < nr; k++)
			FUZZ_CHECK(
				btf_get(local, funcs[k].func).kind == BTF_FUNC, "function %zu", k);
		const struct core_relo *relos = btf_ext_relos(ext, sections[i], &nr);
		for (size_t k = 0; k < nr && k < RELOS_MAX; k++)
			relocate(local, target, &relos[k]);
	}
	btf_ext_free(ext);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct input in = {bytes, len}, first = input_piece(&in), ext = input_piece(&in),
		     second = input_piece(&in);
	struct btf *local, *target = NULL;
	struct diag d = {0};
	int err = btf_new(first.p, first.len, "fuzz", &local, &d);

	FUZZ_CHECK(!err == !d.nr_errors, "%d", err);
	diag_fini(&d);
	if (err)
		return 0;
	ask_everything(local);
	if (!second.len || !btf_new(second.p, second.len, "target", &target, NULL))
		read_ext(local, ext, target ? target : local);
	btf_free(target);
	btf_free(local);
	return 0;
}
