/* cmd_mate.c: solves a single problem or the rows of a file, and prints verdicts and counts. */
#include "commands/cmd_mate.h"

#include <stdlib.h>
#include <string.h>

#include "base/fileio.h"
#include "base/outguard.h"
#include "commands/mateset.h"
#include "engine/command.h"
#include "engine/output.h"
#include "mate/helpmate.h"
#include "mate/matemoves.h"
#include "record/kifuio.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

#define PROGRESS_AFTER_MS 2000
#define PROGRESS_EVERY_MS 500

/* If the search takes longer than this, mates are reported before it ends. */
#define TELL_AFTER_MS 500

typedef struct MateArgs {
    MateProblemOptions solve;
    const char *only;  /* solve only problems of this category; NULL: all */
    int every;         /* solve one problem in this many */
    const char *kif;   /* file for the solutions; NULL: none */
    bool adds_missing; /* give missing pieces to the defender */
} MateArgs;

/* The commands of this file, as bits. */
enum { IS_MATE = 1, IS_HISSHI = 2 };

#define AT(kind, member) ARG_AT(MateArgs, kind, member)

static const ArgOption options[] = {
    {"--shortest", NULL, AT(ARG_FLAG, solve.mate.is_shortest),
     .help = "search for the shortest mate", .commands = IS_MATE},
    {"--check-unique", NULL, AT(ARG_FLAG, solve.mate.checks_unique),
     .help = "for a mate, report other mating checks along the shortest line; for a brinkmate, "
             "report whether only one first move works"},
    {"--defence", NULL, AT(ARG_FLAG, solve.mate.defends),
     .help = "if the side to move is in check, search for its longest defence or an escape; always "
             "so if the other side has no king",
     .commands = IS_MATE},
    {"--lines", "N", AT(ARG_INT, solve.mate.lines), 1, MATEPROBLEM_LINES, .start = 1,
     .help = "number of different first moves to find", .commands = IS_MATE},
    {"--help-mate", "N", AT(ARG_INT, solve.help_plies), 1, HELPMATE_MAX,
     .help = "solve a helpmate of at most N plies: print all its shortest solutions",
     .commands = IS_MATE},
    {"--moves", "N", AT(ARG_INT, solve.brink_moves), 1, BRINK_MOVES_MAX, .start = 5,
     .help = "longest brinkmate to search for", .commands = IS_HISSHI},
    {"--add-missing", NULL, AT(ARG_FLAG, adds_missing),
     .help = "give the pieces that are neither on the board nor in a hand to the defender, as "
             "composers' diagrams mean it"},
    {"--kif", "FILE", AT(ARG_TEXT, kif), .help = "write the solutions as records with variations"},
    {"--hash", "MB", AT(ARG_INT, solve.effort.hash_mb), 1, 1 << 20, .start = 256,
     .help = "size of the hash table"},
    {"--threads", "N", AT(ARG_INT, solve.effort.threads), 1, 512, .start = 1,
     .help = "number of threads", .commands = IS_MATE},
    {"--time", "S", AT(ARG_SECONDS, solve.effort.time_ms), 0.001, 1e6,
     .help = "seconds per problem"},
    {"--cpu", "S", AT(ARG_SECONDS, solve.effort.cpu_ms), 0.001, 1e6,
     .help = "seconds of processor time per problem"},
    {"--nodes", "N", AT(ARG_U64, solve.effort.nodes), 1,
     .help = "approximate number of nodes per problem"},
    {"--only", "CATEGORY", AT(ARG_TEXT, only), .help = "solve only problems of this category"},
    {"--every", "N", AT(ARG_INT, every), 1, 1 << 20, .start = 1,
     .help = "solve only every Nth problem of the file"},
};

typedef struct Run {
    const CommandContext *context;
    MateArgs options;
    MateProblem *problem;
    Position pos;
    StrBuf records; /* solutions that have not been saved yet, as bytes of a file */
    bool has_lost;  /* a file of solutions could not be written */
    KifuForm form;
    Progress progress;
    MateSet *set;        /* NULL if there is a single problem */
    const char *unit;    /* what the set is a list of, for messages */
    uint64_t nodes;      /* nodes of finished searches */
    bool has_told_table; /* a table smaller than requested has been reported */
} Run;

