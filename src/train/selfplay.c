/* selfplay.c: plays one game: opening, players, adjudication, and labels for positions from the
 * trees of deep searches. Start reading at selfplay_game and play_game, at the end of the file. */
#include "train/selfplay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/rng.h"
#include "base/xmem.h"
#include "book/bookpick.h"
#include "eval/handwritten.h"
#include "eval/net.h"
#include "eval/values.h"
#include "mate/matesolver.h"
#include "record/handicap.h"
#include "rules/movegen.h"
#include "rules/outcome.h"
#include "rules/repetition.h"
#include "rules/see.h"
#include "search/pool.h"
#include "train/leaves.h"

/* How games start. The shares are percentages. */
enum {
    HASH_MB = 8,
    LABEL_HASH_MB = 1,  /* a small table keeps short searches within the caches */
    OPENING_MIN = 8,    /* number of random moves; sometimes one more */
    OPENING_LOSS = 150, /* random moves should not lose more than this */
    OPENING_TRIES = 8,
    OPENING_LIMIT = 170, /* an opening worth more than this to one side is replaced */
    RANGING_SHARE = 45,  /* share of a side's openings in which its rook goes to files 5 to 7 */
    ENTERING_SHARE = 4,
    ENTERING_LIMIT = 340,
    OFF_POLICY_SHARE = 50,
    OFF_POLICY_RANDOM = 15, /* percentage of random moves */
    OFF_POLICY_FASTER = 4,  /* the other player's searches have this many times fewer nodes */
    OFF_POLICY_LIMIT = 900, /* like OPENING_LIMIT, after the off-policy plies */
    HANDICAP_SHARE = 5,
    DECIDED_PLIES = 8,
    PLAYED_OUT_SHARE = 10,
    GAME_MAX_MOVES = 400,
    MAX_BRANCHES = 3,  /* maximum number of branches per game */
    STARTS_SHARE = 50, /* share of even games that start from the list of starts, if there is one */
    STARTS_RANDOM = 4, /* number of random moves after a listed start is less than this */
};

/* A search with a limit of N nodes is interrupted after HARD_FACTOR * N nodes. */
enum { HARD_FACTOR = 4 };

/* Before each search, the mate solver may use 1 / MATE_SHARE of its nodes, but at least
 * MATE_MIN. */
enum { MATE_SHARE = 8, MATE_MIN = 100 };
#define MATE_BYTES ((size_t)2 << 20)

/* A deep search that changes the winning chance by more than this starts a branch. */
#define OTHER_CHANCE 0.10

/* A player: a search with its own table. */
typedef struct Player {
    Pool *pool;
    SearchOptions options;
    const struct NnueNet *net; /* NULL: the hand-written evaluation */
    uint64_t nodes;
    bool has_solver; /* plays the mates that the solver finds before the search */
    int attack_bias; /* bonus in the evaluation for each of its pieces near the enemy king */
} Player;

/* What the hooks of a search need to know about it. */
typedef struct Searching {
    const Player *player;
    Color side;        /* the side to move at the root */
    uint64_t nodes;    /* start no iteration once this many nodes are searched */
    bool takes_leaves; /* sample the positions of the tree */
} Searching;

/* The result of a search. */
typedef struct Verdict {
    Move move; /* the move to play, or MOVE_WIN */
    Score score;
    bool is_proved; /* the mate solver found this mate before any search */
} Verdict;

/* A position in which a deep search disagreed with a shallow one. */
typedef struct Branch {
    Setup start;
    Verdict verdict;
} Branch;

typedef struct Branches {
    int count;
    Branch branch[MAX_BRANCHES];
} Branches;

struct Selfplay {
    SelfplayOptions options;
    Player own;                 /* the player whose scores label the game's positions */
    Player labeller;            /* labels leaves; its table contains nothing from the tree */
    Player opponents[COLOR_NB]; /* players of another kind, used in some games */
    MateSolver *solver;
    MateAnswer mate;
    Rng rng;
    Position pos;
    const _Atomic bool *cancel;
    Searching searching; /* the current search */
    SearchResult result; /* result of the last search */
    uint64_t nodes;      /* nodes of all searches */
    LeafSample uniform;  /* samples of the last deep search; the options set the size of both, */
    LeafSample focused;  /* which are unused if it is 0 */
    Position leaf;       /* the leaf being labelled */
};

