/* LPM trie: longest prefix match. A key is a u32 prefix length and that many bits, most significant first, in data of a
 * fixed size. Each node is a prefix; its children continue it with 0 and with 1. Where two prefixes part and none ends there,
 * a branch node joins them.
 *
 * What is promised:
 * - Lookups of programs take no lock and never wait. What a lookup found stays that prefix's value until the program's run
 *   ends (cpu_enter), also when it is deleted or replaced meanwhile: as in the kernel.
 * - Reads from outside take no lock either, unless updates disturb them many times in a row; they return a value as one
 *   update wrote it (words that programs write in place are old or new each).
 * - Each change is one store in the tree, so every lookup finds the tree before or after it. An update replaces the value as
 *   a whole.
 * - Updates, deletes and walks lock the trie, as in the kernel. -ENOSPC comes when max_entries prefixes are there; -ENOMEM
 *   when all nodes are in use by running programs: there is room for a million of those (or as many as a full trie has), so
 *   only when one run outlasts that many changes.
 * - Keys are walked in the kernel's order: children before their prefix. */
#include <errno.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "map/lock.h"
#include "map/lpm_nodes.h"
#include "map/map.h"
#include "map/spec.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum {
	PREFIX_LEN_BYTES = 4,
	DATA_BYTES_MAX = 256,
	/* kernel: KMALLOC_MAX_SIZE - LPM_KEY_SIZE_MAX - sizeof(struct lpm_trie_node) */
	VALUE_BYTES_LIMIT = (4 << 20) - (PREFIX_LEN_BYTES + DATA_BYTES_MAX) - 40,
	READ_TRIES = 16, /* of reads from outside before they take the lock */
	SPARE_NODES_MIN =
		1
		<< 20, /* only reserved: a run may be preempted for as long as others make so many changes */
};

struct lpm_trie {
	_Atomic u32 root; /* number of a node or 0 */
	u32 data_bytes;
	u32 max_prefix_len;
	u32 value_off;        /* of a node */
	struct map_lock lock; /* writers; counts changes that retired nodes */
	u32 nr_entries;
	struct lpm_nodes nodes;
};

struct lpm_key {
	u32 prefix_len;
	const u8 *data;
};

static struct lpm_key key_of(const void *key)
{
	return (struct lpm_key){
		.prefix_len = load_le32(key), .data = (const u8 *)key + PREFIX_LEN_BYTES};
}

/* ---- creation ---- */

static int lpm_check_spec(const struct map_spec *spec, struct diag *d)
{
	u32 key_min = PREFIX_LEN_BYTES + 1, key_max = PREFIX_LEN_BYTES + DATA_BYTES_MAX;
	int err = spec_check_flags(spec, BPF_F_NO_PREALLOC | BPF_F_NUMA_NODE | MAP_ACCESS_FLAGS, d);

	if (!err)
		err = spec_check_not_empty(spec, d);
	if (err)
		return err;
	if (!(spec->flags & BPF_F_NO_PREALLOC))
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': type lpm_trie needs the flag BPF_F_NO_PREALLOC (0x%x)",
			spec->name, BPF_F_NO_PREALLOC);
	if (spec->key_size < key_min || spec->key_size > key_max)
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': key_size is %u bytes, a prefix length of 4 and 1 to %u bytes "
			"of data are possible",
			spec->name, spec->key_size, DATA_BYTES_MAX);
	return spec_check_value_size(spec, VALUE_BYTES_LIMIT, EINVAL, d);
}

static int lpm_create(struct map *m)
{
	struct lpm_trie *t = mem_zalloc(sizeof(*t));
	u64 full =
		2 * (u64)m->spec.max_entries; /* each prefix, and a branch for each but the first */
	int err;

	if (!t)
		return -ENOMEM;
	t->data_bytes = m->spec.key_size - PREFIX_LEN_BYTES;
	t->max_prefix_len = 8 * t->data_bytes;
	t->value_off = (u32)(sizeof(struct lpm_node) + words_bytes(t->data_bytes));
	err = lpm_nodes_init(&t->nodes, full + (full < SPARE_NODES_MIN ? SPARE_NODES_MIN : full),
		t->value_off + m->value_stride, m->cpus);
	if (err) {
		lpm_nodes_fini(&t->nodes);
		mem_free(t);
		return err;
	}
	m->priv = t;
	return 0;
}

