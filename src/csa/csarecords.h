/* csarecords.h: keeps the records of the client's games on disk.
 *
 * The record of a game is written again after each of the client's moves, so that it survives even
 * a power cut. One that cannot be written, for example because the disk is full, is kept in memory
 * and written later. Only one thread may use it. */
#ifndef KMD_CSA_CSARECORDS_H
#define KMD_CSA_CSARECORDS_H

#include <stdio.h>

#include "match/gamerecord.h"

/* A record that could not be written. */
typedef struct UnsavedRecord {
    char *path;
    StrBuf text;
} UnsavedRecord;

/* Zero-initialise all but `plan`; free with csarecords_free. */
typedef struct CsaRecords {
    const GameRecordOptions *options; /* with dir NULL, nothing is written */
    StrBuf path;                      /* the file of the game in progress */
    UnsavedRecord *unsaved;
    int unsaved_count;
    size_t cap;
} CsaRecords;

void csarecords_free(CsaRecords *records);

/* Begins the file of a new game. It is named after the game's id, without characters that a file
 * name cannot have, and gets a number if there is such a file. */
void csarecords_begin(CsaRecords *records, StrView game_id);

/* Writes the record of the game in progress, with the moves so far. Failures are ignored: the next
 * record has all that this one has. */
void csarecords_update(CsaRecords *records, const MatchEvent *event);

/* Writes the record of a game that has ended. Returns 0, or an errno value; the record is then
 * kept. */
int csarecords_finish(CsaRecords *records, const MatchEvent *event) MUST_CHECK;

/* Tries again to write the records that are kept. Returns the number of those written. */
int csarecords_retry(CsaRecords *records);

/* Prints the records that are still kept. */
void csarecords_print_unsaved(const CsaRecords *records, FILE *stream);

#endif