static void player_use_net(Player *player, const struct NnueNet *net) {
    player->net = net;
    pool_set_net(player->pool, net, cpu_features());
}

static Player player_create(uint64_t nodes, const struct NnueNet *net, size_t hash_mb) {
    Player player = {.pool = pool_create(),
                     .options = {.multi_pv = 1, .resign_value = SCORE_INFINITE + 1},
                     .nodes = nodes,
                     .has_solver = true};
    pool_set_threads(player.pool, 1);
    player_use_net(&player, net);
    if (!tt_resize(pool_table(player.pool), hash_mb)) {
        tt_init(pool_table(player.pool)); /* the search works without a table, but less well */
    }
    return player;
}

/* Increase it whenever games are played differently. */
enum { RULES_VERSION = 5 };

uint64_t selfplay_hash(const SelfplayOptions *options, uint64_t hash) {
    uint64_t parts[] = {RULES_VERSION,
                        (uint64_t)options->scale,
                        (uint64_t)options->adjudicate,
                        (uint64_t)options->asymmetric,
                        (uint64_t)options->off_policy,
                        (uint64_t)options->deep,
                        options->deep_nodes.least,
                        options->deep_nodes.most,
                        (uint64_t)options->leaves,
                        (uint64_t)options->focus,
                        options->label_nodes.least,
                        options->label_nodes.most,
                        (uint64_t)options->window};
    hash = checksum_fnv(hash, parts, sizeof(parts));
    uint64_t sparring = (uint64_t)options->sparring;
    return sparring > 0 ? checksum_fnv(hash, &sparring, sizeof(sparring)) : hash;
}

Selfplay *selfplay_create(const SelfplayOptions *options) {
    Selfplay *play = xmem_calloc(1, sizeof(*play));
    play->options = *options;
    play->own = player_create(options->nodes, options->net, HASH_MB);
    play->labeller = player_create(options->nodes, options->net, LABEL_HASH_MB);
    play->opponents[BLACK] = player_create(options->nodes, options->net, HASH_MB);
    play->opponents[WHITE] = player_create(options->nodes, options->net, HASH_MB);
    pos_init(&play->pos);
    pos_init(&play->leaf);
    return play;
}

void selfplay_free(Selfplay *play) {
    pool_free(play->own.pool);
    pool_free(play->labeller.pool);
    pool_free(play->opponents[BLACK].pool);
    pool_free(play->opponents[WHITE].pool);
    matesolver_free(play->solver);
    pos_free(&play->pos);
    pos_free(&play->leaf);
    free(play);
}

static bool is_cancelled(const Selfplay *play) {
    return atomic_load_explicit(play->cancel, memory_order_relaxed);
}

static void take_result(void *context, const SearchResult *result) {
    ((Selfplay *)context)->result = *result;
}

