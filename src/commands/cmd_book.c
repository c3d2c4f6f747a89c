/* cmd_book.c: the command `book`: makes books from games, grows, merges, converts and shows them.
 */
#include "commands/commands.h"

#include <errno.h>
#include <stdio.h>

#include "base/fileio.h"
#include "base/journal.h"
#include "base/utf8.h"
#include "book/bookdb.h"
#include "book/bookfile.h"
#include "book/bookgrow.h"
#include "book/bookread.h"
#include "engine/command.h"
#include "engine/output.h"
#include "eval/net.h"
#include "record/kifuio.h"
#include "rules/outcome.h"
#include "rules/usimove.h"

enum { PROGRESS_MS = 1000, UNSET = -1, MAX_COUNT = 100000000 };

/* The verbs, in the order of the option. Those before INFO write a book. */
enum { MAKE, GROW, MERGE, CONVERT, INFO, SHOW };

typedef struct BookArgs {
    int verb; /* UNSET: not given */
    const char *out;
    const char *net;
    const char *starts;
    BookGrowOptions
        grow; /* network, cancel and starts are not set here; most_ply is also for make */
    int least_games, least_rating; /* for make */
} BookArgs;

#define AT(kind, member) ARG_AT(BookArgs, kind, member)

static const ArgOption options[] = {
    {"VERB", "make|grow|merge|convert|info|show", AT(ARG_CHOICE, verb), .start = UNSET,
     .help =
         "make: create a book from games. grow: create a book by searching from the start "
         "positions, or continue. merge: combine books. convert: write the book in another format. "
         "info: print a summary. show: print the moves of a position"},
    {"--out", "FILE", AT(ARG_TEXT, out),
     .help = "output file; *.db is written in YaneuraOu's text format, any other name in "
             "Komadori's own format"},
    {"--nodes", "N", AT(ARG_I64, grow.nodes), 1, 1e15, .start = 300000,
     .help = "grow: nodes per position"},
    {"--time", "S", AT(ARG_SECONDS, grow.time_ms), 0, 1e6,
     .help = "grow: seconds per position, instead of --nodes"},
    {"--multipv", "N", AT(ARG_INT, grow.lines), 1, BOOK_MAX_MOVES, .start = 4,
     .help = "grow: number of moves to score per position"},
    {"--threads", "N", AT(ARG_INT, grow.threads), 1, 512, .start = 1,
     .help = "grow: number of positions to search at once"},
    {"--hash", "MB", AT(ARG_INT, grow.hash_mb), 1, 65536, .start = 32,
     .help = "grow: size of each thread's hash table"},
    {"--net", "FILE", AT(ARG_TEXT, net),
     .help = "grow: network file, or <handwritten>; FILE@24 sets its FV_SCALE"},
    {"--positions", "N", AT(ARG_INT, grow.positions), 1, MAX_COUNT, .start = 1000,
     .help = "grow: stop when the book has this many positions"},
    {"--window", "CP", AT(ARG_INT, grow.window), 0, 99999, .start = 80,
     .help = "grow: ignore moves worse than the best by more than this"},
    {"--step", "CP", AT(ARG_INT, grow.step), 0, 1000, .start = 8,
     .help = "grow: cost of each move of a line; lower values give longer lines"},
    {"--starts", "FILE", AT(ARG_TEXT, starts),
     .help = "grow: file of additional start positions, one per line"},
    {"--max-ply", "N", AT(ARG_INT, grow.most_ply), 1, BOOK_MAX_PLY, .start = 60,
     .help = "make, grow: highest move number to keep"},
    {"--min-games", "N", AT(ARG_INT, least_games), 0, MAX_COUNT,
     .help = "make: minimum number of games in which a move was played"},
    {"--min-rating", "N", AT(ARG_INT, least_rating), 0, 100000,
     .help = "make: minimum rating of both players, as given in floodgate's records"},
};

/* The state of a running command. */
typedef struct BookRun {
    const CommandContext *context;
    BookArgs args;
    const _Atomic bool *cancel;
    Book book;
    Position pos; /* of make and show */
    /* For make. */
    Progress *progress;
    uint64_t games, broken, left_out; /* games: all read, with an error, with a lower rating */
} BookRun;

