/* task_openings.c: makes a file of openings.
 *
 * Each opening is a random walk from the start position. At each step a few legal moves are drawn
 * at random, the engine searches each of them briefly, and one that is not clearly worse than the
 * best is played. A plan decides which side plays a ranging rook (moves its rook to files 5 to 9,
 * counted from that side) and which side a static rook, so that the file contains both kinds of
 * game. */
#include <errno.h>
#include <stdlib.h>

#include "base/fileio.h"
#include "base/outguard.h"
#include "base/rng.h"
#include "base/xmem.h"
#include "match/task.h"
#include "rules/movegen.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/usimove.h"

/* Give up after this many failed random walks for each opening. */
enum { WALKS_PER_OPENING = 100 };

/* The place of a side's rook, counted from that side: static on files 1 to 4, ranging on files 5 to
 * 9. */
typedef enum RookShape { ROOK_STATIC, ROOK_RANGING } RookShape;

/* The plan of a walk. */
typedef struct OpeningPlan {
    RookShape shape[COLOR_NB];
    int rook_turn[COLOR_NB]; /* number of the move that brings the rook to a ranging file */
    int plies;
} OpeningPlan;

typedef struct OpeningMaker {
    const OpenMakerOptions *options;
    Player *player;
    GameClock brief; /* limits of a short search */
    GameClock check; /* limits of the final check */
    Position pos;
    Rng rng;
    StrBuf usi; /* text of the position */
    PlayerAnswer answer;
    uint64_t *keys; /* keys of the openings made so far */
    int made;
    bool has_failed;
} OpeningMaker;

/* False if the side has no rook or two. */
static bool has_shape(const Position *pos, Color side, RookShape shape) {
    Bitboard rooks = bb_or(pos_pieces(pos, side, ROOK), pos_pieces(pos, side, DRAGON));
    if (bb_count(rooks) != 1) {
        return false;
    }
    int file = sq_file(bb_first(rooks));
    file = side == BLACK ? file : FILE_NB - 1 - file;
    return (file >= 4) == (shape == ROOK_RANGING);
}

/* Makes a random plan. Both sides play a static rook in three of eight openings, only black plays
 * a ranging rook in two, only white in two, and both do in one. */
static OpeningPlan make_plan(OpeningMaker *maker) {
    static const RookShape shapes[8][COLOR_NB] = {
        {ROOK_STATIC, ROOK_STATIC},  {ROOK_STATIC, ROOK_STATIC},   {ROOK_STATIC, ROOK_STATIC},
        {ROOK_RANGING, ROOK_STATIC}, {ROOK_RANGING, ROOK_STATIC},  {ROOK_STATIC, ROOK_RANGING},
        {ROOK_STATIC, ROOK_RANGING}, {ROOK_RANGING, ROOK_RANGING},
    };
    const OpenMakerOptions *options = maker->options;
    OpeningPlan plan = {.plies = options->min_plies};
    plan.plies +=
        (int)rng_below(&maker->rng, (uint64_t)(options->max_plies - options->min_plies + 1));
    int turns = int_clamp(plan.plies / 2, 1, 5);
    for (int side = BLACK; side <= WHITE; side++) {
        plan.shape[side] = shapes[maker->made % 8][side];
        plan.rook_turn[side] = (int)rng_below(&maker->rng, (uint64_t)turns);
    }
    return plan;
}

/* True if the plan allows the move at this step. */
static bool fits_plan(OpeningMaker *maker, const OpeningPlan *plan, Move move) {
    Color side = maker->pos.side;
    int turn = pos_moves_done(&maker->pos) / 2;
    bool is_rook = pos_moved_type(&maker->pos, move) == ROOK;
    bool is_rook_turn = plan->shape[side] == ROOK_RANGING && plan->rook_turn[side] == turn;
    if (!is_rook) {
        return !is_rook_turn;
    }
    pos_do(&maker->pos, move);
    bool is_ranging = has_shape(&maker->pos, side, ROOK_RANGING);
    pos_undo(&maker->pos);
    return is_ranging == is_rook_turn && (is_rook_turn || plan->shape[side] == ROOK_STATIC);
}

/* Lets the engine search the position. The score is for the side to move. Returns false if there is
 * no score. */
static bool search_opening(OpeningMaker *maker, const GameClock *limits, int *score) {
    StrView usi = strbuf_view(&maker->usi);
    PlayerStatus status =
        player_think(maker->player, usi, limits, maker->pos.side, false, &maker->answer);
    maker->has_failed = maker->has_failed || status != PLAYER_OK;
    *score = maker->answer.info.score;
    return status == PLAYER_OK && maker->answer.info.has_score;
}

/* Plays a move, both on the board and in the text. */
static void extend_walk(OpeningMaker *maker, Move move) {
    player_append_move(&maker->usi, move);
    pos_do(&maker->pos, move);
}

/* The score of a move for the side that plays it. */
static bool value_move(OpeningMaker *maker, Move move, int *value) {
    const OutcomeRules rules = {KMD_DECLARE_NONE, 0};
    size_t len = maker->usi.len;
    int score = 0;
    extend_walk(maker, move);
    bool is_good = outcome_of(&maker->pos, &rules).kind == KMD_END_NONE &&
                   search_opening(maker, &maker->brief, &score);
    pos_undo(&maker->pos);
    maker->usi.len = len;
    maker->usi.ptr[len] = '\0';
    *value = -score;
    return is_good;
}

