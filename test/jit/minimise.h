/* Makes a program that shows a fault smaller. */
#ifndef WEIR_TEST_JIT_MINIMISE_H
#define WEIR_TEST_JIT_MINIMISE_H

#include "isa/prog.h"

enum fault { FAULT_NONE, FAULT_DIFFERS, FAULT_CRASHES };

/* Whether a run of the program goes wrong. Runs are made in a process of their own: it may crash, which is the program's
 * fault only from fault_may_crash on. */
typedef bool (*goes_wrong)(const struct prog *p, void *arg);
void fault_may_crash(void);

/* FAULT_NONE also where a run takes seconds. */
enum fault fault_of(goes_wrong f, const struct prog *p, void *arg);

/* Takes instructions out of p, and makes others simpler, while the same kind of fault still shows and no register is read
 * that nobody has written. Stores to the stack stay. */
void minimise(struct prog *p, goes_wrong f, void *arg);

#endif
