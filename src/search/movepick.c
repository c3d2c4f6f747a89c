/* movepick.c: a staged move picker. Each stage generates its moves when the previous stage has none
 * left, and stores their scores in the upper half of a 32-bit key. Each request then selects the
 * best remaining move. */
#include "search/movepick.h"

#include "eval/values.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/see.h"
#include "search/params.h"

/* Values are divided by this to fit 16 bits. */
#define VALUE_UNIT 8

/* Added to the value of captures in check, so that they come before all quiet moves. */
#define CAPTURE_BASE (20000 * VALUE_UNIT)

/* Prefetches the hash table entry of the position after the move. */
static void fetch(const MovePicker *picker, Move move) {
    tt_prefetch(picker->context->tt, pos_key_after(picker->pos, move));
}

/* Sets each member separately, because clearing the long arrays as well would take too long. */
static void init(MovePicker *picker, const Position *pos, const PickContext *context,
                 Move tt_move) {
    picker->pos = pos;
    picker->context = context;
    picker->tt_move = MOVE_NONE;
    picker->has_all_moves = false;
    picker->skips_quiets = false;
    picker->has_checks = false;
    picker->is_tactical = false;
    picker->threshold = 0;
    picker->stage = pos_in_check(pos) ? PICK_EVASIONS_START : PICK_CAPTURES_START;
    picker->refutation_index = 0;
    picker->next = 0;
    picker->count = 0;
    picker->bad_capture_count = 0;
    picker->first_bad_quiet = -1;
    for (int i = 0; i < PICK_REFUTATION_NB; i++) {
        picker->refutations[i] = MOVE_NONE;
    }
    if (tt_move != MOVE_NONE && move_is_legal(pos, tt_move)) {
        picker->tt_move = tt_move;
        picker->stage = PICK_TT_MOVE;
        fetch(picker, tt_move);
    }
}

void movepick_init(MovePicker *picker, const Position *pos, const PickContext *context,
                   Move tt_move) {
    init(picker, pos, context, tt_move);
    for (int i = 0; i < PICK_REFUTATION_NB; i++) {
        picker->refutations[i] = context->refutations[i];
    }
}

void movepick_init_tactical(MovePicker *picker, const Position *pos, const PickContext *context,
                            Move tt_move, int threshold) {
    init(picker, pos, context, tt_move);
    if (!pos_in_check(pos) && picker->tt_move != MOVE_NONE && pos_is_quiet(pos, tt_move)) {
        picker->tt_move = MOVE_NONE;
        picker->stage = PICK_CAPTURES_START;
    }
    picker->is_tactical = true;
    picker->threshold = threshold;
}

static int capture_order(const MovePicker *picker, Move move) {
    const Position *pos = picker->pos;
    int value = *history_capture(picker->context->history, pos, move) / P_ORDER_CAPTURE_HISTORY;
    value += P_ORDER_GAIN * values_move_gain(pos, move);
    return value - values_piece(pos_moved_type(pos, move)) / P_ORDER_MOVER_DIVISOR;
}

static int quiet_order(const MovePicker *picker, Move move) {
    const Position *pos = picker->pos;
    int mover = history_mover(pos, move);
    const PickContext *context = picker->context;
    int value = 2 * *history_quiet(context->history, pos->side, move);
    value += P_ORDER_PAWN_HISTORY * (*context->pawn_history)[mover][move_to(move)];
    for (int i = 0; i < CONTINUATION_NB; i++) {
        value += (*context->continuations[i])[mover][move_to(move)];
    }
    if (context->ply < LOW_PLIES) {
        value += P_ORDER_LOW_PLY * *history_low_ply(context->history, context->ply, move) /
                 (1 + context->ply);
    }
    return value;
}

/* The sort key: the value in the upper half, the move in the lower. */
static int32_t make_key(int value, Move move) {
    return int_clamp(value / VALUE_UNIT, INT16_MIN, INT16_MAX) * 65536 + move;
}

static Move move_of(int32_t key) {
    return (Move)(key & 0xFFFF);
}