/* Adds the attack bias to the static evaluation, and offers the position to the samples. */
static Score evaluate(void *context, const Position *pos, Score score) {
    Selfplay *play = context;
    const Searching *searching = &play->searching;
    if (searching->player->attack_bias != 0) {
        Score bonus = searching->player->attack_bias * handwritten_attackers(pos, searching->side);
        score += pos->side == searching->side ? bonus : -bonus;
    }
    score = int_clamp(score, -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
    if (searching->takes_leaves && play->uniform.most > 0) {
        leaves_offer(&play->uniform, pos, score);
    }
    if (searching->takes_leaves && play->focused.most > 0) {
        leaves_offer(&play->focused, pos, score);
    }
    return score;
}

static bool has_used_nodes(void *context, uint64_t nodes) {
    return nodes >= ((const Selfplay *)context)->searching.nodes;
}

static void take_line(void *context, const SearchInfo *info) {
    leaves_note_line(&((Selfplay *)context)->focused, info->pv, info->pv_len);
}

/* Searches a position. Returns false if the game is cancelled. */
static bool search_with(Selfplay *play, const Position *pos, const Searching *searching,
                        const SearchSink *sink, Verdict *verdict) {
    const Player *player = searching->player;
    bool has_evaluate = player->attack_bias != 0 || searching->takes_leaves;
    GoLimits limits = {.nodes = searching->nodes * HARD_FACTOR};
    play->searching = *searching;
    SearchRequest request = {
        .pos = pos,
        .limits = &limits,
        .options = &player->options,
        .sink = *sink,
        .hooks = {.context = play,
                  .evaluate = has_evaluate ? evaluate : NULL,
                  .ends_after_iteration = has_used_nodes},
        .start_ns = clock_ns(),
    };
    pool_run(player->pool, &request, play->cancel);
    play->nodes += play->result.nodes;
    *verdict = (Verdict){.move = play->result.best, .score = play->result.score};
    return !is_cancelled(play);
}

static bool search(Selfplay *play, const Position *pos, const Player *player, uint64_t nodes,
                   Verdict *verdict) {
    SearchSink sink = {.context = play, .on_done = take_result};
    Searching searching = {.player = player, .side = pos->side, .nodes = nodes};
    return search_with(play, pos, &searching, &sink, verdict);
}

/* Looks for a mate by checks, which a search of few nodes rarely finds. Does not look if a position
 * has occurred three times, because the mate might lead to its fourth occurrence. */
static bool find_mate(Selfplay *play, const Position *pos, Verdict *verdict) {
    if (play->solver == NULL || pos->king[color_flip(pos->side)] == SQ_NONE ||
        repetition_has_any(pos, 3)) {
        return false;
    }
    uint64_t nodes = play->options.nodes / MATE_SHARE;
    MateSolverOptions options = {
        .nodes = nodes > MATE_MIN ? nodes : MATE_MIN, .stop = play->cancel, .believes_none = true};
    matesolver_solve(play->solver, pos, &options, &play->mate);
    if (play->mate.verdict != MATE_FOUND || play->mate.len > MAX_PLY) {
        return false;
    }
    *verdict = (Verdict){play->mate.line[0], score_mate_in(play->mate.len), true};
    return true;
}

/* Labels a position of the game with the network that gives the labels. Returns false if the game
 * is cancelled. */
static bool judge(Selfplay *play, const Position *pos, Verdict *verdict) {
    return find_mate(play, pos, verdict) ||
           search(play, pos, &play->own, play->options.nodes, verdict);
}

/* Draws a number from the range; all orders of magnitude are equally likely. */
static uint64_t draw_nodes(Selfplay *play, const NodeRange *range) {
    double ratio = (double)range->most / (double)range->least;
    return (uint64_t)((double)range->least * pow(ratio, rng_unit(&play->rng)));
}

/* Clears everything that the players have learned, because games must not influence each other. */
static void forget(Selfplay *play) {
    matesolver_free(play->solver);
    play->solver = matesolver_new(MATE_BYTES, 1);
    pool_new_game(play->own.pool);
    tt_clear(pool_table(play->own.pool), 1, NULL);
    pool_new_game(play->labeller.pool);
    tt_clear(pool_table(play->labeller.pool), 1, NULL);
}

/* Draws a player of another kind for a side: it has another evaluation, another number of nodes or
 * less depth, or overrates its pieces near the enemy king. */
static void draw_opponent(Selfplay *play, Color side) {
    Player *opponent = &play->opponents[side];
    const SelfplayOptions *options = &play->options;
    const struct NnueNet *net = options->net;
    uint64_t kind = rng_below(&play->rng, 100);
    if (kind < 30 && options->opponent_count > 0) {
        net = options->opponents[rng_below(&play->rng, (uint64_t)options->opponent_count)];
    } else if (kind < 50) {
        net = NULL;
    }
    static const int halves[] = {1, 2, 2, 4, 6};
    opponent->nodes =
        options->nodes * (uint64_t)halves[rng_below(&play->rng, COUNTOF(halves))] / 2 + 1;
    opponent->options = play->own.options;
    opponent->options.depth_limit =
        rng_below(&play->rng, 4) == 0 ? 3 + (int)rng_below(&play->rng, 5) : 0;
    bool attacks = net == options->net || rng_below(&play->rng, 3) == 0;
    opponent->attack_bias = attacks ? 13 + (int)rng_below(&play->rng, 65) : 0;
    player_use_net(opponent, net);
    opponent->has_solver = false;
    pool_new_game(opponent->pool);
    tt_clear(pool_table(opponent->pool), 1, NULL);
}

/* Draws the opponent of a sparring game: another evaluation in the same search with the same nodes,
 * so that both players are equal. */
static void draw_sparring_partner(Selfplay *play, Color side) {
    Player *opponent = &play->opponents[side];
    const SelfplayOptions *options = &play->options;
    opponent->nodes = options->nodes;
    opponent->options = play->own.options;
    opponent->attack_bias = 0;
    player_use_net(opponent,
                   options->opponents[rng_below(&play->rng, (uint64_t)options->opponent_count)]);
    opponent->has_solver = true;
    pool_new_game(opponent->pool);
    tt_clear(pool_table(opponent->pool), 1, NULL);
}

static uint64_t evaluation_of(const Player *player) {
    return player->net != NULL ? player->net->id : PACK_HANDWRITTEN;
}

static void end_game(PackedGame *game, KmdWinner winner, PackReason reason) {
    game->winner = winner;
    game->reason = reason;
}

/* True if the rules have ended the game. */
static bool is_over(const Selfplay *play, PackedGame *game) {
    OutcomeRules rules = {.declare = play->own.options.entering_king_rule};
    KmdOutcome outcome = outcome_of(&play->pos, &rules);
    switch (outcome.kind) {
    case KMD_END_NONE:
        break;
    case KMD_END_SENNICHITE:
    case KMD_END_PERPETUAL_WIN:
    case KMD_END_PERPETUAL_LOSS:
        end_game(game, outcome.winner, PACK_REPETITION);
        return true;
    default:
        end_game(game, outcome.winner, PACK_MATE);
        return true;
    }
    if (game->move_count >= GAME_MAX_MOVES) {
        end_game(game, KMD_WINNER_DRAW, PACK_MAX_MOVES);
        return true;
    }
    return false;
}

/* ---- openings -------------------------------------------------------------------------------- */

static Setup handicap_start(Rng *rng) {
    static const char *const presets[] = {"KY", "KA", "HI", "HIKY", "2", "4"};
    return handicap_setup(handicap_by_preset(sv_from(presets[rng_below(rng, COUNTOF(presets))])));
}

/* Puts a piece of `color` on a random square of the five ranks farthest from home, promoted if
 * possible. Sometimes, and whenever the square is occupied, puts the piece into the hand
 * instead. */
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

/* A position with both kings on their way into the enemy camp or already there. */
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
    } while (setup_check(&setup, NULL) != KMD_OK);
    return setup;
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
            see_reaches(pos, list[i], -OPENING_LOSS, values_for_see())) {
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
        if (see_reaches(&play->pos, move, -OPENING_LOSS, values_for_see())) {
            break;
        }
    }
    return move;
}

