/* Helpers on packets against this machine's kernel: random programs that call them with random arguments, on random packets
 * with random contexts. Result, packet and context afterwards must be the kernel's, from the interpreter and from native
 * code; without the right to load programs there, native code's those of the interpreter.
 * `test-packet-kernel RUNS FIRST_SEED`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../kernel_prog.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "cpu/cpu.h"
#include "engine/engine.h"
#include "isa/isa.h"
#include "packet_random.h"
#include "progtype/frame.h"

enum { BUFFER_BYTES = 1 << 17, SKB_ROOM = 1 << 16, XDP_BUFFER_BYTES = 4096 - 320 };

static u32 runs = 2000;
static u64 first_seed = 1;
static bool kernel_works;
static struct cpus *cpus;
static u8 buffer[BUFFER_BYTES];

/* What a run left behind, in the kernel's layout. */
struct outcome {
	int err;
	u32 retval;
	u32 len;
	u8 packet[BUFFER_BYTES];
	u8 ctx[RANDOM_CTX_BYTES];
};

static struct outcome kernel, we;

static bool starts_at_ip(enum prog_type type)
{
	return type == PROG_TYPE_SOCKET_FILTER || type == PROG_TYPE_CGROUP_SKB;
}

static void run_in_kernel(const struct random_case *c)
{
	int fd = kernel_prog_load_as((u32)c->type, c->attach_type, c->insns, c->nr, NULL, 0);

	if (fd < 0) {
		static char log[1 << 16];

		kernel_prog_load_as(
			(u32)c->type, c->attach_type, c->insns, c->nr, log, sizeof(log));
		fail_msg("the kernel refuses the program: %s", log);
	}
	memset(&kernel, 0, sizeof(kernel));
	struct kernel_run run = {.in = c->bytes,
		.in_bytes = c->len,
		.out = kernel.packet,
		.out_bytes = sizeof(kernel.packet),
		.ctx_in = c->ctx,
		.ctx_out = kernel.ctx,
		.ctx_bytes = c->ctx_bytes};
	kernel.err = kernel_prog_test(fd, &run);
	kernel.retval = run.retval;
	kernel.len = run.out_bytes;
	close(fd);
	if (!kernel.err && starts_at_ip(c->type)) {
		kernel.len -= ETHER_BYTES;
		memmove(kernel.packet, kernel.packet + ETHER_BYTES, kernel.len);
	}
}

/* The context's fields that a test run takes, offsets in struct __sk_buff. */
static void take_skb_ctx(struct weir_frame *f, const u8 *ctx)
{
	f->mark = load_le32(ctx + 8);
	f->priority = load_le32(ctx + 32);
	f->ingress_ifindex = load_le32(ctx + 36);
	memcpy(f->cb, ctx + 48, sizeof(f->cb));
	f->tstamp = load_le64(ctx + 152);
	if (load_le32(ctx + 160))
		f->wire_len = load_le32(ctx + 160);
	f->gso_segs = load_le32(ctx + 164);
	f->gso_size = load_le32(ctx + 176);
	f->hwtstamp = load_le64(ctx + 184);
}

static void give_skb_ctx(const struct weir_frame *f, const u8 *before, u8 *ctx)
{
	memcpy(ctx, before, RANDOM_SKB_BYTES);
	store_le32(ctx + 8, f->mark);
	store_le32(ctx + 32, f->priority);
	store_le32(ctx + 36, f->ingress_ifindex);
	store_le32(ctx + 40, f->ifindex);
	memcpy(ctx + 48, f->cb, sizeof(f->cb));
	store_le64(ctx + 152, f->tstamp);
	store_le32(ctx + 160, f->wire_len);
	store_le32(ctx + 164, f->gso_segs);
	store_le64(ctx + 184, f->hwtstamp);
}

/* struct xdp_md counts from the metadata on. */
static void give_xdp_ctx(const struct weir_frame *f, const u8 *before, u8 *ctx)
{
	memcpy(ctx, before, RANDOM_XDP_BYTES);
	store_le32(ctx, (u32)(f->data - f->meta));
	store_le32(ctx + 4, (u32)(f->data_end - f->meta));
}

static int make_frame(const struct random_case *c, struct weir_frame *f)
{
	u32 meta = c->type == PROG_TYPE_XDP ? load_le32(c->ctx) : 0;
	size_t room = c->type == PROG_TYPE_XDP ? FRAME_XDP_HEADROOM : SKB_ROOM;
	size_t capacity = c->type == PROG_TYPE_XDP ? XDP_BUFFER_BYTES : sizeof(buffer);

	if (!frame_is_testable(c->bytes + meta, c->len - meta, c->type))
		return -EINVAL;
	memset(buffer, 0, sizeof(buffer));
	int err = frame_init(f, buffer, capacity, room, c->bytes + meta, c->len - meta, c->type);
	if (err)
		return err;
	f->meta -= meta;
	memcpy((void *)(uintptr_t)f->meta, c->bytes, meta);
	if (c->type != PROG_TYPE_XDP)
		take_skb_ctx(f, c->ctx);
	return 0;
}