/* The best key of a list so far, and its index. */
typedef struct BestKey {
    int32_t key;
    int place;
} BestKey;

#define BEST_KEY_NONE ((BestKey){.key = INT32_MIN})

/* Scores the move at index `place`. */
static void rate(MovePicker *picker, int place, int value, BestKey *best) {
    int32_t key = make_key(value, move_of(picker->keys[place]));
    picker->keys[place] = key;
    best->place = key > best->key ? place : best->place;
    best->key = key > best->key ? key : best->key;
}

static BestKey rate_captures(MovePicker *picker) {
    BestKey best = BEST_KEY_NONE;
    for (int i = picker->next; i < picker->count; i++) {
        rate(picker, i, capture_order(picker, move_of(picker->keys[i])), &best);
    }
    return best;
}

/* Avoid moving pieces worth more than a pawn to squares attacked by enemy pawns, and prefer moving
 * them away from such squares. */
static int pawn_threat_order(const Position *pos, Bitboard threatened, Move move) {
    PieceType type = pos_moved_type(pos, move);
    if (type == PAWN || type == KING) {
        return 0;
    }
    if (bb_has(threatened, move_to(move))) {
        return -P_ORDER_PAWN_THREAT;
    }
    return !move_is_drop(move) && bb_has(threatened, move_from(move)) ? P_ORDER_PAWN_THREAT : 0;
}

static BestKey rate_quiets(MovePicker *picker) {
    BestKey best = BEST_KEY_NONE;
    const Position *pos = picker->pos;
    Color enemy = color_flip(pos->side);
    Bitboard enemy_pawns = bb_and(pos->type_bb[PAWN], pos->color_bb[enemy]);
    Bitboard threatened = bb_forward(enemy, enemy_pawns);
    Bitboard check[PIECE_TYPE_NB];
    pos_all_check_squares(pos, check);
    for (int i = picker->next; i < picker->count; i++) {
        Move move = move_of(picker->keys[i]);
        int value = quiet_order(picker, move) + pawn_threat_order(pos, threatened, move);
        if (bb_has(check[pos_moved_type(pos, move)], move_to(move))) {
            value += P_ORDER_CHECK;
        }
        rate(picker, i, value, &best);
    }
    return best;
}

static BestKey rate_evasions(MovePicker *picker) {
    BestKey best = BEST_KEY_NONE;
    for (int i = picker->next; i < picker->count; i++) {
        Move move = move_of(picker->keys[i]);
        int value = pos_is_quiet(picker->pos, move) ? quiet_order(picker, move)
                                                    : CAPTURE_BASE + capture_order(picker, move);
        rate(picker, i, value, &best);
    }
    return best;
}

/* Starts the list of the next stage, which is stored after the postponed captures. */
static void begin_list(MovePicker *picker) {
    picker->next = picker->bad_capture_count;
    picker->count = picker->bad_capture_count;
    picker->stage++;
}

/* Appends moves to the list, not yet scored. */
static void generate(MovePicker *picker, GenKind kind) {
    Move moves[MAX_MOVES];
    int count = gen_moves(picker->pos, kind, moves);
    for (int i = 0; i < count; i++) {
        picker->keys[picker->count + i] = moves[i];
    }
    picker->count += count;
    for (int i = 0; i < PICK_BLOCK; i++) {
        picker->keys[picker->count + i] = INT32_MIN;
    }
}

/* Swaps the best remaining move to the front of the list. */
static void put_first(MovePicker *picker, BestKey best) {
    if (picker->next == picker->count) {
        return;
    }
    picker->keys[best.place] = picker->keys[picker->next];
    picker->keys[picker->next] = best.key;
    fetch(picker, move_of(best.key));
}

/* The best remaining move of the list. Most nodes end after a few moves, so selecting one at a time
 * is cheaper than sorting. Both loops run over whole blocks so that the compiler can vectorise
 * them. No two keys are equal, so the second loop adds up exactly one index. */
