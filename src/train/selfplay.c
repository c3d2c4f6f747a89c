/* selfplay.c: plays one game: the opening, then the moves. Start reading at selfplay_game, at the
 * end of the file. */
#include "train/selfplay.h"

#include <stdlib.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/rng.h"
#include "base/xmem.h"
#include "eval/net.h"
#include "eval/values.h"
#include "mate/matesolver.h"
#include "record/handicap.h"
#include "rules/movegen.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/repetition.h"
#include "search/pool.h"

/* How games are played. The shares are percentages. */
enum {
    HASH_MB = 8,
    OPENING_MIN = 8,    /* number of random moves; sometimes one more */
    OPENING_LOSS = 150, /* random moves should not lose more than this */
    OPENING_TRIES = 8,
    OPENING_LIMIT = 400, /* an opening worth more than this to one side is replaced */
    RANGING_SHARE = 45,  /* share of a side's openings in which its rook goes to files 5 to 7 */
    HANDICAP_SHARE = 5,
    OFF_POLICY_SHARE = 50,
    OFF_POLICY_RANDOM = 15, /* percentage of random moves */
    OFF_POLICY_FASTER = 4,  /* the other moves are searched with this many times fewer nodes */
    OFF_POLICY_LIMIT = 900, /* like OPENING_LIMIT, after the off-policy plies */
    GAME_MAX_MOVES = 400,
};

/* A search with a limit of N nodes is interrupted after HARD_FACTOR * N nodes. */
enum { HARD_FACTOR = 4 };

/* Before each search, the mate solver may use 1 / MATE_DIVISOR of its nodes, but at least
 * MATE_MIN. */
enum { MATE_DIVISOR = 8, MATE_MIN = 100 };
#define MATE_BYTES ((size_t)2 << 20)

/* A search with its own table. */
typedef struct SelfplaySide {
    Pool *pool;
    const struct NnueNet *net; /* NULL: the hand-written evaluation */
} SelfplaySide;

/* The result of a search. */
typedef struct Verdict {
    Move move; /* the move to play, or MOVE_WIN */
    Score score;
    bool is_proved; /* the mate solver found this mate before any search */
} Verdict;

struct Selfplay {
    SelfplayOptions options;
    SearchOptions search;
    SelfplaySide own; /* its scores label the positions */
    SelfplaySide opponent;
    MateSolver *solver;
    MateAnswer mate;
    Rng rng;
    Position pos;
    const _Atomic bool *cancel;
    uint64_t soft_nodes; /* the current search starts no iteration after this many nodes */
    SearchResult result; /* result of the last search */
    uint64_t nodes;      /* nodes of all searches */
};

/* Increase it whenever games are played differently. */
enum { RULES_VERSION = 6 };

uint64_t selfplay_hash(const SelfplayOptions *options, uint64_t hash) {
    uint64_t parts[] = {RULES_VERSION, (uint64_t)options->opponent_share,
                        (uint64_t)options->off_policy};
    return checksum_fnv(hash, parts, sizeof(parts));
}

static void create_side(SelfplaySide *side, const struct NnueNet *net) {
    *side = (SelfplaySide){.pool = pool_create(), .net = net};
    pool_set_threads(side->pool, 1);
    pool_set_net(side->pool, net, cpu_features());
    if (!tt_resize(pool_table(side->pool), HASH_MB)) {
        tt_init(pool_table(side->pool)); /* the search works without a table, but less well */
    }
}

Selfplay *selfplay_create(const SelfplayOptions *options) {
    Selfplay *play = xmem_calloc(1, sizeof(*play));
    play->options = *options;
    play->search = (SearchOptions){.multi_pv = 1, .resign_value = SCORE_INFINITE + 1};
    create_side(&play->own, options->net);
    if (options->opponent_count > 0) {
        create_side(&play->opponent, options->opponents[0]);
    }
    pos_init(&play->pos);
    return play;
}

