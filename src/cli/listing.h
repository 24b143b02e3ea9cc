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

#endif
