/* Objects that clang made: what they are found to consist of (golden/NAME.txt; WEIR_UPDATE=1 rewrites it), and what comes
 * out when they run. Arguments: the folder of this test, then objects NAME-VARIANT.bpf.o. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "weir/object.h"

static const char *folder;
static char **files;
static int nr_files;

/* "maps" of "/x/maps-0.bpf.o" */
static void name_of(const char *path, char *name, size_t size)
{
	const char *slash = strrchr(path, '/');

	snprintf(name, size, "%s", slash ? slash + 1 : path);
	*strchr(name, '-') = 0;
}

static char *read_text(const char *path)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = fopen(path, "r");

	if (!f)
		return NULL;
	if (getdelim(&text, &len, 0, f) < 0)
		text[0] = 0;
	fclose(f);
	return text;
}

static struct weir_object *open_object(const char *path)
{
	char kconfig[4096];
	struct weir_object_opts opts = {.kconfig = kconfig};
	struct weir_object *o = NULL;
	struct weir_error error;

	snprintf(kconfig, sizeof(kconfig), "%s/kconfig", folder);
	if (weir_object_open(path, &opts, &o, &error))
		fail_msg("%s: %s: %s", path, error.name, error.message);
	return o;
}

static struct weir_engine *new_engine(void)
{
	struct weir_engine *engine;

	assert_int_equal(weir_engine_new(2, &engine, NULL), 0);
	return engine;
}

/* ---- golden ---- */

static void print_map(FILE *out, const struct weir_object_map *m)
{
	const struct weir_map_spec *s = &m->spec;

	fprintf(out, "map %s: section %s, type %d, key %u, value %u, entries %u, flags 0x%x",
		m->name, m->section, (int)s->type, s->key_size, s->value_size, s->max_entries,
		s->flags);
	if (s->map_extra)
		fprintf(out, ", extra %llu", (unsigned long long)s->map_extra);
	if (s->lock_at)
		fprintf(out, ", lock at %u", s->lock_at - 1);
	fprintf(out, "%s%s%s\n", m->is_data ? ", data" : "", m->read_only ? ", read only" : "",
		m->pinned ? ", pinned" : "");
}

static void print_function(FILE *out, const struct weir_function *f)
{
	static const char *const kinds[] = {"scalar", "ctx", "mem", "unsupported"};

	fprintf(out, "  function %s: %s%s", f->name, f->global ? "global" : "static",
		f->returns_void ? ", void" : "");
	for (int i = 0; i < f->nr_args; i++)
		fprintf(out, ", %s%s", f->args[i].nonnull ? "nonnull " : "",
			kinds[f->args[i].kind]);
	fputc('\n', out);
}

static void print_program(FILE *out, struct weir_object *o, size_t i)
{
	const struct weir_object_program *p = weir_object_program(o, i);
	struct weir_program_spec spec;
	struct weir_error error;

	fprintf(out, "program %s: section %s, type %s%s\n", p->name, p->section,
		p->type_text ? p->type_text : "unknown", p->autoload ? "" : ", not loaded");
	if (weir_object_program_spec(o, i, &spec, &error)) {
		fprintf(out, "  %s\n", error.message);
		return;
	}
	assert_int_equal(spec.nr_insns, p->nr_insns);
	fprintf(out, "  attach type %u%s\n", spec.attach_type, spec.nr_lines ? ", with lines" : "");
	for (size_t k = 0; k < spec.nr_functions; k++)
		print_function(out, &spec.functions[k]);
}

static void print_object(FILE *out, struct weir_object *o, struct weir_engine *engine)
{
	const char *license = weir_object_license(o);
	struct weir_error error;

	fprintf(out, "license %s\n", license ? license : "none");
	for (size_t i = 0; i < weir_object_maps(o); i++)
		print_map(out, weir_object_map(o, i));
	if (weir_object_make_maps(o, engine, &error))
		fprintf(out, "maps: %s\n", error.message);
	for (size_t i = 0; i < weir_object_programs(o); i++)
		print_program(out, o, i);
}