static BestKey find_best(const MovePicker *picker) {
    const int32_t *keys = picker->keys + picker->next;
    int left = picker->count - picker->next;
    int length = (left + PICK_BLOCK - 1) & ~(PICK_BLOCK - 1);
    int32_t best = keys[0];
    for (int i = 0; i < length; i++) {
        best = keys[i] > best ? keys[i] : best;
    }
    int place = 0;
    for (int i = 0; i < length; i++) {
        place += keys[i] == best ? i : 0;
    }
    ASSERT(keys[place] == best);
    return (BestKey){.key = best, .place = picker->next + place};
}

/* Returns the best remaining move of the list, or MOVE_NONE at its end. */
static Move take_best(MovePicker *picker) {
    while (picker->next < picker->count) {
        Move move = move_of(picker->keys[picker->next++]);
        put_first(picker, find_best(picker));
        if (move != picker->tt_move) {
            return move;
        }
    }
    return MOVE_NONE;
}

/* The least static exchange value of a capture tried before the quiet moves. With a good history a
 * capture may lose material, with a bad history it must gain some. */
static int least_gain(const MovePicker *picker, Move move) {
    if (picker->is_tactical) {
        return picker->threshold;
    }
    int history = *history_capture(picker->context->history, picker->pos, move);
    return -(P_ORDER_GOOD_GAIN * values_move_gain(picker->pos, move) + history) /
           P_ORDER_GOOD_DIVISOR;
}

/* Returns the next good capture. Bad captures are moved to the front of the list, into the places
 * of moves that have already been returned. */
static Move take_capture(MovePicker *picker) {
    Move move;
    while ((move = take_best(picker)) != MOVE_NONE) {
        if (see_reaches(picker->pos, move, least_gain(picker, move), values_capture())) {
            return move;
        }
        if (!picker->is_tactical) {
            picker->keys[picker->bad_capture_count++] = move;
        }
    }
    return MOVE_NONE;
}

/* Returns a refutation that is quiet and legal here. The slots of other refutations are cleared, so
 * that the quiet stage skips only moves that were really returned. */
static Move take_refutation(MovePicker *picker) {
    while (!picker->skips_quiets && picker->refutation_index < PICK_REFUTATION_NB) {
        int index = picker->refutation_index++;
        Move move = picker->refutations[index];
        bool is_new = move != MOVE_NONE && move != picker->tt_move;
        for (int i = 0; i < index; i++) {
            is_new = is_new && move != picker->refutations[i];
        }
        if (is_new && pos_is_quiet(picker->pos, move) && move_is_legal(picker->pos, move)) {
            fetch(picker, move);
            return move;
        }
        picker->refutations[index] = MOVE_NONE;
    }
    return MOVE_NONE;
}

/* True if the move has been returned as a refutation. */
static bool was_refutation(const MovePicker *picker, Move move) {
    for (int i = 0; i < PICK_REFUTATION_NB; i++) {
        if (move == picker->refutations[i]) {
            return true;
        }
    }
    return false;
}

/* Returns the next quiet move that was not a refutation. */
static Move take_quiet(MovePicker *picker) {
    Move move;
    do {
        move = take_best(picker);
    } while (move != MOVE_NONE && was_refutation(picker, move));
    return move;
}

/* Like take_quiet, but stops at the first move with a bad history. The remaining quiet moves come
 * after the bad captures. */
static Move take_good_quiet(MovePicker *picker) {
    Move move;
    do {
        bool is_over = picker->next == picker->count ||
                       picker->keys[picker->next] / 65536 < -P_ORDER_BAD_QUIET / VALUE_UNIT;
        move = is_over ? MOVE_NONE : take_best(picker);
    } while (move != MOVE_NONE && was_refutation(picker, move));
    picker->first_bad_quiet = picker->next;
    return move;
}

static void start_quiets(MovePicker *picker) {
    begin_list(picker);
    generate(picker, GEN_QUIETS);
    if (picker->has_all_moves) {
        generate(picker, GEN_NON_PROMOTIONS);
    }
    put_first(picker, rate_quiets(picker));
}

