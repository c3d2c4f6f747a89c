/* kifutool.h: the commands of komadori-kifu and their options. Plain data. */
#ifndef KMD_KIFU_KIFUTOOL_H
#define KMD_KIFU_KIFUTOOL_H

#include "kifu/codec.h"

/* The commands, as bits. */
enum {
    KIFU_CONVERT = 1,
    KIFU_SHOW = 2,
    KIFU_CHECK = 4,
    KIFU_DIAGRAM = 8,
    KIFU_STATS = 16,
    KIFU_FORMATS = 32
};

enum { MAX_ARROWS = 16, AT_END = -1 };

/* The options of all commands. The table in komadori_kifu.c says which commands accept which
 * option. */
typedef struct KifuArgs {
    const char **inputs;
    int input_count;
    const Codec *from, *to; /* NULL when not given */
    const char *to_word;    /* the output format as the user typed it: "kif", "kifu" */
    const char *out;        /* NULL: standard output */
    bool has_encoding;
    TextEncoding encoding;
    int notation; /* a KmdNotation */
    Move arrows[MAX_ARROWS];
    int arrow_count;
    int at;   /* number of moves, or AT_END */
    int game; /* number of the game in the file, from 1 */
    bool crlf, bom, quiet, letters, plain, step, flip;
} KifuArgs;

#endif
