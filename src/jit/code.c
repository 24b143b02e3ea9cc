/* Executable memory, and which target this host is. Beside arm64/host.c the only file of jit/ that looks at the host.
 *
 * The code is written while its pages are writable and then made executable: they are never both. A page without any
 * access stands on both sides. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
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
	u8 *map; /* guard page, LEAD_BYTES, code, guard page */
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

/* Address space of `bytes`, preferably near `near`, so that calls reach it: just below in steps, where the area of
 * programs and libraries is free on Linux; anywhere when there is no luck. */
static u8 *reserve(size_t bytes, u64 near)
{
	static const u64 distances[] = {16u << 20, 64u << 20, 256u << 20, 1024u << 20};
	u64 page = (u64)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; near && i < ARRAY_LEN(distances); i++) {
		if (near < distances[i] + bytes)
			break;
		u64 hint = (near - distances[i] - bytes) & ~(page - 1);
		u8 *map = mmap((void *)(uintptr_t)hint, bytes, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		if (map != MAP_FAILED)
			return map;
	}
	u8 *map = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return map == MAP_FAILED ? NULL : map;
}

/* Makes calls direct that reach their function from here; the others keep going through their thunk. */
static void relocate(u8 *code, const struct jit_image *image)
{
	for (u32 i = 0; i < image->nr_relocs; i++) {
		const struct jit_reloc *r = &image->relocs[i];

		image->target->patch(
			code + r->at, r->kind, (s64)(r->address - (u64)(uintptr_t)(code + r->at)));
	}
}

/* With landing pads the processor is told to insist on them, where it can: 0x10 is PROT_BTI of the arm64 kernels, which
 * refuse it where the processor can't. On x86-64 the process as a whole decides. */
static int make_executable(u8 *at, size_t bytes, bool landing_pads)
{
	enum { GUARDED = 0x10 };

#if defined(__aarch64__)
	if (landing_pads && !mprotect(at, bytes, PROT_READ | PROT_EXEC | GUARDED))
		return 0;
#else
	(void)landing_pads;
#endif
	return mprotect(at, bytes, PROT_READ | PROT_EXEC);
}

static int fill(struct jit_code *c, const struct jit_image *image, struct diag *d)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t code_bytes = c->map_bytes - 2 * page;

	c->entry = c->map + page + LEAD_BYTES;
	if (mprotect(c->map + page, code_bytes, PROT_READ | PROT_WRITE))
		return diag_fail(
			d, pos_none(), errno, "no writable memory for code: %s", strerror(errno));
	memcpy(c->entry, image->code.data, image->code.len);
	relocate(c->entry, image);
	if (make_executable(c->map + page, code_bytes, image->landing_pads))
		return diag_fail(d, pos_none(), errno,
			"the system doesn't let memory become executable: %s", strerror(errno));
	__builtin___clear_cache((char *)c->entry, (char *)c->entry + image->code.len);
	return 0;
}

int jit_code_new(const struct jit_image *image, struct jit_code **out, struct diag *d)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (image->target != jit_target_host())
		return diag_fail(d, pos_none(), ENOTSUP,
			"code for %s can't run on this machine, only be printed",
			image->target->name);
	struct jit_code *c = mem_zalloc(sizeof(*c));
	if (!c)
		return diag_nomem(d);
	c->map_bytes = (LEAD_BYTES + image->code.len + page - 1) / page * page + 2 * page;
	c->map = reserve(c->map_bytes, image->nr_relocs ? image->relocs[0].address : 0);
	int err = c->map ? fill(c, image, d)
			 : diag_fail(d, pos_none(), ENOMEM, "no address space for code");
	if (err) {
		jit_code_free(c);
		return err;
	}
	*out = c;
	return 0;
}

void jit_code_free(struct jit_code *c)
{
	if (!c)
		return;
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
