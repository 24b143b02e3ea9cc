/* The options that belong to iptables itself: commands, the base match, targets. */
#include "rules/parser.h"

#include <errno.h>
#include <string.h>

#include "rules/proto.h"

/* All commands and options that may stand only once have letters; j stands for -g too. */
static u32 letter_bit(char letter)
{
	assert(letter >= 'a' && letter <= 'z');
	return 1u << (letter - 'a');
}

static int once(struct rule_line *l, char letter, const struct word *option)
{
	bool again = l->given & letter_bit(letter);

	if (again && letter == 'j')
		return parser_fail(l->p, option, "a rule has only one target (-j or -g)");
	if (again && letter == 'c')
		return parser_fail(l->p, option, "the rule's counters were given before");
	if (again)
		return parser_fail(l->p, option, "-%c was given before", letter);
	l->given |= letter_bit(letter);
	return 0;
}

static bool parse_rule_number(struct str s, u32 *out)
{
	u32 number;

	if (!str_to_u32(s, &number) || !number || number > INT32_MAX)
		return false;
	*out = number;
	return true;
}

static int take_number(struct rule_line *l)
{
	const struct word *w = &l->p->words.at[l->next++];

	if (!parse_rule_number(w->text, &l->number))
		return parser_fail(l->p, w, "'%.*s' is not a rule number (1, 2, ...)",
			(int)w->text.len, w->text.p);
	return 0;
}

static int set_command(struct rule_line *l, u64 command, const struct word *option)
{
	if (l->command != COMMAND_NONE)
		return parser_fail(l->p, option, "a line has only one command");
	l->command = (enum command)command;
	l->command_word = option;
	return 0;
}

static int parse_command(struct rule_line *l, const struct base_option *b,
	const struct word *option, const struct word *arg)
{
	int err = set_command(l, b->value, option);

	if (err)
		return err;
	l->chain_name = *arg;
	if (l->command == COMMAND_INSERT || l->command == COMMAND_DELETE ||
		l->command == COMMAND_REPLACE) {
		if (optional_argument_follows(l))
			err = take_number(l);
		else if (l->command == COMMAND_REPLACE)
			err = parser_fail(l->p, option, "-R needs a chain and a rule number");
		if (!err && l->command == COMMAND_DELETE && l->number)
			l->command = COMMAND_DELETE_NUMBER;
	}
	return err;
}

/* -F, -X, -Z: the chain may be missing, then all are meant. */
static int parse_command_all(struct rule_line *l, const struct base_option *b,
	const struct word *option, const struct word *arg)
{
	int err = set_command(l, b->value, option);

	(void)arg;
	if (!err && optional_argument_follows(l))
		l->chain_name = l->p->words.at[l->next++];
	if (!err && l->command == COMMAND_ZERO && l->chain_name.width &&
		optional_argument_follows(l))
		err = take_number(l);
	return err;
}

/* -P and -E: two words. */
static int parse_command_two(struct rule_line *l, const struct base_option *b,
	const struct word *option, const struct word *arg)
{
	int err = set_command(l, b->value, option);

	if (err)
		return err;
	l->chain_name = *arg;
	if (!optional_argument_follows(l))
		return parser_fail(l->p, option, "%s",
			l->command == COMMAND_POLICY ? "-P needs a chain and a policy"
						     : "-E needs a chain and its new name");
	*(l->command == COMMAND_POLICY ? &l->policy : &l->new_name) = l->p->words.at[l->next++];
	return 0;
}

static int parse_refused(struct rule_line *l, const struct base_option *b,
	const struct word *option, const struct word *arg)
{
	(void)arg;
	return parser_fail(l->p, option, "'--%s' has no meaning in a rules file", b->name);
}

static int parse_ignored(struct rule_line *l, const struct base_option *b,
	const struct word *option, const struct word *arg)
{
	(void)l, (void)b, (void)option, (void)arg;
	return 0;
}

/* As restore does: nothing behind the option is looked at. */
static int parse_family(struct rule_line *l, const struct base_option *b, const struct word *option,
	const struct word *arg)
{
	(void)arg;
	if (b->value == (u64)l->p->set->family)
		return 0;
	parser_warn(l->p, option,
		"the line is for IPv%u only and left out: this is read as a rule set for IPv%u",
		(unsigned)b->value, (unsigned)l->p->set->family);
	l->skip = true;
	return 0;
}

static void set_invert(struct rule_line *l, u8 bit)
{
	if (l->bang)
		l->rule->invert |= bit;
}

/* Extension headers are skipped on the way to the protocol, so no packet has them as its protocol. */
static void warn_never(struct rule_line *l, const struct word *arg)
{
	static const u8 skipped[] = {43, 44, 51, 60};

	if (l->p->set->family != FAMILY_IPV6 || (l->rule->invert & INV_PROTO))
		return;
	for (size_t i = 0; i < ARRAY_LEN(skipped); i++)
		if (l->rule->proto == skipped[i])
			parser_warn(l->p, arg,
				"never matches: '%.*s' is an extension header; use -m frag, rt, ah "
				"or dst",
				(int)arg->text.len, arg->text.p);
}

