/* What programs find around them besides packets: clocks, the trace log, the network that packets are sent to. */
#ifndef WEIR_ENV_H
#define WEIR_ENV_H

#include <stddef.h>
#include <stdint.h>

struct weir_frame;

enum weir_clock {
	WEIR_CLOCK_MONOTONIC = 0, /* bpf_ktime_get_ns */
	WEIR_CLOCK_BOOT = 1,
	WEIR_CLOCK_MONOTONIC_COARSE = 2,
	WEIR_CLOCK_TAI = 3,
	WEIR_CLOCK_JIFFIES = 4, /* in jiffies, 1/250 s */
};

/* Of one slot, borrowed for as long as it is set. Any function may be NULL. They are called on the slot's thread while a
 * program runs, and must not run programs on that slot. */
struct weir_env {
	void *arg;
	uint64_t (*now)(void *arg, enum weir_clock clock); /* NULL: this machine's clocks */
	/* A line of bpf_trace_printk, formatted, `len` bytes, not NUL-terminated. NULL: dropped. */
	void (*trace)(void *arg, const char *text, size_t len);
	/* bpf_clone_redirect: a copy of the frame that goes out at once. 0 or a negative errno, which the helper returns.
	 * NULL: accepted and dropped. */
	int (*clone_redirect)(void *arg, const struct weir_frame *frame, uint32_t ifindex, uint64_t flags);
	/* Answers bpf_fib_lookup with the kernel's struct bpf_fib_lookup in `params`; NULL: programs that call the
	 * helper are refused when they are loaded. */
	long (*fib_lookup)(void *arg, const struct weir_frame *frame, void *params, uint32_t bytes, uint32_t flags);
	/* The MTU of an interface, for bpf_check_mtu; negative: there is none of that number, as for NULL. */
	int (*mtu)(void *arg, uint32_t ifindex);
};

#endif
