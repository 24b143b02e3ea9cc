/* weir: maps of this process, the program as native code; thread n runs on slot n. */
#include <stdio.h>
#include <stdlib.h>

#include "beside.h"

struct table {
	struct weir_engine *engine;
	struct weir_map *map;
	struct weir_program *program;
};

static void need(int err, const struct weir_error *error)
{
	if (!err)
		return;
	fprintf(stderr, "bench-beside: weir: %s\n", error->message);
	exit(1);
}

static void *weir_open(const struct subject *s, enum op op)
{
	static const struct weir_insn of_map[2] = {{.code = 0x18, .dst = 1, .src = 5}};
	const struct weir_map_spec spec = {.name = "bench",
		.type = s->type,
		.key_size = s->key_size,
		.value_size = 8,
		.max_entries = s->entries};
	struct weir_insn insns[BESIDE_INSNS];
	struct table *t = calloc(1, sizeof(*t));
	struct weir_error error;
	uint64_t key[2] = {0}, value[THREADS_MAX] = {1, 1};

	need(weir_engine_new(THREADS_MAX, &t->engine, &error), &error);
	need(weir_map_new(t->engine, &spec, &t->map, &error), &error);
	for (; key[0] < s->entries; key[0]++)
		if (weir_map_update(t->map, key, value, 0))
			exit(1);
	const struct weir_program_spec program = {.name = "bench",
		.type = WEIR_PROG_RAW,
		.raw_bytes = 8,
		.insns = insns,
		.nr_insns = beside_program(s, op, of_map, insns),
		.maps = &t->map,
		.nr_maps = 1,
		.mode = WEIR_MODE_NATIVE};

	need(weir_program_new(t->engine, &program, &t->program, NULL, &error), &error);
	return t;
}

static void weir_run_batches(void *table, unsigned number, uint32_t batches)
{
	struct table *t = table;
	struct weir_slot *slot;
	uint64_t result, memory = 0;

	if (weir_slot_take(t->engine, number, &slot))
		exit(1);
	for (uint32_t i = 0; i < batches; i++)
		if (weir_run(t->program, slot, &memory, sizeof(memory), &result))
			exit(1);
	weir_slot_release(slot);
}

static void weir_close(void *table)
{
	struct table *t = table;

	weir_program_free(t->program);
	weir_map_free(t->map);
	weir_engine_free(t->engine);
	free(t);
}

const struct engine engine_weir = {"weir", weir_open, weir_run_batches, weir_close};
