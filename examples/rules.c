/* Asks a rule set about one packet, and prints what its rules counted.
 * Build: cc rules.c $(pkg-config --cflags --libs weir) */
#include <stdio.h>
#include <string.h>
#include <weir/rules.h>

static const char text[] = "*filter\n"
			   ":INPUT DROP [0:0]\n"
			   "-A INPUT -s 2001:db8::/32 -p udp -m udp --dport 53 -j ACCEPT\n"
			   "-A INPUT -p tcp -j ACCEPT\n"
			   "COMMIT\n";

/* UDP from 2001:db8::1, port 1024, to 2001:db8::2, port 53. */
static const uint8_t bytes[48] = {0x60, 0, 0, 0, 0, 8, 17, 64, 0x20, 1, 0x0d,
	0xb8, [23] = 1, [24] = 0x20, 1, 0x0d, 0xb8, [39] = 2, [40] = 4, 0, 0, 53, 0, 8};

int main(void)
{
	struct weir_filter_spec spec = {.chain = "INPUT"};
	struct weir_packet packet = {.len = sizeof(bytes)};
	struct weir_error error;
	struct weir_engine *engine;
	struct weir_rules *rules;
	struct weir_filter *filter;
	struct weir_slot *slot;
	enum weir_verdict verdict;
	char *save;

	if (weir_engine_new(1, &engine, &error) ||
		weir_rules_parse("text", text, strlen(text), WEIR_FAMILY_ANY, &rules, &error) ||
		weir_filter_new(engine, rules, &spec, &filter, &error)) {
		fprintf(stderr, "%s:%u:%u: %s\n", error.name, error.line, error.col, error.message);
		return 1;
	}
	packet.data = (uintptr_t)bytes;
	packet.data_end = packet.data + sizeof(bytes);
	if (weir_slot_take(engine, 0, &slot) || weir_filter_run(filter, slot, &packet, &verdict))
		return 1;
	printf("%s\n", verdict == WEIR_ACCEPT ? "accepted" : "dropped");
	weir_slot_release(slot);
	if (!weir_filter_save(filter, &save)) {
		printf("%s", save);
		weir_text_free(save);
	}
	weir_filter_free(filter);
	weir_rules_free(rules);
	weir_engine_free(engine);
	return 0;
}
