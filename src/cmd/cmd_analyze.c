/* cmd_analyze.c: the steps of an analysis: read the games, determine the names of the output files,
 * search each position, and write the record, the graph, the page and the JSON. */
#include "cmd/cmd_analyze.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fileio.h"
#include "base/journal.h"
#include "base/textenc.h"
#include "base/xmem.h"
#include "cmd/resources.h"
#include "command/command.h"
#include "command/output.h"
#include "engine/engine.h"
#include "kifu/codec.h"
#include "kifu/codecs.h"
#include "kifu/kifuio.h"
#include "kifu/stream.h"
#include "search/pool.h"
#include "study/analysis.h"
#include "study/evalgraph.h"
#include "study/gameindex.h"
#include "study/gamepage.h"
#include "study/gamesearch.h"
#include "study/resultfiles.h"

/* The time for each position if no limit is given. Each search adds its result at once to a journal
 * next to the output. A run that finds a journal of the same game and limits continues from it, and
 * removes it at the end. */

#define DEFAULT_TIME_MS 1000
#define DEFAULT_HASH_MB 64

typedef struct AnalyzeOptions {
    int64_t time_ms; /* time per position; 0: no limit */
    uint64_t nodes;
    int depth, threads, hash_mb, multi_pv;
    int from, to; /* positions to search, given by the number of moves before them */
    int side;     /* BLACK, WHITE or COLOR_NB */
    int style;    /* an AnalysisStyle, or STYLE_BY_FORMAT */
    bool has_variations, is_for_all, is_backward;
    ResultWish results;
} AnalyzeOptions;

/* The default style: floodgate's in CSA files, otherwise ShogiHome's. */
enum { STYLE_BY_FORMAT = STYLE_FLOODGATE + 1 };

static const char *side_name(int side) {
    static const char *const names[] = {[BLACK] = "black", [WHITE] = "white", [COLOR_NB] = "both"};
    return side < (int)COUNTOF(names) ? names[side] : NULL;
}

static const char *style_name(int style) {
    static const char *const names[] = {[STYLE_SHOGIHOME] = "shogihome",
                                        [STYLE_SHOGIGUI] = "shogigui",
                                        [STYLE_FLOODGATE] = "floodgate",
                                        [STYLE_BY_FORMAT] = "auto"};
    return style < (int)COUNTOF(names) ? names[style] : NULL;
}

#define AT(kind, member) ARG_AT(AnalyzeOptions, kind, member)

static const ArgOption options[] = {
    {"--time", "S", AT(ARG_SECONDS, time_ms), 0.001, 1e6,
     .help = "seconds per position; 1 if there is no other limit"},
    {"--nodes", "N", AT(ARG_U64, nodes), 1, .help = "nodes per position"},
    {"--depth", "N", AT(ARG_INT, depth), 1, MAX_PLY, .help = "depth of each search"},
    {"--threads", "N", AT(ARG_INT, threads), 1, POOL_MOST_THREADS, .start = 1,
     .help = "number of threads"},
    {"--hash", "MB", AT(ARG_INT, hash_mb), TT_LEAST_MB, TT_MOST_MB, .start = DEFAULT_HASH_MB,
     .help = "size of the hash table"},
    {"--multipv", "N", AT(ARG_INT, multi_pv), 1, ANALYSIS_LINES, .start = 1,
     .help = "number of best lines per position"},
    {"--from", "N", AT(ARG_INT, from), 0, RECORD_MAX_NODES,
     .help = "start with the position after N moves"},
    {"--to", "N", AT(ARG_INT, to), 0, RECORD_MAX_NODES, .start = RECORD_MAX_NODES,
     .help = "stop with the position after N moves"},
    {"--side", NULL, AT(ARG_CHOICE, side), .word = side_name, .start = COLOR_NB,
     .help = "comment on the moves of this side"},
    {"--style", NULL, AT(ARG_CHOICE, style), .word = style_name, .start = STYLE_BY_FORMAT,
     .help = "format of the comments; auto: floodgate in CSA files, otherwise shogihome"},
    {"--variations", NULL, AT(ARG_FLAG, has_variations),
     .help = "add the better line of each mistake as a variation"},
    {"--no-search", NULL, AT(ARG_NO, results.is_searched),
     .help = "draw the scores already in the record; write no record"},
    {"--all", NULL, AT(ARG_FLAG, is_for_all),
     .help = "analyse every game of a file, not only the first, each into files of its own"},
    /* Of two options for the same member, the later one sets the default. */
    {"--backward", NULL, AT(ARG_FLAG, is_backward),
     .help = "search from the last position to the first (the default)"},
    {"--forward", NULL, AT(ARG_NO, is_backward),
     .help = "search from the first position to the last"},
    {"-o", "OUT", AT(ARG_TEXT, results.names[RESULT_RECORD]),
     .help = "write the commented record here, or into FOLDER/; default: NAME-analysis with the "
             "extension of the input"},
    {"--graph", "SVG", AT(ARG_TEXT, results.names[RESULT_GRAPH]),
     .help = "write the graph of the scores here, or into FOLDER/; default: next to the record"},
    {"--no-graph", NULL, AT(ARG_NO, results.has_graph), .help = "write no graph"},
    {"--html", "HTML", AT(ARG_TEXT, results.names[RESULT_PAGE]),
     .help = "write a web page with board, moves and graph here, or into FOLDER/"},
    {"--json", "JSON", AT(ARG_TEXT, results.names[RESULT_JSON]),
     .help = "write the results as JSON here, or into FOLDER/"},
};

