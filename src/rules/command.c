/* What a rule line does to the tree. */
#include "rules/parser.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "rules/print.h"

const char *chain_name_error(struct str name)
{
	if (!name.len)
		return "a chain's name can't be empty";
	if (name.len > RULES_CHAIN_NAME_MAX)
		return "a chain's name has at most 28 characters";
	for (size_t i = 0; i < name.len; i++)
		if (name.p[i] == ' ' || name.p[i] == '\t')
			return "a chain's name has no blanks";
	return NULL;
}
_Static_assert(RULES_CHAIN_NAME_MAX == 28, "the message says so");

static struct chain *find_chain(struct rule_line *l, const struct word *name)
{
	struct chain *c = table_chain(l->p->table, name->text);

	if (!c)
		parser_fail(l->p, name,
			"no chain '%.*s' in table %s; declare it before with ':%.*s - [0:0]'",
			(int)name->text.len, name->text.p, l->p->table->name, (int)name->text.len,
			name->text.p);
	return c;
}

/* -o can't be asked about packets that come in, -i not about those that go out. */
static int check_interfaces(struct rule_line *l)
{
	static const char *const no_out[] = {"PREROUTING", "INPUT"}, *const no_in[] = {"OUTPUT",
									     "POSTROUTING"};
	bool has_in = l->given & 1u << ('i' - 'a'), has_out = l->given & 1u << ('o' - 'a');

	for (size_t i = 0; i < ARRAY_LEN(no_out); i++) {
		if (has_out && str_eq(l->chain_name.text, no_out[i]))
			return parser_fail(l->p, &l->chain_name,
				"-o can't be used in %s: there is no output interface yet",
				no_out[i]);
		if (has_in && str_eq(l->chain_name.text, no_in[i]))
			return parser_fail(l->p, &l->chain_name,
				"-i can't be used in %s: there is no input interface any more",
				no_in[i]);
	}
	return 0;
}

static int resolve_target(struct rule_line *l)
{
	struct rule *r = l->rule;

	if (l->has_to) {
		r->to_name = l->to.text;
		r->target_pos = parser_pos(l->p, l->to.col, l->to.width);
	}
	if (r->target != TARGET_JUMP && r->target != TARGET_GOTO)
		return 0;
	r->to = table_chain(l->p->table, l->to.text);
	if (r->to && r->to->hook != HOOK_NONE)
		return parser_fail(l->p, &l->to,
			"'%s' is a built-in chain; only user chains can be jumped to", r->to->name);
	return 0;
}

static void set_addresses(struct rule *r, const struct net *src, const struct net *dst)
{
	if (src) {
		memcpy(r->src, src->addr, sizeof(r->src));
		memcpy(r->src_mask, src->mask, sizeof(r->src_mask));
	}
	if (dst) {
		memcpy(r->dst, dst->addr, sizeof(r->dst));
		memcpy(r->dst_mask, dst->mask, sizeof(r->dst_mask));
	}
}

/* One rule of the line goes into its chain. */
static int place_rule(struct rule_line *l, struct chain *c, struct rule *r)
{
	struct parser *p = l->p;

	if (l->command == COMMAND_APPEND)
		chain_append(c, r);
	else if (!chain_insert(c, r, l->number ? l->number : 1))
		return parser_fail(p, &l->chain_name,
			"no position %u in chain %s, which has %u rules", l->number, c->name,
			c->nr_rules);
	if (r->to) {
		r->to->nr_refs++;
		return 0;
	}
	if (r->target != TARGET_JUMP && r->target != TARGET_GOTO)
		return 0;
	if (array_grow((void **)&p->unresolved, &p->cap_unresolved, p->nr_unresolved + 1,
		    sizeof(struct rule *)))
		return parser_nomem(p);
	p->unresolved[p->nr_unresolved++] = r;
	return 0;
}

/* Several addresses make several rules: each source with each destination. */
static int add_rules(struct rule_line *l, struct chain *c)
{
	size_t nr_src = l->src.nr ? l->src.nr : 1, nr_dst = l->dst.nr ? l->dst.nr : 1;

	for (size_t s = 0; s < nr_src; s++) {
		for (size_t d = 0; d < nr_dst; d++) {
			struct rule *r = l->rule;

			if (nr_src * nr_dst > 1) {
				r = arena_alloc(&l->p->set->arena, sizeof(*r));
				if (!r)
					return parser_nomem(l->p);
				*r = *l->rule;
			}
			set_addresses(r, l->src.nr ? &l->src.at[s] : NULL,
				l->dst.nr ? &l->dst.at[d] : NULL);
			int err = place_rule(l, c, r);
			if (err)
				return err;
		}
	}
	return 0;
}