static void test_golden(void **state)
{
	(void)state;
	for (int i = 0; i < nr_files; i++) {
		char name[256], path[4096], *text = NULL;
		size_t len;
		struct weir_object *o = open_object(files[i]);
		struct weir_engine *engine = new_engine();
		FILE *out = open_memstream(&text, &len);

		print_object(out, o, engine);
		fclose(out);
		name_of(files[i], name, sizeof(name));
		snprintf(path, sizeof(path), "%s/golden/%s.txt", folder, name);
		if (getenv("WEIR_UPDATE")) {
			FILE *f = fopen(path, "w");

			assert_non_null(f);
			fputs(text, f);
			fclose(f);
		}
		char *expected = read_text(path);
		if (!expected || strcmp(expected, text) != 0)
			fail_msg("%s isn't as %s says:\n%s", files[i], path, text);
		free(expected);
		free(text);
		weir_object_free(o);
		weir_engine_free(engine);
	}
}

/* ---- running ---- */

static uint64_t run(struct weir_object *o, struct weir_slot *slot, const char *program)
{
	static uint8_t bytes[2048];
	uint64_t at = (uintptr_t)bytes + 256, result;
	struct weir_frame frame = {.room = (uintptr_t)bytes,
		.meta = at,
		.data = at,
		.data_end = at + 60,
		.room_end = (uintptr_t)bytes + sizeof(bytes),
		.len = 60};
	int i = weir_object_find_program(o, program);

	assert_true(i >= 0);
	assert_int_equal(
		weir_run_frame(weir_object_loaded_program(o, (size_t)i), slot, &frame, &result), 0);
	return result;
}

/* A number in the object's maps: an entry's first bytes, or a global variable. */
static uint64_t number(struct weir_object *o, const char *map, uint32_t key, uint32_t bytes)
{
	uint64_t value[64] = {0};
	size_t i, off = 0, len = bytes;
	uint8_t *data = (uint8_t *)value;

	if (weir_object_variable(o, map, &i, &off, &len)) {
		int found = weir_object_find_map(o, map);

		assert_true(found >= 0);
		i = (size_t)found;
	}
	size_t all = weir_map_value_bytes(weir_object_loaded_map(o, i));
	if (all > sizeof(value))
		data = malloc(all);
	assert_int_equal(weir_map_lookup(weir_object_loaded_map(o, i), &key, data), 0);
	uint64_t n = 0;
	memcpy(&n, data + off, len < 8 ? len : 8);
	if (data != (uint8_t *)value)
		free(data);
	return n;
}

struct loaded {
	struct weir_object *o;
	struct weir_engine *engine;
	struct weir_slot *slot;
};

static struct loaded load(const char *path, enum weir_mode mode, const char *without)
{
	struct loaded l = {.o = open_object(path), .engine = new_engine()};
	struct weir_error error;
	char *log = NULL;

	if (without) {
		int i = weir_object_find_program(l.o, without);

		assert_true(i >= 0);
		assert_int_equal(weir_object_set_autoload(l.o, (size_t)i, false), 0);
	}
	if (weir_object_load(l.o, l.engine, mode, &log, &error))
		fail_msg("%s: %s: %s\n%s", path, error.name, error.message, log ? log : "");
	weir_text_free(log);
	assert_int_equal(weir_slot_take(l.engine, 0, &l.slot), 0);
	return l;
}

static void unload(struct loaded *l)
{
	weir_slot_release(l->slot);
	weir_object_free(l->o);
	weir_engine_free(l->engine);
}

static void for_each(const char *wanted, void (*fn)(const char *path, enum weir_mode mode))
{
	for (int i = 0; i < nr_files; i++) {
		char name[256];

		name_of(files[i], name, sizeof(name));
		if (strcmp(name, wanted) != 0)
			continue;
		fn(files[i], WEIR_MODE_AUTO);
		fn(files[i], WEIR_MODE_INTERPRETER);
	}
}

static void run_data(const char *path, enum weir_mode mode)
{
	struct loaded l = load(path, mode, NULL);

	assert_int_equal(run(l.o, l.slot, "count"), 2);
	assert_int_equal(run(l.o, l.slot, "count"), 3);
	assert_int_equal(number(l.o, "calls", 0, 0), 2);
	assert_int_equal(number(l.o, "sum", 0, 0), 100 + 3 + 100 + 6);
	assert_int_equal(number(l.o, "mine", 0, 0), 0x1236);
	assert_int_equal(number(l.o, "limit", 0, 0), 10);
	unload(&l);
}

static void test_data(void **state)
{
	(void)state;
	for_each("data", run_data);
}

