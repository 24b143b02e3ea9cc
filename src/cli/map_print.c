/* Maps as people read them, and as JSON. */
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "cli/cli.h"
#include "cli/map_set.h"
#include "cli/map_text.h"
#include "cli/map_walk.h"

static bool all_zero(const u8 *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (bytes[i])
			return false;
	return true;
}

static bool is_array(enum weir_map_type type)
{
	return type == WEIR_MAP_ARRAY || type == WEIR_MAP_PERCPU_ARRAY;
}

static size_t stride_of(const struct weir_map_spec *s)
{
	return (s->value_size + 7u) & ~(size_t)7;
}

/* By its type, as JSON; NULL where that isn't known. Prefixes are better told as such. */
static char *typed_text(const struct set_map *m, bool key, const u8 *cell, u32 bytes)
{
	char *text = NULL;

	if (!m->object || (key && m->spec.type == WEIR_MAP_LPM_TRIE))
		return NULL;
	if (key)
		weir_object_print_key(m->object, m->index, cell, bytes, &text);
	else
		weir_object_print_value(m->object, m->index, cell, bytes, &text);
	return text;
}

/* By its type, where the object knows it. */
static void print_cell(
	const struct set_map *m, bool key, const u8 *cell, u32 bytes, struct buf *out)
{
	char *text = typed_text(m, key, cell, bytes);

	if (text)
		buf_puts(out, text);
	else
		cell_print(out, key && m->spec.type == WEIR_MAP_LPM_TRIE, cell, bytes);
	weir_text_free(text);
}

/* Numbers are added up; of other values only what isn't zero is shown, slot by slot. */
static void print_slots(const struct map_walk *w, const struct weir_engine *engine, struct buf *out)
{
	const struct weir_map_spec *s = &w->m->spec;
	size_t stride = stride_of(s);
	const char *separator = "";

	if (s->value_size == 8 || s->value_size == 4) {
		u64 sum = 0;

		for (u32 slot = 0; slot < weir_engine_slot_count(engine); slot++) {
			u64 n = 0;
			memcpy(&n, w->value + slot * stride, s->value_size);
			sum += n;
		}
		buf_printf(out, "%llu", (unsigned long long)sum);
		separator = "  (";
	}
	const char *first = separator;
	for (u32 slot = 0; slot < weir_engine_slot_count(engine); slot++) {
		const u8 *value = w->value + slot * stride;

		if (all_zero(value, s->value_size))
			continue;
		buf_printf(out, "%scpu %d: ", separator, weir_engine_slot_number(engine, slot));
		print_cell(w->m, false, value, s->value_size, out);
		separator = ", ";
	}
	if (*first && separator != first)
		buf_puts(out, ")");
	else if (!*first && separator == first)
		buf_puts(out, "zero on every cpu");
}

static void print_table(const struct set_map *m, const struct weir_engine *engine, struct buf *out)
{
	struct map_walk w;
	u64 zero = 0;

	if (map_walk_start(&w, m))
		out->failed = true;
	while (!out->failed && map_walk_next(&w)) {
		if (is_array(m->spec.type) && all_zero(w.value, w.value_bytes)) {
			zero++;
			continue;
		}
		buf_puts(out, "  ");
		print_cell(m, true, w.key, m->spec.key_size, out);
		buf_puts(out, ": ");
		if (map_is_percpu(m->spec.type))
			print_slots(&w, engine, out);
		else
			print_cell(m, false, w.value, m->spec.value_size, out);
		buf_puts(out, "\n");
	}
	if (zero)
		buf_printf(out, "  %llu more entries are zero\n", (unsigned long long)zero);
	map_walk_end(&w);
}

struct record_list {
	struct buf *out;
	bool json;
	u64 nr;
};

static int print_record(void *arg, uint32_t slot, const void *data, size_t len)
{
	struct record_list *list = arg;

	if (list->json) {
		buf_printf(list->out, "%s{\"cpu\":%u,\"data\":\"", list->nr ? "," : "", slot);
		hex_print(list->out, data, len);
		buf_puts(list->out, "\"}");
	} else {
		buf_printf(list->out,
			"  record %llu, cpu %u, %zu bytes: ", (unsigned long long)list->nr, slot,
			len);
		hex_print(list->out, data, len);
		buf_puts(list->out, "\n");
	}
	list->nr++;
	return 0;
}

static bool has_records(enum weir_map_type type)
{
	return type == WEIR_MAP_RINGBUF || type == WEIR_MAP_PERF_EVENT_ARRAY;
}

static void print_records(const struct set_map *m, struct buf *out)
{
	struct record_list list = {.out = out};
	uint64_t lost = 0;

	weir_map_consume(m->map, print_record, &list, &lost);
	if (lost)
		buf_printf(out, "  %llu records were lost: the ring was full\n",
			(unsigned long long)lost);
}

static bool is_sequence(enum weir_map_type type)
{
	return type == WEIR_MAP_QUEUE || type == WEIR_MAP_STACK;
}

