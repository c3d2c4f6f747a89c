/* cmd_book.c: the command `book`: makes, grows, converts and shows opening books. */
#include "cmd/cmd_book.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fileio.h"
#include "base/journal.h"
#include "base/proc.h"
#include "base/utf8.h"
#include "base/xmem.h"
#include "book/bookdb.h"
#include "book/bookfile.h"
#include "book/bookpick.h"
#include "book/bookread.h"
#include "book/bookvalue.h"
#include "command/command.h"
#include "command/output.h"
#include "engine/evalfile.h"
#include "eval/net.h"
#include "kifu/codecs.h"
#include "kifu/kifuio.h"
#include "makebook/bookgrow.h"
#include "makebook/bookmake.h"
#include "makebook/bookthink.h"
#include "rules/legality.h"
#include "rules/sfen.h"
#include "rules/usimove.h"

enum { PROGRESS_MS = 1000, UNSET = -1, MOST_COUNT = 100000000 };

/* The verbs. */
typedef enum Verb { MAKE, THINK, GROW, MINIMAX, MERGE, PRUNE, CONVERT, INFO, VERIFY, SHOW } Verb;

typedef struct BookRequest {
    int verb; /* a Verb; UNSET: not given */
    const char *out;
    int64_t nodes, time_ms;
    int lines, threads, hash_mb;
    const char *net;
    int shard, shards; /* an ARG_PART */
    int positions, window, step, most_ply;
    const char *starts;
    bool has_leaves, is_reached;
    int least_games, least_rating, least_depth;
} BookRequest;

#define AT(member) offsetof(BookRequest, member)

static const ArgOption options[] = {
    {"VERB", "make|think|grow|minimax|merge|prune|convert|info|verify|show", ARG_CHOICE, AT(verb),
     .start = UNSET,
     .help = "make: create a book from games. think: search the positions of a book or a list. "
             "grow: extend a book by searching from the start positions. minimax: propagate the "
             "scores of the last positions to the first. merge: combine books. prune: remove weak "
             "or rare moves. convert: write another format. info: summarize. verify: check. show: "
             "print the moves of a position"},
    {"--out", "FILE", ARG_TEXT, AT(out),
     .help = "output file; its name decides the format: *.db YaneuraOu's text, *.sfen a list of "
             "positions, *.kif and other records a tree of variations, otherwise Komadori's own"},
    {"--nodes", "N", ARG_I64, AT(nodes), 1, 1e15, .start = 300000,
     .help = "think, grow: nodes per position"},
    {"--time", "S", ARG_SECONDS, AT(time_ms), 0, 1e6,
     .help = "think, grow: seconds per position, instead of nodes"},
    {"--multipv", "N", ARG_INT, AT(lines), 1, BOOK_MOST_MOVES, .start = 4,
     .help = "think, grow: number of moves to score per position"},
    {"--threads", "N", ARG_INT, AT(threads), 1, 512, .start = 1,
     .help = "think, grow: number of positions to search at once"},
    {"--hash", "MB", ARG_INT, AT(hash_mb), 1, 65536, .start = 32,
     .help = "think, grow: size of each thread's hash table"},
    {"--net", "FILE", ARG_TEXT, AT(net), .help = "think, grow: network file, or <handwritten>"},
    {"--shard", "I/N", ARG_PART, AT(shard), .start = 1,
     .help = "think: search only part I of N and write only that part; join the parts with merge"},
    {"--leaves", NULL, ARG_FLAG, AT(has_leaves),
     .help = "think: search the positions outside the book that its moves lead to"},
    {"--positions", "N", ARG_INT, AT(positions), 1, MOST_COUNT, .start = 1000,
     .help = "grow: stop when the book has this many positions"},
    {"--window", "CP", ARG_INT, AT(window), 0, 99999, .start = UNSET,
     .help = "grow, prune: ignore moves worse than the best by more than this (default: grow 80, "
             "prune no limit)"},
    {"--step", "CP", ARG_INT, AT(step), 0, 1000, .start = 8,
     .help = "grow: cost of each further move; lower values grow deeper"},
    {"--starts", "FILE", ARG_TEXT, AT(starts),
     .help = "grow, prune: file of further start positions, one per line"},
    {"--max-ply", "N", ARG_INT, AT(most_ply), 1, BOOK_MOST_PLY, .start = 60,
     .help = "make, grow, prune: highest move number"},
    {"--min-games", "N", ARG_INT, AT(least_games), 0, MOST_COUNT,
     .help = "make, prune: minimum number of games of a move"},
    {"--min-rating", "N", ARG_INT, AT(least_rating), 0, 100000,
     .help = "make: minimum rating of both players, as given in floodgate's records"},
    {"--min-depth", "N", ARG_INT, AT(least_depth), 0, BOOK_MOST_DEPTH,
     .help = "prune: minimum search depth of a move"},
    {"--reached", NULL, ARG_FLAG, AT(is_reached),
     .help = "prune: keep only positions that the start positions lead to"},
};