/* Plays book moves in even games, if there is a book. Returns the number of moves played. */
static int play_book(Selfplay *play, PackedGame *game, int moves) {
    bool is_even = play->own.options.entering_king_rule == KMD_DECLARE_27 && moves > 0;
    if (play->options.book == NULL || !is_even) {
        return 0;
    }
    BookPickOptions options = bookpick_free_rules(play->options.window);
    int score;
    options.book_moves = 1 + (int)rng_below(&play->rng, (uint64_t)play->options.book_plies);
    int count = bookpick_walk(play->options.book, &options, &play->rng, &play->pos, &score);
    for (int i = 1; i <= count; i++) {
        packed_game_add(game, play->pos.states[i].move, PACK_NO_SCORE);
    }
    return count;
}

/* Plays the random moves. Returns false if they end the game or favour one side too much, or if the
 * game is cancelled. */
static bool play_opening(Selfplay *play, PackedGame *game, int moves, int limit) {
    int from = play_book(play, game, moves);
    int rook_at[COLOR_NB]; /* number of the side's move that brings the rook to its ranging file */
    for (int c = BLACK; c <= WHITE; c++) {
        bool is_ranging = rng_below(&play->rng, 100) < RANGING_SHARE;
        rook_at[c] = is_ranging ? (int)rng_below(&play->rng, OPENING_MIN / 2) : moves;
    }
    for (int i = from; i < moves; i++) {
        Move move = i / 2 == rook_at[play->pos.side] ? ranging_move(play) : MOVE_NONE;
        move = move != MOVE_NONE ? move : opening_move(play);
        if (move == MOVE_NONE) {
            return false;
        }
        packed_game_add(game, move, PACK_NO_SCORE);
        pos_do(&play->pos, move);
    }
    if (!gen_has_move(&play->pos)) {
        return false;
    }
    Verdict verdict;
    return search(play, &play->pos, &play->own, play->options.nodes, &verdict) &&
           abs(verdict.score) <= limit;
}