typedef struct AnalyzeRun {
    const CommandContext *context;
    AnalyzeOptions options;
    ResultSource source;
    bool is_one_of_many; /* this run analyses several games */
    GoLimits limits;
    Record record;
    bool has_fault; /* the game has an error; the record contains the moves before it */
    bool has_more;  /* the file contains further games */
    Analysis analysis;
    Engine *engine;
    GameSearch search;
    ResultFiles files;
    Progress progress;
    StrBuf index;           /* lines of the index for the games that have a page in the folder */
    bool has_journal_fault; /* an error of the journal, which has been reported */
    int searched;
} AnalyzeRun;

/* ---- The game. ---- */

static void report_fault(const AnalyzeRun *run, const KmdFault *error) {
    StrBuf text = STRBUF_INIT;
    kifu_append_fault(run->source.path, error, &text);
    command_fail(run->context, COMMAND_FAILED, "%s", text.ptr);
    strbuf_free(&text);
}

static bool is_game_next(KifuStream *stream) {
    KmdFault error;
    Record record;
    record_init(&record);
    bool is_there = kifu_stream_next(stream, &record, &error) < KMD_NEXT_END;
    record_free(&record);
    return is_there;
}

/* Reads game run->source.game of the file. Returns false if the file has no such game, with a
 * message if it has no game at all. */
static bool read_game(AnalyzeRun *run) {
    KifuStream stream;
    KmdFault error = {.reason = NULL};
    int fault = kifu_stream_open(&stream, run->source.path, NULL);
    if (fault != 0) {
        return command_refuse(run->context, run->source.path, file_error_text(fault));
    }
    KmdNext next = KMD_NEXT_GAME;
    for (int i = 0; i < run->source.game && next < KMD_NEXT_END; i++) {
        next = kifu_stream_next(&stream, &run->record, &error);
    }
    run->source.form = stream.form;
    run->has_fault = next != KMD_NEXT_GAME;
    run->has_more = next < KMD_NEXT_END && is_game_next(&stream);
    if (next == KMD_NEXT_BROKEN) {
        report_fault(run, &error);
    } else if (next == KMD_NEXT_END && run->source.game == 1) {
        command_refuse(run->context, run->source.path, "contains no game");
    } else if (next == KMD_NEXT_FAILED) {
        command_refuse(run->context, run->source.path, file_error_text(stream.file_error));
    }
    kifu_stream_free(&stream);
    return next < KMD_NEXT_END;
}

/* Reads a game. Returns false if there is nothing to analyse. */
static bool load_game(AnalyzeRun *run) {
    return read_game(run) && (!run->has_fault || record_main_length(&run->record) > 0);
}

