/* verify: the verdict on a program, the reason, and the facts.
 *
 *   -- type      raw BYTES, or a type's name: xdp is the default. Of attach types the first
 *   -- maps      see case_maps.h
 *   -- funcs     see case_funcs.h
 *   -- asm       the program
 *   -- strict    (empty) strict alignment
 *   -- accept    (empty) it must be accepted
 *   -- walked N  (empty) and within that many steps
 *   -- facts     what is known of each instruction that more is known of than that it is reached
 *   -- reject    or it must be refused: "ERRNO insn N: text", then further lines of explanation
 *   -- kernel    how this machine's kernel differs. Without this section it must give the same verdict for
 *                programs of its types, and a refusal's text must stand in its log. "accepts": it lets the program through;
 *                "refuses": it doesn't; "says TEXT": same verdict, other words; "either": that changed between
 *                versions. Not looked at without the right to load. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/limits.h"
#include "case.h"
#include "case_funcs.h"
#include "case_maps.h"
#include "isa/isa.h"
#include "isa/prog.h"
#include "kernel_btf.h"
#include "kernel_funcs.h"
#include "kernel_prog.h"
#include "map/kernel_map.h"
#include "map/map.h"
#include "progtype/progtype.h"
#include "verify/verify.h"

static struct str trimmed(struct str text)
{
	while (text.len && text.p[text.len - 1] == '\n')
		text.len--;
	return text;
}

static void read_type(struct tcase *c, struct prog *p)
{
	const struct section *s = case_find(c, "type", "");
	struct str name, bytes, text = s ? trimmed(section_body(s)) : str_of("xdp");
	char type[32] = "";

	str_split(text, ' ', &name, &bytes);
	if (name.len < sizeof(type))
		memcpy(type, name.p, name.len);
	p->type = prog_type_by_name(type);
	if (p->type == PROG_TYPE_UNSPEC || (bytes.len && !str_to_u32(bytes, &p->raw_mem_bytes)))
		case_fail(c, s, "'%.*s' is not a type", (int)text.len, text.p);
	else if (prog_type_ops_of(p->type)->nr_attach_rules)
		p->attach_type = prog_type_ops_of(p->type)->attach_rules[0].type;
}

/* Facts as text. */

static const char *const mem_names[] = {
	[MEM_MIXED] = "mixed",
	[MEM_CTX] = "ctx",
	[MEM_STACK] = "stack",
	[MEM_PACKET] = "packet",
	[MEM_MAP_VALUE] = "map_value",
	[MEM_RAW] = "raw",
};

static void put_fact(struct buf *out, const struct fact *f)
{
	if (!(f->flags & FACT_SEEN))
		buf_puts(out, " unreached");
	if (f->mem) {
		buf_printf(out, " %s", mem_names[f->mem]);
		if (f->off)
			buf_printf(out, "%+d", f->off);
	}
	if (f->flags & FACT_TAKEN)
		buf_puts(out, " taken");
	if (f->flags & FACT_NOT_TAKEN)
		buf_puts(out, " not_taken");
	if (f->flags & FACT_MAP)
		buf_printf(out, " map[%u]", f->map);
	if (f->flags & FACT_KEY_OFF)
		buf_printf(out, " key_off=%d", f->key_off);
	if (f->flags & FACT_KEY)
		buf_printf(out, " key=%u", f->key);
	if (f->flags & FACT_KEY_IN_RANGE)
		buf_puts(out, " key_in_range");
	if (f->flags & FACT_SRC_NONZERO)
		buf_puts(out, " src_nonzero");
	if (f->flags & FACT_DST_UPPER_ZERO)
		buf_puts(out, " dst_upper_zero");
	if (f->flags & FACT_SRC_BYTE)
		buf_puts(out, " src_byte");
	else if (f->flags & FACT_SRC_SHORT)
		buf_puts(out, " src_short");
	if (f->flags & FACT_DST_KNOWN)
		buf_printf(out, " value=0x%llx", (unsigned long long)f->value);
}

