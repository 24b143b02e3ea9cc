/* The configuration of a kernel, for .kconfig externs. */
#ifndef WEIR_OBJ_KCONFIG_H
#define WEIR_OBJ_KCONFIG_H

#include "base/types.h"

struct btf;
struct diag;
struct kconfig;

/* A file, plain or gzip; NULL: /proc/config.gz, then /boot/config-RELEASE. Its path is named in messages. */
int kconfig_open(const char *path, struct kconfig **k, struct diag *d);
/* The same from memory; the bytes are copied. */
int kconfig_new(const void *bytes, size_t len, const char *name, struct kconfig **k, struct diag *d);
void kconfig_free(struct kconfig *k);

/* Whether the extern's value needs a configuration, so that one must be opened: not LINUX_KERNEL_VERSION and the like. */
bool kconfig_is_needed(const char *name);
/* Writes the value of an extern of this type and name; len is the type's size. k may be NULL for names that need none.
 * Not in the configuration: -ENOENT without a message, bytes zero; the caller knows whether the extern is weak. -EINVAL,
 * -ERANGE: the value doesn't fit the type. */
int kconfig_value(const struct kconfig *k, const char *name, const struct btf *btf, u32 type, void *bytes, size_t len,
	struct diag *d);

#endif
