/* kifutool.h: the commands of komadori-kifu and what they share. One thread; messages go to stderr.
 */
#ifndef KMD_KIFU_KIFUTOOL_H
#define KMD_KIFU_KIFUTOOL_H

#include "kifu/codec.h"
#include "kifu/record.h"
#include "kifu/stream.h"

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

/* The options of all commands; the table in komadori_kifu.c says which command has which. */
typedef struct KifuArgs {
    const char **inputs;
    int input_count;
    const Codec *from, *to; /* NULL when not given */
    const char *to_word;    /* the format to write as it was typed: "kif", "kifu" */
    const char *out;        /* NULL: standard output */
    bool has_encoding;
    TextEncoding encoding;
    int notation; /* a KmdNotation */
    Move arrows[MAX_ARROWS];
    int arrow_count;
    int at;   /* a number of moves, or AT_END */
    int game; /* the number of the game in the file, from 1 */
    bool crlf, bom, quiet, letters, plain, step, flip;
} KifuArgs;

/* The commands; each returns the exit status: 0 when all is well, 1 when something is wrong with a
 * game or a file, 2 when the words of the command cannot be used. */
int kifu_convert(const KifuArgs *args);
int kifu_show(const KifuArgs *args);
int kifu_check(const KifuArgs *args);
int kifu_diagram(const KifuArgs *args);
int kifu_stats(const KifuArgs *args);

/* What a game may have and a format may hold, as KMD_HOLDS_... */
enum { KIFU_PARTS = 8 };

typedef struct KifuPart {
    int bit;
    const char *word;
} KifuPart;

extern const KifuPart kifu_parts[KIFU_PARTS];

/* Says "PATH: words of the errno value"; false. */
bool kifu_complain(const char *path, int error);

/* The games of an input, one after the other. */
typedef struct Games {
    const char *path;
    KifuStream stream;
    Record record;  /* the latest; one with a fault is kept up to there */
    bool is_broken; /* it has a fault, which has been told */
    int count;      /* games so far */
    long faults;    /* games with a fault, and a file without a game or that cannot be read */
    bool is_open;
} Games;

void games_open(Games *games, const KifuArgs *args, const char *path);

/* False at the end. Notes on what is unusual are told unless the arguments ask for quiet. */
bool games_next(Games *games, const KifuArgs *args);
void games_close(Games *games);

/* How often a name occurs, and a sum that is the caller's to keep. */
typedef struct Tally {
    char *name; /* NULL for a slot that is free */
    long count, points;
} Tally;

/* A hash table; all zero is an empty one. Owns its names; slots[0] to slots[size - 1] in no order.
 */
typedef struct TallyTable {
    Tally *slots;
    size_t size, used;
} TallyTable;

/* Counts a name once more and returns its slot, valid until the next call. */
Tally *tally_count(TallyTable *table, StrView name);
void tally_free(TallyTable *table);

#endif
