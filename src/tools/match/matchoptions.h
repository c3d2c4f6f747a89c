/* matchoptions.h: the options of komadori-match, each with its reader and its help, in one table.
 */
#ifndef KMD_MATCH_MATCHOPTIONS_H
#define KMD_MATCH_MATCHOPTIONS_H

#include "tools/match/args.h"
#include "tools/match/settings.h"

/* An option that may come several times. */
typedef struct ArgList {
    ArgValues *items;
    int count;
    size_t cap;
} ArgList;

/* A command line that is being read. What can be settled at once is in the settings; the rest waits
 * here until all words have been seen. */
typedef struct MatchArgs {
    MatchSettings *settings;
    ArgList engines; /* -engine as often as it comes; read after -each */
    ArgList each;
    const char *openings_path;
    bool is_shuffled;
    int first_opening; /* to begin with, from 1 */
    bool has_rounds;
    bool wants_pairs; /* said so: the default takes an odd number of games as well */
    int64_t seed;
    int64_t margin_ms; /* for engines without one of their own */
    StrBuf *error;
} MatchArgs;

/* Notes in args->error that a word is no value of an option, and returns false. */
bool matchoptions_refuse(MatchArgs *args, const char *option, StrView word);

/* The name behind - or --; empty when the word is no option. */
StrView matchoptions_name(const char *word);

/* Reads one option with its values; false with the fault in args->error. */
bool matchoptions_read(MatchArgs *args, const ArgValues *values) MUST_CHECK;

/* Two lines of help for each option. */
void matchoptions_write_help(StrBuf *out);

#endif