/* Returns false, with a message, if options contradict each other. */
static bool check_options(const AnalyzeRun *run) {
    const AnalyzeOptions *wanted = &run->options;
    if (wanted->from > wanted->to) {
        command_fail(run->context, COMMAND_MISUSED, "--to %d comes before --from %d", wanted->to,
                     wanted->from);
        return false;
    }
    if (!wanted->results.is_searched && !wanted->results.has_graph &&
        wanted->results.names[RESULT_PAGE] == NULL && wanted->results.names[RESULT_JSON] == NULL) {
        command_fail(run->context, COMMAND_MISUSED,
                     "nothing to write: add --html or --json, or remove --no-graph");
        return false;
    }
    return true;
}

/* True if pages go to a folder, which then gets an index. */
static bool has_index(const AnalyzeRun *run) {
    const char *pages = run->options.results.names[RESULT_PAGE];
    return pages != NULL && file_names_folder(pages);
}

/* Returns false, with a message, if the index would replace a page that this command did not
 * write. */
static bool check_index(const AnalyzeRun *run) {
    StrBuf path = STRBUF_INIT;
    file_join(run->options.results.names[RESULT_PAGE], SV(GAMEINDEX_NAME), &path);
    int fault = gameindex_check(path.ptr);
    bool is_good =
        fault == 0 || command_refuse(run->context, path.ptr,
                                     fault == EEXIST ? "not written by komadori analyze; "
                                                       "it is not replaced"
                                                     : file_error_text(fault));
    strbuf_free(&path);
    return is_good;
}

/* Returns false, with a message, if an option's value is not a valid name for its output. */
static bool check_names(const AnalyzeRun *run) {
    const AnalyzeOptions *wanted = &run->options;
    for (int i = 0; i < RESULT_JOURNAL; i++) {
        const char *name = wanted->results.names[i];
        if (name != NULL && strcmp(name, "-") == 0) {
            return command_refuse(run->context, "-", "give a file name");
        }
        if (name != NULL && file_names_folder(name)) {
            int fault = file_make_folder(name);
            if (fault != 0) {
                return command_refuse(run->context, name, file_error_text(fault));
            }
        } else if (name != NULL && run->is_one_of_many) {
            return command_refuse(run->context, name,
                                  "one file cannot hold several games; give a folder");
        }
    }
    if (has_index(run) && !check_index(run)) {
        return false;
    }
    StrView out = sv_from(wanted->results.names[RESULT_RECORD]);
    bool is_known =
        out.len == 0 || file_names_folder(out.ptr) || kifu_codec_by_path(out) != NULL ||
        sv_equal_nocase(kifu_path_ending(out), kifu_path_ending(sv_from(run->source.path)));
    return is_known || command_refuse(run->context, out.ptr, "unknown file name extension");
}

/* Determines the names of the results. Returns false, with a message, if writing them would
 * overwrite a file that must be kept. */
static bool name_results(AnalyzeRun *run) {
    const ResultSource *source = &run->source;
    const char *path;
    resultfiles_init(&run->files, &run->options.results, source);
    const KmdFormat *format = &run->files.form.codec->format;
    if ((format->holds & KMD_HOLDS_COMMENTS) == 0 && run->options.results.is_searched) {
        output_linef(run->context->out, "%s: the format %s cannot hold comments; they are left out",
                     run->files.paths[RESULT_RECORD].ptr, format->name);
    }
    bool is_part = run->has_fault || run->has_more || source->game > 1;
    const char *conflict = resultfiles_conflict(&run->files, source, is_part, &path);
    return conflict == NULL || command_refuse(run->context, path, conflict);
}

/* ---- Searching. ---- */

static void show_progress(AnalyzeRun *run, int index, int left) {
    enum { BAR = 30 };
    const Judgement *found = &run->analysis.at[index];
    int total = run->analysis.count, done = total - left;
    int64_t spent_ms = progress_elapsed_ms(&run->progress);
    int64_t left_s = run->searched > 0 ? spent_ms / 1000 * left / run->searched : 0;
    char bar[BAR + 1];
    for (int i = 0; i < BAR; i++) {
        bar[i] = i < done * BAR / total ? '=' : ' ';
    }
    bar[BAR] = '\0';
    progress_show(&run->progress, "[%s] %d/%d  after move %d: %+d, depth %d  %d:%02d left", bar,
                  done, total, index, found->lines[0].score, found->depth, (int)(left_s / 60),
                  (int)(left_s % 60));
}

