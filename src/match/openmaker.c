/* openmaker.c: makes random walks from the start position. The engine judges the moves and the
 * final positions. */
#include "match/openmaker.h"

#include <errno.h>
#include <stdlib.h>

#include "base/fileio.h"
#include "base/rng.h"
#include "base/xmem.h"
#include "play/newfile.h"
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
typedef struct Plan {
    RookShape shape[COLOR_NB];
    int rook_turn[COLOR_NB]; /* number of the move that brings the rook to a ranging file */
    int plies;
} Plan;

typedef struct Maker {
    const OpenMakerOptions *options;
    Player *player;
    GameClock look;  /* limits of a short search */
    GameClock check; /* limits of the final check */
    Position pos;
    Rng rng;
    StrBuf usi; /* text of the position */
    PlayerAnswer answer;
    uint64_t *keys; /* keys of the openings made so far */
    int made;
    FILE *file;
    bool has_failed;
} Maker;

/* The file of the rook, 0 to 8 counted from its side; -1 if the side has no rook or two. */
static int rook_file(const Position *pos, Color side) {
    Bitboard rooks = bb_or(pos_pieces(pos, side, ROOK), pos_pieces(pos, side, DRAGON));
    if (bb_count(rooks) != 1) {
        return -1;
    }
    int file = sq_file(bb_first(rooks));
    return side == BLACK ? file : FILE_NB - 1 - file;
}

static bool has_shape(const Position *pos, Color side, RookShape shape) {
    int file = rook_file(pos, side);
    return file >= 0 && (file >= 4) == (shape == ROOK_RANGING);
}

/* Makes a random plan. Both sides play a static rook in three of eight openings, only black plays
 * a ranging rook in two, only white in two, and both do in one. */
