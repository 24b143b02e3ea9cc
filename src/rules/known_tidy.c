/* The canonical form of options of extensions that aren't run here. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "rules/known.h"

struct tidy {
	const struct known_extension *known;
	enum family family;
	struct arena *arena;
	struct known_values *values;
	bool failed; /* sticky: no memory */
};

static struct str tidy_printf(struct tidy *t, const char *fmt, ...) PRINTF_LIKE(2, 3);

static struct str tidy_printf(struct tidy *t, const char *fmt, ...)
{
	struct buf text = {0};
	va_list args;

	va_start(args, fmt);
	buf_vprintf(&text, fmt, args);
	va_end(args);
	char *copy =
		text.failed ? NULL : arena_strndup(t->arena, (const char *)text.data, text.len);
	struct str s = copy ? str_new(copy, text.len) : str_new("", 0);
	t->failed = t->failed || !copy;
	buf_fini(&text);
	return s;
}

static u32 row_of(const struct tidy *t, const char *name)
{
	struct str rest = str_of(t->known->options);
	struct known_option option;
	u32 row = 0;

	while (known_option_next(&rest, &option) && !str_eq(option.name, name))
		row++;
	return row;
}

static struct known_value *find(struct tidy *t, const char *name)
{
	for (size_t i = 0; i < t->values->nr; i++)
		if (str_eq(t->values->at[i].name, name))
			return &t->values->at[i];
	return NULL;
}

static void rename_to(struct tidy *t, struct known_value *v, const char *name)
{
	v->name = str_of(name);
	v->row = row_of(t, name);
}

/* argument NULL: a flag. */
static void add(struct tidy *t, const char *name, const char *argument)
{
	struct known_values *all = t->values;
	struct known_value v = {.name = str_of(name), .row = row_of(t, name)};

	if (argument) {
		v.args[0].text = str_of(argument);
		v.nr_args = 1;
	}
	if (array_grow((void **)&all->at, &all->cap, all->nr + 1, sizeof(*all->at)))
		t->failed = true;
	else
		all->at[all->nr++] = v;
}

static void add_default(struct tidy *t, const char *name, const char *argument)
{
	if (!find(t, name))
		add(t, name, argument);
}

static void drop(struct tidy *t, struct known_value *v)
{
	struct known_value *end = t->values->at + t->values->nr--;

	memmove(v, v + 1, (size_t)(end - v - 1) * sizeof(*v));
}

static void set_arg(struct known_value *v, struct str text)
{
	v->args[0] = (struct raw_word){.text = text};
}

/* value[/mask] to numbers; false when it is anything else. */
static bool masked(const struct known_value *v, u32 default_mask, u32 *value, u32 *mask)
{
	struct str first, second;

	*mask = default_mask;
	return (!str_split(v->args[0].text, '/', &first, &second) || str_to_u32(second, mask)) &&
	       str_to_u32(first, value);
}

/* "0x1" or "0x1/0xff", as most masked values are printed. */
static void tidy_masked(struct tidy *t, const char *name)
{
	struct known_value *v = find(t, name);
	u32 value, mask;

	if (!v || !masked(v, UINT32_MAX, &value, &mask))
		return;
	set_arg(v, mask == UINT32_MAX ? tidy_printf(t, "0x%x", value)
				      : tidy_printf(t, "0x%x/0x%x", value, mask));
}

static void tidy_connmark(struct tidy *t)
{
	tidy_masked(t, "mark");
}

static void tidy_realm(struct tidy *t)
{
	tidy_masked(t, "realm");
}

static void tidy_devgroup(struct tidy *t)
{
	tidy_masked(t, "src-group");
	tidy_masked(t, "dst-group");
}

