/* Runs text cases: run-cases [-u] [-v] [-n TEXT] FILE|FOLDER ...
 *
 * The folder that holds a case says what kind it is. -u writes what came out into the expectations, to be
 * reviewed as a diff. -v names every case. -n runs only those whose name contains TEXT. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "case.h"

enum { EXIT_SKIPPED = 77 };

/* The build says which kinds there are: KIND(name) for each kind_NAME.c. */
#define KIND(name) extern const struct kind kind_##name;
KINDS
#undef KIND
static const struct kind *const kinds[] = {
#define KIND(name) &kind_##name,
	KINDS
#undef KIND
};

struct runner {
	bool update, verbose;
	const char *only;
	unsigned passed, failed, skipped;
};

/* Name of the folder that holds the file. */
static struct str folder_of(const char *path)
{
	const char *end = strrchr(path, '/'), *start;

	if (!end)
		return str_of("");
	for (start = end; start > path && start[-1] != '/';)
		start--;
	return str_new(start, (size_t)(end - start));
}

static const struct kind *kind_of(const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (str_eq(folder_of(path), kinds[i]->name))
			return kinds[i];
	return NULL;
}

static void report(struct runner *r, struct tcase *c)
{
	const char *verdict = c->failed ? "FAIL" : c->skipped ? "SKIP" : "ok";

	r->failed += c->failed;
	r->skipped += !c->failed && c->skipped;
	r->passed += !c->failed && !c->skipped;
	if (c->failed || c->skipped || r->verbose)
		printf("%s %s %.*s\n", verdict, c->file->path, (int)c->name.len, c->name.p);
	if (c->failed || c->skipped)
		fputs(buf_cstr(&c->log), stdout);
}

static bool is_chosen(const struct runner *r, const struct tcase *c)
{
	return !r->only || memmem(c->name.p, c->name.len, r->only, strlen(r->only));
}

static void run_file(struct runner *r, const char *path)
{
	const struct kind *kind = kind_of(path);
	struct case_file file;
	int err;

	if (!kind) {
		printf("FAIL %s: its folder names no kind of case\n", path);
		r->failed++;
		return;
	}
	err = case_file_read(&file, path);
	if (!err) {
		struct tcase c = {.file = &file, .update = r->update};

		while (case_next(&c)) {
			if (!is_chosen(r, &c))
				continue;
			kind->run(&c);
			report(r, &c);
		}
		buf_fini(&c.log);
		err = case_file_write(&file);
	}
	if (err) {
		printf("FAIL %s: %s\n", path, strerror(-err));
		r->failed++;
	}
	case_file_fini(&file);
}

static int is_wanted(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return entry->d_name[0] != '.' && (!dot || !strcmp(dot, ".t"));
}

/* A file, or a folder with all below it in the order of names. */
static void run_path(struct runner *r, const char *path)
{
	struct dirent **names;
	struct stat st;
	int n;

	if (stat(path, &st)) {
		printf("FAIL %s: %s\n", path, strerror(errno));
		r->failed++;
		return;
	}
	if (!S_ISDIR(st.st_mode)) {
		run_file(r, path);
		return;
	}
	n = scandir(path, &names, is_wanted, alphasort);
	for (int i = 0; i < n; i++) {
		struct buf child = {0};

		buf_printf(&child, "%s/%s", path, names[i]->d_name);
		run_path(r, buf_cstr(&child));
		buf_fini(&child);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

static int usage(void)
{
	fputs("usage: run-cases [-u] [-v] [-n TEXT] FILE|FOLDER ...\n", stderr);
	return 2;
}

int main(int argc, char **argv)
{
	struct runner r = {0};
	int i;

	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "-u"))
			r.update = true;
		else if (!strcmp(argv[i], "-v"))
			r.verbose = true;
		else if (!strcmp(argv[i], "-n") && i + 1 < argc)
			r.only = argv[++i];
		else
			return usage();
	}
	if (i == argc)
		return usage();
	for (; i < argc; i++)
		run_path(&r, argv[i]);
	printf("%u passed, %u failed, %u skipped\n", r.passed, r.failed, r.skipped);
	if (r.failed || !(r.passed + r.skipped))
		return EXIT_FAILURE;
	return r.passed ? EXIT_SUCCESS : EXIT_SKIPPED;
}
