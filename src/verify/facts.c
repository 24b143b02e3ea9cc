/* From what the walk has traced to what passes may rely on. */
#include "verify/facts.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "verify/verifier.h"

void facts_fini(struct facts *f)
{
	mem_free(f->insns);
	mem_free(f->stack_bytes);
	mem_free(f->uninit_slots);
	mem_free(f->subprog_start);
	mem_free(f->subprog_origin);
	*f = (struct facts){0};
}

static struct fact fact_of(const struct trace *t, struct insn i)
{
	struct fact f = {0};

	if (!t->seen)
		return f;
	f.flags = FACT_SEEN;
	f.mem = t->mem;
	if (insn_is_cond_jump(i)) {
		if (t->jumped && !t->fell)
			f.flags |= FACT_TAKEN;
		if (t->fell && !t->jumped)
			f.flags |= FACT_NOT_TAKEN;
	}
	if (t->map_seen && !t->map_varies && (t->mem == MEM_NONE || t->mem == MEM_MAP_VALUE)) {
		f.flags |= FACT_MAP;
		f.map = t->map;
	}
	if (t->key_seen && !t->key_varies) {
		f.flags |= FACT_KEY_OFF;
		f.key_off = t->key_off;
	}
	if (t->callback_seen && !t->callback_varies) {
		f.flags |= FACT_CALLBACK;
		f.callback = t->callback;
	}
	if ((t->mem == MEM_CTX || t->mem == MEM_STACK) && !t->off_varies)
		f.off = t->off;
	return f;
}

int find_facts(struct verifier *v, struct facts *out)
{
	struct facts f = {
		.insns = mem_zalloc(array_size(v->prog->len, sizeof(*f.insns))),
		.len = v->prog->len,
		.stack_bytes = mem_zalloc(array_size(v->nr_subprogs, sizeof(*f.stack_bytes))),
		.uninit_slots = mem_zalloc(array_size(v->nr_subprogs, sizeof(*f.uninit_slots))),
		.subprog_start = mem_zalloc(array_size(v->nr_subprogs, sizeof(*f.subprog_start))),
		.subprog_origin = mem_zalloc(array_size(v->nr_subprogs, sizeof(*f.subprog_origin))),
		.nr_subprogs = v->nr_subprogs,
	};

	if (!f.insns || !f.stack_bytes || !f.uninit_slots || !f.subprog_start ||
		!f.subprog_origin) {
		facts_fini(&f);
		return diag_nomem(v->diag);
	}
	for (u32 pc = 0; pc < f.len; pc++)
		f.insns[pc] = fact_of(&v->traces[pc], v->prog->insns[pc]);
	for (u32 n = 0; n < f.nr_subprogs; n++) {
		f.stack_bytes[n] = v->subprogs[n].stack_bytes;
		f.uninit_slots[n] = v->subprogs[n].uninit_slots;
		f.subprog_start[n] = f.subprog_origin[n] = v->subprogs[n].start;
	}
	int err = find_values(v, f.insns);
	if (err) {
		facts_fini(&f);
		return err;
	}
	*out = f;
	return 0;
}
