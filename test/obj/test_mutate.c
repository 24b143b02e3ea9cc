/* Objects with wrong bytes: never a crash, always a message. Arguments: [-n ROUNDS] objects; WEIR_SEED sets the seed. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "weir/object.h"

static char **files;
static int nr_files;
static unsigned rounds = 400;
static uint64_t seed = 1;

static uint32_t next(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33);
}

static uint8_t *read_bytes(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	*len = (size_t)ftell(f);
	rewind(f);
	uint8_t *bytes = malloc(*len);
	assert_int_equal(fread(bytes, 1, *len, f), *len);
	fclose(f);
	return bytes;
}

/* Everything that reads the object and makes no map. */
static void use(struct weir_object *o)
{
	for (size_t i = 0; i < weir_object_programs(o); i++) {
		struct weir_program_spec spec;
		struct weir_error error;
		char *text = NULL;

		if (weir_object_program_lacks(o, i, &text) == 0)
			weir_text_free(text);
		weir_object_set_program_type(o, i, WEIR_PROG_XDP);
		int err = weir_object_program_spec(o, i, &spec, &error);
		if (err)
			assert_true(error.code == -err && error.message[0] && error.name[0]);
	}
	for (size_t i = 0; i < weir_object_maps(o); i++) {
		size_t len;
		volatile uint8_t *data = weir_object_map_data(o, i, &len);

		assert_non_null(weir_object_map(o, i)->name);
		if (data && len)
			data[len - 1] = data[0];
	}
}

static int try_bytes(const uint8_t *bytes, size_t len)
{
	const struct weir_object_opts opts = {
		.name = "mutated", .btf = "/dev/null", .kconfig = "/dev/null"};
	struct weir_object *o = NULL;
	struct weir_error error = {0};
	int err = weir_object_open_memory(bytes, len, &opts, &o, &error);

	if (err) {
		assert_int_equal(error.code, -err);
		assert_true(error.message[0]);
		if (err != -ENOMEM)
			assert_string_equal(error.name, "mutated");
		assert_null(o);
		return err;
	}
	use(o);
	weir_object_free(o);
	return 0;
}

/* A field of the file's tables more often than any byte, with values on the edge. */
static void mutate(uint8_t *bytes, size_t *len)
{
	static const uint64_t edges[] = {0, 1, 7, 8, 0x7f, 0xff, 0xffff, 0x7fffffff, 0x80000000,
		0xffffffff, 0x7fffffffffffffff, 0xffffffffffffffff};
	uint64_t shoff;

	memcpy(&shoff, bytes + 40, 8);
	for (uint32_t n = next() % 3 + 1; n; n--) {
		size_t at = next() % *len;
		uint64_t value = edges[next() % (sizeof(edges) / sizeof(edges[0]))];
		size_t size = (size_t)1 << next() % 4;

		switch (next() % 5) {
		case 0:
			at = next() % 64; /* header */
			break;
		case 1:
		case 2:
			if (shoff < *len)
				at = shoff +
				     next() % (*len - shoff); /* sections, often behind symbols */
			break;
		}
		if (next() % 2)
			value = (uint64_t)next() % (2 * *len);
		if (next() % 3 == 0)
			bytes[at] ^= (uint8_t)(1 << next() % 8);
		else if (at + size <= *len)
			memcpy(bytes + at, &value, size);
	}
	if (next() % 16 == 0)
		*len = next() % *len;
}

static void test_mutations(void **state)
{
	unsigned opened = 0, refused = 0;

	(void)state;
	for (int i = 0; i < nr_files; i++) {
		size_t len;
		uint8_t *bytes = read_bytes(files[i], &len);

		assert_int_equal(try_bytes(bytes, len), 0);
		for (unsigned k = 0; k < rounds; k++) {
			uint64_t start = seed;
			size_t cut = len;
			uint8_t *copy = malloc(len);

			memcpy(copy, bytes, len);
			mutate(copy, &cut);
			copy = realloc(copy, cut ? cut : 1);
			printf("%s, WEIR_SEED=%llu\r", files[i], (unsigned long long)start);
			if (try_bytes(copy, cut))
				refused++;
			else
				opened++;
			free(copy);
		}
		free(bytes);
	}
	printf("\n%u opened, %u refused\n", opened, refused);
	assert_true(refused > opened / 10);
}

/* Every length of a file, in steps for long ones. */
static void test_truncation(void **state)
{
	(void)state;
	for (int i = 0; i < nr_files; i++) {
		size_t len, step;
		uint8_t *bytes = read_bytes(files[i], &len);

		step = len / (rounds + 1) + 1;
		for (size_t cut = 0; cut < len; cut += cut < 256 ? 1 : step) {
			uint8_t *copy = malloc(cut ? cut : 1);

			memcpy(copy, bytes, cut);
			/* The table of sections is at the end. */
			assert_int_not_equal(try_bytes(copy, cut), 0);
			free(copy);
		}
		free(bytes);
	}
}

/* Without memory at any of its allocations. */
static void test_no_memory(void **state)
{
	(void)state;
	for (int i = 0; i < nr_files; i++) {
		size_t len;
		uint8_t *bytes = read_bytes(files[i], &len);
		uint64_t before = mem_alloc_count();

		assert_int_equal(try_bytes(bytes, len), 0);
		uint64_t allocations = mem_alloc_count() - before;
		for (uint64_t n = 1; n <= allocations; n++) {
			mem_fail_at(n);
			int err = try_bytes(bytes, len);
			mem_fail_at(0);
			assert_true(err == 0 || err == -ENOMEM);
		}
		free(bytes);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mutations),
		cmocka_unit_test(test_truncation),
		cmocka_unit_test(test_no_memory),
	};

	if (argc > 2 && !strcmp(argv[1], "-n")) {
		rounds = (unsigned)atoi(argv[2]);
		argv += 2;
		argc -= 2;
	}
	if (getenv("WEIR_SEED"))
		seed = strtoull(getenv("WEIR_SEED"), NULL, 0);
	if (argc < 2) {
		printf("no objects: there is no clang that makes them\n");
		return 77;
	}
	files = argv + 1;
	nr_files = argc - 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
