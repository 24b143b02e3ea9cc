/* Map loads become addresses: of struct map for helpers, or of a value. */
#include "map/map.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/gen.h"
#include "rewrite/passes.h"

static u64 address_of(const struct prog *p, const struct insn load[static 2])
{
	const struct map *map = p->maps[load[0].imm];

	if (load[0].src == LD_IMM64_MAP_IDX)
		return (u64)(uintptr_t)map;
	return map->layout.base + (u32)load[1].imm;
}

int map_addr_run(struct prog *p, struct facts *f, struct diag *d)
{
	struct editor e;

	editor_init(&e, p, f);
	for (u32 pc = 0; pc < p->len; pc += flow_width(p->insns[pc])) {
		struct insn i = p->insns[pc];
		struct insn load[2];

		if (!insn_is_ld_imm64(i) ||
			(i.src != LD_IMM64_MAP_IDX && i.src != LD_IMM64_MAP_IDX_VALUE))
			continue;
		u64 address = address_of(p, &p->insns[pc]);
		gen_ld_imm64(load, i.dst, LD_IMM64_VALUE, (u32)address, (u32)(address >> 32));
		edit_replace(&e, pc, 2, load, 2);
	}
	int err = editor_apply(&e, d);
	editor_fini(&e);
	return err;
}
