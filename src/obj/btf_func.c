/* Functions as BTF describes them. What an argument of a global function may be is the kernel's rule for functions that are
 * verified by themselves. */
#include "obj/btf_func.h"

#include <string.h>

static const struct {
	enum prog_type type;
	const char *name; /* of the struct that programs of the type get */
} contexts[] = {
	{PROG_TYPE_SOCKET_FILTER, "__sk_buff"},
	{PROG_TYPE_SCHED_CLS, "__sk_buff"},
	{PROG_TYPE_SCHED_ACT, "__sk_buff"},
	{PROG_TYPE_CGROUP_SKB, "__sk_buff"},
	{PROG_TYPE_XDP, "xdp_md"},
	{PROG_TYPE_NETFILTER, "bpf_nf_ctx"},
};

static bool is_context(const char *name, enum prog_type type)
{
	for (size_t i = 0; i < ARRAY_LEN(contexts); i++)
		if (contexts[i].type == type)
			return !strcmp(contexts[i].name, name);
	return false;
}

static bool has_tag(const struct btf *btf, u32 func, u32 arg, const char *tag)
{
	const char *text;

	for (u32 i = 0; (text = btf_decl_tag(btf, func, (s32)arg, i)); i++)
		if (!strcmp(text, tag))
			return true;
	return false;
}

static struct func_arg describe_arg(
	const struct btf *btf, u32 func, u32 i, u32 type_id, enum prog_type type)
{
	struct func_arg arg = {.kind = FUNC_ARG_UNSUPPORTED};
	struct btf_info info = btf_get(btf, btf_resolve(btf, type_id));

	if (info.kind == BTF_INT || info.kind == BTF_ENUM || info.kind == BTF_ENUM64) {
		arg.kind = info.size <= 8 ? FUNC_ARG_SCALAR : FUNC_ARG_UNSUPPORTED;
		return arg;
	}
	if (info.kind != BTF_PTR)
		return arg;
	if (has_tag(btf, func, i, "arg:ctx") ||
		is_context(btf_get(btf, btf_resolve(btf, info.type)).name, type)) {
		arg.kind = FUNC_ARG_CTX;
		return arg;
	}
	if (!btf_size_of(btf, info.type, &arg.bytes))
		return arg;
	arg.kind = FUNC_ARG_MEM;
	arg.nonnull = has_tag(btf, func, i, "arg:nonnull");
	return arg;
}

void btf_func_describe(const struct btf *btf, u32 func, enum prog_type type, struct prog_func *f)
{
	struct btf_info info = btf_get(btf, func), proto = btf_get(btf, info.type);

	if (info.kind != BTF_FUNC)
		return;
	f->global = info.linkage == BTF_GLOBAL;
	f->returns_void = btf_get(btf, btf_resolve(btf, proto.type)).kind == BTF_VOID;
	f->nr_args = (u8)(proto.nr < ARRAY_LEN(f->args) ? proto.nr : ARRAY_LEN(f->args));
	for (u32 i = 0; i < f->nr_args; i++)
		f->args[i] = describe_arg(btf, func, i, btf_get_arg(btf, info.type, i).type, type);
}
