/* Tests which positions at the ends of lines are written, and with which labels. */
#include "train/lineends.h"

#include <stdlib.h>

#include "random_net.h"
#include "rules/usimove.h"

enum { AHEAD = 904 }; /* a score that the format stores exactly */

/* White has no rook, so black is ahead whatever happens. */
static const char *const start = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
static const char *const moves[] = {"8c8d", "7g7f", "3c3d", "2g2f", "4c4d", "2f2e", "2b3c", "3i4h"};

/* A file of one game, in which the scores say that black is ahead. `last` is the number of its
 * moves that count; 0: all. */
static StrBuf write_game(KmdWinner winner, bool is_unequal, int last) {
    Position pos = position_at(start);
    Setup setup = pos_get(&pos);
    PackedGame game = {.move_count = 0};
    PackOrigin origin = {.nodes = 100};
    StrBuf bytes = STRBUF_INIT;
    packed_game_begin(&game, &setup);
    for (int i = 0; i < (last > 0 ? last : (int)COUNTOF(moves)); i++) {
        /* The second position has no score. */
        int score = i == 1 ? PACK_NO_SCORE : i % 2 == 0 ? -AHEAD : AHEAD;
        packed_game_add(&game, usimove_read(sv_from(moves[i])), score);
    }
    game.winner = winner;
    game.reason = PACK_ADJUDICATED;
    game.is_unequal = is_unequal;
    packed_write_header(&origin, &bytes);
    packed_write_block(&game, 1, &origin, &bytes);
    packed_game_free(&game);
    pos_free(&pos);
    return bytes;
}

static PackBlock block_of(const StrBuf *bytes) {
    PackReader reader;
    PackBlock block;
    CHECK(packed_read_begin(&reader, bytes->ptr, bytes->len));
    CHECK(packed_read_block(&reader, &block));
    return block;
}

/* The file of line ends of a file of games. */
static StrBuf find_ends(const StrBuf *games, const LineEndOptions *options, LineEndCount *count) {
    static const _Atomic bool never = false;
    PackOrigin origin = {.nodes = 0};
    StrBuf out = STRBUF_INIT;
    PackBlock block = block_of(games);
    LineEnds *ends = lineends_create(options);
    packed_write_header(&origin, &out);
    CHECK(lineends_add_block(ends, &block, &never, &out));
    *count = lineends_count(ends);
    lineends_free(ends);
    return out;
}

static const LineEndOptions usual = {.nodes = 500, .lookahead = 0.5, .scale = 400, .threads = 1};

/* The sides that are to move at the ends. */
typedef struct Seen {
    int count[COLOR_NB];
} Seen;

static bool look_at_end(void *context, const PackedGame *end) {
    Seen *seen = context;
    Color side = end->start.side;
    CHECK_INT(end->move_count, 1);
    CHECK_INT(end->winner, KMD_WINNER_BLACK);
    CHECK(!end->is_unequal);
    CHECK(end->start.ply > 1);
    /* The label is for the side to move at the end, whoever was to move before the line. */
    CHECK_INT(end->moves[0].score, side == BLACK ? AHEAD : -AHEAD);
    seen->count[side]++;
    return true;
}

static void labels_are_those_of_the_games_positions(void) {
    LineEndCount count;
    StrBuf games = write_game(KMD_WINNER_BLACK, false, 0);
    StrBuf ends = find_ends(&games, &usual, &count);
    Seen seen = {{0}};
    PackBlock block = block_of(&ends);
    CHECK(packed_decode_block(&block, look_at_end, &seen));
    CHECK_INT((int64_t)count.searches, (int64_t)COUNTOF(moves) - 1);
    CHECK_INT(seen.count[BLACK] + seen.count[WHITE], (int64_t)count.kept);
    CHECK_INT(block.games, (int64_t)count.kept);
    CHECK(seen.count[BLACK] > 0 && seen.count[WHITE] > 0);
    strbuf_free(&games);
    strbuf_free(&ends);
}

/* A result says nothing about the positions of unequal players, and short games are positions of
 * trees. */
static void other_games_are_left_out(void) {
    struct {
        KmdWinner winner;
        bool is_unequal;
        int last;
    } cases[] = {{KMD_WINNER_NONE, false, 0},
                 {KMD_WINNER_BLACK, true, 0},
                 {KMD_WINNER_BLACK, false, LINE_GAME_MIN - 1}};
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        LineEndCount count;
        StrBuf games = write_game(cases[i].winner, cases[i].is_unequal, cases[i].last);
        StrBuf ends = find_ends(&games, &usual, &count);
        CHECK_INT((int64_t)ends.len, PACK_HEADER_SIZE);
        CHECK_INT((int64_t)(count.searches + count.kept), 0);
        strbuf_free(&games);
        strbuf_free(&ends);
    }
}

/* With a network whose evaluation has nothing to do with material, the line still leads to the
 * score. */
static void a_network_may_search(void) {
    Rng rng = rng_init(5);
    NnueNet *net = random_net(&rng, 32, 1, 60);
    LineEndOptions options = usual;
    LineEndCount count;
    options.net = net;
    StrBuf games = write_game(KMD_WINNER_DRAW, false, 0);
    StrBuf ends = find_ends(&games, &options, &count);
    CHECK(count.kept > 0 && count.kept <= count.searches);
    strbuf_free(&games);
    strbuf_free(&ends);
    net_free(net);
}

UNIT_MAIN({"labels are those of the game's positions", labels_are_those_of_the_games_positions},
          {"other games are left out", other_games_are_left_out},
          {"a network may search", a_network_may_search})
