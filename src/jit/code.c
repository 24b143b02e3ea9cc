/* Executable memory, and which target this host is. Beside arm64/host.c the only file of jit/ that looks at the host.
 *
 * Code lies in the pool, or in a mapping of its own. In both no page is ever writable and executable, and a page without any
 * access stands on both sides. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#if defined(__aarch64__)
#include <sys/syscall.h>
#endif
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "jit/pool.h"
#include "jit/target.h"

#if defined(__x86_64__)
#define HOST_TARGET "x86_64"
#elif defined(__aarch64__)
#define HOST_TARGET "arm64"
#else
#define HOST_TARGET ""
#endif

/* Callers built with -fsanitize=function look at the 8 bytes before a function; a cache line keeps the code aligned. */
enum { LEAD_BYTES = 64 };

struct jit_code {
	struct pool_place place; /* LEAD_BYTES, code; or */
	u8 *map;                 /* guard page, LEAD_BYTES, code, guard page */
	size_t map_bytes;
	u8 *entry;
};

const struct jit_target *jit_target_host(void)
{
	return jit_target_by_name(HOST_TARGET);
}

bool jit_host_has_pads(void)
{
#if defined(__ARM_FEATURE_BTI_DEFAULT) || (defined(__CET__) && __CET__ & 1)
	return true;
#else
	return false;
#endif
}

/* Makes calls direct that reach their function from where the code will run; the others keep going through their thunk. */
static void relocate(u8 *code, const u8 *home, const struct jit_image *image)
{
	for (u32 i = 0; i < image->nr_relocs; i++) {
		const struct jit_reloc *r = &image->relocs[i];

		image->target->patch(
			code + r->at, r->kind, (s64)(r->address - (u64)(uintptr_t)(home + r->at)));
	}
}

/* A mapping of its own, written while it is writable and then made executable: where the pool can't be had, and for profilers,
 * who look for names of code only in memory without a file. */
static int fill_own(struct jit_code *c, const struct jit_image *image, struct diag *d)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = LEAD_BYTES + image->code.len;

	c->map_bytes = (bytes + page - 1) / page * page + 2 * page;
	c->map = reserve_near(c->map_bytes, image->nr_relocs ? image->relocs[0].address : 0);
	if (!c->map)
		return diag_fail(d, pos_none(), ENOMEM, "no address space for code");
	c->entry = c->map + page + LEAD_BYTES;
	if (mprotect(c->map + page, c->map_bytes - 2 * page, PROT_READ | PROT_WRITE))
		return diag_fail(
			d, pos_none(), errno, "no writable memory for code: %s", strerror(errno));
	memcpy(c->entry, image->code.data, image->code.len);
	relocate(c->entry, c->entry, image);
	int err = make_executable(c->map + page, c->map_bytes - 2 * page, image->landing_pads);
	return err ? diag_fail(d, pos_none(), -err,
			     "the system doesn't let memory become executable: %s", strerror(-err))
		   : 0;
}

static bool fill_shared(struct jit_code *c, const struct jit_image *image)
{
	if (!pool_take(LEAD_BYTES + image->code.len,
		    image->nr_relocs ? image->relocs[0].address : 0, image->landing_pads,
		    &c->place))
		return false;
	u8 *copy = mem_zalloc(c->place.bytes);
	bool ok = copy;

	if (copy) {
		memcpy(copy + LEAD_BYTES, image->code.data, image->code.len);
		relocate(copy + LEAD_BYTES, c->place.at + LEAD_BYTES, image);
		ok = pool_write(&c->place, copy);
	}
	mem_free(copy);
	c->entry = c->place.at + LEAD_BYTES;
	if (!ok) {
		pool_free(&c->place);
		c->place.segment = NULL;
	}
	return ok;
}

/* Other processors may have begun to fetch what was there before: on arm64 they must be told. x86-64 keeps them in step. */
static void publish(const struct jit_code *c, size_t bytes)
{
	__builtin___clear_cache((char *)c->entry, (char *)c->entry + bytes);
#if defined(__aarch64__)
	enum { PRIVATE_EXPEDITED_SYNC_CORE = 1 << 5, REGISTER = 1 << 6 };

	if (syscall(SYS_membarrier, PRIVATE_EXPEDITED_SYNC_CORE, 0, 0)) {
		syscall(SYS_membarrier, REGISTER, 0,
			0); /* once for a process; old kernels can do neither */
		syscall(SYS_membarrier, PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
	}
#endif
}

int jit_code_new(const struct jit_image *image, struct jit_code **out, struct diag *d)
{
	if (image->target != jit_target_host())
		return diag_fail(d, pos_none(), ENOTSUP,
			"code for %s can't run on this machine, only be printed",
			image->target->name);
	struct jit_code *c = mem_zalloc(sizeof(*c));
	if (!c)
		return diag_nomem(d);
	bool named = image->nr_functions;
	int err = !named && fill_shared(c, image) ? 0 : fill_own(c, image, d);
	if (err) {
		jit_code_free(c);
		return err;
	}
	publish(c, image->code.len);
	*out = c;
	return 0;
}

void jit_code_free(struct jit_code *c)
{
	if (!c)
		return;
	if (c->place.segment)
		pool_free(&c->place);
	if (c->map)
		munmap(c->map, c->map_bytes);
	mem_free(c);
}

const void *jit_code_start(const struct jit_code *c)
{
	return c->entry;
}

jit_entry jit_code_entry(const struct jit_code *c)
{
	jit_entry entry;

	/* A function pointer can't be cast from an object pointer in ISO C. */
	memcpy(&entry, &c->entry, sizeof(entry));
	return entry;
}
