#include "bench/count.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "bench/clock.h"

#if defined(__aarch64__)
#define HOST_ARCH "arm64"
#else
#define HOST_ARCH "x86_64"
#endif

enum { COUNTED_RUNS = 8, LINE_MAX_BYTES = 4096 };

bool bench_counting(void)
{
	return guest_insns() != 0;
}

const char *bench_arch(void)
{
	return HOST_ARCH;
}

double bench_count(void (*run)(void *arg, u32 times), void *arg)
{
	run(arg, COUNTED_RUNS);
	run(arg, 2 * COUNTED_RUNS);
	u64 start = guest_insns();
	run(arg, COUNTED_RUNS);
	u64 middle = guest_insns();
	run(arg, 2 * COUNTED_RUNS);
	return (double)((guest_insns() - middle) - (middle - start)) / (double)COUNTED_RUNS;
}

int bench_command(
	const char *command, void (*line)(void *arg, const char *text), void *arg, struct diag *d)
{
	char text[LINE_MAX_BYTES];
	FILE *from = popen(command, "r");

	if (!from)
		return diag_fail(d, pos_none(), errno, "%s: %s", command, strerror(errno));
	while (fgets(text, sizeof(text), from))
		line(arg, text);
	int status = pclose(from);
	if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status))
		return diag_fail(d, pos_none(), ECHILD, "'%s' failed", command);
	return 0;
}

/* Cuts the last name off a path. */
static bool cut(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		*slash = '\0';
	return slash;
}

static bool is_there(const char *folder, const char *name, char *path, size_t bytes)
{
	return (size_t)snprintf(path, bytes, "%s/%s", folder, name) < bytes && !access(path, R_OK);
}

bool bench_qemu(const char *arch, char *command, size_t bytes)
{
	char here[1024], weir[1100], plugin[1100];
	ssize_t len = readlink("/proc/self/exe", here, sizeof(here) - 1);
	bool arm64 = !strcmp(arch, "arm64");

	if (len < 0)
		return false;
	here[len] = '\0';
	if (!cut(here) || !is_there(here, "bench/qemu_count.so", plugin, sizeof(plugin)))
		return false;
	if (!strcmp(arch, HOST_ARCH)
			? !is_there(here, "weir", weir, sizeof(weir))
			: !cut(here) || !is_there(here, arm64 ? "build-arm64/weir" : "build/weir",
						weir, sizeof(weir)))
		return false;
	const char *qemu = arm64 ? "qemu-aarch64" : "qemu-x86_64";
	char look[64];
	snprintf(look, sizeof(look), "command -v %s >/dev/null", qemu);
	if (system(look))
		return false;
	return (size_t)snprintf(command, bytes, "%s -L / -plugin '%s' '%s'", qemu, plugin, weir) <
	       bytes;
}
