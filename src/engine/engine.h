/* The pipeline for one program: check, verify, rewrite, compile, run. */
#ifndef WEIR_ENGINE_ENGINE_H
#define WEIR_ENGINE_ENGINE_H

#include "jit/jit.h"
#include "rewrite/rewrite.h"
#include "verify/verify.h"

struct callable;
struct cpus;

enum engine_kind { ENGINE_JIT, ENGINE_INTERP };

struct engine_opts {
	enum engine_kind kind;
	bool fall_back; /* a JIT that can't compile: use the interpreter and say so in d as a
			   warning */
	struct verify_opts verify;
	struct rewrite_opts rewrite;
	struct jit_opts jit;
	unsigned announce; /* bits of enum announce */
};

struct loaded; /* a program ready to run; immutable, shared by all threads */

/* Takes a reference on the program's maps. p itself stays the caller's. */
int engine_load(
	const struct prog *p, const struct engine_opts *opts, struct loaded **out, struct diag *d);
/* NULL ok. Prog arrays may keep it. */
void loaded_free(struct loaded *l);
/* As prog arrays hold it; borrowed. */
struct callable *loaded_callable(struct loaded *l);

/* Runs on the slot whose base is `self`, which the calling thread holds. */
u64 loaded_run(const struct loaded *l, u64 r1, u64 r2, u8 *self);
/* What really runs it: differs from opts.kind after a fall back. */
enum engine_kind loaded_kind(const struct loaded *l);
const struct prog *loaded_prog(const struct loaded *l); /* after rewriting */
const struct facts *loaded_facts(const struct loaded *l);

#endif
