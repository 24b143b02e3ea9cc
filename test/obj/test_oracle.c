/* The same objects as libbpf sees them: maps and programs, their names, sizes and types. Arguments: objects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <bpf/libbpf.h>

#include "weir/object.h"

static char **files;
static int nr_files;

static int quiet(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

static void compare_map(struct weir_object *o, const struct bpf_map *theirs, const char *path)
{
	const char *name = bpf_map__name(theirs);
	int i = weir_object_find_map(o, name);

	if (i < 0)
		fail_msg("%s: libbpf finds map %s", path, name);
	const struct weir_object_map *m = weir_object_map(o, (size_t)i);
	assert_int_equal(m->spec.type, bpf_map__type(theirs));
	assert_int_equal(m->spec.key_size, bpf_map__key_size(theirs));
	assert_int_equal(m->spec.value_size, bpf_map__value_size(theirs));
	assert_int_equal(m->spec.max_entries, bpf_map__max_entries(theirs));
	assert_int_equal(m->spec.flags, bpf_map__map_flags(theirs));
	assert_int_equal(m->spec.map_extra, bpf_map__map_extra(theirs));
	assert_int_equal(m->is_data, bpf_map__is_internal(theirs));
	assert_int_equal(m->pinned, bpf_map__pin_path(theirs) != NULL);
	if (!m->is_data || strcmp(m->name, ".kconfig") == 0)
		return;
	size_t ours_len, theirs_len;
	const void *ours = weir_object_map_data(o, (size_t)i, &ours_len);
	const void *bytes =
		bpf_map__initial_value((struct bpf_map *)(uintptr_t)theirs, &theirs_len);
	assert_int_equal(ours_len, theirs_len);
	assert_memory_equal(ours, bytes, ours_len);
}

static void compare_program(
	struct weir_object *o, const struct bpf_program *theirs, const char *path)
{
	const char *name = bpf_program__name(theirs);
	int i = weir_object_find_program(o, name);

	if (i < 0)
		fail_msg("%s: libbpf finds program %s", path, name);
	const struct weir_object_program *p = weir_object_program(o, (size_t)i);
	/* libbpf 1.1 has no type for what begins like an older name, or came after it. */
	if (bpf_program__type(theirs) && p->type)
		assert_int_equal(p->type, bpf_program__type(theirs));
	if (bpf_program__type(theirs))
		assert_non_null(p->type_text);
	assert_int_equal(p->section[0] == '?', !bpf_program__autoload(theirs));
}

static void compare(const char *path)
{
	struct weir_error error;
	struct weir_object *o;
	struct bpf_object *theirs = bpf_object__open(path);
	size_t maps = 0, programs = 0;

	if (!theirs)
		return; /* it doesn't read the older maps any more, nor names that nobody defines */
	if (weir_object_open(path, NULL, &o, &error))
		fail_msg("%s: %s", path, error.message);
	const struct bpf_map *map;
	bpf_object__for_each_map(map, theirs)
	{
		compare_map(o, map, path);
		maps++;
	}
	assert_int_equal(maps, weir_object_maps(o));
	struct bpf_program *program;
	bpf_object__for_each_program(program, theirs)
	{
		compare_program(o, program, path);
		programs++;
	}
	assert_int_equal(programs, weir_object_programs(o));
	weir_object_free(o);
	bpf_object__close(theirs);
}

static void test_libbpf(void **state)
{
	int compared = 0;

	(void)state;
	libbpf_set_print(quiet);
	for (int i = 0; i < nr_files; i++) {
		struct bpf_object *theirs = bpf_object__open(files[i]);

		compared += theirs != NULL;
		bpf_object__close(theirs);
		compare(files[i]);
	}
	assert_true(compared > nr_files / 3);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_libbpf)};

	if (argc < 2) {
		printf("no objects: there is no clang that makes them\n");
		return 77;
	}
	files = argv + 1;
	nr_files = argc - 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
