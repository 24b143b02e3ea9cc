/* What is known of a packet besides its bytes: --ctx FIELD=VALUE, and the fields after a run. */
#include <string.h>

#include "base/text.h"
#include "cli/run_cli.h"

#define FIELD(name_, member) \
	{ \
		name_, offsetof(struct weir_frame, member), \
			sizeof(((struct weir_frame *)NULL)->member) \
	}

/* Named as in struct xdp_md and struct __sk_buff; owner and cookie as helpers ask for them. */
static const struct {
	const char *name;
	size_t off, bytes;
} fields[] = {
	FIELD("mark", mark),
	FIELD("priority", priority),
	FIELD("hash", hash),
	FIELD("ifindex", ifindex),
	FIELD("ingress_ifindex", ingress_ifindex),
	FIELD("egress_ifindex", egress_ifindex),
	FIELD("rx_queue_index", rx_queue_index),
	FIELD("queue_mapping", queue_mapping),
	FIELD("pkt_type", pkt_type),
	FIELD("vlan_present", vlan_present),
	FIELD("vlan_tci", vlan_tci),
	FIELD("tc_index", tc_index),
	FIELD("tc_classid", tc_classid),
	FIELD("cb0", cb[0]),
	FIELD("cb1", cb[1]),
	FIELD("cb2", cb[2]),
	FIELD("cb3", cb[3]),
	FIELD("cb4", cb[4]),
	FIELD("napi_id", napi_id),
	FIELD("wire_len", wire_len),
	FIELD("gso_segs", gso_segs),
	FIELD("gso_size", gso_size),
	FIELD("tstamp", tstamp),
	FIELD("hwtstamp", hwtstamp),
	FIELD("cookie", cookie),
	FIELD("uid", uid),
	FIELD("gid", gid),
};

#undef FIELD

_Static_assert(ARRAY_LEN(fields) <= CTX_FIELDS_MAX, "a bit for each");

bool ctx_parse(struct ctx_given *given, const char *arg)
{
	struct str name, value;
	u64 n;

	if (!str_split(str_of(arg), '=', &name, &value) || !str_to_u64(value, &n))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		if (!str_eq(name, fields[i].name))
			continue;
		given->fields |= 1u << i;
		given->values[i] = n;
		return fields[i].bytes == sizeof(u64) || n <= UINT32_MAX;
	}
	return false;
}

void ctx_apply(const struct ctx_given *given, struct weir_frame *frame)
{
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		if (!(given->fields & 1u << i))
			continue;
		memcpy((u8 *)frame + fields[i].off, &given->values[i], fields[i].bytes);
		if (!strcmp(fields[i].name, "uid") || !strcmp(fields[i].name, "gid"))
			frame->has_owner = 1;
	}
}

/* What struct xdp_md has of these. */
static bool xdp_has(const char *name)
{
	static const char *const names[] = {"ingress_ifindex", "rx_queue_index", "egress_ifindex"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

const char *ctx_not_xdp(const struct ctx_given *given)
{
	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		if (given->fields & 1u << i && !xdp_has(fields[i].name))
			return fields[i].name;
	return NULL;
}

void ctx_print_json(const struct weir_frame *frame, bool xdp, struct buf *out)
{
	bool first = !xdp;

	buf_puts(out, "{");
	if (xdp)
		buf_printf(out, "\"metadata_bytes\":%llu",
			(unsigned long long)(frame->data - frame->meta));
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		u64 n = 0;

		if (xdp && !xdp_has(fields[i].name))
			continue;
		memcpy(&n, (const u8 *)frame + fields[i].off, fields[i].bytes);
		buf_printf(out, "%s\"%s\":%llu", first ? "" : ",", fields[i].name,
			(unsigned long long)n);
		first = false;
	}
	buf_puts(out, "}");
}
