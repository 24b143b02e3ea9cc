/* Chains laid out for running.
 *
 * Long chains: a search tree over addresses and ports, as compares and jumps, with a list of rules
 * at each leaf.
 *
 * A list: each rule's most selective test stands inline on a branch that is rarely taken, and the
 * rest of the rule out of line behind it. A packet that matches nothing runs through straight code
 * with one compare a rule.
 *
 * Odd packets (emit.h) leave where lists start, or at a node that only ports could divide; for them
 * the rules come again, as far as they can do something to an odd packet. In long programs they
 * stay in lists where that is most of the rules: such lists ask every packet everything. */
#include <stdlib.h>
#include <string.h>

#include "rules/code.h"
#include "rules/compile_tree.h"
#include "rules/match.h"
#include "rules/walk.h"

/* The inline test of a rule: necessary for a match, and free of consequences. */
struct lead {
	enum { LEAD_NONE, LEAD_ATOM, LEAD_BITS } kind;
	struct atom atom;
	u32 bits;
};

enum {
	LEADS_MAX = 12
}; /* two words of each address and interface name, both ports, the protocol */

struct leads {
	struct lead at[LEADS_MAX];
	u32 nr;
};

static void add_atoms(struct leads *l, const struct atom *atoms, u32 nr, bool invert)
{
	for (u32 i = 0; i < nr && !invert; i++)
		l->at[l->nr++] = (struct lead){.kind = LEAD_ATOM, .atom = atoms[i]};
}

static void add_port(struct leads *l, const struct interval *i, s16 off)
{
	struct atom a = {.base = ATOM_UPPER, .size = 2, .off = off, .mask = 0xffff};

	if (i->min != i->max)
		return;
	a.want = __builtin_bswap16((u16)i->min);
	add_atoms(l, &a, 1, false);
}

/* All tests of a rule that could lead it. In code for odd packets, nothing behind -p may: -p may
 * drop the packet. */
static void leads_of(const struct code *c, const struct candidate *cand, const struct known *known,
	struct leads *l)
{
	const struct rule *r = cand->rule;
	struct atom atoms[2];
	u32 bits = rule_proto_bits(&c->e, r);

	l->nr = 0;
	if (!known->src_holds)
		add_atoms(l, atoms, rule_src_atoms(r, c->e.family, atoms),
			(r->invert & INV_SRC) != 0);
	if (!known->dst_holds)
		add_atoms(l, atoms, rule_dst_atoms(r, c->e.family, atoms),
			(r->invert & INV_DST) != 0);
	add_atoms(l, atoms, rule_in_atoms(r, atoms), (r->invert & INV_IN) != 0);
	add_atoms(l, atoms, rule_out_atoms(r, atoms), (r->invert & INV_OUT) != 0);
	if (bits != 0)
		l->at[l->nr++] = (struct lead){.kind = LEAD_BITS, .bits = bits};
	if (c->e.mode == EMIT_WHOLE) {
		add_port(l, &cand->box.field[BOX_SPORT], UPPER_SPORT_BYTE);
		add_port(l, &cand->box.field[BOX_DPORT], UPPER_DPORT_BYTE);
	}
}