/* Distinguishes a position from a file name, which may contain spaces too. A position starts with
 * `position`, `sfen`, `startpos` or a board, or has a side to move as its second word. */
static bool is_position(StrView input) {
    Tokenizer tok = {input};
    StrView first, second;
    (void)tok_next(&tok, &first);
    (void)tok_next(&tok, &second);
    bool has_name = sv_equal(first, SV("startpos")) || sv_equal(first, SV("sfen")) ||
                    sv_equal(first, SV("position"));
    bool has_side = sv_equal(second, SV("b")) || sv_equal(second, SV("w"));
    return has_name || has_side || sfen_is_board(first);
}

/* ---- what the search reports ----------------------------------------------------------------- */

static void tell_mate(Run *run, const MateInfo *info) {
    StrBuf line = STRBUF_INIT;
    strbuf_addf(&line, "  found: mate%s in %d or less, %llu node%s, %.1f s",
                info->mate < 0 ? "d" : "", abs(info->mate), (unsigned long long)info->nodes,
                str_plural(info->nodes), (double)info->time_ms / 1e3);
    strbuf_add_str(&line, info->line_len > 0 ? ":" : "");
    usimove_append_line(info->line, info->line_len, &line);
    progress_clear(&run->progress);
    output_line(run->context->out, strbuf_view(&line));
    strbuf_free(&line);
}

static void on_info(void *context, const MateInfo *info) {
    Run *run = context;
    if (info->mate != 0 && run->set == NULL && info->time_ms >= TELL_AFTER_MS) {
        tell_mate(run, info);
    }
    if (!progress_is_due(&run->progress)) {
        return;
    }
    unsigned long long nodes = run->nodes + info->nodes;
    long long seconds = progress_elapsed_ms(&run->progress) / 1000;
    if (run->set != NULL) {
        progress_show(&run->progress, "problem %d of %d, %llu nodes, %lld s ", run->set->row,
                      run->set->row_count, nodes, seconds);
    } else {
        progress_show(&run->progress, "%llu nodes, %lld s ", nodes, seconds);
    }
}

static void on_helpmate(void *context, const Move *line, int len) {
    const Run *run = context;
    StrBuf text = STRBUF_INIT;
    strbuf_add_str(&text, len > 0 ? " :" : " ");
    usimove_append_line(line, len, &text);
    output_line(run->context->out, strbuf_view(&text));
    strbuf_free(&text);
}

/* ---- solutions as records -------------------------------------------------------------------- */

/* Appends the path of the file for solutions, or "FILE-7.kif" for a number above 1. */
static void append_path(const Run *run, int number, StrBuf *out) {
    StrView name = sv_from(run->options.kif), extension = kifu_path_extension(name);
    if (number > 1) {
        strbuf_add(out, sv_prefix(name, name.len - extension.len - 1));
        strbuf_addf(out, "-%d.", number);
        strbuf_add(out, extension);
    } else {
        strbuf_add(out, name);
    }
}

/* Writes run->records to the file for solutions with this number. */
static void save_records(Run *run, int number) {
    StrBuf path = STRBUF_INIT;
    append_path(run, number, &path);
    run->has_lost = !command_write_file(run->context, path.ptr, &run->records) || run->has_lost;
    strbuf_clear(&run->records);
    strbuf_free(&path);
}

/* If the format allows several games in a file, all solutions go to one file at the end; otherwise
 * the solution of each problem of a set gets its own file, named by the number of the problem. */
static void keep_record(Run *run, const Record *record) {
    (void)kifu_write(record, &run->form, &run->records);
    if (run->form.codec->divide == NULL) {
        save_records(run, run->set != NULL ? run->set->row : 1);
    }
}

/* ---- answers --------------------------------------------------------------------------------- */

