#include "kernel_prog.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert((int)KERNEL_XDP == (int)BPF_PROG_TYPE_XDP, "enum bpf_prog_type");

enum { SUBPROGS_MAX = 16 };

static int call(enum bpf_cmd command, union bpf_attr *attr)
{
	long ret = syscall(SYS_bpf, command, attr, sizeof(*attr));

	return ret < 0 ? -errno : (int)ret;
}

static u64 ptr(const void *p)
{
	return (uintptr_t)p;
}

bool kernel_progs_work(void)
{
	static const struct bpf_insn insns[] = {{.code = 0xb7}, {.code = 0x95}};
	int fd = kernel_prog_load(KERNEL_SOCKET_FILTER, insns, 2, NULL, 0);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static union bpf_attr load_attr(
	u32 type, u32 attach_type, const void *insns, u32 nr, char *log, u32 log_bytes, u32 level)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = type;
	attr.expected_attach_type = attach_type;
	attr.insns = ptr(insns);
	attr.insn_cnt = nr;
	attr.license = ptr("GPL");
	attr.log_buf = ptr(log);
	attr.log_size = log_bytes;
	attr.log_level = log ? level : 0;
	if (log)
		log[0] = '\0';
	return attr;
}

int kernel_prog_load_level(
	u32 type, u32 attach_type, const void *insns, u32 nr, char *log, u32 log_bytes, u32 level)
{
	union bpf_attr attr = load_attr(type, attach_type, insns, nr, log, log_bytes, level);

	return call(BPF_PROG_LOAD, &attr);
}

int kernel_prog_load_as(
	u32 type, u32 attach_type, const void *insns, u32 nr, char *log, u32 log_bytes)
{
	return kernel_prog_load_level(type, attach_type, insns, nr, log, log_bytes, 1);
}

int kernel_prog_load(u32 type, const void *insns, u32 nr, char *log, u32 log_bytes)
{
	return kernel_prog_load_as(type, 0, insns, nr, log, log_bytes);
}

/* "int f()" for every subprogram: enough for what the kernel wants to know of types. */
static int btf_new(void)
{
	enum { NAMES_BYTES = 7 }; /* "", "int", "f" */
	struct {
		struct btf_header header;
		struct btf_type integer;
		u32 encoding;
		struct btf_type proto, func;
		char names[8];
	} btf = {
		.header = {.magic = BTF_MAGIC,
			.version = BTF_VERSION,
			.hdr_len = sizeof(struct btf_header),
			.type_len = 3 * sizeof(struct btf_type) + sizeof(u32),
			.str_off = 3 * sizeof(struct btf_type) + sizeof(u32),
			.str_len = NAMES_BYTES},
		.integer = {.name_off = 1, .info = BTF_KIND_INT << 24, .size = 4},
		.encoding = BTF_INT_SIGNED << 24 | 32,
		.proto = {.info = BTF_KIND_FUNC_PROTO << 24, .type = 1},
		.func = {.name_off = 5, .info = BTF_KIND_FUNC << 24, .type = 2},
		.names = "\0int\0f",
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.btf = ptr(&btf);
	attr.btf_size = offsetof(__typeof__(btf), names) + NAMES_BYTES;
	return call(BPF_BTF_LOAD, &attr);
}

int kernel_prog_load_subprogs(
	u32 type, u32 attach_type, const void *insns, u32 nr, char *log, u32 log_bytes)
{
	const struct bpf_insn *insn = insns;
	struct bpf_func_info funcs[SUBPROGS_MAX] = {{.insn_off = 0, .type_id = 3}};
	u32 nr_funcs = 1;
	union bpf_attr attr;
	int btf = btf_new(), fd;

	if (btf < 0)
		return btf;
	for (u32 at = 1; at < nr && nr_funcs < SUBPROGS_MAX; at++) {
		bool starts = false;

		for (u32 pc = 0; pc < nr; pc++)
			starts |= insn[pc].code == (BPF_JMP | BPF_CALL) &&
				  insn[pc].src_reg == BPF_PSEUDO_CALL &&
				  (s64)pc + 1 + insn[pc].imm == at;
		if (starts)
			funcs[nr_funcs++] = (struct bpf_func_info){.insn_off = at, .type_id = 3};
	}
	attr = load_attr(type, attach_type, insns, nr, log, log_bytes, 1);
	attr.prog_btf_fd = (u32)btf;
	attr.func_info = ptr(funcs);
	attr.func_info_cnt = nr_funcs;
	attr.func_info_rec_size = sizeof(funcs[0]);
	fd = call(BPF_PROG_LOAD, &attr);
	close(btf);
	return fd;
}

int kernel_plain_map(u32 type, u32 key_size, u32 value_size, u32 max_entries, u32 flags)
{
	return kernel_map_new_inner(type, key_size, value_size, max_entries, flags, 0);
}

int kernel_map_new_inner(
	u32 type, u32 key_size, u32 value_size, u32 max_entries, u32 flags, int inner)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = type;
	attr.key_size = key_size;
	attr.value_size = value_size;
	attr.max_entries = max_entries;
	attr.map_flags = flags;
	attr.inner_map_fd = (u32)inner;
	return call(BPF_MAP_CREATE, &attr);
}

static int elem_call(enum bpf_cmd command, int map, const void *key, const void *value, u64 flags)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (u32)map;
	attr.key = ptr(key);
	attr.value = ptr(value);
	attr.flags = flags;
	return call(command, &attr);
}

int kernel_elem_update(int map, const void *key, const void *value, u64 flags)
{
	return elem_call(BPF_MAP_UPDATE_ELEM, map, key, value, flags);
}

int kernel_elem_lookup(int map, const void *key, void *value)
{
	return elem_call(BPF_MAP_LOOKUP_ELEM, map, key, value, 0);
}

int kernel_elem_delete(int map, const void *key)
{
	return elem_call(BPF_MAP_DELETE_ELEM, map, key, NULL, 0);
}

int kernel_prog_run(int fd, u8 *packet, u32 len, u32 *retval)
{
	union bpf_attr attr;
	int err;

	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = (u32)fd;
	attr.test.data_in = ptr(packet);
	attr.test.data_size_in = len;
	attr.test.data_out = ptr(packet);
	attr.test.data_size_out = len;
	err = call(BPF_PROG_TEST_RUN, &attr);
	if (!err)
		*retval = attr.test.retval;
	return err;
}

int kernel_prog_test(int fd, struct kernel_run *run)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = (u32)fd;
	attr.test.data_in = ptr(run->in);
	attr.test.data_size_in = run->in_bytes;
	attr.test.data_out = ptr(run->out);
	attr.test.data_size_out = run->out_bytes;
	attr.test.ctx_in = ptr(run->ctx_in);
	attr.test.ctx_size_in = run->ctx_in ? run->ctx_bytes : 0;
	attr.test.ctx_out = ptr(run->ctx_out);
	attr.test.ctx_size_out = run->ctx_out ? run->ctx_bytes : 0;
	int err = call(BPF_PROG_TEST_RUN, &attr);
	if (!err) {
		run->retval = attr.test.retval;
		run->out_bytes = attr.test.data_size_out;
	}
	return err;
}