/* The name of the built-in book. */
#define DEFAULT_BOOK "<default>"

/* ---- reading and writing --------------------------------------------------------------------- */

/* Opens a book of any format, or the built-in one. Reports an error and returns NULL if that fails.
 */
static BookReader *open_any_book(const BookRun *run, const char *path) {
    const char *why = "this program has no built-in book";
    bool is_embedded = sv_equal(sv_from(path), SV(DEFAULT_BOOK));
    const Watch watch = {.cancel = run->cancel};
    BookReader *reader = is_embedded ? bookread_embedded() : bookread_open(path, &watch, &why);
    if (reader == NULL) {
        command_refuse(run->context, path, why != NULL ? why : "stopped");
    }
    return reader;
}

/* Adds a book to run->book. */
static bool load_book(BookRun *run, const char *path) {
    BookReader *reader = open_any_book(run, path);
    if (reader == NULL) {
        return false;
    }
    size_t missing = bookread_load(reader, run->cancel, &run->book);
    bookread_close(reader);
    if (atomic_load(run->cancel)) {
        return command_refuse(run->context, path, "stopped");
    }
    if (missing > 0) {
        command_fail(
            run->context, COMMAND_FAILED,
            "warning: %s: skipped %llu positions or moves that cannot be played or reached", path,
            (unsigned long long)missing);
    }
    return true;
}

/* Loads the start position and the positions of --starts as a book without moves. */
static bool load_starts(const BookRun *run, Book *starts) {
    const char *path = run->args.starts;
    Setup start = setup_start();
    (void)book_add(starts, &start);
    StrBuf text = STRBUF_INIT;
    bool is_good = path == NULL || command_read_file(run->context, path, &text);
    StrView rest = utf8_without_mark(strbuf_view(&text));
    StrView line;
    Position pos;
    int number = 0;
    pos_init(&pos);
    while (is_good && sv_next_row(&rest, &line, &number)) {
        UsiFault fault;
        is_good = usimove_position(line, &pos, &fault);
        if (is_good) {
            start = pos_get(&pos);
            (void)book_add(starts, &start);
        } else {
            command_fail(run->context, COMMAND_FAILED, "%s: line %d is not a position", path,
                         number);
        }
    }
    pos_free(&pos);
    strbuf_free(&text);
    return is_good;
}

/* Writes the book, unless the run was cancelled: what was read is incomplete then. */
static bool write_book(BookRun *run) {
    const char *path = run->args.out;
    FileWriter writer;
    book_sort(&run->book);
    int error = file_begin(&writer, path);
    if (error == 0) {
        StrBuf bytes = STRBUF_INIT;
        bool fits = true;
        if (sv_ends_with(sv_from(path), SV(".db"))) {
            bookdb_write(&run->book, writer.stream);
        } else if ((fits = bookfile_write(&run->book, &bytes))) {
            (void)fwrite(bytes.ptr, 1, bytes.len, writer.stream); /* file_commit reports errors */
        }
        strbuf_free(&bytes);
        if (!fits) {
            file_abandon(&writer);
            return command_refuse(run->context, path,
                                  "the book has more moves than the format can hold");
        }
        error = file_commit(&writer);
    }
    if (error != 0) {
        return command_refuse(run->context, path, file_error_text(error));
    }
    output_linef(run->context->out, "%s: %llu position%s", path,
                 (unsigned long long)run->book.count, str_plural(run->book.count));
    return true;
}

/* True after a signal to end, which is reported. */
static bool report_stop(const BookRun *run) {
    if (!atomic_load(run->cancel)) {
        return false;
    }
    command_fail(run->context, COMMAND_FAILED, "stopped; %s was not written", run->args.out);
    return true;
}

/* ---- make ------------------------------------------------------------------------------------ */