static int compare_u64(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static bool same_field(const struct atom *a, const struct atom *b)
{
	return a->base == b->base && a->size == b->size && a->off == b->off && a->mask == b->mask;
}

static int compare_atoms(const struct atom *a, const struct atom *b)
{
	if (a->want != b->want)
		return compare_u64(a->want, b->want);
	if (a->mask != b->mask)
		return compare_u64(a->mask, b->mask);
	u32 place_a = (u32)a->base << 24 | (u32)a->size << 16 | (u16)a->off;
	u32 place_b = (u32)b->base << 24 | (u32)b->size << 16 | (u16)b->off;

	return compare_u64(place_a, place_b);
}

static int compare_leads(const void *x, const void *y)
{
	const struct lead *a = x, *b = y;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->kind == LEAD_BITS ? compare_u64(a->bits, b->bits)
				    : compare_atoms(&a->atom, &b->atom);
}

static u32 lead_bits(const struct lead *l)
{
	if (l->kind == LEAD_ATOM)
		return (u32)__builtin_popcountll(l->atom.mask);
	return l->bits & UPPER_OTHER ? 0 : 3; /* a protocol is one of a few */
}

/* A rule that waits for its code, with its out-of-line part. */
struct rest {
	const struct candidate *cand;
	struct known known;
	struct lead lead;
	label_t start, resume;
};

/* How often each lead occurs in a list: the more rules share it, the more packets have it. Rules
 * tell of the traffic they are written for, addresses as numbers don't. */
struct census {
	struct lead *sorted;
	size_t nr;
};

static bool take_census(struct code *c, const struct rest *rests, u32 nr, struct census *census)
{
	struct leads l;

	census->nr = 0;
	census->sorted = arena_array(&c->arena, (size_t)nr * LEADS_MAX, sizeof(struct lead));
	if (census->sorted == NULL)
		return false;
	for (u32 i = 0; i < nr; i++) {
		leads_of(c, rests[i].cand, &rests[i].known, &l);
		memcpy(census->sorted + census->nr, l.at, l.nr * sizeof(*l.at));
		census->nr += l.nr;
	}
	qsort(census->sorted, census->nr, sizeof(struct lead), compare_leads);
	return true;
}

static u32 share_of(const struct census *census, const struct lead *lead)
{
	size_t low = 0, high = census->nr;
	u32 nr = 0;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (compare_leads(&census->sorted[middle], lead) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	while (low + nr < census->nr && compare_leads(&census->sorted[low + nr], lead) == 0)
		nr++;
	return nr;
}

static struct lead best_lead(
	const struct code *c, const struct rest *rest, const struct census *census)
{
	struct lead best = {.kind = LEAD_NONE};
	u32 best_share = UINT32_MAX;
	struct leads l;

	leads_of(c, rest->cand, &rest->known, &l);
	for (u32 i = 0; i < l.nr; i++) {
		u32 share = share_of(census, &l.at[i]);

		if (share < best_share ||
			(share == best_share && lead_bits(&l.at[i]) > lead_bits(&best))) {
			best = l.at[i];
			best_share = share;
		}
	}
	return best;
}

/* The masked field that the inline tests of neighbouring rules share, in r1. */
enum { CACHE_REG = BPF_REG_1 };

static void write_lead(struct code *c, struct rest *rest, struct atom *cached)
{
	struct builder *b = c->e.b;

	code_source(c, rest->cand->rule);
	rest->start = builder_label(b);
	rest->resume = builder_label(b);
	if (rest->lead.kind == LEAD_BITS) {
		emit_upper_jump(&c->e, rest->lead.bits, rest->start);
	} else {
		const struct atom *a = &rest->lead.atom;

		if (!same_field(a, cached))
			emit_atom_load(&c->e, a, CACHE_REG);
		*cached = *a;
		emit_atom_jump(&c->e, a, CACHE_REG, true, rest->start);
	}
	builder_bind(b, rest->resume);
}

/* ---- odd packets ---- */

/* The first match that isn't a comment, or NULL. */
static const struct extension *first_match(const struct rule *r)
{
	for (u32 i = 0; i < r->nr_matches; i++)
		if (strcmp(r->matches[i].match->name, "comment") != 0)
			return &r->matches[i];
	return NULL;
}

/* Rules that can't match an odd packet, only drop it: -p with a match on the whole header of that
 * protocol. */
static bool only_drops(const struct rule *r)
{
	const struct extension *m = first_match(r);

	return m != NULL && m->match->needs != NULL &&
	       (m->match->needs(m->data) & MATCHES_WHOLE) != 0;
}

/* A rule that only drops: a packet of its protocol that isn't a later fragment is cut or broken, or
 * it wouldn't be odd. */
static void write_drop(struct code *c, const struct rest *rest, struct spot *miss)
{
	const struct rule *r = rest->cand->rule;

	code_base(c, r, &rest->known, miss);
	if (c->e.family == FAMILY_IPV4 && r->proto == NEXT_TCP)
		emit_upper_jump(&c->e, UPPER_SECOND, emit_hotdrop(&c->e));
	emit_upper_jump(&c->e, UPPER_LATER, emit_miss(&c->e));
	bld_ja(c->e.b, emit_hotdrop(&c->e));
}

/* What decides which odd packets of a region such a rule drops. */
struct drop_key {
	u8 src[16], src_mask[16], dst[16], dst_mask[16];
	char in_iface[IFACE_NAME_BYTES], in_mask[IFACE_NAME_BYTES], out_iface[IFACE_NAME_BYTES],
		out_mask[IFACE_NAME_BYTES];
	u16 proto;
	u8 invert, fragment;
};

struct drop {
	struct drop_key key;
	u32 position;
};

static void drop_init(
	struct drop *d, const struct candidate *cand, const struct box *region, u32 position)
{
	const struct rule *r = cand->rule;

	memset(d, 0, sizeof(*d));
	d->position = position;
	if (!candidate_src_holds(cand, region)) {
		memcpy(d->key.src, r->src, sizeof(d->key.src));
		memcpy(d->key.src_mask, r->src_mask, sizeof(d->key.src_mask));
	}
	if (!candidate_dst_holds(cand, region)) {
		memcpy(d->key.dst, r->dst, sizeof(d->key.dst));
		memcpy(d->key.dst_mask, r->dst_mask, sizeof(d->key.dst_mask));
	}
	memcpy(d->key.in_iface, r->in_iface, IFACE_NAME_BYTES);
	memcpy(d->key.in_mask, r->in_mask, IFACE_NAME_BYTES);
	memcpy(d->key.out_iface, r->out_iface, IFACE_NAME_BYTES);
	memcpy(d->key.out_mask, r->out_mask, IFACE_NAME_BYTES);
	d->key.proto = r->proto;
	d->key.invert = r->invert;
	d->key.fragment = r->fragment;
}

static int compare_drops(const void *x, const void *y)
{
	const struct drop *a = x, *b = y;
	int order = memcmp(&a->key, &b->key, sizeof(a->key));

	return order != 0 ? order : compare_u64(a->position, b->position);
}

/* Without the rules that only drop what one before them drops. */
static struct candidates odd_rules(
	struct code *c, const struct candidates *list, const struct box *region)
{
	struct candidates out = {.at = arena_array(&c->arena, list->nr, sizeof(*out.at))};
	struct drop *drops = arena_array(&c->arena, list->nr, sizeof(*drops));
	bool *redundant = arena_array(&c->arena, list->nr, sizeof(*redundant));
	u32 nr = 0;

	if (out.at == NULL || drops == NULL || redundant == NULL) {
		c->failed = true;
		return out;
	}
	for (u32 i = 0; i < list->nr; i++)
		if (only_drops(list->at[i]->rule))
			drop_init(&drops[nr++], list->at[i], region, i);
	qsort(drops, nr, sizeof(*drops), compare_drops);
	for (u32 i = 1; i < nr; i++)
		redundant[drops[i].position] =
			memcmp(&drops[i].key, &drops[i - 1].key, sizeof(drops->key)) == 0;
	for (u32 i = 0; i < list->nr; i++)
		if (!redundant[i])
			out.at[out.nr++] = list->at[i];
	return out;
}

/* `expected`: what the code at `resume` finds in r1. */
static void write_rest(
	struct code *c, struct rest *rest, const struct atom *expected, struct spot *ret)
{
	builder_bind(c->e.b, rest->start);
	rest->known.atom = rest->lead.kind == LEAD_ATOM ? &rest->lead.atom : NULL;
	rest->known.bits = rest->lead.kind == LEAD_BITS ? rest->lead.bits : 0;
	bool reloads = expected->size != 0, falls = false;
	struct spot back = emit_spot(&c->e), resume = {.label = rest->resume};
	struct spot *miss = reloads ? &back : &resume;

	if (c->e.mode == EMIT_ODD && only_drops(rest->cand->rule))
		write_drop(c, rest, miss);
	else
		falls = code_rule_to(c, rest->cand->rule, &rest->known, miss, ret);
	emit_bind(&c->e, &back);
	if (!falls && !back.used)
		return;
	if (reloads)
		emit_atom_load(&c->e, expected, CACHE_REG);
	bld_ja(c->e.b, rest->resume);
}

/* Is the field in r1 at rests[i] still there for the next inline test? */
static struct atom expected_at(const struct rest *rests, u32 i, u32 nr)
{
	struct atom none = {0};

	if (i + 1 < nr && rests[i].lead.kind == LEAD_ATOM && rests[i + 1].lead.kind == LEAD_ATOM &&
		same_field(&rests[i].lead.atom, &rests[i + 1].lead.atom))
		return rests[i].lead.atom;
	return none;
}

static void write_list(
	struct code *c, const struct candidates *list, const struct box *region, struct spot *ret)
{
	struct rest *rests = arena_array(&c->arena, list->nr, sizeof(*rests));
	struct atom cached = {0};
	struct census census;
	bool falls = true;
	u32 nr = 0;

	if (rests == NULL) {
		c->failed = true;
		return;
	}
	for (u32 i = 0; i < list->nr; i++) {
		rests[i].cand = list->at[i];
		rests[i].known.src_holds = candidate_src_holds(list->at[i], region);
		rests[i].known.dst_holds = candidate_dst_holds(list->at[i], region);
	}
	if (!take_census(c, rests, list->nr, &census)) {
		c->failed = true;
		return;
	}
	for (u32 i = 0; i < list->nr; i++)
		rests[i].lead = best_lead(c, &rests[i], &census);
	if (list->nr == 1) /* nothing to lead to: its code is what comes next */
		rests[0].lead.kind = LEAD_NONE;
	for (; nr < list->nr && falls; nr++) {
		if (rests[nr].lead.kind == LEAD_NONE) {
			falls = code_rule(c, rests[nr].cand->rule, &rests[nr].known, ret);
			cached.size = 0;
		} else {
			write_lead(c, &rests[nr], &cached);
			if (expected_at(rests, nr, list->nr).size == 0)
				cached.size = 0;
		}
	}
	if (falls)
		bld_ja(c->e.b, spot_use(ret));
	for (u32 i = 0; i < nr; i++) {
		struct atom expected = expected_at(rests, i, list->nr);

		if (rests[i].lead.kind != LEAD_NONE)
			write_rest(c, &rests[i], &expected, ret);
	}
}

/* ---- trees ---- */

enum { NODE_REG = BPF_REG_1 };

static void load_field(struct code *c, enum box_field f)
{
	static const struct {
		u8 base, ipv4_size, ipv6_size, ipv4_off, ipv6_off;
	} fields[NR_BOX_FIELDS] = {
		[BOX_SRC_HIGH] = {ATOM_PACKET, 4, 8, 12, 8},
		[BOX_SRC_LOW] = {ATOM_PACKET, 0, 8, 0, 16},
		[BOX_DST_HIGH] = {ATOM_PACKET, 4, 8, 16, 24},
		[BOX_DST_LOW] = {ATOM_PACKET, 0, 8, 0, 32},
		[BOX_SPORT] = {ATOM_UPPER, 2, 2, UPPER_SPORT_BYTE, UPPER_SPORT_BYTE},
		[BOX_DPORT] = {ATOM_UPPER, 2, 2, UPPER_DPORT_BYTE, UPPER_DPORT_BYTE},
	};
	bool v6 = c->e.family == FAMILY_IPV6;

	emit_be_load(&c->e, (enum atom_base)fields[f].base,
		v6 ? fields[f].ipv6_size : fields[f].ipv4_size,
		v6 ? fields[f].ipv6_off : fields[f].ipv4_off, NODE_REG);
}

static void jump_at_least(struct code *c, u64 value, label_t to)
{
	if (value <= INT32_MAX) {
		bld_jmp_imm(c->e.b, BPF_JGE, NODE_REG, (s32)value, to);
	} else {
		bld_const(c->e.b, BPF_REG_5, value);
		bld_jmp_reg(c->e.b, BPF_JGE, NODE_REG, BPF_REG_5, to);
	}
}

/* How much of what is spare comes to a side with `nr` of the list's rules. */
static u32 spare_part(u32 spare, u32 nr, u32 total)
{
	return total == 0 ? 0 : (u32)((u64)spare * nr / total);
}

static void write_node(struct code *c, const struct candidates *list, const struct box *region,
	u32 spare, const struct split *split, enum box_field loaded, struct spot *ret)
{
	enum box_field f = split->field;
	label_t to_right = builder_label(c->e.b);
	struct box below = *region, above = *region;

	below.field[f].max = split->value - 1;
	above.field[f].min = split->value;
	struct candidates left = classify_side(list, &below, f, &c->arena, &c->failed);
	struct candidates right = classify_side(list, &above, f, &c->arena, &c->failed);

	if (c->failed)
		return;
	u32 total = left.nr + right.nr;

	spare -= total - list->nr;
	if (loaded != f)
		load_field(c, f);
	jump_at_least(c, split->value, to_right);
	code_region(c, &left, &below, spare_part(spare, left.nr, total), f, ret);
	builder_bind(c->e.b, to_right);
	code_region(c, &right, &above, spare_part(spare, right.nr, total), f, ret);
}

/* From here on whole and odd packets have code of their own. */
static void divide_odd(struct code *c, const struct candidates *list, const struct candidates *odd,
	const struct box *region, u32 spare, enum box_field loaded, struct spot *ret)
{
	label_t to_odd = builder_label(c->e.b);

	emit_upper_jump(&c->e, UPPER_ODD, to_odd);
	c->e.mode = EMIT_WHOLE;
	code_region(c, list, region, spare, loaded, ret);
	builder_bind(c->e.b, to_odd);
	c->e.mode = EMIT_ODD;
	code_region(c, odd, region, spare, loaded, ret);
	c->e.mode = EMIT_ANY;
}

/* Rule sets up to which code may become several times as long for being quick: the program still
 * loads in a tenth of a second. */
enum { GENEROUS_RULES = 2048 };

/* A list of EMIT_ANY code. */
static void write_mixed(struct code *c, const struct candidates *list, const struct box *region,
	u32 spare, enum box_field loaded, struct spot *ret)
{
	struct candidates odd = odd_rules(c, list, region);
	bool generous = c->plan->start->table->set->nr_rules <= GENEROUS_RULES;

	if (c->failed)
		return;
	if (list->nr != 0 && (generous || odd.nr <= list->nr / 2))
		divide_odd(c, list, &odd, region, spare, loaded, ret);
	else
		write_list(c, list, region, ret);
}

void code_region(struct code *c, const struct candidates *list, const struct box *region, u32 spare,
	enum box_field loaded, struct spot *ret)
{
	u32 fields = c->e.mode == EMIT_WHOLE ? NR_BOX_FIELDS : NR_ADDRESS_FIELDS;
	struct candidates odd;
	struct split split;

	if (c->e.mode == EMIT_ODD) {
		odd = odd_rules(c, list, region);
		list = &odd;
	}
	if (c->failed)
		return;
	if (classify_split(list, region, fields, spare, &c->arena, &split, &c->failed))
		write_node(c, list, region, spare, &split, loaded, ret);
	else if (c->e.mode == EMIT_ANY)
		write_mixed(c, list, region, spare, loaded, ret);
	else
		write_list(c, list, region, ret);
}

void code_tree(struct code *c, const struct chain *chain, struct spot *ret)
{
	struct candidate *all = arena_array(&c->arena, chain->nr_rules, sizeof(*all));
	struct candidates list = {.at = arena_array(&c->arena, chain->nr_rules, sizeof(*list.at))};
	struct box region;

	if (all == NULL || list.at == NULL) {
		c->failed = true;
		return;
	}
	for (const struct rule *r = chain->rules; r != NULL; r = r->next) {
		if (plan_skips(c->plan, r))
			continue;
		candidate_init(&all[list.nr], r, c->e.family);
		list.at[list.nr] = &all[list.nr];
		list.nr++;
	}
	box_all(&region, c->e.family);
	if (code_groups(c, &list, &region, ret))
		return;
	u32 spare = list.nr <= GENEROUS_RULES ? 3 * list.nr : list.nr;

	code_region(c, &list, &region, spare, NR_BOX_FIELDS, ret);
}