static int parse_protocol(struct rule_line *l, const struct base_option *b,
	const struct word *option, const struct word *arg)
{
	u8 proto;
	int err = once(l, b->letter, option);

	if (err)
		return err;
	if (!proto_parse(arg->text, &proto))
		return parser_fail(l->p, arg,
			"'%.*s' is not a protocol: a name such as tcp or a number 0 to 255 was "
			"expected",
			(int)arg->text.len, arg->text.p);
	if (!proto && l->bang)
		return parser_fail(l->p, l->bang, "'! -p all' never matches");
	l->rule->proto = proto;
	l->rule->has_proto = true;
	l->proto_word = *arg;
	set_invert(l, INV_PROTO);
	warn_never(l, arg);
	return 0;
}

static int parse_address(struct rule_line *l, const struct base_option *b,
	const struct word *option, const struct word *arg)
{
	int err = once(l, b->letter, option);

	if (err)
		return err;
	*(b->letter == 's' ? &l->src_option : &l->dst_option) =
		(struct address_option){.given = true,
			.inverted = l->bang,
			.word = *arg,
			.bang = l->bang ? *l->bang : *arg};
	set_invert(l, b->letter == 's' ? INV_SRC : INV_DST);
	return 0;
}

static int read_address(
	struct rule_line *l, const struct address_option *o, char letter, struct nets *nets)
{
	const char *wrong;

	if (!o->given)
		return 0;
	int err = parse_nets(o->word.text, l->p->set->family, &l->p->set->arena, nets, &wrong);
	if (err == -ENOMEM)
		return parser_nomem(l->p);
	if (err)
		return parser_fail(l->p, &o->word, "-%c: %s", letter, wrong);
	if (o->inverted && nets->nr > 1)
		return parser_fail(l->p, &o->bang,
			"'!' with several addresses; write one rule for each in a chain of its "
			"own");
	return 0;
}

int read_addresses(struct rule_line *l)
{
	int err = read_address(l, &l->src_option, 's', &l->src);

	return err ? err : read_address(l, &l->dst_option, 'd', &l->dst);
}

static int parse_iface(struct rule_line *l, const struct base_option *b, const struct word *option,
	const struct word *arg)
{
	struct rule *r = l->rule;
	char *name = b->letter == 'i' ? r->in_iface : r->out_iface;
	char *mask = b->letter == 'i' ? r->in_mask : r->out_mask;
	int err = once(l, b->letter, option);

	if (err)
		return err;
	size_t len = arg->text.len;
	if (!len)
		return parser_fail(l->p, arg, "-%c: the interface's name is empty", b->letter);
	if (len >= IFACE_NAME_BYTES)
		return parser_fail(l->p, arg,
			"-%c '%.*s': an interface's name has at most %u characters", b->letter,
			(int)len, arg->text.p, IFACE_NAME_BYTES - 1);
	bool prefix = arg->text.p[len - 1] == '+';
	set_invert(l, b->letter == 'i' ? INV_IN : INV_OUT);
	memcpy(name, arg->text.p, len);
	memset(mask, 0xff, prefix ? len - 1 : len + 1); /* "+" alone: no mask, so any */
	return 0;
}

static int parse_fragment(struct rule_line *l, const struct base_option *b,
	const struct word *option, const struct word *arg)
{
	int err = once(l, b->letter, option);

	(void)arg;
	if (err)
		return err;
	if (l->p->set->family == FAMILY_IPV6)
		return parser_fail(l->p, option, "-f is for IPv4 only; for IPv6 use -m frag");
	l->rule->fragment = true;
	set_invert(l, INV_FRAG);
	return 0;
}

/* "-c packets bytes" or "-c packets,bytes" */
static int parse_set_counters(struct rule_line *l, const struct base_option *b,
	const struct word *option, const struct word *arg)
{
	struct file_counters *counters = &l->rule->file_counters;
	struct str packets, bytes;
	int err = once(l, b->letter, option);

	if (err)
		return err;
	if (!str_split(arg->text, ',', &packets, &bytes)) {
		if (!optional_argument_follows(l))
			return parser_fail(l->p, option, "-c needs packets and bytes");
		bytes = l->p->words.at[l->next++].text;
	}
	if (!str_to_u64(packets, &counters->packets) || !str_to_u64(bytes, &counters->bytes))
		return parser_fail(l->p, option, "-c needs two numbers, packets and bytes");
	counters->given = true;
	return 0;
}

static int parse_match(struct rule_line *l, const struct base_option *b, const struct word *option,
	const struct word *arg)
{
	(void)b, (void)option;
	return extension_load_match(l, arg);
}