/* The state of a running command. */
typedef struct BookRun {
    const CommandContext *context;
    BookRequest request;
    const _Atomic bool *cancel;
    Book book;
} BookRun;

/* Set when the program is asked to end. Finished work is kept. */
static _Atomic bool is_interrupted;

static void interrupt(int number) {
    (void)number;
    atomic_store(&is_interrupted, true);
}

/* ---- reading and writing --------------------------------------------------------------------- */

/* Opens the book in a file, or the built-in one. Returns NULL, with a message, on failure. */
static BookReader *open_book(BookRun *run, const char *path) {
    const char *why = NULL;
    bool is_embedded = sv_equal(sv_from(path), SV("<default>"));
    BookReader *reader =
        is_embedded ? bookread_embedded() : bookread_open(path, true, run->cancel, &why);
    if (reader == NULL) {
        command_refuse(run->context, path,
                       is_embedded   ? "this program has no built-in book"
                       : why != NULL ? why
                                     : "stopped");
    }
    return reader;
}

/* Adds a book of any format. */
static bool load(BookRun *run, const char *path) {
    BookReader *reader = open_book(run, path);
    if (reader == NULL) {
        return false;
    }
    size_t missing = bookread_load(reader, &run->book);
    if (missing > 0) {
        command_fail(run->context, COMMAND_FAILED,
                     "warning: %s: skipped %llu positions or moves that cannot be played", path,
                     (unsigned long long)missing);
    }
    bookread_close(reader);
    return true;
}

/* Adds a position of a list: "startpos moves ...", "sfen ...", or an SFEN, optionally preceded by
 * the word "position". */
static bool add_line(StrView line, Position *pos, Book *book) {
    Tokenizer tok = {line};
    StrView word;
    UsiFault fault;
    if (sv_equal(tok_peek(&tok), SV("position"))) {
        (void)tok_next(&tok, &word);
    }
    if (!usimove_position(tok_rest(&tok), pos, &fault)) {
        return false;
    }
    Setup setup = pos_get(pos);
    (void)book_add(book, &setup);
    return true;
}

static bool load_list(BookRun *run, const char *path) {
    StrBuf text = STRBUF_INIT;
    if (!command_read_file(run->context, path, &text)) {
        strbuf_free(&text);
        return false;
    }
    StrView rest = utf8_without_mark(strbuf_view(&text));
    StrView line;
    Position pos;
    int number = 0;
    bool is_good = true;
    pos_init(&pos);
    while (is_good && sv_next_row(&rest, &line, &number)) {
        is_good = add_line(line, &pos, &run->book);
    }
    if (!is_good) {
        command_fail(run->context, COMMAND_FAILED, "%s: line %d is not a position", path, number);
    }
    pos_free(&pos);
    strbuf_free(&text);
    return is_good;
}

/* A file that does not start like a book is a list of positions. */
static bool load_book_or_list(BookRun *run, const char *path) {
    bool is_book = file_begins_with(path, SV(BOOKFILE_MAGIC)) ||
                   file_begins_with(path, SV("#YANEURAOU-DB")) ||
                   file_begins_with(path, SV("\xEF\xBB\xBF#YANEURAOU-DB"));
    return is_book ? load(run, path) : load_list(run, path);
}

typedef struct Tree {
    const Book *book;
    Record record;
    Position pos;
    bool *is_seen;
} Tree;

