#include "train/psv.h"

#include <string.h>

#include "random_net.h"
#include "train/packed.h"

/* Worked out by hand: in an even start with black to move, bit 0 is 0, black's king is on 5i (44)
 * and white's on 5a (36), so the first two bytes are 44 << 1 | 36 << 8. */
static void test_start(void) {
    Position pos = position_at("startpos");
    PsvRecord record = {.setup = pos_get(&pos), .score = -5, .result = 1};
    record.move = move_make(SQ(7, 7), SQ(7, 6));
    uint8_t bytes[PSV_SIZE];
    CHECK(psv_write(PSV_SFEN, &record, bytes));
    CHECK_INT(bytes[0] | (bytes[1] & 0x7F) << 8, 44 << 1 | 36 << 8);
    CHECK_INT(bytes[32] | bytes[33] << 8, 0xFFFB);
    /* 7g is square 60, and 7f is square 59. */
    CHECK_INT(bytes[34] | bytes[35] << 8, 60 << 7 | 59);
    CHECK_INT(bytes[36], 1);
    CHECK_INT(bytes[38], 1);
    pos_free(&pos);
}

static void test_drop_and_promotion(void) {
    Position pos = position_at("startpos");
    PsvRecord record = {.setup = pos_get(&pos), .move = move_make_drop(GOLD, SQ(5, 5))};
    uint8_t bytes[PSV_SIZE];
    CHECK(psv_write(PSV_SFEN, &record, bytes));
    CHECK_INT(bytes[34] | bytes[35] << 8, 40 | 7 << 7 | 1 << 14);
    record.move = move_make_promotion(SQ(8, 8), SQ(2, 2));
    CHECK(psv_write(PSV_SFEN, &record, bytes));
    CHECK_INT(bytes[34] | bytes[35] << 8, 10 | 70 << 7 | 1 << 15);
    pos_free(&pos);
}

static bool same_setup(const Setup *a, const Setup *b) {
    return memcmp(a->board, b->board, sizeof(a->board)) == 0 && a->hand[BLACK] == b->hand[BLACK] &&
           a->hand[WHITE] == b->hand[WHITE] && a->side == b->side && a->ply == b->ply;
}

static void check_round_trip(PsvFormat format) {
    Rng rng = rng_init(51);
    Position pos = position_at("startpos");
    for (int ply = 0; ply < 250; ply++) {
        Move move = random_move(&rng, &pos);
        if (move == MOVE_NONE) {
            break;
        }
        PsvRecord record = {
            .setup = pos_get(&pos), .score = random_within(&rng, 3000), .move = move, .result = -1};
        uint8_t bytes[PSV_SIZE];
        PsvRecord got;
        CHECK(psv_write(format, &record, bytes) && psv_read(format, bytes, &got));
        record.setup.ply = format == PSV_HCPE ? 1 : record.setup.ply;
        CHECK(same_setup(&got.setup, &record.setup));
        CHECK_INT(got.score, record.score);
        CHECK_INT(got.move, record.move);
        CHECK_INT(got.result, -1);
        pos_do(&pos, move);
    }
    CHECK(pos_moves_done(&pos) > 50);
    pos_free(&pos);
}

static void test_round_trip(void) {
    check_round_trip(PSV_SFEN);
    check_round_trip(PSV_HCPE);
}

/* The pieces missing in a handicap game are in the box: they come after the hands, with the
 * promotion bit. Worked out by hand, a bishop is 11110 1 0 and a rook 11111 1 0, lowest bit first,
 * in the last 14 bits. */
