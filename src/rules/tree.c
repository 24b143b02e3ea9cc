/* The tree itself: finding and changing tables, chains and rules. It knows no syntax. */
#include "rules/tree_edit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "rules/reach.h"

#define HOOK_BIT(hook) (1u << HOOK_##hook)

static const struct {
	const char *name;
	u32 hooks;
} table_kinds[] = {
	{"filter", HOOK_BIT(INPUT) | HOOK_BIT(FORWARD) | HOOK_BIT(OUTPUT)},
	{"nat", HOOK_BIT(PREROUTING) | HOOK_BIT(INPUT) | HOOK_BIT(OUTPUT) | HOOK_BIT(POSTROUTING)},
	{"mangle", HOOK_BIT(PREROUTING) | HOOK_BIT(INPUT) | HOOK_BIT(FORWARD) | HOOK_BIT(OUTPUT) |
			   HOOK_BIT(POSTROUTING)},
	{"raw", HOOK_BIT(PREROUTING) | HOOK_BIT(OUTPUT)},
	{"security", HOOK_BIT(INPUT) | HOOK_BIT(FORWARD) | HOOK_BIT(OUTPUT)},
};

const char table_names[] = "filter, nat, mangle, raw, security";

static const char *const hook_names[NR_HOOKS] = {
	"PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING"};

enum { HASH_FIRST_BUCKETS = 16 };

static u32 hash_name(const char *s, size_t len)
{
	u32 h = 2166136261u; /* FNV-1a */

	for (size_t i = 0; i < len; i++)
		h = (h ^ (u8)s[i]) * 16777619u;
	return h ^ h >> 15;
}

struct table *ruleset_table(const struct ruleset *set, const char *name)
{
	for (struct table *t = set->tables; t; t = t->next)
		if (!strcmp(t->name, name))
			return t;
	return NULL;
}

struct chain *table_chain(const struct table *t, struct str name)
{
	if (!t->nr_buckets)
		return NULL;
	struct chain *c = t->buckets[hash_name(name.p, name.len) & (t->nr_buckets - 1)];
	while (c && !str_eq(name, c->name))
		c = c->hash_next;
	return c;
}

struct str ruleset_line(const struct ruleset *set, struct pos pos)
{
	if (!pos.line || pos.line > set->nr_lines)
		return str_new("", 0);
	size_t from = set->lines[pos.line - 1];
	struct str line, rest;
	str_split(str_new(set->text.p + from, set->text.len - from), '\n', &line, &rest);
	if (line.len && line.p[line.len - 1] == '\r')
		line.len--;
	return line;
}

static struct chain **bucket(struct table *t, const char *name)
{
	return &t->buckets[hash_name(name, strlen(name)) & (t->nr_buckets - 1)];
}

static void hash_insert(struct table *t, struct chain *c)
{
	struct chain **head = bucket(t, c->name);

	c->hash_next = *head;
	*head = c;
}

static void hash_remove(struct table *t, struct chain *c)
{
	struct chain **at = bucket(t, c->name);

	while (*at != c)
		at = &(*at)->hash_next;
	*at = c->hash_next;
}

/* The old bucket arrays stay in the arena; together they are smaller than the last. */
static bool hash_grow(struct table *t)
{
	if (t->nr_chains < t->nr_buckets)
		return true;
	u32 nr = t->nr_buckets ? t->nr_buckets * 2 : HASH_FIRST_BUCKETS;
	struct chain **buckets = arena_array(&t->set->arena, nr, sizeof(struct chain *));
	if (!buckets)
		return false;
	t->buckets = buckets;
	t->nr_buckets = nr;
	for (struct chain *c = t->chains; c; c = c->next)
		hash_insert(t, c);
	return true;
}

struct chain *table_add_chain(struct table *t, struct str name)
{
	struct chain *c = arena_alloc(&t->set->arena, sizeof(*c));

	assert(name.len <= RULES_CHAIN_NAME_MAX);
	if (!c || !hash_grow(t))
		return NULL;
	c->table = t;
	c->hook = HOOK_NONE;
	memcpy(c->name, name.p, name.len);
	c->next = t->chains;
	t->chains = c;
	t->nr_chains++;
	hash_insert(t, c);
	return c;
}

void table_remove_chain(struct table *t, struct chain *c)
{
	struct chain **at = &t->chains;

	hash_remove(t, c);
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	t->nr_chains--;
}

void chain_rename(struct chain *c, struct str name)
{
	assert(name.len <= RULES_CHAIN_NAME_MAX);
	hash_remove(c->table, c);
	memset(c->name, 0, sizeof(c->name));
	memcpy(c->name, name.p, name.len);
	hash_insert(c->table, c);
}