/* All ways to set a mark are printed as --set-xmark. */
static void tidy_set_mark(struct tidy *t, const char *name)
{
	struct known_value *v = find(t, name);
	u32 value, mask;

	if (!v || !masked(v, UINT32_MAX, &value, &mask))
		return;
	if (!strcmp(name, "set-mark"))
		mask |= value;
	else if (!strcmp(name, "and-mark"))
		mask = ~value, value = 0;
	else if (!strcmp(name, "or-mark"))
		mask = value;
	else if (!strcmp(name, "xor-mark"))
		mask = 0;
	set_arg(v, tidy_printf(t, "0x%x/0x%x", value, mask));
	rename_to(t, v, "set-xmark");
}

static void tidy_CONNMARK(struct tidy *t)
{
	static const char *const setters[] = {
		"set-xmark", "set-mark", "and-mark", "or-mark", "xor-mark"};
	struct known_value *both = find(t, "mask");
	const char *mask = "0xffffffff";
	u32 value, unused;

	for (size_t i = 0; i < ARRAY_LEN(setters); i++)
		tidy_set_mark(t, setters[i]);
	if (!find(t, "save-mark") && !find(t, "restore-mark"))
		return;
	if (both && masked(both, 0, &value, &unused)) {
		mask = tidy_printf(t, "0x%x", value).p;
		drop(t, both);
	}
	add_default(t, "nfmask", mask);
	add_default(t, "ctmask", mask);
	tidy_masked(t, "nfmask");
	tidy_masked(t, "ctmask");
}

/* CS0 ... CS7, AF11 ... AF43, BE, EF */
static bool dscp_class(struct str s, u32 *out)
{
	if (str_eq_nocase(s, "BE"))
		*out = 0;
	else if (str_eq_nocase(s, "EF"))
		*out = 0x2e;
	else if (s.len == 3 && !strncasecmp(s.p, "CS", 2) && s.p[2] >= '0' && s.p[2] <= '7')
		*out = (u32)(s.p[2] - '0') * 8;
	else if (s.len == 4 && !strncasecmp(s.p, "AF", 2) && s.p[2] >= '1' && s.p[2] <= '4' &&
		 s.p[3] >= '1' && s.p[3] <= '3')
		*out = (u32)(s.p[2] - '0') * 8 + (u32)(s.p[3] - '0') * 2;
	else
		return false;
	return true;
}

static void tidy_dscp_option(struct tidy *t, const char *number, const char *class)
{
	struct known_value *v = find(t, class);
	u32 value;

	if (v && dscp_class(v->args[0].text, &value))
		rename_to(t, v, number);
	else if (v || !(v = find(t, number)) || !str_to_u32(v->args[0].text, &value))
		return;
	set_arg(v, tidy_printf(t, "0x%02x", value));
}

static void tidy_dscp(struct tidy *t)
{
	tidy_dscp_option(t, "dscp", "dscp-class");
}

static void tidy_DSCP(struct tidy *t)
{
	tidy_dscp_option(t, "set-dscp", "set-dscp-class");
}

static void tidy_tos_option(struct tidy *t, const char *name)
{
	static const struct {
		const char *name;
		u32 value;
	} symbols[] = {
		{"Minimize-Delay", 16},
		{"Maximize-Throughput", 8},
		{"Maximize-Reliability", 4},
		{"Minimize-Cost", 2},
		{"Normal-Service", 0},
	};
	struct known_value *v = find(t, name);
	u32 value = 0, mask = 0x3f;
	bool known = false;

	if (!v)
		return;
	for (size_t i = 0; i < ARRAY_LEN(symbols) && !known; i++) {
		known = str_eq_nocase(v->args[0].text, symbols[i].name);
		value = symbols[i].value;
	}
	if (known || masked(v, 0xff, &value, &mask))
		set_arg(v, tidy_printf(t, "0x%02x/0x%02x", value, mask));
}

static void tidy_tos(struct tidy *t)
{
	tidy_tos_option(t, "tos");
}

static void tidy_TOS(struct tidy *t)
{
	tidy_tos_option(t, "set-tos");
}

