/* Counts packets per CPU in a map and prints the sum. Build: cc embed.c $(pkg-config --cflags --libs weir) */
#include <inttypes.h>
#include <stdio.h>
#include <weir/weir.h>

/* r1 = map 0; r2 = r10 - 4 -> key 0; r0 = its value; if there: *r0 += 1; return 1 */
static const struct weir_insn count[] = {
	{.code = 0x62, .dst = 10, .off = -4, .imm = 0},     /* *(u32 *)(r10 - 4) = 0 */
	{.code = 0xbf, .dst = 2, .src = 10},                /* r2 = r10 */
	{.code = 0x07, .dst = 2, .imm = -4},                /* r2 += -4 */
	{.code = 0x18, .dst = 1, .src = 5, .imm = 0}, {0},  /* r1 = map 0 */
	{.code = 0x85, .imm = 1},                           /* call map_lookup_elem */
	{.code = 0x15, .dst = 0, .off = 3},                 /* if r0 == 0 goto out */
	{.code = 0x79, .dst = 1, .src = 0},                 /* r1 = *(u64 *)r0 */
	{.code = 0x07, .dst = 1, .imm = 1},                 /* r1 += 1 */
	{.code = 0x7b, .dst = 0, .src = 1},                 /* *(u64 *)r0 = r1 */
	{.code = 0xb7, .dst = 0, .imm = 1}, {.code = 0x95}, /* out: return 1 */
};

int main(void)
{
	struct weir_error error;
	struct weir_engine *engine;
	struct weir_map *map;
	struct weir_program *program;
	struct weir_map_spec map_spec = {.name = "packets",
		.type = WEIR_MAP_PERCPU_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.max_entries = 1};
	struct weir_program_spec spec = {.name = "count",
		.type = WEIR_PROG_PACKET,
		.insns = count,
		.maps = &map,
		.nr_maps = 1};
	uint8_t packet[40] = {0x60};
	uint64_t sum = 0, verdict;

	spec.nr_insns = sizeof(count) / sizeof(count[0]);
	if (weir_engine_new(2, &engine, &error) || weir_map_new(engine, &map_spec, &map, &error) ||
		weir_program_new(engine, &spec, &program, NULL, &error)) {
		fprintf(stderr, "%s: instruction %u: %s\n", error.name, error.insn, error.message);
		return 1;
	}
	for (uint32_t cpu = 0; cpu < weir_engine_slots(engine); cpu++) {
		struct weir_slot *slot;

		if (weir_slot_take(engine, cpu, &slot))
			return 1;
		for (int i = 0; i < 1000; i++)
			weir_run(program, slot, packet, sizeof(packet), &verdict);
		weir_slot_release(slot);
	}
	weir_map_sum(map, &(uint32_t){0}, &sum);
	printf("%" PRIu64 " packets\n", sum);
	weir_program_free(program);
	weir_map_free(map);
	weir_engine_free(engine);
	return 0;
}