/* A rule without a chain is gone. */
static void rule_detach(struct rule *r)
{
	if (r->to)
		r->to->nr_refs--;
	r->chain = NULL;
}

void chain_flush(struct chain *c)
{
	for (struct rule *r = c->rules; r; r = r->next)
		rule_detach(r);
	c->rules = c->last = NULL;
	c->nr_rules = 0;
}

void table_flush(struct table *t)
{
	struct chain *kept = NULL;

	for (struct chain *c = t->chains; c; c = c->next)
		chain_flush(c);
	memset(t->buckets, 0, t->nr_buckets * sizeof(struct chain *));
	t->nr_chains = 0;
	for (struct chain *c = t->chains, *next; c; c = next) {
		next = c->next;
		if (c->hook == HOOK_NONE)
			continue;
		c->next = kept;
		kept = c;
		hash_insert(t, c);
		t->nr_chains++;
	}
	t->chains = kept;
}

void chain_append(struct chain *c, struct rule *r)
{
	r->chain = c;
	r->next = NULL;
	if (c->last)
		c->last->next = r;
	else
		c->rules = r;
	c->last = r;
	c->nr_rules++;
}

bool chain_insert(struct chain *c, struct rule *r, u32 number)
{
	struct rule **at = &c->rules;

	if (!number || number > c->nr_rules + 1)
		return false;
	if (number == c->nr_rules + 1) {
		chain_append(c, r);
		return true;
	}
	for (u32 i = 1; i < number; i++)
		at = &(*at)->next;
	r->chain = c;
	r->next = *at;
	*at = r;
	c->nr_rules++;
	return true;
}

void chain_remove(struct chain *c, struct rule *before, struct rule *r)
{
	rule_detach(r);
	if (before)
		before->next = r->next;
	else
		c->rules = r->next;
	if (c->last == r)
		c->last = before;
	c->nr_rules--;
}

int ruleset_add_table(struct ruleset *set, struct str name, struct table **out)
{
	struct table **end = &set->tables;
	size_t kind = 0;

	while (kind < ARRAY_LEN(table_kinds) && !str_eq(name, table_kinds[kind].name))
		kind++;
	*out = NULL;
	if (kind == ARRAY_LEN(table_kinds))
		return 0;
	*out = ruleset_table(set, table_kinds[kind].name);
	if (*out)
		return 0;
	struct table *t = arena_alloc(&set->arena, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->set = set;
	t->name = table_kinds[kind].name;
	for (int hook = 0; hook < NR_HOOKS; hook++) {
		if (!(table_kinds[kind].hooks & 1u << hook))
			continue;
		struct chain *c = table_add_chain(t, str_of(hook_names[hook]));
		if (!c)
			return -ENOMEM;
		c->hook = (enum hook)hook;
		c->policy = TARGET_ACCEPT;
	}
	while (*end)
		end = &(*end)->next;
	*end = t;
	set->nr_tables++;
	*out = t;
	return 0;
}

static int compare_chains(const void *a, const void *b)
{
	const struct chain *x = *(struct chain *const *)a, *y = *(struct chain *const *)b;
	bool x_user = x->hook == HOOK_NONE, y_user = y->hook == HOOK_NONE;

	if (x_user != y_user)
		return x_user - y_user;
	return x_user ? strcmp(x->name, y->name) : (int)x->hook - (int)y->hook;
}

static int table_sort(struct table *t)
{
	struct chain **all = mem_alloc(array_size(t->nr_chains, sizeof(struct chain *)));
	size_t nr = 0;

	if (!all)
		return -ENOMEM;
	for (struct chain *c = t->chains; c; c = c->next)
		all[nr++] = c;
	assert(nr == t->nr_chains);
	qsort(all, nr, sizeof(struct chain *), compare_chains);
	for (size_t i = 0; i < nr; i++)
		all[i]->next = i + 1 < nr ? all[i + 1] : NULL;
	t->chains = all[0];
	mem_free(all);
	return 0;
}

static void chain_number(struct ruleset *set, struct chain *c)
{
	bool dead = false;
	u32 number = 0;

	c->index = set->nr_chains++;
	if (c->hook != HOOK_NONE)
		c->policy_counter = set->nr_counters++;
	for (struct rule *r = c->rules; r; r = r->next) {
		r->dead = dead;
		dead = dead || rule_ends_chain(r);
		r->number = ++number;
		r->counter = set->nr_counters++;
		set->nr_rules++;
	}
}

int ruleset_finish(struct ruleset *set)
{
	set->nr_chains = 0;
	set->nr_counters = 0;
	set->nr_rules = 0;
	for (struct table *t = set->tables; t; t = t->next) {
		if (table_sort(t))
			return -ENOMEM;
		for (struct chain *c = t->chains; c; c = c->next)
			chain_number(set, c);
	}
	return 0;
}
