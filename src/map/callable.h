/* A loaded program as maps, helpers and engines see it: what a prog array holds and a tail call goes to. */
#ifndef WEIR_MAP_CALLABLE_H
#define WEIR_MAP_CALLABLE_H

#include <stdatomic.h>

#include "cpu/cpu.h"
#include "isa/prog.h"

struct step;

struct callable {
	u64 (*entry)(u64 r1, u64 r2, u8 *self); /* native code; NULL: the interpreter runs steps. First: native code reads it */
	const struct step *steps;
	const struct prog *prog; /* after rewriting */
	_Atomic u32 refs;
	_Atomic u32 id; /* like map.id; 0: nobody has asked for it yet */
	void (*release)(struct callable *c); /* called when the last reference goes */
};

static inline void callable_get(struct callable *c)
{
	atomic_fetch_add_explicit(&c->refs, 1, memory_order_relaxed);
}

/* Its number among maps and programs on these slots. */
static inline u32 callable_id(struct callable *c, struct cpus *cpus)
{
	u32 none = 0, id = atomic_load_explicit(&c->id, memory_order_relaxed);

	if (id)
		return id;
	id = cpus_next_id(cpus);
	return atomic_compare_exchange_strong(&c->id, &none, id) ? id : none;
}

static inline void callable_put(struct callable *c) /* NULL ok */
{
	if (c && atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) == 1)
		c->release(c);
}

#endif
