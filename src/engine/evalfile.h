/* evalfile.h: loads the network that the options name; engine.c decides when. Stateless; safe from
 * every thread. */
#ifndef KMD_ENGINE_EVALFILE_H
#define KMD_ENGINE_EVALFILE_H

#include <stdbool.h>

#include "base/str.h"

struct NnueNet;

/* Loads the built-in network. Returns NULL if there is none or it is unusable. The caller frees it
 * with net_free. */
struct NnueNet *evalfile_embedded(void);

/* A network as the options of the same names select it. */
typedef struct EvalChoice {
    StrView file;   /* EvalFile: a file, or a folder that contains nn.bin. "<internal>" or empty:
                       the built-in network; "<handwritten>": none */
    StrView folder; /* EvalDir, which counts only if `file` is empty */
    int fv_scale;   /* FV_SCALE of a foreign network; 0: what eval_options.txt beside the
                       network says, or else its file */
} EvalChoice;

/* The network at `path`, into which the result points. A path FILE@N also gives FV_SCALE, unless
 * there is a file of that name. */
EvalChoice evalfile_choice(const char *path);

/* The network's name for messages: a path or "<internal>" or "<handwritten>". */
StrView evalfile_name(const EvalChoice *choice);

/* A number that changes when the network's file, or eval_options.txt or progress.bin beside it, is
 * written or replaced; 0 if no file is chosen or it is not there. */
uint64_t evalfile_stamp(const EvalChoice *choice);

/* Loads the network; *net becomes NULL for the hand-written evaluation. A relative `file` is looked
 * up in the working directory first and then in the program's folder, a relative `folder` the other
 * way round, as in YaneuraOu. If the network cannot be used, returns false with the reason in *why
 * (static storage) and leaves *net unchanged. */
bool evalfile_load(const EvalChoice *choice, struct NnueNet **net, const char **why) MUST_CHECK;

/* If neither the choice nor its file gives the scale of the loaded network, appends which network
 * it is and which scale was taken, and returns true. */
bool evalfile_append_doubt(const EvalChoice *choice, const struct NnueNet *net, StrBuf *out);

#endif
