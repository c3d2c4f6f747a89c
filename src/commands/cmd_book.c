/* cmd_book.c: the command `book`: makes, grows, converts and shows opening books. */
#include "commands/cmd_book.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/fileio.h"
#include "base/journal.h"
#include "base/xmem.h"
#include "book/bookgraph.h"
#include "book/bookgrow.h"
#include "book/bookio.h"
#include "book/bookthink.h"
#include "book/bookvalue.h"
#include "commands/bookgames.h"
#include "engine/command.h"
#include "engine/output.h"
#include "eval/net.h"
#include "rules/usimove.h"

enum { PROGRESS_MS = 1000, UNSET = -1, MAX_COUNT = 100000000, GROW_WINDOW = 80 };

/* Indices in `verbs`. */
enum { MAKE, THINK, GROW, MINIMAX, MERGE, PRUNE, CONVERT, INFO, VERIFY, SHOW };

static const char *verb_name(int verb);

typedef struct BookArgs {
    int verb; /* UNSET: not given */
    const char *out;
    const char *net;
    const char *starts;
    BookThinkOptions think; /* its network is not set here */
    ThinkPart part;
    BookGrowOptions grow;   /* starts, window and most_ply are not set here */
    BookGamesOptions games; /* only least_rating is set here */
    BookPruneOptions prune;
    bool is_reached;
} BookArgs;

#define AT(kind, member) ARG_AT(BookArgs, kind, member)

static const ArgOption options[] = {
    {"VERB", NULL, AT(ARG_CHOICE, verb), .word = verb_name, .start = UNSET,
     .help =
         "make: create a book from games. think: search the positions of a book or a list. grow: "
         "extend a book by searching from the start positions. minimax: compute the score of each "
         "move from the positions it leads to. merge: combine books. prune: remove weak or rare "
         "moves. convert: write the book in another format. info: print a summary. verify: check "
         "whether the book is damaged. show: print the moves of a position"},
    {"--out", "FILE", AT(ARG_TEXT, out),
     .help = "output file; its name decides the format: *.db for YaneuraOu's text format, *.sfen "
             "for a list of positions, *.kif and other record extensions for a tree of variations, "
             "any other name for Komadori's own format"},
    {"--nodes", "N", AT(ARG_I64, think.nodes), 1, 1e15, .start = 300000,
     .help = "think, grow: nodes per position"},
    {"--time", "S", AT(ARG_SECONDS, think.time_ms), 0, 1e6,
     .help = "think, grow: seconds per position, instead of --nodes"},
    {"--multipv", "N", AT(ARG_INT, think.lines), 1, BOOK_MAX_MOVES, .start = 4,
     .help = "think, grow: number of moves to score per position"},
    {"--threads", "N", AT(ARG_INT, think.threads), 1, 512, .start = 1,
     .help = "think, grow: number of positions to search at once"},
    {"--hash", "MB", AT(ARG_INT, think.hash_mb), 1, 65536, .start = 32,
     .help = "think, grow: size of each thread's hash table"},
    {"--net", "FILE", AT(ARG_TEXT, net),
     .help = "think, grow: network file, or <handwritten>; FILE@24 sets its FV_SCALE"},
    {"--shard", "I/N", AT(ARG_PART, part.shard), .start = 1,
     .help = "think: search only part I of N and write only that part; join the parts with merge"},
    {"--leaves", NULL, AT(ARG_FLAG, part.has_leaves),
     .help = "think: search the positions outside the book that its moves lead to"},
    {"--positions", "N", AT(ARG_INT, grow.positions), 1, MAX_COUNT, .start = 1000,
     .help = "grow: stop when the book has this many positions"},
    {"--window", "CP", AT(ARG_INT, prune.window), 0, 99999, .start = UNSET,
     .help = "grow, prune: ignore moves worse than the best by more than this (default: 80 for "
             "grow, no limit for prune)"},
    {"--step", "CP", AT(ARG_INT, grow.step), 0, 1000, .start = 8,
     .help = "grow: cost of each move of a line; lower values give longer lines"},
    {"--starts", "FILE", AT(ARG_TEXT, starts),
     .help = "grow, prune: file of additional start positions, one per line"},
    {"--max-ply", "N", AT(ARG_INT, prune.most_ply), 1, BOOK_MAX_PLY, .start = 60,
     .help = "make, grow, prune: highest move number to keep"},
    {"--min-games", "N", AT(ARG_INT, prune.least_games), 0, MAX_COUNT,
     .help = "make, prune: minimum number of games in which a move was played"},
    {"--min-rating", "N", AT(ARG_INT, games.least_rating), 0, 100000,
     .help = "make: minimum rating of both players, as given in floodgate's records"},
    {"--min-depth", "N", AT(ARG_INT, prune.least_depth), 0, BOOK_MAX_DEPTH,
     .help = "prune: minimum search depth of a move to keep"},
    {"--reached", NULL, AT(ARG_FLAG, is_reached),
     .help = "prune: keep only positions that the start positions lead to"},
};