/* Plays up to options.off_policy off-policy plies. Returns false if they end the game or favour one
 * side too much, or if the game is cancelled. */
static bool play_off_policy(Selfplay *play, PackedGame *game) {
    draw_opponent(play, BLACK);
    draw_opponent(play, WHITE);
    int plies = 1 + (int)rng_below(&play->rng, (uint64_t)play->options.off_policy);
    for (int i = 0; i < plies; i++) {
        const Player *opponent = &play->opponents[play->pos.side];
        Verdict verdict = {.move = MOVE_NONE};
        if (rng_below(&play->rng, 100) < OFF_POLICY_RANDOM) {
            verdict.move = opening_move(play);
        } else if (!search(play, &play->pos, opponent, opponent->nodes / OFF_POLICY_FASTER + 1,
                           &verdict)) {
            return false;
        }
        if (verdict.move == MOVE_NONE || verdict.move == MOVE_WIN) {
            return false;
        }
        packed_game_add(game, verdict.move, PACK_NO_SCORE);
        pos_do(&play->pos, verdict.move);
        if (is_over(play, game)) {
            return false;
        }
    }
    Verdict verdict;
    return search(play, &play->pos, &play->own, play->options.nodes, &verdict) &&
           abs(verdict.score) <= OFF_POLICY_LIMIT;
}

/* Draws one of the listed start positions. */
static Setup listed_start(Selfplay *play, int *moves) {
    const SelfplayOptions *options = &play->options;
    *moves = (int)rng_below(&play->rng, STARTS_RANDOM);
    return options->starts[rng_below(&play->rng, (uint64_t)options->start_count)];
}

/* Starts a game. The kind of start is drawn only once: if an opening must be replaced, the new one
 * is of the same kind. */
static SelfplayEnd begin_game(Selfplay *play, PackedGame *game) {
    uint64_t kind = rng_below(&play->rng, 100);
    bool is_listed = play->options.start_count > 0 && kind >= ENTERING_SHARE + HANDICAP_SHARE &&
                     rng_below(&play->rng, 100) < STARTS_SHARE;
    for (int i = 0; i < SELFPLAY_ATTEMPTS; i++) {
        int moves = OPENING_MIN + (int)rng_below(&play->rng, 2);
        int limit = play->options.window > 0 ? play->options.window : OPENING_LIMIT;
        Setup start = setup_start();
        play->own.options.entering_king_rule = KMD_DECLARE_27;
        if (kind < ENTERING_SHARE) {
            start = entering_start(&play->rng);
            moves = 0;
            limit = ENTERING_LIMIT;
        } else if (kind < ENTERING_SHARE + HANDICAP_SHARE) {
            start = handicap_start(&play->rng);
            play->own.options.entering_king_rule = KMD_DECLARE_27H;
            limit = SCORE_EVAL_MAX;
        } else if (is_listed) {
            start = listed_start(play, &moves);
            limit = OFF_POLICY_LIMIT;
        }
        packed_game_begin(game, &start);
        pos_set(&play->pos, &start);
        bool is_off_policy = !is_listed && moves > 0 && limit < SCORE_EVAL_MAX &&
                             play->options.off_policy > 0 &&
                             rng_below(&play->rng, 100) < OFF_POLICY_SHARE;
        if (play_opening(play, game, moves, limit) &&
            (!is_off_policy || play_off_policy(play, game))) {
            return SELFPLAY_DONE;
        }
        if (is_cancelled(play)) {
            return SELFPLAY_STOPPED;
        }
    }
    return SELFPLAY_NO_OPENING;
}

/* ---- the game -------------------------------------------------------------------------------- */

/* The number of plies for which the scores have agreed that one side is winning: positive for
 * black, negative for white. */