/* Adds the moves of the position after `parent`, recursively, but each position only once. */
static void add_tree(Tree *tree, int parent) {
    const BookNode *node = book_find(tree->book, pos_key(&tree->pos));
    if (node == NULL || tree->is_seen[node - tree->book->nodes]) {
        return;
    }
    tree->is_seen[node - tree->book->nodes] = true;
    for (int i = 0; i < node->count; i++) {
        const BookMove *move = &node->moves[i];
        int place = move_is_legal(&tree->pos, move->move)
                        ? record_add_move(&tree->record, parent, move->move)
                        : KMD_NODE_NONE;
        if (place == KMD_NODE_NONE) {
            continue;
        }
        StrBuf text = STRBUF_INIT;
        if (move->score != BOOK_NO_SCORE) {
            /* From black's point of view, in the words that ShogiHome and others understand. */
            strbuf_addf(&text, "#評価値=%d\n#深さ=%d\n",
                        tree->pos.side == BLACK ? move->score : -move->score, move->depth);
        }
        strbuf_addf(&text, "games %llu", (unsigned long long)book_games(move));
        record_set_comment(&tree->record, place, strbuf_view(&text));
        strbuf_free(&text);
        pos_do(&tree->pos, move->move);
        add_tree(tree, place);
        pos_undo(&tree->pos);
    }
}

static void write_tree(const Book *book, const char *path, FILE *stream) {
    Tree tree = {.book = book, .is_seen = xmem_calloc(book->count + 1, sizeof(bool))};
    StrBuf text = STRBUF_INIT;
    KifuForm form = kifu_form_by_path(kifu_codec_by_path(sv_from(path)), sv_from(path));
    record_init(&tree.record);
    pos_init(&tree.pos);
    pos_set(&tree.pos, &tree.record.start);
    add_tree(&tree, KMD_ROOT);
    (void)kifu_write(&tree.record, &form, &text);
    (void)fwrite(text.ptr, 1, text.len, stream);
    pos_free(&tree.pos);
    record_free(&tree.record);
    strbuf_free(&text);
    free(tree.is_seen);
}

static void write_list(const Book *book, FILE *stream) {
    for (size_t i = 0; i < book->count; i++) {
        StrBuf line = STRBUF_INIT;
        Setup setup = book->nodes[i].setup;
        setup.ply = int_max(setup.ply, 1);
        sfen_write(&setup, &line);
        (void)fprintf(stream, "sfen %s\n", line.ptr);
        strbuf_free(&line);
    }
}

/* Writes the book in the format that the file name selects. */
static bool write_book(BookRun *run) {
    const char *path = run->request.out;
    StrView name = sv_from(path);
    StrBuf bytes = STRBUF_INIT;
    FileWriter writer;
    bool is_db = sv_ends_with(name, SV(".db"));
    bool is_list = sv_ends_with(name, SV(".sfen"));
    bool is_tree = !is_list && kifu_codec_by_path(name) != NULL;
    book_sort(&run->book);
    int error = file_begin(&writer, path);
    if (error != 0) {
        return command_refuse(run->context, path, file_error_text(error));
    }
    if (is_db) {
        bookdb_write(&run->book, writer.stream);
    } else if (is_list) {
        write_list(&run->book, writer.stream);
    } else if (is_tree) {
        write_tree(&run->book, path, writer.stream);
    } else if (bookfile_write(&run->book, &bytes)) {
        (void)fwrite(bytes.ptr, 1, bytes.len, writer.stream);
    } else {
        file_abandon(&writer);
        return command_refuse(run->context, path,
                              "the book has more moves than the format can hold");
    }
    strbuf_free(&bytes);
    error = file_commit(&writer);
    if (error == 0) {
        output_linef(run->context->out, "%s: %llu position%s", path,
                     (unsigned long long)run->book.count, str_plural(run->book.count));
    }
    return error == 0 || command_refuse(run->context, path, file_error_text(error));
}

/* ---- make, minimax, merge, prune, convert ---------------------------------------------------- */

static bool has_games(void *context, const BookNode *node, const BookMove *move) {
    const BookRequest *request = context;
    (void)node;
    return book_games(move) >= (uint64_t)request->least_games;
}