static const BookPruneOptions no_limits = {.window = UNSET, .most_ply = INT32_MAX};

/* The state of a running command. */
typedef struct BookRun {
    const CommandContext *context;
    BookArgs args;
    const _Atomic bool *cancel;
    Book book;
    StrBuf why;      /* the reason for a failure that has not been reported yet */
    bool has_damage; /* the input was damaged, so the command fails, but it writes the book */
} BookRun;

/* ---- reading and writing --------------------------------------------------------------------- */

/* Reports the failure in run->why, if there is one, with the name of the file. Returns is_good. */
static bool settle(BookRun *run, const char *path, bool is_good) {
    if (!is_good) {
        command_refuse(run->context, path, run->why.ptr);
        strbuf_clear(&run->why);
    }
    return is_good;
}

static bool load(BookRun *run, const char *path) {
    size_t missing;
    bool is_good = bookio_load(path, run->cancel, &run->book, &missing, &run->why);
    if (missing > 0) {
        command_fail(
            run->context, COMMAND_FAILED,
            "warning: %s: skipped %llu positions or moves that cannot be played or reached", path,
            (unsigned long long)missing);
    }
    return settle(run, path, is_good);
}

static bool load_list(BookRun *run, const char *path, Book *book) {
    return settle(run, path, bookio_load_list(path, book, &run->why));
}

static bool load_all(BookRun *run, const Args *paths) {
    bool is_good = true;
    for (int i = 0; i < paths->count && is_good; i++) {
        const char *path = paths->words[i];
        bool is_list = run->args.verb == THINK && !bookio_is_book(path);
        is_good = is_list ? load_list(run, path, &run->book) : load(run, path);
    }
    return is_good;
}

/* Loads the start position and the positions of --starts as a book without moves. */
static bool load_starts(BookRun *run, Book *starts) {
    const char *path = run->args.starts;
    Setup start = setup_start();
    (void)book_add(starts, &start);
    return path == NULL || load_list(run, path, starts);
}

static bool write_book(BookRun *run) {
    const char *path = run->args.out;
    size_t written;
    bool is_good = bookio_write(&run->book, path, &written, &run->why);
    if (is_good) {
        output_linef(run->context->out, "%s: %llu position%s", path, (unsigned long long)written,
                     str_plural(written));
        size_t left_out = run->book.count - written;
        if (left_out > 0) {
            output_linef(run->context->out,
                         "%llu position%s left out, because the start position does not lead there",
                         (unsigned long long)left_out, str_plural(left_out));
        }
    }
    return settle(run, path, is_good);
}

/* True after a signal to end, which is reported. What was read or computed is incomplete then. */
static bool is_stopped(const BookRun *run) {
    if (!atomic_load(run->cancel)) {
        return false;
    }
    command_fail(run->context, COMMAND_FAILED, "stopped; %s was not written", run->args.out);
    return true;
}

/* ---- make, prune, minimax ------------------------------------------------------------------- */

static bool make(BookRun *run, const Args *paths) {
    BookGamesOptions games = run->args.games;
    GameCount count = {0};
    Progress progress;
    games.most_ply = run->args.prune.most_ply;
    games.cancel = run->cancel;
    command_begin_progress(run->context, &progress, PROGRESS_MS, PROGRESS_MS, false);
    const char *failed = bookgames_load(&games, paths, &progress, &run->book, &count, &run->why);
    progress_clear(&progress);
    if (failed != NULL) {
        return settle(run, failed, false);
    }
    BookPruneOptions prune = no_limits;
    prune.least_games = run->args.prune.least_games;
    book_prune(&run->book, &prune);
    output_linef(run->context->out, "%llu game%s, %llu of them broken, %llu left out by rating",
                 (unsigned long long)count.games, str_plural(count.games),
                 (unsigned long long)count.broken, (unsigned long long)count.left_out);
    run->has_damage = count.damaged_bytes > 0 || count.bad_blocks > 0;
    if (run->has_damage) {
        output_linef(run->context->out, "damaged: skipped %llu bytes and %llu inconsistent blocks",
                     (unsigned long long)count.damaged_bytes, (unsigned long long)count.bad_blocks);
    }
    return true;
}

