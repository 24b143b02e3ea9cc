/* A program may keep a pointer to a value until its run ends, as in the kernel. So a retired node is used again only after
 * a grace period (cpu_grace_start): every slot that was running at some moment after it was unlinked has left its run.
 * Grace periods are asked for in batches, since one costs a system call; nobody waits for one. */
#include "map/lpm_nodes.h"

#include <errno.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "cpu/cpu.h"

enum { RETIRED_MAX = 64 }; /* so many are worth a grace period before fresh memory is touched */

int lpm_nodes_init(struct lpm_nodes *p, u64 nr, size_t node_bytes, const struct cpus *cpus)
{
	u64 most = LPM_RESERVE_BYTES_MAX / node_bytes;

	if (most > UINT32_MAX)
		most = UINT32_MAX;
	*p = (struct lpm_nodes){.end = (u32)(nr < most ? nr + 1 : most),
		.fresh = 1,
		.node_bytes = node_bytes,
		.cpus = cpus};
	p->memory_bytes = array_size(p->end, node_bytes);
	p->seen = mem_alloc(array_size(cpus_nr(cpus), sizeof(*p->seen)));
	p->memory = mem_reserve(p->memory_bytes);
	return p->seen && p->memory ? 0 : -ENOMEM;
}

void lpm_nodes_fini(struct lpm_nodes *p)
{
	mem_unreserve(p->memory, p->memory_bytes);
	mem_free(p->seen);
}

static void list_push(struct lpm_nodes *p, struct lpm_list *list, u32 number)
{
	lpm_node_at(p, number)->link = list->first;
	list->first = number;
	list->nr++;
}

static u32 list_pop(struct lpm_nodes *p, struct lpm_list *list)
{
	u32 number = list->first;

	if (number) {
		list->first = lpm_node_at(p, number)->link;
		list->nr--;
	}
	return number;
}

static void free_waiting(struct lpm_nodes *p)
{
	if (!p->waiting.nr || !cpu_grace_over(p->cpus, p->seen))
		return;
	while (p->waiting.nr)
		list_push(p, &p->free, list_pop(p, &p->waiting));
}

/* Frees what can be freed, and begins the next grace period when none is running. */
static void reclaim(struct lpm_nodes *p)
{
	free_waiting(p);
	if (p->waiting.nr || !p->retired.nr)
		return;
	cpu_grace_start(p->cpus, p->seen);
	p->waiting = p->retired;
	p->retired = (struct lpm_list){0};
	free_waiting(p);
}

static u32 number_new(struct lpm_nodes *p)
{
	if (!p->free.nr && p->retired.nr >= RETIRED_MAX)
		reclaim(p);
	if (!p->free.nr && p->fresh < p->end)
		return p->fresh++;
	if (!p->free.nr)
		reclaim(p);
	return list_pop(p, &p->free);
}

u32 lpm_node_new(struct lpm_nodes *p)
{
	u32 number = number_new(p);
	struct lpm_node *n = lpm_node_at(p, number);

	if (!number)
		return 0;
	n->gen++;
	atomic_store_explicit(&n->child[0], 0, memory_order_release);
	atomic_store_explicit(&n->child[1], 0, memory_order_release);
	return number;
}

void lpm_node_discard(struct lpm_nodes *p, u32 number)
{
	list_push(p, &p->free, number);
}

void lpm_node_retire(struct lpm_nodes *p, u32 number)
{
	list_push(p, &p->retired, number);
}
