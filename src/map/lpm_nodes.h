/* Nodes of LPM tries: a pool of reserved memory, in which unlinked nodes wait until no program can be looking at them.
 * The caller holds the trie's lock in every call but those that only read a node. */
#ifndef WEIR_MAP_LPM_NODES_H
#define WEIR_MAP_LPM_NODES_H

#include "map/words.h"

struct cpus;

enum {
	LPM_NODE_BRANCH = 1, /* only there to join its two children; has no value */
};

struct lpm_node {
	_Atomic u32 child[2]; /* numbers of nodes or 0: the key's next bit is 0 or 1 */
	_Atomic u32 prefix_len;
	_Atomic u32 flags;
	u32 link; /* free or retired: the next one; only under the lock */
	u32 gen;  /* how often the node was used; only under the lock */
	map_word words[]; /* the key's data as given, then the value */
};

struct lpm_list {
	u32 first; /* number or 0 */
	u32 nr;
};

struct lpm_nodes {
	u8 *memory; /* node n (1 ...) is at memory + n * node_bytes; there is no node 0 */
	size_t node_bytes;
	size_t memory_bytes;
	u32 end;   /* numbers below exist */
	u32 fresh; /* from here on: never used */
	struct lpm_list free;
	struct lpm_list retired; /* since the grace period began */
	struct lpm_list waiting; /* for the grace period to be over */
	u32 *seen;		 /* what the slots did when it began */
	const struct cpus *cpus;
};

/* Room for `nr` nodes, or as many as address space may be spent on. 0 or -ENOMEM. */
int lpm_nodes_init(struct lpm_nodes *p, u64 nr, size_t node_bytes, const struct cpus *cpus);
void lpm_nodes_fini(struct lpm_nodes *p);

/* A node without children, or 0 when there is none. */
u32 lpm_node_new(struct lpm_nodes *p);
/* No reader has seen it yet. */
void lpm_node_discard(struct lpm_nodes *p, u32 number);
/* It is unlinked, but readers may be looking at it. */
void lpm_node_retire(struct lpm_nodes *p, u32 number);

static inline struct lpm_node *lpm_node_at(const struct lpm_nodes *p, u32 number)
{
	return (struct lpm_node *)(p->memory + (size_t)number * p->node_bytes);
}

#endif
