/* mateset.h: a collection of mate problems as text. Each row is a problem, some with a known
 * answer, and right answers are counted.
 *
 * Columns are separated by tabs. The first line that is neither empty nor a comment may name them:
 *
 *   sfen              the position
 *   known_length      plies as players count them, without futile interpositions, or "nomate"; of
 *                     helpmates plies, or "nomate"; of brinkmates moves, 0 for a mate, or "none"
 *   length_all_drops  plies of the shortest mate with every interposition, or "nomate"
 *   category          a name; answers are counted by category
 *
 * A known length that is "?" or empty is unknown.
 *
 * If no line names them, the first column is the position and all others are ignored. A MateSet
 * belongs to one thread. The text must outlive the MateSet. */
#ifndef KMD_COMMANDS_MATESET_H
#define KMD_COMMANDS_MATESET_H

#include "base/str.h"
#include "commands/mateproblem.h"

enum { MATESET_COLUMNS = 4, MATESET_CATEGORIES = 64 };

/* A row of the text; columns that the text does not have are empty. */
typedef struct MateRow {
    StrView sfen, known_length, length_all_drops, category;
} MateRow;

/* The counts for a category. */
typedef struct MateTally {
    StrView name;
    int total, decided, wrong;
    int shorter;       /* mates that are shorter than the known length */
    int known_lengths; /* mates whose known length counts every interposition */
    int right_lengths;
    int known_players; /* mates whose known length does not count futile interpositions */
    int right_players;
    uint64_t nodes;
    int64_t time_ns, slowest_ns;
} MateTally;

typedef struct MateSet {
    StrView rest;
    int column[MATESET_COLUMNS]; /* -1 if the text has no such column */
    int row;                     /* number of the last row, from 1 */
    int row_count;
    int line_number; /* line number of the last row, from 1 */
    MateTally tallies[MATESET_CATEGORIES];
    int tally_count;
} MateSet;

void mateset_init(MateSet *set, StrView text);

/* Finds the next row; false at the end. */
bool mateset_next(MateSet *set, MateRow *row) MUST_CHECK;

/* The counts for a category. At most MATESET_CATEGORIES categories are counted separately; all
 * others are counted with the last of these. */
MateTally *mateset_tally(MateSet *set, StrView category);

/* Returns NULL, or why the known lengths of a row cannot be read (static storage). */
const char *mateset_fault(const MateRow *row, const MateProblemOptions *options);

/* Compares an answer with the known one and adds the result to the counts. If they differ, appends
 * a remark that names the column and its value: ", shorter (length_all_drops 7)". */
void mateset_judge(const MateRow *row, const MateSolved *solved, MateTally *tally, StrBuf *remark);

#endif
