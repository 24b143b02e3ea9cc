/* The table of program types: every row is whole, and each access is allowed or refused for the
 * right reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "kernel_facts.h"
#include "progtype/progtype.h"
#include "weir/frame.h"
#include "weir/packet.h"

static const enum prog_type all_types[] = {PROG_TYPE_RAW, PROG_TYPE_PACKET, PROG_TYPE_SOCKET_FILTER,
	PROG_TYPE_SCHED_CLS, PROG_TYPE_SCHED_ACT, PROG_TYPE_XDP, PROG_TYPE_CGROUP_SKB,
	PROG_TYPE_NETFILTER};

static void rows_are_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(all_types); i++) {
		const struct prog_type_ops *t = prog_type_ops_of(all_types[i]);

		assert_non_null(t);
		assert_int_equal(t->type, all_types[i]);
		assert_int_equal(prog_type_by_name(t->name), t->type);
		assert_true(t->helper_allowed(kernel_map_lookup_elem));
		assert_false(t->helper_allowed(0));
		u32 end = 0;
		for (u32 k = 0; k < t->nr_fields; k++) {
			assert_true(t->fields[k].off >= end);
			end = (u32)t->fields[k].off + t->fields[k].size;
		}
		assert_true(end <= t->ctx_bytes);
	}
	assert_null(prog_type_ops_of(PROG_TYPE_UNSPEC));
	assert_int_equal(prog_type_by_name("kprobe"), PROG_TYPE_UNSPEC);
	assert_true(prog_type_ops_of(PROG_TYPE_XDP)->helper_allowed(kernel_xdp_adjust_head));
	assert_false(prog_type_ops_of(PROG_TYPE_PACKET)->helper_allowed(kernel_xdp_adjust_head));
}

/* xdp_md must be the kernel's. */
static void xdp_is_the_kernels(void **state)
{
	static const struct {
		size_t off, size;
	} native[] = {{offsetof(struct weir_frame, data), 8},
		{offsetof(struct weir_frame, data_end), 8}, {offsetof(struct weir_frame, meta), 8},
		{offsetof(struct weir_frame, ingress_ifindex), 4},
		{offsetof(struct weir_frame, rx_queue_index), 4}};
	const struct prog_type_ops *t = prog_type_ops_of(PROG_TYPE_XDP);
	const char *why = NULL;

	(void)state;
	assert_int_equal(t->ctx_bytes, kernel_xdp_md_bytes);
	for (size_t i = 0; i < ARRAY_LEN(kernel_xdp_md); i++) {
		const struct ctx_field *f =
			ctx_field_at(t, 0, (s64)kernel_xdp_md[i].off, 4, false, &why);

		assert_non_null(f);
		assert_string_equal(f->name, kernel_xdp_md[i].name);
		assert_int_equal(f->native_off, native[i].off);
		assert_int_equal(f->native_size, native[i].size);
	}
}

static void accesses(void **state)
{
	static const struct {
		enum prog_type type;
		s64 off;
		u32 size;
		bool write;
		const char *field, *why;
	} cases[] = {
		{PROG_TYPE_PACKET, 0, 8, false, "data", NULL},
		{PROG_TYPE_PACKET, 0, 4, false, NULL, "the field is read as a whole"},
		{PROG_TYPE_PACKET, 8, 8, false, "data_end", NULL},
		{PROG_TYPE_PACKET, 8, 8, true, NULL, "the field is read-only"},
		{PROG_TYPE_PACKET, 16, 4, false, "len", NULL},
		{PROG_TYPE_PACKET, 16, 8, false, NULL, "the access crosses the end of the field"},
		{PROG_TYPE_PACKET, 17, 2, false, NULL, "the offset is not a multiple of the size"},
		{PROG_TYPE_PACKET, 19, 1, false, "len", NULL},
		{PROG_TYPE_PACKET, 20, 4, true, "mark", NULL},
		{PROG_TYPE_PACKET, 20, 2, true, NULL, "a field is written as a whole"},
		{PROG_TYPE_PACKET, 48, 8, false, "in_iface", NULL},
		{PROG_TYPE_PACKET, 56, 8, false, "in_iface", NULL},
		{PROG_TYPE_PACKET, 63, 1, false, "in_iface", NULL},
		{PROG_TYPE_PACKET, 64, 8, false, "out_iface", NULL},
		{PROG_TYPE_PACKET, 92, 4, false, NULL, "no field is there"},
		{PROG_TYPE_PACKET, 96, 4, false, NULL,
			"the access is behind the end of the context"},
		{PROG_TYPE_PACKET, INT64_MAX - 8, 8, false, NULL,
			"the access is behind the end of the context"},
		{PROG_TYPE_PACKET, -4, 4, false, NULL, "the offset is negative"},
		{PROG_TYPE_XDP, 0, 8, false, NULL, "the access crosses the end of the field"},
		{PROG_TYPE_XDP, 12, 2, false, NULL, "the field is read as a whole"},
		{PROG_TYPE_XDP, 16, 4, true, NULL, "the field is read-only"},
		{PROG_TYPE_XDP, 20, 4, false, NULL,
			"programs of this attach type don't have the field"},
		{PROG_TYPE_RAW, 0, 4, false, NULL, "the access is behind the end of the context"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *why = NULL;
		const struct ctx_field *f = ctx_field_at(prog_type_ops_of(cases[i].type), 0,
			cases[i].off, cases[i].size, cases[i].write, &why);

		if (cases[i].field) {
			assert_non_null(f);
			assert_string_equal(f->name, cases[i].field);
		} else {
			assert_null(f);
			assert_string_equal(why, cases[i].why);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_whole),
		cmocka_unit_test(xdp_is_the_kernels),
		cmocka_unit_test(accesses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
