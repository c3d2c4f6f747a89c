/* cmd_analyze.c: the steps of an analysis: read the games, choose output names, search each
 * position with a journal, and write record, graph, page and JSON. */
#include "cmd/cmd_analyze.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fileio.h"
#include "base/textenc.h"
#include "base/xmem.h"
#include "cmd/resources.h"
#include "command/command.h"
#include "command/output.h"
#include "engine/engine.h"
#include "kifu/codec.h"
#include "kifu/codecs.h"
#include "kifu/cursor.h"
#include "kifu/kif.h"
#include "kifu/kifuio.h"
#include "kifu/stream.h"
#include "rules/movegen.h"
#include "rules/usimove.h"
#include "search/pool.h"
#include "study/analysis.h"
#include "study/evalgraph.h"
#include "study/gameindex.h"
#include "study/gamepage.h"

/* Positions are searched from the end of the game to its beginning, since what the table knows of a
 * later position helps with the one before; --forward goes the other way. Each result is added to a
 * journal beside the output at once; a run that finds a journal of the same game and limits
 * continues from there, and removes it at the end. */

#define RESULT          "-analysis" /* what the name of a result ends in */
#define DEFAULT_TIME_MS 1000
#define DEFAULT_HASH_MB 64

/* The files of a game. */
enum { OUT_RECORD, OUT_GRAPH, OUT_HTML, OUT_JSON, OUT_JOURNAL, OUT_COUNT };

typedef struct AnalyzeOptions {
    int64_t time_ms; /* of a position; 0: no limit */
    uint64_t nodes;
    int depth, threads, hash_mb, multi_pv;
    int from, to; /* positions, by the number of moves before them */
    int side;     /* BLACK, WHITE or COLOR_NB */
    int style;    /* an AnalysisStyle; STYLE_BY_FORMAT */
    bool has_graph, is_searched, has_variations, is_for_all, is_backward;
    const char *names[OUT_JOURNAL]; /* NULL: after the input; page and JSON: none */
} AnalyzeOptions;

/* Floodgate's in CSA files, else ShogiHome's. */
enum { STYLE_BY_FORMAT = STYLE_FLOODGATE + 1 };

#define AT(member) offsetof(AnalyzeOptions, member)

static const ArgOption options[] = {
    {"--time", "S", ARG_SECONDS, AT(time_ms), 0.001, 1e6,
     .help = "seconds per position; 1 if there is no other limit"},
    {"--nodes", "N", ARG_U64, AT(nodes), 1, .help = "nodes per position"},
    {"--depth", "N", ARG_INT, AT(depth), 1, MAX_PLY, .help = "depth of each search"},
    {"--threads", "N", ARG_INT, AT(threads), 1, POOL_MOST_THREADS, .start = 1,
     .help = "number of threads"},
    {"--hash", "MB", ARG_INT, AT(hash_mb), TT_LEAST_MB, TT_MOST_MB, .start = DEFAULT_HASH_MB,
     .help = "size of the hash table"},
    {"--multipv", "N", ARG_INT, AT(multi_pv), 1, ANALYSIS_LINES, .start = 1,
     .help = "number of best lines per position"},
    {"--from", "N", ARG_INT, AT(from), 0, RECORD_MAX_NODES,
     .help = "start with the position after N moves"},
    {"--to", "N", ARG_INT, AT(to), 0, RECORD_MAX_NODES, .start = RECORD_MAX_NODES,
     .help = "stop with the position after N moves"},
    {"--side", "black|white|both", ARG_CHOICE, AT(side), .start = COLOR_NB,
     .help = "comment on the moves of this side"},
    {"--style", "shogihome|shogigui|floodgate|auto", ARG_CHOICE, AT(style),
     .start = STYLE_BY_FORMAT,
     .help = "format of the comments; auto: floodgate in CSA files, otherwise shogihome"},
    {"--variations", NULL, ARG_FLAG, AT(has_variations),
     .help = "add the better line of each mistake as a variation"},
    {"--no-search", NULL, ARG_NO, AT(is_searched),
     .help = "draw the scores already in the record; write no record"},
    {"--all", NULL, ARG_FLAG, AT(is_for_all),
     .help = "analyse every game of a file, not only the first, each into files of its own"},
    /* The later entry of the two gives the default. */
    {"--backward", NULL, ARG_FLAG, AT(is_backward),
     .help = "search from the last position to the first (the default)"},
    {"--forward", NULL, ARG_NO, AT(is_backward),
     .help = "search from the first position to the last"},
    {"-o", "OUT", ARG_TEXT, AT(names[OUT_RECORD]),
     .help = "write the commented record here, or into FOLDER/; default: NAME-analysis with the "
             "extension of the input"},
    {"--graph", "SVG", ARG_TEXT, AT(names[OUT_GRAPH]),
     .help = "write the graph of the scores here, or into FOLDER/; default: next to the record"},
    {"--no-graph", NULL, ARG_NO, AT(has_graph), .help = "write no graph"},
    {"--html", "HTML", ARG_TEXT, AT(names[OUT_HTML]),
     .help = "write a web page with board, moves and graph here, or into FOLDER/"},
    {"--json", "JSON", ARG_TEXT, AT(names[OUT_JSON]),
     .help = "write the results as JSON here, or into FOLDER/"},
};