/* What the file says can be changed before it is loaded. */
static void run_data_changed(const char *path, enum weir_mode mode)
{
	struct weir_object *o = open_object(path);
	struct weir_engine *engine = new_engine();
	struct weir_slot *slot;
	size_t map, off, len, all;

	assert_int_equal(weir_object_variable(o, "start", &map, &off, &len), 0);
	assert_int_equal(len, 4);
	uint8_t *data = weir_object_map_data(o, map, &all);
	assert_true(off + len <= all);
	memcpy(data + off, &(uint32_t){5000}, 4);
	assert_int_equal(weir_object_variable(o, "limit", &map, &off, &len), 0);
	memset((uint8_t *)weir_object_map_data(o, map, &all) + off, 0, 4);
	assert_int_equal(weir_object_load(o, engine, mode, NULL, NULL), 0);
	assert_int_equal(weir_slot_take(engine, 0, &slot), 0);
	assert_int_equal(run(o, slot, "count"), 4);
	assert_int_equal(number(o, "sum", 0, 0), 5003);
	/* constants stay */
	struct weir_map *rodata =
		weir_object_loaded_map(o, (size_t)weir_object_find_map(o, ".rodata"));
	assert_int_equal(weir_map_update(rodata, &(uint32_t){0}, data, 0), -EPERM);
	int i = weir_object_find_map(o, ".rodata");
	assert_int_equal(weir_object_find_map(o, weir_object_map(o, (size_t)i)->spec.name), i);
	/* and nothing can be changed any more */
	assert_int_equal(weir_object_set_map_size(o, 0, 1), -EBUSY);
	assert_int_equal(weir_object_set_autoload(o, 0, false), -EBUSY);
	struct weir_error error;
	assert_int_equal(weir_object_load(o, engine, mode, NULL, &error), -EBUSY);
	assert_string_equal(error.message, "is loaded already");
	weir_slot_release(slot);
	weir_engine_free(engine);
	weir_object_free(o);
}

static void test_data_changed(void **state)
{
	(void)state;
	for_each("data", run_data_changed);
}

static void run_calls(const char *path, enum weir_mode mode)
{
	struct loaded l = load(path, mode, NULL);

	assert_int_equal(run(l.o, l.slot, "calls"), 2 + 60 + 7 + 5 + 13 + 1006 + 21);
	assert_int_equal(number(l.o, "total", 0, 0), 1 + 5 + 1000);
	assert_int_equal(run(l.o, l.slot, "small"), 2);
	assert_null(weir_object_loaded_program(
		l.o, (size_t)weir_object_find_program(l.o, "other_section")));
	unload(&l);
}

static void test_calls(void **state)
{
	(void)state;
	for_each("calls", run_calls);
}

static void run_old_maps(const char *path, enum weir_mode mode)
{
	struct loaded l = load(path, mode, NULL);

	assert_int_equal(run(l.o, l.slot, "prog"), 3);
	assert_int_equal(run(l.o, l.slot, "classifier/x"), 3);
	assert_int_equal(number(l.o, "first", 4, 8), 2);
	uint64_t value[2] = {1, 2};
	struct weir_map *second =
		weir_object_loaded_map(l.o, (size_t)weir_object_find_map(l.o, "second"));
	assert_int_equal(weir_map_update(second, &(uint32_t){4}, value, 0), 0);
	assert_int_equal(run(l.o, l.slot, "prog"), 2);
	unload(&l);
}

static void test_old_maps(void **state)
{
	(void)state;
	for_each("old_maps", run_old_maps);
}

static void run_externs(const char *path, enum weir_mode mode)
{
	struct loaded l = load(path, mode, NULL);

	assert_int_equal(run(l.o, l.slot, "externs"), 2);
	assert_int_equal(number(l.o, "hz", 0, 0), 250);
	assert_int_equal(number(l.o, "tristate", 0, 0), 2);
	assert_int_equal(number(l.o, "missing", 0, 0), 0);
	assert_true(number(l.o, "version", 0, 0) >= 0x50000);
	assert_int_equal(number(l.o, "name", 0, 0), 0x72696577);
	unload(&l);
}

static void test_externs(void **state)
{
	(void)state;
	for_each("externs", run_externs);
}

