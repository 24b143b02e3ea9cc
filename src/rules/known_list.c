/* Listings of extensions that aren't run here. A row gives an option's form; options without a row are listed by name and
 * arguments. In a form: '%' the argument, '&' the argument with '-' for ',', {x} the argument of option x, '~' a '!' when
 * inverted, '^' the same with a blank behind, '$' ":" or for a range "s:", '?' at the end: nothing for an argument of 0.
 * Without '~' and '^' the '!' comes first. */
#include <string.h>

#include "base/buf.h"
#include "rules/known.h"
#include "rules/print_text.h"

static const struct {
	const char *extension, *option, *form; /* option NULL: what comes before the options */
} forms[] = {
	{"addrtype", NULL, " ADDRTYPE match"},
	{"addrtype", "src-type", " src-type ~%"},
	{"addrtype", "dst-type", " dst-type ~%"},
	{"addrtype", "limit-iface-in", " limit-in"},
	{"addrtype", "limit-iface-out", " limit-out"},
	{"connbytes", "connbytes", " connbytes %"},
	{"connbytes", "connbytes-mode", " connbytes mode %"},
	{"connbytes", "connbytes-dir", " connbytes direction %"},
	{"connlimit", "connlimit-upto", " #conn ^{side}/{connlimit-mask} <= %"},
	{"connlimit", "connlimit-above", " #conn ^{side}/{connlimit-mask} > %"},
	{"connlimit", "connlimit-mask", ""},
	{"connlimit", "connlimit-saddr", ""},
	{"connlimit", "connlimit-daddr", ""},
	{"connmark", "mark", " connmark match ~ %"},
	{"dscp", "dscp", " DSCP match ~%"},
	{"dst", NULL, " dst"},
	{"dst", "dst-len", " length:~%"},
	{"dst", "dst-opts", " opts %"},
	{"hashlimit", "hashlimit-upto", " limit: up to % burst {hashlimit-burst}"},
	{"hashlimit", "hashlimit-above", " limit: above % burst {hashlimit-burst}"},
	{"hashlimit", "hashlimit-burst", ""},
	{"hashlimit", "hashlimit-mode", " mode &"},
	{"hashlimit", "hashlimit-name", ""},
	{"hashlimit", "hashlimit-htable-size", " htable-size %"},
	{"hashlimit", "hashlimit-htable-max", " htable-max %"},
	{"hashlimit", "hashlimit-htable-gcinterval", " htable-gcinterval %"},
	{"hashlimit", "hashlimit-htable-expire", " htable-expire %"},
	{"hashlimit", "hashlimit-srcmask", " srcmask %"},
	{"hashlimit", "hashlimit-dstmask", " dstmask %"},
	{"hbh", NULL, " hbh"},
	{"hbh", "hbh-len", " length:~%"},
	{"hbh", "hbh-opts", " opts %"},
	{"helper", "helper", " helper match ^\"%\""},
	{"physdev", NULL, " PHYSDEV match"},
	{"physdev", "physdev-is-in", " --physdev-is-in"},
	{"physdev", "physdev-in", " --physdev-in %"},
	{"physdev", "physdev-is-out", " --physdev-is-out"},
	{"physdev", "physdev-out", " --physdev-out %"},
	{"physdev", "physdev-is-bridged", " --physdev-is-bridged"},
	{"pkttype", "pkt-type", " PKTTYPE ~= %"},
	{"policy", NULL, " policy match"},
	{"quota", "quota", " quota: % bytes"},
	{"recent", "set", " recent: SET"},
	{"recent", "rcheck", " recent: CHECK"},
	{"recent", "update", " recent: UPDATE"},
	{"recent", "remove", " recent: REMOVE"},
	{"recent", "seconds", " seconds: %"},
	{"recent", "hitcount", " hit_count: %"},
	{"recent", "rttl", " TTL-Match"},
	{"recent", "name", " name: %"},
	{"recent", "mask", ""},
	{"recent", "rsource", " side: source mask: {mask}"},
	{"recent", "rdest", " side: dest mask: {mask}"},
	{"rpfilter", NULL, " rpfilter"},
	{"rt", NULL, " rt"},
	{"rt", "rt-type", " type:~%"},
	{"rt", "rt-segsleft", " segsleft$~%"},
	{"rt", "rt-len", " length:~%"},
	{"rt", "rt-0-res", " reserved"},
	{"rt", "rt-0-addrs", " 0-addrs %"},
	{"rt", "rt-0-not-strict", " 0-not-strict"},
	{"dccp", NULL, " dccp"},
	{"dccp", "source-port", " spt$~%"},
	{"dccp", "sport", " spt$~%"},
	{"dccp", "destination-port", " dpt$~%"},
	{"dccp", "dport", " dpt$~%"},
	{"sctp", NULL, " sctp"},
	{"sctp", "source-port", " spt$~%"},
	{"sctp", "sport", " spt$~%"},
	{"sctp", "destination-port", " dpt$~%"},
	{"sctp", "dport", " dpt$~%"},
	{"socket", NULL, " socket"},
	{"socket", "transparent", " --transparent"},
	{"socket", "nowildcard", " --nowildcard"},
	{"socket", "restore-skmark", " --restore-skmark"},
	{"statistic", NULL, " statistic"},
	{"statistic", "packet", " packet %?"},
	{"string", "string", " STRING match ~ \"%\""},
	{"string", "hex-string", " STRING match ~ \"%\""},
	{"string", "algo", " ALGO name %"},
	{"string", "from", " FROM %"},
	{"string", "to", " TO %"},
	{"tcpmss", "mss", " tcpmss match ~%"},
	{"tos", "tos", " tos match~%"},
	{"u32", "u32", " u32 ~\"%\""},
	{"CHECKSUM", "checksum-fill", " CHECKSUM fill"},
	{"CT", NULL, " CT"},
	{"DNAT", "to-destination", " to:%"},
	{"DSCP", "set-dscp", " DSCP set %"},
	{"HL", "hl-set", " HL set to %"},
	{"HL", "hl-dec", " HL decrement by %"},
	{"HL", "hl-inc", " HL increment by %"},
	{"IDLETIMER", "timeout", " timeout:%"},
	{"IDLETIMER", "label", " label:%"},
	{"MASQUERADE", "to-ports", " masq ports: %"},
	{"NETMAP", "to", " to:%"},
	{"NFQUEUE", NULL, " NFQUEUE"},
	{"NFQUEUE", "queue-num", " num %"},
	{"NFQUEUE", "queue-balance", " balance %"},
	{"NFQUEUE", "queue-bypass", " bypass"},
	{"NFQUEUE", "queue-cpu-fanout", " cpu-fanout"},
	{"NOTRACK", NULL, " NOTRACK"},
	{"REDIRECT", "to-ports", " redir ports %"},
	{"SNAT", "to-source", " to:%"},
	{"TCPMSS", "set-mss", " TCPMSS set %"},
	{"TCPMSS", "clamp-mss-to-pmtu", " TCPMSS clamp to PMTU"},
	{"TEE", "gateway", " TEE gw:%"},
	{"TOS", "set-tos", " TOS set %"},
	{"TPROXY", "on-port", " TPROXY redirect {on-ip}:%"},
	{"TPROXY", "on-ip", ""},
	{"TPROXY", "tproxy-mark", " mark %"},
	{"TTL", "ttl-set", " TTL set to %"},
	{"TTL", "ttl-dec", " TTL decrement by %"},
	{"TTL", "ttl-inc", " TTL increment by %"},
};

