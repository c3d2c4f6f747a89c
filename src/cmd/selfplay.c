#include "cmd/selfplay.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/rng.h"
#include "base/xmem.h"
#include "cmd/searchwait.h"
#include "eval/values.h"
#include "rules/movegen.h"
#include "rules/see.h"
#include "rules/sfen.h"
#include "search/pool.h"

/* How games come about. The shares are out of a hundred. */
enum {
    HASH_MB = 8,
    OPENING_LEAST = 8,  /* random moves, or one more */
    OPENING_LOSS = 150, /* no random move that throws away more, if it can be helped */
    OPENING_TRIES = 8,
    OPENING_LIMIT = 400, /* nor an opening that is worth more to one side */
    ENTERING_SHARE = 4,
    ENTERING_LIMIT = 800,
    HANDICAP_SHARE = 5,
    ADJUDICATE_SCORE = 2000,
    ADJUDICATE_PLIES = 6,
    PLAYED_OUT_SHARE = 10,
    MOST_MOVES = 400,
};

/* A search of more nodes is looked after so often, lest a cancelled game waits for its end. */
#define QUICK_NODES ((uint64_t)50000)

struct Player {
    Pool *pool;
    SearchOptions options;
    GoLimits limits;
    Rng rng;
    Position pos;
    bool is_handicap;
    const _Atomic bool *cancel;
    SearchWait wait;
};

Player *selfplay_create(uint64_t nodes, const struct NnueNet *net) {
    Player *player = xmem_calloc(1, sizeof(*player));
    player->pool = pool_create();
    pool_set_threads(player->pool, 1);
    pool_set_net(player->pool, net, cpu_features());
    player->limits.nodes = nodes;
    player->options = (SearchOptions){.multi_pv = 1, .resign_value = SCORE_INFINITE + 1};
    pos_init(&player->pos);
    searchwait_init(&player->wait);
    if (!tt_resize(pool_table(player->pool), HASH_MB)) {
        tt_init(pool_table(player->pool)); /* without a table it is only weaker */
    }
    return player;
}

void selfplay_free(Player *player) {
    pool_free(player->pool);
    pos_free(&player->pos);
    searchwait_free(&player->wait);
    free(player);
}

static bool is_cancelled(const Player *player) {
    return atomic_load_explicit(player->cancel, memory_order_relaxed);
}

/* Searches the position; the answer is in player->wait.result. False when the game is cancelled. */
static bool think(Player *player) {
    SearchRequest request = {
        .pos = &player->pos,
        .limits = &player->limits,
        .options = &player->options,
        .sink = {.context = &player->wait, .on_done = searchwait_note},
        .start_ns = clock_ns(),
    };
    searchwait_begin(&player->wait);
    pool_start(player->pool, &request);
    while (player->limits.nodes > QUICK_NODES && !searchwait_look(&player->wait)) {
        if (is_cancelled(player)) {
            pool_stop(player->pool);
        }
    }
    pool_wait(player->pool);
    return !is_cancelled(player);
}

/* Two games in a row must not know of each other. */
static void forget(Player *player) {
    pool_new_game(player->pool);
    tt_clear(pool_table(player->pool), 1, NULL);
}

/* ---- openings -------------------------------------------------------------------------------- */