/* Starts returning the postponed captures, which are at the front of the list. */
static void begin_bad_captures(MovePicker *picker) {
    picker->next = 0;
    picker->stage++;
}

static Move take_bad_capture(MovePicker *picker) {
    if (picker->next >= picker->bad_capture_count) {
        return MOVE_NONE;
    }
    Move move = move_of(picker->keys[picker->next++]);
    fetch(picker, move);
    return move;
}

/* Returns quiet checks in the order generated. Captures and promotions have already been tried. */
static Move take_check(MovePicker *picker) {
    while (picker->next < picker->count) {
        Move move = move_of(picker->keys[picker->next++]);
        if (pos_is_quiet(picker->pos, move)) {
            fetch(picker, move);
            return move;
        }
    }
    return MOVE_NONE;
}

/* Returns the next move of the current stage, or MOVE_NONE at its end. */
static Move pick_from_stage(MovePicker *picker) {
    switch (picker->stage) {
    case PICK_CAPTURES_START:
        begin_list(picker);
        generate(picker, GEN_CAPTURES);
        put_first(picker, rate_captures(picker));
        return take_capture(picker);
    case PICK_CAPTURES:
        return take_capture(picker);
    case PICK_REFUTATIONS:
        return take_refutation(picker);
    case PICK_QUIETS_START:
        if (picker->skips_quiets) {
            return MOVE_NONE;
        }
        start_quiets(picker);
        return take_good_quiet(picker);
    case PICK_QUIETS:
        return picker->skips_quiets ? MOVE_NONE : take_good_quiet(picker);
    case PICK_BAD_QUIETS_START:
        picker->next = picker->first_bad_quiet;
        picker->stage++;
        return picker->skips_quiets ? MOVE_NONE : take_quiet(picker);
    case PICK_BAD_QUIETS:
        return picker->skips_quiets ? MOVE_NONE : take_quiet(picker);
    case PICK_BAD_CAPTURES_START:
        begin_bad_captures(picker);
        return take_bad_capture(picker);
    case PICK_BAD_CAPTURES:
        return take_bad_capture(picker);
    case PICK_EVASIONS_START:
        begin_list(picker);
        generate(picker, picker->has_all_moves ? GEN_LEGAL : GEN_EVASIONS);
        put_first(picker, rate_evasions(picker));
        return take_best(picker);
    case PICK_EVASIONS:
        return take_best(picker);
    case PICK_CHECKS_START:
        begin_list(picker);
        generate(picker, GEN_CHECKS);
        return take_check(picker);
    case PICK_CHECKS:
        return take_check(picker);
    default:
        return MOVE_NONE;
    }
}

static PickStage stage_after(const MovePicker *picker) {
    switch (picker->stage) {
    case PICK_CAPTURES_START:
    case PICK_CAPTURES:
        if (!picker->is_tactical) {
            return PICK_REFUTATIONS;
        }
        return picker->has_checks ? PICK_CHECKS_START : PICK_END;
    case PICK_REFUTATIONS:
        return PICK_QUIETS_START;
    case PICK_QUIETS_START:
    case PICK_QUIETS:
        return PICK_BAD_CAPTURES_START;
    case PICK_BAD_CAPTURES_START:
    case PICK_BAD_CAPTURES:
        return picker->skips_quiets || picker->first_bad_quiet < 0 ? PICK_END
                                                                   : PICK_BAD_QUIETS_START;
    default:
        return PICK_END;
    }
}

Move movepick_next(MovePicker *picker) {
    if (picker->stage == PICK_TT_MOVE) {
        picker->stage = pos_in_check(picker->pos) ? PICK_EVASIONS_START : PICK_CAPTURES_START;
        return picker->tt_move;
    }
    while (picker->stage != PICK_END) {
        Move move = pick_from_stage(picker);
        if (move != MOVE_NONE) {
            return move;
        }
        picker->stage = stage_after(picker);
    }
    return MOVE_NONE;
}
