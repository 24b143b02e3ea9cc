/* What was unlinked while programs may still be looking at it: given up once every run of that moment is over. Nobody
 * waits for that. Whoever retires something, or asks (cpus_reap), gives up what has become due meanwhile. */
#include <string.h>

#include "base/alloc.h"
#include "cpu/slots.h"

struct retiree {
	struct retiree *next; /* newer */
	void (*drop)(void *what);
	void *what;
	u32 seen[];
};

struct retiree *retiree_new(const struct cpus *c)
{
	return mem_zalloc(sizeof(struct retiree) + array_size(c->nr, sizeof(u32)));
}

void retiree_free(struct retiree *r)
{
	mem_free(r);
}

/* Takes the oldest out of the queue if its time has come; in order, since a later one is never due before. */
static struct retiree *take_due(struct cpus *c, bool all)
{
	struct retiree *r;

	pthread_mutex_lock(&c->retired_lock);
	r = c->retired_first;
	if (r && (all || cpu_grace_over(c, r->seen))) {
		c->retired_first = r->next;
		if (!r->next)
			c->retired_last = &c->retired_first;
		atomic_fetch_sub_explicit(&c->nr_retired, 1, memory_order_relaxed);
	} else {
		r = NULL;
	}
	pthread_mutex_unlock(&c->retired_lock);
	return r;
}

/* Dropping one thing may retire others, so no lock is held meanwhile. */
static void reap(struct cpus *c, bool all)
{
	struct retiree *r;

	while ((r = take_due(c, all))) {
		r->drop(r->what);
		mem_free(r);
	}
}

void cpus_retire(struct cpus *c, struct retiree *r, void (*drop)(void *what), void *what)
{
	r->drop = drop;
	r->what = what;
	r->next = NULL;
	pthread_mutex_lock(&c->retired_lock);
	cpu_grace_start(c, r->seen);
	*c->retired_last = r;
	c->retired_last = &r->next;
	atomic_fetch_add_explicit(&c->nr_retired, 1, memory_order_relaxed);
	pthread_mutex_unlock(&c->retired_lock);
	reap(c, false);
}

void cpus_reap(struct cpus *c)
{
	if (atomic_load_explicit(&c->nr_retired, memory_order_relaxed))
		reap(c, false);
}

void retired_drop_all(struct cpus *c)
{
	reap(c, true);
}