void selfplay_free(Selfplay *play) {
    pool_free(play->own.pool);
    if (play->opponent.pool != NULL) {
        pool_free(play->opponent.pool);
    }
    matesolver_free(play->solver);
    pos_free(&play->pos);
    free(play);
}

uint64_t selfplay_nodes(const Selfplay *play) {
    return play->nodes;
}

/* Clears everything that a side has learned, because games must not influence each other. */
static void clear_side(SelfplaySide *side) {
    pool_new_game(side->pool);
    tt_clear(pool_table(side->pool), 1, NULL);
}

/* ---- searches -------------------------------------------------------------------------------- */

static bool is_stop_set(const Selfplay *play) {
    return atomic_load_explicit(play->cancel, memory_order_relaxed);
}

static void take_result(void *context, const SearchResult *result) {
    ((Selfplay *)context)->result = *result;
}

static bool has_used_nodes(void *context, uint64_t nodes) {
    return nodes >= ((const Selfplay *)context)->soft_nodes;
}

/* Searches the current position. Returns false if the game is cancelled. */
static bool think(Selfplay *play, const SelfplaySide *mover, uint64_t nodes, Verdict *verdict) {
    GoLimits limits = {.nodes = nodes * HARD_FACTOR};
    play->soft_nodes = nodes;
    SearchRequest request = {
        .pos = &play->pos,
        .limits = &limits,
        .options = &play->search,
        .sink = {.context = play, .on_done = take_result},
        .hooks = {.context = play, .ends_after_iteration = has_used_nodes},
        .start_ns = clock_ns(),
    };
    pool_run(mover->pool, &request, play->cancel);
    play->nodes += play->result.nodes;
    *verdict = (Verdict){.move = play->result.best, .score = play->result.score};
    return !is_stop_set(play);
}

/* Looks for a mate by checks, which a search of few nodes rarely finds. Does not look if a position
 * has occurred three times, because the mate might lead to its fourth occurrence. */
static bool find_mate(Selfplay *play, Verdict *verdict) {
    const Position *pos = &play->pos;
    if (play->solver == NULL || pos->king[color_flip(pos->side)] == SQ_NONE ||
        repetition_has_any(pos, 3)) {
        return false;
    }
    uint64_t nodes = play->options.nodes / MATE_DIVISOR;
    MateSolverOptions options = {
        .nodes = nodes > MATE_MIN ? nodes : MATE_MIN, .stop = play->cancel, .believes_none = true};
    matesolver_solve(play->solver, pos, &options, &play->mate);
    if (play->mate.verdict != MATE_FOUND || play->mate.len > MAX_PLY) {
        return false;
    }
    *verdict = (Verdict){play->mate.line[0], score_mate_in(play->mate.len), true};
    return true;
}

/* ---- openings -------------------------------------------------------------------------------- */

static Setup handicap_start(Rng *rng) {
    static const char *const presets[] = {"KY", "KA", "HI", "HIKY", "2", "4"};
    return handicap_setup(handicap_by_preset(sv_from(presets[rng_below(rng, COUNTOF(presets))])));
}

/* The move that brings a rook from its original square to a ranging file; MOVE_NONE if this move is
 * impossible or loses material. */
static Move ranging_move(Selfplay *play) {
    const Position *pos = &play->pos;
    int file = 4 + (int)rng_below(&play->rng, 3);
    Square home = pos->side == BLACK ? sq_make(1, 7) : sq_make(7, 1);
    Square to = pos->side == BLACK ? sq_make(file, 7) : sq_make(8 - file, 1);
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    for (int i = 0; i < count; i++) {
        if (list[i] == move_make(home, to) && pos_piece(pos, home) == piece_make(pos->side, ROOK) &&
            pos_see_reaches(pos, list[i], -OPENING_LOSS, values_for_see())) {
            return list[i];
        }
    }
    return MOVE_NONE;
}