static int do_append(struct rule_line *l)
{
	struct chain *c = find_chain(l, &l->chain_name);

	return c ? add_rules(l, c) : -EINVAL;
}

/* Two rules are the same when they print the same. */
static bool same_rule(struct buf *text, const char *wanted, const struct rule *r)
{
	buf_reset(text);
	rule_print(text, r);
	return !strcmp(buf_cstr(text), wanted);
}

/* The first rule equal to l->rule; *before is the one before it. */
static struct rule *find_rule(struct rule_line *l, struct chain *c, struct rule **before)
{
	struct buf wanted = {0}, text = {0};
	struct rule *r = c->rules;

	l->rule->chain = c;
	rule_print(&wanted, l->rule);
	const char *wanted_text = buf_cstr(&wanted);
	*before = NULL;
	while (r && !same_rule(&text, wanted_text, r)) {
		*before = r;
		r = r->next;
	}
	buf_fini(&wanted);
	buf_fini(&text);
	return r;
}

static int find_each(struct rule_line *l, struct chain *c, bool remove)
{
	size_t nr_src = l->src.nr ? l->src.nr : 1, nr_dst = l->dst.nr ? l->dst.nr : 1;

	for (size_t i = 0; i < nr_src * nr_dst; i++) {
		struct rule *before;

		set_addresses(l->rule, l->src.nr ? &l->src.at[i / nr_dst] : NULL,
			l->dst.nr ? &l->dst.at[i % nr_dst] : NULL);
		struct rule *r = find_rule(l, c, &before);
		if (!r)
			return parser_fail(l->p, NULL, "no such rule in chain %s", c->name);
		if (remove)
			chain_remove(c, before, r);
	}
	return 0;
}

static int do_delete(struct rule_line *l)
{
	struct chain *c = find_chain(l, &l->chain_name);

	return c ? find_each(l, c, true) : -EINVAL;
}

static int do_check(struct rule_line *l)
{
	struct chain *c = find_chain(l, &l->chain_name);

	return c ? find_each(l, c, false) : -EINVAL;
}

static int remove_number(struct rule_line *l, struct chain *c)
{
	struct rule *before = NULL, *r = c->rules;

	if (l->number > c->nr_rules)
		return parser_fail(l->p, &l->chain_name,
			"no rule %u in chain %s, which has %u rules", l->number, c->name,
			c->nr_rules);
	for (u32 i = 1; i < l->number; i++) {
		before = r;
		r = r->next;
	}
	chain_remove(c, before, r);
	return 0;
}

static int do_delete_number(struct rule_line *l)
{
	struct chain *c = find_chain(l, &l->chain_name);

	return c ? remove_number(l, c) : -EINVAL;
}

static int do_replace(struct rule_line *l)
{
	struct chain *c = find_chain(l, &l->chain_name);

	if (!c)
		return -EINVAL;
	if (l->src.nr > 1 || l->dst.nr > 1)
		return parser_fail(l->p, l->command_word,
			"-R puts one rule in place of one; several addresses make several rules");
	int err = remove_number(l, c);
	return err ? err : add_rules(l, c);
}

static int new_name_check(struct rule_line *l, const struct word *name)
{
	struct str s = name->text;
	const char *wrong = chain_name_error(s);

	if (wrong)
		return parser_fail(l->p, name, "%s", wrong);
	if (s.p[0] == '-' || s.p[0] == '!')
		return parser_fail(l->p, name, "a chain's name can't begin with '%c'", s.p[0]);
	if (target_ops_by_name(s, l->p->set->family) || known_target_by_name(s, l->p->set->family))
		return parser_fail(l->p, name, "'%.*s' is a target's name", (int)s.len, s.p);
	if (table_chain(l->p->table, s))
		return parser_fail(l->p, name, "chain '%.*s' is there already", (int)s.len, s.p);
	return 0;
}

static int do_new_chain(struct rule_line *l)
{
	int err = new_name_check(l, &l->chain_name);

	if (err)
		return err;
	struct chain *c = table_add_chain(l->p->table, l->chain_name.text);
	if (!c)
		return parser_nomem(l->p);
	c->pos = parser_pos(l->p, l->chain_name.col, l->chain_name.width);
	return 0;
}

