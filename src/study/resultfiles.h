/* resultfiles.h: the files that an analysis of a game writes: their names and formats.
 *
 * Names are chosen by the user, or derived from the name of the input: "game.kif" gives
 * "game-analysis.kif", "game-analysis.svg" and so on. One thread. */
#ifndef KMD_STUDY_RESULTFILES_H
#define KMD_STUDY_RESULTFILES_H

#include "kifu/kifuio.h"

/* The name of a derived file ends in this, before its extension. */
#define RESULTFILES_MARK "-analysis"

enum { RESULT_RECORD, RESULT_GRAPH, RESULT_PAGE, RESULT_JSON, RESULT_JOURNAL, RESULT_COUNT };

/* What the user wants. */
typedef struct ResultWish {
    const char *names[RESULT_JOURNAL]; /* a file or a folder/; NULL: a graph gets a name derived
                                          from the input, page and JSON are not written */
    bool has_graph;
    bool is_searched; /* false: the scores are those of the input, and no record is written */
} ResultWish;

/* The game that is analysed. */
typedef struct ResultSource {
    const char *path; /* of its file */
    int game;         /* its number in the file, from 1 */
    KifuForm form;
} ResultSource;

typedef struct ResultFiles {
    StrBuf paths[RESULT_COUNT]; /* empty: not written. The record has a name in any case */
    KifuForm form;              /* of the record */
} ResultFiles;

/* The path without its extension. */
StrView resultfiles_stem(StrView path);

/* Names all files. A game in a format without comments becomes KIF, and a record whose name does
 * not fit its format gets the format's usual extension. Free with resultfiles_free. */
void resultfiles_init(ResultFiles *files, const ResultWish *wish, const ResultSource *source);
void resultfiles_free(ResultFiles *files);

/* Why the files must not be written, with the path concerned in *path; NULL if all is well. Each
 * must differ from the others and from the input; only the record may replace the input, unless
 * `is_part`: it holds only a part of what the input holds. */
const char *resultfiles_conflict(const ResultFiles *files, const ResultSource *source, bool is_part,
                                 const char **path);

#endif