static int count_decided(const Selfplay *play, int run, Score score) {
    const SelfplayOptions *options = &play->options;
    double chance = options->adjudicate / 100.0;
    if (options->adjudicate >= 100 || abs(score) < options->scale * log(chance / (1 - chance))) {
        return 0;
    }
    int sign = (score > 0) == (play->pos.side == BLACK) ? 1 : -1;
    return run * sign > 0 ? run + sign : sign;
}

static double chance_of(const Selfplay *play, Score score) {
    return 1 / (1 + exp(-(double)score / play->options.scale));
}

/* Notes which evaluation plays which side. opponent_side is COLOR_NB if both are the own player. */
static void note_players(const Selfplay *play, PackedGame *game, int opponent_side) {
    for (int side = BLACK; side <= WHITE; side++) {
        game->evaluation[side] =
            evaluation_of(side == opponent_side ? &play->opponents[side] : &play->own);
    }
}

/* Labels the leaves of a sample by separate searches. Their scores within the tree are bounds from
 * pruned searches, and training on such scores made the network weaker. Returns false if the game
 * is cancelled. */
static bool label_leaves(Selfplay *play, const LeafSample *sample, PackedGames *games) {
    for (int i = 0; i < sample->count; i++) {
        pos_set(&play->leaf, &sample->leaf[i].setup);
        if (pos_in_check(&play->leaf) || !gen_has_move(&play->leaf)) {
            continue;
        }
        Verdict verdict;
        uint64_t nodes = draw_nodes(play, &play->options.label_nodes);
        if (!find_mate(play, &play->leaf, &verdict) &&
            !search(play, &play->leaf, &play->labeller, nodes, &verdict)) {
            return false;
        }
        if (verdict.move != MOVE_WIN) {
            PackedGame *game = packed_games_add(games, &sample->leaf[i].setup);
            packed_game_add(game, verdict.move, int_clamp(verdict.score, -SCORE_MATE, SCORE_MATE));
            end_game(game, KMD_WINNER_DRAW, PACK_UNKNOWN);
            game->is_unequal = true; /* it was not played to the end */
            note_players(play, game, COLOR_NB);
        }
    }
    return true;
}

/* Runs a deep search and samples positions from its tree. Most positions of a search never occur in
 * games, and a network that has learned only from games misjudges them (Veness and others, 2009).
 * Some of them are therefore sampled uniformly, and some where the search relies most on the
 * evaluation. */
static bool search_deep(Selfplay *play, Score shallow, PackedGames *games, Verdict *verdict) {
    SearchSink sink = {.context = play, .on_done = take_result};
    const SelfplayOptions *options = &play->options;
    int focused = options->leaves * options->focus / 100;
    LeafOptions draw = {
        .most = options->leaves - focused, .scale = options->scale, .seed = rng_next(&play->rng)};
    play->uniform.most = play->focused.most = play->uniform.count = play->focused.count = 0;
    if (draw.most > 0) {
        leaves_begin(&play->uniform, &play->pos, shallow, &draw);
    }
    if (focused > 0) {
        draw.most = focused;
        draw.is_focused = true;
        leaves_begin(&play->focused, &play->pos, shallow, &draw);
        sink.on_info = take_line;
    }
    Searching searching = {.player = &play->own,
                           .side = play->pos.side,
                           .nodes = draw_nodes(play, &options->deep_nodes),
                           .takes_leaves = options->leaves > 0};
    return search_with(play, &play->pos, &searching, &sink, verdict) &&
           label_leaves(play, &play->uniform, games) && label_leaves(play, &play->focused, games);
}

/* Searches some positions much deeper and uses that score as the label. If the score and the move
 * differ from those of the ordinary search, another game may start with the new move. Returns false
 * if the game is cancelled. */
static bool look_deeper(Selfplay *play, PackedGames *games, Verdict *verdict, Branches *branches) {
    uint64_t share = (uint64_t)play->options.deep;
    if (share == 0 || rng_below(&play->rng, share) != 0 || score_is_mate(verdict->score)) {
        return true;
    }
    Verdict deep;
    if (!search_deep(play, verdict->score, games, &deep)) {
        return false;
    }
    bool is_other =
        deep.move != verdict->move && deep.move != MOVE_WIN &&
        fabs(chance_of(play, deep.score) - chance_of(play, verdict->score)) > OTHER_CHANCE;
    if (is_other && branches != NULL && branches->count < MAX_BRANCHES) {
        branches->branch[branches->count++] =
            (Branch){.start = pos_get(&play->pos), .verdict = deep};
    }
    verdict->score = deep.score;
    return true;
}