/* What is missing, in words. */
static void run_lacks(const char *path, enum weir_mode mode)
{
	static const struct {
		const char *program, *text;
	} rows[] = {
		{"function", "kernel function bpf_no_such_function\n"},
		{"variable", "kernel variable no_such_variable\n"},
		{"call", "undefined, which is defined nowhere\n"},
		{"old", "map type 7, of map 'trace'\nhelper bpf_get_current_task#35\nhelper #4711, "
			"which isn't known\n"},
		{"other", "program type kprobe\n"},
		{"untyped", "a program type: section 'unknown' doesn't say one\n"},
		{"fine", NULL},
	};
	struct weir_object *o = open_object(path);

	(void)mode;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int p = weir_object_find_program(o, rows[i].program);
		char *text = (char *)1;

		assert_true(p >= 0);
		assert_int_equal(weir_object_program_lacks(o, (size_t)p, &text), 0);
		if (rows[i].text) {
			assert_non_null(text);
			assert_string_equal(text, rows[i].text);
		} else {
			assert_null(text);
		}
		weir_text_free(text);
	}
	weir_object_free(o);
}

static void test_lacks(void **state)
{
	(void)state;
	for_each("strong", run_lacks);
}

static void run_strong(const char *path, enum weir_mode mode)
{
	static const char *const names[] = {
		"function", "variable", "call", "old", "other", "untyped"};
	static const char *const texts[] = {"kernel function 'bpf_no_such_function' isn't here",
		"kernel variable 'no_such_variable' isn't here: weir has none",
		("'undefined' is defined nowhere: define it, or declare it with __ksym or "
		 "__kconfig and compile with -g"),
		"uses map 'trace', whose type (7) weir hasn't",
		"(section 'kprobe/x') is of type kprobe, which weir doesn't run",
		"its section 'unknown' doesn't say a type of program: give one"};
	struct weir_object *o = open_object(path);
	struct weir_engine *engine = new_engine();
	struct weir_error error;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char expected[512];
		int p = weir_object_find_program(o, names[i]);

		assert_true(weir_object_load(o, engine, mode, NULL, &error) < 0);
		snprintf(expected, sizeof(expected), "program '%s'", names[i]);
		assert_memory_equal(error.message, expected, strlen(expected));
		assert_non_null(strstr(error.message, texts[i]));
		assert_int_equal(error.where, WEIR_AT_TEXT);
		assert_string_equal(error.name, path);
		assert_null(weir_object_loaded_map(o, 0));
		assert_int_equal(weir_object_set_autoload(o, (size_t)p, false), 0);
	}
	assert_int_equal(weir_object_load(o, engine, mode, NULL, &error), 0);
	weir_engine_free(engine);
	weir_object_free(o);
}

static void test_strong(void **state)
{
	(void)state;
	for_each("strong", run_strong);
}

static void run_maps(const char *path, enum weir_mode mode)
{
	struct loaded l = load(path, mode, NULL);
	struct {
		uint32_t a;
		uint16_t b, c;
	} key = {1, 2, 3};
	uint64_t value = 0, sum = 0;

	assert_int_equal(run(l.o, l.slot, "first"), 3);
	assert_int_equal(weir_map_lookup(weir_object_loaded_map(
						 l.o, (size_t)weir_object_find_map(l.o, "hash")),
				 &key, &value),
		0);
	assert_int_equal(value, 1);
	struct weir_map *hits =
		weir_object_loaded_map(l.o, (size_t)weir_object_find_map(l.o, "hits"));
	assert_int_equal(weir_map_sum(hits, &(uint32_t){1}, &sum), 0);
	assert_int_equal(sum, 5);
	assert_int_equal(number(l.o, "locked", 1, 8) >> 32, 7);
	assert_int_equal(number(l.o, "in1", 2, 4), 77);
	assert_int_equal(number(l.o, "in2", 2, 4), 0);
	unload(&l);
}

static void test_maps(void **state)
{
	(void)state;
	for_each("maps", run_maps);
}

static void run_iproute(const char *path, enum weir_mode mode)
{
	struct loaded l = load(path, mode, NULL);

	assert_int_equal(run(l.o, l.slot, "entry"), 11);
	unload(&l);
}

static void test_iproute(void **state)
{
	(void)state;
	for_each("iproute", run_iproute);
}

static void run_callback(const char *path, enum weir_mode mode)
{
	struct loaded l = load(path, mode, NULL);

	assert_int_equal(run(l.o, l.slot, "loop"), 55);
	unload(&l);
}

static void test_callback(void **state)
{
	(void)state;
	for_each("callback", run_callback);
}

