/* evalfile.h: loads the network that EvalFile names, or the built-in one. No state; safe
 * from every thread. */
#ifndef KMD_ENGINE_EVALFILE_H
#define KMD_ENGINE_EVALFILE_H

#include <stdbool.h>

#include "base/str.h"

struct NnueNet;

/* The network inside the program; NULL should there be none that can be used. The caller frees it
 * with net_free. */
struct NnueNet *evalfile_embedded(void);

/* The network of a path. Empty or "<internal>" is the one inside the program; "<handwritten>" is
 * none (*net becomes NULL), which stands for the evaluation without a network. A path that leads
 * nowhere from the working directory counts from the program's folder. False, with *net left alone,
 * when the file cannot be used; *why then says it (static storage). */
bool evalfile_load(StrView path, struct NnueNet **net, const char **why) MUST_CHECK;

#endif
