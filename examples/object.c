/* Runs the program of a BPF object on a packet and prints what it counted on each CPU.
 * Build: cc object.c $(pkg-config --cflags --libs weir-obj) */
#include <inttypes.h>
#include <stdio.h>
#include <weir/object.h>

static int fail(const struct weir_error *error)
{
	fprintf(stderr, "%s: %s\n", error->name, error->message);
	return 1;
}

int main(int argc, char **argv)
{
	uint8_t room[512] = {0}, *packet = room + 256;
	struct weir_frame frame;
	struct weir_error error;
	struct weir_engine *engine;
	struct weir_object *object;
	uint64_t verdict, counts[2];

	if (argc != 2 || weir_engine_new(2, &engine, &error)) {
		fprintf(stderr, "usage: object object.bpf.o\n");
		return 1;
	}
	if (weir_object_open(argv[1], NULL, &object, &error))
		return fail(&error);
	int map = weir_object_find_map(object, "lengths"),
	    count = weir_object_find_program(object, "count");
	if (map < 0 || count < 0 || weir_object_set_map_size(object, (size_t)map, 128))
		return 1;
	if (weir_object_load(object, engine, WEIR_MODE_AUTO, NULL, &error))
		return fail(&error);
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		struct weir_slot *slot;

		if (weir_slot_take(engine, cpu, &slot))
			return 1;
		for (uint32_t i = 0; i < 10 + cpu; i++) {
			frame = (struct weir_frame){.room = (uintptr_t)room,
				.meta = (uintptr_t)packet,
				.data = (uintptr_t)packet,
				.data_end = (uintptr_t)packet + 100,
				.room_end = (uintptr_t)(room + sizeof(room)),
				.len = 100};
			weir_run_frame(weir_object_loaded_program(object, (size_t)count), slot,
				&frame, &verdict);
		}
		weir_slot_release(slot);
	}
	weir_map_lookup(weir_object_loaded_map(object, (size_t)map), &(uint32_t){100}, counts);
	printf("verdict %" PRIu64 ", %" PRIu64 " and %" PRIu64 " packets of 100 bytes\n", verdict,
		counts[0], counts[1]);
	weir_object_free(object);
	weir_engine_free(engine);
	return counts[0] + counts[1] != 21;
}
