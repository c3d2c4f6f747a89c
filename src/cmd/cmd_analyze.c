#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fileio.h"
#include "base/textenc.h"
#include "base/xmem.h"
#include "cmd/analysis.h"
#include "cmd/commands.h"
#include "cmd/evalgraph.h"
#include "engine/engine.h"
#include "rules/movegen.h"
#include "rules/sfen.h"
#include "rules/usimove.h"
#include "search/pool.h"
#include "usi/output.h"

/* Positions are searched from the end of the game to its beginning, since what the table knows of a
 * later position helps with the one before. Each result is added to a journal beside the output at
 * once; a run that finds a journal of the same game and limits goes on from there, and removes it
 * at the end. */

#define DEFAULT_TIME_MS 1000
#define DEFAULT_HASH_MB 64

typedef struct AnalyzeOptions {
    int64_t time_ms; /* of a position; 0: no limit */
    uint64_t nodes;
    int depth;
    int threads;
    int hash_mb;
    const char *out, *graph; /* NULL: named after the input */
} AnalyzeOptions;

static const ArgOption options[] = {
    {"--time", "S", ARG_SECONDS, offsetof(AnalyzeOptions, time_ms), 0.001, 1e6,
     .help = "seconds for a position; 1 when nothing limits it"},
    {"--nodes", "N", ARG_U64, offsetof(AnalyzeOptions, nodes), 1, .help = "nodes for a position"},
    {"--depth", "N", ARG_INT, offsetof(AnalyzeOptions, depth), 1, MAX_PLY,
     .help = "depth of each search"},
    {"--threads", "N", ARG_INT, offsetof(AnalyzeOptions, threads), 1, POOL_MOST_THREADS, .start = 1,
     .help = "threads"},
    {"--hash", "MB", ARG_INT, offsetof(AnalyzeOptions, hash_mb), TT_LEAST_MB, TT_MOST_MB,
     .start = DEFAULT_HASH_MB, .help = "size of the table"},
    {"-o", "OUT", ARG_TEXT, offsetof(AnalyzeOptions, out),
     .help = "the commented record; else NAME-analysis and the ending of the game"},
    {"--graph", "SVG", ARG_TEXT, offsetof(AnalyzeOptions, graph),
     .help = "the picture of the course; else NAME-analysis.svg"},
};

typedef struct AnalyzeRun {
    const CommandContext *context;
    AnalyzeOptions options;
    StrView input;
    GoLimits limits;
    KifuForm form; /* of the input, then of the output */
    Record record;
    bool has_fault; /* the record is what stands before it */
    bool has_more;  /* other games follow in the file */
    Analysis analysis;
    Engine *engine;
    Judgement found; /* by the search at hand, side to move's view */
    StrBuf out_path, graph_path, journal_path;
    Progress progress;
    bool has_journal_fault; /* which has been told */
    int searched;
} AnalyzeRun;

/* ---- The game. ---- */

static bool complain(const AnalyzeRun *run, StrView path, const char *reason) {
    command_fail(run->context, COMMAND_FAILED, "%.*s: %s", (int)path.len, path.ptr, reason);
    return false;
}

/* As komadori-kifu says it: "game.kif:12: move 8: two pawns on the file (nifu): ８三歩打". */
static void report_fault(const AnalyzeRun *run, const KmdFault *error) {
    StrBuf text = STRBUF_INIT;
    strbuf_add(&text, run->input);
    if (error->line > 0) {
        strbuf_addf(&text, ":%d", error->line);
    }
    if (error->ply > 0) {
        strbuf_addf(&text, ": move %d", error->ply);
    }
    strbuf_addf(&text, ": %s", error->reason);
    if (error->near_text[0] != '\0') {
        strbuf_addf(&text, ": %s", error->near_text);
    }
    command_fail(run->context, COMMAND_FAILED, "%s", text.ptr);
    strbuf_free(&text);
}