/* Makes one step of a walk. Returns false if there is no move to play. */
static bool play_step(OpeningMaker *maker, const OpeningPlan *plan) {
    Move list[MAX_MOVES], kept[MAX_MOVES];
    int value[MAX_MOVES], drawn = 0, count = 0, best = -2 * USI_SCORE_MATE;
    int left = gen_moves(&maker->pos, GEN_LEGAL, list);
    while (left > 0 && drawn < maker->options->samples) {
        int i = (int)rng_below(&maker->rng, (uint64_t)left);
        Move move = list[i];
        list[i] = list[--left];
        if (fits_plan(maker, plan, move)) {
            kept[drawn++] = move;
        }
    }
    for (int i = 0; i < drawn; i++) {
        if (value_move(maker, kept[i], &value[count])) {
            best = int_max(best, value[count]);
            kept[count++] = kept[i];
        }
    }
    int good = 0;
    for (int i = 0; i < count; i++) {
        if (value[i] >= best - maker->options->window) {
            kept[good++] = kept[i];
        }
    }
    if (good == 0) {
        return false;
    }
    extend_walk(maker, kept[rng_below(&maker->rng, (uint64_t)good)]);
    return true;
}

/* Makes one walk from the start. Returns true if it ended in a new, balanced position of the
 * planned type. */
static bool walk_from_start(OpeningMaker *maker) {
    Setup start = setup_start();
    OpeningPlan plan = make_plan(maker);
    pos_set(&maker->pos, &start);
    strbuf_clear(&maker->usi);
    strbuf_add_str(&maker->usi, "startpos");
    for (int i = 0; i < plan.plies; i++) {
        if (!play_step(maker, &plan)) {
            return false;
        }
    }
    bool is_new = true;
    for (int i = 0; i < maker->made; i++) {
        is_new = is_new && maker->keys[i] != pos_key(&maker->pos);
    }
    int score;
    return is_new && has_shape(&maker->pos, BLACK, plan.shape[BLACK]) &&
           has_shape(&maker->pos, WHITE, plan.shape[WHITE]) && !pos_in_check(&maker->pos) &&
           maker->pos.now->captured == NO_PIECE && search_opening(maker, &maker->check, &score) &&
           abs(score) <= maker->options->score;
}

TaskStatus task_make_openings(const MatchSettings *settings, MatchReport *report,
                              atomic_bool *cancel) {
    const OpenMakerOptions *options = &settings->maker;
    const EngineSpec *engine = &settings->contest.engines[0];
    const PlayerSink sink = {matchreport_warn_of_engine, report, NULL};
    const TimeControl brief = {.nodes = (uint64_t)options->nodes};
    PlayerOptions rules =
        settings->player_rules; /* a book would answer at random, without a score */
    atomic_bool has_spoken = false;
    FILE *file;
    int failure = file_append(options->path, &file);
    if (failure != 0) {
        matchreport_failure(report, "%s: %s", options->path,
                            outguard_error_text(options->path, failure));
        return TASK_FAILED;
    }
    rules.forbids_books = true;
    OpeningMaker maker = {.options = options,
                          .player = player_new(engine, &rules, &sink, 1, &has_spoken, cancel),
                          .brief = timecontrol_start(&brief, &brief),
                          .check = timecontrol_start(&engine->tc, &engine->tc),
                          .keys = xmem_calloc((size_t)options->count, sizeof(uint64_t))};
    pos_init(&maker.pos);

    /* The engine's memory is cleared before each opening, so openings do not depend on each
     * other. */
    bool is_written = true;
    int64_t walks = (int64_t)options->count * WALKS_PER_OPENING;
    for (int64_t i = 0; i < walks && maker.made < options->count && is_written; i++) {
        maker.rng = rng_init(options->seed + (uint64_t)i * 0x9e3779b97f4a7c15);
        maker.has_failed = player_prepare(maker.player) != PLAYER_OK;
        if (!maker.has_failed && walk_from_start(&maker)) {
            maker.keys[maker.made++] = pos_key(&maker.pos);
            is_written = fprintf(file, "%s\n", maker.usi.ptr) >= 0 && fflush(file) == 0;
            if (maker.made % 100 == 0) {
                matchreport_line(report, "%d openings of %lld walks", maker.made, (long long)i + 1);
            }
        }
        if (maker.has_failed) {
            matchreport_failure(report, "stopped after %d openings: %s", maker.made,
                                player_detail(maker.player));
            break;
        }
    }
    is_written = fclose(file) == 0 && is_written;
    if (!is_written) {
        matchreport_failure(report, "%s: %s", options->path, file_error_text(errno));
    } else if (!maker.has_failed) {
        if (maker.made < options->count) {
            matchreport_failure(report, "only %d openings are balanced", maker.made);
        }
        matchreport_line(report, "%d opening%s in %s", maker.made, str_plural((uint64_t)maker.made),
                         options->path);
    }
    TaskStatus status = is_written && maker.made == options->count ? TASK_DONE
                        : atomic_load(cancel)                      ? TASK_INTERRUPTED
                                                                   : TASK_FAILED;
    player_free(maker.player);
    player_answer_free(&maker.answer);
    pos_free(&maker.pos);
    strbuf_free(&maker.usi);
    free(maker.keys);
    return status;
}
