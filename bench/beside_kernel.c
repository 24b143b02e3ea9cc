/* The kernel: its maps, the same program under BPF_PROG_TEST_RUN with a repeat count. Needs root. A
 * socket filter, since the call costs least for it: for XDP it changes the kernel's dispatcher, which is as much as ten runs. */
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "beside.h"

struct table {
	int map, program;
};

static int bpf(enum bpf_cmd command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static uint64_t ptr(const void *p)
{
	return (uintptr_t)p;
}

static int map_new(const struct subject *s)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = (uint32_t)s->type;
	attr.key_size = s->key_size;
	attr.value_size = 8;
	attr.max_entries = s->entries;
	return bpf(BPF_MAP_CREATE, &attr);
}

static int fill(int map, const struct subject *s)
{
	static const uint64_t values[4096] = {1, 1};
	uint64_t key[2] = {0};
	union bpf_attr attr;

	for (; key[0] < s->entries; key[0]++) {
		memset(&attr, 0, sizeof(attr));
		attr.map_fd = (uint32_t)map;
		attr.key = ptr(key);
		attr.value = ptr(values);
		if (bpf(BPF_MAP_UPDATE_ELEM, &attr))
			return -1;
	}
	return 0;
}

static int program_new(const struct subject *s, enum op op, int map)
{
	const struct weir_insn of_map[2] = {{.code = 0x18, .dst = 1, .src = 1, .imm = map}};
	struct weir_insn insns[BESIDE_INSNS];
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insn_cnt = beside_program(s, op, of_map, insns);
	attr.insns = ptr(insns);
	attr.license = ptr("GPL");
	return bpf(BPF_PROG_LOAD, &attr);
}

static void kernel_close(void *table)
{
	struct table *t = table;

	if (t->program >= 0)
		close(t->program);
	if (t->map >= 0)
		close(t->map);
	free(t);
}

static void *kernel_open(const struct subject *s, enum op op)
{
	struct table *t = calloc(1, sizeof(*t));

	t->map = map_new(s);
	t->program = t->map < 0 || fill(t->map, s) ? -1 : program_new(s, op, t->map);
	if (t->program >= 0)
		return t;
	perror("bench-beside: kernel");
	kernel_close(t);
	return NULL;
}

static void kernel_run(void *table, unsigned number, uint32_t batches)
{
	const struct table *t = table;
	uint8_t packet[64] = {0};
	union bpf_attr attr;

	(void)number;
	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = (uint32_t)t->program;
	attr.test.data_in = ptr(packet);
	attr.test.data_size_in = sizeof(packet);
	attr.test.repeat = batches;
	if (bpf(BPF_PROG_TEST_RUN, &attr)) {
		perror("bench-beside: kernel");
		exit(1);
	}
}

const struct engine engine_kernel = {"kernel", kernel_open, kernel_run, kernel_close};