static void lpm_destroy(struct map *m)
{
	struct lpm_trie *t = m->priv;

	lpm_nodes_fini(&t->nodes);
	mem_free(t);
}

static u64 lpm_memory_bytes(const struct map *m)
{
	const struct lpm_trie *t = m->priv;

	return t->nodes.fresh * t->nodes.node_bytes;
}

/* ---- nodes ---- */

static struct lpm_node *node_at(const struct lpm_trie *t, u32 number)
{
	return lpm_node_at(&t->nodes, number);
}

static map_word *value_of(const struct lpm_trie *t, struct lpm_node *n)
{
	return (map_word *)((u8 *)n + t->value_off);
}

static u32 number_at(const _Atomic u32 *place)
{
	return atomic_load_explicit(place, memory_order_acquire);
}

static void publish(_Atomic u32 *place, u32 number)
{
	atomic_store_explicit(place, number, memory_order_release);
}

static u32 prefix_len(const struct lpm_node *n)
{
	return atomic_load_explicit(&n->prefix_len, memory_order_acquire);
}

static bool is_branch(const struct lpm_node *n)
{
	return atomic_load_explicit(&n->flags, memory_order_acquire) & LPM_NODE_BRANCH;
}

static unsigned key_bit(const struct lpm_key *key, u32 at)
{
	return key->data[at / 8] >> (7 - at % 8) & 1;
}

static unsigned node_bit(const struct lpm_node *n, u32 at)
{
	u64 word =
		__builtin_bswap64(atomic_load_explicit(&n->words[at / 64], memory_order_relaxed));

	return word >> (63 - at % 64) & 1;
}

/* How many leading bits of the key are those of the node, at most as many as both have. The first `known` bits are known
 * to be the same. */
static ALWAYS_INLINE u32 common_bits(const struct lpm_trie *t, const struct lpm_node *n,
	u32 node_len, const struct lpm_key *key, u32 known)
{
	u32 most = node_len < key->prefix_len ? node_len : key->prefix_len;

	for (u32 at = known / 64; at * 64 < most; at++) {
		u64 word = atomic_load_explicit(&n->words[at], memory_order_acquire);
		u64 differ = __builtin_bswap64(
			word ^ word_from(key->data + 8 * at, t->data_bytes - 8 * at));

		if (differ) {
			u32 same = at * 64 + (u32)__builtin_clzll(differ);

			return same < most ? same : most;
		}
	}
	return most;
}

/* ---- lookup ---- */

/* The node of the longest prefix of the key, or 0. A reader whom no grace period protects may be led to a node of another
 * place: *lost tells when that is seen (prefixes must get longer all the way, so it ends in any case). */
static ALWAYS_INLINE u32 find_longest(
	const struct lpm_trie *t, const struct lpm_key *key, bool *lost)
{
	u32 found = 0, known = 0;
	bool first = true;

	*lost = false;
	if (key->prefix_len > t->max_prefix_len)
		return 0;
	for (u32 number = number_at(&t->root); number; first = false) {
		const struct lpm_node *n = node_at(t, number);
		u32 len = prefix_len(n);

		if (len <= known && !first) {
			*lost = true;
			return 0;
		}
		if (common_bits(t, n, len, key, known) < len)
			break;
		if (!is_branch(n))
			found = number;
		if (len == t->max_prefix_len)
			break;
		known = len;
		number = number_at(&n->child[key_bit(key, len)]);
	}
	return found;
}

