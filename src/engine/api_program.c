/* Public interface: programs, and running them. */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "engine/api.h"
#include "engine/api_program.h"
#include "engine/engine.h"
#include "engine/error.h"
#include "progtype/frame.h"
#include "map/callable.h"
#include "map/map.h"
#include "progtype/progtype.h"

_Static_assert(sizeof(struct weir_insn) == sizeof(struct insn) &&
		       offsetof(struct weir_insn, off) == offsetof(struct insn, off) &&
		       offsetof(struct weir_insn, imm) == offsetof(struct insn, imm),
	"struct weir_insn is struct insn");
_Static_assert(WEIR_PROG_SOCKET_FILTER == (int)PROG_TYPE_SOCKET_FILTER &&
		       WEIR_PROG_SCHED_CLS == (int)PROG_TYPE_SCHED_CLS &&
		       WEIR_PROG_SCHED_ACT == (int)PROG_TYPE_SCHED_ACT &&
		       WEIR_PROG_XDP == (int)PROG_TYPE_XDP &&
		       WEIR_PROG_CGROUP_SKB == (int)PROG_TYPE_CGROUP_SKB &&
		       WEIR_PROG_NETFILTER == (int)PROG_TYPE_NETFILTER &&
		       WEIR_PROG_RAW == (int)PROG_TYPE_RAW &&
		       WEIR_PROG_PACKET == (int)PROG_TYPE_PACKET,
	"public numbers are those inside");

/* Runs a program on `len` bytes. */
typedef int (*run_fn)(const struct weir_program *program, const struct weir_slot *slot, void *bytes,
	size_t len, u64 *result);

struct weir_program {
	struct weir_engine *engine; /* one reference */
	struct loaded *loaded;
	enum prog_type type;
	run_fn run;
	u32 raw_bytes;
};

/* Moves the text out of b; NULL when it is empty. */
static char *take_text(struct buf *b)
{
	char *text = b->len && !b->failed ? mem_strdup(buf_cstr(b)) : NULL;

	buf_fini(b);
	return text;
}

static u64 run_with(
	const struct weir_program *program, const struct weir_slot *slot, void *ctx, u64 r2)
{
	return loaded_run(program->loaded, (u64)(uintptr_t)ctx, r2, slot->base);
}

static int run_raw(const struct weir_program *program, const struct weir_slot *slot, void *bytes,
	size_t len, u64 *result)
{
	if (len < program->raw_bytes)
		return -EINVAL;
	*result = run_with(program, slot, bytes, program->raw_bytes);
	return 0;
}

static u64 run_on_frame(
	const struct weir_program *program, const struct weir_slot *slot, struct weir_frame *frame)
{
	return (u32)run_with(program, slot, frame, 0);
}

/* No room but the packet's own. */
static int run_frame(const struct weir_program *program, const struct weir_slot *slot, void *bytes,
	size_t len, u64 *result)
{
	struct weir_frame frame;

	if (!frame_is_testable(bytes, len, program->type))
		return -EINVAL;
	int err = frame_init_in_place(&frame, bytes, len, 0, len, program->type);
	if (!err)
		*result = run_on_frame(program, slot, &frame);
	return err;
}

static int run_packet(const struct weir_program *program, const struct weir_slot *slot, void *bytes,
	size_t len, u64 *result)
{
	u64 start = (u64)(uintptr_t)bytes;
	struct weir_packet packet = {.data = start, .data_end = start + len, .len = (u32)len};

	*result = (u32)run_with(program, slot, &packet, 0);
	return 0;
}

static run_fn find_runner(enum prog_type type)
{
	if (prog_type_ops_of(type)->runs_on_frames)
		return run_frame;
	return type == PROG_TYPE_RAW ? run_raw : run_packet;
}

