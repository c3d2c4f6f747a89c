#include "train/packed.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/rng.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "rules/sfen.h"
#include "unit.h"

/* A game of random moves with scores that vary like real ones. */
static PackedGame random_game(Rng *rng, const char *sfen, int moves) {
    Position pos;
    pos_init(&pos);
    CHECK_INT(pos_set_sfen(&pos, sv_from(sfen), NULL), KMD_OK);
    PackedGame game = {.move_count = 0};
    Setup start = pos_get(&pos);
    packed_game_begin(&game, &start);
    int score = 0;
    for (int i = 0; i < moves; i++) {
        Move list[MAX_MOVES];
        int count = gen_moves(&pos, GEN_LEGAL, list);
        if (count == 0) {
            break;
        }
        Move move = list[rng_below(rng, (uint64_t)count)];
        bool has_score = i >= 8 && rng_below(rng, 50) != 0;
        score = -score + (int)rng_below(rng, 61) - 30;
        if (rng_below(rng, 100) == 0) {
            score = (int)rng_below(rng, 65535) - 32767;
        }
        packed_game_add(&game, move, has_score ? score : PACK_NO_SCORE);
        pos_do(&pos, move);
    }
    game.winner = (KmdWinner)rng_below(rng, 4);
    game.reason = (PackReason)rng_below(rng, PACK_REASON_NB);
    game.is_unequal = rng_below(rng, 2) != 0;
    for (int color = BLACK; color <= WHITE; color++) {
        game.evaluation[color] = rng_below(rng, 3) == 0 ? rng_next(rng) : rng_below(rng, 4);
    }
    pos_free(&pos);
    return game;
}

static bool same_setup(const Setup *a, const Setup *b) {
    return memcmp(a->board, b->board, sizeof(a->board)) == 0 && a->hand[0] == b->hand[0] &&
           a->hand[1] == b->hand[1] && a->side == b->side && a->ply == b->ply;
}

static bool same_game(const PackedGame *got, const PackedGame *want) {
    bool is_same = same_setup(&got->start, &want->start) && got->winner == want->winner &&
                   got->reason == want->reason && got->is_unequal == want->is_unequal &&
                   got->evaluation[BLACK] == want->evaluation[BLACK] &&
                   got->evaluation[WHITE] == want->evaluation[WHITE] &&
                   got->move_count == want->move_count;
    for (int i = 0; is_same && i < got->move_count; i++) {
        int score = want->moves[i].score;
        int stored =
            score == PACK_NO_SCORE ? PACK_NO_SCORE : packed_dequantize(packed_quantize(score));
        is_same = got->moves[i].move == want->moves[i].move && got->moves[i].score == stored;
    }
    return is_same;
}

/* The expected result of reading. */
typedef struct Expected {
    const PackedGame *games;
    int count;
    int next;
    int wrong;
} Expected;

static bool compare_next(void *context, const PackedGame *game) {
    Expected *expected = context;
    expected->wrong +=
        expected->next >= expected->count || !same_game(game, &expected->games[expected->next]);
    expected->next++;
    return true;
}

enum { GAMES = 12, BLOCKS = 3 };

static const char *const starts[] = {
    "startpos",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1+P2K4/+R8/9/9/9/9/9/9/3k5 w BGSNL5Prb2g2s2n2l5p 77",
};

static StrBuf write_file(PackedGame *games) {
    Rng rng = rng_init(41);
    PackOrigin origin = {.net_id = 7, .seed = 8, .rules = 5, .nodes = 9, .shard = 1, .shards = 2};
    StrBuf bytes = STRBUF_INIT;
    packed_write_header(&origin, &bytes);
    for (int i = 0; i < GAMES; i++) {
        games[i] = random_game(&rng, starts[rng_below(&rng, COUNTOF(starts))], 20 + i * 10);
    }
    for (int i = 0; i < BLOCKS; i++) {
        packed_write_block(games + i * GAMES / BLOCKS, GAMES / BLOCKS, &origin, &bytes);
    }
    return bytes;
}

static void free_games(PackedGame *games) {
    for (int i = 0; i < GAMES; i++) {
        packed_game_free(&games[i]);
    }
}