static void *lpm_lookup(struct map *m, const void *key, u8 *self)
{
	const struct lpm_trie *t = m->priv;
	struct lpm_key k = key_of(key);
	bool lost;
	u32 number = find_longest(t, &k, &lost);

	(void)self;
	return number ? value_of(t, node_at(t, number)) : NULL;
}

static int read_once(struct map *m, const struct lpm_key *key, void *value, bool *lost)
{
	struct lpm_trie *t = m->priv;
	u32 number = find_longest(t, key, lost);

	if (!number)
		return -ENOENT;
	words_load(value, value_of(t, node_at(t, number)), m->spec.value_size);
	return 0;
}

/* Nodes are used again only after the count went up: with the same count before and after, all that was read was right. */
static int lpm_read(struct map *m, const void *key, void *value)
{
	struct lpm_trie *t = m->priv;
	struct lpm_key k = key_of(key);
	bool lost;
	int err;

	for (unsigned i = 0; i < READ_TRIES; i++) {
		u32 count = lock_count(&t->lock);

		err = read_once(m, &k, value, &lost);
		if (!lost && lock_count(&t->lock) == count)
			return err;
	}
	lock_take(&t->lock);
	err = read_once(m, &k, value, &lost);
	lock_drop(&t->lock);
	assert(!lost);
	return err;
}

/* ---- changes, under the lock ---- */

/* A place in the tree: where the number of a node stands, and how much of the key that node has. */
struct place {
	_Atomic u32 *at;        /* &root or a child of some node */
	_Atomic u32 *parent_at; /* where the number of that node stands, or NULL */
	u32 common;             /* bits of the key and the node at `at` */
};

/* Follows the key to where its node is or should be. */
static struct place place_of(struct lpm_trie *t, const struct lpm_key *key)
{
	struct place p = {.at = &t->root};
	u32 number;

	while ((number = number_at(p.at))) {
		struct lpm_node *n = node_at(t, number);
		u32 len = prefix_len(n);

		p.common = common_bits(t, n, len, key, 0);
		if (p.common < len || len == key->prefix_len)
			break;
		p.parent_at = p.at;
		p.at = &n->child[key_bit(key, len)];
	}
	return p;
}

static bool is_exact(const struct lpm_trie *t, const struct place *p, const struct lpm_key *key)
{
	u32 number = number_at(p->at);

	return number && p->common == key->prefix_len &&
	       prefix_len(node_at(t, number)) == key->prefix_len;
}

static void node_fill(
	const struct lpm_trie *t, struct lpm_node *n, u32 len, u32 flags, const u8 *data)
{
	atomic_store_explicit(&n->prefix_len, len, memory_order_release);
	atomic_store_explicit(&n->flags, flags, memory_order_release);
	words_store(n->words, data, t->data_bytes);
}

/* Puts a new node in the place of `old`, which has the same prefix. */
static void replace(struct lpm_trie *t, const struct place *p, u32 number)
{
	u32 old = number_at(p->at);

	for (size_t i = 0; i < 2; i++)
		publish(&node_at(t, number)->child[i], number_at(&node_at(t, old)->child[i]));
	publish(p->at, number);
	lpm_node_retire(&t->nodes, old);
}

/* Puts a new node above the one at the place, of which it is a prefix. */
static void put_above(struct lpm_trie *t, const struct place *p, u32 number)
{
	u32 below = number_at(p->at);

	if (below)
		publish(&node_at(t, number)->child[node_bit(node_at(t, below), p->common)], below);
	publish(p->at, number);
}

/* Joins a new node and the one at the place by a branch where they part. */
static int put_beside(
	struct lpm_trie *t, const struct place *p, const struct lpm_key *key, u32 number)
{
	u32 beside = number_at(p->at);
	u32 branch = lpm_node_new(&t->nodes);
	unsigned bit = key_bit(key, p->common);
	u8 data[DATA_BYTES_MAX];

	if (!branch)
		return -ENOMEM;
	words_load(data, node_at(t, beside)->words, t->data_bytes);
	node_fill(t, node_at(t, branch), p->common, LPM_NODE_BRANCH, data);
	publish(&node_at(t, branch)->child[bit], number);
	publish(&node_at(t, branch)->child[!bit], beside);
	publish(p->at, branch);
	return 0;
}