/* A random move, if possible one that does not lose material at once. MOVE_NONE if there is no
 * legal move. */
static Move opening_move(Selfplay *play) {
    Move list[MAX_MOVES];
    int count = gen_moves(&play->pos, GEN_LEGAL, list);
    Move move = MOVE_NONE;
    for (int i = 0; i < OPENING_TRIES && count > 0; i++) {
        move = list[rng_below(&play->rng, (uint64_t)count)];
        if (pos_see_reaches(&play->pos, move, -OPENING_LOSS, values_for_see())) {
            break;
        }
    }
    return move;
}

static void add_move(Selfplay *play, PackedGame *game, Move move, int score) {
    packed_game_add(game, move, score);
    pos_do(&play->pos, move);
}

/* True if the rules have ended the game. */
static bool ends_by_rules(Selfplay *play, PackedGame *game) {
    OutcomeRules rules = {.declare = play->search.entering_king_rule};
    KmdOutcome outcome = outcome_of(&play->pos, &rules);
    game->winner = outcome.winner;
    game->reason = outcome.kind == KMD_END_SENNICHITE || outcome.kind == KMD_END_PERPETUAL_WIN ||
                           outcome.kind == KMD_END_PERPETUAL_LOSS
                       ? PACK_REPETITION
                       : PACK_MATE;
    if (outcome.kind == KMD_END_NONE && game->move_count >= GAME_MAX_MOVES) {
        game->winner = KMD_WINNER_DRAW;
        game->reason = PACK_MAX_MOVES;
        return true;
    }
    return outcome.kind != KMD_END_NONE;
}

/* True if the game goes on and neither side is ahead by more than `limit`. False, too, if the game
 * is cancelled. */
static bool is_balanced(Selfplay *play, int limit) {
    Verdict verdict;
    return gen_has_move(&play->pos) && think(play, &play->own, play->options.nodes, &verdict) &&
           abs(verdict.score) <= limit;
}

/* Plays the random moves. Returns false if they end the game or favour one side too much, or if the
 * game is cancelled. */
static bool play_random_moves(Selfplay *play, PackedGame *game, int limit) {
    int moves = OPENING_MIN + (int)rng_below(&play->rng, 2);
    int rook_at[COLOR_NB]; /* number of the side's move that brings the rook to its ranging file */
    for (int c = BLACK; c <= WHITE; c++) {
        bool is_ranging = rng_below(&play->rng, 100) < RANGING_SHARE;
        rook_at[c] = is_ranging ? (int)rng_below(&play->rng, OPENING_MIN / 2) : moves;
    }
    for (int i = 0; i < moves; i++) {
        Move move = i / 2 == rook_at[play->pos.side] ? ranging_move(play) : MOVE_NONE;
        move = move != MOVE_NONE ? move : opening_move(play);
        if (move == MOVE_NONE) {
            return false;
        }
        add_move(play, game, move, PACK_NO_SCORE);
    }
    return is_balanced(play, limit);
}

/* Plays the off-policy plies: some are random, the others from short searches of either side.
 * Returns false like play_random_moves. */
static bool play_off_policy(Selfplay *play, PackedGame *game) {
    int plies = 1 + (int)rng_below(&play->rng, (uint64_t)play->options.off_policy);
    for (int i = 0; i < plies; i++) {
        Verdict verdict = {.move = MOVE_NONE};
        bool is_opponent = play->options.opponent_count > 0 && rng_below(&play->rng, 2) == 0;
        if (rng_below(&play->rng, 100) < OFF_POLICY_RANDOM) {
            verdict.move = opening_move(play);
        } else if (!think(play, is_opponent ? &play->opponent : &play->own,
                          play->options.nodes / OFF_POLICY_FASTER + 1, &verdict)) {
            return false;
        }
        if (verdict.move == MOVE_NONE || verdict.move == MOVE_WIN) {
            return false;
        }
        add_move(play, game, verdict.move, PACK_NO_SCORE);
        if (ends_by_rules(play, game)) {
            return false;
        }
    }
    return is_balanced(play, OFF_POLICY_LIMIT);
}

