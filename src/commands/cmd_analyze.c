/* cmd_analyze.c: the steps of an analysis: read the games, determine the names of the output files,
 * search each position, and write the record, the page and the JSON.
 *
 * Each search adds its result at once to a journal next to the output. A run that finds a journal
 * of the same game and limits continues from it, and removes it at the end. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/journal.h"
#include "base/livelines.h"
#include "base/outguard.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "commands/annotate.h"
#include "commands/commands.h"
#include "commands/gamepage.h"
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

/* The files of a game. */
enum { FILE_RECORD, FILE_PAGE, FILE_JSON, FILE_JOURNAL, FILE_COUNT };

/* An AnnotateStyle that fits the format: floodgate's in CSA files, otherwise ShogiHome's. */
enum { STYLE_AUTO = STYLE_FLOODGATE + 1 };

typedef struct AnalyzeArgs {
    AnalysisOptions search;
    EngineResources resources;
    const char *net;                 /* NULL: the built-in one */
    const char *names[FILE_JOURNAL]; /* a file, or a folder with a slash at its end; NULL: no page
                                        or JSON is written */
    bool is_searched;    /* false: scores come from comments, and no record is written */
    int style;           /* style of the comments: an AnnotateStyle or STYLE_AUTO, in the order of
                            the option */
    bool has_variations; /* the better line of each mistake becomes a variation */
    int side;            /* BLACK, WHITE or COLOR_NB */
    bool is_for_all;
} AnalyzeArgs;

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
     .help = "network file, or <handwritten> (default: the built-in one); FILE@24 sets "
             "its FV_SCALE"},
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
    {"--side", "black|white|both", AT(ARG_CHOICE, side), .start = COLOR_NB,
     .help = "judge only the moves of this side"},
    {"--style", "shogihome|shogigui|floodgate|auto", AT(ARG_CHOICE, style), .start = STYLE_AUTO,
     .help =
         "format of the comments; auto means floodgate for CSA files and shogihome for all others"},
    {"--variations", NULL, AT(ARG_FLAG, has_variations),
     .help = "add the better line of each mistake as a variation"},
    {"--no-search", NULL, AT(ARG_NO, is_searched),
     .help = "do not search: show the scores that are already in the record, and write no record"},
    {"--all", NULL, AT(ARG_FLAG, is_for_all),
     .help =
         "analyse every game in a file, not only the first; each game gets its own output files"},
    {"-o", "OUT", AT(ARG_TEXT, names[FILE_RECORD]),
     .help =
         "write the commented record to this file, or into FOLDER/; the default is "
         "NAME-analysis with the extension of the input, or .kifu if that format has no comments"},
    {"--html", "HTML", AT(ARG_TEXT, names[FILE_PAGE]),
     .help = "write a web page with board, moves and graph to this file, or into FOLDER/"},
    {"--json", "JSON", AT(ARG_TEXT, names[FILE_JSON]),
     .help = "write the results as JSON to this file, or into FOLDER/"},
};

typedef struct AnalyzeRun {
    const CommandContext *context;
    AnalyzeArgs args;
    Engine *engine;
    const _Atomic bool *cancel;
    StrBuf inputs;   /* the paths of the files to read, each with its NUL */
    StrBuf journals; /* lines with the paths of the journals of finished games */
    StrBuf written;  /* lines with the file_identity of each output so far */
    int net_scale;   /* that of the network, for scores in records */
    int analysed;    /* number of games so far */
    StrBuf rows;     /* of the index of a folder of pages */
    bool is_single;  /* one file with one game */

    /* The game. */
    Games games;
    const char *path;         /* of its file */
    StrBuf paths[FILE_COUNT]; /* empty if the file is not written; the record always has a path */
    KifuForm form;            /* form in which to write the record */
    Analysis analysis;
    AnalysisSearch search;
    bool has_journal_fault; /* an error of the journal, which has been reported */

    /* For the progress line. */
    Progress progress;
    int game_count;    /* number of games to analyse */
    int64_t later;     /* positions in the games after the current one */
    int total;         /* number of positions to search in the game */
    int64_t searched;  /* number of positions searched so far, in all games */
    int64_t search_ms; /* start of the first search */
} AnalyzeRun;

static bool is_analysis_stopped(const AnalyzeRun *run) {
    return atomic_load_explicit(run->cancel, memory_order_relaxed);
}

