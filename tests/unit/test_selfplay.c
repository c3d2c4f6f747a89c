/* Tests how self-play starts and labels its games. */
#include "train/selfplay.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "eval/net.h"
#include "rules/position.h"
#include "unit.h"

enum { GAMES = 2000 };

typedef enum Start { START_EVEN, START_HANDICAP, START_ENTERING, START_NB } Start;

static Start kind_of(const Setup *start) {
    static const Square home = 4 * RANK_NB + 8; /* 5i */
    if (start->board[home] != piece_make(BLACK, KING)) {
        return START_ENTERING;
    }
    int count = 0;
    for (Square sq = 0; sq < SQ_NB; sq++) {
        count += start->board[sq] != NO_PIECE;
    }
    return count == 40 ? START_EVEN : START_HANDICAP;
}

/* An unbalanced opening is replaced by one of the same kind. Entering-king positions are often
 * unbalanced, but must still occur as often as intended. */
static void kinds_come_as_often_as_they_should(void) {
    Selfplay *play =
        selfplay_create(&(SelfplayOptions){.nodes = 20, .scale = 1400, .adjudicate = 97});
    PackedGame game = {.move_count = 0};
    _Atomic bool cancel = false;
    int count[START_NB] = {0};
    for (uint64_t seed = 1; seed <= GAMES; seed++) {
        CHECK_INT(selfplay_begin(play, seed, &cancel, &game), SELFPLAY_DONE);
        count[kind_of(&game.start)]++;
    }
    packed_game_free(&game);
    selfplay_free(play);
    CHECK(count[START_ENTERING] >= GAMES * 3 / 100 && count[START_ENTERING] <= GAMES * 5 / 100);
    CHECK(count[START_HANDICAP] >= GAMES * 4 / 100 && count[START_HANDICAP] <= GAMES * 6 / 100);
}

/* The longest possible search does not delay a stop. */
static void stop_ends_a_search(void) {
    Selfplay *play =
        selfplay_create(&(SelfplayOptions){.nodes = 100000000, .scale = 1400, .adjudicate = 97});
    PackedGames games = {.count = 0};
    _Atomic bool cancel = true;
    CHECK_INT(selfplay_game(play, 1, &cancel, &games), SELFPLAY_STOPPED);
    packed_games_free(&games);
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
    Selfplay *play = selfplay_create(
        &(SelfplayOptions){.nodes = 20, .scale = 1400, .adjudicate = 97, .net = net});
    PackedGame game = {.move_count = 0};
    _Atomic bool cancel = false;
    int refused = 0;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        refused += selfplay_begin(play, seed, &cancel, &game) == SELFPLAY_NO_OPENING;
    }
    CHECK(refused > 0);
    cancel = true;
    CHECK_INT(selfplay_begin(play, 1, &cancel, &game), SELFPLAY_STOPPED);
    packed_game_free(&game);
    selfplay_free(play);
    net_free(net);
}

/* Counts over the games of one set of rules. */
typedef struct Census {
    int unequal;
    int branches, leaves;
    int reasons[PACK_REASON_NB];
    int mates;         /* number of positions with a mate score */
    int ranging;       /* number of sides whose rook has left its file by ply 20 */
    int unscored_late; /* number of positions without a score after the opening */
} Census;

static void count_game(Census *census, const PackedGame *game) {
    Position pos;
    pos_init(&pos);
    pos_set(&pos, &game->start);
    for (int i = 0; i < game->move_count; i++) {
        int score = game->moves[i].score;
        census->mates += score != PACK_NO_SCORE && abs(score) > 30000;
        census->unscored_late += score == PACK_NO_SCORE && i > 9;
        if (i == 20 && kind_of(&game->start) == START_EVEN) {
            census->ranging += pos_piece(&pos, sq_make(1, 7)) != piece_make(BLACK, ROOK);
            census->ranging += pos_piece(&pos, sq_make(7, 1)) != piece_make(WHITE, ROOK);
        }
        pos_do(&pos, game->moves[i].move);
    }
    pos_free(&pos);
    census->unequal += game->is_unequal;
    census->reasons[game->reason]++;
}

static Census play_games(const SelfplayOptions *options, int count) {
    Census census = {0};
    Selfplay *play = selfplay_create(options);
    PackedGames games = {.count = 0};
    _Atomic bool cancel = false;
    for (int i = 1; i <= count; i++) {
        CHECK_INT(selfplay_game(play, (uint64_t)i, &cancel, &games), SELFPLAY_DONE);
        count_game(&census, &games.games[0]);
        for (int k = 1; k < games.count; k++) {
            const PackedGame *game = &games.games[k];
            bool is_leaf = packed_game_is_leaf(game);
            CHECK(game->moves[0].score != PACK_NO_SCORE && game->is_unequal == is_leaf);
            census.leaves += is_leaf;
            census.branches += !is_leaf;
            if (!is_leaf) {
                count_game(&census, game);
            }
        }
    }
    packed_games_free(&games);
    selfplay_free(play);
    return census;
}

static void games_are_played_out(void) {
    enum { TRIALS = 40 };
    Census out =
        play_games(&(SelfplayOptions){.nodes = 60, .scale = 1400, .adjudicate = 100}, TRIALS);
    CHECK_INT(out.reasons[PACK_ADJUDICATED], 0);
    CHECK(out.reasons[PACK_MATE] > TRIALS / 2);
    CHECK(out.mates > TRIALS);
    CHECK_INT(out.unscored_late, 0);
    CHECK_INT(out.unequal + out.branches + out.leaves, 0);
    CHECK(out.ranging > TRIALS / 3 && out.ranging < TRIALS * 3 / 2);
}