/* Reports once if the table is smaller than requested. */
static void tell_table(Run *run, int mb) {
    int wanted = run->options.solve.effort.hash_mb;
    if (mb != wanted && !run->has_told_table) {
        command_fail(run->context, 0, "cannot allocate %d MB; the hash table has %d MB", wanted,
                     mb);
        run->has_told_table = true;
    }
}

/* Solves the position, which comes from `row` unless that is NULL, and prints the answer. */
static MateVerdict solve(Run *run, const MateRow *row) {
    StrBuf remark = STRBUF_INIT, text = STRBUF_INIT;
    const MateSolved *solved = mateproblem_solve(run->problem, &run->pos);
    if (row != NULL) {
        mateset_judge(row, solved, mateset_tally(run->set, row->category), &remark);
    }
    progress_clear(&run->progress);
    tell_table(run, solved->hash_mb);
    run->nodes += solved->answer.nodes;
    if (solved->has_record) {
        keep_record(run, &solved->record);
    }
    mateproblem_describe(solved, strbuf_view(&remark), &text);
    output_lines(run->context->out, strbuf_view(&text));
    strbuf_free(&remark);
    strbuf_free(&text);
    return solved->answer.verdict;
}

/* Completes the position as the options say. `note` says which rule the start position breaks; its
 * text may be NULL. */
static void complete(Run *run, const UsiFault *note) {
    if (run->options.adds_missing) {
        Setup setup = pos_get(&run->pos);
        bool is_defence = mateproblem_is_defence(&run->options.solve, &run->pos);
        setup_add_missing(&setup, is_defence ? setup.side : color_flip(setup.side));
        pos_set(&run->pos, &setup);
    }
    if (note->text != NULL) {
        output_linef(run->context->out, "  note: %s, column %d", note->text, note->place);
    }
}

/* Why the position cannot be solved, or NULL. */
static const char *refusal(const Run *run) {
    return mateproblem_refusal(&run->options.solve, &run->pos);
}

/* ---- a file ---------------------------------------------------------------------------------- */

/* The position of a row. Moves after it are left out: as with other records, a line such as
 * "position startpos moves 7g7f" stands for its start position. */
static StrView start_of(StrView text) {
    Tokenizer tok = {text};
    StrView word;
    if (sv_equal(tok_peek(&tok), SV("position")) && tok_next(&tok, &word)) {
        text = tok_rest(&tok);
    }
    text = command_sfen(text);
    return sv_trim(sv_prefix(text, sv_find(text, SV(" moves"))));
}

static void solve_row(Run *run, const MateRow *row) {
    Output *out = run->context->out;
    StrView sfen = start_of(row->sfen);
    UsiFault note, wrong;
    bool is_good = usimove_position_playable(sfen, &run->pos, &note, &wrong);
    const char *fault = mateset_fault(row, &run->options.solve);
    const char *reason = is_good ? refusal(run) : NULL;
    if (is_good && reason == NULL && fault == NULL) {
        output_line(out, sfen);
        complete(run, &note);
        (void)solve(run, row);
        return;
    }
    mateset_tally(run->set, row->category)->total++;
    /* Do not print the row: if the file is of another kind, it may contain any bytes. */
    if (!is_good) {
        output_linef(out, "%s %d cannot be read: %s, column %d", run->unit, run->set->line_number,
                     wrong.text, wrong.place);
    } else if (fault != NULL) {
        output_linef(out, "%s %d cannot be read: %s", run->unit, run->set->line_number, fault);
    } else {
        output_linef(out, "%s %d cannot be solved: %s", run->unit, run->set->line_number, reason);
    }
}

static void print_tally(const Run *run, const MateTally *tally) {
    StrView name = tally->name.len > 0 ? tally->name : SV("all");
    output_linef(run->context->out,
                 "%-16.*s %4d of %4d decided, %d wrong, %d shorter, %4d of %4d lengths, %4d of "
                 "%4d as players count, %8.2f s, slowest %.2f s, %.1f million nodes",
                 (int)name.len, name.ptr, tally->decided, tally->total, tally->wrong,
                 tally->shorter, tally->right_lengths, tally->known_lengths, tally->right_players,
                 tally->known_players, (double)tally->time_ns / 1e9,
                 (double)tally->slowest_ns / 1e9, (double)tally->nodes / 1e6);
}

