/* Values of extension options, as the option tables describe them. */
#ifndef WEIR_RULES_OPTIONS_H
#define WEIR_RULES_OPTIONS_H

#include "rules/match.h"

/* Stores the value of one option into an extension's data. NULL, or what is wrong. */
option_error option_set(const struct option *o, const struct option_ctx *c, void *data);
u32 option_nr_args(const struct option *o);

/* For custom parsers: a message in the context's arena. */
option_error option_errorf(const struct option_ctx *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* For custom parsers: an error that no other value would mend. Returns `text`. */
option_error option_conflict(const struct option_ctx *c, const char *text);
/* A number within min..max. */
option_error option_number(const struct option_ctx *c, struct str s, u64 min, u64 max, u64 *out);
/* One number, or two with `sep` between, open sides being min and max; the first may be above the second. */
option_error option_range(const struct option_ctx *c, struct str s, char sep, u64 min, u64 max, u64 out[static 2]);
/* value[/mask]; without a mask it is all ones. */
option_error option_masked(const struct option_ctx *c, struct str s, u32 *value, u32 *mask);
/* A port, a service name or a range of them. proto: whose services; NULL: of tcp, else of udp, as
 * iptables asks for all protocols but tcp and sctp. */
option_error option_ports(const struct option_ctx *c, const char *proto, u16 *min, u16 *max);
/* NUL-terminated into out[bytes]. */
option_error option_text(const struct option_ctx *c, char *out, size_t bytes);
/* As option_text, but cut off with a warning when it is too long, as ip[6]tables does with comments and log prefixes. */
option_error option_cut(const struct option_ctx *c, char *out, size_t bytes);
/* The same for a text that can't be empty. */
option_error option_prefix(const struct option_ctx *c, char *out, size_t bytes);

#endif
