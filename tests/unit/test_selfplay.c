/* Tests how self-play starts, plays and labels its games. */
#include "train/selfplay.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "eval/net.h"
#include "rules/position.h"
#include "unit.h"

/* The longest possible search does not delay a stop. */
static void stop_ends_a_search(void) {
    Selfplay *play = selfplay_create(&(SelfplayOptions){.nodes = 100000000});
    PackedGame game = {.move_count = 0};
    _Atomic bool cancel = true;
    CHECK_INT(selfplay_game(play, 1, &cancel, &game), SELFPLAY_STOPPED);
    packed_game_free(&game);
    selfplay_free(play);
}

/* A network with only an output bias. It evaluates the mover as far behind in every position, so
 * every move seems to win and all openings except those of handicap games are rejected. (If every
 * move seemed to lose, a move that draws by repetition would save some openings.) */
static NnueNet *modest_net(void) {
    NnueNet *net = net_create_shape(&(NetShape){.hidden = 32, .buckets = 1, .scale = 400});
    net->output_bias[0] = -125000000;
    net_finish(net);
    return net;
}

static void no_opening_ends_the_game(void) {
    enum { TRIALS = 2 };
    NnueNet *net = modest_net();
    Selfplay *play = selfplay_create(&(SelfplayOptions){.nodes = 20, .net = net});
    PackedGame game = {.move_count = 0};
    _Atomic bool cancel = false;
    int refused = 0;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        refused += selfplay_game(play, seed, &cancel, &game) == SELFPLAY_NO_OPENING;
    }
    CHECK(refused > 0);
    packed_game_free(&game);
    selfplay_free(play);
    net_free(net);
}

/* Counts over games. */
typedef struct Census {
    int handicaps;
    int reasons[PACK_REASON_NB];
    int mates;         /* number of positions with a mate score */
    int ranging;       /* number of sides whose rook has left its file by ply 20 */
    int unscored_late; /* number of positions without a score after the random moves */
} Census;

static void count_game(Census *census, const PackedGame *game) {
    Position pos;
    int pieces = 0;
    pos_init(&pos);
    pos_set(&pos, &game->start);
    for (Square sq = 0; sq < SQ_NB; sq++) {
        pieces += game->start.board[sq] != NO_PIECE;
    }
    for (int i = 0; i < game->move_count; i++) {
        int score = game->moves[i].score;
        CHECK(i > 7 || score == PACK_NO_SCORE);
        census->mates += score != PACK_NO_SCORE && abs(score) > 30000;
        census->unscored_late += score == PACK_NO_SCORE && i > 9;
        if (i == 20 && pieces == 40) {
            census->ranging += pos_piece(&pos, sq_make(1, 7)) != piece_make(BLACK, ROOK);
            census->ranging += pos_piece(&pos, sq_make(7, 1)) != piece_make(WHITE, ROOK);
        }
        pos_do(&pos, game->moves[i].move);
    }
    pos_free(&pos);
    CHECK(!game->is_unequal && game->winner != KMD_WINNER_NONE);
    census->handicaps += pieces < 40;
    census->reasons[game->reason]++;
}

static Census play_games(const SelfplayOptions *options, int count) {
    Census census = {0};
    Selfplay *play = selfplay_create(options);
    PackedGame game = {.move_count = 0};
    _Atomic bool cancel = false;
    for (int i = 1; i <= count; i++) {
        CHECK_INT(selfplay_game(play, (uint64_t)i, &cancel, &game), SELFPLAY_DONE);
        count_game(&census, &game);
    }
    packed_game_free(&game);
    selfplay_free(play);
    return census;
}

/* One game in twenty is a handicap game. */
static void games_are_played_out(void) {
    enum { TRIALS = 100 };
    Census out = play_games(&(SelfplayOptions){.nodes = 60}, TRIALS);
    CHECK(out.reasons[PACK_MATE] > TRIALS / 2);
    CHECK_INT(out.reasons[PACK_ADJUDICATED] + out.reasons[PACK_UNKNOWN], 0);
    CHECK(out.mates > TRIALS / 2);
    CHECK_INT(out.unscored_late, 0);
    CHECK(out.ranging > TRIALS / 3 && out.ranging < TRIALS * 3 / 2);
    CHECK(out.handicaps > 0 && out.handicaps < TRIALS / 8);
}

/* After the random moves, half of the games continue with moves without a score. */
static void games_play_off_policy_first(void) {
    enum { TRIALS = 40, PLIES = 20 };
    Census all = play_games(&(SelfplayOptions){.nodes = 60, .off_policy = PLIES}, TRIALS);
    CHECK(all.unscored_late > TRIALS / 8 * PLIES / 2);
    CHECK(all.unscored_late < TRIALS * PLIES / 2);
}

/* The result of a game against another evaluation counts, and each plays either side. */
static void games_are_against_opponents(void) {
    enum { TRIALS = 20 };
    NnueNet *net = net_create_shape(&(NetShape){.hidden = 32, .buckets = 1, .scale = 400});
    net_finish(net);
    SelfplayOptions options = {
        .nodes = 60, .opponents = {net}, .opponent_count = 1, .opponent_share = 60};
    Selfplay *play = selfplay_create(&options);
    PackedGame game = {.move_count = 0};
    _Atomic bool cancel = false;
    int games[COLOR_NB] = {0, 0};
    for (int i = 1; i <= TRIALS; i++) {
        CHECK_INT(selfplay_game(play, (uint64_t)i, &cancel, &game), SELFPLAY_DONE);
        CHECK(!game.is_unequal);
        for (int color = BLACK; color <= WHITE; color++) {
            bool is_opponent = game.evaluation[color] == net->id;
            CHECK(is_opponent || game.evaluation[color] == PACK_HANDWRITTEN);
            games[color] += is_opponent;
        }
    }
    CHECK(games[BLACK] > 0 && games[WHITE] > 0 && games[BLACK] + games[WHITE] < TRIALS);
    packed_game_free(&game);
    selfplay_free(play);
    net_free(net);
}

static void nodes_are_counted(void) {
    Selfplay *play = selfplay_create(&(SelfplayOptions){.nodes = 60});
    PackedGame game = {.move_count = 0};
    _Atomic bool cancel = false;
    CHECK_INT(selfplay_game(play, 1, &cancel, &game), SELFPLAY_DONE);
    uint64_t nodes = selfplay_nodes(play);
    CHECK(nodes >= (uint64_t)game.move_count * 30);
    CHECK(nodes <= (uint64_t)game.move_count * 60 * 4 + 60 * 4 * SELFPLAY_ATTEMPTS);
    packed_game_free(&game);
    selfplay_free(play);
}

UNIT_MAIN({"a stop ends a search", stop_ends_a_search},
          {"a net that refuses each opening", no_opening_ends_the_game},
          {"games are played out", games_are_played_out},
          {"games play off policy first", games_play_off_policy_first},
          {"games are against opponents", games_are_against_opponents},
          {"nodes are counted", nodes_are_counted})