static void test_round_trip(void) {
    PackedGame games[GAMES];
    StrBuf bytes = write_file(games);
    PackReader reader;
    CHECK(packed_read_begin(&reader, bytes.ptr, bytes.len));
    CHECK(reader.has_header);
    CHECK_INT(reader.origin.net_id, 7);
    CHECK_INT(reader.origin.seed, 8);
    CHECK_INT(reader.origin.nodes, 9);
    CHECK_INT(reader.origin.rules, 5);
    CHECK_INT(reader.origin.shard, 1);
    CHECK_INT(reader.origin.shards, 2);
    Expected expected = {games, GAMES, 0, 0};
    PackBlock block;
    int blocks = 0;
    while (packed_read_block(&reader, &block)) {
        CHECK(packed_decode_block(&block, compare_next, &expected));
        CHECK_INT(block.games, GAMES / BLOCKS);
        CHECK_INT(block.origin.net_id, 7);
        blocks++;
    }
    CHECK_INT(blocks, BLOCKS);
    CHECK_INT(expected.next, GAMES);
    CHECK_INT(expected.wrong, 0);
    CHECK_INT(reader.damaged_bytes, 0);
    free_games(games);
    strbuf_free(&bytes);
}

static int good_blocks(const char *bytes, size_t len, PackReader *reader) {
    PackBlock block;
    int blocks = 0;
    if (!packed_read_begin(reader, bytes, len)) {
        return 0;
    }
    while (packed_read_block(reader, &block)) {
        blocks++;
    }
    return blocks;
}

/* One wrong byte damages only its block or the header, and is counted. */
static void test_damage(void) {
    PackedGame games[GAMES];
    StrBuf bytes = write_file(games);
    PackReader reader;
    CHECK_INT(good_blocks(bytes.ptr, bytes.len, &reader), BLOCKS);
    for (size_t at = 0; at < bytes.len; at += 13) {
        bytes.ptr[at] ^= 0x40;
        CHECK_INT(good_blocks(bytes.ptr, bytes.len, &reader), BLOCKS - (at >= PACK_HEADER_SIZE));
        CHECK(reader.damaged_bytes > 0);
        CHECK_INT(reader.damaged_regions, 1);
        bytes.ptr[at] ^= 0x40;
    }
    CHECK_INT(good_blocks(bytes.ptr, bytes.len - 1, &reader), BLOCKS - 1);
    CHECK_INT(good_blocks(bytes.ptr, PACK_HEADER_SIZE, &reader), 0);
    CHECK_INT(good_blocks(bytes.ptr, 10, &reader), 0);
    CHECK(!packed_read_begin(&reader, "", 0));
    free_games(games);
    strbuf_free(&bytes);
}

/* A valid header of another version is an error, because its blocks could mean anything. */
static void test_other_version(void) {
    PackedGame games[GAMES];
    StrBuf bytes = write_file(games);
    PackReader reader;
    CHECK(!packed_read_begin(&reader, "nothing", 7));
    CHECK_STR(packed_refusal(&reader), "contains no games");
    bytes.ptr[8] = 4;
    CHECK_INT(good_blocks(bytes.ptr, bytes.len, &reader), BLOCKS);
    uint32_t crc = checksum_crc32(bytes.ptr, PACK_HEADER_SIZE - sizeof(crc));
    memcpy(bytes.ptr + PACK_HEADER_SIZE - sizeof(crc), &crc, sizeof(crc));
    CHECK_INT(good_blocks(bytes.ptr, bytes.len, &reader), 0);
    CHECK_STR(packed_refusal(&reader), "another version of the format");
    bytes.ptr[8] = 1;
    crc = checksum_crc32(bytes.ptr, PACK_HEADER_SIZE - sizeof(crc));
    memcpy(bytes.ptr + PACK_HEADER_SIZE - sizeof(crc), &crc, sizeof(crc));
    CHECK_INT(good_blocks(bytes.ptr, bytes.len, &reader), BLOCKS);
    free_games(games);
    strbuf_free(&bytes);
}

/* Joined files are read as one; a header in between that is damaged or of another version counts as
 * damage. */
