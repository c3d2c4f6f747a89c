/* resultfiles.h: the names and formats of the files that the analysis of a game writes.
 *
 * The user chooses the names, or they are derived from the name of the input: "game.kif" gives
 * "game-analysis.kif", "game-analysis.svg" and so on. Use it from one thread. */
#ifndef KMD_STUDY_RESULTFILES_H
#define KMD_STUDY_RESULTFILES_H

#include "kifu/kifuio.h"

/* The text that the name of a derived file has before its extension. */
#define RESULTFILES_MARK "-analysis"

enum { RESULT_RECORD, RESULT_GRAPH, RESULT_PAGE, RESULT_JSON, RESULT_JOURNAL, RESULT_COUNT };

/* What the user requested. */
typedef struct ResultWish {
    const char *names[RESULT_JOURNAL]; /* a file, or a folder with a slash at its end; NULL: the
                                          graph gets a name derived from the input, and no page or
                                          JSON is written */
    bool has_graph;
    bool is_searched; /* false: scores come from comments, and no record is written */
} ResultWish;

/* The game that is analysed. */
typedef struct ResultSource {
    const char *path; /* path of its file */
    int game;         /* number of the game in the file, from 1 */
    KifuForm form;
} ResultSource;

typedef struct ResultFiles {
    StrBuf paths[RESULT_COUNT]; /* empty if the file is not written; the record always has a path */
    KifuForm form;              /* form in which to write the record */
} ResultFiles;

/* The path without its extension. */
StrView resultfiles_stem(StrView path);

/* Names all files. A game in a format without comments becomes KIF, and a record whose name does
 * not fit its format gets the format's usual extension. Free with resultfiles_free. */
void resultfiles_init(ResultFiles *files, const ResultWish *wish, const ResultSource *source);
void resultfiles_free(ResultFiles *files);

/* Returns NULL if the files may be written; otherwise the reason why not, with the path concerned
 * in *path. Each file must differ from the others and from the input. Only the record may replace
 * the input, but not if `is_part` is true, that is, if the record contains only a part of the
 * input. */
const char *resultfiles_conflict(const ResultFiles *files, const ResultSource *source, bool is_part,
                                 const char **path);

#endif
