/* For the scripts that compare with ip[6]tables: reads a rules file and prints it again.
 * Usage: rules_tool [-4|-6] [-l] [-z] save|list|tree|check FILE; -l: lenient, -z: zero counters.
 * Exit 1 and messages when the file is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "rules/parse.h"
#include "rules/print.h"

static bool read_file(const char *path, struct buf *out)
{
	char block[65536];
	size_t n;
	FILE *f = fopen(path, "rb");

	if (!f)
		return false;
	while ((n = fread(block, 1, sizeof(block), f)) > 0)
		buf_put(out, block, n);
	fclose(f);
	return !out->failed;
}

static void print_messages(const struct diag *d)
{
	static const char *const levels[] = {"error", "warning", "note"};

	for (size_t i = 0; i < d->nr; i++) {
		const struct diag_entry *e = &d->entries[i];

		fprintf(stderr, "%s:%u:%u: %s: %s\n", e->pos.file ? e->pos.file : "", e->pos.line,
			e->pos.col, levels[e->level], e->text);
	}
}

/* The counters that the file gave. */
static struct rule_count *file_counts(const struct ruleset *set)
{
	struct rule_count *counts = calloc(set->nr_counters + 1u, sizeof(*counts));

	for (struct table *t = set->tables; t; t = t->next) {
		for (struct chain *c = t->chains; c; c = c->next) {
			if (c->hook != HOOK_NONE)
				counts[c->policy_counter] = (struct rule_count){
					c->file_counters.packets, c->file_counters.bytes};
			for (struct rule *r = c->rules; r; r = r->next)
				counts[r->counter] = (struct rule_count){
					r->file_counters.packets, r->file_counters.bytes};
		}
	}
	return counts;
}

static void print_set(struct buf *out, const struct ruleset *set, const char *how, bool zero)
{
	struct rule_count *counts = zero ? NULL : file_counts(set);

	if (!strcmp(how, "save"))
		rules_print_save(out, set, counts, PRINT_COUNTERS);
	else if (!strcmp(how, "tree"))
		rules_print_tree(out, set);
	for (struct table *t = set->tables; t && !strcmp(how, "list"); t = t->next) {
		buf_printf(out, "Table %s\n", t->name);
		rules_print_list(out, t, NULL, counts);
	}
	free(counts);
}

/* What can't be run, whichever built-in chain packets enter. */
static void check_set(const struct ruleset *set)
{
	struct diag d = {0};

	for (struct table *t = set->tables; t; t = t->next) {
		for (struct chain *c = t->chains; c; c = c->next)
			if (c->hook != HOOK_NONE)
				printf("%s %s: %u\n", t->name, c->name,
					rules_check_runnable(set, &c, 1, NULL, &d));
	}
	print_messages(&d);
	diag_fini(&d);
}

int main(int argc, char **argv)
{
	struct parse_opts opts = {0};
	struct buf text = {0}, out = {0};
	struct ruleset *set = NULL;
	struct diag d = {0};
	bool zero = false;
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (argv[i][1] == 'l')
			opts.lenient = true;
		else if (argv[i][1] == 'z')
			zero = true;
		else
			opts.family = argv[i][1] == '4' ? FAMILY_IPV4 : FAMILY_IPV6;
	}
	if (argc - i != 2 || !read_file(argv[i + 1], &text))
		return 2;
	int err = rules_parse(
		argv[i + 1], str_new((const char *)text.data, text.len), &opts, &set, &d);
	print_messages(&d);
	if (!err) {
		if (!strcmp(argv[i], "check"))
			check_set(set);
		print_set(&out, set, argv[i], zero);
		fwrite(out.data, 1, out.len, stdout);
	}
	ruleset_free(set);
	diag_fini(&d);
	buf_fini(&text);
	buf_fini(&out);
	return err ? 1 : 0;
}
