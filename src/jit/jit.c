/* The driver: walks the program, keeps labels and fixups, makes every jump fit. What an instruction becomes is the target's
 * business. */
#include "jit/jit.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/limits.h"
#include "jit/loop.h"
#include "jit/scan.h"
#include "jit/stretch.h"
#include "jit/target.h"

/* Passes that each raise some reaches, before all jumps get their longest form at once: keeps compile time linear where
 * every pass would move just one more jump out of range. */
enum { PASSES_MAX = 12 };

struct jit_thunk {
	u64 address;
	jit_label label;
};

void jit_fail(struct jit *j, u32 pc, int err, const char *fmt, ...)
{
	struct buf text = {0};
	va_list args;

	if (j->err)
		return;
	j->err = -err;
	if (err == ENOMEM) {
		diag_nomem(j->diag);
		return;
	}
	va_start(args, fmt);
	buf_vprintf(&text, fmt, args);
	va_end(args);
	diag_fail(j->diag, pos_insn(j->prog->name, pc), err, "%s: %s", j->target->name,
		buf_cstr(&text));
	buf_fini(&text);
}

jit_label jit_label_entry(const struct jit *j, u32 subprog)
{
	assert(subprog < j->nr_subprogs);
	return j->prog->len + 2 * subprog;
}

jit_label jit_label_exit(const struct jit *j)
{
	return j->prog->len + 2 * j->subprog + 1;
}

jit_label jit_label_new(struct jit *j)
{
	if (array_grow((void **)&j->label_off, &j->labels_cap, j->nr_labels + 1,
		    sizeof(*j->label_off))) {
		jit_fail(j, j->pc, ENOMEM, "out of memory");
		return 0;
	}
	j->label_off[j->nr_labels] = JIT_UNBOUND;
	return (jit_label)j->nr_labels++;
}

void jit_label_bind(struct jit *j, jit_label l)
{
	if (j->err)
		return;
	assert(l < j->nr_labels && j->label_off[l] == JIT_UNBOUND);
	j->label_off[l] = jit_offset(j);
}

void jit_fixup(struct jit *j, u32 at, u8 kind, jit_label to)
{
	if (array_grow((void **)&j->fixups, &j->fixups_cap, j->nr_fixups + 1, sizeof(*j->fixups)))
		return jit_fail(j, j->pc, ENOMEM, "out of memory");
	j->fixups[j->nr_fixups++] =
		(struct jit_fixup){.at = at, .to = to, .pc = j->pc, .kind = kind};
}

static jit_label thunk_label(struct jit *j, u64 address)
{
	for (size_t i = 0; i < j->nr_thunks; i++)
		if (j->thunks[i].address == address)
			return j->thunks[i].label;
	jit_label l = jit_label_new(j);
	if (array_grow((void **)&j->thunks, &j->thunks_cap, j->nr_thunks + 1, sizeof(*j->thunks)))
		jit_fail(j, j->pc, ENOMEM, "out of memory");
	else
		j->thunks[j->nr_thunks++] = (struct jit_thunk){address, l};
	return l;
}

void jit_fixup_address(struct jit *j, u32 at, u8 kind, u64 address)
{
	jit_fixup(j, at, kind, thunk_label(j, address));
	if (array_grow((void **)&j->relocs, &j->relocs_cap, j->nr_relocs + 1, sizeof(*j->relocs)))
		return jit_fail(j, j->pc, ENOMEM, "out of memory");
	j->relocs[j->nr_relocs++] = (struct jit_reloc){.at = at, .kind = kind, .address = address};
}

void jit_cfi(struct jit *j, enum jit_cfi_kind kind, u8 reg, u32 value)
{
	if (!j->opts->unwinding)
		return;
	assert(value <= UINT16_MAX);
	if (array_grow((void **)&j->cfi, &j->cfi_cap, j->nr_cfi + 1, sizeof(*j->cfi)))
		return jit_fail(j, j->pc, ENOMEM, "out of memory");
	j->cfi[j->nr_cfi++] = (struct jit_cfi){jit_offset(j), (u8)kind, reg, (u16)value};
}

