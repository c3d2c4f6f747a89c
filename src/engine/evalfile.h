/* evalfile.h: loads the network named by EvalFile, or the built-in one. Stateless; safe from every
 * thread. */
#ifndef KMD_ENGINE_EVALFILE_H
#define KMD_ENGINE_EVALFILE_H

#include <stdbool.h>

#include "base/str.h"

struct NnueNet;

/* The built-in network; NULL if there is no usable one. The caller frees it with net_free. */
struct NnueNet *evalfile_embedded(void);

/* Loads the network at a path. Empty or "<internal>" selects the built-in network; "<handwritten>"
 * selects the evaluation without a network (*net becomes NULL). A path not found in the working
 * directory is looked up in the program's folder. Returns false and leaves *net unchanged if the
 * file cannot be used, with the reason in *why (static storage). */
bool evalfile_load(StrView path, struct NnueNet **net, const char **why) MUST_CHECK;

#endif
