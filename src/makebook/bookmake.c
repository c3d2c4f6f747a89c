/* bookmake.c: replays games and adds each move with its result to the book. */
#include "makebook/bookmake.h"

#include <errno.h>

#include "base/fileio.h"
#include "data/packed.h"
#include "kifu/record.h"
#include "kifu/stream.h"
#include "rules/outcome.h"

typedef struct Maker {
    const MakeRules *rules;
    const _Atomic bool *cancel;
    Book *book;
    MakeCount *count;
    Position pos;
} Maker;

/* Counts the move with the game's result and plays it. Returns false if the game is already too
 * long. */
static bool add_move(Maker *maker, Move move, KmdWinner winner) {
    if (maker->pos.ply > maker->rules->most_ply) {
        return false;
    }
    Setup setup = pos_get(&maker->pos);
    BookMove *place = book_node_move(book_add(maker->book, &setup), move);
    if (place == NULL) {
        return false;
    }
    BookMove game = {.move = move, .score = BOOK_NO_SCORE};
    game.draws = winner == KMD_WINNER_DRAW;
    game.others = winner == KMD_WINNER_NONE;
    game.wins = winner == outcome_winner(setup.side);
    game.losses = winner == outcome_winner(color_flip(setup.side));
    book_join_move(place, &game);
    pos_do(&maker->pos, move);
    return true;
}

/* ---- records --------------------------------------------------------------------------------- */

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

static void add_record(Maker *maker, const Record *record, StrView text) {
    if (maker->rules->least_rating > 0 &&
        (rating_after(text, SV("black_rate:")) < maker->rules->least_rating ||
         rating_after(text, SV("white_rate:")) < maker->rules->least_rating)) {
        maker->count->left_out++;
        return;
    }
    KmdWinner winner = record_result(record);
    maker->count->games++;
    pos_set(&maker->pos, &record->start);
    for (int node = record->nodes[KMD_ROOT].child; node != KMD_NODE_NONE;
         node = record->nodes[node].child) {
        if (record->nodes[node].move == MOVE_NONE ||
            !add_move(maker, record->nodes[node].move, winner)) {
            break;
        }
    }
}

static int add_records(Maker *maker, const char *path) {
    KifuStream stream;
    int error = kifu_stream_open(&stream, path, NULL);
    if (error != 0) {
        return error;
    }
    Record record;
    KmdFault fault;
    KmdNext next;
    uint64_t before = maker->count->games + maker->count->left_out;
    record_init(&record);
    while (!atomic_load(maker->cancel) &&
           ((next = kifu_stream_next(&stream, &record, &fault)) == KMD_NEXT_GAME ||
            next == KMD_NEXT_BROKEN)) {
        maker->count->broken += next == KMD_NEXT_BROKEN;
        if (next == KMD_NEXT_GAME || record.node_count > 1) {
            add_record(maker, &record, strbuf_view(&stream.game));
        }
    }
    error = stream.file_error;
    bool has_games = maker->count->games + maker->count->left_out > before;
    kifu_stream_free(&stream);
    record_free(&record);
    return error != 0 || has_games || atomic_load(maker->cancel) ? error : EINVAL;
}

/* ---- training games -------------------------------------------------------------------------- */

static bool add_packed(void *context, const PackedGame *game) {
    Maker *maker = context;
    maker->count->games++;
    pos_set(&maker->pos, &game->start);
    for (int i = 0; i < game->move_count; i++) {
        if (!add_move(maker, game->moves[i].move, game->winner)) {
            break;
        }
    }
    return !atomic_load(maker->cancel);
}

static int add_data(Maker *maker, const char *path) {
    FileMap map;
    PackReader reader;
    PackBlock block;
    int error = file_map(path, &map);
    if (error != 0) {
        return error;
    }
    bool is_good = packed_read_begin(&reader, map.data, map.len);
    while (is_good && !atomic_load(maker->cancel) && packed_read_block(&reader, &block)) {
        maker->count->broken += !packed_decode_block(&block, add_packed, maker);
    }
    file_unmap(&map);
    return is_good ? 0 : EINVAL;
}

int bookmake_add(const MakeRules *rules, const char *path, const _Atomic bool *cancel, Book *book,
                 MakeCount *count) {
    Maker maker = {.rules = rules, .cancel = cancel, .book = book, .count = count};
    pos_init(&maker.pos);
    int error =
        file_begins_with(path, SV(PACK_MAGIC)) ? add_data(&maker, path) : add_records(&maker, path);
    pos_free(&maker.pos);
    return error;
}
