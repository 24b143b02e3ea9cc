/* BPF objects: opened, asked everything, maps made (small ones), programs linked, relocated and verified. */
#include "fuzz.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "engine/api_program.h"
#include "obj/make_btf.h"
#include "verify/verify.h"
#include "weir/object.h"

enum {
	WALK_MAX = 20000,        /* instructions of the verifier's walk */
	INSNS_MAX = 20000,       /* of a program */
	VALUE_BYTES_MAX = 65536, /* of maps that are made */
	ENTRIES_MAX = 16,
};

static struct weir_engine *engine;
static char btf_path[64], kconfig_path[64];

/* A file that stays for all inputs. */
static void keep_file(char *path, size_t cap, const void *bytes, size_t len)
{
	int fd = memfd_create("fuzz", 0);

	FUZZ_CHECK(fd >= 0 && write(fd, bytes, len) == (ssize_t)len, "memfd");
	snprintf(path, cap, "/proc/self/fd/%d", fd);
}

/* A target as in core_target.bpf.c, as far as it goes: struct thing { u64 pad; u32 first; }, struct sk_buff { u32 len; }. */
static void start(void)
{
	static const char config[] = "CONFIG_HZ=250\nCONFIG_SMP=y\nCONFIG_VERSION=\"fuzz\"\n";
	struct make_btf m = {0};
	struct buf bytes = {0};

	make_int(&m, "int", 4);
	make_int(&m, "u64", 8);
	make_type(&m, "thing", BTF_STRUCT, 2, 16);
	make_field(&m, "pad", 2, 0);
	make_field(&m, "first", 1, 64);
	make_type(&m, "sk_buff", BTF_STRUCT, 1, 4);
	make_field(&m, "len", 1, 0);
	make_bytes(&m, &bytes);
	keep_file(btf_path, sizeof(btf_path), bytes.data, bytes.len);
	buf_fini(&bytes);
	keep_file(kconfig_path, sizeof(kconfig_path), config, sizeof(config) - 1);
	FUZZ_CHECK(!weir_engine_new(2, &engine, NULL), "engine");
}

static void check_error(int err, const struct weir_error *error)
{
	FUZZ_CHECK(!err || (err == -error->code && error->message[0]), "%d, code %d, '%s'", err,
		error->code, error->message);
}

/* Whether all maps are of a size that may be made here, some by asking for fewer entries. */
static bool limit_maps(struct weir_object *object)
{
	for (size_t i = 0; i < weir_object_maps(object); i++) {
		const struct weir_object_map *m = weir_object_map(object, i);
		size_t len = 0;

		FUZZ_CHECK(m && m->name && m->section, "map %zu", i);
		FUZZ_CHECK(weir_object_find_map(object, m->name) >= 0 || !m->name[0], "map '%s'",
			m->name);
		FUZZ_CHECK(!weir_object_map_data(object, i, &len) == !m->is_data || !len,
			"map '%s'", m->name);
		if (m->spec.value_size > VALUE_BYTES_MAX || m->spec.key_size > VALUE_BYTES_MAX)
			return false;
		if (m->spec.max_entries > ENTRIES_MAX && m->spec.type != WEIR_MAP_RINGBUF)
			weir_object_set_map_size(object, i, ENTRIES_MAX);
		if (weir_object_map(object, i)->spec.max_entries > VALUE_BYTES_MAX)
			return false;
	}
	return true;
}

static void verify_program(const struct weir_program_spec *spec)
{
	struct verify_opts opts = {.max_insns = WALK_MAX};
	struct facts facts = {0};
	struct prog *p = NULL;
	struct diag d = {0};

	if (spec->nr_insns <= INSNS_MAX && !prog_from_spec(engine, spec, &p, &d)) {
		int err = verify(p, &opts, &facts, NULL, &d);

		FUZZ_CHECK(!err == !d.nr_errors, "%d", err);
	}
	facts_fini(&facts);
	prog_free(p);
	diag_fini(&d);
}

static void look_at_programs(struct weir_object *object)
{
	for (size_t i = 0; i < weir_object_programs(object); i++) {
		const struct weir_object_program *p = weir_object_program(object, i);
		struct weir_program_spec spec = {0};
		struct weir_error error = {0};
		char *text = NULL;
		int err;

		FUZZ_CHECK(p && p->name && p->section, "program %zu", i);
		if (!p->type)
			weir_object_set_program_type(object, i, WEIR_PROG_XDP);
		if (!weir_object_program_lacks(object, i, &text))
			weir_text_free(text);
		err = weir_object_program_spec(object, i, &spec, &error);
		check_error(err, &error);
		if (!err)
			verify_program(&spec);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct weir_object_opts opts = {.name = "fuzz", .btf = btf_path, .kconfig = kconfig_path};
	struct weir_object *object = NULL;
	struct weir_error error = {0};
	size_t map, off, size;
	int err;

	if (!engine)
		start();
	err = weir_object_open_memory(bytes, len, &opts, &object, &error);
	check_error(err, &error);
	if (err)
		return 0;
	weir_object_license(object);
	if (!weir_object_variable(object, "some_data", &map, &off, &size)) {
		size_t there = 0;

		FUZZ_CHECK(weir_object_map_data(object, map, &there) && off <= there &&
				   size <= there - off,
			"%zu + %zu of %zu", off, size, there);
	}
	if (limit_maps(object)) {
		err = weir_object_make_maps(object, engine, &error);
		check_error(err, &error);
	}
	look_at_programs(object);
	weir_object_free(object);
	return 0;
}
