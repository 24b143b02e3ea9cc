/* Public interface: keys and values of maps as text. */
#include <errno.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "obj/obj.h"
#include "obj/typeprint.h"

static int print(const struct weir_object *o, u32 type, const void *bytes, size_t len, char **text)
{
	struct buf out = {0};

	if (!o->btf || !type)
		return -ENOENT;
	typeprint(o->btf, type, bytes, len, &out);
	*text = out.failed ? NULL : mem_strdup(buf_cstr(&out));
	buf_fini(&out);
	return *text ? 0 : -ENOMEM;
}

int weir_object_print_key(
	const struct weir_object *o, size_t i, const void *key, size_t len, char **text)
{
	if (!o || !key || !text || i >= o->nr_maps)
		return -EINVAL;
	return print(o, o->maps[i].key_type, key, len, text);
}

int weir_object_print_value(
	const struct weir_object *o, size_t i, const void *value, size_t len, char **text)
{
	if (!o || !value || !text || i >= o->nr_maps)
		return -EINVAL;
	return print(o, o->maps[i].value_type, value, len, text);
}