/* A map that is there already takes the place of the object's, if it is like it. */
static void run_used_map(const char *path, enum weir_mode mode)
{
	struct weir_object *o = open_object(path);
	struct weir_engine *engine = new_engine();
	struct weir_map_spec spec = weir_object_map(o, 0)->spec;
	struct weir_map *other, *map;
	struct weir_slot *slot;
	struct weir_error error;
	uint64_t value = 0;

	assert_string_equal(weir_object_map(o, 0)->name, "first");
	assert_int_equal(weir_map_new(engine, &spec, &map, NULL), 0);
	spec.value_size = 16;
	assert_int_equal(weir_map_new(engine, &spec, &other, NULL), 0);
	assert_int_equal(weir_object_use_map(o, 0, other, &error), -EINVAL);
	assert_non_null(strstr(error.message, "map 'first': the map given has another value_size"));
	assert_int_equal(weir_object_use_map(o, 99, map, &error), -ENOENT);
	assert_int_equal(weir_object_use_map(o, 0, map, &error), 0);
	assert_int_equal(weir_object_use_map(o, 0, map, &error), -EBUSY);
	assert_int_equal(weir_object_set_map_size(o, 1, 1), 0);
	assert_int_equal(weir_object_load(o, engine, mode, NULL, NULL), 0);
	assert_int_equal(weir_slot_take(engine, 0, &slot), 0);
	run(o, slot, "prog");
	assert_ptr_equal(weir_object_loaded_map(o, 0), map);
	weir_slot_release(slot);
	weir_object_free(o);
	assert_int_equal(weir_map_lookup(map, &(uint32_t){4}, &value), 0);
	assert_int_equal(value, 1);
	weir_map_free(map);
	weir_map_free(other);
	weir_engine_free(engine);
}

static void test_used_map(void **state)
{
	(void)state;
	for_each("old_maps", run_used_map);
}

static void run_sections(const char *path, enum weir_mode mode)
{
	struct weir_object_opts opts = {.default_type = WEIR_PROG_SCHED_CLS};
	struct weir_object *o;

	(void)mode;
	assert_int_equal(weir_object_open(path, &opts, &o, NULL), 0);
	assert_int_equal(weir_object_program(o, (size_t)weir_object_find_program(o, "mine"))->type,
		WEIR_PROG_SCHED_CLS);
	assert_int_equal(
		weir_object_program(o, (size_t)weir_object_find_program(o, "kprobe/x"))->type, 0);
	assert_int_equal(weir_object_find_program(o, "mine2"), -ENOENT); /* has two */
	int i = weir_object_find_program(o, "p_kprobe");
	assert_int_equal(weir_object_set_program_type(o, (size_t)i, WEIR_PROG_XDP), 0);
	assert_string_equal(weir_object_program(o, (size_t)i)->type_text, "xdp");
	assert_int_equal(
		weir_object_set_program_type(o, (size_t)i, (enum weir_program_type)999), -EINVAL);
	assert_int_equal(weir_object_set_program_type(o, 999, WEIR_PROG_XDP), -ENOENT);
	weir_object_free(o);
}

static void test_sections(void **state)
{
	(void)state;
	for_each("sections", run_sections);
}

static void test_arguments(void **state)
{
	struct weir_error error;
	struct weir_object *o;
	char *text;

	(void)state;
	assert_int_equal(weir_object_open("/nowhere", NULL, &o, &error), -ENOENT);
	assert_string_equal(error.name, "/nowhere");
	assert_int_equal(weir_object_open("/", NULL, &o, &error), -EINVAL);
	assert_string_equal(error.message, "not a regular file, so no BPF object");
	assert_int_equal(weir_object_open(NULL, NULL, &o, &error), -EINVAL);
	assert_int_equal(weir_object_open_memory("", 0, NULL, &o, &error), -EINVAL);
	assert_string_equal(error.name, "object");
	assert_int_equal(weir_object_open_memory(NULL, 1, NULL, &o, NULL), -EINVAL);
	assert_int_equal(weir_object_maps(NULL), 0);
	assert_null(weir_object_map(NULL, 0));
	assert_int_equal(weir_object_program_lacks(NULL, 0, &text), -EINVAL);
	weir_object_free(NULL);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_data_changed),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_old_maps),
		cmocka_unit_test(test_used_map),
		cmocka_unit_test(test_externs),
		cmocka_unit_test(test_lacks),
		cmocka_unit_test(test_strong),
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_iproute),
		cmocka_unit_test(test_callback),
		cmocka_unit_test(test_sections),
	};

	if (argc < 3) {
		printf("no objects: there is no clang that makes them\n");
		return 77;
	}
	folder = argv[1];
	files = argv + 2;
	nr_files = argc - 2;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
