/* liburcu's lock-free hash table (cds_lfht) with its fastest kind of RCU (QSBR): as many buckets as keys from the beginning,
 * no resizing, weir's hash function, comparison of one word. Values are in the nodes, of per-CPU tables one for each thread. */
#include <stdlib.h>
#include <urcu-qsbr.h>
#include <urcu/rculfhash.h>

#include "beside.h"
#include "map/hash_key.h"

struct node {
	struct cds_lfht_node link;
	struct rcu_head head;
	uint64_t key;
	uint64_t values[THREADS_MAX];
};

struct table {
	struct cds_lfht *table;
	const struct subject *subject;
	enum op op;
	struct hash_seed seed;
	uint64_t sum[THREADS_MAX * 8];
};

static int match(struct cds_lfht_node *link, const void *key)
{
	return caa_container_of(link, struct node, link)->key == *(const uint64_t *)key;
}

static struct node *node_new(uint64_t key)
{
	struct node *n = malloc(sizeof(*n));

	if (!n)
		exit(1);
	cds_lfht_node_init(&n->link);
	n->key = key;
	n->values[0] = n->values[1] = 1;
	return n;
}

static void node_free(struct rcu_head *head)
{
	free(caa_container_of(head, struct node, head));
}

static void replace(struct table *t, uint64_t key)
{
	struct node *n = node_new(key);
	struct cds_lfht_node *old = cds_lfht_add_replace(
		t->table, hash_key(&key, sizeof(key), &t->seed), match, &key, &n->link);

	if (old)
		call_rcu(&caa_container_of(old, struct node, link)->head, node_free);
}

static void *urcu_open(const struct subject *s, enum op op)
{
	if (s->type == WEIR_MAP_ARRAY || s->type == WEIR_MAP_PERCPU_ARRAY ||
		s->type == WEIR_MAP_LRU_HASH || (op == UPDATE && s->type == WEIR_MAP_PERCPU_HASH))
		return NULL;
	struct table *t = calloc(1, sizeof(*t));

	t->subject = s;
	t->op = op;
	t->seed = hash_seed_new(false);
	t->table = cds_lfht_new(s->entries, s->entries, s->entries, 0, NULL);
	rcu_register_thread();
	for (uint64_t key = 0; key < s->entries; key++)
		replace(t, key);
	rcu_unregister_thread();
	return t;
}

static uint64_t lookup(struct table *t, uint64_t key, unsigned number)
{
	struct cds_lfht_iter iter;

	cds_lfht_lookup(t->table, hash_key(&key, sizeof(key), &t->seed), match, &key, &iter);

	struct cds_lfht_node *link = cds_lfht_iter_get_node(&iter);

	return link ? caa_container_of(link, struct node, link)->values[number] : 0;
}

static void urcu_run(void *table, unsigned number, uint32_t batches)
{
	struct table *t = table;
	bool per_cpu = t->subject->type == WEIR_MAP_PERCPU_HASH;
	uint64_t random = number + 1, sum = 0;

	rcu_register_thread();
	for (uint32_t b = 0; b < batches; b++) {
		rcu_read_lock();
		for (uint32_t i = 0; i < BATCH; i++) {
			random = beside_random(random);
			uint64_t key = random >> 33 & (t->subject->entries - 1);

			if (t->op == LOOKUP)
				sum += lookup(t, key, per_cpu ? number : 0);
			else
				replace(t, key);
		}
		rcu_read_unlock();
		rcu_quiescent_state();
	}
	rcu_unregister_thread();
	t->sum[number * 8] += sum;
}

static void urcu_close(void *table)
{
	struct table *t = table;
	struct cds_lfht_iter iter;
	struct node *n;

	rcu_register_thread();
	cds_lfht_for_each_entry(t->table, &iter, n, link)
	{
		cds_lfht_del(t->table, &n->link);
		call_rcu(&n->head, node_free);
	}
	rcu_unregister_thread();
	rcu_barrier();
	cds_lfht_destroy(t->table, NULL);
	free(t);
}

const struct engine engine_urcu = {"liburcu", urcu_open, urcu_run, urcu_close};