/* ---- names of files -------------------------------------------------------------------------- */

/* The end of the name of a derived file, before its extension. */
#define RESULT_MARK "-analysis"

/* The path without its extension. */
static StrView stem_of(StrView path) {
    StrView extension = kifu_path_extension(path);
    return extension.len > 0 ? sv_prefix(path, path.len - extension.len - 1) : path;
}

/* Checks the requested names before the first game is read.
 * has_many is true if there may be several games. Returns false, with a message, if a name cannot
 * be used. */
static bool check_names(const CommandContext *context, const AnalyzeArgs *args, const char *input,
                        bool has_many) {
    for (int i = 0; i < FILE_JOURNAL; i++) {
        const char *name = args->names[i];
        if (name == NULL) {
            continue;
        }
        if (strcmp(name, "-") == 0) {
            return command_refuse(context, name, "give a file name");
        }
        if (has_many && !file_names_folder(name)) {
            return command_refuse(context, name,
                                  "one file cannot hold several games; give a folder");
        }
    }
    StrView out = sv_from(args->names[FILE_RECORD]);
    bool is_known = out.len == 0 || file_names_folder(out.ptr) || kifu_codec_by_path(out) != NULL ||
                    sv_equal_nocase(kifu_path_extension(out), kifu_path_extension(sv_from(input)));
    return is_known || command_refuse(context, out.ptr, "unknown file name extension");
}

/* Appends the path without its extension: "game-analysis" next to the input or in a folder, or
 * "game-analysis-2" for the second game of a file. The result of an earlier analysis that is only
 * shown again (--no-search) keeps its name. */
static void append_stem(const AnalyzeRun *run, const char *folder, StrBuf *out) {
    StrView stem = stem_of(sv_from(run->path));
    if (folder != NULL) {
        file_join(folder, file_name(stem), out);
    } else {
        strbuf_add(out, stem);
    }
    bool is_result = sv_ends_with(stem, SV(RESULT_MARK)) && !run->args.is_searched;
    strbuf_add_str(out, is_result ? "" : RESULT_MARK);
    if (run->games.count > 1) {
        strbuf_addf(out, "-%d", run->games.count);
    }
}

/* Names all files of the game: as the user requested, in the folder that the user requested, or
 * next to the input. A game in a format without comments becomes KIF, and a record whose name does
 * not fit its format gets the format's usual extension. */
static void name_results(AnalyzeRun *run) {
    static const char *const extensions[] = {[FILE_PAGE] = "html", [FILE_JSON] = "json"};
    const KifuForm *source = &run->games.form;
    StrView input = sv_from(run->path), extension = kifu_path_extension(input);
    const char *wanted = run->args.names[FILE_RECORD];
    StrBuf *record = &run->paths[FILE_RECORD];
    const Codec *codec = source->codec;
    if (wanted != NULL && !file_names_folder(wanted)) {
        const Codec *named = kifu_codec_for_path(sv_from(wanted), codec);
        codec = named != NULL ? named : codec;
        strbuf_add_str(record, wanted);
    } else {
        codec = (codec->format.holds & KMD_HOLDS_COMMENTS) != 0 ? codec : &kif_codec;
        append_stem(run, wanted, record);
        strbuf_add_byte(record, '.');
        StrView usual = sv_from(codec->utf8_extension != NULL ? codec->utf8_extension
                                                              : codec->format.extensions);
        strbuf_add(record, kifu_codec_for_path(input, codec) == codec
                               ? extension
                               : sv_prefix(usual, sv_find_byte(usual, ' ')));
    }
    StrView out = strbuf_view(record);
    bool is_same = codec == source->codec && sv_equal_nocase(kifu_path_extension(out), extension);
    run->form = is_same ? *source : kifu_form_by_path(codec, out);
    strbuf_addf(&run->paths[FILE_JOURNAL], "%s.journal", record->ptr);
    for (int i = FILE_PAGE; i <= FILE_JSON; i++) {
        const char *name = run->args.names[i];
        if (name != NULL && file_names_folder(name)) {
            append_stem(run, name, &run->paths[i]);
            strbuf_addf(&run->paths[i], ".%s", extensions[i]);
        } else {
            strbuf_add_str(&run->paths[i], name != NULL ? name : "");
        }
    }
}

