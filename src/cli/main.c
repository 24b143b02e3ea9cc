/* weir COMMAND ...: finds the subcommand, reads its options by its table, runs it. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cli/cli.h"

static const struct subcommand *const subcommands[] = {
	&cmd_filter,
	&cmd_check,
#ifdef HAVE_OBJ
	&cmd_run,
	&cmd_verify,
	&cmd_inspect,
	&cmd_map,
#endif
	&cmd_dump,
	&cmd_bench,
};

enum { OPTIONS_MAX = 40, OPT_HELP = 1000 };

static void help_general(FILE *to)
{
	fprintf(to,
		"weir %s: packet rules and eBPF programs, compiled to native code, anywhere\n\n"
		"usage: weir COMMAND [options] ...\n\ncommands:\n",
		WEIR_VERSION);
	for (size_t i = 0; i < ARRAY_LEN(subcommands); i++)
		fprintf(to, "  %-8s %s\n", subcommands[i]->name, subcommands[i]->summary);
	fprintf(to, "\nexamples:\n"
		    "  weir filter rules.v6 -r capture.pcap          which rule catches what, with "
		    "the kernel's counters\n"
		    "  weir check rules.v6                           is the file right? print it "
		    "as ip6tables-save would\n"
		    "  weir dump rules.v6 --stage bpf                the program that the rules "
		    "become\n"
		    "\n'weir COMMAND --help' tells more, 'man weir' all.\n");
}

static void help_command(const struct subcommand *c)
{
	printf("usage: weir %s %s\n\n%s\n\noptions:\n", c->name, c->usage, c->summary);
	for (size_t i = 0; i < c->nr_options; i++) {
		const struct cli_option *o = &c->options[i];
		char left[64];

		snprintf(left, sizeof(left), "%s%c%s--%s%s%s", o->letter ? "-" : " ",
			o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name,
			o->arg ? " " : "", o->arg ? o->arg : "");
		printf("  %-26s %s\n", left, o->help);
	}
	printf("  %-26s %s\n", "-h, --help", "this text");
	printf("\n%s", c->examples);
}

static const struct cli_option *option_of(const struct subcommand *c, int found, int index)
{
	if (found == OPT_HELP)
		return NULL;
	if (found == 0)
		return &c->options[index];
	for (size_t i = 0; i < c->nr_options; i++)
		if (c->options[i].letter == found)
			return &c->options[i];
	return NULL;
}

/* getopt's two tables out of ours. */
static void option_tables(const struct subcommand *c, struct option *longs, char *letters)
{
	size_t n = 0;

	assert(c->nr_options < OPTIONS_MAX);
	for (size_t i = 0; i < c->nr_options; i++) {
		const struct cli_option *o = &c->options[i];

		longs[n++] =
			(struct option){o->name, o->arg ? required_argument : no_argument, NULL, 0};
		if (!o->letter)
			continue;
		*letters++ = o->letter;
		if (o->arg)
			*letters++ = ':';
	}
	*letters++ = 'h';
	*letters = '\0';
	longs[n++] = (struct option){"help", no_argument, NULL, OPT_HELP};
	longs[n] = (struct option){0};
}

static int usage_error(const struct subcommand *c)
{
	fprintf(stderr, "usage: weir %s %s\n('weir %s --help' explains)\n", c->name, c->usage,
		c->name);
	return EXIT_USAGE;
}

static bool may_repeat(const struct cli_option *o)
{
	return strstr(o->arg, "...") != NULL;
}

static int parse_and_run(const struct subcommand *c, int argc, char **argv, void *opts)
{
	struct option longs[OPTIONS_MAX + 2];
	char letters[2 * OPTIONS_MAX + 3];
	int found, index = 0;
	bool given[OPTIONS_MAX] = {false};

	option_tables(c, longs, letters);
	while ((found = getopt_long(argc, argv, letters, longs, &index)) != -1) {
		if (found == OPT_HELP || found == 'h') {
			help_command(c);
			return EXIT_OK;
		}
		if (found == '?')
			return usage_error(c);
		const struct cli_option *o = option_of(c, found, index);
		bool *twice = &given[o - c->options];
		if (*twice && o->arg && !may_repeat(o)) {
			complain("--%s is given twice", o->name);
			return EXIT_USAGE;
		}
		*twice = true;
		if (!o->set(opts, optarg)) {
			if (o->arg)
				complain("--%s: '%s' is not %s", o->name, optarg, o->expects);
			else
				complain("--%s is not %s", o->name, o->expects);
			return EXIT_USAGE;
		}
	}
	u32 nr_args = (u32)(argc - optind);
	if (nr_args < c->min_args || nr_args > c->max_args) {
		complain(nr_args < c->min_args ? "%s: something is missing"
					       : "%s: too many arguments",
			c->name);
		return usage_error(c);
	}
	return c->run(opts, argv + optind, nr_args);
}

static int run_subcommand(const struct subcommand *c, int argc, char **argv)
{
	void *opts = mem_zalloc(c->opts_bytes);

	if (!opts)
		return out_of_memory();
	int code = parse_and_run(c, argc, argv, opts);
	mem_free(opts);
	return code;
}

/* A file opened later would get the number of a closed standard stream, and then what is meant for that. */
static void occupy_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			exit(EXIT_SYSTEM);
}

/* What was printed need not have been written yet. Who noticed an error before has said so. */
static int finish(int code)
{
	errno = 0;
	bool failed = fflush(stdout) || ferror(stdout);

	if (!failed || code == EXIT_SYSTEM)
		return code;
	complain(
		"the result can't be written%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
	return EXIT_SYSTEM;
}

static int run(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
		help_general(stdout);
		return EXIT_OK;
	}
	if (!strcmp(name, "--version")) {
		printf("weir %s\n", WEIR_VERSION);
		return EXIT_OK;
	}
	for (size_t i = 0; i < ARRAY_LEN(subcommands); i++) {
		if (strcmp(name, subcommands[i]->name))
			continue;
		argv[1] = argv[0]; /* for getopt's messages */
		return run_subcommand(subcommands[i], argc - 1, argv + 1);
	}
	if (*name)
		complain("there is no command '%s'", name);
	help_general(stderr);
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	occupy_standard_streams();
	return finish(run(argc, argv));
}
