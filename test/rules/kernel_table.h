/* The kernel's legacy tables: loading rules and reading counters, in the calling process's network
 * namespace. */
#ifndef WEIR_TEST_RULES_KERNEL_TABLE_H
#define WEIR_TEST_RULES_KERNEL_TABLE_H

#include "rules/print.h"
#include "rules/tree.h"

/* A namespace with an Ethernet device "eth0" whose frames the program writes; its descriptor, or -1
 * with errno. */
int kernel_namespace(void);
/* ip[6]tables-legacy-restore; false with its message on stderr. */
bool kernel_load(enum family family, const char *text);
/* Adds the kernel's counters of the set's only table to counts[set->nr_counters]; false with a
 * message on stderr. */
bool kernel_read(const struct ruleset *set, struct rule_count *counts);
/* Sends an IP packet as an Ethernet frame from that address. */
bool kernel_send(
	int device, enum family family, const u8 *packet, size_t bytes, const u8 source[6]);

#endif