/* Whether the first line ends in CR LF. A pipe, in which nothing goes back, tells nothing. */
static bool has_crlf(FILE *file) {
    int last = 0, byte = 0;
    if (fseek(file, 0, SEEK_SET) != 0) {
        return false;
    }
    while (byte != EOF && byte != '\n') {
        last = byte;
        byte = getc(file);
    }
    return byte == '\n' && last == '\r';
}

static bool is_game_next(KifuStream *stream) {
    KmdFault error;
    Record record;
    record_init(&record);
    bool is_there = kifu_stream_next(stream, &record, &error) < KMD_NEXT_END;
    record_free(&record);
    return is_there;
}

/* Reads the first game of an open file. False, with a message, when there is none. */
static bool read_first_game(AnalyzeRun *run, FILE *file) {
    StrView path = run->input;
    KifuStream stream;
    KmdFault error = {.reason = NULL};
    kifu_stream_init(&stream, fileno(file), path, NULL);
    KmdNext next = kifu_stream_next(&stream, &run->record, &error);
    run->form = stream.form;
    run->has_fault = next != KMD_NEXT_GAME;
    run->has_more = next < KMD_NEXT_END && is_game_next(&stream);
    run->form.has_crlf = has_crlf(file);
    if (next == KMD_NEXT_BROKEN) {
        report_fault(run, &error);
    } else if (next == KMD_NEXT_END) {
        complain(run, path, "no game there");
    } else if (next == KMD_NEXT_FAILED) {
        complain(run, path, file_error_text(stream.file_error));
    }
    kifu_stream_free(&stream);
    return next < KMD_NEXT_END;
}

/* False when there is nothing to analyse. */
static bool load_game(AnalyzeRun *run) {
    FILE *file = fopen(run->input.ptr, "rb");
    int fault = errno;
    if (file == NULL) {
        return complain(run, run->input, file_error_text(fault));
    }
    bool has_game = read_first_game(run, file);
    fclose(file);
    return has_game && (!run->has_fault || record_main_length(&run->record) > 0);
}

/* False, with a message, when what stands behind -o or --graph is no name for it. */
static bool check_names(const AnalyzeRun *run) {
    StrView out = sv_from(run->options.out), graph = sv_from(run->options.graph);
    if (sv_equal(out, SV("-")) || sv_equal(graph, SV("-"))) {
        return complain(run, SV("-"), "the name of a file, please");
    }
    bool is_known = out.len == 0 || kifu_codec_by_path(out) != NULL ||
                    sv_equal_nocase(kifu_path_ending(out), kifu_path_ending(run->input));
    return is_known || complain(run, out, "no format is known by this ending");
}

/* "game.kif" gives "game-analysis.kif" and ".svg". A game in a format without comments becomes KIF,
 * and one whose name does not fit its format gets the ending that does. */
static void name_outputs(AnalyzeRun *run) {
    StrView input = run->input, ending = kifu_path_ending(input);
    StrView stem = ending.len > 0 ? sv_take(input, input.len - ending.len - 1) : input;
    const Codec *codec = run->form.codec, *kif = kifu_codec_by_name(SV("kif"));
    if (run->options.out != NULL) {
        const Codec *wanted = kifu_codec_by_path(sv_from(run->options.out));
        codec = wanted != NULL ? wanted : codec;
        strbuf_add_str(&run->out_path, run->options.out);
    } else {
        codec = (codec->format.holds & KMD_HOLDS_COMMENTS) != 0 ? codec : kif;
        StrView extensions = sv_from(codec == kif ? "kifu" : codec->format.extensions);
        StrView usual = sv_take(extensions, sv_find_byte(extensions, ' '));
        strbuf_add(&run->out_path, stem);
        strbuf_add_str(&run->out_path, "-analysis.");
        strbuf_add(&run->out_path, kifu_codec_by_path(input) == codec ? ending : usual);
    }
    StrView out = strbuf_view(&run->out_path);
    if (codec != run->form.codec || !sv_equal_nocase(kifu_path_ending(out), ending)) {
        run->form = kifu_form_by_path(codec, out);
    }
    if (run->options.graph != NULL) {
        strbuf_add_str(&run->graph_path, run->options.graph);
    } else {
        strbuf_add(&run->graph_path, stem);
        strbuf_add_str(&run->graph_path, "-analysis.svg");
    }
    strbuf_add(&run->journal_path, out);
    strbuf_add_str(&run->journal_path, ".journal");
}