static bool make(BookRun *run, const Args *paths) {
    MakeRules rules = {run->request.most_ply, run->request.least_rating};
    MakeCount count = {0};
    Progress progress;
    command_begin_progress(run->context, &progress, PROGRESS_MS, PROGRESS_MS, false);
    for (int i = 0; i < paths->count && !atomic_load(run->cancel); i++) {
        const char *path = paths->words[i];
        int error = bookmake_add(&rules, path, run->cancel, &run->book, &count);
        if (error != 0) {
            progress_clear(&progress);
            return command_refuse(run->context, path,
                                  error == EINVAL ? "contains no games" : file_error_text(error));
        }
        if (progress_is_due(&progress)) {
            double seconds = (double)progress_elapsed_ms(&progress) / 1000;
            progress_show(&progress, "%d of %d files, %llu games, %llu positions, %.0f s left",
                          i + 1, paths->count, (unsigned long long)count.games,
                          (unsigned long long)run->book.count,
                          seconds * (paths->count - i - 1) / (i + 1));
        }
    }
    progress_clear(&progress);
    book_filter(&run->book, has_games, &run->request);
    for (size_t i = 0; i < run->book.count; i++) {
        book_order_moves(&run->book.nodes[i]);
    }
    output_linef(run->context->out, "%llu game%s, %llu of them broken, %llu left out by rating",
                 (unsigned long long)count.games, str_plural(count.games),
                 (unsigned long long)count.broken, (unsigned long long)count.left_out);
    return true;
}

static void minimax(Book *book) {
    BookGraph graph;
    book_sort(book);
    bookgraph_build(book, &graph);
    bookvalue_apply(book, &graph);
    bookgraph_free(&graph);
}

/* Loads the start position and those of --starts, as a book without moves. */
static bool load_starts(BookRun *run, Book *starts) {
    BookRun list = {.context = run->context, .request = run->request};
    Setup start = setup_start();
    (void)book_add(&list.book, &start);
    bool is_good = run->request.starts == NULL || load_list(&list, run->request.starts);
    *starts = list.book;
    return is_good;
}

static bool passes(void *context, const BookNode *node, const BookMove *move) {
    const BookRequest *request = context;
    int best = -BOOK_MOST_SCORE;
    for (int i = 0; i < node->count; i++) {
        best = int_max(best, node->moves[i].score);
    }
    bool is_far = request->window != UNSET && move->score != BOOK_NO_SCORE &&
                  move->score < best - request->window;
    return !is_far && book_games(move) >= (uint64_t)request->least_games &&
           move->depth >= request->least_depth && node->setup.ply <= request->most_ply;
}

/* Marks, indexed by the positions of the book. */
typedef struct Reached {
    const Book *book;
    const bool *is_reached;
} Reached;

static bool is_reached(void *context, const BookNode *node, const BookMove *move) {
    const Reached *reached = context;
    (void)move;
    const BookNode *place = book_find(reached->book, node->key);
    return place != NULL && reached->is_reached[place - reached->book->nodes];
}

static bool prune(BookRun *run) {
    Book starts = {0};
    (void)book_filter(&run->book, passes, &run->request);
    if (!load_starts(run, &starts)) {
        book_free(&starts);
        return false;
    }
    if (run->request.is_reached) {
        BookGraph graph;
        Book whole = {0};
        book_join(&whole, &run->book);
        bool *marks = xmem_calloc(whole.count + 1, sizeof(bool));
        bookgraph_build(&whole, &graph);
        for (size_t i = 0; i < starts.count; i++) {
            const BookNode *node = book_find(&whole, starts.nodes[i].key);
            if (node != NULL) {
                bookgraph_reach(&graph, (uint32_t)(node - whole.nodes), marks);
            }
        }
        Reached reached = {&whole, marks};
        (void)book_filter(&run->book, is_reached, &reached);
        bookgraph_free(&graph);
        book_free(&whole);
        free(marks);
    }
    book_free(&starts);
    return true;
}

/* ---- think and grow -------------------------------------------------------------------------- */

