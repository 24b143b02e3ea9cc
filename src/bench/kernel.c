/* A socket filter, since the call costs least for it: for XDP it changes the kernel's dispatcher, which is as much as ten
 * runs. */
#include "bench/kernel.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"

enum { LOG_BYTES = 1 << 16 };

static int bpf(enum bpf_cmd command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

int bench_kernel_map(u32 type, u32 key_bytes, u32 value_bytes, u32 entries)
{
	union bpf_attr attr = {0};

	attr.map_type = type;
	attr.key_size = key_bytes;
	attr.value_size = value_bytes;
	attr.max_entries = entries;
	return bpf(BPF_MAP_CREATE, &attr);
}

bool bench_kernel_put(int map, const void *key, const void *value)
{
	union bpf_attr attr = {0};

	attr.map_fd = (u32)map;
	attr.key = (uintptr_t)key;
	attr.value = (uintptr_t)value;
	return !bpf(BPF_MAP_UPDATE_ELEM, &attr);
}

static int map_of(const u8 *mem, u32 bytes)
{
	int map = bench_kernel_map(BPF_MAP_TYPE_ARRAY, 4, bytes, 1);
	u32 key = 0;

	if (map >= 0 && !bench_kernel_put(map, &key, mem)) {
		int err = errno;

		close(map);
		errno = err;
		map = -1;
	}
	return map;
}

/* What an error of bpf(2) says to somebody who only wanted to measure. Containers forbid it to root, too. */
static const char *reason_of(int err)
{
	if (err == EPERM)
		return geteuid() ? "it runs programs for root only" : "bpf(2) is not permitted";
	if (err == ENOSYS)
		return "it has no bpf(2)";
	return strerror(err);
}

/* The last line of the verifier's log that says something: the one before its counts. */
static void say_why(struct bench_kernel *k, int err, char *log)
{
	const char *reason = NULL;

	for (char *line = strtok(log, "\n"); line; line = strtok(NULL, "\n"))
		if (strncmp(line, "processed ", 10) && *line)
			reason = line;
	snprintf(k->why, sizeof(k->why), "%s", reason ? reason : reason_of(err));
}

/* The log of a big program doesn't fit: so only failures are told, in the end of it. */
static int load(const u64 *insns, u32 nr, char *log)
{
	union bpf_attr attr = {0};

	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = nr;
	attr.license = (uintptr_t) "GPL";
	if (log) {
		attr.log_buf = (uintptr_t)log;
		attr.log_size = LOG_BYTES;
		attr.log_level = 1;
	}
	return bpf(BPF_PROG_LOAD, &attr);
}

bool bench_kernel_run(const struct bench_kernel *k, u32 times, u32 *result)
{
	u8 packet[64] = {0};
	union bpf_attr attr = {0};

	attr.test.prog_fd = (u32)k->program;
	attr.test.data_in = (uintptr_t)packet;
	attr.test.data_size_in = sizeof(packet);
	attr.test.repeat = times;
	if (bpf(BPF_PROG_TEST_RUN, &attr))
		return false;
	*result = attr.test.retval;
	return true;
}

static int load_with_log(struct bench_kernel *k, const u64 *insns, u32 nr)
{
	int program = load(insns, nr, NULL), err = errno;

	if (program >= 0)
		return program;
	char *log = mem_zalloc(LOG_BYTES), none[] = "";
	if (log && err != EPERM && err != ENOSYS)
		program = load(insns, nr, log);
	if (program < 0)
		say_why(k, err, log ? log : none);
	mem_free(log);
	return program;
}

/* A kernel that loads it need not run it for us. */
bool bench_kernel_load(struct bench_kernel *k, const u64 *insns, u32 nr)
{
	u32 result;

	k->program = load_with_log(k, insns, nr);
	if (k->program < 0)
		return false;
	if (bench_kernel_run(k, 1, &result))
		return true;
	snprintf(k->why, sizeof(k->why), "no BPF_PROG_TEST_RUN: %s", strerror(errno));
	close(k->program);
	k->program = -1;
	return false;
}

bool bench_kernel_no_map(struct bench_kernel *k)
{
	snprintf(k->why, sizeof(k->why), "%s", reason_of(errno));
	return false;
}

bool bench_kernel_open(struct bench_kernel *k, const u64 *insns, u32 nr, const u8 *mem, u32 bytes)
{
	*k = (struct bench_kernel){.map = map_of(mem, bytes), .program = -1};
	if (k->map < 0)
		return bench_kernel_no_map(k);
	u64 *all = mem_alloc(array_size((size_t)nr + 3, sizeof(*all)));
	if (!all) {
		snprintf(k->why, sizeof(k->why), "out of memory");
		return false;
	}
	/* r1 = map_value[map][0] ll */
	all[0] = (u64)(u32)k->map << 32 | BPF_PSEUDO_MAP_VALUE << 12 | 1 << 8 | BPF_LD | BPF_IMM |
		 BPF_DW;
	all[1] = 0;
	/* r2 = bytes */
	all[2] = (u64)bytes << 32 | 2 << 8 | BPF_ALU64 | BPF_MOV | BPF_K;
	memcpy(all + 3, insns, nr * sizeof(*insns));
	bool ok = bench_kernel_load(k, all, nr + 3);
	mem_free(all);
	return ok;
}

void bench_kernel_close(struct bench_kernel *k)
{
	if (k->program >= 0)
		close(k->program);
	if (k->map >= 0)
		close(k->map);
	k->program = k->map = -1;
}
