#include "rules/ports.h"

#include "rules/print_text.h"

static bool is_any(struct port_range r)
{
	return r.min == 0 && r.max == UINT16_MAX;
}

void print_port_option(struct buf *out, const char *name, struct port_range r, bool invert)
{
	if (is_any(r))
		return;
	print_option(out, invert, name);
	if (r.min == r.max)
		buf_printf(out, " %u", r.min);
	else
		buf_printf(out, " %u:%u", r.min, r.max);
}

void list_ports(struct buf *out, const char *name, struct port_range r, bool invert)
{
	const char *bang = invert ? "!" : "";

	if (is_any(r) && !invert)
		return;
	if (r.min == r.max)
		buf_printf(out, " %s:%s%u", name, bang, r.min);
	else
		buf_printf(out, " %ss:%s%u:%u", name, bang, r.min, r.max);
}