/* The kernel keeps 31 bits of it. */
static void tidy_statistic(struct tidy *t)
{
	struct known_value *v = find(t, "probability");
	const double one = 2147483648.0;
	char text[64], *end;

	if (!v || !v->args[0].text.len || v->args[0].text.len >= sizeof(text))
		return;
	memcpy(text, v->args[0].text.p, v->args[0].text.len);
	text[v->args[0].text.len] = '\0';
	double p = strtod(text, &end);
	if (*end || !(p >= 0 && p <= 1))
		return;
	set_arg(v, tidy_printf(t, "%.11f", (double)(u64)(p * one + 0.5) / one));
}

static void tidy_connlimit(struct tidy *t)
{
	struct known_value *above = find(t, "connlimit-above"), *upto = find(t, "connlimit-upto");

	if (above && above->invert)
		rename_to(t, above, "connlimit-upto");
	if (upto && upto->invert)
		rename_to(t, upto, "connlimit-above");
	if (above)
		above->invert = false;
	if (upto)
		upto->invert = false;
	add_default(t, "connlimit-mask", t->family == FAMILY_IPV4 ? "32" : "128");
	if (!find(t, "connlimit-daddr"))
		add_default(t, "connlimit-saddr", NULL);
}

static void tidy_recent(struct tidy *t)
{
	add_default(t, "name", "DEFAULT");
	add_default(t, "mask",
		t->family == FAMILY_IPV4 ? "255.255.255.255"
					 : "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
	if (!find(t, "rdest"))
		add_default(t, "rsource", NULL);
}

/* Packets per unit of time in the longest unit that loses nothing; byte rates stay. The buckets' life is one unit: when the
 * unit changes it is said. */
static void tidy_rate(struct tidy *t, struct known_value *v)
{
	static const struct {
		const char *written, *printed;
		u32 seconds;
	} units[] = {{"day", "day", 86400}, {"hour", "hour", 3600}, {"minute", "min", 60},
		{"second", "sec", 1}};
	const u64 scale = 1000000;
	struct str number, unit;
	u64 rate, seconds = 0;
	size_t i = 0;

	if (!str_split(v->args[0].text, '/', &number, &unit))
		unit = str_of("second");
	while (i < ARRAY_LEN(units) && (!unit.len || unit.len > strlen(units[i].written) ||
					       strncasecmp(units[i].written, unit.p, unit.len)))
		i++;
	if (i < ARRAY_LEN(units))
		seconds = units[i].seconds;
	if (!seconds || !str_to_u64(number, &rate) || !rate || rate > scale * seconds)
		return;
	u64 period = scale * seconds / rate;
	for (i = 1; i < ARRAY_LEN(units); i++)
		if (period > scale * units[i].seconds ||
			scale * units[i].seconds / period < scale * units[i].seconds % period)
			break;
	set_arg(v, tidy_printf(t, "%llu/%s",
			   (unsigned long long)(scale * units[i - 1].seconds / period),
			   units[i - 1].printed));
	if (units[i - 1].seconds != seconds)
		add_default(t, "hashlimit-htable-expire",
			tidy_printf(t, "%llu000", (unsigned long long)seconds).p);
}

static void tidy_hashlimit_mode(struct tidy *t)
{
	static const char *const modes[] = {"srcip", "srcport", "dstip", "dstport"};
	struct known_value *v = find(t, "hashlimit-mode");
	struct str all = v ? v->args[0].text : str_new("", 0), result = str_new("", 0);

	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		struct str rest = all, one;
		bool more = all.len > 0;

		while (more) {
			more = str_split(rest, ',', &one, &rest);
			if (!str_eq_nocase(one, modes[i]))
				continue;
			result = tidy_printf(t, "%.*s%s%s", (int)result.len, result.p,
				result.len ? "," : "", modes[i]);
			break;
		}
	}
	if (result.len)
		set_arg(v, result);
}

static void tidy_hashlimit(struct tidy *t)
{
	struct known_value *old = find(t, "hashlimit"), *upto, *above;

	if (old)
		rename_to(t, old, "hashlimit-upto");
	upto = find(t, "hashlimit-upto");
	above = find(t, "hashlimit-above");
	if (upto && upto->invert)
		rename_to(t, upto, "hashlimit-above");
	if (above && above->invert)
		rename_to(t, above, "hashlimit-upto");
	if (!upto)
		upto = above;
	if (upto) {
		upto->invert = false;
		tidy_rate(t, upto); /* may move the values */
	}
	add_default(t, "hashlimit-burst", "5");
	tidy_hashlimit_mode(t);
}