static void test_joined(void) {
    PackedGame games[GAMES];
    StrBuf bytes = write_file(games);
    size_t len = bytes.len;
    StrBuf twice = STRBUF_INIT;
    strbuf_add(&twice, strbuf_view(&bytes));
    strbuf_add(&twice, strbuf_view(&bytes));
    strbuf_add_bytes(&twice, bytes.ptr, PACK_HEADER_SIZE);
    PackReader reader;
    CHECK_INT(good_blocks(twice.ptr, twice.len, &reader), 2 * BLOCKS);
    CHECK_INT((int64_t)reader.damaged_regions, 0);
    CHECK_INT((int64_t)reader.damaged_bytes, 0);
    twice.ptr[len - 1] ^= 1;
    CHECK_INT(good_blocks(twice.ptr, twice.len, &reader), 2 * BLOCKS - 1);
    CHECK_INT((int64_t)reader.damaged_regions, 1);
    CHECK(reader.damaged_bytes > 0 && reader.damaged_bytes < len - PACK_HEADER_SIZE);
    twice.ptr[len - 1] ^= 1;
    twice.ptr[len + 8] = 4;
    CHECK_INT(good_blocks(twice.ptr, twice.len, &reader), 2 * BLOCKS);
    CHECK_INT((int64_t)reader.damaged_bytes, PACK_HEADER_SIZE);
    uint32_t crc = checksum_crc32(twice.ptr + len, PACK_HEADER_SIZE - sizeof(crc));
    memcpy(twice.ptr + len + PACK_HEADER_SIZE - sizeof(crc), &crc, sizeof(crc));
    CHECK_INT(good_blocks(twice.ptr, twice.len, &reader), 2 * BLOCKS);
    CHECK_INT((int64_t)reader.damaged_bytes, PACK_HEADER_SIZE);
    free_games(games);
    strbuf_free(&bytes);
    strbuf_free(&twice);
}

static void test_scores(void) {
    int last = packed_quantize(-32767);
    for (int score = -32767; score <= 32767; score++) {
        int level = packed_quantize(score);
        int error = abs(packed_dequantize(level) - score);
        int size = abs(score);
        int allowed = size < 1024   ? 4
                      : size < 2048 ? 16
                      : size < 4096 ? 32
                      : size < 8192 ? 64
                                    : 512;
        if (level != -packed_quantize(-score) || level < last || error > allowed) {
            CHECK_INT(score, 0);
        }
        last = level;
    }
    CHECK_INT(packed_quantize(0), 0);
    CHECK_INT(packed_dequantize(packed_quantize(80)), 80);
    CHECK_INT(packed_quantize(3), 0);
    CHECK_INT(packed_quantize(5), 1);
}

/* The results of reading random bytes. */
typedef struct Nonsense {
    int moves;
    int illegal;
} Nonsense;

static bool check_moves(void *context, const PackedGame *game) {
    Nonsense *nonsense = context;
    Position pos;
    pos_init(&pos);
    pos_set(&pos, &game->start);
    for (int i = 0; i < game->move_count; i++) {
        if (!move_is_legal(&pos, game->moves[i].move)) {
            nonsense->illegal++;
            break;
        }
        pos_do(&pos, game->moves[i].move);
        nonsense->moves++;
    }
    pos_free(&pos);
    return true;
}

/* Random bytes with valid checksums never crash the decoder or yield an illegal move. */
static void test_nonsense(void) {
    enum { ROUNDS = 200 };
    Rng rng = rng_init(43);
    Nonsense nonsense = {0, 0};
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t content[300];
        for (size_t i = 0; i < sizeof(content); i++) {
            content[i] = (uint8_t)rng_next(&rng);
        }
        PackBlock block = {.games = 50, .content = content, .content_len = sizeof(content)};
        refused += !packed_decode_block(&block, check_moves, &nonsense);
    }
    CHECK_INT(nonsense.illegal, 0);
    CHECK(nonsense.moves > ROUNDS);
    CHECK_INT(refused, ROUNDS);
}

UNIT_MAIN({"what is written is read back", test_round_trip}, {"damage", test_damage},
          {"another version", test_other_version}, {"joined files", test_joined},
          {"scores", test_scores}, {"nonsense", test_nonsense})