static void put_facts(struct buf *out, const struct prog *p, const struct facts *f)
{
	for (u32 pc = 0; pc < p->len; pc += insn_is_ld_imm64(p->insns[pc]) ? 2 : 1) {
		struct buf facts = {0};

		put_fact(&facts, &f->insns[pc]);
		if (facts.len) {
			buf_printf(out, "%u: ", pc);
			insn_print(out, p->insns[pc], &p->insns[pc + 1]);
			buf_printf(out, " ;%s\n", buf_cstr(&facts));
		}
		buf_fini(&facts);
	}
	buf_puts(out, "stack:");
	for (u32 n = 0; n < f->nr_subprogs; n++)
		buf_printf(out, " %u", f->stack_bytes[n]);
	for (u32 n = 0; n < f->nr_subprogs; n++)
		if (f->uninit_slots[n])
			buf_printf(out, "\nuninit %u: %#llx", n,
				(unsigned long long)f->uninit_slots[n]);
	buf_puts(out, "\n");
}

static const char *errno_name(int err)
{
	switch (err) {
	case EACCES:
		return "EACCES";
	case EINVAL:
		return "EINVAL";
	case E2BIG:
		return "E2BIG";
	case EOPNOTSUPP:
		return "EOPNOTSUPP";
	}
	return strerror(err);
}

static void put_reason(struct buf *out, const struct diag *d)
{
	for (size_t n = 0; n < d->nr; n++) {
		const struct diag_entry *e = &d->entries[n];

		if (e->level == DIAG_ERROR)
			buf_printf(
				out, "%s insn %u: %s\n", errno_name(e->err), e->pos.line, e->text);
		else
			buf_printf(out, "%s\n", e->text);
	}
}

static void expect(struct tcase *c, struct section *s, const struct buf *actual)
{
	case_expect(c, s, str_new((const char *)actual->data, actual->len));
}

/* The kernel's opinion. */

enum { LOG_BYTES = 1 << 20 };

static int inner_fd(const struct prog *p, const int *fds, u32 n)
{
	for (u32 k = 0; k < n; k++)
		if (p->maps[k] == p->maps[n]->spec.inner)
			return fds[k];
	return 0;
}

static void fill_like(int fd, struct map *m)
{
	static u8 value[1 << 16];
	u32 key = 0;

	if (m->spec.type == MAP_TYPE_ARRAY && m->spec.value_size <= sizeof(value) &&
		!map_read(m, &key, value))
		kernel_map_write(fd, &key, value, BPF_ANY);
	if (m->frozen)
		kernel_map_freeze(fd);
}

static void kernel_maps(const struct prog *p, int *fds)
{
	for (u32 n = 0; n < p->nr_maps; n++) {
		fds[n] = kernel_map_new_of(&p->maps[n]->spec, inner_fd(p, fds, n));
		fill_like(fds[n], p->maps[n]);
	}
}

/* Map indexes become descriptors. */
static void name_maps(struct prog *p, const int *fds)
{
	for (u32 pc = 0; pc < p->len; pc++) {
		struct insn *i = &p->insns[pc];

		if (!insn_is_ld_imm64(*i))
			continue;
		if (i->src == LD_IMM64_MAP_IDX || i->src == LD_IMM64_MAP_IDX_VALUE) {
			i->src = i->src == LD_IMM64_MAP_IDX ? LD_IMM64_MAP_FD : LD_IMM64_MAP_VALUE;
			i->imm = fds[i->imm];
		}
		pc++;
	}
}

/* Types of functions can be given for xdp only. */
static bool kernel_has(enum prog_type type)
{
	return prog_type_ops_of(type)->runs_on_frames;
}

static int ask_kernel(const struct prog *p, char *log)
{
	struct prog *copy = prog_clone(p);
	int fds[8];

	kernel_maps(p, fds);
	name_maps(copy, fds);
	bool typed;
	static struct kernel_func funcs[PROG_MAX_SUBPROGS];
	u32 nr_funcs = kernel_funcs(p, funcs, &typed);
	int fd = typed ? kernel_xdp_load_typed(
				 copy->insns, copy->len, funcs, nr_funcs, log, LOG_BYTES)
		       : kernel_prog_load_as((u32)p->type, p->attach_type, copy->insns, copy->len,
				 log, LOG_BYTES);
	/* Types of functions, which weir takes for granted. */
	if (fd < 0 && !typed && strstr(log, "without BTF"))
		fd = kernel_prog_load_subprogs(
			(u32)p->type, p->attach_type, copy->insns, copy->len, log, LOG_BYTES);
	if (fd >= 0)
		close(fd);
	for (u32 n = 0; n < p->nr_maps; n++)
		close(fds[n]);
	prog_free(copy);
	return fd < 0 ? fd : 0;
}

