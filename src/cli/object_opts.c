/* Options of the commands on BPF objects; also there where objects can't be read. */
#include <string.h>

#include "base/text.h"
#include "cli/object_cli.h"

enum { MEM_BYTES_MAX = 1 << 29 /* as far as the verifier follows a pointer */ };

static const struct {
	const char *name;
	enum weir_program_type type;
} types[] = {
	{"xdp", WEIR_PROG_XDP},
	{"sched_cls", WEIR_PROG_SCHED_CLS},
	{"tc", WEIR_PROG_SCHED_CLS},
	{"sched_act", WEIR_PROG_SCHED_ACT},
	{"socket_filter", WEIR_PROG_SOCKET_FILTER},
	{"cgroup_skb", WEIR_PROG_CGROUP_SKB},
	{"netfilter", WEIR_PROG_NETFILTER},
	{"raw", WEIR_PROG_RAW},
};

bool set_object_prog(void *opts, const char *arg)
{
	((struct object_cli *)opts)->prog = arg;
	return *arg != '\0';
}

bool set_object_btf(void *opts, const char *arg)
{
	((struct object_cli *)opts)->btf = arg;
	return true;
}

bool set_object_kconfig(void *opts, const char *arg)
{
	((struct object_cli *)opts)->kconfig = arg;
	return true;
}

bool set_object_type(void *opts, const char *arg)
{
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (!strcmp(arg, types[i].name)) {
			((struct object_cli *)opts)->type = types[i].type;
			return true;
		}
	return false;
}

bool set_object_mem_size(void *opts, const char *arg)
{
	u32 *bytes = &((struct object_cli *)opts)->mem_bytes;

	return str_to_u32(str_of(arg), bytes) && *bytes && *bytes <= MEM_BYTES_MAX;
}

bool is_elf_file(const char *path)
{
	char magic[4] = {0};
	FILE *file = fopen(path, "rb");

	if (!file)
		return false;
	size_t got = fread(magic, 1, sizeof(magic), file);
	fclose(file);
	return got == sizeof(magic) && !memcmp(magic, "\177ELF", sizeof(magic));
}