typedef struct AnalyzeRun {
    const CommandContext *context;
    AnalyzeOptions options;
    StrView input;
    int game;            /* its number in the file, from 1 */
    bool is_one_of_many; /* other games are analysed in this run */
    GoLimits limits;
    KifuForm form; /* of the input, then of the output */
    Record record;
    bool has_fault; /* the record is what stands before it */
    bool has_more;  /* other games follow in the file */
    Analysis analysis;
    Engine *engine;
    Judgement found;         /* by the current search, side to move's view */
    StrBuf paths[OUT_COUNT]; /* empty: not wanted */
    Progress progress;
    StrBuf index;           /* lines of games with a page in the folder of pages */
    bool has_journal_fault; /* which has been reported */
    int searched;
} AnalyzeRun;

/* ---- The game. ---- */

static void report_fault(const AnalyzeRun *run, const KmdFault *error) {
    StrBuf text = STRBUF_INIT;
    kifu_append_fault(run->input.ptr, error, &text);
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

/* Reads game run->game of the file. False if there is none, with a message if it is the first. */
static bool read_game(AnalyzeRun *run) {
    KifuStream stream;
    KmdFault error = {.reason = NULL};
    int fault = kifu_stream_open(&stream, run->input.ptr, NULL);
    if (fault != 0) {
        return command_refuse(run->context, run->input.ptr, file_error_text(fault));
    }
    KmdNext next = KMD_NEXT_GAME;
    for (int i = 0; i < run->game && next < KMD_NEXT_END; i++) {
        next = kifu_stream_next(&stream, &run->record, &error);
    }
    run->form = stream.form;
    run->has_fault = next != KMD_NEXT_GAME;
    run->has_more = next < KMD_NEXT_END && is_game_next(&stream);
    if (next == KMD_NEXT_BROKEN) {
        report_fault(run, &error);
    } else if (next == KMD_NEXT_END && run->game == 1) {
        command_refuse(run->context, run->input.ptr, "contains no game");
    } else if (next == KMD_NEXT_FAILED) {
        command_refuse(run->context, run->input.ptr, file_error_text(stream.file_error));
    }
    kifu_stream_free(&stream);
    return next < KMD_NEXT_END;
}

/* False when there is nothing to analyse. */
static bool load_game(AnalyzeRun *run) {
    return read_game(run) && (!run->has_fault || record_main_length(&run->record) > 0);
}

/* False, with a message, when options contradict each other. */
static bool check_options(const AnalyzeRun *run) {
    const AnalyzeOptions *wanted = &run->options;
    if (wanted->from > wanted->to) {
        command_fail(run->context, COMMAND_MISUSED, "--to %d comes before --from %d", wanted->to,
                     wanted->from);
        return false;
    }
    if (!wanted->is_searched && !wanted->has_graph && wanted->names[OUT_HTML] == NULL &&
        wanted->names[OUT_JSON] == NULL) {
        command_fail(run->context, COMMAND_MISUSED,
                     "nothing to write: add --html or --json, or remove --no-graph");
        return false;
    }
    return true;
}

/* A folder of pages gets an index. */
static bool has_index(const AnalyzeRun *run) {
    const char *pages = run->options.names[OUT_HTML];
    return pages != NULL && file_names_folder(pages);
}

/* False, with a message, when the place of the index has a page that is not one of ours. */
static bool check_index(const AnalyzeRun *run) {
    StrBuf path = STRBUF_INIT;
    file_join(run->options.names[OUT_HTML], SV(GAMEINDEX_NAME), &path);
    int fault = gameindex_check(path.ptr);
    bool is_good =
        fault == 0 || command_refuse(run->context, path.ptr,
                                     fault == EEXIST ? "not written by komadori analyze; "
                                                       "it is not replaced"
                                                     : file_error_text(fault));
    strbuf_free(&path);
    return is_good;
}

/* False, with a message, when what follows an option is no name for it. */
static bool check_names(const AnalyzeRun *run) {
    const AnalyzeOptions *wanted = &run->options;
    for (int i = 0; i < OUT_JOURNAL; i++) {
        const char *name = wanted->names[i];
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
    StrView out = sv_from(wanted->names[OUT_RECORD]);
    bool is_known = out.len == 0 || file_names_folder(out.ptr) || kifu_codec_by_path(out) != NULL ||
                    sv_equal_nocase(kifu_path_ending(out), kifu_path_ending(run->input));
    return is_known || command_refuse(run->context, out.ptr, "unknown file name extension");
}

static StrView without_ending(StrView path) {
    StrView ending = kifu_path_ending(path);
    return ending.len > 0 ? sv_prefix(path, path.len - ending.len - 1) : path;
}

/* "game-analysis" beside the input, or in a folder; "game-analysis-2" for the second of a file. */
static void append_stem(const AnalyzeRun *run, const char *folder, StrBuf *out) {
    StrView stem = without_ending(run->input);
    if (folder != NULL) {
        file_join(folder, file_name(stem), out);
    } else {
        strbuf_add(out, stem);
    }
    bool is_result = sv_ends_with(stem, SV(RESULT)) && !run->options.is_searched;
    strbuf_add_str(out, is_result ? "" : RESULT);
    if (run->game > 1) {
        strbuf_addf(out, "-%d", run->game);
    }
}

/* A file as its option names it, or in the folder that it names, or else beside the record. */
static void name_output(AnalyzeRun *run, int output, const char *ending) {
    const char *wanted = run->options.names[output];
    StrBuf *path = &run->paths[output];
    if (wanted != NULL && !file_names_folder(wanted)) {
        strbuf_add_str(path, wanted);
        return;
    }
    if (wanted != NULL) {
        append_stem(run, wanted, path);
    } else {
        strbuf_add(path, without_ending(strbuf_view(&run->paths[OUT_RECORD])));
    }
    strbuf_addf(path, ".%s", ending);
}

/* "game.kif" gives "game-analysis.kif". A game in a format without comments becomes KIF, and one
 * whose name does not fit its format gets the ending that does. */
static void name_record(AnalyzeRun *run) {
    StrView input = run->input;
    StrView ending = kifu_path_ending(input);
    const char *wanted = run->options.names[OUT_RECORD];
    StrBuf *path = &run->paths[OUT_RECORD];
    const Codec *codec = run->form.codec;
    if (wanted != NULL && !file_names_folder(wanted)) {
        const Codec *named = kifu_codec_by_path(sv_from(wanted));
        codec = named != NULL ? named : codec;
        strbuf_add_str(path, wanted);
    } else {
        codec = (codec->format.holds & KMD_HOLDS_COMMENTS) != 0 ? codec : &kif_codec;
        StrView extensions = sv_from(codec->utf8_extension != NULL ? codec->utf8_extension
                                                                   : codec->format.extensions);
        StrView usual = sv_prefix(extensions, sv_find_byte(extensions, ' '));
        append_stem(run, wanted, path);
        strbuf_add_byte(path, '.');
        strbuf_add(path, kifu_codec_by_path(input) == codec ? ending : usual);
    }
    StrView out = strbuf_view(path);
    if (codec != run->form.codec || !sv_equal_nocase(kifu_path_ending(out), ending)) {
        run->form = kifu_form_by_path(codec, out);
    }
    strbuf_addf(&run->paths[OUT_JOURNAL], "%s.journal", out.ptr);
}

static void name_outputs(AnalyzeRun *run) {
    const AnalyzeOptions *wanted = &run->options;
    name_record(run);
    if (wanted->has_graph) {
        name_output(run, OUT_GRAPH, "svg");
    }
    if (wanted->names[OUT_HTML] != NULL) {
        name_output(run, OUT_HTML, "html");
    }
    if (wanted->names[OUT_JSON] != NULL) {
        name_output(run, OUT_JSON, "json");
    }
    bool is_losing = (run->form.codec->format.holds & KMD_HOLDS_COMMENTS) == 0;
    if (is_losing && wanted->is_searched) {
        output_linef(run->context->out, "%s: the format %s cannot hold comments; they are left out",
                     run->paths[OUT_RECORD].ptr, run->form.codec->format.name);
    }
}

/* False, with a message, when two of the files would be one, or when the first game of several, or
 * what stands before a fault, would take the place of the whole file. */
static bool spares_files(const AnalyzeRun *run) {
    for (int i = 0; i < OUT_COUNT; i++) {
        const StrBuf *path = &run->paths[i];
        for (int k = 0; k < i && path->len > 0; k++) {
            if (run->paths[k].len > 0 && file_is_same(path->ptr, run->paths[k].ptr)) {
                return command_refuse(run->context, path->ptr,
                                      "each output needs a file of its own");
            }
        }
        if (i > 0 && path->len > 0 && file_is_same(path->ptr, run->input.ptr)) {
            return command_refuse(run->context, run->input.ptr,
                                  "not overwritten: this is the input");
        }
    }
    bool is_part = run->has_fault || run->has_more || run->game > 1;
    return !is_part || !file_is_same(run->input.ptr, run->paths[OUT_RECORD].ptr) ||
           command_refuse(run->context, run->input.ptr,
                          "not overwritten: the output is only a part of this input");
}

/* ---- The journal. ---- */

/* The first line says for which game and limits the others hold. */
static void append_journal_head(const AnalyzeRun *run, StrBuf *out) {
    const GoLimits *limits = &run->limits;
    KifuForm form = kifu_form(kifu_codec_by_name(SV("usi")));
    strbuf_addf(out, "komadori-analysis 1 nodes %llu time %lld depth %d ",
                (unsigned long long)limits->nodes, (long long)limits->movetime_ms, limits->depth);
    if (run->options.multi_pv > 1) {
        strbuf_addf(out, "multipv %d ", run->options.multi_pv);
    }
    kifu_write(&run->record, &form, out);
}

/* Reads moves up to a point; false without one. */
static bool read_moves(Tokenizer *tok, Move *pv, int *count) {
    StrView word;
    while (tok_next(tok, &word) && !sv_equal(word, SV("."))) {
        Move move = usimove_read(word);
        if (!move_is_real(move)) {
            return false;
        }
        if (*count < ANALYSIS_PV) {
            pv[(*count)++] = move;
        }
    }
    return word.len > 0;
}

/* "INDEX SCORE DEPTH NODES MOVES . [SCORE MOVES .]...": a line that is cut short or damaged is left
 * out. */
static void read_journal_line(Analysis *analysis, StrView line) {
    Tokenizer tok = {line};
    StrView word;
    int index;
    Judgement found = {.line_count = 1};
    AnalysisLine *best = &found.lines[0];
    if (!tok_next(&tok, &word) || !sv_to_int(word, 0, analysis->count - 1, &index) ||
        !tok_next(&tok, &word) || !sv_to_int(word, -SCORE_MATE, SCORE_MATE, &best->score) ||
        !tok_next(&tok, &word) || !sv_to_int(word, 0, MAX_PLY, &found.depth) ||
        !tok_next(&tok, &word) || !sv_to_u64(word, 0, UINT64_MAX, &found.nodes)) {
        return;
    }
    if (!read_moves(&tok, best->pv, &best->pv_len)) {
        return;
    }
    while (found.line_count < ANALYSIS_LINES && tok_next(&tok, &word)) {
        AnalysisLine *other = &found.lines[found.line_count++];
        if (!sv_to_int(word, -SCORE_MATE, SCORE_MATE, &other->score) ||
            !read_moves(&tok, other->pv, &other->pv_len)) {
            return;
        }
    }
    analysis->at[index] = found;
}

/* Takes over what the journal has; starts a new one when it is missing or for something else. */
static bool open_journal(AnalyzeRun *run) {
    StrBuf text = STRBUF_INIT, head = STRBUF_INIT;
    append_journal_head(run, &head);
    bool is_ours = file_read(run->paths[OUT_JOURNAL].ptr, &text) == 0 &&
                   sv_starts_with(strbuf_view(&text), strbuf_view(&head));
    int fault = 0;
    if (is_ours) {
        StrView rest = sv_skip(strbuf_view(&text), head.len);
        StrView line;
        while (sv_next_line(&rest, &line)) {
            read_journal_line(&run->analysis, line);
        }
    } else {
        fault = file_write(run->paths[OUT_JOURNAL].ptr, head.ptr, head.len);
    }
    strbuf_free(&text);
    strbuf_free(&head);
    return fault == 0 ||
           command_refuse(run->context, run->paths[OUT_JOURNAL].ptr, file_error_text(fault));
}

/* Returns 0 or an errno value. */
static int append_to_file(const char *path, const StrBuf *text) {
    FILE *file;
    int error = file_append(path, &file);
    if (error != 0) {
        return error;
    }
    errno = 0;
    bool is_good = fwrite(text->ptr, 1, text->len, file) == text->len;
    is_good = fclose(file) == 0 && is_good;
    return is_good ? 0 : errno != 0 ? errno : EIO;
}

static void append_moves(const Move *pv, int count, StrBuf *out) {
    usimove_append_line(pv, count, out);
    strbuf_add_str(out, " .");
}

/* A partial line left by a killed run must not be joined with the next one. */
static void append_to_journal(AnalyzeRun *run, int index) {
    const Judgement *found = &run->analysis.at[index];
    StrBuf line = STRBUF_INIT;
    strbuf_addf(&line, "\n%d %d %d %llu", index, found->lines[0].score, found->depth,
                (unsigned long long)found->nodes);
    append_moves(found->lines[0].pv, found->lines[0].pv_len, &line);
    for (int i = 1; i < found->line_count; i++) {
        strbuf_addf(&line, " %d", found->lines[i].score);
        append_moves(found->lines[i].pv, found->lines[i].pv_len, &line);
    }
    strbuf_add_byte(&line, '\n');
    int fault = append_to_file(run->paths[OUT_JOURNAL].ptr, &line);
    strbuf_free(&line);
    if (fault != 0 && !run->has_journal_fault) {
        run->has_journal_fault = true;
        command_refuse(run->context, run->paths[OUT_JOURNAL].ptr, file_error_text(fault));
    }
}

/* ---- Searching. ---- */

static void on_info(void *context, const SearchInfo *info) {
    analysis_gather(context, info);
}

/* Judges *pos; false when cancelled. A finished game needs no search. */
static bool search(AnalyzeRun *run, const Position *pos) {
    Judgement *found = &run->found;
    *found = (Judgement){.line_count = 0};
    if (!gen_has_move(pos)) {
        *found = (Judgement){.line_count = 1, .lines = {{.score = score_mated_in(0)}}};
        return true;
    }
    AnalysisGather gather = {.part = {.line_count = 0}};
    SearchSink sink = {.context = &gather, .on_info = on_info};
    SearchResult result;
    engine_set_position(run->engine, pos);
    engine_search(run->engine, &run->limits, &sink, run->context->cancel, &result);
    *found = analysis_gathered(&gather);
    if (found->line_count == 0) {
        found->line_count = 1;
        found->depth = result.depth;
        found->lines[0] = (AnalysisLine){
            .score = result.score, .pv_len = move_is_real(result.best), .pv = {result.best}};
    }
    found->nodes = result.nodes;
    found->time_ms = result.time_ms;
    return !command_is_cancelled(run->context);
}

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

/* Turns scores that are the side to move's into black's. */
static void for_black(Judgement *judgement, Color side) {
    for (int i = 0; i < judgement->line_count; i++) {
        judgement->lines[i].score *= side == BLACK ? 1 : -1;
    }
}

static bool is_wanted(const AnalyzeRun *run, int i) {
    return i >= run->options.from && i <= run->options.to && run->analysis.at[i].line_count == 0;
}

/* Searches every requested position, in the order of the options; false when cancelled. */
static bool search_all(AnalyzeRun *run) {
    Analysis *analysis = &run->analysis;
    RecordCursor cursor;
    int left = 0;
    bool is_good = true;
    cursor_init(&cursor, &run->record);
    for (int i = 0; i < analysis->count; i++) {
        left += is_wanted(run, i);
    }
    for (int k = 0; is_good && k < analysis->count; k++) {
        int i = run->options.is_backward ? analysis->count - 1 - k : k;
        if (!is_wanted(run, i)) {
            continue;
        }
        cursor_go(&cursor, analysis->node[i]);
        is_good = search(run, &cursor.pos);
        if (is_good) {
            analysis->at[i] = run->found;
            for_black(&analysis->at[i], cursor.pos.side);
            append_to_journal(run, i);
            run->searched++;
            left--;
            show_progress(run, i, left);
        }
    }
    progress_clear(&run->progress);
    cursor_free(&cursor);
    return is_good;
}

/* ---- Results. ---- */

static bool write_bytes(const AnalyzeRun *run, const StrBuf *path, const StrBuf *bytes) {
    return path->len == 0 || command_write_file(run->context, path->ptr, bytes);
}

/* The record with its comments; for the page it stays without the variations when those were not
 * asked for. */
static bool write_record(AnalyzeRun *run) {
    int style = run->options.style;
    style = style != STYLE_BY_FORMAT                  ? style
            : run->form.codec->has_floodgate_comments ? STYLE_FLOODGATE
                                                      : STYLE_SHOGIHOME;
    StrBuf game = STRBUF_INIT;
    analysis_comment(&run->analysis, (AnalysisStyle)style, &run->record);
    if (run->options.has_variations) {
        analysis_add_variations(&run->analysis, &run->record);
    }
    size_t lacking = kifu_write(&run->record, &run->form, &game);
    if (lacking > 0) {
        output_linef(run->context->out,
                     "%llu character%s not in %s and became 〓; .kifu and .ki2u are in UTF-8",
                     (unsigned long long)lacking, lacking == 1 ? " is" : "s are",
                     textenc_name(run->form.encoding));
    }
    bool is_good = write_bytes(run, &run->paths[OUT_RECORD], &game);
    strbuf_free(&game);
    return is_good;
}

static bool write_results(AnalyzeRun *run) {
    static void (*const writers[])(const Analysis *, StrBuf *) = {[OUT_GRAPH] = evalgraph_write,
                                                                  [OUT_HTML] = gamepage_write_html,
                                                                  [OUT_JSON] = gamepage_write_json};
    bool is_good = !run->options.is_searched || write_record(run);
    for (int i = OUT_GRAPH; i <= OUT_JSON; i++) {
        StrBuf text = STRBUF_INIT;
        if (run->paths[i].len > 0) {
            writers[i](&run->analysis, &text);
            is_good = write_bytes(run, &run->paths[i], &text) && is_good;
        }
        strbuf_free(&text);
    }
    return is_good &&
           (!run->options.is_searched || remove(run->paths[OUT_JOURNAL].ptr) == 0 ||
            command_refuse(run->context, run->paths[OUT_JOURNAL].ptr, "cannot be removed"));
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

/* "written: a.kif, a.svg". */
static void print_written(const AnalyzeRun *run) {
    StrBuf text = STRBUF_INIT;
    for (int i = run->options.is_searched ? OUT_RECORD : OUT_GRAPH; i <= OUT_JSON; i++) {
        if (run->paths[i].len > 0) {
            strbuf_addf(&text, "%s%s", text.len > 0 ? ", " : "", run->paths[i].ptr);
        }
    }
    output_linef(run->context->out, "written: %s", text.len > 0 ? text.ptr : "nothing");
    strbuf_free(&text);
}

/* Finds out what each position is worth; false when that ends the game's analysis. */
static bool judge_game(AnalyzeRun *run) {
    analysis_init(&run->analysis, &run->record);
    run->analysis.side = (Color)run->options.side;
    run->analysis.has_index = has_index(run);
    if (!run->options.is_searched) {
        return analysis_read(&run->analysis) > 0 ||
               command_refuse(run->context, run->input.ptr,
                              "this game has no comment with a score");
    }
    if (run->options.from >= run->analysis.count) {
        command_fail(run->context, COMMAND_FAILED,
                     "%.*s: --from %d is beyond the end: the game has %d move%s",
                     (int)run->input.len, run->input.ptr, run->options.from,
                     run->analysis.count - 1, str_plural((uint64_t)run->analysis.count - 1));
        return false;
    }
    command_begin_progress(run->context, &run->progress, 0, 0, false);
    if (!open_journal(run)) {
        return false;
    }
    run->analysis.scale = engine_score_scale(run->engine);
    bool is_done = search_all(run);
    if (!is_done) {
        output_linef(run->context->out, "interrupted; run the same command again to continue");
    }
    return is_done;
}

/* run->input and run->game are set. */
static int analyze_game(AnalyzeRun *run) {
    if (!load_game(run)) {
        return COMMAND_FAILED;
    }
    name_outputs(run);
    if (!spares_files(run) || !judge_game(run) || !write_results(run)) {
        return COMMAND_FAILED;
    }
    for (int side = BLACK; side <= WHITE; side++) {
        if (run->options.side != (int)color_flip((Color)side)) {
            print_side(run, (Color)side);
        }
    }
    print_written(run);
    if (has_index(run)) {
        StrView page = file_name(strbuf_view(&run->paths[OUT_HTML]));
        gameindex_add(&run->analysis, page, &run->index);
    }
    return run->has_fault ? COMMAND_FAILED : COMMAND_GOOD;
}

/* Forgets a game. */
static void clear_game(AnalyzeRun *run) {
    for (int i = 0; i < OUT_COUNT; i++) {
        strbuf_free(&run->paths[i]);
    }
    analysis_free(&run->analysis);
    run->searched = 0;
}

/* The first game of a file, or all of them. */
static int analyze_file(AnalyzeRun *run, const char *path) {
    int status = COMMAND_GOOD;
    run->input = sv_from(path);
    run->game = 0;
    do {
        run->game++;
        run->has_more = false;
        int result = analyze_game(run);
        status = result != COMMAND_GOOD ? result : status;
        clear_game(run);
    } while (run->options.is_for_all && run->has_more && !command_is_cancelled(run->context));
    return status;
}

/* The games of a folder by their names, results of earlier analyses left out. */
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
        StrView stem = without_ending(name);
        bool is_result = sv_find(stem, SV(RESULT)) < stem.len;
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

/* The games so far, also if the run was cancelled. */
static bool write_index(AnalyzeRun *run) {
    const char *folder = run->options.names[OUT_HTML];
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
    run->input = sv_from(args->words[0]);
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
    if (run->options.is_searched && !resources_prepare(run->context, run->engine, wanted)) {
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