static Setup handicap_start(Rng *rng) {
    static const char *const sfens[] = {
        "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    };
    Setup setup = setup_start();
    SfenError error = sfen_read(sv_from(sfens[rng_below(rng, COUNTOF(sfens))]), &setup, NULL);
    ASSERT(error == SFEN_OK);
    (void)error;
    return setup;
}

/* Puts a piece of `color` on a random empty square of its promotion zone or the ranks before it,
 * promoted where that is possible; into the hand when the square is not for it. */
static void scatter_piece(Rng *rng, Setup *setup, Color color, PieceType type) {
    int depth = (int)rng_below(rng, 5);
    int rank = color == BLACK ? depth : RANK_NB - 1 - depth;
    Square sq = sq_make((int)rng_below(rng, FILE_NB), rank);
    bool in_hand = rng_below(rng, 3) == 0;
    if (in_hand || setup->board[sq] != NO_PIECE) {
        setup->hand[color] = hand_add(setup->hand[color], type);
        return;
    }
    bool promotes = pt_can_promote(type) && depth < 3;
    setup->board[sq] = piece_make(color, promotes ? pt_promote(type) : type);
}

/* A position in which both kings are on their way into the enemy camp or have arrived. */
static Setup entering_start(Rng *rng) {
    Setup setup;
    do {
        setup = (Setup){.side = (Color)rng_below(rng, 2), .ply = 1};
        Square black = sq_make((int)rng_below(rng, FILE_NB), (int)rng_below(rng, 4));
        Square white = sq_make((int)rng_below(rng, FILE_NB), 8 - (int)rng_below(rng, 5));
        setup.board[black] = piece_make(BLACK, KING);
        setup.board[white] = piece_make(WHITE, KING);
        for (int type = PAWN; type <= GOLD; type++) {
            for (int i = 0; i < pt_total((PieceType)type); i++) {
                scatter_piece(rng, &setup, (Color)rng_below(rng, 2), (PieceType)type);
            }
        }
    } while (setup_check(&setup, NULL) != SETUP_OK);
    return setup;
}

/* A random move, if possible none that loses material at once. MOVE_NONE when there is none. */
static Move opening_move(Player *player) {
    Move list[MAX_MOVES];
    int count = gen_moves(&player->pos, GEN_LEGAL, list);
    Move move = MOVE_NONE;
    for (int i = 0; i < OPENING_TRIES && count > 0; i++) {
        move = list[rng_below(&player->rng, (uint64_t)count)];
        if (see_reaches(&player->pos, move, -OPENING_LOSS, capture_values())) {
            break;
        }
    }
    return move;
}

/* Plays the random moves. False when the game ended by them, is worth too much to one side or is
 * cancelled. */
static bool play_opening(Player *player, PackedGame *game, int moves, int limit) {
    for (int i = 0; i < moves; i++) {
        Move move = opening_move(player);
        if (move == MOVE_NONE) {
            return false;
        }
        pack_game_add(game, move, PACK_NO_SCORE);
        pos_do(&player->pos, move);
    }
    if (!has_legal_move(&player->pos)) {
        return false;
    }
    return think(player) && abs(player->wait.result.score) <= limit;
}

/* The kind of start is drawn once: an opening that is played anew is one of the same kind. */
static SelfplayEnd begin_game(Player *player, PackedGame *game) {
    uint64_t kind = rng_below(&player->rng, 100);
    for (int i = 0; i < SELFPLAY_ATTEMPTS; i++) {
        int moves = OPENING_LEAST + (int)rng_below(&player->rng, 2);
        int limit = OPENING_LIMIT;
        Setup start = setup_start();
        player->is_handicap = false;
        if (kind < ENTERING_SHARE) {
            start = entering_start(&player->rng);
            moves = 0;
            limit = ENTERING_LIMIT;
        } else if (kind < ENTERING_SHARE + HANDICAP_SHARE) {
            start = handicap_start(&player->rng);
            player->is_handicap = true;
            limit = SCORE_EVAL_MAX;
        }
        player->options.declare = player->is_handicap ? DECLARE_27H : DECLARE_27;
        pack_game_begin(game, &start);
        pos_set(&player->pos, &start);
        if (play_opening(player, game, moves, limit)) {
            return SELFPLAY_DONE;
        }
        if (is_cancelled(player)) {
            return SELFPLAY_STOPPED;
        }
    }
    return SELFPLAY_NO_OPENING;
}

/* ---- the game -------------------------------------------------------------------------------- */

static void end_game(PackedGame *game, Winner winner, PackReason reason) {
    game->winner = winner;
    game->reason = reason;
}

static Winner winner_of(Color color) {
    return color == BLACK ? WINNER_BLACK : WINNER_WHITE;
}

/* True when the rules have ended the game. */
static bool is_over(const Player *player, PackedGame *game) {
    OutcomeRules rules = {.declare = player->options.declare};
    Outcome outcome = outcome_of(&player->pos, &rules);
    switch (outcome.kind) {
    case OUTCOME_ONGOING:
        break;
    case OUTCOME_SENNICHITE:
    case OUTCOME_PERPETUAL_CHECK:
        end_game(game, outcome.winner, PACK_REPETITION);
        return true;
    default:
        end_game(game, outcome.winner, PACK_MATE);
        return true;
    }
    if (game->move_count >= MOST_MOVES) {
        end_game(game, WINNER_DRAW, PACK_MAX_MOVES);
        return true;
    }
    return false;
}

/* For how many plies the scores have agreed that one side has won: > 0 black, < 0 white. */
static int count_decided(int run, Score score, Color side) {
    if (abs(score) < ADJUDICATE_SCORE) {
        return 0;
    }
    int sign = (score > 0) == (side == BLACK) ? 1 : -1;
    return run * sign > 0 ? run + sign : sign;
}

SelfplayEnd selfplay_begin(Player *player, uint64_t seed, const _Atomic bool *cancel,
                           PackedGame *game) {
    player->cancel = cancel;
    player->rng = rng_init(seed);
    forget(player);
    return begin_game(player, game);
}

SelfplayEnd selfplay_game(Player *player, uint64_t seed, const _Atomic bool *cancel,
                          PackedGame *game) {
    SelfplayEnd end = selfplay_begin(player, seed, cancel, game);
    bool is_played_out = rng_below(&player->rng, 100) < PLAYED_OUT_SHARE;
    int run = 0;
    while (end == SELFPLAY_DONE && !is_over(player, game)) {
        if (!think(player)) {
            return SELFPLAY_STOPPED;
        }
        Color side = player->pos.side;
        if (player->wait.result.best == MOVE_WIN) {
            end_game(game, winner_of(side), PACK_DECLARATION);
            break;
        }
        Score score = player->wait.result.score;
        bool has_score = abs(score) <= SCORE_MATE;
        pack_game_add(game, player->wait.result.best, has_score ? score : PACK_NO_SCORE);
        pos_do(&player->pos, player->wait.result.best);
        run = has_score ? count_decided(run, score, side) : 0;
        if (!is_played_out && abs(run) >= ADJUDICATE_PLIES) {
            end_game(game, run > 0 ? WINNER_BLACK : WINNER_WHITE, PACK_ADJUDICATED);
            break;
        }
    }
    return end;
}
