#include "kernel_prog.h"

#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert((int)KERNEL_XDP == (int)BPF_PROG_TYPE_XDP, "enum bpf_prog_type");

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

int kernel_prog_load_level(u32 type, u32 attach_type, const void *insns, u32 nr, char *log,
	u32 log_bytes, u32 level)
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

int kernel_map_new(u32 type, u32 key_size, u32 value_size, u32 max_entries, u32 flags)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = type;
	attr.key_size = key_size;
	attr.value_size = value_size;
	attr.max_entries = max_entries;
	attr.map_flags = flags;
	return call(BPF_MAP_CREATE, &attr);
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
