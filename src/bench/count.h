/* Executed instructions: exact, under qemu-user with the plugin qemu_count.c. A run of weir that shall have them starts
 * itself once more, under qemu, and reads what that prints. */
#ifndef WEIR_BENCH_COUNT_H
#define WEIR_BENCH_COUNT_H

#include "base/types.h"

struct diag;

/* Whether the plugin answers. */
bool bench_counting(void);
/* Of this host: "x86_64", "arm64". */
const char *bench_arch(void);
/* Instructions that one run of `run(arg, 1)` executes, those of asking left out; run has been run before. */
double bench_count(void (*run)(void *arg, u32 times), void *arg);

/* Runs a command and hands over each line that it prints. -errno: it can't be run, or says that it failed. */
int bench_command(const char *command, void (*line)(void *arg, const char *text), void *arg, struct diag *d);
/* The command that runs the weir of a build for `arch` under qemu with the plugin, if everything for it is found around
 * this program: build/weir, build-arm64/weir and bench/qemu_count.so beside them. False: not found. */
bool bench_qemu(const char *arch, char *command, size_t bytes);

#endif