/* The rating after `mark` in a record's text, "'black_rate:NAME:3100.5"; 0 if there is none. */
static double rating_after(StrView text, StrView mark) {
    StrView line = sv_skip(text, sv_find(text, mark));
    double rating = 0;
    line = sv_trim(sv_prefix(line, sv_find_byte(line, '\n')));
    StrView number = line;
    for (StrView field; sv_next_field(&line, ':', &field);) {
        number = field;
    }
    return sv_to_double(number, 0, 1e6, &rating) ? rating : 0;
}

/* True if the game has this move from this position already, before a repetition. */
static bool was_played(const Position *pos, Move move) {
    const State *state = pos->states;
    while (state < pos->now && (state->board_key != pos->now->board_key ||
                                state->hand_key != pos->now->hand_key || state[1].move != move)) {
        state++;
    }
    return state < pos->now;
}

static void add_record(BookRun *run, const Record *record, StrView text) {
    if (run->args.least_rating > 0 &&
        (rating_after(text, SV("black_rate:")) < run->args.least_rating ||
         rating_after(text, SV("white_rate:")) < run->args.least_rating)) {
        run->left_out++;
        return;
    }
    KmdWinner winner = record_result(record);
    run->games++;
    pos_set(&run->pos, &record->start);
    for (int node = record->nodes[KMD_ROOT].child;
         node != KMD_NODE_NONE && run->pos.ply <= run->args.grow.most_ply;
         node = record->nodes[node].child) {
        Move move = record->nodes[node].move;
        Setup setup = pos_get(&run->pos);
        BookMove *place =
            move != MOVE_NONE ? book_node_move(book_add(&run->book, &setup), move) : NULL;
        if (place == NULL) {
            break;
        }
        if (!was_played(&run->pos, move)) {
            BookMove game = {.move = move, .score = BOOK_NO_SCORE};
            game.draws = winner == KMD_WINNER_DRAW;
            game.others = winner == KMD_WINNER_NONE;
            game.wins = winner == outcome_winner(setup.side);
            game.losses = winner == outcome_winner(color_flip(setup.side));
            book_join_move(place, &game);
        }
        pos_do(&run->pos, move);
    }
}

static void report_book_game(const void *context, const char *message, bool is_note) {
    const BookRun *run = context;
    progress_clear(run->progress);
    commands_report_game(run->context, message, is_note);
}

/* Adds all games, also those up to an error, which is reported. */
static bool make_book(BookRun *run, const Args *paths) {
    bool is_good = true;
    Progress progress;
    run->progress = &progress;
    command_begin_progress(run->context, &progress, PROGRESS_MS, PROGRESS_MS, false);
    for (int i = 0; i < paths->count && !atomic_load(run->cancel); i++) {
        Games games;
        uint64_t before = run->games + run->left_out;
        games_open(&games, paths->words[i], NULL, report_book_game, run);
        while (!atomic_load(run->cancel) && games_next(&games)) {
            run->broken += games.is_broken;
            if (!games.is_broken || games.record.node_count > 1) {
                add_record(run, &games.record, strbuf_view(&games.stream.game));
            }
        }
        is_good = is_good && games.stream.file_error == 0;
        games_close(&games);
        is_good = is_good && run->games + run->left_out > before;
        if (progress_is_due(&progress)) {
            double seconds = (double)progress_elapsed_ms(&progress) / 1000;
            progress_show(&progress, "%d of %d files, %llu games, %llu positions, %.0f s left",
                          i + 1, paths->count, (unsigned long long)run->games,
                          (unsigned long long)run->book.count,
                          seconds * (paths->count - i - 1) / (i + 1));
        }
    }
    progress_clear(&progress);
    if (report_stop(run) || (!is_good && run->games == 0)) {
        return false;
    }
    book_drop_rare(&run->book, (uint64_t)run->args.least_games);
    for (size_t i = 0; i < run->book.count; i++) {
        book_order_moves(&run->book.nodes[i]);
    }
    output_linef(run->context->out, "%llu game%s, %llu of them broken, %llu left out by rating",
                 (unsigned long long)run->games, str_plural(run->games),
                 (unsigned long long)run->broken, (unsigned long long)run->left_out);
    return write_book(run) && is_good;
}