/* False, with a message, when two of the files would be one, or when the first game of several, or
 * what stands before a fault, would take the place of the whole file. */
static bool spares_files(const AnalyzeRun *run) {
    const char *out = run->out_path.ptr, *graph = run->graph_path.ptr;
    const char *journal = run->journal_path.ptr;
    const char *input = run->input.ptr, *reason = NULL;
    if (file_is_same(graph, input) || file_is_same(journal, input)) {
        reason = "not replaced by something else";
    } else if (file_is_same(graph, out) || file_is_same(graph, journal)) {
        reason = "the graph wants a file of its own";
    } else if (file_is_same(input, out) && (run->has_fault || run->has_more)) {
        reason = "not replaced by a part of it";
    }
    return reason == NULL || complain(run, run->input, reason);
}

/* ---- The journal. ---- */

/* The first line says for which game and limits the others hold. */
static void append_journal_head(const AnalyzeRun *run, StrBuf *out) {
    const GoLimits *limits = &run->limits;
    KifuForm form = kifu_form(kifu_codec_by_name(SV("usi")));
    strbuf_addf(out, "komadori-analysis 1 nodes %llu time %lld depth %d ",
                (unsigned long long)limits->nodes, (long long)limits->movetime_ms, limits->depth);
    kifu_write(&run->record, &form, out);
}

/* "INDEX SCORE DEPTH NODES MOVES...": a line that is cut short or damaged is left out. */
static void read_journal_line(Analysis *analysis, StrView line) {
    Tokenizer tok = {line};
    StrView word;
    int index;
    Judgement found = {.is_known = true};
    if (!tok_next(&tok, &word) || !sv_to_int(word, 0, analysis->count - 1, &index) ||
        !tok_next(&tok, &word) || !sv_to_int(word, -SCORE_MATE, SCORE_MATE, &found.score) ||
        !tok_next(&tok, &word) || !sv_to_int(word, 0, MAX_PLY, &found.depth) ||
        !tok_next(&tok, &word) || !sv_to_u64(word, 0, UINT64_MAX, &found.nodes)) {
        return;
    }
    while (tok_next(&tok, &word)) {
        if (sv_equal(word, SV("."))) {
            analysis->at[index] = found;
            return;
        }
        Move move = usimove_read(word);
        if (!move_is_real(move)) {
            return;
        }
        if (found.pv_len < ANALYSIS_PV) {
            found.pv[found.pv_len++] = move;
        }
    }
}

/* Takes over what the journal has; starts a new one when it is missing or for something else. */
static bool open_journal(AnalyzeRun *run) {
    StrBuf text = STRBUF_INIT, head = STRBUF_INIT;
    append_journal_head(run, &head);
    bool is_ours = file_read(run->journal_path.ptr, &text) == 0 &&
                   sv_starts_with(strbuf_view(&text), strbuf_view(&head));
    int fault = 0;
    if (is_ours) {
        StrView rest = sv_skip(strbuf_view(&text), head.len), line;
        while (sv_next_line(&rest, &line)) {
            read_journal_line(&run->analysis, line);
        }
    } else {
        fault = file_write(run->journal_path.ptr, head.ptr, head.len);
    }
    strbuf_free(&text);
    strbuf_free(&head);
    return fault == 0 || complain(run, strbuf_view(&run->journal_path), file_error_text(fault));
}

