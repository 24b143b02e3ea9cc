/* The code of typical programs, word for word: arm64.golden says what it must be, on any host. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "base/text.h"
#include "isa/isa.h"
#include "isa/prog.h"
#include "jit/jit.h"

/* One case: pieces of the file. */
struct golden {
	struct str title, program, listing;
};

static char *read_file(const char *path)
{
	struct buf b = {0};
	char chunk[4096];
	FILE *f = fopen(path, "r");

	if (!f)
		fail_msg("%s can't be opened", path);
	for (size_t n; (n = fread(chunk, 1, sizeof(chunk), f)) > 0;)
		buf_put(&b, chunk, n);
	fclose(f);
	buf_cstr(&b);
	return (char *)b.data;
}

/* The next case at or behind *at, which moves on. */
static bool next_case(const char **at, struct golden *g)
{
	const char *start = strstr(*at, "\n== ");

	if (!start)
		return false;
	const char *title = start + 4, *program = strchr(title, '\n') + 1,
		   *listing = strstr(program, "--\n");
	if (!listing)
		fail_msg("a case without \"--\": %.40s", title);
	const char *end = strstr(listing, "\n== ");
	if (!end)
		end = listing + strlen(listing);
	g->title = str_new(title, (size_t)(program - title) - 1);
	g->program = str_new(program, (size_t)(listing - program));
	g->listing = str_new(listing + 3, (size_t)(end - listing) - 3);
	*at = end;
	return true;
}

/* True, and the title gets shorter, when its last word is `word`. */
static bool take_option(struct str *title, const char *word)
{
	size_t len = strlen(word);

	if (title->len < len + 1 || memcmp(title->p + title->len - len, word, len) ||
		title->p[title->len - len - 1] != ' ')
		return false;
	title->len -= len + 1;
	return true;
}

static struct jit_opts options_of(struct str title)
{
	struct jit_opts o = {
		.target = jit_target_by_name("arm64"), .thread_off = 16, .lse = JIT_LSE_NEVER};

	assert_non_null(o.target);
	for (bool more = true; more;) {
		more = true;
		if (take_option(&title, "thread"))
			o.percpu = PERCPU_THREAD;
		else if (take_option(&title, "kernel"))
			o.percpu = PERCPU_KERNEL;
		else if (take_option(&title, "vhe"))
			o.percpu = PERCPU_KERNEL_VHE;
		else if (take_option(&title, "lse"))
			o.lse = JIT_LSE_ALWAYS;
		else if (take_option(&title, "exclusive"))
			o.lse = JIT_LSE_NEVER;
		else if (take_option(&title, "landing-pads"))
			o.landing_pads = true;
		else
			more = false;
	}
	return o;
}

/* The code of a case up to the thunks, whose addresses differ from run to run. */
static struct buf code_of(const struct golden *g)
{
	struct diag d = {0};
	struct prog *p = prog_new("golden", PROG_TYPE_RAW);
	struct jit_opts opts = options_of(g->title);
	struct jit_image image = {0};
	struct buf code = {0};

	p->internal = true;
	if (prog_assemble(p, "arm64.golden", g->program.p, g->program.len, &d) ||
		prog_check(p, &d) || jit_compile(p, NULL, &opts, &image, &d))
		fail_msg("%.*s: %s", (int)g->title.len, g->title.p, diag_first(&d));
	buf_put(&code, image.code.data, image.insn_off[image.len]);
	jit_image_fini(&image);
	prog_free(p);
	diag_fini(&d);
	return code;
}

/* Text of the words, a line each, by llvm-mc; empty when there is none. */
static void disassemble(struct buf *out, const struct buf *code)
{
	const char *tool = getenv("WEIR_LLVM_MC");
	char path[] = "/tmp/weir-arm64-golden-XXXXXX", command[512], line[256];
	int fd = tool ? mkstemp(path) : -1;

	if (fd < 0)
		return;
	for (size_t at = 0; at < code->len; at++)
		dprintf(fd, "0x%02x%s", code->data[at], at % 4 == 3 ? "\n" : " ");
	close(fd);
	snprintf(command, sizeof(command), "%s -triple=aarch64 -mattr=+lse,+bti --disassemble %s",
		tool, path);
	FILE *text = popen(command, "r");
	assert_non_null(text);
	while (fgets(line, sizeof(line), text)) {
		if (line[0] != '\t' || line[1] == '.')
			continue;
		size_t len = strcspn(line, "\n");
		char *comment = strstr(line, "//");
		if (comment)
			len = (size_t)(comment - line);
		while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t'))
			len--;
		for (size_t i = 0; i < len; i++)
			line[i] = line[i] == '\t' ? ' ' : line[i];
		buf_printf(out, "%.*s\n", (int)len - 1, line + 1);
	}
	pclose(text);
	unlink(path);
}

/* "d2800000 mov x0, #0", a line for each word. */
static void print_listing(struct buf *out, const struct buf *code)
{
	struct buf text = {0};

	disassemble(&text, code);
	const char *line = buf_cstr(&text);
	for (size_t at = 0; at < code->len; at += 4) {
		size_t len = strcspn(line, "\n");

		buf_printf(out, "%08" PRIx32 "%s%.*s\n", load_le32(code->data + at), len ? " " : "",
			(int)len, line);
		line += len + (line[len] == '\n');
	}
	buf_fini(&text);
}

static bool same_words(struct str listing, const struct buf *code)
{
	const char *at = listing.p, *end = listing.p + listing.len;

	for (size_t i = 0; i < code->len; i += 4) {
		if (end - at < 8 || strtoul(at, NULL, 16) != load_le32(code->data + i))
			return false;
		while (at < end && *at++ != '\n')
			;
	}
	while (at < end && *at == '\n')
		at++;
	return at == end;
}

static void check_case(const struct golden *g, struct buf *updated, unsigned *wrong)
{
	struct buf code = code_of(g), listing = {0};

	print_listing(&listing, &code);
	buf_printf(updated, "\n== %.*s\n%.*s--\n%s", (int)g->title.len, g->title.p,
		(int)g->program.len, g->program.p, buf_cstr(&listing));
	if (!same_words(g->listing, &code)) {
		print_error("== %.*s: the code is now\n%s", (int)g->title.len, g->title.p,
			buf_cstr(&listing));
		++*wrong;
	}
	buf_fini(&code);
	buf_fini(&listing);
}

static void listings(void **state)
{
	const char *path = getenv("WEIR_ARM64_GOLDEN");
	struct buf updated = {0};
	struct golden g;
	unsigned nr = 0, wrong = 0;

	(void)state;
	assert_non_null(path);
	char *file = read_file(path);
	const char *at = file, *head_end = strstr(file, "\n== ");
	assert_non_null(head_end);
	buf_put(&updated, file, (size_t)(head_end - file));
	for (; next_case(&at, &g); nr++)
		check_case(&g, &updated, &wrong);
	if (getenv("WEIR_UPDATE")) {
		FILE *f = fopen(path, "w");
		assert_non_null(f);
		fwrite(updated.data, 1, updated.len, f);
		fclose(f);
		wrong = 0;
	}
	buf_fini(&updated);
	free(file);
	assert_true(nr > 10);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(listings),
	};

	return cmocka_run_group_tests_name("arm64-golden", tests, NULL, NULL);
}