static void run_here(const struct random_case *c, enum engine_kind kind)
{
	struct engine_opts opts = {.kind = kind};
	struct prog *p = prog_new("random", c->type);
	struct loaded *l = NULL;
	struct diag d = {0};
	struct weir_frame f;

	p->attach_type = c->attach_type;
	assert_int_equal(prog_set_insns(p, c->insns, c->nr), 0);
	if (engine_load(p, &opts, &l, &d))
		fail_msg("insn %u: %s", d.entries[0].pos.line, diag_first(&d));
	memset(&we, 0, sizeof(we));
	we.err = make_frame(c, &f);
	if (!we.err) {
		we.retval = (u32)loaded_run(l, (u64)(uintptr_t)&f, 0, cpu_base(cpus, 0));
		u64 start = c->type == PROG_TYPE_XDP ? f.meta : f.data;
		we.len = (u32)(f.data_end - start);
		assert_int_equal(f.len, f.data_end - f.data);
		memcpy(we.packet, (const void *)(uintptr_t)start, we.len);
		if (c->type == PROG_TYPE_XDP)
			give_xdp_ctx(&f, c->ctx, we.ctx);
		else
			give_skb_ctx(&f, c->ctx, we.ctx);
	}
	loaded_free(l);
	prog_free(p);
	diag_fini(&d);
}

static void put_hex(struct buf *text, const char *title, const u8 *bytes, u32 n)
{
	buf_puts(text, title);
	for (u32 i = 0; i < n; i++)
		buf_printf(text, "%02x", bytes[i]);
}

static void show(const struct random_case *c, u64 seed, const char *what)
{
	struct buf text = {0};

	for (u32 pc = 0; pc < c->nr; pc += insn_is_ld_imm64(c->insns[pc]) ? 2 : 1) {
		buf_printf(&text, "%u: ", pc);
		insn_print(&text, c->insns[pc], &c->insns[pc + 1]);
		buf_puts(&text, "\n");
	}
	put_hex(&text, "packet: ", c->bytes, c->len);
	put_hex(&text, "\nkernel: ", kernel.packet, kernel.len);
	put_hex(&text, "\nwe:     ", we.packet, we.len);
	put_hex(&text, "\nkernel: ", kernel.ctx, c->ctx_bytes);
	put_hex(&text, "\nwe:     ", we.ctx, c->ctx_bytes);
	/* cmocka would cut it. */
	fprintf(stderr,
		"seed %llu, type %d: %s\n%s\nkernel %d %#x, length %u; we %d %#x, length %u\n",
		(unsigned long long)seed, (int)c->type, what, buf_cstr(&text), kernel.err,
		kernel.retval, kernel.len, we.err, we.retval, we.len);
	buf_fini(&text);
}

/* The kernel's loopback device. */
static int mtu(void *arg, uint32_t ifindex)
{
	(void)arg;
	return ifindex == 1 ? 65536 : -1;
}

static const char *difference(const struct random_case *c)
{
	if (kernel.err != we.err)
		return "one refuses the packet";
	if (kernel.err)
		return NULL;
	if (kernel.retval != we.retval)
		return "results differ";
	if (kernel.len != we.len || memcmp(kernel.packet, we.packet, we.len) != 0)
		return "packets differ";
	return memcmp(kernel.ctx, we.ctx, c->ctx_bytes) ? "contexts differ" : NULL;
}

static void helpers_are_the_kernels(void **state)
{
	static const enum engine_kind kinds[] = {ENGINE_INTERP, ENGINE_JIT};
	static struct random_case c;

	(void)state;
	for (u64 seed = first_seed; seed < first_seed + runs; seed++) {
		random_case_make(&c, seed);
		if (kernel_works) {
			run_in_kernel(&c);
		} else {
			run_here(&c, ENGINE_INTERP);
			kernel = we;
		}
		for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
			if (kinds[i] == ENGINE_JIT && !jit_target_host())
				continue;
			run_here(&c, kinds[i]);
			const char *what = difference(&c);
			if (what) {
				show(&c, seed, what);
				fail();
			}
		}
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(helpers_are_the_kernels)};

	if (argc > 1)
		runs = (u32)strtoul(argv[1], NULL, 0);
	if (argc > 2)
		first_seed = strtoull(argv[2], NULL, 0);
	kernel_works = kernel_progs_work();
	if (!kernel_works)
		print_message("no right to load programs: native code against the interpreter\n");
	assert_int_equal(cpus_new(1, &cpus, NULL), 0);
	assert_int_equal(cpu_take(cpus, 0), 0);
	((struct cpu_head *)cpu_base(cpus, 0))->env = &(const struct weir_env){.mtu = mtu};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	cpu_release(cpus, 0);
	cpus_free(cpus);
	return failed;
}