/* Returns 0 or an errno value. */
static int append_to_file(const char *path, const StrBuf *text) {
    FILE *file = fopen(path, "ab");
    if (file == NULL) {
        return errno;
    }
    errno = 0;
    bool is_good = fwrite(text->ptr, 1, text->len, file) == text->len;
    is_good = fclose(file) == 0 && is_good;
    return is_good ? 0 : errno != 0 ? errno : EIO;
}

/* What a run that was killed has left of a line must not become one with the next. */
static void append_to_journal(AnalyzeRun *run, int index) {
    const Judgement *found = &run->analysis.at[index];
    StrBuf line = STRBUF_INIT;
    strbuf_addf(&line, "\n%d %d %d %llu", index, found->score, found->depth,
                (unsigned long long)found->nodes);
    for (int i = 0; i < found->pv_len; i++) {
        strbuf_add_byte(&line, ' ');
        usimove_append(found->pv[i], &line);
    }
    strbuf_add_str(&line, " .\n");
    int fault = append_to_file(run->journal_path.ptr, &line);
    strbuf_free(&line);
    if (fault != 0 && !run->has_journal_fault) {
        run->has_journal_fault = true;
        complain(run, strbuf_view(&run->journal_path), file_error_text(fault));
    }
}

/* ---- Searching. ---- */

static void on_info(void *context, const SearchInfo *info) {
    Judgement *judgement = context;
    if (info->rank > 1 || info->bound != BOUND_EXACT) {
        return;
    }
    judgement->is_known = true;
    judgement->score = info->score;
    judgement->depth = info->depth;
    judgement->pv_len = int_min(info->pv_len, ANALYSIS_PV);
    memcpy(judgement->pv, info->pv, (size_t)judgement->pv_len * sizeof(Move));
}

/* Judges *pos; false when cancelled. A finished game needs no search. */
static bool search(AnalyzeRun *run, const Position *pos) {
    Judgement *found = &run->found;
    *found = (Judgement){.is_known = false};
    if (!has_legal_move(pos)) {
        *found = (Judgement){.is_known = true, .score = score_mated_in(0)};
        return true;
    }
    SearchSink sink = {.context = found, .on_info = on_info};
    SearchResult result;
    engine_set_position(run->engine, pos);
    engine_search(run->engine, &run->limits, &sink, run->context->cancel, &result);
    if (!found->is_known) {
        found->score = result.score;
        found->depth = result.depth;
        found->pv_len = move_is_real(result.best);
        found->pv[0] = result.best;
    }
    found->is_known = true;
    found->nodes = result.nodes;
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
                  done, total, index, found->score, found->depth, (int)(left_s / 60),
                  (int)(left_s % 60));
}