/* ---- grow, merge, convert -------------------------------------------------------------------- */

/* Searches, and writes the finished work even if the run ended early. The journal is kept, because
 * the book can be grown further. */
static bool grow_book(BookRun *run, const Args *paths) {
    (void)paths;
    BookGrowOptions grow_options = run->args.grow;
    StrBuf journal = STRBUF_INIT;
    NnueNet *net = NULL;
    Book starts = {0};
    Progress progress;
    int error;
    if (!command_load_net(run->context, run->args.net, &net) || !load_starts(run, &starts)) {
        net_free(net);
        book_free(&starts);
        return false;
    }
    strbuf_addf(&journal, "%s.log", run->args.out);
    if (file_stamp(run->args.out) != 0 && file_stamp(journal.ptr) == 0) {
        command_fail(
            run->context, COMMAND_FAILED,
            "%s: not overwritten: it exists, but not %s with the searches to continue; name "
            "another file",
            run->args.out, journal.ptr);
        strbuf_free(&journal);
        net_free(net);
        book_free(&starts);
        return false;
    }
    grow_options.nodes = grow_options.time_ms > 0 ? 0 : grow_options.nodes;
    grow_options.net = net;
    grow_options.starts = &starts;
    grow_options.cancel = run->cancel;
    command_begin_progress(run->context, &progress, PROGRESS_MS, PROGRESS_MS, false);
    BookGrowEnd end = bookgrow_run(&grow_options, journal.ptr, &progress, &run->book, &error);
    progress_clear(&progress);
    bool is_written = run->book.count > 0 && write_book(run);
    if (error != 0) {
        command_refuse(run->context, journal.ptr, journal_error_text(error));
    } else if (end == BOOKGROW_STOPPED) {
        command_fail(run->context, COMMAND_FAILED,
                     "stopped; run the same command again to continue from %s", journal.ptr);
    }
    net_free(net);
    book_free(&starts);
    strbuf_free(&journal);
    return end == BOOKGROW_DONE && is_written;
}

/* Writes one or more books as one. */
static bool merge_books(BookRun *run, const Args *paths) {
    bool is_good = true;
    for (int i = 0; i < paths->count && is_good; i++) {
        is_good = load_book(run, paths->words[i]);
    }
    return is_good && !report_stop(run) && write_book(run);
}

/* ---- info and show --------------------------------------------------------------------------- */

static bool describe_book(BookRun *run, const Args *paths) {
    const char *path = paths->words[0];
    uint64_t moves = 0, scored = 0, depths = 0, games = 0;
    int last_ply = 0;
    FileMap map;
    if (!load_book(run, path)) {
        return false;
    }
    for (size_t i = 0; i < run->book.count; i++) {
        const BookNode *node = &run->book.nodes[i];
        last_ply = int_max(last_ply, node->setup.ply);
        moves += (uint64_t)node->count;
        for (int j = 0; j < node->count; j++) {
            scored += node->moves[j].score != BOOK_NO_SCORE;
            depths += node->moves[j].depth;
            games += book_games(&node->moves[j]);
        }
    }
    double each = (double)(moves > 0 ? moves : 1);
    if (!sv_equal(sv_from(path), SV(DEFAULT_BOOK)) && file_map(path, &map) == 0) {
        output_linef(run->context->out, "%s: %llu bytes, %.1f per move", path,
                     (unsigned long long)map.len, (double)map.len / each);
        file_unmap(&map);
    }
    output_linef(run->context->out, "positions %llu, the last of ply %d",
                 (unsigned long long)run->book.count, last_ply);
    output_linef(run->context->out, "moves %llu, %llu with a score, mean depth %.1f, games %llu",
                 (unsigned long long)moves, (unsigned long long)scored, (double)depths / each,
                 (unsigned long long)games);
    return true;
}

static const BookFind anywhere = {.ignore_book_ply = true, .flipped_book = true};

