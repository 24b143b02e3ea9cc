#include "rewrite/append.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/limits.h"

void code_add(struct code *c, struct insn i)
{
	if (!c->failed && array_grow((void **)&c->insns, &c->cap, c->nr + 1, sizeof(*c->insns)))
		c->failed = true;
	if (!c->failed)
		c->insns[c->nr++] = i;
}

void code_fini(struct code *c)
{
	mem_free(c->insns);
	*c = (struct code){0};
}

void code_call(struct code *c, u32 pc)
{
	code_add(c, (struct insn){.code = BPF_JMP | BPF_CALL,
			    .src = CALL_LOCAL,
			    .imm = (s32)((s64)pc - c->start - (s64)c->nr - 1)});
}

size_t code_jump(struct code *c, struct insn jump)
{
	code_add(c, jump);
	return c->nr - 1;
}

void code_land(struct code *c, size_t jump)
{
	if (!c->failed)
		c->insns[jump].off = (s16)(c->nr - jump - 1);
}

void code_jump_back(struct code *c, struct insn jump, size_t at)
{
	jump.off = (s16)((s64)at - (s64)c->nr - 1);
	code_add(c, jump);
}

/* `nr` elements, and room for `more`. */
static void *grown(const void *old, size_t nr, size_t more, size_t size)
{
	void *new = mem_alloc(array_size(nr + more, size));

	if (new &&nr)
		memcpy(new, old, nr * size);
	return new;
}

/* All that grows with the program, before any of it is put in place. */
struct parts {
	struct insn *insns;
	struct fact *facts;
	u32 *stack_bytes, *subprog_start, *subprog_origin;
	struct prog_line *lines;
};

static bool grow(struct parts *n, const struct prog *p, const struct facts *f, size_t more)
{
	n->insns = grown(p->insns, p->len, more, sizeof(*n->insns));
	n->facts = grown(f->insns, f->len, more, sizeof(*n->facts));
	n->stack_bytes = grown(f->stack_bytes, f->nr_subprogs, 1, sizeof(*n->stack_bytes));
	n->subprog_start = grown(f->subprog_start, f->nr_subprogs, 1, sizeof(*n->subprog_start));
	n->subprog_origin = grown(f->subprog_origin, f->nr_subprogs, 1, sizeof(*n->subprog_origin));
	n->lines = grown(p->lines, p->nr_lines, 1, sizeof(*n->lines));
	return n->insns && n->facts && n->stack_bytes && n->subprog_start && n->subprog_origin &&
	       n->lines;
}

static void parts_free(struct parts *n)
{
	mem_free(n->insns);
	mem_free(n->facts);
	mem_free(n->stack_bytes);
	mem_free(n->subprog_start);
	mem_free(n->subprog_origin);
	mem_free(n->lines);
}

int code_append(struct prog *p, struct facts *f, struct code *c, u32 stack_bytes, struct diag *d)
{
	struct parts new = {0};

	assert(c->start == p->len && f->len == p->len);
	if (c->failed || !grow(&new, p, f, c->nr)) {
		parts_free(&new);
		return diag_nomem(d);
	}
	if (c->nr > PROG_MAX_INSNS - p->len) {
		parts_free(&new);
		return diag_fail(d, pos_insn(p->name, 0), E2BIG,
			"the program has %zu instructions after rewriting, the limit is %u",
			p->len + c->nr, PROG_MAX_INSNS);
	}
	memcpy(new.insns + p->len, c->insns, c->nr * sizeof(*new.insns));
	for (size_t i = 0; i < c->nr; i++)
		new.facts[p->len + i] = (struct fact){.flags = FACT_SEEN};
	new.stack_bytes[f->nr_subprogs] = stack_bytes;
	new.subprog_origin[f->nr_subprogs] = p->len;
	new.subprog_start[f->nr_subprogs++] = p->len;
	if (p->nr_lines)
		new.lines[p->nr_lines++] = (struct prog_line){.pc = p->len};
	struct parts old = {
		p->insns, f->insns, f->stack_bytes, f->subprog_start, f->subprog_origin, p->lines};
	parts_free(&old);
	p->insns = new.insns;
	f->insns = new.facts;
	f->stack_bytes = new.stack_bytes;
	f->subprog_start = new.subprog_start;
	f->subprog_origin = new.subprog_origin;
	p->lines = new.lines;
	p->len = f->len = p->len + (u32)c->nr;
	return 0;
}