static u32 origin_of(const struct facts *f, u32 start)
{
	for (u32 i = 0; f && i < f->nr_subprogs; i++)
		if (f->subprog_start[i] == start)
			return f->subprog_origin[i];
	return start;
}

static void add_function(struct jit *j, u32 at)
{
	if (!j->opts->unwinding)
		return;
	if (array_grow((void **)&j->functions, &j->functions_cap, j->nr_functions + 1,
		    sizeof(*j->functions)))
		return jit_fail(j, j->pc, ENOMEM, "out of memory");
	u32 start = jit_subprog(j)->start;
	j->functions[j->nr_functions++] =
		(struct jit_function){at, jit_offset(j), start, origin_of(j->facts, start)};
}

struct insn *jit_own_insns(struct jit *j)
{
	if (!j->own_insns) {
		size_t bytes = j->prog->len * sizeof(*j->own_insns);

		j->own_insns = arena_alloc(&j->arena, bytes);
		if (!j->own_insns) {
			jit_fail(j, 0, ENOMEM, "out of memory");
			return NULL;
		}
		memcpy(j->own_insns, j->prog->insns, bytes);
		j->insns = j->own_insns;
	}
	return j->own_insns;
}

const struct fact *jit_fact(const struct jit *j, u32 pc)
{
	static const struct fact nothing;

	return j->facts && pc < j->facts->len ? &j->facts->insns[pc] : &nothing;
}

u32 jit_subprog_at(const struct jit *j, u32 pc)
{
	u32 low = 0, high = j->nr_subprogs - 1;

	while (low < high) {
		u32 mid = (low + high + 1) / 2;

		if (j->subprogs[mid].start <= pc)
			low = mid;
		else
			high = mid - 1;
	}
	assert(j->subprogs[low].start == pc);
	return low;
}

static void reset_pass(struct jit *j)
{
	buf_reset(&j->code);
	j->nr_host_insns = 0;
	j->nr_fixups = j->nr_thunks = j->nr_relocs = 0;
	j->nr_cfi = j->nr_functions = j->nr_placed = 0;
	j->nr_labels = j->prog->len + 2 * j->nr_subprogs;
	for (size_t l = 0; l < j->nr_labels; l++)
		j->label_off[l] = JIT_UNBOUND;
	j->priv = NULL;
}

void jit_check_bytes(struct jit *j, const struct buf *code)
{
	if (code->len > JIT_CODE_BYTES_MAX)
		jit_fail(j, j->pc, E2BIG, "the code is longer than %u bytes", JIT_CODE_BYTES_MAX);
}

static void walk_body(struct jit *j, const struct jit_subprog *s)
{
	for (j->pc = s->start; j->pc < s->end && !j->err;) {
		u32 at = jit_offset(j);

		jit_label_bind(j, j->pc);
		u32 n = j->target->lower(j);
		assert(n >= 1 && j->pc + n <= s->end);
		for (u32 i = 1; i < n; i++)
			j->label_off[j->pc + i] = at;
		for (u32 pc = j->pc; j->loop_start && pc < j->pc + n; pc++)
			if (j->loop_start[pc] != JIT_NO_LOOP)
				jit_place_loop(j, j->loop_start[pc], j->pc + n);
		jit_check_bytes(j, &j->code);
		j->pc += n;
	}
	j->pc = s->end - 1;
}

static void walk(struct jit *j)
{
	for (j->subprog = 0; j->subprog < j->nr_subprogs && !j->err; j->subprog++) {
		const struct jit_subprog *s = jit_subprog(j);
		u32 at = jit_offset(j);

		j->pc = s->start;
		jit_label_bind(j, jit_label_entry(j, j->subprog));
		j->target->prologue(j);
		walk_body(j, s);
		jit_label_bind(j, jit_label_exit(j));
		j->target->epilogue(j);
		add_function(j, at);
	}
	j->subprog = j->nr_subprogs - 1;
}

static void walk_thunks(struct jit *j)
{
	for (size_t i = 0; i < j->nr_thunks && !j->err; i++) {
		jit_label_bind(j, j->thunks[i].label);
		j->target->thunk(j, j->thunks[i].address);
	}
	if (j->target->finish && !j->err)
		j->target->finish(j);
	if (j->code.failed)
		jit_fail(j, j->pc, ENOMEM, "out of memory");
}