static int delete_chain(struct rule_line *l, struct chain *c)
{
	const struct word *at = l->chain_name.width ? &l->chain_name : l->command_word;

	if (c->nr_rules)
		return parser_fail(l->p, at, "chain '%s' still has %u rules", c->name, c->nr_rules);
	if (c->nr_refs)
		return parser_fail(
			l->p, at, "chain '%s' is still used by %u rules", c->name, c->nr_refs);
	table_remove_chain(l->p->table, c);
	return 0;
}

static int do_delete_chain(struct rule_line *l)
{
	if (l->chain_name.width) {
		struct chain *c = find_chain(l, &l->chain_name);

		if (!c)
			return -EINVAL;
		if (c->hook != HOOK_NONE)
			return parser_fail(l->p, &l->chain_name,
				"built-in chain '%s' can't be deleted", c->name);
		return delete_chain(l, c);
	}
	for (struct chain *c = l->p->table->chains, *next; c; c = next) {
		next = c->next;
		int err = c->hook == HOOK_NONE ? delete_chain(l, c) : 0;
		if (err)
			return err;
	}
	return 0;
}

static int do_flush(struct rule_line *l)
{
	if (l->chain_name.width) {
		struct chain *c = find_chain(l, &l->chain_name);

		if (!c)
			return -EINVAL;
		chain_flush(c);
		return 0;
	}
	for (struct chain *c = l->p->table->chains; c; c = c->next)
		chain_flush(c);
	return 0;
}

/* Counters that the file sets stay, and all others are zero anyway: there is nothing to do but to look for the chain. */
static int do_zero(struct rule_line *l)
{
	if (!l->chain_name.width)
		return 0;
	struct chain *c = find_chain(l, &l->chain_name);
	if (!c)
		return -EINVAL;
	if (l->number > c->nr_rules)
		return parser_fail(l->p, &l->chain_name,
			"no rule %u in chain %s, which has %u rules", l->number, c->name,
			c->nr_rules);
	return 0;
}

static int do_policy(struct rule_line *l)
{
	struct chain *c = find_chain(l, &l->chain_name);

	if (!c)
		return -EINVAL;
	if (c->hook == HOOK_NONE)
		return parser_fail(l->p, &l->chain_name,
			"'%s' is a user chain; only built-in chains have a policy", c->name);
	if (str_eq(l->policy.text, "ACCEPT"))
		c->policy = TARGET_ACCEPT;
	else if (str_eq(l->policy.text, "DROP"))
		c->policy = TARGET_DROP;
	else
		return parser_fail(l->p, &l->policy,
			"'%.*s' is not a policy: ACCEPT or DROP was expected",
			(int)l->policy.text.len, l->policy.text.p);
	return 0;
}

static int do_rename(struct rule_line *l)
{
	struct chain *c = find_chain(l, &l->chain_name);

	if (!c)
		return -EINVAL;
	if (c->hook != HOOK_NONE)
		return parser_fail(
			l->p, &l->chain_name, "built-in chain '%s' can't be renamed", c->name);
	int err = new_name_check(l, &l->new_name);
	if (!err)
		chain_rename(c, l->new_name.text);
	return err;
}

static const struct {
	bool takes_rule;
	int (*run)(struct rule_line *l);
} commands[] = {
	[COMMAND_APPEND] = {true, do_append},
	[COMMAND_INSERT] = {true, do_append},
	[COMMAND_DELETE] = {true, do_delete},
	[COMMAND_DELETE_NUMBER] = {false, do_delete_number},
	[COMMAND_REPLACE] = {true, do_replace},
	[COMMAND_CHECK] = {true, do_check},
	[COMMAND_NEW_CHAIN] = {false, do_new_chain},
	[COMMAND_DELETE_CHAIN] = {false, do_delete_chain},
	[COMMAND_FLUSH] = {false, do_flush},
	[COMMAND_ZERO] = {false, do_zero},
	[COMMAND_POLICY] = {false, do_policy},
	[COMMAND_RENAME] = {false, do_rename},
};

int command_execute(struct rule_line *l)
{
	assert(l->command > COMMAND_NONE && l->command < ARRAY_LEN(commands));
	if (commands[l->command].takes_rule) {
		int err = check_interfaces(l);
		if (!err)
			err = resolve_target(l);
		if (err)
			return err;
	} else if (l->given || l->nr_loaded) {
		return parser_fail(
			l->p, l->command_word, "this command takes no rule, so no options of one");
	}
	return commands[l->command].run(l);
}
