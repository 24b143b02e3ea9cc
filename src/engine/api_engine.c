/* Public interface: engines and slots. */
#include <errno.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/text.h"
#include "cpu/cpu.h"
#include "engine/api.h"
#include "engine/error.h"
#include "jit/announce.h"

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

/* `present` NULL: all slots below nr. */
static int engine_new(
	const u64 *present, u32 nr, struct weir_engine **engine, struct weir_error *error)
{
	struct diag d = {0};
	struct weir_engine *e = mem_zalloc(sizeof(*e));
	int err = !e        ? -ENOMEM
		  : present ? cpus_new_sparse(present, nr, &e->cpus, &d)
			    : cpus_new(nr, &e->cpus, &d);

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

int weir_engine_new(u32 slots, struct weir_engine **engine, struct weir_error *error)
{
	return engine ? engine_new(NULL, slots, engine, error) : error_null(error, "engine");
}

int weir_engine_new_sparse(const char *slots, struct weir_engine **engine, struct weir_error *error)
{
	u64 present[CPU_SLOTS_MAX / 64];
	u32 nr;

	if (!engine || !slots)
		return error_null(error, engine ? "slots" : "engine");
	if (str_to_cpus(str_of(slots), present, CPU_SLOTS_MAX, &nr))
		return engine_new(present, nr, engine, error);
	struct diag d = {0};
	int err = error_fill(error,
		diag_fail(&d, pos_none(), EINVAL,
			"'%s' is not a list of slots below %u like \"0,4-7\"", slots,
			CPU_SLOTS_MAX),
		&d);
	diag_fini(&d);
	return err;
}

void weir_engine_free(struct weir_engine *engine)
{
	if (engine)
		engine_put(engine);
}

_Static_assert(WEIR_ANNOUNCE_UNWINDERS == (int)ANNOUNCE_UNWINDERS &&
		       WEIR_ANNOUNCE_PERF == (int)ANNOUNCE_PERF &&
		       WEIR_ANNOUNCE_DEBUGGER == (int)ANNOUNCE_DEBUGGER,
	"public bits are those inside");

void weir_engine_announce(struct weir_engine *engine, unsigned what)
{
	if (engine)
		engine->announce = what;
}

void weir_engine_harden(struct weir_engine *engine, unsigned how)
{
	if (engine)
		engine->harden = how;
}

const char *engine_passes(const struct weir_engine *engine)
{
	return engine->harden & WEIR_HARDEN_CONSTANTS ? "h" : NULL;
}

bool engine_has_pads(const struct weir_engine *engine)
{
	return engine->harden & WEIR_HARDEN_LANDING_PADS || jit_host_has_pads();
}

u32 weir_engine_slots(const struct weir_engine *engine)
{
	return engine ? cpus_nr(engine->cpus) : 0;
}

u32 weir_engine_slot_count(const struct weir_engine *engine)
{
	return engine ? cpus_count(engine->cpus) : 0;
}

int weir_engine_slot_number(const struct weir_engine *engine, u32 i)
{
	if (!engine || i >= cpus_count(engine->cpus))
		return -EINVAL;
	u32 slot = cpus_next(engine->cpus, 0);

	while (i--)
		slot = cpus_next(engine->cpus, slot + 1);
	return (int)slot;
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
	cpus_reap(slot->engine->cpus);
	engine_put(slot->engine);
	mem_free(slot);
}
