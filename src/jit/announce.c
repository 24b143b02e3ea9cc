/* Who is told of code, and what each wants to know. */
#include "jit/announce.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "jit/debugger.h"
#include "jit/unwind.h"

typedef void (*frame_fn)(const void *frames);

struct announcement {
	struct buf frames;   /* what the unwinder reads */
	frame_fn deregister; /* NULL: it doesn't know them */
	struct buf file;     /* what the debugger reads */
	struct debugger_entry entry;
	bool in_list;
};

static void put_readable(const char *name, struct buf *out)
{
	for (; *name; name++)
		buf_u8(out, isgraph((u8)*name) ? (u8)*name : '_');
}

void announce_name(const struct prog *p, const struct jit_function *f, struct buf *out)
{
	buf_puts(out, "weir_");
	put_readable(p->name, out);
	if (f->pc == 0)
		return;
	buf_u8(out, '_');
	for (u32 i = 0; i < p->nr_funcs; i++)
		if (p->funcs[i].pc == f->pc && p->funcs[i].name)
			return put_readable(p->line_text + p->funcs[i].name, out);
	buf_printf(out, "%u", f->origin);
}

/* ---- unwinders ---- */

/* The one that backtrace() uses: it loads libgcc_s itself, so nothing of it can be there before. The library stays loaded:
 * who unwinds may be on its way. */
static void *unwinder_function(const char *name)
{
	void *library = dlopen("libgcc_s.so.1", RTLD_NOW);

	return library ? dlsym(library, name) : NULL;
}

static int tell_unwinder(
	struct announcement *a, const struct jit_image *image, u64 base, struct diag *d)
{
	void *add = unwinder_function("__register_frame");
	void *remove = unwinder_function("__deregister_frame");
	frame_fn add_fn;

	if (!add || !remove)
		return diag_fail(d, pos_none(), ENOTSUP, "no libgcc_s.so.1 to tell of native code");
	unwind_table(image, base, &a->frames);
	if (a->frames.failed)
		return diag_nomem(d);
	/* A function pointer can't be cast from an object pointer in ISO C. */
	memcpy(&add_fn, &add, sizeof(add_fn));
	memcpy(&a->deregister, &remove, sizeof(a->deregister));
	add_fn(a->frames.data);
	return 0;
}

/* ---- perf ---- */

/* The name can be guessed and the folder is everybody's: a file of somebody else, or one that leads elsewhere, is refused. */
static int open_map(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
		st.st_nlink == 1)
		return fd;
	close(fd);
	return -EPERM;
}

static int tell_perf(const struct jit_image *image, u64 base, const struct prog *p, struct diag *d)
{
	struct buf path = {0}, lines = {0};

	buf_printf(&path, "/tmp/perf-%d.map", getpid());
	for (u32 i = 0; i < image->nr_functions; i++) {
		const struct jit_function *f = &image->functions[i];

		buf_printf(&lines, "%llx %x ", (unsigned long long)(base + f->at), f->end - f->at);
		announce_name(p, f, &lines);
		buf_u8(&lines, '\n');
	}
	int err = path.failed || lines.failed ? diag_nomem(d) : 0;
	int fd = err ? -1 : open_map(buf_cstr(&path));
	/* One write, so that threads and processes don't mix their lines. */
	if (!err && fd < 0)
		err = fd;
	else if (!err && write(fd, lines.data, lines.len) != (ssize_t)lines.len)
		err = -EIO;
	if (err && err != -ENOMEM)
		diag_fail(d, pos_none(), -err, "%s: %s", buf_cstr(&path), strerror(-err));
	if (fd >= 0)
		close(fd);
	buf_fini(&path);
	buf_fini(&lines);
	return err;
}

/* ---- debuggers ---- */

static int tell_debugger(struct announcement *a, const struct jit_image *image, u64 base,
	const struct prog *p, struct diag *d)
{
	debugger_file(image, base, p, &a->file);
	if (a->file.failed)
		return diag_nomem(d);
	a->entry.file = a->file.data;
	a->entry.file_bytes = a->file.len;
	debugger_add(&a->entry);
	a->in_list = true;
	return 0;
}

int announce(unsigned what, const struct jit_image *image, const void *base, const struct prog *p,
	struct announcement **out, struct diag *d)
{
	struct announcement *a = mem_zalloc(sizeof(*a));
	int err = a ? 0 : diag_nomem(d);

	if (!err && what & ANNOUNCE_UNWINDERS)
		err = tell_unwinder(a, image, (uintptr_t)base, d);
	if (!err && what & ANNOUNCE_DEBUGGER)
		err = tell_debugger(a, image, (uintptr_t)base, p, d);
	if (!err && what & ANNOUNCE_PERF)
		err = tell_perf(image, (uintptr_t)base, p, d);
	if (err)
		announcement_free(a);
	else
		*out = a;
	return err;
}

void announcement_free(struct announcement *a)
{
	if (!a)
		return;
	if (a->deregister)
		a->deregister(a->frames.data);
	if (a->in_list)
		debugger_remove(&a->entry);
	buf_fini(&a->frames);
	buf_fini(&a->file);
	mem_free(a);
}