static int print_tallies(const Run *run) {
    bool is_good = true;
    int total = 0;
    for (int i = 0; i < run->set->tally_count; i++) {
        const MateTally *tally = &run->set->tallies[i];
        if (tally->total > 0) {
            print_tally(run, tally);
        }
        total += tally->total;
        is_good = is_good && tally->wrong == 0 && tally->decided == tally->total;
    }
    if (total == 0 && !command_is_cancelled(run->context)) {
        return command_fail(run->context, COMMAND_FAILED, "no problem to solve");
    }
    return is_good && !command_is_cancelled(run->context) ? COMMAND_GOOD : COMMAND_FAILED;
}

/* Finds the next row that the options select; false at the end. *seen counts the rows of the
 * category, from 0. */
static bool next_row(const Run *run, MateSet *set, MateRow *row, int *seen) {
    const char *only = run->options.only;
    while (mateset_next(set, row)) {
        bool is_wanted = only == NULL || sv_equal(row->category, sv_from(only));
        if (is_wanted && (*seen)++ % run->options.every == 0) {
            return true;
        }
    }
    return false;
}

/* Returns false, with a message, if a file of solutions would replace the file of problems. */
static bool spares_input(const Run *run, const char *input, StrView text) {
    MateSet set;
    MateRow row;
    StrBuf path = STRBUF_INIT;
    bool is_good =
        run->options.kif == NULL || command_spares(run->context, run->options.kif, input);
    bool has_many = run->options.kif != NULL && run->form.codec->divide == NULL;
    int seen = 0;
    mateset_init(&set, text);
    while (is_good && has_many && next_row(run, &set, &row, &seen)) {
        strbuf_clear(&path);
        append_path(run, set.row, &path);
        is_good = command_spares(run->context, path.ptr, input);
    }
    strbuf_free(&path);
    return is_good;
}

static int solve_file(Run *run, StrView text) {
    MateSet set;
    MateRow row;
    int seen = 0;
    mateset_init(&set, text);
    run->set = &set;
    while (!command_is_cancelled(run->context) && next_row(run, &set, &row, &seen)) {
        solve_row(run, &row);
    }
    return print_tallies(run);
}

/* True if a file of this format (NULL: unknown) is a game record and not a list with one position
 * per line. */
static bool is_record(const Codec *codec) {
    return codec != NULL && codec->divide != codec_divide_by_line;
}

static void tell_fault(const void *context, const char *message, bool is_note) {
    if (!is_note) {
        command_fail(context, COMMAND_FAILED, "%s", message);
    }
}

/* Appends the start position of each game as a line of text, and closes the games. Returns false,
 * with a message, if there was an error. */
static bool read_games(Run *run, Games *games, StrBuf *text) {
    while (games_next(games)) {
        pos_set(&run->pos, &games->record.start);
        pos_get_sfen(&run->pos, text);
        strbuf_add_byte(text, '\n');
    }
    games_close(games);
    return games->faults == 0;
}

/* Appends the problems of a file as lines of text. The name of a file says whether it is a record;
 * standard input has no name. Returns false, with a message, on failure. */
static bool read_problems(Run *run, const char *path, StrBuf *text) {
    bool is_named = strcmp(path, "-") != 0;
    const Codec *codec = kifu_codec_by_path(sv_from(path));
    Games games;
    run->unit = "line";
    if (is_named && is_record(codec)) {
        run->unit = "game";
        games_open(&games, path, NULL, tell_fault, run->context);
        return read_games(run, &games, text);
    }
    if (!command_read_file(run->context, path, text)) {
        return false;
    }
    if (!is_named && is_record(kifu_guess(SV(""), strbuf_view(text)))) {
        run->unit = "game";
        games_open_bytes(&games, path, strbuf_view(text), tell_fault, run->context);
        strbuf_clear(text);
        return read_games(run, &games, text);
    }
    return true;
}

/* ---- the commands ---------------------------------------------------------------------------- */