static void add_move(Selfplay *play, PackedGame *game, Verdict verdict) {
    packed_game_add(game, verdict.move, int_clamp(verdict.score, -SCORE_MATE, SCORE_MATE));
    pos_do(&play->pos, verdict.move);
}

/* Chooses a move for the side to move. opponent_side is COLOR_NB if neither side is a player of
 * another kind. */
static bool choose_move(Selfplay *play, int opponent_side, Verdict *verdict) {
    Verdict choice;
    if ((int)play->pos.side != opponent_side || verdict->move == MOVE_WIN) {
        return true;
    }
    const Player *opponent = &play->opponents[play->pos.side];
    if (verdict->is_proved && opponent->has_solver) {
        return true;
    }
    if (!search(play, &play->pos, opponent, opponent->nodes, &choice)) {
        return false;
    }
    verdict->move = choice.move;
    return true;
}

/* Plays from the current position to the end of game number `number`. */
static SelfplayEnd play_game(Selfplay *play, int opponent_side, PackedGames *games, int number,
                             Branches *branches) {
    bool is_played_out = rng_below(&play->rng, 100) < PLAYED_OUT_SHARE;
    int run = 0;
    while (!is_over(play, &games->games[number])) {
        Verdict verdict;
        if (!judge(play, &play->pos, &verdict) || !look_deeper(play, games, &verdict, branches) ||
            !choose_move(play, opponent_side, &verdict)) {
            return SELFPLAY_STOPPED;
        }
        PackedGame *game = &games->games[number]; /* adding leaves may have moved the array */
        if (verdict.move == MOVE_WIN) {
            end_game(game, outcome_winner(play->pos.side), PACK_DECLARATION);
            break;
        }
        run = count_decided(play, run, verdict.score);
        add_move(play, game, verdict);
        if (!is_played_out && abs(run) >= DECIDED_PLIES) {
            end_game(game, outcome_winner(run > 0 ? BLACK : WHITE), PACK_ADJUDICATED);
            break;
        }
    }
    return SELFPLAY_DONE;
}

SelfplayEnd selfplay_begin(Selfplay *play, uint64_t seed, const _Atomic bool *cancel,
                           PackedGame *game) {
    play->cancel = cancel;
    play->rng = rng_init(seed);
    forget(play);
    return begin_game(play, game);
}

SelfplayEnd selfplay_game(Selfplay *play, uint64_t seed, const _Atomic bool *cancel,
                          PackedGames *games) {
    Setup start = setup_start();
    games->count = 0;
    PackedGame *game = packed_games_add(games, &start);
    SelfplayEnd end = selfplay_begin(play, seed, cancel, game);
    if (end != SELFPLAY_DONE) {
        return end;
    }
    int opponent_side = COLOR_NB;
    const SelfplayOptions *options = &play->options;
    if (options->sparring > 0 && rng_below(&play->rng, 100) < (uint64_t)options->sparring) {
        opponent_side = (int)rng_below(&play->rng, COLOR_NB);
        draw_sparring_partner(play, (Color)opponent_side);
    } else if (rng_below(&play->rng, 100) < (uint64_t)options->asymmetric) {
        game->is_unequal = true;
        opponent_side = (int)rng_below(&play->rng, COLOR_NB);
        draw_opponent(play, (Color)opponent_side);
    }
    note_players(play, game, opponent_side);
    Branches branches = {.count = 0};
    end = play_game(play, opponent_side, games, 0, &branches);
    for (int i = 0; i < branches.count && end == SELFPLAY_DONE; i++) {
        const Branch *branch = &branches.branch[i];
        game = packed_games_add(games, &branch->start);
        note_players(play, game, COLOR_NB);
        pos_set(&play->pos, &branch->start);
        add_move(play, game, branch->verdict);
        end = play_game(play, COLOR_NB, games, games->count - 1, NULL);
    }
    return end;
}

uint64_t selfplay_nodes(const Selfplay *play) {
    return play->nodes;
}