static const char *find_form(const char *extension, struct str option)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		bool same_option = forms[i].option ? str_eq(option, forms[i].option) : !option.len;

		if (same_option && !strcmp(forms[i].extension, extension))
			return forms[i].form;
	}
	return NULL;
}

/* The option's name when the word is one: they are kept with their dashes, never in quotes. */
static bool is_option(const struct raw_word *w, struct str *name)
{
	if (w->quoted || w->text.len < 3 || w->text.p[0] != '-' || w->text.p[1] != '-')
		return false;
	*name = str_new(w->text.p + 2, w->text.len - 2);
	return true;
}

static struct str argument_of(const struct raw_words *raw, struct str option)
{
	struct str name;

	for (u32 i = 0; i + 1 < raw->nr; i++)
		if (is_option(&raw->words[i], &name) && name.len == option.len &&
			!memcmp(name.p, option.p, name.len))
			return raw->words[i + 1].text;
	return str_new("", 0);
}

static bool has_word(const struct raw_words *raw, const char *word)
{
	for (u32 i = 0; i < raw->nr; i++)
		if (str_eq(raw->words[i].text, word))
			return true;
	return false;
}

static void put_str(struct buf *out, struct str s)
{
	buf_put(out, s.p, s.len);
}

static void put_reference(struct buf *out, const struct raw_words *raw, struct str name)
{
	if (str_eq(name, "side")) /* of connlimit */
		buf_puts(out, has_word(raw, "--connlimit-daddr") ? "dst" : "src");
	else
		put_str(out, argument_of(raw, name));
}

static void put_dashed(struct buf *out, struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		buf_puts(out, s.p[i] == ',' ? "-" : (char[]){s.p[i], '\0'});
}

static void put_form(struct buf *out, const char *form, bool invert, struct str argument,
	const struct raw_words *raw)
{
	if (strchr(form, '?') && str_eq(argument, "0"))
		return;
	if (invert && !strpbrk(form, "~^"))
		buf_puts(out, " !");
	for (const char *p = form; *p; p++) {
		if (*p == '%') {
			put_str(out, argument);
		} else if (*p == '&') {
			put_dashed(out, argument);
		} else if (*p == '$') {
			buf_puts(out, memchr(argument.p, ':', argument.len) ? "s:" : ":");
		} else if (*p == '~') {
			buf_puts(out, invert ? "!" : "");
		} else if (*p == '^') {
			buf_puts(out, invert ? "! " : "");
		} else if (*p == '{') {
			const char *end = strchr(p, '}');

			put_reference(out, raw, str_new(p + 1, (size_t)(end - p - 1)));
			p = end;
		} else if (*p != '?') {
			buf_put(out, p, 1);
		}
	}
}