/* True if the file at `path` was written by this run. */
static bool is_written(const AnalyzeRun *run, const char *path) {
    StrBuf identity = STRBUF_INIT;
    StrView written = strbuf_view(&run->written), line;
    bool is_found = false;
    file_identity(path, &identity);
    while (!is_found && sv_next_line(&written, &line)) {
        is_found = sv_equal(line, strbuf_view(&identity));
    }
    strbuf_free(&identity);
    return is_found;
}

static const OutKind game_page = {"a page of --html", "<!DOCTYPE html>\n<!-- The page of a game.",
                                  NULL};
static const OutKind game_json = {"a file of --json", "{\"black\":", NULL};

/* Returns false, with a message, if the files must not be written. Each file must differ from the
 * others, from the input, and from the files of earlier games. Only the record may replace the
 * input, but not if it contains only a part of the input. The journal is opened before the first
 * search. */
static bool may_write_results(AnalyzeRun *run) {
    static const OutKind *const kinds[FILE_COUNT] = {
        [FILE_PAGE] = &game_page, [FILE_JSON] = &game_json};
    Games *games = &run->games;
    OutFile outputs[FILE_COUNT] = {{.path = NULL}};
    Args input = {1, &run->path};
    StrBuf why = STRBUF_INIT;
    bool is_good = true;
    for (int i = 0; i < FILE_COUNT && is_good; i++) {
        bool is_output = run->paths[i].len > 0 && (run->args.is_searched || kinds[i] != NULL);
        const char *path = is_output ? run->paths[i].ptr : NULL;
        outputs[i] = (OutFile){.path = path, .kind = kinds[i], .is_opened_soon = i == FILE_JOURNAL};
        is_good = path == NULL || !is_written(run, path) ||
                  outguard_keep(path, "another game of this run was written here", &why);
    }
    bool is_part =
        games->is_broken || games->record.skipped > 0 || games->count > 1 || games_has_more(games);
    is_good = is_good && outguard_check(outputs, FILE_COUNT, NULL, &why) &&
              outguard_check(outputs + FILE_PAGE, FILE_COUNT - FILE_PAGE, &input, &why) &&
              !(is_part && outguard_is_clash(outputs[FILE_RECORD].path, run->path) &&
                !outguard_keep(run->path, "the output is only a part of this input", &why));
    if (!is_good) {
        command_fail(run->context, COMMAND_FAILED, "%s", why.ptr);
    }
    strbuf_free(&why);
    return is_good;
}

/* ---- searching ------------------------------------------------------------------------------- */

/* The number of positions to search in a game of that many moves. */
static int count_positions(const AnalyzeRun *run, int moves) {
    return int_max(int_min(run->args.search.to, moves) - run->args.search.from + 1, 0);
}

/* Shows how far the run is, and reports the first error of the journal, after which the analysis
 * continues. */
static void show_analysis(void *context, int index, int left) {
    enum { NAME_COLUMNS = 16 };
    AnalyzeRun *run = context;
    if (run->search.fault != 0 && !run->has_journal_fault) {
        run->has_journal_fault = true;
        command_refuse(run->context, run->search.journal, journal_error_text(run->search.fault));
    }
    StrBuf line = STRBUF_INIT;
    if (!run->is_single) {
        StrView name = file_name(sv_from(run->path));
        strbuf_addf(&line, "game %d of %d  ", run->analysed + 1, run->game_count);
        livelines_append_padded(name, int_min(utf8_columns(name), NAME_COLUMNS), &line);
        strbuf_add_str(&line, "  ");
    }
    if (index < 0) {
        run->search_ms = run->searched == 0 ? clock_ms() : run->search_ms;
        run->total = left;
        run->later -= count_positions(run, run->analysis.count - 1);
        strbuf_addf(&line, "0/%d", left);
    } else {
        const Judgement *found = &run->analysis.at[index];
        Score score = found->lines[0].score; /* from black's point of view */
        run->searched++;
        strbuf_addf(&line, "%d/%d  after move %d: ", run->total - left, run->total, index);
        if (score_is_mate(score)) {
            strbuf_addf(&line, "mate %c%d", score > 0 ? '+' : '-', abs(score_mate_plies(score)));
        } else {
            strbuf_addf(&line, "%+d", score);
        }
        strbuf_addf(&line, ", depth %d  ", found->depth);
        int64_t each_ms = (clock_ms() - run->search_ms) / run->searched;
        livelines_append_span(each_ms * left / 1000, &line);
        strbuf_add_str(&line, " left");
        if (!run->is_single) {
            strbuf_add_str(&line, ", ");
            livelines_append_span(each_ms * (left + run->later) / 1000, &line);
            strbuf_add_str(&line, " for all");
        }
    }
    progress_show(&run->progress, "%s", line.ptr);
    strbuf_free(&line);
}

