/* cmd_analyze.c: the steps of an analysis: read the games, determine the names of the output files,
 * search each position, and write the record, the graph, the page, the JSON and the index.
 *
 * Each search adds its result at once to a journal next to the output. A run that finds a journal
 * of the same game and limits continues from it, and removes it at the end. */
#include "commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/livelines.h"
#include "base/outguard.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "commands/annotate.h"
#include "commands/evalgraph.h"
#include "commands/gameindex.h"
#include "commands/gamepage.h"
#include "commands/gamesearch.h"
#include "engine/command.h"
#include "engine/engine.h"
#include "engine/output.h"
#include "eval/net.h"
#include "record/codec.h"
#include "record/kif.h"
#include "record/kifuio.h"
#include "rules/declare.h"
#include "search/pool.h"

/* The time for each position if no limit is given. */
#define DEFAULT_TIME_MS 1000

#define DEFAULT_HASH_MB 64

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

typedef struct AnalyzeArgs {
    GameSearchOptions search;
    ResultFilesOptions results;
    EngineResources resources;
    const char *net; /* NULL: the one that the session names */
    int side;        /* BLACK, WHITE or COLOR_NB */
    bool is_for_all;
    ArgPart shard; /* analyse only every count-th game */
} AnalyzeArgs;

static const char *side_name(int side) {
    static const char *const names[] = {[BLACK] = "black", [WHITE] = "white", [COLOR_NB] = "both"};
    return side < (int)COUNTOF(names) ? names[side] : NULL;
}

static const char *style_name(int style) {
    static const char *const names[] = {[STYLE_SHOGIHOME] = "shogihome",
                                        [STYLE_SHOGIGUI] = "shogigui",
                                        [STYLE_FLOODGATE] = "floodgate",
                                        [RESULT_STYLE_AUTO] = "auto"};
    return style < (int)COUNTOF(names) ? names[style] : NULL;
}

#define AT(kind, member) ARG_AT(AnalyzeArgs, kind, member)

static const ArgOption analyze_options[] = {
    {"--time", "S", AT(ARG_SECONDS, search.limits.movetime_ms), 0.001, 1e6,
     .help = "seconds per position; if no limit is given, 1 second"},
    {"--nodes", "N", AT(ARG_U64, search.limits.nodes), 1, .help = "nodes per position"},
    {"--depth", "N", AT(ARG_INT, search.limits.depth), 1, MAX_PLY,
     .help = "search each position to this depth"},
    {"--threads", "N", AT(ARG_INT, resources.threads), 1, POOL_MAX_THREADS,
     .help = "number of threads; the default is the number of cores, at most 4, or 1 with --nodes "
             "or --depth, whose results then repeat"},
    {"--hash", "MB", AT(ARG_INT, resources.hash_mb), TT_MIN_MB, TT_MAX_MB, .start = DEFAULT_HASH_MB,
     .help = "size of the hash table"},
    {"--net", "FILE", AT(ARG_TEXT, net),
     .help = "network file, or <handwritten> (default: the built-in one or, in a session, the one "
             "that the options name); FILE@24 sets its FV_SCALE"},
    {"--multipv", "N", AT(ARG_INT, search.multi_pv), 1, ANALYSIS_LINES, .start = 1,
     .help = "number of best lines per position"},
    {"--threats", NULL, AT(ARG_FLAG, search.has_threats),
     .help = "also show what the other side threatens: search each position a second time, as if "
             "the side to move passed"},
    {"--from", "N", AT(ARG_INT, search.from), 0, RECORD_MAX_NODES,
     .help = "start with the position after N moves"},
    {"--to", "N", AT(ARG_INT, search.to), 0, RECORD_MAX_NODES, .start = RECORD_MAX_NODES,
     .help = "stop with the position after N moves"},
    {"--rule", NULL, ARG_CHOICE, ARG_PLACE(AnalyzeArgs, search.declare_rule, KmdDeclareRule),
     .word = declare_rule_name, .start = KMD_DECLARE_27,
     .help = "rule for declaring a win with an entering king"},
    {"--side", NULL, AT(ARG_CHOICE, side), .word = side_name, .start = COLOR_NB,
     .help = "judge only the moves of this side"},
    {"--style", NULL, AT(ARG_CHOICE, results.style), .word = style_name, .start = RESULT_STYLE_AUTO,
     .help =
         "format of the comments; auto means floodgate for CSA files and shogihome for all others"},
    {"--variations", NULL, AT(ARG_FLAG, results.has_variations),
     .help = "add the better line of each mistake as a variation"},
    {"--no-search", NULL, AT(ARG_NO, results.is_searched),
     .help = "do not search: draw the scores that are already in the record, and write no record"},
    {"--all", NULL, AT(ARG_FLAG, is_for_all),
     .help =
         "analyse every game in a file, not only the first; each game gets its own output files"},
    {"--shard", "I/N", AT(ARG_PART, shard), .start = 1,
     .help = "analyse only the Ith of every N games; with --html, the shards write one index"},
    /* Of two options for the same member, the later one sets the default. */
    {"--backward", NULL, AT(ARG_FLAG, search.is_backward),
     .help = "search from the last position to the first (the default)"},
    {"--forward", NULL, AT(ARG_NO, search.is_backward),
     .help = "search from the first position to the last"},
    {"-o", "OUT", AT(ARG_TEXT, results.names[RESULT_RECORD]),
     .help = "write the commented record to this file, or into FOLDER/; the default is "
             "NAME-analysis with the extension of the input"},
    {"--graph", "SVG", AT(ARG_TEXT, results.names[RESULT_GRAPH]),
     .help = "write the graph of the scores to this file, or into FOLDER/; the default is next to "
             "the record"},
    {"--no-graph", NULL, AT(ARG_NO, results.has_graph), .help = "write no graph"},
    {"--html", "HTML", AT(ARG_TEXT, results.names[RESULT_PAGE]),
     .help = "write a web page with board, moves and graph to this file, or into FOLDER/"},
    {"--json", "JSON", AT(ARG_TEXT, results.names[RESULT_JSON]),
     .help = "write the results as JSON to this file, or into FOLDER/"},
};