static int check_change(const struct map *m, bool exists, u64 flags)
{
	const struct lpm_trie *t = m->priv;

	if (exists)
		return flags == BPF_NOEXIST ? -EEXIST : 0;
	if (flags == BPF_EXIST)
		return -ENOENT;
	return t->nr_entries == m->spec.max_entries ? -ENOSPC : 0;
}

static int put(struct map *m, const struct lpm_key *key, const void *value, u64 flags)
{
	struct lpm_trie *t = m->priv;
	struct place p = place_of(t, key);
	bool exact = is_exact(t, &p, key);
	bool exists = exact && !is_branch(node_at(t, number_at(p.at)));
	int err = check_change(m, exists, flags);
	u32 number = err ? 0 : lpm_node_new(&t->nodes);

	if (!number)
		return err ? err : -ENOMEM;
	node_fill(t, node_at(t, number), key->prefix_len, 0, key->data);
	words_store(value_of(t, node_at(t, number)), value, m->spec.value_size);
	if (exact)
		replace(t, &p, number);
	else if (!number_at(p.at) || p.common == key->prefix_len)
		put_above(t, &p, number);
	else
		err = put_beside(t, &p, key, number);
	if (err)
		lpm_node_discard(&t->nodes, number);
	else
		t->nr_entries += !exists;
	return err;
}

static int lpm_write(struct map *m, const void *key, const void *value, u64 flags)
{
	struct lpm_trie *t = m->priv;
	struct lpm_key k = key_of(key);
	int err;

	if (flags > BPF_EXIST || k.prefix_len > t->max_prefix_len)
		return -EINVAL;
	lock_take(&t->lock);
	err = put(m, &k, value, flags);
	lock_drop_count(&t->lock);
	return err;
}

static int lpm_update(struct map *m, const void *key, const void *value, u64 flags, u8 *self)
{
	(void)self;
	return lpm_write(m, key, value, flags);
}

/* Unlinks a node that has at most one child, and the branch above it when that has nothing to join any more. */
static void unlink_node(struct lpm_trie *t, const struct place *p)
{
	u32 number = number_at(p->at);
	struct lpm_node *n = node_at(t, number);
	u32 only_child = number_at(&n->child[0]) | number_at(&n->child[1]);
	u32 parent = p->parent_at ? number_at(p->parent_at) : 0;

	if (parent && !only_child && is_branch(node_at(t, parent))) {
		struct lpm_node *branch = node_at(t, parent);

		publish(p->parent_at, number_at(&branch->child[p->at == &branch->child[0]]));
		lpm_node_retire(&t->nodes, parent);
	} else {
		publish(p->at, only_child);
	}
	lpm_node_retire(&t->nodes, number);
}

static int take_out(struct lpm_trie *t, const struct lpm_key *key)
{
	struct place p = place_of(t, key);
	struct lpm_node *n;

	if (!is_exact(t, &p, key))
		return -ENOENT;
	n = node_at(t, number_at(p.at));
	if (is_branch(n))
		return -ENOENT;
	t->nr_entries--;
	if (number_at(&n->child[0]) && number_at(&n->child[1]))
		atomic_store_explicit(&n->flags, LPM_NODE_BRANCH, memory_order_release);
	else
		unlink_node(t, &p);
	return 0;
}

static int lpm_remove(struct map *m, const void *key)
{
	struct lpm_trie *t = m->priv;
	struct lpm_key k = key_of(key);
	int err;

	if (k.prefix_len > t->max_prefix_len)
		return -EINVAL;
	lock_take(&t->lock);
	err = take_out(t, &k);
	lock_drop_count(&t->lock);
	return err;
}

/* ---- walking, under the lock ---- */