static bool prune(BookRun *run, const Args *paths) {
    (void)paths;
    Book starts = {0};
    book_prune(&run->book, &run->args.prune);
    bool is_good = load_starts(run, &starts);
    if (is_good && run->args.is_reached) {
        bookgraph_prune(&run->book, &starts);
    }
    book_free(&starts);
    return is_good;
}

static bool minimax(BookRun *run, const Args *paths) {
    (void)paths;
    bookvalue_apply(&run->book);
    return true;
}

/* ---- think and grow -------------------------------------------------------------------------- */

static bool grow(BookRun *run, Thinker *thinker, Progress *progress) {
    const BookPruneOptions *prune = &run->args.prune;
    BookGrowOptions grow_options = run->args.grow;
    Book starts = {0};
    grow_options.starts = &starts;
    grow_options.window = prune->window != UNSET ? prune->window : GROW_WINDOW;
    grow_options.most_ply = prune->most_ply;
    bool is_good = load_starts(run, &starts);
    if (is_good) {
        is_good = bookgrow_run(&grow_options, thinker, progress, &run->book);
        bookvalue_apply(&run->book);
    }
    book_free(&starts);
    return is_good;
}

/* True if --leaves replaces a book that it reads. An incomplete book must then not be written: the
 * next run would also search the leaves of the positions that were added. */
static bool replaces_source(const BookArgs *args, const Args *paths) {
    bool is_same = false;
    for (int i = 0; i < paths->count && args->verb == THINK && args->part.has_leaves; i++) {
        is_same = is_same || file_is_same(args->out, paths->words[i]);
    }
    return is_same;
}

/* Searches, and writes the finished work even if the search failed, unless the next run needs the
 * old file. The journal is kept if work is left, and for a grown book, because it can be grown
 * further. */
static bool search_with(BookRun *run, const Args *paths, Thinker *thinker, const char *journal) {
    const BookArgs *args = &run->args;
    Progress progress;
    command_begin_progress(run->context, &progress, PROGRESS_MS, PROGRESS_MS, false);
    bool is_done = args->verb == THINK ? bookthink_book(thinker, &args->part, &progress, &run->book)
                                       : grow(run, thinker, &progress);
    progress_clear(&progress);
    book_prune(&run->book, &no_limits); /* removes positions without a result */
    bool is_kept = !is_done && replaces_source(args, paths);
    bool is_written = !is_kept && write_book(run);
    int error = bookthink_error(thinker);
    if (error != 0) {
        command_refuse(run->context, journal, journal_error_text(error));
    } else if (!is_done && (is_written || is_kept)) {
        command_fail(run->context, COMMAND_FAILED,
                     "stopped; run the same command again to continue from %s", journal);
    } else if (is_written && args->verb == THINK) {
        (void)remove(journal);
    }
    return is_done && is_written;
}

static bool search(BookRun *run, const Args *paths) {
    const BookArgs *args = &run->args;
    StrBuf journal = STRBUF_INIT;
    NnueNet *net = NULL;
    Thinker *thinker;
    if (!command_load_net(run->context, args->net, &net)) {
        return false;
    }
    strbuf_addf(&journal, "%s.log", args->out);
    BookThinkOptions think = args->think;
    think.nodes = think.time_ms > 0 ? 0 : think.nodes;
    think.net = net;
    think.cancel = run->cancel;
    int error = bookthink_open(&think, journal.ptr, &thinker);
    bool is_good = error == 0
                       ? search_with(run, paths, thinker, journal.ptr)
                       : command_refuse(run->context, journal.ptr, journal_error_text(error));
    bookthink_close(thinker);
    net_free(net);
    strbuf_free(&journal);
    return is_good;
}

/* ---- info, verify, show ---------------------------------------------------------------------- */

static bool info(BookRun *run, const Args *args) {
    StrBuf text = STRBUF_INIT;
    bool is_good = load(run, args->words[0]);
    if (is_good) {
        bookio_summarize(args->words[0], &run->book, &text);
        output_lines(run->context->out, strbuf_view(&text));
    }
    strbuf_free(&text);
    return is_good;
}

static bool verify(BookRun *run, const Args *args) {
    const char *path = args->words[0];
    StrBuf counts = STRBUF_INIT;
    bool is_loaded = load(run, path);
    BookState state =
        is_loaded ? bookio_verify(path, run->cancel, &run->book, &counts, &run->why) : BOOK_DAMAGED;
    output_lines(run->context->out, strbuf_view(&counts));
    strbuf_free(&counts);
    if (state == BOOK_WHOLE) {
        output_linef(run->context->out, "%s: whole", path);
    }
    return is_loaded && settle(run, path, state != BOOK_DAMAGED);
}

