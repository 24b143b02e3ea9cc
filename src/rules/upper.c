#include "rules/upper.h"

const u8 *eval_upper(struct eval *e, u32 bytes)
{
	if (e->fragoff != 0)
		return NULL;
	if (e->thoff + bytes > e->bytes) {
		e->hotdrop = true;
		return NULL;
	}
	return e->data + e->thoff;
}

void emit_port(struct emit *e, enum upper_byte byte, struct port_range r, bool invert)
{
	if (!invert && r.min == 0 && r.max == UINT16_MAX)
		return;
	emit_be_load(e, ATOM_UPPER, 2, (s16)byte, BPF_REG_0);
	emit_range(e, BPF_REG_0, r.min, r.max, UINT16_MAX, invert);
}

void narrow_port(struct box *b, enum box_field f, struct port_range r, bool invert)
{
	if (!invert)
		box_cut(b, f, r.min, r.max);
}
