/* evalfile.h: loads the network named by EvalFile, or the built-in one. Stateless; safe from every
 * thread. */
#ifndef KMD_ENGINE_EVALFILE_H
#define KMD_ENGINE_EVALFILE_H

#include <stdbool.h>

#include "base/str.h"

struct NnueNet;

/* Loads the built-in network. Returns NULL if there is none or it is unusable. The caller frees it
 * with net_free. */
struct NnueNet *evalfile_embedded(void);

/* Loads the network at a path, which may be a folder that contains nn.bin. Empty or "<internal>"
 * selects the built-in network; "<handwritten>" selects the evaluation without a network (*net
 * becomes NULL). A path not found in the working directory is looked up in the program's folder. If
 * a file eval_options.txt beside a network of the field gives FV_SCALE, that becomes its scale. If
 * the file cannot be used, returns false with the reason in *why (static storage) and leaves *net
 * unchanged. */
bool evalfile_load(StrView path, struct NnueNet **net, const char **why) MUST_CHECK;

/* The same for a folder as the option EvalDir names it: looked up in the program's folder first,
 * then in the working directory. */
bool evalfile_load_folder(StrView folder, struct NnueNet **net, const char **why) MUST_CHECK;

#endif