typedef struct AnalyzeRun {
    const CommandContext *context;
    AnalyzeArgs args;
    Engine *engine;
    const _Atomic bool *cancel;
    StrBuf inputs;   /* the paths of the files to read, each with its NUL */
    StrBuf index;    /* lines of the index for the games that have a page in the folder */
    StrBuf journals; /* lines with the paths of the journals of finished games */
    StrBuf written;  /* lines with the paths of all outputs so far, also of other shards, and with
                        the file_identity of those that were written */
    int seen;        /* number of games before the current one, in all inputs and all shards */
    int analysed;    /* number of games that this shard has analysed */

    /* For the progress line. */
    int game_count;       /* number of games of this shard; 0: not known */
    int64_t later;        /* positions to search in the games after the current one */
    int64_t all_searched; /* positions searched so far */
    int64_t start_ms;     /* the start of the first search */

    /* The game. */
    Games games;
    ResultSource source;
    ResultFiles files;
    Analysis analysis;
    GameSearch search;
    Progress progress;
    int net_scale;          /* that of the network, for scores in records; see prepare_scale */
    bool has_journal_fault; /* an error of the journal, which has been reported */
} AnalyzeRun;

/* ---- the files of the results -----------------------------------------------------------------
 */

/* The end of the name of a derived file, before its extension. */
#define MARK "-analysis"

/* The path without its extension. */
static StrView stem_of(StrView path) {
    StrView extension = kifu_path_extension(path);
    return extension.len > 0 ? sv_prefix(path, path.len - extension.len - 1) : path;
}

/* True if the analysis of a folder includes the file with this name: a record, but not the result
 * of an earlier analysis. */