/* Searches the positions. Returns false if the command was cancelled or, with a message, if the
 * game cannot be analysed. */
static bool search_game(AnalyzeRun *run) {
    const AnalysisOptions *options = &run->args.search;
    int moves = run->analysis.count - 1;
    if (options->from > moves) {
        command_fail(run->context, COMMAND_FAILED,
                     "%s: --from %d is beyond the end: the game has %d move%s", run->path,
                     options->from, moves, str_plural((uint64_t)moves));
        return false;
    }
    run->search = (AnalysisSearch){.engine = run->engine,
                                   .options = options,
                                   .journal = run->paths[FILE_JOURNAL].ptr,
                                   .cancel = run->cancel,
                                   .on_progress = show_analysis,
                                   .context = run};
    command_begin_progress(run->context, &run->progress, 0, 0, false);
    bool is_done = analysis_search(&run->search, &run->analysis);
    progress_clear(&run->progress);
    if (!is_done && !is_analysis_stopped(run)) {
        command_refuse(run->context, run->search.journal, journal_error_text(run->search.fault));
    }
    return is_done;
}

/* Takes the scores from the comments of the record. Scores that Komadori wrote are judged by the
 * scale of the network, and those of others only if the user names a network. Returns false, with a
 * message, if there are none. */
static bool read_scores(AnalyzeRun *run) {
    if (run->args.net != NULL || annotate_is_ours(&run->analysis)) {
        run->analysis.scale = run->net_scale;
    }
    return annotate_read(&run->analysis) > 0 ||
           command_refuse(run->context, run->path, "this game has no comment with a score");
}

/* ---- games ----------------------------------------------------------------------------------- */

/* Writes the files and prints their names, after the summary of the game. */
static bool write_results(AnalyzeRun *run) {
    const Analysis *analysis = &run->analysis;
    StrBuf text = STRBUF_INIT, report = STRBUF_INIT;
    bool is_good = true;
    gamepage_write_text(analysis, &report);
    strbuf_add_str(&report, "written: ");
    size_t start = report.len;
    for (int i = run->args.is_searched ? FILE_RECORD : FILE_PAGE; i <= FILE_JSON; i++) {
        const char *path = run->paths[i].ptr;
        if (run->paths[i].len == 0) {
            continue;
        }
        strbuf_clear(&text);
        size_t lacking = 0; /* characters that the encoding of the record lacks */
        if (i == FILE_RECORD) {
            lacking = kifu_write(analysis->record, &run->form, &text);
        } else {
            (i == FILE_PAGE ? gamepage_write_html : gamepage_write_json)(analysis, &text);
        }
        if (i == FILE_PAGE && !run->is_single) {
            gamepage_add_row(analysis, file_name(sv_from(path)), &run->rows);
        }
        if (lacking > 0) {
            output_linef(run->context->out,
                         "%llu character%s not in %s and became 〓; .kifu and .ki2u are in UTF-8",
                         (unsigned long long)lacking, lacking == 1 ? " is" : "s are",
                         textenc_name(run->form.encoding));
        }
        is_good = command_write_file(run->context, path, &text) && is_good;
        file_identity(path, &run->written);
        strbuf_add_byte(&run->written, '\n');
        strbuf_addf(&report, "%s%s", report.len > start ? ", " : "", path);
    }
    if (is_good && run->args.is_searched) {
        strbuf_add(&run->journals, strbuf_view(&run->paths[FILE_JOURNAL]));
        strbuf_add_byte(&run->journals, '\n');
    }
    if (is_good) {
        output_lines(run->context->out, strbuf_view(&report));
    }
    strbuf_free(&text);
    strbuf_free(&report);
    return is_good;
}

/* Analyses the last game that was read, up to its first error. Returns false, with a message, if it
 * was not analysed. */