/* Finds the positions that `think` must search: those of the book, or those its moves lead to. */
static void find_targets(const BookRun *run, Book *targets) {
    const Book *book = &run->book;
    Position pos;
    pos_init(&pos);
    for (size_t i = 0; i < book->count; i++) {
        const BookNode *node = &book->nodes[i];
        if (!run->request.has_leaves) {
            (void)book_add(targets, &node->setup);
            continue;
        }
        book_set(&pos, &node->setup);
        for (int j = 0; j < node->count; j++) {
            if (move_is_legal(&pos, node->moves[j].move)) {
                pos_do(&pos, node->moves[j].move);
                Setup setup = pos_get(&pos);
                setup.ply = node->setup.ply > 0 ? node->setup.ply + 1 : 0;
                if (book_find(book, book_key(&setup)) == NULL) {
                    (void)book_add(targets, &setup);
                }
                pos_undo(&pos);
            }
        }
    }
    pos_free(&pos);
    book_sort(targets);
}

/* Searches this shard's part of the positions, and merges the results into the book, or, if there
 * are other shards, replaces the book by them. */
static bool think(BookRun *run, Thinker *thinker, Progress *progress) {
    Book targets = {0}, found = {0};
    const BookRequest *request = &run->request;
    find_targets(run, &targets);
    Setup *setups = xmem_calloc(targets.count + 1, sizeof(Setup));
    size_t count = 0;
    for (size_t i = 0; i < targets.count; i++) {
        if (i % (size_t)request->shards == (size_t)request->shard - 1) {
            setups[count++] = targets.nodes[i].setup;
        }
    }
    bookthink_expect(thinker, count);
    bool is_good = bookthink_run(thinker, setups, count, progress);
    for (size_t i = 0; i < count; i++) {
        const BookNode *result = bookthink_result(thinker, book_key(&setups[i]));
        for (int j = 0; result != NULL && j < result->count; j++) {
            *book_node_move(book_add(&found, &setups[i]), result->moves[j].move) = result->moves[j];
        }
    }
    if (request->shards > 1) {
        book_free(&run->book);
    }
    book_join(&run->book, &found);
    for (size_t i = 0; i < run->book.count; i++) {
        book_order_moves(&run->book.nodes[i]);
    }
    book_free(&found);
    book_free(&targets);
    free(setups);
    return is_good;
}

static bool grow(BookRun *run, Thinker *thinker, Progress *progress) {
    Book starts = {0};
    bool is_good = load_starts(run, &starts);
    if (is_good) {
        Setup *setups = xmem_calloc(starts.count, sizeof(Setup));
        for (size_t i = 0; i < starts.count; i++) {
            setups[i] = starts.nodes[i].setup;
        }
        GrowRules rules = {.starts = setups,
                           .start_count = starts.count,
                           .positions = (size_t)run->request.positions,
                           .window = run->request.window != UNSET ? run->request.window : 80,
                           .step = run->request.step,
                           .most_ply = run->request.most_ply};
        is_good = bookgrow_run(&rules, thinker, progress, &run->book);
        minimax(&run->book);
        free(setups);
    }
    book_free(&starts);
    return is_good;
}

static bool is_listed(void *context, const BookNode *node, const BookMove *move) {
    (void)context;
    (void)move;
    return node->count > 0;
}

/* Runs `think` and `grow`. Writes the finished work even if the rest failed. The journal is kept
 * for unfinished work, and for a grown book, which may be grown further. */
