/* fuzz_packed.c: reads any bytes as training data: as a file, as the content of a block with a
 * valid checksum, and as records of 40 bytes. Accepted games must follow the rules and be the same
 * after being written and read back. */
#include <stdlib.h>
#include <string.h>

#include "rules/legality.h"
#include "rules/position.h"
#include "train/packed.h"
#include "train/psv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Enough for a content of a few hundred bytes. */
enum { MAX_GAMES = 64, MAX_CONTENT = 1 << 12 };

static void require(bool condition) {
    if (!condition) {
        abort();
    }
}

static bool is_same_game(const PackedGame *a, const PackedGame *b) {
    return a->winner == b->winner && a->reason == b->reason && a->move_count == b->move_count &&
           memcmp(&a->start, &b->start, sizeof(a->start)) == 0 &&
           (a->move_count == 0 ||
            memcmp(a->moves, b->moves, (size_t)a->move_count * sizeof(PackedMove)) == 0);
}

static bool compare_game(void *context, const PackedGame *game) {
    require(is_same_game(context, game));
    return true;
}

static void check_moves(const PackedGame *game) {
    Position pos;
    pos_init(&pos);
    pos_set(&pos, &game->start);
    for (int i = 0; i < game->move_count; i++) {
        require(move_is_legal(&pos, game->moves[i].move));
        pos_do(&pos, game->moves[i].move);
    }
    pos_free(&pos);
}

/* Checks that a game that was read is legal, and is the same after being written to a separate
 * block and read back. */
static bool check_game(void *context, const PackedGame *game) {
    (void)context;
    check_moves(game);
    PackOrigin origin = {.nodes = 1};
    StrBuf file = STRBUF_INIT;
    packed_write_header(&origin, &file);
    packed_write_block(game, 1, &origin, &file);
    PackReader reader;
    PackBlock block;
    require(packed_read_begin(&reader, file.ptr, file.len));
    require(packed_read_block(&reader, &block) && block.games == 1);
    PackedGame copy = *game;
    require(packed_decode_block(&block, compare_game, &copy));
    require(!packed_read_block(&reader, &block) && reader.damaged_bytes == 0);
    strbuf_free(&file);
    return true;
}

/* Decodes a block. An inconsistent game ends the block; this is not an error. */
static void decode(const PackBlock *block) {
    bool is_whole = packed_decode_block(block, check_game, NULL);
    (void)is_whole;
}

static void read_file(const uint8_t *data, size_t size) {
    PackReader reader;
    PackBlock block;
    if (!packed_read_begin(&reader, data, size)) {
        return;
    }
    while (packed_read_block(&reader, &block)) {
        require(block.content_len <= size);
        if (block.games <= MAX_GAMES) {
            decode(&block);
        }
    }
    require(reader.damaged_bytes <= size);
}

static void read_content(const uint8_t *data, size_t size) {
    PackBlock block = {.games = 1 + data[0] % MAX_GAMES,
                       .positions = data[1],
                       .content = data + 2,
                       .content_len = size - 2};
    decode(&block);
}

static void read_record(const uint8_t *data) {
    PsvRecord record;
    if (!psv_read(PSV_SFEN, data, &record)) {
        return;
    }
    require(setup_check(&record.setup, NULL) == KMD_OK);
    uint8_t bytes[PSV_SIZE];
    PsvRecord back;
    require(psv_write(PSV_SFEN, &record, bytes) && psv_read(PSV_SFEN, bytes, &back));
    require(memcmp(record.setup.board, back.setup.board, sizeof(back.setup.board)) == 0);
    require(memcmp(record.setup.hand, back.setup.hand, sizeof(back.setup.hand)) == 0);
    require(record.setup.side == back.setup.side && record.setup.ply == back.setup.ply);
    require(record.score == back.score && record.move == back.move);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pos_init_tables();
    read_file(data, size);
    if (size > 2 && size < MAX_CONTENT) {
        read_content(data, size);
    }
    for (size_t at = 0; at + PSV_SIZE <= size && at < MAX_CONTENT; at += PSV_SIZE) {
        read_record(data + at);
    }
    return 0;
}
