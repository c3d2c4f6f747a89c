/* kifuargs.h: the command line of komadori-kifu. */
#ifndef KMD_KIFU_KIFUARGS_H
#define KMD_KIFU_KIFUARGS_H

#include "komadori/kifu.h"

/* The commands, a bit each. */
enum {
    KIFU_CONVERT = 1,
    KIFU_SHOW = 2,
    KIFU_CHECK = 4,
    KIFU_DIAGRAM = 8,
    KIFU_STATS = 16,
    KIFU_FORMATS = 32
};

enum { MAX_ARROWS = 16, AT_END = -1 };

/* The options of all commands; each command says which it looks at. */
typedef struct KifuArgs {
    const char **inputs; /* points into argv */
    int input_count;
    const KmdFormat *from, *to; /* NULL when not given */
    const char *out;            /* NULL: standard output */
    bool has_encoding;
    KmdEncoding encoding;
    KmdNotation notation;
    const char *arrows[MAX_ARROWS];
    int arrow_count;
    int at;   /* a number of moves, or AT_END */
    int game; /* the number of the game in the file, from 1 */
    bool crlf, bom, quiet, letters, plain, step, flip;
} KifuArgs;

/* Reads what stands behind the command's name, argv[0]; argv is rearranged. On a mistake, such as
 * an option that this command does not look at, says so on stderr and returns false. */
bool kifuargs_read(int argc, char **argv, int command, KifuArgs *args);

/* Reads a number without sign; false when text is none or it is larger than high. */
bool kifuargs_number(const char *text, int high, int *number);

/* False, with a message on stderr, unless there is one input. */
bool kifuargs_has_one(const KifuArgs *args);

/* Reads game args->game of the only input into record. Says what is wrong on stderr; false when
 * there is nothing to show. A game with a fault is kept up to there. */
bool kifuargs_load(const KifuArgs *args, KmdRecord *record);

/* The node of the main line after args->at moves, or its last move. */
int kifuargs_node(const KifuArgs *args, const KmdRecord *record);

/* Prints a fault on stderr: "game.kif:12: move 8: two pawns on the file (nifu): ８三歩打". */
void kifuargs_report(const char *path, const KmdFault *fault);

#endif