static int solve_one(Run *run) {
    const char *reason = refusal(run);
    if (reason != NULL) {
        return command_fail(run->context, COMMAND_MISUSED, "%s", reason);
    }
    return solve(run, NULL) == MATE_UNKNOWN ? COMMAND_FAILED : COMMAND_GOOD;
}

/* The words are either a position or a file name. Without words, the current position is solved. */
static int solve_input(Run *run, const Args *args) {
    StrBuf text = STRBUF_INIT;
    cmdline_join(args, 0, &text);
    bool is_file = args->count > 0 && !is_position(strbuf_view(&text));
    strbuf_free(&text);
    if (!is_file) {
        UsiFault note = {.text = NULL};
        if (!command_position(run->context, args, &run->pos, &note)) {
            return COMMAND_MISUSED;
        }
        complete(run, &note);
        return solve_one(run);
    }
    if (args->count > 1 || args->words[0][0] == '\0') {
        return command_misuse(run->context);
    }
    const char *path = args->words[0];
    int status = !read_problems(run, path, &text)              ? COMMAND_FAILED
                 : spares_input(run, path, strbuf_view(&text)) ? solve_file(run, strbuf_view(&text))
                                                               : COMMAND_MISUSED;
    strbuf_free(&text);
    return status;
}

/* Selects the format of the file for solutions, and checks that the file can be written. */
static int choose_form(Run *run) {
    const char *path = run->options.kif;
    if (path == NULL) {
        return COMMAND_GOOD;
    }
    const Codec *codec = kifu_codec_by_path(sv_from(path));
    if (codec == NULL) {
        return command_fail(run->context, COMMAND_MISUSED, "%s: unknown file name extension", path);
    }
    run->form = kifu_form_by_path(codec, sv_from(path));
    int error = file_check_write(path);
    return error == 0 ? COMMAND_GOOD
                      : command_fail(run->context, COMMAND_FAILED, "%s: %s", path,
                                     outguard_error_text(path, error));
}

static int mate(const CommandContext *context, Args *args) {
    /* These are the defaults of the options that only one of the two commands has. */
    Run run = {.context = context, .options.solve = {.mate.lines = 1, .effort.threads = 1}};
    if (!command_read(context, args, &run.options, context->is_program ? 1 : 0, -1)) {
        return COMMAND_MISUSED;
    }
    run.options.solve.wants_record = run.options.kif != NULL;
    int status = choose_form(&run);
    if (status != COMMAND_GOOD) {
        return status;
    }
    MateWatch watch = {&run, on_info, on_helpmate, context->cancel};
    command_begin_progress(context, &run.progress, PROGRESS_AFTER_MS, PROGRESS_EVERY_MS, false);
    run.problem = mateproblem_create(&run.options.solve, &watch);
    pos_init(&run.pos);
    status = solve_input(&run, args);
    if (run.records.len > 0) {
        save_records(&run, 1);
    }
    status = run.has_lost ? COMMAND_FAILED : status;
    pos_free(&run.pos);
    mateproblem_free(run.problem);
    strbuf_free(&run.records);
    return status;
}

const Command cmd_mate = {{"mate", "FILE | SFEN",
                           "Solve a mate problem, or all problems in a file.\nEach line of the "
                           "file is a position, or a row of a table whose first line names the "
                           "columns: sfen, known_length, length_all_drops, category. Of a game "
                           "record (*.kif, *.csa, *.usi, ...), the start position is solved. FILE "
                           "\"-\" is standard input.",
                           ARG_OPTIONS(options), .bit = IS_MATE},
                          mate};

const Command cmd_hisshi = {
    {"hisshi", "FILE | SFEN",
     "Solve a brinkmate problem, or all problems in a file.\nEach line of the file is a position, "
     "or a row of a table whose first line names the columns: sfen, known_length (number of moves, "
     "0 for a mate, or none), category. Of a game record (*.kif, *.csa, *.usi, ...), the start "
     "position is solved. FILE \"-\" is standard input.",
     ARG_OPTIONS(options), .bit = IS_HISSHI},
    mate};