static void test_handicap(void) {
    static const char *const sfens[] = {
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/4+B4/9/9/9/9/9/4K4 b R2GS2NL5Pgp 31",
    };
    uint8_t bytes[PSV_SIZE];
    PsvRecord got;
    for (size_t i = 0; i < COUNTOF(sfens); i++) {
        Position pos = position_at(sfens[i]);
        PsvRecord record = {.setup = pos_get(&pos)};
        CHECK(psv_write(PSV_SFEN, &record, bytes) && psv_read(PSV_SFEN, bytes, &got));
        CHECK(same_setup(&got.setup, &record.setup));
        pos_free(&pos);
    }
    Position pos = position_at(sfens[0]);
    PsvRecord record = {.setup = pos_get(&pos)};
    CHECK(psv_write(PSV_SFEN, &record, bytes));
    CHECK_INT(bytes[30] >> 2 | bytes[31] << 6, 0x2F | 0x3F << 7);
    /* The owner of the piece does not matter. */
    bytes[31] |= 0x80;
    CHECK(psv_read(PSV_SFEN, bytes, &got));
    CHECK(same_setup(&got.setup, &record.setup));
    pos_free(&pos);
}

/* Worked out by hand from Apery's codes, lowest bit first. After 15 bits for the side and the kings
 * come the lance 1100 with white 1 and promoted 0, the empty square 1b, and the pawn 10 with white
 * 1 and promoted 0. Drops begin at 81. */
static void test_hcpe_start(void) {
    Position pos = position_at("startpos");
    PsvRecord record = {.setup = pos_get(&pos), .score = -5, .result = 1};
    record.move = move_make_drop(GOLD, SQ(5, 5));
    uint8_t bytes[PSV_HCPE_SIZE];
    CHECK(psv_write(PSV_HCPE, &record, bytes));
    CHECK_INT(bytes[0] | (bytes[1] & 0x7F) << 8, 44 << 1 | 36 << 8);
    CHECK_INT((bytes[1] >> 7 | bytes[2] << 1 | bytes[3] << 9) & 0x7FF, 0x13 | 0 << 6 | 5 << 7);
    CHECK_INT(bytes[32] | bytes[33] << 8, 0xFFFB);
    CHECK_INT(bytes[34] | bytes[35] << 8, 40 | 87 << 7);
    CHECK_INT(bytes[36], 1);
    CHECK_INT(bytes[37], 0);
    record.setup.side = WHITE;
    record.move = move_make_promotion(SQ(8, 8), SQ(2, 2));
    CHECK(psv_write(PSV_HCPE, &record, bytes));
    CHECK_INT(bytes[34] | bytes[35] << 8, 10 | 70 << 7 | 1 << 14);
    CHECK_INT(bytes[36], 2);
    /* Programs related to Apery store the reason for the ending in the bits above the result. */
    bytes[36] |= 4;
    CHECK(psv_read(PSV_HCPE, bytes, &record));
    CHECK_INT(record.result, 1);
    CHECK(!record.has_ply);
    bytes[36] = 3;
    CHECK(!psv_read(PSV_HCPE, bytes, &record));
    pos_free(&pos);
}

/* A rook in black's hand is 1111 1 1 0, and a bishop in the box is 1111 0 0 0. */
static void test_hcpe_hands(void) {
    static const char *const sfens[] = {
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b R2GS2NL5Pgp 1",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL b Rr 1",
    };
    uint8_t bytes[PSV_HCPE_SIZE];
    for (size_t i = 0; i < COUNTOF(sfens); i++) {
        Position pos = position_at(sfens[i]);
        PsvRecord record = {.setup = pos_get(&pos), .move = move_make_drop(PAWN, SQ(1, 1))};
        PsvRecord got;
        CHECK(psv_write(PSV_HCPE, &record, bytes) && psv_read(PSV_HCPE, bytes, &got));
        CHECK(same_setup(&got.setup, &record.setup));
        CHECK_INT(got.move, record.move);
        pos_free(&pos);
    }
    Position pos = position_at(sfens[2]);
    PsvRecord record = {.setup = pos_get(&pos)};
    CHECK(psv_write(PSV_HCPE, &record, bytes));
    /* The last 28 bits are black's rook, white's rook and two bishops in the box. */
    uint32_t last = (uint32_t)bytes[28] >> 4 | (uint32_t)bytes[29] << 4 |
                    (uint32_t)bytes[30] << 12 | (uint32_t)bytes[31] << 20;
    CHECK_INT(last, 0x3F | 0x7F << 7 | 0x0F << 14 | 0x0F << 21);
    pos_free(&pos);
}

