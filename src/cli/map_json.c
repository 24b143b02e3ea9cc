/* Maps as JSON: bytes as hex digits, and beside them, as "formatted", what the text form shows of them. */
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "cli/cli.h"
#include "cli/map_set.h"
#include "cli/map_text.h"
#include "cli/map_typed.h"
#include "cli/map_walk.h"

static void put_hex(struct buf *out, const char *before, const u8 *bytes, size_t len)
{
	buf_printf(out, "%s\"", before);
	hex_print(out, bytes, len);
	buf_puts(out, "\"");
}

/* By its type where that is known; else a number where it may be one, or a string. */
static void put_formatted(
	const struct set_map *m, bool key, const u8 *cell, u32 bytes, struct buf *out)
{
	bool lpm = key && m->spec.type == WEIR_MAP_LPM_TRIE;
	char *text = map_typed_text(m, key, cell, bytes);
	const char *quote = text || (!lpm && cell_is_number(bytes)) ? "" : "\"";

	buf_puts(out, quote);
	if (text)
		buf_puts(out, text);
	else
		cell_print(out, lpm, cell, bytes);
	buf_puts(out, quote);
	weir_text_free(text);
}

/* ,"formatted":{"key":...,"value":...}; of a per-CPU map "values", each with its CPU. */
static void put_both_formatted(const struct set_map *m, const struct weir_engine *engine,
	const u8 *key, const u8 *value, struct buf *out)
{
	u32 bytes = m->spec.value_size;

	buf_puts(out, ",\"formatted\":{");
	if (key) {
		buf_puts(out, "\"key\":");
		put_formatted(m, true, key, m->spec.key_size, out);
		buf_puts(out, ",");
	}
	if (!map_is_percpu(m->spec.type)) {
		buf_puts(out, "\"value\":");
		put_formatted(m, false, value, bytes, out);
		buf_puts(out, "}");
		return;
	}
	buf_puts(out, "\"values\":[");
	for (u32 i = 0; i < weir_engine_slot_count(engine); i++) {
		buf_printf(out, "%s{\"cpu\":%d,\"value\":", i ? "," : "",
			weir_engine_slot_number(engine, i));
		put_formatted(m, false, value + i * map_stride(&m->spec), bytes, out);
		buf_puts(out, "}");
	}
	buf_puts(out, "]}");
}

void map_print_entry_json(const struct set_map *m, const struct weir_engine *engine, const u8 *key,
	const u8 *value, struct buf *out)
{
	buf_puts(out, "{");
	if (key) {
		put_hex(out, "\"key\":", key, m->spec.key_size);
		buf_puts(out, ",");
	}
	if (map_is_percpu(m->spec.type)) {
		buf_puts(out, "\"values\":[");
		for (u32 i = 0; i < weir_engine_slot_count(engine); i++)
			put_hex(out, i ? "," : "", value + i * map_stride(&m->spec),
				m->spec.value_size);
		buf_puts(out, "]");
	} else {
		put_hex(out, "\"value\":", value, m->spec.value_size);
	}
	put_both_formatted(m, engine, key, value, out);
	buf_puts(out, "}");
}

static void put_table(const struct set_map *m, const struct weir_engine *engine, struct buf *out)
{
	const char *separator = "";
	struct map_walk w;

	if (map_walk_start(&w, m))
		out->failed = true;
	buf_puts(out, ",\"entries\":[");
	while (!out->failed && map_walk_next(&w)) {
		buf_puts(out, separator);
		separator = ",";
		map_print_entry_json(m, engine, w.key, w.value, out);
	}
	buf_puts(out, "]");
	map_walk_end(&w);
}

static void put_sequence(const struct set_map *m, struct buf *out)
{
	u32 bytes = m->spec.value_size;
	size_t nr;
	u8 *values = map_sequence(m, &nr);

	if (!values)
		out->failed = true;
	buf_puts(out, ",\"values\":[");
	for (size_t i = 0; i < nr; i++)
		put_hex(out, i ? "," : "", values + i * bytes, bytes);
	buf_puts(out, "],\"formatted\":[");
	for (size_t i = 0; i < nr; i++) {
		buf_puts(out, i ? "," : "");
		put_formatted(m, false, values + i * bytes, bytes, out);
	}
	buf_puts(out, "]");
	mem_free(values);
}

struct record_list {
	struct buf *out;
	u64 nr;
};

static int put_record(void *arg, uint32_t slot, const void *data, size_t len)
{
	struct record_list *list = arg;

	buf_printf(list->out, "%s{\"cpu\":%u,", list->nr++ ? "," : "", slot);
	put_hex(list->out, "\"data\":", data, len);
	buf_puts(list->out, "}");
	return 0;
}

static void put_records(const struct set_map *m, struct buf *out)
{
	struct record_list list = {.out = out};
	uint64_t lost = 0;

	buf_puts(out, ",\"records\":[");
	weir_map_consume(m->map, put_record, &list, &lost);
	buf_printf(out, "],\"lost\":%llu", (unsigned long long)lost);
}

/* Open: entries may follow. */
static void put_description(const struct set_map *m, struct buf *out)
{
	const struct weir_map_spec *s = &m->spec;

	buf_puts(out, "{\"name\":");
	buf_json_string(out, m->name, strlen(m->name));
	buf_printf(out, ",\"type\":\"%s\",\"key_size\":%u,\"value_size\":%u,\"max_entries\":%u",
		weir_map_type_name(s->type), s->key_size, s->value_size, s->max_entries);
}

void map_describe_json(const struct set_map *m, struct buf *out)
{
	put_description(m, out);
	buf_puts(out, "}");
}

void map_print_json(const struct set_map *m, const struct weir_engine *engine, struct buf *out)
{
	put_description(m, out);
	if (map_is_table(m->spec.type))
		put_table(m, engine, out);
	else if (map_is_sequence(m->spec.type))
		put_sequence(m, out);
	else if (map_has_records(m->spec.type))
		put_records(m, out);
	buf_puts(out, "}");
}