/* From the last position to the first; false when cancelled. */
static bool search_all(AnalyzeRun *run) {
    Analysis *analysis = &run->analysis;
    RecordCursor cursor;
    int left = 0;
    bool is_good = true;
    cursor_init(&cursor, &run->record);
    for (int i = 0; i < analysis->count; i++) {
        left += !analysis->at[i].is_known;
    }
    for (int i = analysis->count - 1; is_good && i >= 0; i--) {
        if (analysis->at[i].is_known) {
            continue;
        }
        cursor_go(&cursor, analysis->node[i]);
        is_good = search(run, &cursor.pos);
        if (is_good) {
            analysis->at[i] = run->found;
            analysis->at[i].score *= cursor.pos.side == BLACK ? 1 : -1;
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
    int fault = file_write(path->ptr, bytes->ptr, bytes->len);
    return fault == 0 || complain(run, strbuf_view(path), file_error_text(fault));
}

static bool write_results(AnalyzeRun *run) {
    StrBuf game = STRBUF_INIT, graph = STRBUF_INIT;
    evalgraph_write(&run->analysis, &graph);
    bool is_csa = sv_starts_with(sv_from(run->form.codec->format.name), SV("csa"));
    analysis_comment(&run->analysis, is_csa, &run->record);
    size_t lacking = kifu_write(&run->record, &run->form, &game);
    if (lacking > 0) {
        output_linef(run->context->out,
                     "%llu characters are not in %s and became 〓; .kifu and .ki2u are in UTF-8",
                     (unsigned long long)lacking, textenc_name(run->form.encoding));
    }
    bool is_good = write_bytes(run, &run->out_path, &game);
    is_good = write_bytes(run, &run->graph_path, &graph) && is_good;
    strbuf_free(&game);
    strbuf_free(&graph);
    return is_good && (remove(run->journal_path.ptr) == 0 ||
                       complain(run, strbuf_view(&run->journal_path), "cannot be removed"));
}

static void print_side(const AnalyzeRun *run, Color side) {
    const Analysis *analysis = &run->analysis;
    int moves = 0, mistakes[MISTAKE_BLUNDER + 1] = {0};
    double cost = 0;
    for (int i = 1; i < analysis->count; i++) {
        if (analysis_mover(analysis, i) == side) {
            moves++;
            mistakes[analysis_mistake(analysis, i)]++;
            cost += analysis_cost(analysis, i);
        }
    }
    output_linef(
        run->context->out,
        "%s: %d dubious moves, %d mistakes, %d blunders; %.1f %% of winning chances lost a "
        "move",
        side == BLACK ? "black" : "white", mistakes[MISTAKE_DUBIOUS], mistakes[MISTAKE_BAD],
        mistakes[MISTAKE_BLUNDER], moves > 0 ? cost / moves : 0.0);
}

static int analyze(AnalyzeRun *run) {
    if (!check_names(run)) {
        return COMMAND_MISUSED;
    }
    if (!load_game(run)) {
        return COMMAND_FAILED;
    }
    name_outputs(run);
    EngineResources wanted = {.hash_mb = run->options.hash_mb, .threads = run->options.threads};
    if (!spares_files(run) || !commands_prepare(run->context, run->engine, wanted)) {
        return COMMAND_FAILED;
    }
    analysis_init(&run->analysis, &run->record);
    command_begin_progress(run->context, &run->progress, 0, 0, false);
    if (!open_journal(run)) {
        return COMMAND_FAILED;
    }
    if (!search_all(run)) {
        output_linef(run->context->out, "broken off; the same command goes on from here");
        return COMMAND_FAILED;
    }
    if (!write_results(run)) {
        return COMMAND_FAILED;
    }
    print_side(run, BLACK);
    print_side(run, WHITE);
    output_linef(run->context->out, "written: %s, %s", run->out_path.ptr, run->graph_path.ptr);
    return run->has_fault ? COMMAND_FAILED : COMMAND_GOOD;
}

static int run_analyze(const CommandContext *context, Args *args) {
    AnalyzeOptions wanted;
    if (!command_read(context, args, &wanted, 1, 1)) {
        return COMMAND_MISUSED;
    }
    bool is_limited = wanted.nodes > 0 || wanted.time_ms > 0 || wanted.depth > 0;
    AnalyzeRun *run = xmem_calloc(1, sizeof(*run));
    run->context = context;
    run->options = wanted;
    run->input = sv_from(args->words[0]);
    run->limits = (GoLimits){.nodes = wanted.nodes,
                             .depth = wanted.depth,
                             .movetime_ms = is_limited ? wanted.time_ms : DEFAULT_TIME_MS};
    record_init(&run->record);
    run->engine = engine_create();
    int status = analyze(run);
    engine_free(run->engine);
    analysis_free(&run->analysis);
    record_free(&run->record);
    strbuf_free(&run->out_path);
    strbuf_free(&run->graph_path);
    strbuf_free(&run->journal_path);
    free(run);
    return status;
}

const Command cmd_analyze = {{"analyze", "GAME",
                              "Search each position of a game; comments go into a copy of the "
                              "record, the course into a graph.",
                              ARG_OPTIONS(options)},
                             run_analyze};