/* "10:" is printed as "10". */
static void tidy_connbytes(struct tidy *t)
{
	struct known_value *v = find(t, "connbytes");

	if (v && v->args[0].text.len > 1 && v->args[0].text.p[v->args[0].text.len - 1] == ':')
		v->args[0].text.len--;
}

static void tidy_TPROXY(struct tidy *t)
{
	struct known_value *v = find(t, "tproxy-mark");
	u32 value, mask;

	if (v && masked(v, UINT32_MAX, &value, &mask))
		set_arg(v, tidy_printf(t, "0x%x/0x%x", value, mask));
	add_default(t, "on-ip", t->family == FAMILY_IPV4 ? "0.0.0.0" : "::");
}

static void tidy_NFQUEUE(struct tidy *t)
{
	if (!find(t, "queue-balance"))
		add_default(t, "queue-num", "0");
}

static void tidy_ipv6header(struct tidy *t)
{
	static const struct {
		const char *written, *printed;
	} names[] = {
		{"hop", "hop-by-hop"},
		{"dst", "ipv6-opts"},
		{"route", "ipv6-route"},
		{"frag", "ipv6-frag"},
		{"auth", "ah"},
		{"esp", "esp"},
		{"none", "ipv6-nonxt"},
		{"prot", "protocol"},
	};
	struct known_value *v = find(t, "header");
	struct str result = str_new("", 0);
	size_t nr_found = 0, nr_words = v != NULL;

	for (size_t i = 0; v && i < v->args[0].text.len; i++)
		nr_words += v->args[0].text.p[i] == ',';
	for (size_t i = 0; v && i < ARRAY_LEN(names); i++) {
		struct str rest = v->args[0].text, one;
		bool more = true;

		while (more) {
			more = str_split(rest, ',', &one, &rest);
			if (!str_eq(one, names[i].written) && !str_eq(one, names[i].printed))
				continue;
			result = tidy_printf(t, "%.*s%s%s", (int)result.len, result.p,
				result.len ? "," : "", names[i].printed);
			nr_found++;
			break;
		}
	}
	if (v && nr_found == nr_words)
		set_arg(v, result);
}

static const struct {
	const char *name;
	void (*run)(struct tidy *t);
} tidies[] = {
	{"connmark", tidy_connmark},
	{"realm", tidy_realm},
	{"devgroup", tidy_devgroup},
	{"CONNMARK", tidy_CONNMARK},
	{"dscp", tidy_dscp},
	{"DSCP", tidy_DSCP},
	{"tos", tidy_tos},
	{"TOS", tidy_TOS},
	{"statistic", tidy_statistic},
	{"connlimit", tidy_connlimit},
	{"recent", tidy_recent},
	{"hashlimit", tidy_hashlimit},
	{"NFQUEUE", tidy_NFQUEUE},
	{"ipv6header", tidy_ipv6header},
	{"connbytes", tidy_connbytes},
	{"TPROXY", tidy_TPROXY},
};

static int compare_values(const void *a, const void *b)
{
	const struct known_value *x = a, *y = b;

	return x->row < y->row ? -1 : x->row > y->row;
}

bool known_repeats(const struct known_extension *k)
{
	return !strcmp(k->name, "policy");
}

int known_tidy(const struct known_extension *k, enum family family, struct arena *arena,
	struct known_values *v)
{
	struct tidy t = {.known = k, .family = family, .arena = arena, .values = v};

	for (size_t i = 0; i < ARRAY_LEN(tidies); i++)
		if (!strcmp(tidies[i].name, k->name))
			tidies[i].run(&t);
	if (v->nr && !known_repeats(k))
		qsort(v->at, v->nr, sizeof(*v->at), compare_values);
	return t.failed ? -ENOMEM : 0;
}
