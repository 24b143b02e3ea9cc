#include "kernel_btf.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"

enum {
	TYPE_VOID = 0,
	TYPE_INT = 1,
	TYPE_LONG = 2,
	TYPE_CTX = 3,
	TYPE_CTX_PTR = 4,
	FUNCS_MAX = 256
};

struct btf_maker {
	struct buf types, names;
	u32 nr;
};

static u32 add_name(struct btf_maker *m, const char *name)
{
	u32 off = (u32)m->names.len;

	buf_put(&m->names, name, strlen(name) + 1);
	return off;
}

/* Returns the number of the type. */
static u32 add_type(struct btf_maker *m, const char *name, u32 kind, u32 vlen, u32 size_or_type)
{
	struct btf_type t = {
		.name_off = *name ? add_name(m, name) : 0,
		.info = kind << 24 | vlen,
		.size = size_or_type,
	};

	buf_put(&m->types, &t, sizeof(t));
	return ++m->nr;
}

static void add_int(struct btf_maker *m, const char *name, u32 bytes, u32 encoding)
{
	u32 data = encoding << 24 | bytes * 8;

	add_type(m, name, BTF_KIND_INT, 0, bytes);
	buf_put(&m->types, &data, sizeof(data));
}

static u32 arg_type(struct btf_maker *m, const struct kernel_func *f, u32 n)
{
	switch (f->args[n].kind) {
	case KERNEL_ARG_SCALAR:
		return TYPE_LONG;
	case KERNEL_ARG_CTX:
		return TYPE_CTX_PTR;
	case KERNEL_ARG_MEM:
		break;
	}
	u32 memory = add_type(m, "memory", BTF_KIND_STRUCT, 0, f->args[n].bytes);
	return add_type(m, "", BTF_KIND_PTR, 0, memory);
}

static u32 add_func(struct btf_maker *m, const struct kernel_func *f)
{
	u32 types[5];

	for (u32 n = 0; n < f->nr_args; n++)
		types[n] = arg_type(m, f, n);
	u32 proto = add_type(
		m, "", BTF_KIND_FUNC_PROTO, f->nr_args, f->returns_void ? TYPE_VOID : TYPE_INT);
	for (u32 n = 0; n < f->nr_args; n++) {
		struct btf_param p = {.name_off = add_name(m, "arg"), .type = types[n]};

		buf_put(&m->types, &p, sizeof(p));
	}
	u32 func = add_type(
		m, f->name, BTF_KIND_FUNC, f->global ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC, proto);
	for (u32 n = 0; n < f->nr_args; n++)
		if (f->args[n].nonnull) {
			struct btf_decl_tag tag = {.component_idx = (s32)n};

			add_type(m, "arg:nonnull", BTF_KIND_DECL_TAG, 0, func);
			buf_put(&m->types, &tag, sizeof(tag));
		}
	return func;
}

static int sys_bpf(enum bpf_cmd command, union bpf_attr *attr)
{
	long ret = syscall(SYS_bpf, command, attr, sizeof(*attr));

	return ret < 0 ? -errno : (int)ret;
}

static int load_btf(struct btf_maker *m)
{
	struct btf_header h = {.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = sizeof(h),
		.type_len = (u32)m->types.len,
		.str_off = (u32)m->types.len,
		.str_len = (u32)m->names.len};
	struct buf all = {0};
	union bpf_attr attr;

	buf_put(&all, &h, sizeof(h));
	buf_put(&all, m->types.data, m->types.len);
	buf_put(&all, m->names.data, m->names.len);
	memset(&attr, 0, sizeof(attr));
	attr.btf = (uintptr_t)all.data;
	attr.btf_size = (u32)all.len;
	int fd = sys_bpf(BPF_BTF_LOAD, &attr);
	buf_fini(&all);
	return fd;
}

int kernel_xdp_load_typed(const void *insns, u32 nr, const struct kernel_func *funcs, u32 nr_funcs,
	char *log, u32 log_bytes)
{
	struct btf_maker m = {0};
	struct bpf_func_info infos[FUNCS_MAX];
	union bpf_attr attr;

	buf_u8(&m.names, 0);
	add_int(&m, "int", 4, BTF_INT_SIGNED);
	add_int(&m, "long", 8, 0);
	add_type(&m, "xdp_md", BTF_KIND_STRUCT, 0, 24);
	add_type(&m, "", BTF_KIND_PTR, 0, TYPE_CTX);
	for (u32 n = 0; n < nr_funcs && n < FUNCS_MAX; n++)
		infos[n] = (struct bpf_func_info){
			.insn_off = funcs[n].pc, .type_id = add_func(&m, &funcs[n])};
	memset(&attr, 0, sizeof(attr));
	int btf = load_btf(&m);
	buf_fini(&m.types);
	buf_fini(&m.names);
	if (btf < 0)
		return btf;
	attr.prog_type = BPF_PROG_TYPE_XDP;
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = nr;
	attr.license = (uintptr_t) "GPL";
	attr.log_buf = (uintptr_t)log;
	attr.log_size = log_bytes;
	attr.log_level = 1;
	attr.prog_btf_fd = (u32)btf;
	attr.func_info_rec_size = sizeof(infos[0]);
	attr.func_info = (uintptr_t)infos;
	attr.func_info_cnt = nr_funcs;
	log[0] = '\0';
	int fd = sys_bpf(BPF_PROG_LOAD, &attr);
	close(btf);
	return fd;
}