static bool analyze_game(AnalyzeRun *run) {
    const AnalyzeArgs *args = &run->args;
    Analysis *analysis = &run->analysis;
    Record *record = &run->games.record;
    name_results(run);
    const Codec *codec = run->form.codec;
    if (args->is_searched && (codec->format.holds & KMD_HOLDS_COMMENTS) == 0) {
        output_linef(run->context->out, "%s: the format %s cannot hold comments; they are left out",
                     run->paths[FILE_RECORD].ptr, codec->format.name);
    }
    bool is_good = may_write_results(run);
    if (is_good) {
        analysis_init(analysis, record);
        analysis->rule = args->search.declare_rule;
        analysis->side = (Color)args->side;
        is_good = args->is_searched ? search_game(run) : read_scores(run);
        if (is_good) {
            analysis_note_declarations(analysis);
        }
        if (is_good && args->is_searched) {
            int style = args->style != STYLE_AUTO       ? args->style
                        : codec->has_floodgate_comments ? STYLE_FLOODGATE
                                                        : STYLE_SHOGIHOME;
            annotate_comments(analysis, (AnnotateStyle)style, record);
            if (args->has_variations) {
                annotate_variations(analysis, record);
            }
        }
        is_good = is_good && write_results(run);
        analysis_free(analysis);
        run->analysed++;
    }
    for (int i = 0; i < FILE_COUNT; i++) {
        strbuf_free(&run->paths[i]);
    }
    return is_good;
}