/* Patches all fixups; true when every one fitted, else some reach is higher than before. */
static bool resolve(struct jit *j)
{
	u32 raised = UINT32_MAX;

	for (size_t i = 0; i < j->nr_fixups && !j->err; i++) {
		const struct jit_fixup *f = &j->fixups[i];

		assert(j->label_off[f->to] != JIT_UNBOUND);
		s64 delta = (s64)j->label_off[f->to] - (s64)f->at;
		if (j->target->patch(j->code.data + f->at, f->kind, delta))
			continue;
		if (raised != f->pc && j->reach[f->pc] == JIT_REACH_MAX)
			jit_fail(j, f->pc, E2BIG, "no branch reaches %lld bytes", (long long)delta);
		else if (raised != f->pc)
			j->reach[f->pc]++;
		raised = f->pc;
	}
	return raised == UINT32_MAX;
}

static void emit(struct jit *j)
{
	for (unsigned pass = 1;; pass++) {
		reset_pass(j);
		walk(j);
		j->body_end = jit_offset(j);
		walk_thunks(j);
		if (j->target->lengthen && !j->err)
			jit_stretch(j);
		if (j->err || resolve(j))
			return;
		if (pass == PASSES_MAX)
			memset(j->reach, JIT_REACH_MAX, j->prog->len);
	}
}

static int image_take(struct jit *j, struct jit_image *out)
{
	u32 len = j->prog->len;
	u32 *insn_off = mem_alloc(array_size((size_t)len + 1, sizeof(*insn_off)));

	if (!insn_off) {
		jit_fail(j, 0, ENOMEM, "out of memory");
		return j->err;
	}
	memcpy(insn_off, j->label_off, array_size(len, sizeof(*insn_off)));
	insn_off[len] = j->body_end;
	*out = (struct jit_image){.target = j->target,
		.code = j->code,
		.relocs = j->relocs,
		.nr_relocs = (u32)j->nr_relocs,
		.insn_off = insn_off,
		.len = len,
		.nr_host_insns = j->nr_host_insns,
		.landing_pads = j->opts->landing_pads,
		.cfi = j->cfi,
		.nr_cfi = (u32)j->nr_cfi,
		.functions = j->functions,
		.nr_functions = (u32)j->nr_functions};
	j->code = (struct buf){0};
	j->relocs = NULL;
	j->cfi = NULL;
	j->functions = NULL;
	return 0;
}

static int compile(struct jit *j, struct jit_image *out)
{
	jit_scan(j);
	if (j->err)
		return j->err;
	size_t nr_labels = (size_t)j->prog->len + 2 * (size_t)j->nr_subprogs;
	j->reach = arena_array(&j->arena, j->prog->len, 1);
	if (!j->reach || array_grow((void **)&j->label_off, &j->labels_cap, nr_labels,
				 sizeof(*j->label_off)))
		jit_fail(j, 0, ENOMEM, "out of memory");
	if (!j->err)
		emit(j);
	return j->err ? j->err : image_take(j, out);
}

int jit_compile(const struct prog *p, const struct facts *f, const struct jit_opts *opts,
	struct jit_image *out, struct diag *d)
{
	struct jit j = {.prog = p, .insns = p->insns, .facts = f, .opts = opts, .diag = d};

	assert(p->len > 0);
	j.target = opts->target ? opts->target : jit_target_host();
	if (!j.target)
		return diag_fail(
			d, pos_none(), ENOTSUP, "there is no native code for this kind of machine");
	int err = compile(&j, out);
	buf_fini(&j.code);
	mem_free(j.fixups);
	mem_free(j.label_off);
	mem_free(j.placed);
	mem_free(j.thunks);
	mem_free(j.relocs);
	mem_free(j.cfi);
	mem_free(j.functions);
	arena_fini(&j.arena);
	return err;
}

void jit_image_fini(struct jit_image *image)
{
	buf_fini(&image->code);
	mem_free(image->relocs);
	mem_free(image->cfi);
	mem_free(image->functions);
	mem_free(image->insn_off);
	*image = (struct jit_image){0};
}
