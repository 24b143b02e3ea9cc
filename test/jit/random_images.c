/* random_images TARGET FROM RUNS FILE: the programs that jit-random makes of the seeds from FROM on, compiled for a target, with what
 * the interpreter makes of them. run_images runs them where the target's code can run: so under an emulator nothing but the code
 * itself is emulated. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../interp_once.h"
#include "base/buf.h"
#include "images.h"
#include "jit/target.h"

enum { CODE_ALIGN_BYTES = 64 };

struct output {
	const struct jit_target *target;
	struct buf file; /* head and code */
	struct buf records;
};

static void die(const char *what, u64 seed)
{
	fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, what);
	exit(1);
}

static struct prog *program_of(u64 seed)
{
	struct builder *b = builder_new();
	struct prog *p = prog_new("test", PROG_TYPE_RAW);

	random_code(b, RANDOM_INTERNAL, seed, random_size(seed));
	if (builder_finish(b, p, NULL))
		die("no program", seed);
	builder_free(b);
	p->internal = true;
	return p;
}

/* Puts the code into the file, with its calls going to where the helper will be. */
static u64 put_code(struct output *o, const struct jit_image *image)
{
	static const u8 zeroes[CODE_ALIGN_BYTES];
	u64 at = o->file.len;

	buf_put(&o->file, image->code.data, image->code.len);
	for (u32 i = 0; i < image->nr_relocs; i++) {
		const struct jit_reloc *r = &image->relocs[i];

		image->target->patch(o->file.data + at + r->at, r->kind,
			(s64)(IMAGES_HELPER_AT - (IMAGES_AT + at + r->at)));
	}
	buf_put(&o->file, zeroes, -o->file.len % CODE_ALIGN_BYTES);
	return at;
}

/* Without this peephole the program is often what it was with it. */
static bool is_known(const struct jit_image *images, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (images[i].code.len == images[n].code.len &&
			!memcmp(images[i].code.data, images[n].code.data, images[n].code.len))
			return true;
	return false;
}

static void put_program(struct output *o, u64 seed)
{
	struct random_work *w = (void *)IMAGES_WORK_AT;
	struct prog *p = program_of(seed);
	struct jit_image images[RANDOM_VARIANTS] = {0};
	struct image_record r = {.seed = seed};

	random_fill(&r.before, seed);
	*w = r.before;
	r.result = interp_once(p, IMAGES_WORK_AT, RANDOM_MEM_BYTES, w->region);
	r.after = *w;
	for (unsigned i = 0; i < RANDOM_VARIANTS; i++) {
		r.without = random_without(seed, i);
		struct jit_opts opts = random_opts(seed, r.without);
		opts.target = o->target;
		if (opts.lse == JIT_LSE_AUTO)
			opts.lse = JIT_LSE_ALWAYS; /* it runs elsewhere */
		if (jit_compile(p, NULL, &opts, &images[i], NULL))
			die("doesn't compile", seed);
		if (is_known(images, i))
			continue;
		r.at = put_code(o, &images[i]);
		buf_put(&o->records, &r, sizeof(r));
	}
	for (unsigned i = 0; i < RANDOM_VARIANTS; i++)
		jit_image_fini(&images[i]);
	prog_free(p);
}

static void write_file(struct output *o, const struct images_head *head, const char *name)
{
	FILE *f = fopen(name, "wb");

	if (o->file.failed || o->records.failed || o->file.len + o->records.len > IMAGES_MAX_BYTES)
		die("too much for one file", head->programs);
	memcpy(o->file.data, head, sizeof(*head));
	if (!f || fwrite(o->file.data, o->file.len, 1, f) != 1 ||
		fwrite(o->records.data, o->records.len, 1, f) != 1 || fclose(f)) {
		perror(name);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct output o = {.target = argc == 5 ? jit_target_by_name(argv[1]) : NULL};

	if (!o.target) {
		fprintf(stderr, "usage: %s TARGET FROM RUNS FILE\n", argv[0]);
		return 2;
	}
	u64 from = strtoull(argv[2], NULL, 0), runs = strtoull(argv[3], NULL, 0);
	struct images_head head = {
		.magic = IMAGES_MAGIC, .machine = o.target->elf_machine, .programs = runs};
	if (mmap((void *)IMAGES_WORK_AT, sizeof(struct random_work), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
		    0) != (void *)IMAGES_WORK_AT)
		die("the programs' memory is taken", from);
	u8 *room = calloc(1, (sizeof(head) + CODE_ALIGN_BYTES - 1) & ~(CODE_ALIGN_BYTES - 1u));
	buf_put(&o.file, room, (sizeof(head) + CODE_ALIGN_BYTES - 1) & ~(CODE_ALIGN_BYTES - 1u));
	free(room);
	for (u64 seed = from; seed < from + runs; seed++)
		put_program(&o, seed);
	head.records = o.file.len;
	head.nr_records = o.records.len / sizeof(struct image_record);
	write_file(&o, &head, argv[4]);
	buf_fini(&o.file);
	buf_fini(&o.records);
	return 0;
}