static Plan make_plan(Maker *maker) {
    static const RookShape shapes[8][COLOR_NB] = {
        {ROOK_STATIC, ROOK_STATIC},  {ROOK_STATIC, ROOK_STATIC},   {ROOK_STATIC, ROOK_STATIC},
        {ROOK_RANGING, ROOK_STATIC}, {ROOK_RANGING, ROOK_STATIC},  {ROOK_STATIC, ROOK_RANGING},
        {ROOK_STATIC, ROOK_RANGING}, {ROOK_RANGING, ROOK_RANGING},
    };
    const OpenMakerOptions *options = maker->options;
    Plan plan = {.plies = options->min_plies};
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
static bool fits_plan(Maker *maker, const Plan *plan, Move move) {
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
static bool search_opening(Maker *maker, const GameClock *limits, int *score) {
    StrView usi = strbuf_view(&maker->usi);
    PlayerStatus status =
        player_think(maker->player, usi, limits, maker->pos.side, false, &maker->answer);
    maker->has_failed = maker->has_failed || status != PLAYER_OK;
    *score = maker->answer.info.score;
    return status == PLAYER_OK && maker->answer.info.has_score;
}

/* Make or take back a move, both on the board and in the text. */
static void do_move(Maker *maker, Move move) {
    strbuf_add_str(&maker->usi, pos_moves_done(&maker->pos) == 0 ? " moves " : " ");
    usimove_append(move, &maker->usi);
    pos_do(&maker->pos, move);
}

/* The score of a move for the side that plays it. */
static bool value_move(Maker *maker, Move move, int *value) {
    const OutcomeRules rules = {KMD_DECLARE_NONE, 0};
    size_t len = maker->usi.len;
    int score = 0;
    do_move(maker, move);
    bool is_good = outcome_of(&maker->pos, &rules).kind == KMD_END_NONE &&
                   search_opening(maker, &maker->look, &score);
    pos_undo(&maker->pos);
    maker->usi.len = len;
    maker->usi.ptr[len] = '\0';
    *value = -score;
    return is_good;
}

/* Draws different moves that fit the plan. Returns their number. */
static int draw_moves(Maker *maker, const Plan *plan, Move *drawn) {
    Move list[MAX_MOVES];
    int count = gen_moves(&maker->pos, GEN_LEGAL, list);
    int taken = 0;
    while (count > 0 && taken < maker->options->samples) {
        int i = (int)rng_below(&maker->rng, (uint64_t)count);
        Move move = list[i];
        list[i] = list[--count];
        if (fits_plan(maker, plan, move)) {
            drawn[taken++] = move;
        }
    }
    return taken;
}

/* Makes one step of a walk. Returns false if there is no move to play. */
static bool step(Maker *maker, const Plan *plan) {
    Move drawn[MAX_MOVES];
    int value[MAX_MOVES], kept = 0, best = -2 * USI_SCORE_MATE;
    int count = draw_moves(maker, plan, drawn);
    for (int i = 0; i < count; i++) {
        if (value_move(maker, drawn[i], &value[kept])) {
            best = int_max(best, value[kept]);
            drawn[kept++] = drawn[i];
        }
    }
    count = 0;
    for (int i = 0; i < kept; i++) {
        if (value[i] >= best - maker->options->window) {
            drawn[count++] = drawn[i];
        }
    }
    if (count == 0) {
        return false;
    }
    do_move(maker, drawn[rng_below(&maker->rng, (uint64_t)count)]);
    return true;
}

static bool is_new(const Maker *maker) {
    for (int i = 0; i < maker->made; i++) {
        if (maker->keys[i] == pos_key(&maker->pos)) {
            return false;
        }
    }
    return true;
}

/* Makes one walk from the start. Returns true if it ended in a new, balanced position of the
 * planned type. */
static bool walk(Maker *maker) {
    Setup start = setup_start();
    Plan plan = make_plan(maker);
    pos_set(&maker->pos, &start);
    strbuf_clear(&maker->usi);
    strbuf_add_str(&maker->usi, "startpos");
    for (int i = 0; i < plan.plies; i++) {
        if (!step(maker, &plan)) {
            return false;
        }
    }
    int score;
    return has_shape(&maker->pos, BLACK, plan.shape[BLACK]) &&
           has_shape(&maker->pos, WHITE, plan.shape[WHITE]) && !pos_in_check(&maker->pos) &&
           maker->pos.now->captured == NO_PIECE && is_new(maker) &&
           search_opening(maker, &maker->check, &score) && abs(score) <= maker->options->score;
}

static bool report_player_fault(const Maker *maker) {
    fprintf(stderr, "komadori-match: %s: %s\n", maker->options->path, file_error_text(errno));
    return false;
}

/* Makes openings until there are enough. The engine's memory is cleared before each opening, so
 * openings do not depend on each other. */
static bool make_all(Maker *maker, FILE *progress) {
    int64_t tries = (int64_t)maker->options->count * WALKS_PER_OPENING;
    for (int64_t i = 0; i < tries && maker->made < maker->options->count; i++) {
        maker->rng = rng_init(maker->options->seed + (uint64_t)i * 0x9e3779b97f4a7c15);
        maker->has_failed = player_prepare(maker->player) != PLAYER_OK;
        if (!maker->has_failed && walk(maker)) {
            maker->keys[maker->made++] = pos_key(&maker->pos);
            if (fprintf(maker->file, "%s\n", maker->usi.ptr) < 0 || fflush(maker->file) != 0) {
                return report_player_fault(maker);
            }
            if (maker->made % 100 == 0) {
                fprintf(progress, "%d openings of %lld walks\n", maker->made, (long long)i + 1);
                fflush(progress);
            }
        }
        if (maker->has_failed) {
            fprintf(stderr, "komadori-match: stopped after %d openings: %s\n", maker->made,
                    player_detail(maker->player));
            return false;
        }
    }
    if (maker->made < maker->options->count) {
        fprintf(stderr, "komadori-match: only %d openings are balanced\n", maker->made);
    }
    fprintf(progress, "%d opening%s in %s\n", maker->made, str_plural((uint64_t)maker->made),
            maker->options->path);
    return maker->made == maker->options->count;
}

bool openmaker_run(const OpenMakerOptions *options, const EngineSpec *engine,
                   const PlayerOptions *player_rules, const PlayerSink *sink, FILE *progress,
                   const atomic_bool *cancel) {
    TimeControl look = {.nodes = (uint64_t)options->nodes};
    Maker maker = {.options = options};
    atomic_bool has_spoken = false;
    StrBuf error = STRBUF_INIT;
    maker.file = newfile_open(options->path, false, "name another file", &error);
    if (maker.file == NULL) {
        fprintf(stderr, "komadori-match: %s\n", error.ptr);
    }
    strbuf_free(&error);
    if (maker.file == NULL) {
        return false;
    }
    maker.look = timecontrol_start(&look, &look);
    maker.check = timecontrol_start(&engine->tc, &engine->tc);
    maker.keys = xmem_calloc((size_t)options->count, sizeof(uint64_t));
    PlayerOptions rules_here = *player_rules; /* a book would answer at random, without a score */
    rules_here.forbids_books = true;
    maker.player = player_new(engine, &rules_here, sink, 1, &has_spoken, cancel);
    pos_init(&maker.pos);
    bool is_good = make_all(&maker, progress);
    is_good = (fclose(maker.file) == 0 || report_player_fault(&maker)) && is_good;
    player_free(maker.player);
    player_answer_free(&maker.answer);
    pos_free(&maker.pos);
    strbuf_free(&maker.usi);
    free(maker.keys);
    return is_good;
}