/* Reports the progress after a search. Only the first error of the journal is reported; the
 * analysis continues. */
static void on_done(void *context, int index, int left) {
    AnalyzeRun *run = context;
    if (run->search.fault != 0 && !run->has_journal_fault) {
        run->has_journal_fault = true;
        command_refuse(run->context, run->search.path, journal_error_text(run->search.fault));
    }
    run->searched++;
    show_progress(run, index, left);
}

/* Searches the positions of a game. Returns false if the command was cancelled or, with a message,
 * if the journal cannot be used. */
static bool search_game(AnalyzeRun *run) {
    GameSearch *search = &run->search;
    *search = (GameSearch){.engine = run->engine,
                           .limits = run->limits,
                           .multi_pv = run->options.multi_pv,
                           .from = run->options.from,
                           .to = run->options.to,
                           .is_backward = run->options.is_backward,
                           .path = run->files.paths[RESULT_JOURNAL].ptr,
                           .cancel = run->context->cancel,
                           .on_done = on_done,
                           .context = run};
    if (gamesearch_resume(search, &run->analysis) != 0) {
        return command_refuse(run->context, search->path, journal_error_text(search->fault));
    }
    run->analysis.scale = engine_score_scale(run->engine);
    bool is_done = gamesearch_run(search, &run->analysis);
    progress_clear(&run->progress);
    if (!is_done) {
        output_linef(run->context->out, "interrupted; run the same command again to continue");
    }
    return is_done;
}

/* ---- Results. ---- */

static bool write_bytes(const AnalyzeRun *run, const StrBuf *path, const StrBuf *bytes) {
    return path->len == 0 || command_write_file(run->context, path->ptr, bytes);
}

/* Writes the record with its comments. The page gets it without variations unless they were
 * requested. */
static bool write_record(AnalyzeRun *run) {
    int style = run->options.style;
    style = style != STYLE_BY_FORMAT                        ? style
            : run->files.form.codec->has_floodgate_comments ? STYLE_FLOODGATE
                                                            : STYLE_SHOGIHOME;
    StrBuf game = STRBUF_INIT;
    analysis_comment(&run->analysis, (AnalysisStyle)style, &run->record);
    if (run->options.has_variations) {
        analysis_add_variations(&run->analysis, &run->record);
    }
    size_t lacking = kifu_write(&run->record, &run->files.form, &game);
    if (lacking > 0) {
        output_linef(run->context->out,
                     "%llu character%s not in %s and became 〓; .kifu and .ki2u are in UTF-8",
                     (unsigned long long)lacking, lacking == 1 ? " is" : "s are",
                     textenc_name(run->files.form.encoding));
    }
    bool is_good = write_bytes(run, &run->files.paths[RESULT_RECORD], &game);
    strbuf_free(&game);
    return is_good;
}

static bool write_results(AnalyzeRun *run) {
    static void (*const writers[])(const Analysis *,
                                   StrBuf *) = {[RESULT_GRAPH] = evalgraph_write,
                                                [RESULT_PAGE] = gamepage_write_html,
                                                [RESULT_JSON] = gamepage_write_json};
    bool is_good = !run->options.results.is_searched || write_record(run);
    for (int i = RESULT_GRAPH; i <= RESULT_JSON; i++) {
        StrBuf text = STRBUF_INIT;
        if (run->files.paths[i].len > 0) {
            writers[i](&run->analysis, &text);
            is_good = write_bytes(run, &run->files.paths[i], &text) && is_good;
        }
        strbuf_free(&text);
    }
    return is_good && (!run->options.results.is_searched ||
                       remove(run->files.paths[RESULT_JOURNAL].ptr) == 0 ||
                       command_refuse(run->context, run->files.paths[RESULT_JOURNAL].ptr,
                                      "cannot be removed"));
}