/* Analyses the first game of a file, or all of them. */
static bool analyze_file(AnalyzeRun *run, const char *path) {
    Games *games = &run->games;
    bool is_good = true, has_game;
    run->path = path;
    games_open(games, path, NULL, commands_report_game, run->context);
    do {
        has_game = games_next(games);
        if (has_game && games->is_broken && record_main_length(&games->record) == 0) {
            is_good = false;
        } else if (has_game) {
            is_good = analyze_game(run) && is_good;
        }
    } while (has_game && run->args.is_for_all && !is_analysis_stopped(run));
    is_good = is_good && games->faults == 0;
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
            StrView stem = stem_of(name);
            if (kifu_codec_by_path(name) != NULL && sv_find(stem, SV(RESULT_MARK)) == stem.len) {
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

static void ignore_message(const void *context, const char *message, bool is_note) {
    (void)context, (void)message, (void)is_note;
}

/* Counts the games and their positions, for the progress line. What is wrong with them is reported
 * when they are analysed. */
static void count_games(AnalyzeRun *run) {
    const char *end = run->inputs.ptr + run->inputs.len;
    for (const char *path = run->inputs.ptr; path != end; path += strlen(path) + 1) {
        games_open(&run->games, path, NULL, ignore_message, NULL);
        for (bool has_game = true; has_game && games_next(&run->games);
             has_game = run->args.is_for_all) {
            int moves = record_main_length(&run->games.record);
            if (!run->games.is_broken || moves > 0) {
                run->game_count++;
                run->later += count_positions(run, moves);
            }
        }
        games_close(&run->games);
    }
}

/* Prepares the engine, or the scale of the network if nothing is searched. Returns false, with a
 * message, if the network cannot be used or the system cannot provide what the user requested. */
static bool prepare_analysis(AnalyzeRun *run) {
    AnalyzeArgs *args = &run->args;
    GoLimits *limits = &args->search.limits;
    if (!args->is_searched) {
        NnueNet *net = NULL;
        bool is_good = command_load_net(run->context, args->net, &net);
        run->net_scale = is_good ? net_chance_scale(net) : 0;
        net_free(net);
        return is_good;
    }
    bool has_limit = limits->nodes > 0 || limits->depth > 0;
    if (!has_limit && limits->movetime_ms == 0) {
        limits->movetime_ms = DEFAULT_TIME_MS;
    }
    if (args->resources.threads == 0) {
        args->resources.threads = has_limit ? 1 : engine_wanted(run->engine).threads;
    }
    commands_set_net(run->context, run->engine, args->net);
    if (!commands_prepare(run->context, run->engine, args->resources)) {
        return false;
    }
    if (args->net != NULL) {
        args->search.evaluation = engine_evaluation_id(run->engine);
    }
    return true;
}

/* The path of the index of a folder. */
static void append_index_path(const char *folder, StrBuf *path) {
    file_join(folder, SV("index.html"), path);
}

/* Writes the index of the pages, if they are in a folder. */
static bool write_index(AnalyzeRun *run) {
    StrBuf path = STRBUF_INIT, page = STRBUF_INIT;
    bool is_good = true;
    if (run->rows.len > 0) {
        append_index_path(run->args.names[FILE_PAGE], &path);
        gamepage_write_index(&run->rows, &page);
        is_good = command_write_file(run->context, path.ptr, &page);
        if (is_good) {
            output_linef(run->context->out, "written: %s", path.ptr);
        }
    }
    strbuf_free(&path);
    strbuf_free(&page);
    return is_good;
}

/* Makes the folders of the outputs. Returns false, with a message, if one cannot be made or the
 * index of one is a file of the user. */
static bool make_folders(const AnalyzeRun *run) {
    const CommandContext *context = run->context;
    StrBuf path = STRBUF_INIT, text = STRBUF_INIT;
    bool is_good = true;
    for (int i = 0; i < FILE_JOURNAL && is_good; i++) {
        const char *name = run->args.names[i];
        bool is_folder = name != NULL && file_names_folder(name);
        int fault = is_folder ? file_make_folder(name) : 0;
        is_good = fault == 0 || command_refuse(context, name, file_error_text(fault));
    }
    if (is_good && !run->is_single && run->args.names[FILE_PAGE] != NULL) {
        append_index_path(run->args.names[FILE_PAGE], &path);
        is_good = file_read(path.ptr, &text) == ENOENT || gamepage_is_index(strbuf_view(&text)) ||
                  command_refuse(context, path.ptr,
                                 "not written by komadori analyze; it is not replaced");
    }
    strbuf_free(&path);
    strbuf_free(&text);
    return is_good;
}

static bool analyze_inputs(AnalyzeRun *run, const Args *args) {
    run->is_single = args->count == 1 && !file_is_folder(args->words[0]) && !run->args.is_for_all;
    if (!make_folders(run) || !prepare_analysis(run)) {
        return false;
    }
    bool is_good = list_inputs(run, args);
    const char *path = run->inputs.ptr, *end = run->inputs.ptr + run->inputs.len;
    if (!run->is_single && run->args.is_searched) {
        count_games(run);
    }
    for (; path != end && !is_analysis_stopped(run); path += strlen(path) + 1) {
        is_good = analyze_file(run, path) && is_good;
    }
    if (is_analysis_stopped(run)) {
        output_linef(run->context->out,
                     "interrupted; run the same command again to continue: positions that were "
                     "searched are not searched again");
        return false;
    }
    is_good = write_index(run) && is_good;
    StrView rest = strbuf_view(&run->journals), journal;
    while (sv_next_line(&rest, &journal)) {
        StrBuf name = STRBUF_INIT;
        strbuf_add(&name, journal);
        is_good = (remove(name.ptr) == 0 ||
                   command_refuse(run->context, name.ptr, "cannot be removed")) &&
                  is_good;
        strbuf_free(&name);
    }
    return is_good;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Returns false, with a message, if options contradict each other or an argument is not a valid
 * name. */
static bool check_request(const CommandContext *context, const AnalyzeArgs *parsed,
                          const Args *args) {
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
    if (!parsed->is_searched && parsed->names[FILE_PAGE] == NULL &&
        parsed->names[FILE_JSON] == NULL) {
        command_fail(context, COMMAND_MISUSED, "nothing to write: add --html or --json");
        return false;
    }
    bool has_many = args->count > 1 || parsed->is_for_all || file_is_folder(args->words[0]);
    return check_names(context, parsed, args->words[0], has_many);
}

static int run_analyze(const CommandContext *context, Args *args) {
    enum { MAX_INPUTS = 1000000 };
    AnalyzeRun *run = xmem_calloc(1, sizeof(*run));
    run->context = context;
    int status = COMMAND_MISUSED;
    if (command_read(context, args, &run->args, 1, MAX_INPUTS) &&
        check_request(context, &run->args, args)) {
        run->engine = engine_create();
        run->cancel = command_catch_end(context);
        status = analyze_inputs(run, args) ? COMMAND_GOOD : COMMAND_FAILED;
        engine_free(run->engine);
    }
    strbuf_free(&run->inputs);
    strbuf_free(&run->journals);
    strbuf_free(&run->rows);
    strbuf_free(&run->written);
    free(run);
    return status;
}

const Command cmd_analyze = {
    {"analyze", "GAME...",
     "Search each position of a game and write the results as comments to a copy of the record, or "
     "as a web page.\nGAME is a file or a folder.",
     ARG_OPTIONS(analyze_options)},
    run_analyze};
