/* weir map: looks at and changes maps that a run has saved, or the maps of a run that goes on. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/control.h"
#include "cli/map_set.h"
#include "cli/object_cli.h"

struct map_cli {
	bool json;
};

static int on_saved(const struct map_cli *c, const char *path, char **words, u32 nr)
{
	struct buf text = {0}, out = {0}, changed_text = {0};
	struct map_set set = {0};
	struct diag d = {0};
	bool changed = false;
	int err = read_file(path, UINT32_MAX, &text, &d);

	if (!err)
		err = map_set_read(&set, path,
			str_new(text.data ? (const char *)text.data : "", text.len), &d);
	if (!err)
		err = map_command(&set, words, nr, c->json, &changed, &out, &d);
	report(&d);
	int code = !err                       ? write_out(stdout, &out)
		   : err == -EINVAL && set.nr ? EXIT_USAGE
					      : exit_code_of(err);
	if (!code && changed) {
		map_set_write(&set, &changed_text);
		code = replace_file(path, &changed_text);
	}
	map_set_fini(&set);
	buf_fini(&text);
	buf_fini(&out);
	buf_fini(&changed_text);
	diag_fini(&d);
	return code;
}

static int map_main(void *opts, char **args, u32 nr_args)
{
	const struct map_cli *c = opts;

	/* The command stands first, as in "weir map dump SET NAME". */
	char *words[8] = {args[0]};
	for (u32 i = 2; i < nr_args; i++)
		words[i - 1] = args[i];
	if (is_socket(args[1]))
		return control_ask(args[1], words, nr_args - 1, c->json);
	return on_saved(c, args[1], words, nr_args - 1);
}

static bool set_json(void *opts, const char *arg)
{
	(void)arg;
	((struct map_cli *)opts)->json = true;
	return true;
}

static const struct cli_option map_options[] = {
	{"json", 0, NULL, "print as JSON", set_json, ""},
};

const struct subcommand cmd_map = {
	.name = "map",
	.summary = "look at and change the maps of a saved or running set",
	.usage = "COMMAND SET [NAME [KEY [VALUE]]] [options]",
	.examples = "commands: list [NAME], dump [NAME], lookup NAME KEY, update NAME KEY VALUE "
		    "[any|noexist|exist],\n"
		    "delete NAME KEY, push NAME VALUE, pop NAME, peek NAME\n"
		    "SET is what 'weir run --save-maps' wrote, or the socket of 'weir run "
		    "--control'.\n"
		    "\n"
		    "examples:\n"
		    "  weir run prog.o -r wlan.pcap --save-maps maps.txt\n"
		    "  weir map dump maps.txt counters\n"
		    "  weir map update maps.txt blocked [2001:db8::1] 1\n"
		    "  weir run prog.o -r more.pcap --load-maps maps.txt\n"
		    "\n"
		    "Queues, stacks and what holds no values is in a running set only.\n"
		    "exit code: 0 done, 1 refused, 2 wrong command line, 4 a file can't be read or "
		    "written\n",
	.options = map_options,
	.nr_options = ARRAY_LEN(map_options),
	.min_args = 2,
	.max_args = 7,
	.opts_bytes = sizeof(struct map_cli),
	.run = map_main,
};