static void players_differ_and_deep_scores_lead_on(void) {
    enum { TRIALS = 40 };
    SelfplayOptions options = {.nodes = 60,
                               .scale = 400,
                               .adjudicate = 97,
                               .asymmetric = 50,
                               .deep = 10,
                               .deep_nodes = {1800, 1800},
                               .opponent_count =
                                   1}; /* the opponent is the hand-written evaluation */
    Census all = play_games(&options, TRIALS);
    CHECK(all.unequal > TRIALS / 4 && all.unequal < TRIALS * 3 / 4);
    CHECK(all.branches > 0);
    CHECK(all.reasons[PACK_ADJUDICATED] > 0);
    CHECK_INT(all.unscored_late, 0);
}

/* A sparring game is between two evaluations in the same search, and its result counts. */
static void sparring_games_count(void) {
    enum { TRIALS = 20 };
    NnueNet *net = net_create_shape(&(NetShape){.hidden = 32, .buckets = 1, .scale = 400});
    net_finish(net);
    SelfplayOptions options = {.nodes = 60,
                               .scale = 1400,
                               .adjudicate = 100,
                               .sparring = 60,
                               .asymmetric = 100,
                               .opponents = {net},
                               .opponent_count = 1};
    Selfplay *play = selfplay_create(&options);
    PackedGames games = {.count = 0};
    _Atomic bool cancel = false;
    int sparring[COLOR_NB] = {0, 0}, unequal = 0;
    for (int i = 1; i <= TRIALS; i++) {
        CHECK_INT(selfplay_game(play, (uint64_t)i, &cancel, &games), SELFPLAY_DONE);
        const PackedGame *game = &games.games[0];
        unequal += game->is_unequal;
        for (int color = BLACK; color <= WHITE && !game->is_unequal; color++) {
            bool is_opponent = game->evaluation[color] == net->id;
            CHECK(is_opponent || game->evaluation[color] == PACK_HANDWRITTEN);
            sparring[color] += is_opponent;
        }
    }
    CHECK_INT(unequal + sparring[BLACK] + sparring[WHITE], TRIALS);
    CHECK(unequal > 0 && sparring[BLACK] > 0 && sparring[WHITE] > 0);
    packed_games_free(&games);
    selfplay_free(play);
    net_free(net);
}

static void leaves_of_deep_searches_get_scores(void) {
    enum { TRIALS = 10, LEAVES = 6 };
    for (int focus = 0; focus <= 100; focus += 100) {
        SelfplayOptions options = {.nodes = 60,
                                   .scale = 1400,
                                   .adjudicate = 100,
                                   .deep = 10,
                                   .deep_nodes = {900, 3600},
                                   .leaves = LEAVES,
                                   .focus = focus,
                                   .label_nodes = {40, 80}};
        Census all = play_games(&options, TRIALS);
        CHECK(all.leaves > TRIALS * LEAVES && all.leaves < TRIALS * 400 / 10 * LEAVES);
        CHECK_INT(all.unscored_late, 0);
    }
}

/* After the moves of the opening, half of the games continue with moves without a score. */
static void games_play_off_policy_first(void) {
    enum { TRIALS = 40, PLIES = 20 };
    SelfplayOptions options = {.nodes = 60, .scale = 1400, .adjudicate = 100, .off_policy = PLIES};
    Census all = play_games(&options, TRIALS);
    CHECK(all.unscored_late > TRIALS / 8 * PLIES / 2);
    CHECK(all.unscored_late < TRIALS * PLIES / 2);
}

/* Of the games without handicap, which are 91 % of all games, half start from the list. */
static void games_begin_from_a_list(void) {
    enum { TRIALS = 400 };
    Setup start = setup_start();
    start.ply = 31; /* marks the games from the list */
    SelfplayOptions options = {
        .nodes = 20, .scale = 1400, .adjudicate = 97, .starts = &start, .start_count = 1};
    Selfplay *play = selfplay_create(&options);
    PackedGame game = {.move_count = 0};
    _Atomic bool cancel = false;
    int listed = 0;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        CHECK_INT(selfplay_begin(play, seed, &cancel, &game), SELFPLAY_DONE);
        bool is_listed = game.start.ply == 31;
        CHECK(!is_listed || game.move_count < 4);
        listed += is_listed;
    }
    packed_game_free(&game);
    selfplay_free(play);
    CHECK(listed > TRIALS * 35 / 100 && listed < TRIALS * 56 / 100);
}

static void nodes_are_counted(void) {
    SelfplayOptions options = {.nodes = 60, .scale = 1400, .adjudicate = 100};
    Selfplay *play = selfplay_create(&options);
    PackedGames games = {.count = 0};
    _Atomic bool cancel = false;
    CHECK_INT(selfplay_game(play, 1, &cancel, &games), SELFPLAY_DONE);
    uint64_t nodes = selfplay_nodes(play);
    CHECK(nodes >= (uint64_t)games.games[0].move_count * 30);
    CHECK(nodes <= (uint64_t)games.games[0].move_count * 60 * 4 + 60 * 4 * SELFPLAY_ATTEMPTS);
    packed_games_free(&games);
    selfplay_free(play);
}

UNIT_MAIN({"the kinds of start come as often as they should", kinds_come_as_often_as_they_should},
          {"a stop ends a search", stop_ends_a_search},
          {"a net that refuses each opening", no_opening_ends_the_game},
          {"games are played out", games_are_played_out},
          {"players differ, and deep scores lead on", players_differ_and_deep_scores_lead_on},
          {"sparring games count", sparring_games_count},
          {"leaves of deep searches get scores", leaves_of_deep_searches_get_scores},
          {"games play off policy first", games_play_off_policy_first},
          {"games begin from a list", games_begin_from_a_list},
          {"nodes are counted", nodes_are_counted})
