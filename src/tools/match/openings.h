/* openings.h: the positions that games start from.
 *
 * A file has one opening a line: an SFEN, "sfen SFEN moves ...", "startpos moves ..." or any of
 * them after the word "position"; empty lines and lines that begin with # are skipped, and so is a
 * byte-order mark. Loaded once, then read only and safe from every thread. */
#ifndef KMD_MATCH_OPENINGS_H
#define KMD_MATCH_OPENINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "rules/outcome.h"
#include "rules/position.h"

typedef struct Openings {
    int count;    /* >= 1 after loading */
    char **lines; /* as the words behind "position" in USI */
    size_t cap;
} Openings;

/* Where and why a file was refused. line is 0 when the file could not be read. */
typedef struct OpeningsError {
    int line;
    const char *text;
} OpeningsError;

/* Reads and checks all of a text: legal positions and moves, no game that is over already under
 * the rules. On failure *openings is empty. */
bool openings_read(StrView text, const OutcomeRules *rules, Openings *openings,
                   OpeningsError *error) MUST_CHECK;

/* As openings_read, from a file. */
bool openings_load(const char *path, const OutcomeRules *rules, Openings *openings,
                   OpeningsError *error) MUST_CHECK;

/* The one opening of a tournament without a file: the start of an even game. */
void openings_start(Openings *openings);

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
