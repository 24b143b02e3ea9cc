/* Machine code of random programs in a file: what random_images.c writes on one machine, run_images.c runs on another, which
 * compiles and interprets nothing. The file is mapped at IMAGES_AT, programs work at IMAGES_WORK_AT: so addresses are the same in
 * both. */
#ifndef WEIR_TEST_JIT_IMAGES_H
#define WEIR_TEST_JIT_IMAGES_H

#include "random_code.h"

#define IMAGES_AT	0x1000000000u
#define IMAGES_WORK_AT	(IMAGES_AT - 0x10000)
#define IMAGES_HELPER_AT (IMAGES_AT - 0x20000) /* jumps to the helper; each call reaches it */

enum { IMAGES_MAX_BYTES = 96 << 20 };

#define IMAGES_MAGIC 0x31736567616d69ull

struct images_head {
	u64 magic;
	u64 machine;  /* ELF's number */
	u64 programs; /* that the records are of */
	u64 records, nr_records; /* where they are in the file: struct image_record, by alignment of 8 */
};

struct image_record {
	u64 seed, without; /* which program, which peepholes were left out */
	u64 at;	   /* where its code is in the file */
	u64 result;
	struct random_work before, after;
};

#endif