/* Plays the opening. The kind of start is drawn only once: if an opening must be replaced, the new
 * one is of the same kind. */
static SelfplayEnd play_opening(Selfplay *play, PackedGame *game) {
    bool is_handicap = rng_below(&play->rng, 100) < HANDICAP_SHARE;
    bool is_off_policy = !is_handicap && play->options.off_policy > 0 &&
                         rng_below(&play->rng, 100) < OFF_POLICY_SHARE;
    play->search.entering_king_rule = is_handicap ? KMD_DECLARE_27H : KMD_DECLARE_27;
    for (int i = 0; i < SELFPLAY_ATTEMPTS; i++) {
        Setup start = is_handicap ? handicap_start(&play->rng) : setup_start();
        packed_game_begin(game, &start);
        pos_set(&play->pos, &start);
        if (play_random_moves(play, game, is_handicap ? SCORE_EVAL_MAX : OPENING_LIMIT) &&
            (!is_off_policy || play_off_policy(play, game))) {
            return SELFPLAY_DONE;
        }
        if (is_stop_set(play)) {
            return SELFPLAY_STOPPED;
        }
    }
    return SELFPLAY_NO_OPENING;
}

/* ---- the game -------------------------------------------------------------------------------- */

SelfplayEnd selfplay_game(Selfplay *play, uint64_t seed, const _Atomic bool *cancel,
                          PackedGame *game) {
    const SelfplayOptions *options = &play->options;
    play->cancel = cancel;
    play->rng = rng_init(seed);
    matesolver_free(play->solver);
    play->solver = matesolver_new(MATE_BYTES, 1);
    clear_side(&play->own);

    /* Who plays. */
    int opponent_side = COLOR_NB; /* none */
    if (options->opponent_count > 0) {
        uint64_t number = rng_below(&play->rng, (uint64_t)options->opponent_count);
        play->opponent.net = options->opponents[number];
        pool_set_net(play->opponent.pool, play->opponent.net, cpu_features());
        clear_side(&play->opponent);
        if (rng_below(&play->rng, 100) < (uint64_t)options->opponent_share) {
            opponent_side = (int)rng_below(&play->rng, COLOR_NB);
        }
    }

    SelfplayEnd end = play_opening(play, game);
    if (end != SELFPLAY_DONE) {
        return end;
    }
    for (int side = BLACK; side <= WHITE; side++) {
        const struct NnueNet *net = side == opponent_side ? play->opponent.net : play->own.net;
        game->evaluation[side] = net != NULL ? net->id : PACK_HANDWRITTEN;
    }
    while (!ends_by_rules(play, game)) {
        Color side = play->pos.side;
        /* A score for the position, by the network that gives all scores. */
        Verdict verdict = {.is_proved = false}, choice;
        if (!find_mate(play, &verdict) && !think(play, &play->own, options->nodes, &verdict)) {
            return SELFPLAY_STOPPED;
        }
        /* The opponent chooses its own moves. */
        choice = verdict;
        if ((int)side == opponent_side && !verdict.is_proved && verdict.move != MOVE_WIN &&
            !think(play, &play->opponent, options->nodes, &choice)) {
            return SELFPLAY_STOPPED;
        }
        if (choice.move == MOVE_WIN) {
            game->winner = outcome_winner(side);
            game->reason = PACK_DECLARATION;
            break;
        }
        add_move(play, game, choice.move, int_clamp(verdict.score, -SCORE_MATE, SCORE_MATE));
        if (verdict.is_proved) {
            game->winner = outcome_winner(side);
            game->reason = PACK_MATE;
            break;
        }
    }
    return SELFPLAY_DONE;
}