static void print_side(const AnalyzeRun *run, Color side) {
    AnalysisSummary sum = analysis_summary(&run->analysis, side);
    const int *mistakes = sum.mistakes;
    const char *name = side == BLACK ? "black" : "white";
    if (sum.moves == 0) {
        output_linef(run->context->out, "%s: no move has a score both before and after it", name);
        return;
    }
    output_linef(run->context->out,
                 "%s: %d dubious move%s, %d mistake%s, %d blunder%s, %d missed mate%s; %.1f %% of "
                 "winning chances lost per move, accuracy %.1f %%",
                 name, mistakes[MISTAKE_DUBIOUS], str_plural((uint64_t)mistakes[MISTAKE_DUBIOUS]),
                 mistakes[MISTAKE_BAD], str_plural((uint64_t)mistakes[MISTAKE_BAD]),
                 mistakes[MISTAKE_BLUNDER], str_plural((uint64_t)mistakes[MISTAKE_BLUNDER]),
                 sum.missed_mates, str_plural((uint64_t)sum.missed_mates), sum.loss, sum.accuracy);
}

/* Prints the names of the files written, such as "written: a.kif, a.svg". */
static void print_written(const AnalyzeRun *run) {
    StrBuf text = STRBUF_INIT;
    for (int i = run->options.results.is_searched ? RESULT_RECORD : RESULT_GRAPH; i <= RESULT_JSON;
         i++) {
        if (run->files.paths[i].len > 0) {
            strbuf_addf(&text, "%s%s", text.len > 0 ? ", " : "", run->files.paths[i].ptr);
        }
    }
    output_linef(run->context->out, "written: %s", text.len > 0 ? text.ptr : "nothing");
    strbuf_free(&text);
}

/* Analyses all positions. Returns false if that ends the analysis of the game. */
static bool judge_game(AnalyzeRun *run) {
    analysis_init(&run->analysis, &run->record);
    run->analysis.side = (Color)run->options.side;
    run->analysis.has_index = has_index(run);
    if (!run->options.results.is_searched) {
        return analysis_read(&run->analysis) > 0 ||
               command_refuse(run->context, run->source.path,
                              "this game has no comment with a score");
    }
    if (run->options.from >= run->analysis.count) {
        command_fail(run->context, COMMAND_FAILED,
                     "%s: --from %d is beyond the end: the game has %d move%s", run->source.path,
                     run->options.from, run->analysis.count - 1,
                     str_plural((uint64_t)run->analysis.count - 1));
        return false;
    }
    command_begin_progress(run->context, &run->progress, 0, 0, false);
    return search_game(run);
}

/* Analyses the game that run->source identifies. */
static int analyze_game(AnalyzeRun *run) {
    if (!load_game(run)) {
        return COMMAND_FAILED;
    }
    if (!name_results(run) || !judge_game(run) || !write_results(run)) {
        return COMMAND_FAILED;
    }
    for (int side = BLACK; side <= WHITE; side++) {
        if (run->options.side != (int)color_flip((Color)side)) {
            print_side(run, (Color)side);
        }
    }
    print_written(run);
    if (has_index(run)) {
        StrView page = file_name(strbuf_view(&run->files.paths[RESULT_PAGE]));
        gameindex_add(&run->analysis, page, &run->index);
    }
    return run->has_fault ? COMMAND_FAILED : COMMAND_GOOD;
}

/* Frees the data of a game. */
static void clear_game(AnalyzeRun *run) {
    resultfiles_free(&run->files);
    analysis_free(&run->analysis);
    run->searched = 0;
}

/* Analyses the first game of a file, or all of them. */
static int analyze_file(AnalyzeRun *run, const char *path) {
    int status = COMMAND_GOOD;
    run->source.path = path;
    run->source.game = 0;
    do {
        run->source.game++;
        run->has_more = false;
        int result = analyze_game(run);
        status = result != COMMAND_GOOD ? result : status;
        clear_game(run);
    } while (run->options.is_for_all && run->has_more && !command_is_cancelled(run->context));
    return status;
}

/* Analyses the games of a folder in the order of their names. Skips the results of earlier
 * analyses. */