/* The first node in the walk of the tree under `number`. */
static u32 first_under(const struct lpm_trie *t, u32 number)
{
	u32 first = 0;

	while (number) {
		const struct lpm_node *n = node_at(t, number);
		u32 child = number_at(&n->child[0]);

		first = number;
		number = child ? child : number_at(&n->child[1]);
	}
	return first;
}

/* The node that follows the key's in the walk; the first one when the key has no node; 0 behind the last.
 * What follows a node's whole subtree is known on the way down: its brother's subtree, or else the node above when that is
 * a prefix itself, or else what follows that. */
static u32 next_number(const struct lpm_trie *t, const struct lpm_key *key)
{
	u32 number = number_at(&t->root), next = 0;

	while (number) {
		const struct lpm_node *n = node_at(t, number);
		u32 len = prefix_len(n), brother;

		if (common_bits(t, n, len, key, 0) < len)
			break;
		if (len == key->prefix_len) {
			if (is_branch(n))
				break;
			return next;
		}
		brother = key_bit(key, len) ? 0 : number_at(&n->child[1]);
		if (brother)
			next = first_under(t, brother);
		else if (!is_branch(n))
			next = number;
		number = number_at(&n->child[key_bit(key, len)]);
	}
	return first_under(t, number_at(&t->root));
}

static void key_read(const struct lpm_trie *t, const struct lpm_node *n, void *key)
{
	store_le32(key, prefix_len(n));
	words_load((u8 *)key + PREFIX_LEN_BYTES, n->words, t->data_bytes);
}

static u32 next_or_first(const struct lpm_trie *t, const void *key)
{
	struct lpm_key k;

	if (!key)
		return first_under(t, number_at(&t->root));
	k = key_of(key);
	return k.prefix_len > t->max_prefix_len ? first_under(t, number_at(&t->root))
						: next_number(t, &k);
}

static int lpm_next_key(struct map *m, const void *key, void *next)
{
	struct lpm_trie *t = m->priv;
	u32 number;

	lock_take(&t->lock);
	number = next_or_first(t, key);
	if (number)
		key_read(t, node_at(t, number), next);
	lock_drop(&t->lock);
	return number ? 0 : -ENOENT;
}

/* The cursor is the last node returned and, in the upper half, how often it had been used: when it was used again since,
 * the walk starts again, as the kernel's does when a key is gone. */
static u32 cursor_next(const struct lpm_trie *t, u64 cursor)
{
	u32 number = (u32)cursor;
	u8 key[PREFIX_LEN_BYTES + DATA_BYTES_MAX];

	if (!number || number >= t->nodes.fresh || node_at(t, number)->gen != cursor >> 32)
		return next_or_first(t, NULL);
	key_read(t, node_at(t, number), key);
	return next_or_first(t, key);
}

static int lpm_read_batch(struct map *m, u64 *cursor, void *keys, void *values, u32 *count)
{
	struct lpm_trie *t = m->priv;
	u8 *key = keys, *value = values;
	u32 nr = 0, number = 0;

	while (nr < *count) {
		lock_take(&t->lock);
		number = cursor_next(t, *cursor);
		if (number) {
			struct lpm_node *n = node_at(t, number);

			key_read(t, n, key);
			words_load(value, value_of(t, n), m->spec.value_size);
			*cursor = (u64)n->gen << 32 | number;
		}
		lock_drop(&t->lock);
		if (!number)
			break;
		key += m->spec.key_size;
		value += m->spec.value_size;
		nr++;
	}
	*count = nr;
	return number ? 0 : -ENOENT;
}

const struct map_ops lpm_trie_map_ops = {
	.name = "lpm_trie",
	.check_spec = lpm_check_spec,
	.create = lpm_create,
	.destroy = lpm_destroy,
	.lookup = lpm_lookup,
	.update = lpm_update,
	.remove = lpm_remove,
	.read = lpm_read,
	.write = lpm_write,
	.next_key = lpm_next_key,
	.read_batch = lpm_read_batch,
	.memory_bytes = lpm_memory_bytes,
};
