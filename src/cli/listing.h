/* Machine code as text, with the BPF instruction and the source line that it came from. */
#ifndef WEIR_CLI_LISTING_H
#define WEIR_CLI_LISTING_H

struct buf;
struct diag;
struct jit_image;
struct prog;

/* p: the program that the image was compiled from. Without libcapstone the code is printed as
 * bytes. */
int listing_print(
	struct buf *out, const struct prog *p, const struct jit_image *image, struct diag *d);

/* Source line by source line: BPF, x86-64 and arm64 in columns. Both images come from p. */
int listing_print_side(struct buf *out, const struct prog *p, const struct jit_image *x86, const struct jit_image *arm,
	struct diag *d);

#endif
