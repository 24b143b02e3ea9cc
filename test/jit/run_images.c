/* run_images FILE: runs the programs of a file that random_images wrote, and compares result and memory. WEIR_SEED of jit-random makes
 * small what fails here. */
#include "harness.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helper/helper.h"
#include "images.h"
#include "jit/target.h"

static const struct image_record *now; /* running, for on_crash */

static void die(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static void say(const struct image_record *r, const char *what)
{
	fprintf(stderr, "%s: WEIR_SEED=%llu, without peepholes 0x%llx\n", what,
		(unsigned long long)r->seed, (unsigned long long)r->without);
}

/* The process is lost anyway. */
static void on_crash(int sig)
{
	say(now, "crash");
	signal(sig, SIG_DFL);
	raise(sig);
}

static void name_crashes(void)
{
	static const int crashes[] = {SIGSEGV, SIGILL, SIGBUS, SIGFPE, SIGTRAP};
	static u8 stack[65536];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};

	sigaltstack(&alternate, NULL);
	for (size_t i = 0; i < ARRAY_LEN(crashes); i++)
		sigaction(crashes[i], &action, NULL);
}

static void *map_at(u64 at, size_t bytes, int rights, int fd)
{
	int flags = MAP_PRIVATE | MAP_FIXED_NOREPLACE | (fd < 0 ? MAP_ANONYMOUS : 0);
	void *map = mmap((void *)(uintptr_t)at, bytes, rights, flags, fd, 0);

	if (map != (void *)(uintptr_t)at)
		die("an address is taken");
	return map;
}

/* Jumps to the helper, whose address is behind. */
static void put_helper(void)
{
#if defined(__aarch64__)
	static const u32 code[] = {0x58000050, 0xd61f0200}; /* ldr x16, .+8; br x16 */
#elif defined(__x86_64__)
	static const u32 code[] = {0x000225ff, 0x90900000}; /* jmp *2(%rip); nop; nop */
#else
	static const u32 code[2];
#endif
	u8 *at = map_at(IMAGES_HELPER_AT, 4096, PROT_READ | PROT_WRITE, -1);

	memcpy(at, code, sizeof(code));
	memcpy(at + sizeof(code), &helper_by_id(TEST_HELPER_MIX)->fn, 8);
	if (mprotect(at, 4096, PROT_READ | PROT_EXEC))
		die("the helper can't be made executable");
	__builtin___clear_cache((char *)at, (char *)at + sizeof(code));
}

static const struct images_head *map_images(const char *name)
{
	int fd = open(name, O_RDONLY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		perror(name);
		exit(1);
	}
	const struct images_head *head =
		map_at(IMAGES_AT, (size_t)st.st_size, PROT_READ | PROT_EXEC, fd);
	close(fd);
	if (head->magic != IMAGES_MAGIC || !jit_target_host() ||
		head->machine != jit_target_host()->elf_machine)
		die("no images for this machine");
	return head;
}

static bool runs_right(const struct image_record *r, struct random_work *w)
{
	u64 address = IMAGES_AT + r->at;
	jit_entry entry;

	memcpy(&entry, &address, sizeof(entry));
	*w = r->before;
	now = r;
	u64 result = entry(IMAGES_WORK_AT, RANDOM_MEM_BYTES, w->region);
	return result == r->result && !memcmp(w, &r->after, sizeof(*w));
}

int main(int argc, char **argv)
{
	u64 failed = 0;

	if (argc != 2)
		die("usage: run_images FILE");
	struct random_work *w = map_at(IMAGES_WORK_AT, sizeof(*w), PROT_READ | PROT_WRITE, -1);
	put_helper();
	const struct images_head *head = map_images(argv[1]);
	const struct image_record *r = (const void *)((const u8 *)head + head->records);
	name_crashes();
	for (u64 i = 0; i < head->nr_records; i++) {
		if (runs_right(&r[i], w))
			continue;
		say(&r[i], "differs");
		failed++;
	}
	printf("%llu programs as %llu images, %llu wrong\n", (unsigned long long)head->programs,
		(unsigned long long)head->nr_records, (unsigned long long)failed);
	return failed || !head->nr_records;
}