static bool show(BookRun *run, const Args *args) {
    UsiFault fault;
    StrBuf text = STRBUF_INIT;
    Position pos;
    BookReader *reader = bookio_open(args->words[0], run->cancel, &run->why);
    if (reader == NULL) {
        return settle(run, args->words[0], false);
    }
    cmdline_join(args, 1, &text);
    pos_init(&pos);
    bool is_good =
        usimove_position(args->count > 1 ? strbuf_view(&text) : SV("startpos"), &pos, &fault);
    if (is_good) {
        strbuf_clear(&text);
        bookio_describe(reader, &pos, &text);
        output_lines(run->context->out, strbuf_view(&text));
    } else {
        command_refuse(run->context, "position", fault.text);
    }
    pos_free(&pos);
    strbuf_free(&text);
    bookread_close(reader);
    return is_good;
}

/* ---- the command ----------------------------------------------------------------------------- */

typedef struct Verb {
    const char *name;
    bool loads; /* the files are books, which are loaded first */
    bool (*run)(BookRun *run, const Args *paths);
    bool writes; /* the book is written at the end */
} Verb;

static const Verb verbs[] = {
    [MAKE] = {"make", false, make, true},
    [THINK] = {"think", true, search, false}, /* it writes the book itself, even if it fails */
    [GROW] = {"grow", false, search, false},
    [MINIMAX] = {"minimax", true, minimax, true},
    [MERGE] = {"merge", true, NULL, true},
    [PRUNE] = {"prune", true, prune, true},
    [CONVERT] = {"convert", true, NULL, true},
    [INFO] = {"info", false, info, false},
    [VERIFY] = {"verify", false, verify, false},
    [SHOW] = {"show", false, show, false},
};

static const char *verb_name(int verb) {
    return verb < (int)COUNTOF(verbs) ? verbs[verb].name : NULL;
}

static bool run_verb(BookRun *run, const Args *paths) {
    const Verb *verb = &verbs[run->args.verb];
    return (!verb->loads || load_all(run, paths)) && (verb->run == NULL || verb->run(run, paths)) &&
           (!verb->writes || (!is_stopped(run) && write_book(run)));
}

/* The error in the arguments; NULL if there is none. */
static const char *fault_of(const BookArgs *args, const Args *paths) {
    bool writes = args->verb < INFO;
    if (args->verb == UNSET) {
        return "missing verb; see `komadori help book`";
    }
    if (writes != (args->out != NULL)) {
        return writes ? "--out FILE is missing" : "--out cannot be used with this verb";
    }
    if (writes && !bookio_can_write(args->out)) {
        return "--out: this record format cannot hold variations";
    }
    if ((paths->count == 0) != (args->verb == GROW)) {
        return args->verb == GROW ? "grow accepts no files except that of --starts"
                                  : "missing file name";
    }
    return paths->count > 1 && (args->verb == INFO || args->verb == VERIFY)
               ? "too many files: only one is allowed"
               : NULL;
}

/* Returns false if --out is also an input. Only a book may be replaced by its new version. */
static bool spares_inputs(const BookRun *run, const Args *paths) {
    const BookArgs *args = &run->args;
    const char *out = args->out;
    bool is_good = out == NULL || (command_spares(run->context, out, args->net) &&
                                   command_spares(run->context, out, args->starts));
    for (int i = 0; i < paths->count && is_good && out != NULL; i++) {
        const char *path = paths->words[i];
        bool is_book = args->verb != MAKE && (args->verb != THINK || bookio_is_book(path));
        is_good = is_book || command_spares(run->context, out, path);
    }
    return is_good;
}

static int book(const CommandContext *context, Args *args) {
    BookRun run = {.context = context, .cancel = context->cancel};
    if (!command_read(context, args, &run.args, 0, -1)) {
        return COMMAND_MISUSED;
    }
    const char *fault = fault_of(&run.args, args);
    if (fault != NULL) {
        return command_fail(context, COMMAND_MISUSED, "%s", fault);
    }
    if (!spares_inputs(&run, args)) {
        return COMMAND_MISUSED;
    }
    if (run.args.verb < INFO) {
        run.cancel = command_catch_end(context);
    }
    bool is_good = run_verb(&run, args) && !run.has_damage;
    book_free(&run.book);
    strbuf_free(&run.why);
    return is_good ? COMMAND_GOOD : COMMAND_FAILED;
}

const Command cmd_book = {{"book", "VERB FILE ...",
                           "Create, extend, change and inspect opening books; see docs/book.md.",
                           ARG_OPTIONS(options)},
                          book};
