/* A plugin for qemu-user that counts executed guest instructions and tells the guest, which asks by
 * a system call that doesn't exist, with the address of a u64. Declarations are ours, since Debian
 * ships no header: API version 1, QEMU 7.2.
 *
 * gcc -O2 -shared -fPIC -o qemu_count.so bench/qemu_count.c
 * qemu-aarch64 -plugin ./qemu_count.so -L / build-arm64/bench/bench-rules */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info;

typedef void (*translate_fn)(qemu_plugin_id_t, struct qemu_plugin_tb *);
typedef void (*syscall_fn)(qemu_plugin_id_t, unsigned, int64_t, uint64_t, uint64_t, uint64_t,
	uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, translate_fn);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t, syscall_fn);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *);
void qemu_plugin_register_vcpu_insn_exec_inline(
	struct qemu_plugin_insn *, int op, void *counter, uint64_t add);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(
	qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv);

enum { ASK_SYSCALL = 0x7e1f, OP_ADD_U64 = 0 };

static uint64_t executed;
static uint64_t guest_to_host; /* what is to be added to a guest address */
static bool known;

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		if (!known) {
			guest_to_host = (uint64_t)qemu_plugin_insn_haddr(insn) -
					qemu_plugin_insn_vaddr(insn);
			known = true;
		}
		qemu_plugin_register_vcpu_insn_exec_inline(insn, OP_ADD_U64, &executed, 1);
	}
}

static void on_syscall(qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t a, uint64_t b,
	uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
	(void)id, (void)cpu, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
	if (number == ASK_SYSCALL)
		memcpy((void *)(a + guest_to_host), &executed, sizeof(executed));
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
	(void)info, (void)argc, (void)argv;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
	return 0;
}