static int analyze_folder(AnalyzeRun *run, const char *path) {
    StrBuf names = STRBUF_INIT;
    StrView rest, name;
    int status = COMMAND_GOOD;
    int count = 0;
    int fault = file_list(path, &names);
    if (fault != 0) {
        command_refuse(run->context, path, file_error_text(fault));
        status = COMMAND_FAILED;
    }
    rest = strbuf_view(&names);
    while (sv_next_line(&rest, &name) && !command_is_cancelled(run->context)) {
        StrView stem = resultfiles_stem(name);
        bool is_result = sv_find(stem, SV(RESULTFILES_MARK)) < stem.len;
        if (kifu_codec_by_path(name) != NULL && !is_result) {
            StrBuf file = STRBUF_INIT;
            count++;
            file_join(path, name, &file);
            int result = analyze_file(run, file.ptr);
            status = result != COMMAND_GOOD ? result : status;
            strbuf_free(&file);
        }
    }
    strbuf_free(&names);
    if (count == 0 && fault == 0) {
        command_refuse(run->context, path, "contains no game");
    }
    return count == 0 ? COMMAND_FAILED : status;
}

/* Writes the index of the games so far, even if the run was cancelled. */
static bool write_index(AnalyzeRun *run) {
    const char *folder = run->options.results.names[RESULT_PAGE];
    StrBuf path = STRBUF_INIT;
    file_join(folder, SV(GAMEINDEX_NAME), &path);
    int fault = gameindex_write(folder, path.ptr, &run->index);
    if (fault == 0) {
        output_linef(run->context->out, "written: %s", path.ptr);
    } else {
        command_refuse(run->context, path.ptr, file_error_text(fault));
    }
    strbuf_free(&path);
    return fault == 0;
}

static int analyze_inputs(AnalyzeRun *run, const Args *args) {
    EngineResources wanted = {.hash_mb = run->options.hash_mb, .threads = run->options.threads};
    StrBuf lines = STRBUF_INIT;
    int status = COMMAND_GOOD;
    run->source.path = args->words[0];
    run->is_one_of_many =
        args->count > 1 || run->options.is_for_all || file_is_folder(args->words[0]);
    for (int i = 0; i < args->count; i++) {
        if (strcmp(args->words[i], "-") == 0) {
            command_refuse(run->context, "-", "give a file name");
            return COMMAND_MISUSED;
        }
    }
    if (!check_options(run) || !check_names(run)) {
        return COMMAND_MISUSED;
    }
    strbuf_add_i64(&lines, run->options.multi_pv);
    (void)!engine_set_option(run->engine, SV("MultiPV"), strbuf_view(&lines));
    strbuf_free(&lines);
    if (run->options.results.is_searched && !resources_prepare(run->context, run->engine, wanted)) {
        return COMMAND_FAILED;
    }
    for (int i = 0; i < args->count && !command_is_cancelled(run->context); i++) {
        const char *path = args->words[i];
        int result = file_is_folder(path) ? analyze_folder(run, path) : analyze_file(run, path);
        status = result != COMMAND_GOOD ? result : status;
    }
    if (run->index.len > 0 && !write_index(run)) {
        status = COMMAND_FAILED;
    }
    return status;
}

static int run_analyze(const CommandContext *context, Args *args) {
    enum { MOST_INPUTS = 1000000 };
    AnalyzeOptions wanted;
    if (!command_read(context, args, &wanted, 1, MOST_INPUTS)) {
        return COMMAND_MISUSED;
    }
    bool is_limited = wanted.nodes > 0 || wanted.time_ms > 0 || wanted.depth > 0;
    AnalyzeRun *run = xmem_calloc(1, sizeof(*run));
    run->context = context;
    run->options = wanted;
    run->limits = (GoLimits){.nodes = wanted.nodes,
                             .depth = wanted.depth,
                             .movetime_ms = is_limited ? wanted.time_ms : DEFAULT_TIME_MS};
    record_init(&run->record);
    run->engine = engine_create();
    int status = analyze_inputs(run, args);
    engine_free(run->engine);
    record_free(&run->record);
    strbuf_free(&run->index);
    free(run);
    return status;
}

const Command cmd_analyze = {{"analyze", "GAME...",
                              "Search each position of a game; write the comments to a copy of the "
                              "record and the scores to a graph.\nGAME is a file or a folder.",
                              ARG_OPTIONS(options)},
                             run_analyze};