static int load(const struct weir_engine *engine, const struct prog *p,
	const struct weir_program_spec *spec, struct buf *log, struct loaded **out, struct diag *d)
{
	struct engine_opts opts = {
		.kind = spec->mode == WEIR_MODE_INTERPRETER ? ENGINE_INTERP : ENGINE_JIT,
		.fall_back = spec->mode == WEIR_MODE_AUTO,
		.verify = {.log_level = spec->log_level,
			.log = log,
			.strict_alignment = spec->strict_alignment},
		.rewrite = {.skip = spec->skip_passes, .also = engine_passes(engine)},
		.jit = {.landing_pads =
				engine->harden & WEIR_HARDEN_LANDING_PADS || jit_host_has_pads()},
		.announce = engine->announce,
	};

	if ((unsigned)spec->mode > WEIR_MODE_INTERPRETER)
		return diag_fail(d, pos_insn(p->name, 0), EINVAL, "mode %u is not known",
			(unsigned)spec->mode);
	return engine_load(p, &opts, out, d);
}

int weir_program_new(struct weir_engine *engine, const struct weir_program_spec *spec,
	struct weir_program **program, char **log, struct weir_error *error)
{
	const char *null = !engine ? "engine" : !spec ? "spec" : !program ? "program" : NULL;
	struct diag d = {0};
	struct buf text = {0};
	struct prog *p = NULL;

	if (log)
		*log = NULL;
	if (null)
		return error_null(error, null);
	struct weir_program *new = mem_zalloc(sizeof(*new));
	int err = new ? prog_from_spec(engine, spec, &p, &d) : -ENOMEM;

	if (!err)
		err = load(engine, p, spec, log ? &text : NULL, &new->loaded, &d);
	if (log)
		*log = take_text(&text);
	if (err) {
		mem_free(new);
		error_fill(error, err, &d);
	} else {
		engine_get(engine);
		new->engine = engine;
		new->type = p->type;
		new->run = find_runner(p->type);
		new->raw_bytes = p->raw_mem_bytes;
		*program = new;
	}
	prog_free(p);
	diag_fini(&d);
	return err;
}

void weir_program_free(struct weir_program *program)
{
	if (!program)
		return;
	loaded_free(program->loaded);
	cpus_reap(program->engine->cpus);
	engine_put(program->engine);
	mem_free(program);
}

int weir_map_set_program(struct weir_map *map, u32 index, struct weir_program *program)
{
	if (!map || (program && program->engine != map->engine))
		return -EINVAL;
	return map_set_program(map->map, index, program ? loaded_callable(program->loaded) : NULL);
}

u32 weir_program_id(const struct weir_program *program)
{
	return program ? callable_id(loaded_callable(program->loaded), program->engine->cpus) : 0;
}

bool weir_program_is_native(const struct weir_program *program)
{
	return program && loaded_kind(program->loaded) == ENGINE_JIT;
}

int weir_run(const struct weir_program *program, struct weir_slot *slot, void *bytes, size_t len,
	u64 *result)
{
	if (!program || !slot_fits(slot, program->engine) || !result)
		return -EINVAL;
	if (len > UINT32_MAX || (!bytes && len))
		return -EINVAL;
	return program->run(program, slot, bytes, len, result);
}

int weir_run_packet(const struct weir_program *program, struct weir_slot *slot,
	struct weir_packet *packet, u64 *result)
{
	if (!program || !slot_fits(slot, program->engine) || !packet || !result)
		return -EINVAL;
	if (program->type != PROG_TYPE_PACKET)
		return -EINVAL;
	*result = (u32)run_with(program, slot, packet, 0);
	return 0;
}

/* What helpers and inlined code take for granted. */
static bool frame_is_sound(const struct weir_frame *f)
{
	return f->room <= f->meta && f->meta <= f->data && f->data <= f->data_end &&
	       f->data_end <= f->room_end && f->len == f->data_end - f->data;
}

int weir_run_frames(const struct weir_program *program, struct weir_slot *slot,
	struct weir_frame *frames, size_t n, u64 *results)
{
	if (!program || !slot_fits(slot, program->engine) || (n && (!frames || !results)))
		return -EINVAL;
	if (program->run != run_frame)
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		if (!frame_is_sound(&frames[i]))
			return -EINVAL;
		results[i] = run_on_frame(program, slot, &frames[i]);
	}
	return 0;
}

int weir_run_frame(const struct weir_program *program, struct weir_slot *slot,
	struct weir_frame *frame, u64 *result)
{
	return frame && result ? weir_run_frames(program, slot, frame, 1, result) : -EINVAL;
}
