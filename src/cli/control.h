/* A socket through which others look at and change the maps of a run that goes on.
 *
 * A question is a line of words with tabs between them, the first "text" or "json", then a command of map_command. The answer
 * is a line "ok" or "error", then its text until the end. */
#ifndef WEIR_CLI_CONTROL_H
#define WEIR_CLI_CONTROL_H

#include "cli/map_set.h"

struct control;

bool is_socket(const char *path);
/* Answers on a thread of its own until control_stop. The socket is the owner's only; one that a dead run left behind is
 * replaced. 0, or -errno with the reason in d. set is borrowed. */
int control_start(const char *path, struct map_set *set, struct control **out, struct diag *d);
void control_stop(struct control *c); /* removes the socket; NULL ok */
/* Asks and prints the answer. The exit code. */
int control_ask(const char *path, char **words, u32 nr, bool json);

#endif
