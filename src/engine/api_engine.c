/* Public interface: engines and slots. */
#include <errno.h>

#include "base/alloc.h"
#include "cpu/cpu.h"
#include "engine/api.h"
#include "engine/error.h"

const char *weir_version(void)
{
	return WEIR_VERSION;
}

void engine_get(struct weir_engine *engine)
{
	atomic_fetch_add_explicit(&engine->refs, 1, memory_order_relaxed);
}

void engine_put(struct weir_engine *engine)
{
	if (atomic_fetch_sub_explicit(&engine->refs, 1, memory_order_acq_rel) != 1)
		return;
	cpus_free(engine->cpus);
	mem_free(engine);
}

int weir_engine_new(u32 slots, struct weir_engine **engine, struct weir_error *error)
{
	struct diag d = {0};

	if (!engine)
		return error_null(error, "engine");
	struct weir_engine *e = mem_zalloc(sizeof(*e));
	int err = e ? cpus_new(slots, &e->cpus, &d) : -ENOMEM;

	if (err) {
		mem_free(e);
		error_fill(error, err, &d);
	} else {
		atomic_init(&e->refs, 1);
		*engine = e;
	}
	diag_fini(&d);
	return err;
}

void weir_engine_free(struct weir_engine *engine)
{
	if (engine)
		engine_put(engine);
}

u32 weir_engine_slots(const struct weir_engine *engine)
{
	return engine ? cpus_nr(engine->cpus) : 0;
}

int weir_slot_take(struct weir_engine *engine, u32 number, struct weir_slot **slot)
{
	if (!engine || !slot)
		return -EINVAL;
	struct weir_slot *s = mem_zalloc(sizeof(*s));
	int err = s ? cpu_take(engine->cpus, number) : -ENOMEM;

	if (err) {
		mem_free(s);
		return err;
	}
	engine_get(engine);
	*s = (struct weir_slot){
		.engine = engine,
		.thread = pthread_self(),
		.number = number,
		.base = cpu_base(engine->cpus, number),
	};
	*slot = s;
	return 0;
}

int weir_slot_set_env(struct weir_slot *slot, const struct weir_env *env)
{
	if (!slot_fits(slot, slot ? slot->engine : NULL))
		return -EINVAL;
	((struct cpu_head *)slot->base)->env = env;
	slot->env = env;
	return 0;
}

void weir_slot_release(struct weir_slot *slot)
{
	if (!slot)
		return;
	struct cpu_head *head = (struct cpu_head *)slot->base;

	if (slot->env && head->env == slot->env)
		head->env = NULL;
	cpu_release(slot->engine->cpus, slot->number);
	engine_put(slot->engine);
	mem_free(slot);
}
