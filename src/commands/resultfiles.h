/* resultfiles.h: the files that the analysis of a game writes: names, formats and contents.
 *
 * The user chooses the names, or they are derived from the name of the input: "game.kif" gives
 * "game-analysis.kif", "game-analysis.svg" and so on. Nothing here writes or prints. Use it from
 * one thread. */
#ifndef KMD_COMMANDS_RESULTFILES_H
#define KMD_COMMANDS_RESULTFILES_H

#include "commands/annotate.h"
#include "record/kifuio.h"

enum { RESULT_RECORD, RESULT_GRAPH, RESULT_PAGE, RESULT_JSON, RESULT_JOURNAL, RESULT_COUNT };

/* An AnnotateStyle that fits the format: floodgate's in CSA files, otherwise ShogiHome's. */
enum { RESULT_STYLE_AUTO = STYLE_FLOODGATE + 1 };

/* What the user requested. */
typedef struct ResultFilesOptions {
    const char *names[RESULT_JOURNAL]; /* a file, or a folder with a slash at its end; NULL: the
                                          graph gets a name derived from the input, and no page or
                                          JSON is written */
    bool has_graph;
    bool is_searched;    /* false: scores come from comments, and no record is written */
    int style;           /* style of the comments: an AnnotateStyle or RESULT_STYLE_AUTO */
    bool has_variations; /* the better line of each mistake becomes a variation */
} ResultFilesOptions;

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

/* Checks the requested names before the first game is read, and makes the folders among them.
 * `input` is the first input; has_many is true if there may be several games. Returns false with
 * "PATH: reason" in *why if a name cannot be used, for example because the index of a folder of
 * pages would replace a page that Komadori has not written. */
bool resultfiles_check(const ResultFilesOptions *options, const char *input, bool has_many,
                       StrBuf *why) MUST_CHECK;

/* True if the pages go to a folder, which then has an index (study/gameindex.h). */
bool resultfiles_has_index(const ResultFilesOptions *options);

/* True if the analysis of a folder includes the file with this name: a record, but not the result
 * of an earlier analysis. */
bool resultfiles_is_input(StrView name);

/* Names all files. A game in a format without comments becomes KIF, and a record whose name does
 * not fit its format gets the format's usual extension. Free with resultfiles_free. */
void resultfiles_init(ResultFiles *files, const ResultFilesOptions *options,
                      const ResultSource *source);
void resultfiles_free(ResultFiles *files);

/* Returns false, with the path and the reason appended to *why, if the files must not be written.
 * Each file must differ from the others, from the input, and from the files of `written`, which has
 * a line with the path or the file_identity of each output of earlier games. Only the record may
 * replace the input, but not if `is_part` is true, that is, if the record contains only a part of
 * the input. */
bool resultfiles_may_write(const ResultFiles *files, const ResultSource *source, bool is_part,
                           StrView written, StrBuf *why) MUST_CHECK;

/* Writes the results of the analysis into the record, as comments and variations. */
void resultfiles_comment(const ResultFiles *files, const ResultFilesOptions *options,
                         const Analysis *analysis, Record *record);

/* Appends the contents of file `which`, RESULT_RECORD .. RESULT_JSON. Returns the number of
 * characters that the encoding of the record lacks. */
size_t resultfiles_append(const ResultFiles *files, int which, const Analysis *analysis,
                          StrBuf *out);

#endif