static bool search(BookRun *run) {
    const BookRequest *request = &run->request;
    StrBuf journal = STRBUF_INIT;
    NnueNet *net = NULL;
    const char *fault;
    if (!evalfile_load(sv_from(request->net), &net, &fault)) {
        return command_refuse(run->context, request->net, fault);
    }
    strbuf_addf(&journal, "%s.log", request->out);
    ThinkRules rules = {.nodes = request->time_ms > 0 ? 0 : request->nodes,
                        .time_ms = request->time_ms,
                        .lines = request->lines,
                        .threads = request->threads,
                        .hash_mb = request->hash_mb,
                        .net = net,
                        .cancel = run->cancel};
    Thinker *thinker;
    int error = bookthink_open(&rules, journal.ptr, &thinker);
    bool is_good = error == 0;
    if (is_good) {
        Progress progress;
        command_begin_progress(run->context, &progress, PROGRESS_MS, PROGRESS_MS, false);
        is_good =
            request->verb == THINK ? think(run, thinker, &progress) : grow(run, thinker, &progress);
        progress_clear(&progress);
        error = bookthink_error(thinker);
        bookthink_close(thinker);
        (void)book_filter(&run->book, is_listed, NULL);
        bool is_written = write_book(run);
        if (error != 0) {
            command_refuse(run->context, journal.ptr, file_error_text(error));
        } else if (!is_good && is_written) {
            command_fail(run->context, COMMAND_FAILED,
                         "stopped; run the same command again to continue from %s", journal.ptr);
        } else if (is_written && request->verb == THINK) {
            (void)remove(journal.ptr);
        }
        is_good = is_good && is_written;
    } else {
        command_refuse(run->context, journal.ptr, journal_error_text(error));
    }
    net_free(net);
    strbuf_free(&journal);
    return is_good;
}

/* ---- info, verify, show ---------------------------------------------------------------------- */

