/* Type "packet": what rule sets compile to. Programs see struct weir_packet as it is. */
#include "progtype/types.h"
#include "weir/packet.h"

#define FIELD(field, kind_, flags_) \
	{ \
		.name = #field, .off = offsetof(struct weir_packet, field), \
		.size = sizeof(((struct weir_packet *)NULL)->field), \
		.native_off = offsetof(struct weir_packet, field), \
		.native_size = sizeof(((struct weir_packet *)NULL)->field), .kind = kind_, \
		.flags = flags_ \
	}

static const struct ctx_field fields[] = {
	FIELD(data, CTX_PACKET, CTX_READ),
	FIELD(data_end, CTX_PACKET_END, CTX_READ),
	FIELD(len, CTX_SCALAR, CTX_READ | CTX_NARROW),
	FIELD(mark, CTX_SCALAR, CTX_READ | CTX_NARROW | CTX_WRITE),
	FIELD(socket, CTX_SCALAR, CTX_READ | CTX_NARROW),
	FIELD(uid, CTX_SCALAR, CTX_READ | CTX_NARROW),
	FIELD(gid, CTX_SCALAR, CTX_READ | CTX_NARROW),
	FIELD(has_mac, CTX_SCALAR, CTX_READ | CTX_NARROW),
	FIELD(mac_source, CTX_SCALAR, CTX_READ | CTX_NARROW),
	FIELD(in_iface, CTX_SCALAR, CTX_READ | CTX_NARROW),
	FIELD(out_iface, CTX_SCALAR, CTX_READ | CTX_NARROW),
	FIELD(time_ns, CTX_SCALAR, CTX_READ | CTX_NARROW),
	FIELD(direction, CTX_SCALAR, CTX_READ | CTX_NARROW),
};

#undef FIELD

const struct prog_type_ops prog_type_packet = {
	.type = PROG_TYPE_PACKET,
	.name = "packet",
	.fields = fields,
	.nr_fields = ARRAY_LEN(fields),
	.ctx_bytes = sizeof(struct weir_packet),
	.ret_min = 0,
	.ret_max = 2,
	.helper_allowed = helper_in_base_set,
};