static bool is_game_file(StrView name) {
    StrView stem = stem_of(name);
    return kifu_codec_by_path(name) != NULL && sv_find(stem, SV(MARK)) == stem.len;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool refuse(const char *path, const char *reason, StrBuf *why) {
    strbuf_addf(why, "%s: %s", path, reason);
    return false;
}

/* True if the pages go to a folder, which then has an index (study/gameindex.h). */
static bool has_index(const ResultFilesOptions *options) {
    const char *pages = options->names[RESULT_PAGE];
    return pages != NULL && file_names_folder(pages);
}

static bool check_index(const char *folder, StrBuf *why) {
    StrBuf path = STRBUF_INIT;
    file_join(folder, SV(GAMEINDEX_NAME), &path);
    int fault = gameindex_check(path.ptr);
    bool is_good = fault == 0 || refuse(path.ptr,
                                        fault == EEXIST ? "not written by komadori analyze; "
                                                          "it is not replaced"
                                                        : file_error_text(fault),
                                        why);
    strbuf_free(&path);
    return is_good;
}

static bool check_name(const char *name, bool has_many, StrBuf *why) {
    if (sv_equal(sv_from(name), SV("-"))) {
        return refuse(name, "give a file name", why);
    }
    if (file_names_folder(name)) {
        int fault = file_make_folder(name);
        return fault == 0 || refuse(name, file_error_text(fault), why);
    }
    return !has_many || refuse(name, "one file cannot hold several games; give a folder", why);
}

/* Checks the requested names before the first game is read, and makes the folders among them.
 * `input` is the first input; has_many is true if there may be several games. Returns false with
 * "PATH: reason" in *why if a name cannot be used, for example because the index of a folder of
 * pages would replace a page that Komadori has not written. */
static bool check_names(const ResultFilesOptions *options, const char *input, bool has_many,
                        StrBuf *why) {
    for (int i = 0; i < RESULT_JOURNAL; i++) {
        if (options->names[i] != NULL && !check_name(options->names[i], has_many, why)) {
            return false;
        }
    }
    if (has_index(options) && !check_index(options->names[RESULT_PAGE], why)) {
        return false;
    }
    StrView out = sv_from(options->names[RESULT_RECORD]);
    bool is_known = out.len == 0 || file_names_folder(out.ptr) || kifu_codec_by_path(out) != NULL ||
                    sv_equal_nocase(kifu_path_extension(out), kifu_path_extension(sv_from(input)));
    return is_known || refuse(out.ptr, "unknown file name extension", why);
}

/* Appends the path without its extension: "game-analysis" next to the input or in a folder, or
 * "game-analysis-2" for the second game of a file. */
static void append_stem(const ResultFilesOptions *options, const ResultSource *source,
                        const char *folder, StrBuf *out) {
    StrView stem = stem_of(sv_from(source->path));
    if (folder != NULL) {
        file_join(folder, file_name(stem), out);
    } else {
        strbuf_add(out, stem);
    }
    bool is_result = sv_ends_with(stem, SV(MARK)) && !options->is_searched;
    strbuf_add_str(out, is_result ? "" : MARK);
    if (source->game > 1) {
        strbuf_addf(out, "-%d", source->game);
    }
}

static bool is_file_name(const char *name) {
    return name != NULL && !file_names_folder(name);
}

/* Determines the name of a file: as the user requested, in the folder that the user requested, or
 * next to the input. */
static void name_file(ResultFiles *files, const ResultFilesOptions *options,
                      const ResultSource *source, int which, const char *extension) {
    const char *wanted = options->names[which];
    StrBuf *path = &files->paths[which];
    if (is_file_name(wanted)) {
        strbuf_add_str(path, wanted);
        return;
    }
    if (wanted != NULL) {
        append_stem(options, source, wanted, path);
    } else {
        strbuf_add(path, stem_of(strbuf_view(&files->paths[RESULT_RECORD])));
    }
    strbuf_addf(path, ".%s", extension);
}

static StrView usual_extension(const Codec *codec) {
    StrView all =
        sv_from(codec->utf8_extension != NULL ? codec->utf8_extension : codec->format.extensions);
    return sv_prefix(all, sv_find_byte(all, ' '));
}

static void name_record(ResultFiles *files, const ResultFilesOptions *options,
                        const ResultSource *source) {
    StrView input = sv_from(source->path);
    StrView extension = kifu_path_extension(input);
    const char *wanted = options->names[RESULT_RECORD];
    StrBuf *path = &files->paths[RESULT_RECORD];
    const Codec *codec = source->form.codec;
    if (is_file_name(wanted)) {
        const Codec *named = kifu_codec_for_path(sv_from(wanted), codec);
        codec = named != NULL ? named : codec;
        strbuf_add_str(path, wanted);
    } else {
        codec = (codec->format.holds & KMD_HOLDS_COMMENTS) != 0 ? codec : &kif_codec;
        append_stem(options, source, wanted, path);
        strbuf_add_byte(path, '.');
        bool is_usual = kifu_codec_for_path(input, codec) == codec;
        strbuf_add(path, is_usual ? extension : usual_extension(codec));
    }
    StrView out = strbuf_view(path);
    bool is_same =
        codec == source->form.codec && sv_equal_nocase(kifu_path_extension(out), extension);
    files->form = is_same ? source->form : kifu_form_by_path(codec, out);
    strbuf_addf(&files->paths[RESULT_JOURNAL], "%s.journal", out.ptr);
}

/* Names all files. A game in a format without comments becomes KIF, and a record whose name does
 * not fit its format gets the format's usual extension. */
static void name_results(ResultFiles *files, const ResultFilesOptions *options,
                         const ResultSource *source) {
    *files = (ResultFiles){.form = source->form};
    name_record(files, options, source);
    if (options->has_graph) {
        name_file(files, options, source, RESULT_GRAPH, "svg");
    }
    if (options->names[RESULT_PAGE] != NULL) {
        name_file(files, options, source, RESULT_PAGE, "html");
    }
    if (options->names[RESULT_JSON] != NULL) {
        name_file(files, options, source, RESULT_JSON, "json");
    }
}

static void free_results(ResultFiles *files) {
    for (int i = 0; i < RESULT_COUNT; i++) {
        strbuf_free(&files->paths[i]);
    }
}

/* True if the file at `path` is one of the files of `written`. */
static bool is_written(const char *path, StrView written) {
    StrBuf identity = STRBUF_INIT;
    StrView line;
    bool is_found = false;
    file_identity(path, &identity);
    while (!is_found && sv_next_line(&written, &line)) {
        is_found = sv_equal(line, strbuf_view(&identity)) || sv_equal(line, sv_from(path));
    }
    strbuf_free(&identity);
    return is_found;
}

/* Returns false, with the path and the reason appended to *why, if the files must not be written.
 * Each file must differ from the others, from the input, and from the files of `written`, which has
 * a line with the path or the file_identity of each output of earlier games. Only the record may
 * replace the input, but not if `is_part` is true, that is, if the record contains only a part of
 * the input. */
static bool may_write_results(const ResultFiles *files, const ResultSource *source, bool is_part,
                              StrView written, StrBuf *why) {
    OutFile outputs[RESULT_COUNT] = {{.path = NULL}};
    Args input = {1, (const char **)&source->path};
    for (int i = 0; i < RESULT_COUNT; i++) {
        const char *path = files->paths[i].len > 0 ? files->paths[i].ptr : NULL;
        outputs[i] = (OutFile){.path = path, .is_opened_soon = true};
        if (path != NULL && is_written(path, written)) {
            return outguard_keep(path, "another game of this run was written here", why);
        }
    }
    /* The record may replace the input. */
    return outguard_check(outputs, RESULT_COUNT, NULL, why) &&
           outguard_check(outputs + RESULT_RECORD + 1, RESULT_COUNT - RESULT_RECORD - 1, &input,
                          why) &&
           !(is_part && file_is_same(source->path, files->paths[RESULT_RECORD].ptr) &&
             !outguard_keep(source->path, "the output is only a part of this input", why));
}

/* ---- contents -------------------------------------------------------------------------------- */

/* Writes the results of the analysis into the record, as comments and variations. */
static void comment_record(const ResultFiles *files, const ResultFilesOptions *options,
                           const Analysis *analysis, Record *record) {
    bool is_floodgate = files->form.codec->has_floodgate_comments;
    int style = options->style != RESULT_STYLE_AUTO ? options->style
                : is_floodgate                      ? STYLE_FLOODGATE
                                                    : STYLE_SHOGIHOME;
    annotate_comments(analysis, (AnnotateStyle)style, record);
    if (options->has_variations) {
        annotate_variations(analysis, record);
    }
}

/* Appends the contents of file `which`, RESULT_RECORD .. RESULT_JSON. Returns the number of
 * characters that the encoding of the record lacks. */
static size_t append_result(const ResultFiles *files, int which, const Analysis *analysis,
                            StrBuf *out) {
    static void (*const writers[])(const Analysis *,
                                   StrBuf *) = {[RESULT_GRAPH] = evalgraph_write,
                                                [RESULT_PAGE] = gamepage_write_html,
                                                [RESULT_JSON] = gamepage_write_json};
    if (which == RESULT_RECORD) {
        return kifu_write(analysis->record, &files->form, out);
    }
    writers[which](analysis, out);
    return 0;
}

/* ---- the engine ------------------------------------------------------------------------------ */

/* Returns false, with a message, if the network cannot be used or the system cannot provide what
 * the user requested. */
static bool prepare_engine(AnalyzeRun *run) {
    AnalyzeArgs *parsed = &run->args;
    commands_set_net(run->context, run->engine, parsed->net);
    if (!commands_prepare(run->context, run->engine, parsed->resources)) {
        return false;
    }
    if (parsed->net != NULL) {
        parsed->search.evaluation = engine_evaluation_id(run->engine);
    }
    return true;
}

/* Takes the scale of the network that is named. Scores that Komadori wrote into a record are judged
 * by it, and those of others only if the user names a network. Returns false, with a message, if
 * the network cannot be used. */
static bool prepare_scale(AnalyzeRun *run) {
    NnueNet *net = NULL;
    if (!command_load_net(run->context, run->args.net, &net)) {
        return false;
    }
    run->net_scale = net_chance_scale(net);
    net_free(net);
    return true;
}

/* True if the current game, or the next one between two games, belongs to this shard. This depends
 * only on the inputs, not on what other shards have done. */
static bool is_of_shard(const AnalyzeRun *run) {
    const ArgPart *shard = &run->args.shard;
    return run->seen % shard->count == shard->number - 1;
}

static bool is_cancelled(const AnalyzeRun *run) {
    return atomic_load_explicit(run->cancel, memory_order_relaxed);
}

/* The number of positions of a game with this many moves that the options select. */
static int count_positions(const AnalyzeRun *run, int moves) {
    const GameSearchOptions *search = &run->args.search;
    return int_max(int_min(search->to, moves) - search->from + 1, 0);
}

/* ---- searching ------------------------------------------------------------------------------- */

/* Appends a score from black's point of view: "+123", or "mate -7" if white mates. */
static void append_black_score(Score score, StrBuf *out) {
    if (score_is_mate(score)) {
        strbuf_addf(out, "mate %c%d", score > 0 ? '+' : '-', abs(score_mate_plies(score)));
    } else {
        strbuf_addf(out, "%+d", score);
    }
}

/* Shows how far the run is. `index` is the position that was searched last, or -1; `left` is the
 * number of positions left in the game. */
static void show_progress(AnalyzeRun *run, int index, int64_t left) {
    enum { BAR = 30, NAME_COLUMNS = 16 };
    const Judgement *found = index >= 0 ? &run->analysis.at[index] : NULL;
    int total = count_positions(run, run->analysis.count - 1), done = total - (int)left;
    StrBuf line = STRBUF_INIT;
    if (run->game_count != 1) {
        StrView name = file_name(sv_from(run->source.path));
        strbuf_addf(&line, "game %d", run->analysed + 1);
        if (run->game_count > 0) {
            strbuf_addf(&line, " of %d", run->game_count);
        }
        strbuf_add_str(&line, "  ");
        livelines_append_padded(name, int_min(utf8_columns(name), NAME_COLUMNS), &line);
        strbuf_addf(&line, "  %d/%d", done, total);
    } else {
        strbuf_add_byte(&line, '[');
        for (int i = 0; i < BAR; i++) {
            strbuf_add_byte(&line, i < done * BAR / total ? '=' : ' ');
        }
        strbuf_addf(&line, "] %d/%d", done, total);
    }
    if (found != NULL && run->game_count == 1) {
        strbuf_addf(&line, "  after move %d: ", index);
        append_black_score(found->lines[0].score, &line);
        strbuf_addf(&line, ", depth %d", found->depth);
    } else if (found != NULL) {
        strbuf_add_str(&line, "  ");
        append_black_score(found->lines[0].score, &line);
    }
    if (run->all_searched > 0) {
        int64_t each_ms = (clock_ms() - run->start_ms) / run->all_searched;
        strbuf_add_str(&line, "  ");
        livelines_append_span(each_ms * left / 1000, &line);
        strbuf_add_str(&line, " left");
        if (run->game_count > 1) {
            strbuf_add_str(&line, ", ");
            livelines_append_span(each_ms * (left + run->later) / 1000, &line);
            strbuf_add_str(&line, " for all");
        }
    }
    progress_show(&run->progress, "%s", line.ptr);
    strbuf_free(&line);
}

/* Reports the progress after a search. Only the first error of the journal is reported; the
 * analysis continues. */
static void on_searched(void *context, int index, int left) {
    AnalyzeRun *run = context;
    if (run->search.fault != 0 && !run->has_journal_fault) {
        run->has_journal_fault = true;
        command_refuse(run->context, run->search.path, journal_error_text(run->search.fault));
    }
    run->all_searched++;
    show_progress(run, index, left);
}

/* Searches the positions of a game. Returns false if the command was cancelled or, with a message,
 * if the journal cannot be used. */
static bool search_game(AnalyzeRun *run) {
    GameSearch *search = &run->search;
    *search = (GameSearch){.engine = run->engine,
                           .options = &run->args.search,
                           .path = run->files.paths[RESULT_JOURNAL].ptr,
                           .cancel = run->cancel,
                           .on_done = on_searched,
                           .context = run};
    if (gamesearch_resume(search, &run->analysis) != 0) {
        return command_refuse(run->context, search->path, journal_error_text(search->fault));
    }
    int count = count_positions(run, run->analysis.count - 1), left = count;
    for (int i = 0; i < count; i++) {
        left -= run->analysis.at[run->args.search.from + i].line_count > 0;
    }
    command_begin_progress(run->context, &run->progress, 0, 0, false);
    run->later -= count;
    run->start_ms = run->all_searched == 0 ? clock_ms() : run->start_ms;
    show_progress(run, -1, left);
    bool is_done = gamesearch_run(search, &run->analysis);
    progress_clear(&run->progress);
    return is_done;
}

/* Searches the positions, or reads their scores from the record. Returns false, perhaps with a
 * message, if that ends the analysis of the game. */
static bool judge_game(AnalyzeRun *run) {
    int from = run->args.search.from, moves = run->analysis.count - 1;
    if (!run->args.results.is_searched) {
        bool has_scale = run->args.net != NULL || annotate_is_ours(&run->analysis);
        run->analysis.scale = has_scale ? run->net_scale : run->analysis.scale;
        return annotate_read(&run->analysis) > 0 ||
               command_refuse(run->context, run->source.path,
                              "this game has no comment with a score");
    }
    if (from > moves) {
        command_fail(run->context, COMMAND_FAILED,
                     "%s: --from %d is beyond the end: the game has %d move%s", run->source.path,
                     from, moves, str_plural((uint64_t)moves));
        return false;
    }
    return search_game(run);
}

/* ---- results --------------------------------------------------------------------------------- */

/* Reserves the names of the results for the game. Returns false, with a message, if writing them
 * would overwrite a file that must be kept. */
static bool reserve_names(AnalyzeRun *run) {
    Games *games = &run->games;
    const KmdFormat *format = &run->files.form.codec->format;
    bool is_ours = is_of_shard(run);
    if (is_ours && (format->holds & KMD_HOLDS_COMMENTS) == 0 && run->args.results.is_searched) {
        output_linef(run->context->out, "%s: the format %s cannot hold comments; they are left out",
                     run->files.paths[RESULT_RECORD].ptr, format->name);
    }
    bool is_part =
        games->is_broken || games->record.skipped > 0 || games->count > 1 || games_has_more(games);
    StrBuf why = STRBUF_INIT;
    bool is_good =
        may_write_results(&run->files, &run->source, is_part, strbuf_view(&run->written), &why);
    if (!is_good && is_ours) {
        command_fail(run->context, COMMAND_FAILED, "%s", why.ptr);
    }
    strbuf_free(&why);
    if (!is_good) {
        return false;
    }
    int first = run->args.results.is_searched ? RESULT_RECORD : RESULT_GRAPH;
    for (int i = first; i <= RESULT_JSON; i++) {
        if (run->files.paths[i].len > 0) {
            strbuf_add(&run->written, strbuf_view(&run->files.paths[i]));
            strbuf_add_byte(&run->written, '\n');
        }
    }
    return true;
}

/* Writes the files and prints their names, after the summary of the game. */
static bool write_results(AnalyzeRun *run) {
    const ResultFilesOptions *results = &run->args.results;
    const StrBuf *paths = run->files.paths;
    StrBuf text = STRBUF_INIT, report = STRBUF_INIT;
    bool is_good = true;
    gamepage_write_text(&run->analysis, &report);
    strbuf_add_str(&report, "written: ");
    size_t start = report.len;
    for (int i = results->is_searched ? RESULT_RECORD : RESULT_GRAPH; i <= RESULT_JSON; i++) {
        if (paths[i].len == 0) {
            continue;
        }
        strbuf_clear(&text);
        size_t lacking = append_result(&run->files, i, &run->analysis, &text);
        if (lacking > 0) {
            output_linef(run->context->out,
                         "%llu character%s not in %s and became 〓; .kifu and .ki2u are in UTF-8",
                         (unsigned long long)lacking, lacking == 1 ? " is" : "s are",
                         textenc_name(run->files.form.encoding));
        }
        is_good = command_write_file(run->context, paths[i].ptr, &text) && is_good;
        file_identity(paths[i].ptr, &run->written);
        strbuf_add_byte(&run->written, '\n');
        strbuf_addf(&report, "%s%s", report.len > start ? ", " : "", paths[i].ptr);
    }
    if (is_good && results->is_searched) {
        strbuf_add(&run->journals, strbuf_view(&paths[RESULT_JOURNAL]));
        strbuf_add_byte(&run->journals, '\n');
    }
    if (is_good) {
        output_lines(run->context->out, strbuf_view(&report));
    }
    strbuf_free(&text);
    strbuf_free(&report);
    return is_good;
}

/* Writes the index of the games so far, even if the run was cancelled. */
static bool write_index(AnalyzeRun *run) {
    const char *folder = run->args.results.names[RESULT_PAGE];
    StrBuf path = STRBUF_INIT;
    int fault = gameindex_write(folder, &run->args.shard, &run->index, &path);
    if (fault == 0) {
        output_linef(run->context->out, "written: %s", path.ptr);
    } else {
        command_refuse(run->context, path.ptr, file_error_text(fault));
    }
    strbuf_free(&path);
    return fault == 0;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* Analyses the last game that was read, up to its first error. Returns false, with a message, if it
 * was not analysed. */
static bool analyze_game(AnalyzeRun *run) {
    Games *games = &run->games;
    analysis_init(&run->analysis, &games->record);
    run->analysis.rule = run->args.search.declare_rule;
    run->analysis.side = (Color)run->args.side;
    run->analysis.has_index = has_index(&run->args.results);
    bool is_good = judge_game(run);
    if (is_good) {
        analysis_note_declarations(&run->analysis);
    }
    if (is_good && run->args.results.is_searched) {
        comment_record(&run->files, &run->args.results, &run->analysis, &games->record);
    }
    is_good = is_good && write_results(run);
    if (is_good && run->analysis.has_index) {
        gameindex_add(&run->analysis, file_name(strbuf_view(&run->files.paths[RESULT_PAGE])),
                      &run->index);
    }
    analysis_free(&run->analysis);
    run->analysed++;
    return is_good;
}

/* Reserves names for the last game that was read, even if another shard analyses it, so that two
 * games with the same name are refused whatever their shards are; then analyses it if it belongs to
 * this shard. Returns false, with a message, if it should have been analysed but was not. */
static bool take_game(AnalyzeRun *run, const char *path) {
    Games *games = &run->games;
    if (games->is_broken && record_main_length(&games->record) == 0) {
        return !is_of_shard(run);
    }
    run->source = (ResultSource){.path = path, .game = games->count, .form = games->form};
    name_results(&run->files, &run->args.results, &run->source);
    bool is_free = reserve_names(run);
    bool is_good = !is_of_shard(run) || (is_free && analyze_game(run));
    free_results(&run->files);
    return is_good;
}

static void report_game(const void *context, const char *message, bool is_note) {
    const AnalyzeRun *run = context;
    if (!is_note && is_of_shard(run)) {
        command_fail(run->context, COMMAND_FAILED, "%s", message);
    }
}

/* Analyses the first game of a file, or all of them. */
static bool analyze_file(AnalyzeRun *run, const char *path) {
    Games *games = &run->games;
    bool is_good = true, has_game;
    long faults = 0;
    games_open(games, path, NULL, report_game, run);
    do {
        has_game = games_next(games);
        is_good = is_good && (games->faults == faults || !is_of_shard(run));
        faults = games->faults;
        if (has_game) {
            is_good = take_game(run, path) && is_good;
            run->seen++;
        }
    } while (has_game && run->args.is_for_all && !is_cancelled(run));
    games_close(games);
    return is_good;
}

/* Lists the files to read: those that were given, and the games of each folder in the order of
 * names, except results of earlier analyses. Returns false, with a message, if a folder has no
 * game. */
static bool list_inputs(AnalyzeRun *run, const Args *args) {
    bool is_good = true;
    for (int i = 0; i < args->count; i++) {
        const char *path = args->words[i];
        if (!file_is_folder(path)) {
            strbuf_add(&run->inputs, (StrView){path, strlen(path) + 1});
            continue;
        }
        StrBuf names = STRBUF_INIT;
        size_t before = run->inputs.len;
        int fault = file_list(path, &names);
        StrView rest = strbuf_view(&names), name;
        while (sv_next_line(&rest, &name)) {
            if (is_game_file(name)) {
                file_join(path, name, &run->inputs);
                strbuf_add_byte(&run->inputs, '\0');
            }
        }
        if (run->inputs.len == before) {
            is_good = command_refuse(run->context, path,
                                     fault != 0 ? file_error_text(fault) : "contains no game");
        }
        strbuf_free(&names);
    }
    return is_good;
}

/* The next path of run->inputs after `path`, or the first one if that is NULL; NULL at the end. */
static const char *next_input(const AnalyzeRun *run, const char *path) {
    const char *next = path == NULL ? run->inputs.ptr : path + strlen(path) + 1;
    return next == run->inputs.ptr + run->inputs.len ? NULL : next;
}

static void ignore_fault(const void *context, const char *message, bool is_note) {
    (void)context, (void)message, (void)is_note;
}

/* Counts the games and positions of this shard, for the progress line. Reads the inputs, so pipes
 * are not counted. */
static void count_games(AnalyzeRun *run) {
    for (const char *path = next_input(run, NULL); path != NULL; path = next_input(run, path)) {
        if (!file_begins_with(path, SV(""))) {
            run->game_count = 0;
            break;
        }
        Games *games = &run->games;
        games_open(games, path, NULL, ignore_fault, NULL);
        for (bool is_wanted = true; is_wanted && !is_cancelled(run) && games_next(games);
             is_wanted = run->args.is_for_all) {
            int moves = record_main_length(&games->record);
            if (is_of_shard(run) && !(games->is_broken && moves == 0)) {
                run->game_count++;
                run->later += count_positions(run, moves);
            }
            run->seen++;
        }
        games_close(games);
    }
    run->seen = 0;
}

static int analyze_inputs(AnalyzeRun *run, const Args *args) {
    const AnalyzeArgs *parsed = &run->args;
    if (!(parsed->results.is_searched ? prepare_engine(run) : prepare_scale(run))) {
        return COMMAND_FAILED;
    }
    bool is_good = list_inputs(run, args);
    const char *first = next_input(run, NULL);
    if (first != NULL && next_input(run, first) == NULL && !parsed->is_for_all) {
        run->game_count = 1;
    } else if (parsed->results.is_searched) {
        count_games(run);
    }
    for (const char *path = first; path != NULL && !is_cancelled(run);
         path = next_input(run, path)) {
        is_good = analyze_file(run, path) && is_good;
    }
    is_good = (run->index.len == 0 || write_index(run)) && is_good;
    if (is_cancelled(run)) {
        output_linef(run->context->out,
                     "interrupted; run the same command again to continue: positions that were "
                     "searched are not searched again");
        return COMMAND_FAILED;
    }
    StrView rest = strbuf_view(&run->journals), journal;
    while (sv_next_line(&rest, &journal)) {
        StrBuf path = STRBUF_INIT;
        strbuf_add(&path, journal);
        is_good = (remove(path.ptr) == 0 ||
                   command_refuse(run->context, path.ptr, "cannot be removed")) &&
                  is_good;
        strbuf_free(&path);
    }
    if (run->seen > 0 && run->analysed == 0 && is_good) {
        output_linef(run->context->out, "shard %d/%d has no game", parsed->shard.number,
                     parsed->shard.count);
    }
    return is_good ? COMMAND_GOOD : COMMAND_FAILED;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Returns false, with a message, if options contradict each other or an argument is not a valid
 * name. */
static bool check_request(const CommandContext *context, const AnalyzeArgs *parsed,
                          const Args *args) {
    const ResultFilesOptions *results = &parsed->results;
    for (int i = 0; i < args->count; i++) {
        if (strcmp(args->words[i], "-") == 0) {
            return command_refuse(context, "-", "give a file name");
        }
    }
    if (parsed->search.from > parsed->search.to) {
        command_fail(context, COMMAND_MISUSED, "--to %d comes before --from %d", parsed->search.to,
                     parsed->search.from);
        return false;
    }
    if (!results->is_searched && !results->has_graph && results->names[RESULT_PAGE] == NULL &&
        results->names[RESULT_JSON] == NULL) {
        command_fail(context, COMMAND_MISUSED,
                     "nothing to write: add --html or --json, or remove --no-graph");
        return false;
    }
    StrBuf why = STRBUF_INIT;
    bool has_many = args->count > 1 || parsed->is_for_all || file_is_folder(args->words[0]);
    bool is_good = check_names(results, args->words[0], has_many, &why);
    if (!is_good) {
        command_fail(context, COMMAND_MISUSED, "%s", why.ptr);
    }
    strbuf_free(&why);
    return is_good;
}

static int run_analyze(const CommandContext *context, Args *args) {
    enum { MAX_INPUTS = 1000000 };
    AnalyzeRun *run = xmem_calloc(1, sizeof(*run));
    GoLimits *limits = &run->args.search.limits;
    run->context = context;
    int status = COMMAND_MISUSED;
    if (command_read(context, args, &run->args, 1, MAX_INPUTS) &&
        check_request(context, &run->args, args)) {
        if (limits->nodes == 0 && limits->depth == 0 && limits->movetime_ms == 0) {
            limits->movetime_ms = DEFAULT_TIME_MS;
        }
        run->engine = engine_create();
        run->cancel = command_catch_end(context);
        if (run->args.resources.threads == 0) {
            run->args.resources.threads =
                limits->nodes > 0 || limits->depth > 0 ? 1 : engine_wanted(run->engine).threads;
        }
        status = analyze_inputs(run, args);
        engine_free(run->engine);
    }
    strbuf_free(&run->inputs);
    strbuf_free(&run->journals);
    strbuf_free(&run->index);
    strbuf_free(&run->written);
    free(run);
    return status;
}

const Command cmd_analyze = {
    {"analyze", "GAME...",
     "Search each position of a game, write the results as comments to a copy of the record, and "
     "draw the scores as a graph.\nGAME is a file or a folder.",
     ARG_OPTIONS(analyze_options)},
    run_analyze};