static void append_book_move(const BookReader *reader, const Position *pos, const BookMove *move,
                             StrBuf *out) {
    Move line[16];
    if (move->score != BOOK_NO_SCORE) {
        strbuf_addf(out, "%6d  depth %3d", move->score, move->depth);
    } else {
        strbuf_add_str(out, "     -           ");
    }
    strbuf_addf(out, "  games %llu (+%u =%u -%u) ", (unsigned long long)book_games(move),
                move->wins, move->draws, move->losses);
    int len = bookread_line(reader, pos, move, &anywhere, line, (int)COUNTOF(line));
    usimove_append_line(line, len, out);
    strbuf_add_byte(out, '\n');
}

static bool show_position(BookRun *run, const Args *args) {
    StrBuf text = STRBUF_INIT;
    BookReader *reader = open_any_book(run, args->words[0]);
    BookEntry entry;
    if (reader == NULL) {
        return false;
    }
    if (!bookread_find(reader, &run->pos, &anywhere, &entry)) {
        output_line(run->context->out, SV("not in the book"));
    } else {
        for (int i = 0; i < entry.count; i++) {
            append_book_move(reader, &run->pos, &entry.moves[i], &text);
        }
        output_lines(run->context->out, strbuf_view(&text));
    }
    strbuf_free(&text);
    bookread_close(reader);
    return true;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool (*const verbs[])(BookRun *run, const Args *paths) = {
    [MAKE] = make_book,      [GROW] = grow_book,     [MERGE] = merge_books,
    [CONVERT] = merge_books, [INFO] = describe_book, [SHOW] = show_position};

/* The error in the arguments; NULL if there is none. */
static const char *fault_of_book_args(const BookArgs *args, const Args *paths) {
    if (args->verb == UNSET) {
        return "missing verb; see `komadori help book`";
    }
    bool writes = args->verb < INFO, reads_files = args->verb != GROW;
    if (writes != (args->out != NULL)) {
        return writes ? "--out FILE is missing" : "--out cannot be used with this verb";
    }
    if (writes && kifu_codec_by_path(sv_from(args->out)) != NULL) {
        return "--out: this is the name of a record; a book is *.db or *.book";
    }
    if (reads_files != (paths->count > 0)) {
        return reads_files ? "missing file name" : "grow accepts no files except that of --starts";
    }
    return paths->count > 1 && (args->verb == INFO || args->verb == CONVERT)
               ? "too many files: only one is allowed"
               : NULL;
}

/* Returns false if --out is also an input. Only a book may be replaced by its new version. */
static bool book_spares_inputs(const BookRun *run, const Args *paths) {
    const BookArgs *args = &run->args;
    const char *out = args->out;
    bool is_good = out == NULL || (command_spares(run->context, out, args->net) &&
                                   command_spares(run->context, out, args->starts));
    for (int i = 0; i < paths->count && is_good && args->verb == MAKE; i++) {
        is_good = command_spares(run->context, out, paths->words[i]);
    }
    return is_good;
}

static int book(const CommandContext *context, Args *args) {
    BookRun run = {.context = context, .cancel = context->cancel};
    if (!command_read(context, args, &run.args, 0, -1)) {
        return COMMAND_MISUSED;
    }
    const char *fault = fault_of_book_args(&run.args, args);
    if (fault != NULL) {
        return command_fail(context, COMMAND_MISUSED, "%s", fault);
    }
    if (!book_spares_inputs(&run, args)) {
        return COMMAND_FAILED;
    }
    if (run.args.verb < INFO) {
        run.cancel = command_catch_end(context);
    }
    const Args words = {args->count - 1, args->words + 1};
    int status = COMMAND_MISUSED;
    pos_init(&run.pos);
    if (run.args.verb != SHOW || command_position(context, &words, &run.pos, NULL)) {
        status = verbs[run.args.verb](&run, args) ? COMMAND_GOOD : COMMAND_FAILED;
    }
    pos_free(&run.pos);
    book_free(&run.book);
    return status;
}

const Command cmd_book = {
    {"book", "VERB FILE ...",
     "Create, extend, join, convert and inspect opening books; see docs/book.md.",
     ARG_OPTIONS(options)},
    book};
