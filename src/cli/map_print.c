/* Maps as people read them. */
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "cli/map_set.h"
#include "cli/map_text.h"
#include "cli/map_typed.h"
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

/* By its type, where the object knows it. */
static void print_cell(
	const struct set_map *m, bool key, const u8 *cell, u32 bytes, struct buf *out)
{
	char *text = map_typed_text(m, key, cell, bytes);

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
	size_t stride = map_stride(s);
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
	u64 nr;
};

static int print_record(void *arg, uint32_t slot, const void *data, size_t len)
{
	struct record_list *list = arg;

	buf_printf(list->out, "  record %llu, cpu %u, %zu bytes: ", (unsigned long long)list->nr++,
		slot, len);
	hex_print(list->out, data, len);
	buf_puts(list->out, "\n");
	return 0;
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

static void print_sequence(const struct set_map *m, struct buf *out)
{
	size_t nr;
	u8 *values = map_sequence(m, &nr);

	if (!values)
		out->failed = true;
	for (size_t i = 0; i < nr; i++) {
		buf_printf(out, "  %zu: ", i);
		print_cell(m, false, values + i * m->spec.value_size, m->spec.value_size, out);
		buf_puts(out, "\n");
	}
	mem_free(values);
}

void map_describe(const struct set_map *m, struct buf *out)
{
	const struct weir_map_spec *s = &m->spec;

	buf_printf(out, "%s: %s, key %u bytes, value %u bytes, %u entries\n", m->name,
		weir_map_type_name(s->type), s->key_size, s->value_size, s->max_entries);
}

void map_print(const struct set_map *m, const struct weir_engine *engine, struct buf *out)
{
	const struct weir_map_spec *s = &m->spec;

	buf_puts(out, "map ");
	map_describe(m, out);
	if (map_is_table(s->type))
		print_table(m, engine, out);
	else if (map_has_records(s->type))
		print_records(m, out);
	else if (map_is_sequence(s->type))
		print_sequence(m, out);
}

void map_print_value(
	const struct set_map *m, const struct weir_engine *engine, const u8 *value, struct buf *out)
{
	u32 slots = map_is_percpu(m->spec.type) ? weir_engine_slot_count(engine) : 1;

	for (u32 slot = 0; slot < slots; slot++) {
		if (slots > 1)
			buf_printf(out, "cpu %d: ", weir_engine_slot_number(engine, slot));
		print_cell(m, false, value + slot * map_stride(&m->spec), m->spec.value_size, out);
		buf_puts(out, "\n");
	}
}
