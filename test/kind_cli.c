/* cli: what the command prints and how it ends.
 *
 *   -- file NAME    a file in the folder where the case runs
 *   -- bytes NAME   the same, in hexadecimal
 *   -- run          a shell script; weir is on its PATH
 *   -- out          expected standard output
 *   -- err          expected standard error
 *   -- exit         expected exit code; 0 when missing
 *
 * WEIR_COMMAND says how weir is run, an emulator included. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "case.h"

enum { PATH_BYTES = 512 };

static bool write_file(const char *folder, struct str name, const void *bytes, size_t len)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s/%.*s", folder, (int)name.len, name.p);
	FILE *f = fopen(path, "wb");
	if (!f)
		return false;
	bool ok = fwrite(bytes, 1, len, f) == len;
	return !fclose(f) && ok;
}

static void read_back(const char *folder, const char *name, struct buf *out)
{
	char path[PATH_BYTES];
	u8 block[4096];
	size_t got;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *f = fopen(path, "rb");
	if (!f)
		return;
	while ((got = fread(block, 1, sizeof(block), f)) > 0)
		buf_put(out, block, got);
	fclose(f);
}

static bool write_sections(struct tcase *c, const char *folder)
{
	for (size_t i = c->first; i < c->first + c->nr; i++) {
		struct section *s = &c->file->sections[i];
		struct buf bytes = {0};
		bool ok = true;

		if (str_eq(s->name, "file")) {
			buf_put(&bytes, s->body.p, s->body.len);
			if (s->body.len && s->body.p[s->body.len - 1] != '\n')
				buf_puts(&bytes, "\n");
		} else if (str_eq(s->name, "bytes")) {
			ok = case_bytes(c, s, &bytes);
		} else {
			continue;
		}
		ok = ok && write_file(folder, s->args, bytes.data ? bytes.data : (const u8 *)"",
				   bytes.len);
		buf_fini(&bytes);
		if (!ok) {
			case_fail(c, s, "can't be written");
			return false;
		}
	}
	return true;
}

/* A program "weir" in the folder that runs the real one. */
static bool write_wrapper(const char *folder)
{
	char path[PATH_BYTES], text[2 * PATH_BYTES];

	snprintf(text, sizeof(text), "#!/bin/sh\nexec %s \"$@\"\n", getenv("WEIR_COMMAND"));
	snprintf(path, sizeof(path), "%s/.bin", folder);
	if (mkdir(path, 0700) || !write_file(folder, str_of(".bin/weir"), text, strlen(text)))
		return false;
	snprintf(path, sizeof(path), "%s/.bin/weir", folder);
	return !chmod(path, 0700);
}

static int run_script(const char *folder, struct str script)
{
	char command[PATH_BYTES];

	if (!write_file(folder, str_of(".script"), script.p, script.len))
		return -1;
	snprintf(command, sizeof(command),
		"cd %s && PATH=$PWD/.bin:$PATH sh .script >.out 2>.err </dev/null", folder);
	int status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void expect_stream(struct tcase *c, const char *folder, const char *file, const char *name)
{
	struct section *s = case_find(c, name, "");
	struct buf out = {0};

	read_back(folder, file, &out);
	if (s)
		case_expect(c, s, str_new(out.data ? (const char *)out.data : "", out.len));
	else if (out.len)
		case_fail(c, NULL, "unexpected on '%s':\n%s", name, buf_cstr(&out));
	buf_fini(&out);
}

static void run_cli(struct tcase *c)
{
	char folder[] = "/tmp/weir-cli-XXXXXX", command[PATH_BYTES], code[16];

	if (!getenv("WEIR_COMMAND")) {
		case_skip(c, "WEIR_COMMAND doesn't say how weir is run");
		return;
	}
	struct str script = case_need(c, "run", "");
	if (c->failed)
		return;
	if (!mkdtemp(folder) || !write_wrapper(folder)) {
		case_fail(c, NULL, "no folder to run in");
		return;
	}
	if (write_sections(c, folder)) {
		struct section *exit_section = case_find(c, "exit", "");
		int got = run_script(folder, script);

		snprintf(code, sizeof(code), "%d", got);
		if (exit_section)
			case_expect(c, exit_section, str_of(code));
		else if (got)
			case_fail(c, NULL, "exit code %d", got);
		expect_stream(c, folder, ".out", "out");
		expect_stream(c, folder, ".err", "err");
	}
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	if (system(command))
		case_fail(c, NULL, "%s can't be removed", folder);
}

const struct kind kind_cli = {"cli", run_cli};
