/* kifutool.h: the commands of komadori-kifu with their options, and the messages and words that
 * they share. Use it from one thread. Messages go to stderr. */
#ifndef KMD_COMMANDS_KIFUTOOL_H
#define KMD_COMMANDS_KIFUTOOL_H

#include "record/codec.h"

struct Games;

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
    Move arrows[MAX_ARROWS];
    int arrow_count;
    int at;   /* number of moves, or AT_END */
    int game; /* number of the game in the file, from 1 */
    bool crlf, bom, quiet, letters, plain, flip;
} KifuArgs;

/* The parts that a game may have and a format may hold, as KMD_HOLDS_... bits. */
enum { KIFU_PARTS = 12 };

typedef struct KifuPart {
    int bit;
    const char *word;
} KifuPart;

extern const KifuPart kifutool_parts[KIFU_PARTS];

/* Prints the path and the description of an errno value. Returns false. */
bool kifutool_complain(const char *path, int error);

/* Opens the games of a file. Errors are printed, and notes on unusual input unless --quiet is
 * given. */
void kifutool_open(const KifuArgs *args, const char *path, struct Games *games);

/* Like kifutool_open, for a position or a game in USI notation. The caller keeps the text. */
void kifutool_open_position(const KifuArgs *args, const char *text, struct Games *games);

/* The commands, each in its own file. They return the exit status: 0 if there is no error, 1 for an
 * error in a game or a file, 2 for wrong arguments. Results go to standard output. */
int kifutool_convert(const KifuArgs *args); /* convert.c */
int kifutool_show(const KifuArgs *args);    /* show.c */
int kifutool_diagram(const KifuArgs *args); /* show.c */
int kifutool_check(const KifuArgs *args);   /* checkgame.c */
int kifutool_stats(const KifuArgs *args);   /* gamestats.c */

#endif