static bool info(BookRun *run, const char *path) {
    Output *out = run->context->out;
    BookGraph graph;
    FileMap map;
    uint64_t moves = 0, scored = 0, depths = 0, games = 0;
    int last_ply = 0;
    bool is_embedded = sv_equal(sv_from(path), SV("<default>"));
    if (!load(run, path) || (!is_embedded && file_map(path, &map) != 0)) {
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
    book_sort(&run->book);
    bookgraph_build(&run->book, &graph);
    uint32_t *starts = xmem_calloc(run->book.count + 1, sizeof(uint32_t));
    if (!is_embedded) {
        output_linef(out, "%s: %llu bytes, %.1f per move", path, (unsigned long long)map.len,
                     (double)map.len / (double)(moves > 0 ? moves : 1));
        file_unmap(&map);
    }
    output_linef(out, "positions %llu, %u of them starts, the last of ply %d",
                 (unsigned long long)run->book.count, bookgraph_starts(&graph, starts), last_ply);
    output_linef(out, "moves %llu, %llu with a score, mean depth %.1f, games %llu",
                 (unsigned long long)moves, (unsigned long long)scored,
                 (double)depths / (double)(moves > 0 ? moves : 1), (unsigned long long)games);
    bookgraph_free(&graph);
    free(starts);
    return true;
}

static bool verify(BookRun *run, const char *path) {
    FileMap map;
    BookFile file;
    int error = file_map(path, &map);
    if (error != 0) {
        return command_refuse(run->context, path, file_error_text(error));
    }
    StrView text = {(const char *)map.data, map.len};
    bool is_good = true;
    if (sv_starts_with(text, SV(BOOKFILE_MAGIC))) {
        const char *why = bookfile_open(map.data, map.len, &file);
        is_good = why == NULL ? load(run, path) : command_refuse(run->context, path, why);
        uint64_t moves = 0;
        for (size_t i = 0; i < run->book.count; i++) {
            moves += (uint64_t)run->book.nodes[i].count;
        }
        if (is_good && (moves != file.moves || run->book.count != file.positions)) {
            is_good = command_refuse(run->context, path, "not all of its moves can be played");
        }
    } else if (load(run, path)) {
        Book book = {0};
        BookDbLoad counts = bookdb_load(text, &book);
        output_linef(run->context->out,
                     "%llu positions, %llu of them wrong, %llu illegal moves, %s",
                     (unsigned long long)counts.positions, (unsigned long long)counts.refused,
                     (unsigned long long)counts.illegal,
                     counts.is_sorted ? "sorted" : "not sorted: BookOnTheFly cannot search it");
        is_good = counts.refused == 0 && counts.illegal == 0;
        book_free(&book);
    } else {
        is_good = false;
    }
    file_unmap(&map);
    if (is_good) {
        output_linef(run->context->out, "%s: whole", path);
    }
    return is_good;
}

static void show_move(const BookRun *run, const BookReader *reader, const Position *pos,
                      const BookMove *move) {
    const BookFind how = {.ignore_book_ply = true, .flipped_book = true};
    Move line[16];
    StrBuf text = STRBUF_INIT;
    if (move->score != BOOK_NO_SCORE) {
        strbuf_addf(&text, "%6d  depth %3d", move->score, move->depth);
    } else {
        strbuf_add_str(&text, "     -           ");
    }
    strbuf_addf(&text, "  games %llu (+%u =%u -%u) ", (unsigned long long)book_games(move),
                move->wins, move->draws, move->losses);
    int len = bookpick_line(reader, pos, move, &how, line, (int)COUNTOF(line));
    usimove_append_line(line, len, &text);
    output_line(run->context->out, strbuf_view(&text));
    strbuf_free(&text);
}

static bool show(BookRun *run, const Args *args) {
    const BookFind how = {.ignore_book_ply = true, .flipped_book = true};
    BookEntry entry;
    UsiFault fault;
    StrBuf text = STRBUF_INIT;
    Position pos;
    BookReader *reader = open_book(run, args->words[0]);
    if (reader == NULL) {
        return false;
    }
    cmdline_join(args, 1, &text);
    pos_init(&pos);
    bool is_good =
        usimove_position(args->count > 1 ? strbuf_view(&text) : SV("startpos"), &pos, &fault);
    if (!is_good) {
        command_refuse(run->context, "position", fault.text);
    } else if (!bookread_find(reader, &pos, &how, &entry)) {
        output_line(run->context->out, SV("not in the book"));
    } else {
        for (int i = 0; i < entry.count; i++) {
            show_move(run, reader, &pos, &entry.moves[i]);
        }
    }
    pos_free(&pos);
    strbuf_free(&text);
    bookread_close(reader);
    return is_good;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool load_all(BookRun *run, const Args *paths) {
    bool is_good = true;
    for (int i = 0; i < paths->count && is_good; i++) {
        is_good = run->request.verb == THINK ? load_book_or_list(run, paths->words[i])
                                             : load(run, paths->words[i]);
    }
    return is_good;
}

static bool run_verb(BookRun *run, const Args *paths) {
    switch ((Verb)run->request.verb) {
    case INFO:
        return info(run, paths->words[0]);
    case VERIFY:
        return verify(run, paths->words[0]);
    case SHOW:
        return show(run, paths);
    case MAKE:
        return make(run, paths) && write_book(run);
    case THINK:
    case GROW:
        return load_all(run, paths) && search(run);
    case MINIMAX:
        if (!load_all(run, paths)) {
            return false;
        }
        minimax(&run->book);
        return write_book(run);
    case PRUNE:
        return load_all(run, paths) && prune(run) && write_book(run);
    default:
        return load_all(run, paths) && write_book(run);
    }
}

/* The error in the arguments; NULL if there is none. */
static const char *fault_of(const BookRequest *request, const Args *paths) {
    bool writes = request->verb < INFO;
    if (request->verb == UNSET) {
        return "missing verb; see `komadori help book`";
    }
    if (writes != (request->out != NULL)) {
        return writes ? "--out FILE is missing" : "--out cannot be used with this verb";
    }
    if ((paths->count == 0) != (request->verb == GROW)) {
        return request->verb == GROW ? "grow takes no files except --starts" : "missing file name";
    }
    return paths->count > 1 && (request->verb == INFO || request->verb == VERIFY)
               ? "too many files: only one is allowed"
               : NULL;
}

static int book(const CommandContext *context, Args *args) {
    BookRun run = {.context = context, .cancel = context->cancel};
    if (!command_read(context, args, &run.request, 0, -1)) {
        return COMMAND_MISUSED;
    }
    const char *fault = fault_of(&run.request, args);
    if (fault != NULL) {
        return command_fail(context, COMMAND_MISUSED, "%s", fault);
    }
    if (context->is_program && run.request.verb < INFO) {
        run.cancel = &is_interrupted;
        proc_catch_end(interrupt);
    }
    bool is_good = run_verb(&run, args);
    book_free(&run.book);
    return is_good ? COMMAND_GOOD : COMMAND_FAILED;
}

const Command cmd_book = {{"book", "VERB FILE ...",
                           "Create, extend, change and inspect opening books; see docs/book.md.",
                           ARG_OPTIONS(options)},
                          book};
