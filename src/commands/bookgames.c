/* bookgames.c: adds the moves and results of games to a book. */
#include "commands/bookgames.h"

#include <errno.h>

#include "base/fileio.h"
#include "record/kifuio.h"
#include "record/stream.h"
#include "rules/outcome.h"
#include "train/packed.h"

typedef struct Games {
    const BookGamesOptions *options;
    Book *book;
    GameCount *count;
    Position pos;
} Games;

/* Counts the game's result for the move and plays the move. Returns false if the game is already
 * too long. */
static bool add_move(Games *games, Move move, KmdWinner winner) {
    if (games->pos.ply > games->options->most_ply) {
        return false;
    }
    Setup setup = pos_get(&games->pos);
    BookMove *place = book_node_move(book_add(games->book, &setup), move);
    if (place == NULL) {
        return false;
    }
    BookMove game = {.move = move, .score = BOOK_NO_SCORE};
    game.draws = winner == KMD_WINNER_DRAW;
    game.others = winner == KMD_WINNER_NONE;
    game.wins = winner == outcome_winner(setup.side);
    game.losses = winner == outcome_winner(color_flip(setup.side));
    book_join_move(place, &game);
    pos_do(&games->pos, move);
    return true;
}

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

static void add_record(Games *games, const Record *record, StrView text) {
    if (games->options->least_rating > 0 &&
        (rating_after(text, SV("black_rate:")) < games->options->least_rating ||
         rating_after(text, SV("white_rate:")) < games->options->least_rating)) {
        games->count->left_out++;
        return;
    }
    KmdWinner winner = record_result(record);
    games->count->games++;
    pos_set(&games->pos, &record->start);
    for (int node = record->nodes[KMD_ROOT].child; node != KMD_NODE_NONE;
         node = record->nodes[node].child) {
        if (record->nodes[node].move == MOVE_NONE ||
            !add_move(games, record->nodes[node].move, winner)) {
            break;
        }
    }
}

static int add_records(Games *games, const char *path) {
    KifuStream stream;
    int error = kifu_stream_open(&stream, path, NULL);
    if (error != 0) {
        return error;
    }
    Record record;
    KmdFault fault;
    KmdNext next;
    uint64_t before = games->count->games + games->count->left_out;
    record_init(&record);
    while (!atomic_load(games->options->cancel) &&
           ((next = kifu_stream_next(&stream, &record, &fault)) == KMD_NEXT_GAME ||
            next == KMD_NEXT_BROKEN)) {
        games->count->broken += next == KMD_NEXT_BROKEN;
        if (next == KMD_NEXT_GAME || record.node_count > 1) {
            add_record(games, &record, strbuf_view(&stream.game));
        }
    }
    error = stream.file_error;
    bool has_games = games->count->games + games->count->left_out > before;
    kifu_stream_free(&stream);
    record_free(&record);
    return error != 0 || has_games || atomic_load(games->options->cancel) ? error : EINVAL;
}

static bool add_packed(void *context, const PackedGame *game) {
    Games *games = context;
    if (packed_game_is_leaf(game)) {
        return !atomic_load(games->options->cancel);
    }
    games->count->games++;
    pos_set(&games->pos, &game->start);
    for (int i = 0; i < game->move_count; i++) {
        if (!add_move(games, game->moves[i].move, game->winner)) {
            break;
        }
    }
    return !atomic_load(games->options->cancel);
}

static int add_data(Games *games, const char *path) {
    FileMap map;
    PackReader reader;
    PackBlock block;
    int error = file_map(path, &map);
    if (error != 0) {
        return error;
    }
    bool is_good = packed_read_begin(&reader, map.data, map.len);
    while (is_good && !atomic_load(games->options->cancel) && packed_read_block(&reader, &block)) {
        games->count->bad_blocks += !packed_decode_block(&block, add_packed, games);
    }
    games->count->damaged_bytes += is_good ? reader.damaged_bytes : 0;
    file_unmap(&map);
    return is_good ? 0 : EINVAL;
}

static bool add_file(Games *games, const char *path, StrBuf *why) {
    int error =
        file_begins_with(path, SV(PACK_MAGIC)) ? add_data(games, path) : add_records(games, path);
    strbuf_add_str(why, error == EINVAL ? "contains no games"
                        : error != 0    ? file_error_text(error)
                                        : "");
    return error == 0;
}

const char *bookgames_load(const BookGamesOptions *options, const Args *paths, Progress *progress,
                           Book *book, GameCount *count, StrBuf *why) {
    Games games = {.options = options, .book = book, .count = count};
    const char *failed = NULL;
    pos_init(&games.pos);
    for (int i = 0; i < paths->count && failed == NULL && !atomic_load(options->cancel); i++) {
        failed = add_file(&games, paths->words[i], why) ? NULL : paths->words[i];
        if (progress_is_due(progress)) {
            double seconds = (double)progress_elapsed_ms(progress) / 1000;
            progress_show(progress, "%d of %d files, %llu games, %llu positions, %.0f s left",
                          i + 1, paths->count, (unsigned long long)count->games,
                          (unsigned long long)book->count,
                          seconds * (paths->count - i - 1) / (i + 1));
        }
    }
    pos_free(&games.pos);
    for (size_t i = 0; i < book->count; i++) {
        book_order_moves(&book->nodes[i]);
    }
    return failed;
}