static const struct {
	const char *name;
	enum verdict_kind kind;
} builtin_targets[] = {
	{"ACCEPT", TARGET_ACCEPT},
	{"DROP", TARGET_DROP},
	{"QUEUE", TARGET_QUEUE},
	{"RETURN", TARGET_RETURN},
};

static enum verdict_kind builtin_target(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(builtin_targets); i++)
		if (str_eq(name, builtin_targets[i].name))
			return builtin_targets[i].kind;
	return TARGET_NONE;
}

static int parse_jump(struct rule_line *l, const struct base_option *b, const struct word *option,
	const struct word *arg)
{
	int err = once(l, 'j', option);

	(void)b;
	if (err)
		return err;
	if (!arg->text.len)
		return parser_fail(l->p, arg, "-j: the target's name is empty");
	if (arg->text.len > RULES_CHAIN_NAME_MAX)
		return parser_fail(l->p, arg,
			"-j '%.*s': a target's name has at most %u characters", (int)arg->text.len,
			arg->text.p, RULES_CHAIN_NAME_MAX);
	l->to = *arg;
	l->has_to = true;
	l->rule->target = builtin_target(arg->text);
	return l->rule->target == TARGET_NONE ? extension_load_target(l, arg) : 0;
}

static int parse_goto(struct rule_line *l, const struct base_option *b, const struct word *option,
	const struct word *arg)
{
	int err = once(l, 'j', option);

	(void)b;
	if (err)
		return err;
	if (!arg->text.len || arg->text.len > RULES_CHAIN_NAME_MAX ||
		builtin_target(arg->text) != TARGET_NONE)
		return parser_fail(
			l->p, arg, "-g '%.*s': not a chain", (int)arg->text.len, arg->text.p);
	l->to = *arg;
	l->has_to = true;
	l->rule->target = TARGET_GOTO;
	return 0;
}

/* letter, name, alias, has_arg, invertible, parse, value */
static const struct base_option base_options[] = {
	{'A', "append", NULL, true, false, parse_command, COMMAND_APPEND},
	{'I', "insert", NULL, true, false, parse_command, COMMAND_INSERT},
	{'D', "delete", NULL, true, false, parse_command, COMMAND_DELETE},
	{'R', "replace", NULL, true, false, parse_command, COMMAND_REPLACE},
	{'C', "check", NULL, true, false, parse_command, COMMAND_CHECK},
	{'N', "new-chain", NULL, true, false, parse_command, COMMAND_NEW_CHAIN},
	{'X', "delete-chain", NULL, false, false, parse_command_all, COMMAND_DELETE_CHAIN},
	{'F', "flush", NULL, false, false, parse_command_all, COMMAND_FLUSH},
	{'Z', "zero", NULL, false, false, parse_command_all, COMMAND_ZERO},
	{'P', "policy", NULL, true, false, parse_command_two, COMMAND_POLICY},
	{'E', "rename-chain", NULL, true, false, parse_command_two, COMMAND_RENAME},
	{'p', "protocol", NULL, true, true, parse_protocol, 0},
	{'s', "source", "src", true, true, parse_address, 0},
	{'d', "destination", "dst", true, true, parse_address, 0},
	{'i', "in-interface", NULL, true, true, parse_iface, 0},
	{'o', "out-interface", NULL, true, true, parse_iface, 0},
	{'f', "fragments", NULL, false, true, parse_fragment, 0},
	{'m', "match", NULL, true, false, parse_match, 0},
	{'j', "jump", NULL, true, false, parse_jump, 0},
	{'g', "goto", NULL, true, false, parse_goto, 0},
	{'c', "set-counters", NULL, true, false, parse_set_counters, 0},
	{'v', "verbose", NULL, false, false, parse_ignored, 0},
	{'4', "ipv4", NULL, false, false, parse_family, FAMILY_IPV4},
	{'6', "ipv6", NULL, false, false, parse_family, FAMILY_IPV6},
	{'M', "modprobe", NULL, true, false, parse_ignored, 0},
	{'L', "list", NULL, false, false, parse_refused, 0},
	{'S', "list-rules", NULL, false, false, parse_refused, 0},
	{'n', "numeric", NULL, false, false, parse_refused, 0},
	{'x', "exact", NULL, false, false, parse_refused, 0},
	{'t', "table", NULL, false, false, parse_refused, 0},
	{'w', "wait", NULL, false, false, parse_refused, 0},
	{'W', "wait-interval", NULL, false, false, parse_refused, 0},
	{'h', "help", NULL, false, false, parse_refused, 0},
	{'V', "version", NULL, false, false, parse_refused, 0},
	{'\0', "line-numbers", NULL, false, false, parse_refused, 0},
};

const struct base_option *base_option_at(size_t i)
{
	return i < ARRAY_LEN(base_options) ? &base_options[i] : NULL;
}

const struct base_option *base_option_by_letter(char letter)
{
	for (size_t i = 0; i < ARRAY_LEN(base_options); i++)
		if (base_options[i].letter && base_options[i].letter == letter)
			return &base_options[i];
	return NULL;
}