/* A position without a king or with more pieces than a set cannot be written, and random bytes do
 * not crash the reader. */
static void test_refused(void) {
    Position pos = position_at("startpos");
    PsvRecord record = {.setup = pos_get(&pos)};
    uint8_t bytes[PSV_SIZE];
    record.setup.board[SQ(5, 5)] = piece_make(BLACK, SILVER);
    CHECK(!psv_write(PSV_SFEN, &record, bytes));
    record.setup.board[SQ(5, 5)] = NO_PIECE;
    CHECK(psv_write(PSV_SFEN, &record, bytes));
    record.setup.board[SQ(5, 9)] = NO_PIECE;
    CHECK(!psv_write(PSV_SFEN, &record, bytes));
    Rng rng = rng_init(52);
    int accepted = 0;
    for (int i = 0; i < 20000; i++) {
        for (int k = 0; k < PSV_SIZE; k++) {
            bytes[k] = (uint8_t)rng_next(&rng);
        }
        accepted += psv_read(PSV_SFEN, bytes, &record) + psv_read(PSV_HCPE, bytes, &record);
    }
    CHECK(accepted < 100);
    pos_free(&pos);
}

static void test_formats(void) {
    CHECK_INT(psv_format_by_path("a/b.psv"), PSV_SFEN);
    CHECK_INT(psv_format_by_path("b.HCPE"), PSV_HCPE);
    CHECK_INT(psv_format_by_path("hcpe"), -1);
    CHECK_INT(psv_format_by_path("b.psv.gz"), -1);
    CHECK_STR(psv_format_name(PSV_HCPE), "hcpe");
    CHECK(psv_format_name(PSV_FORMAT_NB) == NULL);
}

/* A game of random moves that black wins. Its third position has no score. */
static PackedGame random_game(int moves) {
    Rng rng = rng_init(53);
    Position pos = position_at("startpos");
    Setup start = pos_get(&pos);
    PackedGame game = {.move_count = 0};
    packed_game_begin(&game, &start);
    game.winner = KMD_WINNER_BLACK;
    for (int i = 0; i < moves; i++) {
        Move move = random_move(&rng, &pos);
        packed_game_add(&game, move, i == 2 ? PACK_NO_SCORE : i * 7 - 20);
        pos_do(&pos, move);
    }
    pos_free(&pos);
    return game;
}

static void check_moves(const PackedGame *got, const PackedGame *want, int from) {
    CHECK_INT(got->winner, KMD_WINNER_BLACK);
    for (int i = 0; i < got->move_count; i++) {
        CHECK_INT(got->moves[i].move, want->moves[from + i].move);
        CHECK_INT(got->moves[i].score, want->moves[from + i].score);
    }
}

/* The position without a score is missing, so the records are two games. */
static void check_games(PsvFormat format) {
    enum { MOVES = 40 };
    PackedGame game = random_game(MOVES), got = {.move_count = 0};
    PsvCount count = {0};
    StrBuf records = STRBUF_INIT;
    psv_from_game(format, &game, &count, &records);
    CHECK_INT((int)count.converted, MOVES - 1);
    CHECK_INT((int)count.unstorable, 0);
    CHECK_INT((int)records.len, (MOVES - 1) * (int)psv_size(format));
    const uint8_t *bytes = (const uint8_t *)records.ptr;
    CHECK_INT(psv_detect("none", bytes, records.len), (int)format);
    PsvGames games;
    /* Without the last byte, the last record is ignored. */
    psv_games_init(&games, format, bytes, records.len - 1);
    CHECK(psv_next_game(&games, &got));
    CHECK_INT(got.move_count, 2);
    check_moves(&got, &game, 0);
    CHECK(psv_next_game(&games, &got));
    CHECK_INT(got.move_count, MOVES - 4);
    check_moves(&got, &game, 3);
    CHECK(!psv_next_game(&games, &got));
    CHECK_INT((int)games.count.converted, MOVES - 2);
    CHECK(games.count.illegal == 0 && games.count.unplayable == 0);
    psv_games_free(&games);
    packed_game_free(&got);
    packed_game_free(&game);
    strbuf_free(&records);
}

