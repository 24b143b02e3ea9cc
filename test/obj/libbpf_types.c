#include "obj/libbpf_types.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void *other_open(const char *path)
{
	return btf__parse(path, NULL);
}

void other_free(void *btf)
{
	btf__free(btf);
}

u32 other_nr_types(const void *btf)
{
	return btf__type_cnt(btf);
}

struct other_type other_get(const void *btf, u32 id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	return (struct other_type){
		.kind = btf_kind(t),
		.nr = btf_is_array(t) ? btf_array(t)->nelems : btf_vlen(t),
		.size_or_type = btf_is_array(t) ? btf_array(t)->type : t->size,
		.name = btf__name_by_offset(btf, t->name_off),
		.value_size = btf__resolve_size(btf, id),
		.align = btf__align_of(btf, id),
	};
}

struct other_field other_field(const void *btf, u32 id, u32 i)
{
	const struct btf_type *t = btf__type_by_id(btf, id);
	const struct btf_member *m = &btf_members(t)[i];

	return (struct other_field){
		.name = btf__name_by_offset(btf, m->name_off),
		.type = m->type,
		.bit_off = btf_member_bit_offset(t, i),
		.bits = btf_member_bitfield_size(t, i),
	};
}

s64 other_enum_value(const void *btf, u32 id, u32 i, const char **name)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	if (btf_is_enum64(t)) {
		*name = btf__name_by_offset(btf, btf_enum64(t)[i].name_off);
		return (s64)btf_enum64_value(&btf_enum64(t)[i]);
	}
	*name = btf__name_by_offset(btf, btf_enum(t)[i].name_off);
	return btf_enum(t)[i].val;
}

bool other_can_load(void)
{
	libbpf_set_print(NULL);
	return libbpf_probe_bpf_prog_type(BPF_PROG_TYPE_SOCKET_FILTER, NULL) > 0;
}

static void append_program(const struct bpf_program *program, void **insns, u32 *nr)
{
	size_t more = bpf_program__insn_cnt(program);

	*insns = realloc(*insns, (*nr + more) * sizeof(struct bpf_insn));
	memcpy((struct bpf_insn *)*insns + *nr, bpf_program__insns(program),
		more * sizeof(struct bpf_insn));
	*nr += (u32)more;
}

int other_relocate(const char *object, const char *target, void **insns, u32 *nr)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = target);
	struct bpf_program *program;
	struct bpf_object *obj;
	int err;

	libbpf_set_print(NULL);
	obj = bpf_object__open_file(object, &opts);
	if (!obj)
		return -errno;
	err = bpf_object__load(obj);
	*insns = NULL;
	*nr = 0;
	bpf_object__for_each_program(program, obj) append_program(program, insns, nr);
	bpf_object__close(obj);
	return err;
}