static u32 number_of(struct str s)
{
	u32 value = 0;

	str_to_u32(s, &value);
	return value;
}

static void list_connmark_set(struct buf *out, struct str argument)
{
	struct str first, second;

	str_split(argument, '/', &first, &second);
	u32 value = number_of(first), mask = number_of(second);
	if (!value)
		buf_printf(out, " and 0x%x", ~mask);
	else if (value == mask)
		buf_printf(out, " or 0x%x", value);
	else if (!mask)
		buf_printf(out, " xor 0x%x", value);
	else if (mask == UINT32_MAX)
		buf_printf(out, " set 0x%x", value);
	else
		buf_printf(out, " xset 0x%x/0x%x", value, mask);
}

static void list_connmark_copy(struct buf *out, const struct raw_words *raw, bool save)
{
	u32 nfmask = number_of(argument_of(raw, str_of("nfmask"))),
	    ctmask = number_of(argument_of(raw, str_of("ctmask")));

	buf_puts(out, save ? " save" : " restore");
	if (nfmask == ctmask && nfmask == UINT32_MAX)
		return;
	if (nfmask == ctmask)
		buf_printf(out, " mask 0x%x", nfmask);
	else if (save)
		buf_printf(out, " nfmask 0x%x ctmask ~0x%x", nfmask, ctmask);
	else
		buf_printf(out, " ctmask 0x%x nfmask ~0x%x", ctmask, nfmask);
}

/* What it says depends on all its options together. */
static void list_connmark(struct buf *out, const struct raw_words *raw)
{
	static const char *const shifts[] = {"left-shift-mark", "right-shift-mark"};

	buf_puts(out, " CONNMARK");
	if (has_word(raw, "--set-xmark"))
		list_connmark_set(out, argument_of(raw, str_of("set-xmark")));
	else
		list_connmark_copy(out, raw, has_word(raw, "--save-mark"));
	for (size_t i = 0; i < ARRAY_LEN(shifts); i++) {
		struct str argument = argument_of(raw, str_of(shifts[i]));

		if (argument.len)
			buf_printf(out, " %s %.*s", shifts[i], (int)argument.len, argument.p);
	}
}

/* The headers as the bits of the kernel's set. */
static void list_ipv6header(struct buf *out, const struct raw_words *raw)
{
	static const char *const headers[] = {
		"protocol",
		"ipv6-nonxt",
		"esp",
		"ah",
		"ipv6-frag",
		"ipv6-route",
		"ipv6-opts",
		"hop-by-hop",
	};
	struct str rest = argument_of(raw, str_of("header")), one;
	unsigned bits = 0;
	bool more = true;

	while (more) {
		more = str_split(rest, ',', &one, &rest);
		for (size_t i = 0; i < ARRAY_LEN(headers); i++)
			bits |= str_eq(one, headers[i]) ? 1u << i : 0;
	}
	buf_printf(out, " ipv6header flags:%s0x%02X%s", has_word(raw, "!") ? "!" : "", bits,
		has_word(raw, "--soft") ? " soft" : "");
}

void known_list(struct buf *out, const struct known_extension *k, const struct raw_words *raw)
{
	if (!strcmp(k->name, "CONNMARK")) {
		list_connmark(out, raw);
		return;
	}
	if (!strcmp(k->name, "ipv6header")) {
		list_ipv6header(out, raw);
		return;
	}
	const char *before = find_form(k->name, str_new("", 0));
	struct str name;
	bool invert = false;

	if (before)
		buf_puts(out, before);
	for (u32 i = 0; i < raw->nr; i++) {
		const struct raw_word *w = &raw->words[i];

		if (!w->quoted && str_eq(w->text, "!")) {
			invert = true;
			continue;
		}
		const char *form = is_option(w, &name) ? find_form(k->name, name) : NULL;
		if (form) {
			put_form(out, form, invert, i + 1 < raw->nr ? raw->words[i + 1].text : name,
				raw);
			while (i + 1 < raw->nr && !is_option(&raw->words[i + 1], &name) &&
				!str_eq(raw->words[i + 1].text, "!"))
				i++;
		} else {
			struct raw_word plain = {
				.text = is_option(w, &name) ? name : w->text, .quoted = w->quoted};

			buf_puts(out, invert ? " !" : "");
			print_raw_word(out, &plain);
		}
		invert = false;
	}
}

const char *known_list_name(const struct known_extension *k)
{
	return strcmp(k->name, "NOTRACK") ? k->name : "CT";
}
