/* openings.h: the positions that games start from: from a file with one opening a line, from game
 * records or from a book.
 *
 * Each line is an SFEN, "sfen SFEN moves ..." or "startpos moves ...", with or without the word
 * "position" before it. Empty lines, lines that begin with # and a byte-order mark are skipped.
 * Loaded once, then read only and safe from every thread. */
#ifndef KMD_MATCH_OPENINGS_H
#define KMD_MATCH_OPENINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "rules/outcome.h"
#include "rules/position.h"

typedef struct Openings {
    int count;    /* >= 1 after loading */
    char **lines; /* as the words after "position" in USI */
    size_t cap;
} Openings;

/* The user's choice of openings. */
typedef struct OpeningsRules {
    const char *path; /* NULL: the start of an even game */
    int order;        /* 0 sequential, 1 random */
    int first;        /* number of the first one to play, from 1 */
    int format;       /* the word given; formats are recognised in any case */
    int plies;        /* moves to take of each; -1: all, of records RECORD_PLIES */
    int window;       /* of a book no line that ends in a position worth more; 0: any */
} OpeningsRules;

/* How many moves of a record or book are played by default, and how many lines of a book are drawn
 * at most. */
enum { RECORD_PLIES = 24, BOOK_LINES = 1000 };

/* A book move may be worse than the best move by at most this, in centipawns. */
enum { BOOK_LOSS = 60 };

/* Reads and checks lines: legal positions and moves, no game that is over already under the rules;
 * of each at most `plies` moves are kept, -1: all. On failure *openings is empty and *error says
 * why, after ", line N: " if a line is at fault. */
bool openings_read(StrView text, int plies, const OutcomeRules *rules, Openings *openings,
                   StrBuf *error) MUST_CHECK;

/* Reads a file: lines as above, game records in any format, or a book, of which different random
 * lines are drawn that follow from seed. Without a path the start of an even game is the one
 * opening. */
bool openings_load(const OpeningsRules *from, const OutcomeRules *rules, uint64_t seed,
                   Openings *openings, StrBuf *error) MUST_CHECK;

void openings_free(Openings *openings);

/* Brings the openings into a random order that follows from seed. */
void openings_shuffle(Openings *openings, uint64_t seed);

/* Makes opening `index`, 0 <= index < count, the first one; those before it come last. */
void openings_begin_at(Openings *openings, int index);

/* A value that changes with any change of the openings or their order. */
uint64_t openings_hash(const Openings *openings);

/* Sets up opening `number` modulo count with its moves played. Returns its USI text. */
const char *openings_set(const Openings *openings, int number, Position *pos);

#endif
