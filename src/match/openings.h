/* openings.h: the positions that games start from. The positions come from a file with one opening
 * per line, or from game records.
 *
 * Each line is an SFEN, "sfen SFEN moves ..." or "startpos moves ...", with or without the word
 * "position" before it. Empty lines, lines that begin with # and a byte-order mark are skipped.
 * After loading, the openings are only read, so any thread may use them. */
#ifndef KMD_MATCH_OPENINGS_H
#define KMD_MATCH_OPENINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "rules/outcome.h"
#include "rules/position.h"

typedef struct Openings {
    int count;    /* >= 1 after loading */
    char **lines; /* each line is the text after "position" in USI */
    size_t cap;
} Openings;

/* The user's choice of openings. */
typedef struct OpeningsOptions {
    const char *path; /* NULL: the start of an even game */
    int order;        /* 0 sequential, 1 random */
    int first;        /* number of the first opening to play, from 1 */
    int plies;        /* number of moves to take from each; -1: all, or RECORD_PLIES from records */
} OpeningsOptions;

/* The default number of moves to take from a record. */
enum { RECORD_PLIES = 24 };

/* Reads and checks lines: positions and moves must be legal, and the game must not be over under
 * the rules. Keeps at most `plies` moves of each line; -1: all. Keeps one of several equal
 * openings. On failure *openings is empty and *error contains the reason, preceded by ", line N: "
 * if a line is at fault. */
bool openings_read(StrView text, int plies, const OutcomeRules *rules, Openings *openings,
                   StrBuf *error) MUST_CHECK;

/* Reads a file of lines as described above, or a file of game records in any format. Without a
 * path, the only opening is the start of an even game. */
bool openings_load(const OpeningsOptions *from, const OutcomeRules *rules, Openings *openings,
                   StrBuf *error) MUST_CHECK;

void openings_free(Openings *openings);

/* Shuffles the openings by the seed. */
void openings_shuffle(Openings *openings, uint64_t seed);

/* Makes opening `index` (0 <= index < count) the first; the openings before it move to the end. */
void openings_begin_at(Openings *openings, int index);

/* A hash of the openings and their order. */
uint64_t openings_hash(const Openings *openings);

/* Sets up the position after the moves of opening `number` modulo count. Returns its USI text. */
const char *openings_set(const Openings *openings, int number, Position *pos);

#endif