static void test_games(void) {
    check_games(PSV_SFEN);
    check_games(PSV_HCPE);
}

/* A record with an illegal move or an invalid position ends the game before it and does not belong
 * to any game. */
static void test_bad_records(void) {
    Position pos = position_at("startpos");
    PsvRecord record = {.setup = pos_get(&pos), .move = move_make(SQ(7, 7), SQ(7, 6))};
    uint8_t bytes[4 * PSV_SIZE] = {0};
    CHECK(psv_write(PSV_SFEN, &record, bytes + PSV_SIZE));
    pos_do(&pos, record.move);
    record.setup = pos_get(&pos);
    CHECK(psv_write(PSV_SFEN, &record, bytes + 2 * PSV_SIZE));
    CHECK(psv_write(PSV_SFEN, &record, bytes + 3 * PSV_SIZE));
    PsvGames games;
    PackedGame game = {.move_count = 0};
    psv_games_init(&games, PSV_SFEN, bytes, sizeof(bytes));
    CHECK(psv_next_game(&games, &game));
    CHECK_INT(game.move_count, 1);
    CHECK_INT(game.winner, KMD_WINNER_DRAW);
    CHECK(!psv_next_game(&games, &game));
    CHECK_INT((int)games.count.converted, 1);
    CHECK_INT((int)games.count.unplayable, 1);
    CHECK_INT((int)games.count.illegal, 2);
    psv_games_free(&games);
    packed_game_free(&game);
    pos_free(&pos);
}

/* Trainers do not read the move, and some pools have none. Such records keep their position, score
 * and result, also among others, and are written as they were. */
static void check_without_moves(PsvFormat format) {
    size_t size = psv_size(format);
    uint8_t bytes[4 * PSV_SIZE];
    Position pos = position_at("startpos");
    PsvRecord record = {.result = 1};
    for (int i = 0; i < 4; i++) {
        record.setup = pos_get(&pos);
        record.score = 30 + 8 * i;
        record.move = i == 2 ? move_make(SQ(2, 6), SQ(2, 5)) : MOVE_NONE;
        CHECK(psv_write(format, &record, bytes + (size_t)i * size));
        pos_do(&pos, i % 2 == 0 ? move_make(SQ(2, 7 - i / 2), SQ(2, 6 - i / 2))
                                : move_make(SQ(8, 3), SQ(8, 4)));
    }
    CHECK_INT(psv_detect("none", bytes, 4 * size), (int)format);
    PsvGames games;
    PsvCount count = {0};
    StrBuf again = STRBUF_INIT;
    PackedGame game = {.move_count = 0};
    psv_games_init(&games, format, bytes, 4 * size);
    for (int i = 0; i < 4; i++) {
        CHECK(psv_next_game(&games, &game));
        CHECK_INT(game.move_count, 1);
        CHECK_INT(game.reason, i == 2 ? PACK_UNKNOWN : PACK_NO_MOVE);
        CHECK_INT(game.moves[0].score, 30 + 8 * i);
        CHECK_INT(game.winner, i % 2 == 0 ? KMD_WINNER_BLACK : KMD_WINNER_WHITE);
        psv_from_game(format, &game, &count, &again);
    }
    CHECK(!psv_next_game(&games, &game));
    CHECK(again.len == 4 * size && memcmp(again.ptr, bytes, 4 * size) == 0);
    psv_games_free(&games);
    packed_game_free(&game);
    strbuf_free(&again);
    pos_free(&pos);
}

static void test_without_moves(void) {
    check_without_moves(PSV_SFEN);
    check_without_moves(PSV_HCPE);
}

UNIT_MAIN({"start", test_start}, {"drop and promotion", test_drop_and_promotion},
          {"round trip", test_round_trip}, {"handicap", test_handicap},
          {"hcpe start", test_hcpe_start}, {"hcpe hands", test_hcpe_hands},
          {"refused", test_refused}, {"formats", test_formats}, {"games", test_games},
          {"bad records", test_bad_records}, {"without moves", test_without_moves})