/* Taking the values out is the only way to see them; they go back in the order in which they would come out again. */
static u8 *take_all(const struct set_map *m, size_t *nr)
{
	size_t bytes = m->spec.value_size;
	u8 *values = mem_alloc(array_size(m->spec.max_entries, bytes));

	*nr = 0;
	while (values && *nr < m->spec.max_entries && !weir_map_pop(m->map, values + *nr * bytes))
		++*nr;
	for (size_t i = 0; i < *nr; i++) {
		size_t k = m->spec.type == WEIR_MAP_STACK ? *nr - 1 - i : i;
		weir_map_push(m->map, values + k * bytes, WEIR_ANY);
	}
	return values;
}

static void print_sequence(const struct set_map *m, struct buf *out)
{
	size_t nr;
	u8 *values = take_all(m, &nr);

	for (size_t i = 0; i < nr; i++) {
		buf_printf(out, "  %zu: ", i);
		print_cell(m, false, values + i * m->spec.value_size, m->spec.value_size, out);
		buf_puts(out, "\n");
	}
	mem_free(values);
}

void map_print(const struct set_map *m, const struct weir_engine *engine, struct buf *out)
{
	const struct weir_map_spec *s = &m->spec;

	buf_printf(out, "map %s: %s, key %u bytes, value %u bytes, %u entries\n", m->name,
		weir_map_type_name(s->type), s->key_size, s->value_size, s->max_entries);
	if (map_is_table(s->type))
		print_table(m, engine, out);
	else if (has_records(s->type))
		print_records(m, out);
	else if (is_sequence(s->type))
		print_sequence(m, out);
}

/* "formatted": what the types make of it. */
static void json_typed(const struct map_walk *w, struct buf *out)
{
	const struct set_map *m = w->m;
	char *key = typed_text(m, true, w->key, m->spec.key_size);
	char *value = map_is_percpu(m->spec.type)
			      ? NULL
			      : typed_text(m, false, w->value, m->spec.value_size);

	if (key && value)
		buf_printf(out, ",\"formatted\":{\"key\":%s,\"value\":%s}", key, value);
	else if (value) /* global data: its key says nothing */
		buf_printf(out, ",\"formatted\":{\"value\":%s}", value);
	weir_text_free(key);
	weir_text_free(value);
}

static void json_values(const struct map_walk *w, const struct weir_engine *engine, struct buf *out)
{
	size_t stride = stride_of(&w->m->spec);

	buf_puts(out, ",\"values\":[");
	for (u32 slot = 0; slot < weir_engine_slot_count(engine); slot++) {
		buf_puts(out, slot ? ",\"" : "\"");
		hex_print(out, w->value + slot * stride, w->m->spec.value_size);
		buf_puts(out, "\"");
	}
	buf_puts(out, "]");
}

static void json_table(const struct set_map *m, const struct weir_engine *engine, struct buf *out)
{
	const char *separator = "";
	struct map_walk w;

	if (map_walk_start(&w, m))
		out->failed = true;
	buf_puts(out, ",\"entries\":[");
	while (!out->failed && map_walk_next(&w)) {
		buf_printf(out, "%s{\"key\":\"", separator);
		separator = ",";
		hex_print(out, w.key, m->spec.key_size);
		buf_puts(out, "\"");
		if (map_is_percpu(m->spec.type)) {
			json_values(&w, engine, out);
		} else {
			buf_puts(out, ",\"value\":\"");
			hex_print(out, w.value, m->spec.value_size);
			buf_puts(out, "\"");
		}
		json_typed(&w, out);
		buf_puts(out, "}");
	}
	buf_puts(out, "]");
	map_walk_end(&w);
}

static void json_sequence(const struct set_map *m, struct buf *out)
{
	size_t nr;
	u8 *values = take_all(m, &nr);

	buf_puts(out, ",\"values\":[");
	for (size_t i = 0; i < nr; i++) {
		buf_puts(out, i ? ",\"" : "\"");
		hex_print(out, values + i * m->spec.value_size, m->spec.value_size);
		buf_puts(out, "\"");
	}
	buf_puts(out, "]");
	mem_free(values);
}

void map_print_json(const struct set_map *m, const struct weir_engine *engine, struct buf *out)
{
	struct record_list list = {.out = out, .json = true};
	const struct weir_map_spec *s = &m->spec;
	uint64_t lost = 0;

	buf_puts(out, "{\"name\":");
	buf_json_string(out, m->name, strlen(m->name));
	buf_printf(out, ",\"type\":\"%s\",\"key_size\":%u,\"value_size\":%u,\"max_entries\":%u",
		weir_map_type_name(s->type), s->key_size, s->value_size, s->max_entries);
	if (map_is_table(s->type)) {
		json_table(m, engine, out);
	} else if (is_sequence(s->type)) {
		json_sequence(m, out);
	} else if (has_records(s->type)) {
		buf_puts(out, ",\"records\":[");
		weir_map_consume(m->map, print_record, &list, &lost);
		buf_printf(out, "],\"lost\":%llu", (unsigned long long)lost);
	}
	buf_puts(out, "}");
}