static void compare(struct tcase *c, const struct prog *p, int err, const char *reason)
{
	static char log[LOG_BYTES];
	struct section *s = case_find(c, "kernel", "");
	struct str want = s ? trimmed(section_body(s)) : str_of("");
	struct str says = str_of("says "), word, text;
	int kernel = ask_kernel(p, log);

	if (str_eq(want, "either"))
		return;
	if (str_eq(want, "accepts") || str_eq(want, "refuses")) {
		if ((kernel != 0) != str_eq(want, "refuses"))
			case_fail(c, s, "the kernel answers %d:\n%s", kernel, log);
		if ((kernel != 0) == (err != 0))
			case_fail(c, s, "the kernel's verdict doesn't differ any more");
		return;
	}
	str_split(want, ' ', &word, &text);
	if (want.len && !(str_eq(word, "says") && want.len > says.len)) {
		case_fail(c, s, "'%.*s' is not accepts, refuses, either or says TEXT",
			(int)want.len, want.p);
		return;
	}
	if ((kernel != 0) != (err != 0))
		case_fail(c, s, "the kernel answers %d:\n%s", kernel, log);
	else if (err && !want.len && !strstr(log, reason))
		case_fail(c, s, "the kernel says\n%s", log);
	else if (want.len && !memmem(log, strlen(log), text.p, text.len))
		case_fail(c, s, "the kernel says\n%s", log);
}

static void check_walked(struct tcase *c, u32 walked)
{
	for (size_t n = 0; n < c->nr; n++) {
		const struct section *s = &c->file->sections[c->first + n];
		u32 most;

		if (!str_eq(s->name, "walked"))
			continue;
		if (!str_to_u32(s->args, &most) || walked > most)
			case_fail(c, s, "%u steps", walked);
	}
}

static void check(struct tcase *c, const struct prog *p)
{
	struct section *accept = case_find(c, "accept", ""), *reject = case_find(c, "reject", "");
	struct section *facts = case_find(c, "facts", "");
	struct verify_opts opts = {.strict_alignment = case_find(c, "strict", "") != NULL};
	struct facts f = {0};
	struct diag d = {0};
	struct buf text = {0};
	struct verify_stats stats = {0};
	int err = verify(p, &opts, &f, &stats, &d);

	check_walked(c, stats.insns_walked);
	if (!accept == !reject && !facts) {
		case_fail(c, NULL, "one of accept, facts and reject, please");
	} else if (reject) {
		put_reason(&text, &d);
		if (!err)
			case_fail(c, reject, "accepted");
		else
			expect(c, reject, &text);
	} else if (err) {
		put_reason(&text, &d);
		case_fail(c, accept ? accept : facts, "refused: %s", buf_cstr(&text));
	} else if (facts) {
		put_facts(&text, p, &f);
		expect(c, facts, &text);
	}
	if (!c->failed && kernel_has(p->type) && !opts.strict_alignment && kernel_progs_work())
		compare(c, p, err, diag_first(&d));
	buf_fini(&text);
	facts_fini(&f);
	diag_fini(&d);
}

static void run(struct tcase *c)
{
	struct str text = case_need(c, "asm", "");
	struct prog *p = prog_new("case", PROG_TYPE_XDP);
	struct case_maps maps;
	struct diag d = {0};

	read_type(c, p);
	case_maps_init(&maps, c, p);
	if (!c->failed && prog_assemble(p, "asm", text.p, text.len, &d))
		case_fail(c, case_find(c, "asm", ""), "refused: %s", diag_first(&d));
	if (!c->failed)
		case_funcs(c, p);
	if (!c->failed)
		check(c, p);
	prog_free(p);
	case_maps_fini(&maps);
	diag_fini(&d);
}

const struct kind kind_verify = {"verify", run};
