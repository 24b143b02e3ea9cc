/* Rule sets: what is read prints back as something that is read as the same, and what compiles is accepted by the verifier. */
#include "fuzz.h"

#include <errno.h>

#include "weir/rules.h"

static struct weir_engine *engine;

static void run_packets(const struct weir_filter *filter, struct weir_slot *slot, bool ipv6)
{
	uint8_t packet[64] = {ipv6 ? 0x60 : 0x45, 0, 0, 64};
	uint64_t start = (uint64_t)(uintptr_t)packet;

	for (unsigned protocol = 0; protocol < 256; protocol += 17) {
		struct weir_packet p = {
			.data = start, .data_end = start + sizeof(packet), .len = sizeof(packet)};
		enum weir_verdict verdict = (enum weir_verdict)9;

		packet[ipv6 ? 6 : 9] = (uint8_t)protocol;
		if (ipv6) {
			packet[3] = 0;
			packet[5] = 24;
		}
		FUZZ_CHECK(!weir_filter_run(filter, slot, &p, &verdict) &&
				   (unsigned)verdict <= WEIR_HOTDROP,
			"protocol %u", protocol);
	}
}

static void save_and_read_again(const struct weir_filter *filter, enum weir_family family)
{
	struct weir_rules *again = NULL;
	struct weir_error error = {0};
	char *text = NULL;

	FUZZ_CHECK(!weir_filter_save(filter, &text), "save");
	FUZZ_CHECK(!weir_rules_parse("again", text, strlen(text), family, &again, &error),
		"%u:%u: %s\n%s", error.line, error.col, error.message, text);
	weir_rules_free(again);
	weir_text_free(text);
}

static void compile(
	struct weir_rules *rules, struct weir_slot *slot, const char *table, const char *chain)
{
	struct weir_filter_spec spec = {
		.table = table, .chain = chain, .mode = WEIR_MODE_NATIVE, .skip_unsupported = true};
	struct weir_error error = {0};
	struct weir_filter *filter = NULL;
	enum weir_family family = weir_rules_family(rules);
	int err = weir_filter_new(engine, rules, &spec, &filter, &error);

	if (err) {
		FUZZ_CHECK(err == -ENOENT || err == -ENOTSUP || err == -E2BIG || err == -EINVAL,
			"%d: %s", err, error.message);
		/* What the compiler writes, the verifier takes. */
		FUZZ_CHECK(error.where != WEIR_AT_INSN, "%d: %s", err, error.message);
		return;
	}
	run_packets(filter, slot, family == WEIR_IPV6);
	save_and_read_again(filter, family);
	weir_filter_free(filter);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const struct {
		const char *table, *chain;
	} chains[] = {{NULL, NULL}, {"mangle", "PREROUTING"}, {"raw", "PREROUTING"}};
	struct weir_rules *rules = NULL;
	struct weir_slot *slot;

	if (!engine)
		FUZZ_CHECK(!weir_engine_new(1, &engine, NULL), "engine");
	if (weir_rules_parse("fuzz", (const char *)bytes, len, WEIR_FAMILY_ANY, &rules, NULL))
		return 0;
	FUZZ_CHECK(!weir_slot_take(engine, 0, &slot), "slot");
	for (size_t i = 0; i < sizeof(chains) / sizeof(chains[0]); i++)
		compile(rules, slot, chains[i].table, chains[i].chain);
	weir_slot_release(slot);
	weir_rules_free(rules);
	return 0;
}
