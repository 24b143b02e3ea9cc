/* BPF to machine code. Every target is built into every library; only running code needs the right host. */
#ifndef WEIR_JIT_JIT_H
#define WEIR_JIT_JIT_H

#include "base/buf.h"
#include "verify/facts.h"

struct diag;

/* Where the code finds the base of this CPU's per-CPU range. */
enum percpu_base {
	PERCPU_PINNED = 0,  /* in a callee-saved register, from the third argument: running in user space */
	PERCPU_THREAD = 1,  /* through the thread pointer: arm64 tpidr_el0, x86-64 fs; offset in jit_opts */
	PERCPU_KERNEL = 2,  /* arm64 tpidr_el1, x86-64 gs: the kernel's form, for listings only */
	PERCPU_KERNEL_VHE = 3, /* arm64 tpidr_el2; same as PERCPU_KERNEL on x86-64 */
};

/* arm64: whether atomic operations are single instructions (FEAT_LSE) or loops. */
enum jit_lse {
	JIT_LSE_AUTO = 0, /* when this machine is arm64 and has them */
	JIT_LSE_NEVER,
	JIT_LSE_ALWAYS,
};

/* x86-64: whether shifts and rotates into another register (BMI2) may be used. */
enum jit_bmi2 {
	JIT_BMI2_AUTO = 0, /* when this machine is x86-64 and has them */
	JIT_BMI2_NEVER,
	JIT_BMI2_ALWAYS,
};

enum jit_peephole {
#define PEEPHOLE(id, what) JIT_##id,
#include "jit/peepholes.def"
#undef PEEPHOLE
	JIT_NR_PEEPHOLES
};

struct jit_target;
const struct jit_target *jit_target_by_name(const char *name); /* "arm64", "x86_64"; NULL: unknown */
const struct jit_target *jit_target_host(void);		      /* NULL: no JIT for this host */
const struct jit_target *jit_target_at(size_t i);	      /* NULL behind the last */
const char *jit_target_name(const struct jit_target *t);

struct jit_opts {
	const struct jit_target *target; /* NULL: the host's */
	enum percpu_base percpu;
	u32 thread_off;	      /* PERCPU_THREAD: offset of the TLS slot that holds the base */
	bool landing_pads;    /* BTI / ENDBR at every indirect entry */
	enum jit_lse lse;
	enum jit_bmi2 bmi2;
	bool unwinding; /* keep in the image what unwinders need, and where functions are */
	u64 without; /* bit per enum jit_peephole: leave it out */
};

/* A call at code offset `at` of a function outside. The image calls it through a thunk of its own; jit_code_new makes
 * the call direct when the function is near enough. */
struct jit_reloc {
	u32 at;
	u8 kind; /* the target's */
	u64 address;
};

/* What holds from `at` on, for those who look for a caller's frame. The CFA is where rsp or sp was before the call, on
 * x86-64 without the return address. */
enum jit_cfi_kind {
	JIT_CFI_SP,	  /* the CFA is the stack pointer + value */
	JIT_CFI_FP,	  /* the CFA is the frame pointer + value */
	JIT_CFI_SAVED,	  /* the caller's reg is at CFA - value */
	JIT_CFI_SAME,	  /* reg is the caller's again */
	JIT_CFI_REMEMBER, /* a way out begins: */
	JIT_CFI_RECALL,	  /* behind it things are as they were before */
};

struct jit_cfi {
	u32 at;
	u8 kind, reg; /* the manual's number */
	u16 value;
};

/* A subprogram's code. */
struct jit_function {
	u32 at, end;
	u32 pc; /* its first instruction */
	u32 origin; /* the same before any pass, as far as facts say so */
};

/* Code as bytes, position-independent but for absolute helper addresses. Zero-initialised is empty. */
struct jit_image {
	const struct jit_target *target;
	struct buf code;
	struct jit_reloc *relocs; /* owned */
	u32 nr_relocs;
	u32 *insn_off; /* offset in code of each instruction, [len] = end of the body; owned */
	u32 len;
	u32 nr_host_insns; /* 0 where the target doesn't count them */
	bool landing_pads;
	struct jit_cfi *cfi; /* these two only if asked for; owned */
	u32 nr_cfi;
	struct jit_function *functions;
	u32 nr_functions;
};

/* Compiles p (after rewrite). f may be NULL: no facts. 0; -ENOTSUP with the instruction when the target can't do it;
 * -ENOTSUP when no host target exists; -ENOMEM; -E2BIG. */
int jit_compile(const struct prog *p, const struct facts *f, const struct jit_opts *opts,
	struct jit_image *out, struct diag *d);
void jit_image_fini(struct jit_image *image);

/* Whether this library's own code has landing pads: then native code should have them too. */
bool jit_host_has_pads(void);

/* Executable memory: never writable and executable at once, a guard page on both sides. */
struct jit_code;
int jit_code_new(const struct jit_image *image, struct jit_code **out, struct diag *d);
void jit_code_free(struct jit_code *c);
const void *jit_code_start(const struct jit_code *c);

/* r1, r2: the arguments; self: base of this thread's slot. */
typedef u64 (*jit_entry)(u64 r1, u64 r2, u8 *self);
jit_entry jit_code_entry(const struct jit_code *c);

#endif
