#include "search/movepick.h"

#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/see.h"
#include "search/evaluate.h"

/* Captures come before every quiet move in a list of evasions. */
#define CAPTURE_BASE (1 << 20)

/* A quiet move that gives check goes before its likes. */
#define CHECK_BONUS 6000

/* Member by member: to clear the long arrays too would cost more than many a node. */
static void init(MovePicker *picker, const Position *pos, const PickContext *context,
                 Move table_move) {
    picker->pos = pos;
    picker->context = context;
    picker->table_move = MOVE_NONE;
    picker->has_all_moves = false;
    picker->skips_quiets = false;
    picker->has_checks = false;
    picker->is_quiescence = false;
    picker->stage = pos_in_check(pos) ? PICK_EVASIONS_START : PICK_CAPTURES_START;
    picker->refutation_index = 0;
    picker->next = 0;
    picker->count = 0;
    picker->losing_count = 0;
    for (int i = 0; i < PICK_REFUTATION_NB; i++) {
        picker->refutations[i] = MOVE_NONE;
    }
    if (table_move != MOVE_NONE && move_is_legal(pos, table_move)) {
        picker->table_move = table_move;
        picker->stage = PICK_TABLE;
    }
}

void movepick_init(MovePicker *picker, const Position *pos, const PickContext *context,
                   Move table_move, int depth) {
    init(picker, pos, context, table_move);
    picker->depth = depth;
    picker->threshold = 0;
    for (int i = 0; i < PICK_REFUTATION_NB; i++) {
        picker->refutations[i] = context->refutations[i];
    }
}

void movepick_init_tactical(MovePicker *picker, const Position *pos, const PickContext *context,
                            Move table_move, int threshold) {
    init(picker, pos, context, table_move);
    if (!pos_in_check(pos) && picker->table_move != MOVE_NONE && move_is_quiet(pos, table_move)) {
        picker->table_move = MOVE_NONE;
        picker->stage = PICK_CAPTURES_START;
    }
    picker->is_quiescence = true;
    picker->depth = 0;
    picker->threshold = threshold;
}

static int capture_order(const MovePicker *picker, Move move) {
    const Position *pos = picker->pos;
    int value = *history_capture(picker->context->history, pos, move) / 16;
    value += 8 * capture_value(piece_type(pos_piece(pos, move_to(move))));
    if (move_is_promotion(move)) {
        PieceType type = pos_moved_type(pos, move);
        value += 8 * (piece_value(pt_promote(type)) - piece_value(type));
    }
    return value - piece_value(pos_moved_type(pos, move)) / 4;
}

static int quiet_order(const MovePicker *picker, Move move) {
    const Position *pos = picker->pos;
    int mover = history_mover(pos, move);
    int value = *history_quiet(picker->context->history, pos->side, move);
    for (int i = 0; i < 3; i++) {
        value += (*picker->context->rows[i])[mover][move_to(move)];
    }
    return value;
}

static void rate_captures(MovePicker *picker) {
    for (int i = picker->next; i < picker->count; i++) {
        picker->values[i] = capture_order(picker, picker->moves[i]);
    }
}

static void rate_quiets(MovePicker *picker) {
    Bitboard check[PIECE_TYPE_NB];
    for (int type = PAWN; type < PIECE_TYPE_NB; type++) {
        check[type] = type == KING ? BB_EMPTY : pos_check_squares(picker->pos, (PieceType)type);
    }
    for (int i = picker->next; i < picker->count; i++) {
        Move move = picker->moves[i];
        int value = quiet_order(picker, move);
        if (bb_has(check[pos_moved_type(picker->pos, move)], move_to(move))) {
            value += CHECK_BONUS;
        }
        picker->values[i] = value;
    }
}

static void rate_evasions(MovePicker *picker) {
    for (int i = picker->next; i < picker->count; i++) {
        Move move = picker->moves[i];
        picker->values[i] = move_is_quiet(picker->pos, move)
                                ? quiet_order(picker, move)
                                : CAPTURE_BASE + capture_order(picker, move);
    }
}

/* Moves worth at least `least` to the front, in falling order; the rest stays as it is. */
static void sort_above(MovePicker *picker, int least) {
    int sorted = picker->next;
    for (int i = picker->next; i < picker->count; i++) {
        int32_t value = picker->values[i];
        if (value < least) {
            continue;
        }
        Move move = picker->moves[i];
        picker->moves[i] = picker->moves[sorted];
        picker->values[i] = picker->values[sorted];
        int j = sorted++;
        for (; j > picker->next && picker->values[j - 1] < value; j--) {
            picker->moves[j] = picker->moves[j - 1];
            picker->values[j] = picker->values[j - 1];
        }
        picker->moves[j] = move;
        picker->values[j] = value;
    }
}

/* The list of the next stage, behind the captures that were put off. */
static void generate(MovePicker *picker, GenKind kind) {
    picker->next = picker->losing_count;
    picker->count = picker->next + gen_moves(picker->pos, kind, picker->moves + picker->next);
    picker->stage++;
}

static void swap_best_to_front(MovePicker *picker) {
    int best = picker->next;
    for (int i = picker->next + 1; i < picker->count; i++) {
        best = picker->values[i] > picker->values[best] ? i : best;
    }
    Move move = picker->moves[best];
    int32_t value = picker->values[best];
    picker->moves[best] = picker->moves[picker->next];
    picker->values[best] = picker->values[picker->next];
    picker->moves[picker->next] = move;
    picker->values[picker->next] = value;
}

/* The best of what is left of a short list, MOVE_NONE at its end. */
static Move take_best(MovePicker *picker) {
    while (picker->next < picker->count) {
        swap_best_to_front(picker);
        Move move = picker->moves[picker->next++];
        if (move != picker->table_move) {
            return move;
        }
    }
    return MOVE_NONE;
}

/* The next capture that does not lose; losers are put off, to the front of the list that has been
 * given out already. */
static Move take_capture(MovePicker *picker) {
    Move move;
    while ((move = take_best(picker)) != MOVE_NONE) {
        if (see_reaches(picker->pos, move, picker->threshold, capture_values())) {
            return move;
        }
        if (!picker->is_quiescence) {
            picker->moves[picker->losing_count++] = move;
        }
    }
    return MOVE_NONE;
}

/* A refutation that is a quiet legal move here. Used-up slots that gave nothing are cleared, so
 * that the quiet moves leave out only what was really given. */
static Move take_refutation(MovePicker *picker) {
    while (!picker->skips_quiets && picker->refutation_index < PICK_REFUTATION_NB) {
        int index = picker->refutation_index++;
        Move move = picker->refutations[index];
        bool is_new = move != MOVE_NONE && move != picker->table_move;
        for (int i = 0; i < index; i++) {
            is_new = is_new && move != picker->refutations[i];
        }
        if (is_new && move_is_quiet(picker->pos, move) && move_is_legal(picker->pos, move)) {
            return move;
        }
        picker->refutations[index] = MOVE_NONE;
    }
    return MOVE_NONE;
}

static bool was_refutation(const MovePicker *picker, Move move) {
    for (int i = 0; i < PICK_REFUTATION_NB; i++) {
        if (move == picker->refutations[i]) {
            return true;
        }
    }
    return false;
}

/* The next move of the list as it stands. */
static Move take_next(MovePicker *picker) {
    while (picker->next < picker->count) {
        Move move = picker->moves[picker->next++];
        if (move != picker->table_move && !was_refutation(picker, move)) {
            return move;
        }
    }
    return MOVE_NONE;
}

static void start_quiets(MovePicker *picker) {
    generate(picker, GEN_QUIETS);
    if (picker->has_all_moves) {
        picker->count += gen_moves(picker->pos, GEN_DECLINED, picker->moves + picker->count);
    }
    rate_quiets(picker);
    sort_above(picker, -2500 * picker->depth);
}

static Move take_losing(MovePicker *picker) {
    return picker->next < picker->losing_count ? picker->moves[picker->next++] : MOVE_NONE;
}

/* Quiet checks: captures and promotions have been tried by then. */
static Move take_check(MovePicker *picker) {
    Move move;
    do {
        move = take_next(picker);
    } while (move != MOVE_NONE && !move_is_quiet(picker->pos, move));
    return move;
}

/* The next move of the current stage, MOVE_NONE when the stage is over. */
static Move pick_from_stage(MovePicker *picker) {
    switch (picker->stage) {
    case PICK_CAPTURES_START:
        generate(picker, GEN_CAPTURES);
        rate_captures(picker);
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
        return take_next(picker);
    case PICK_QUIETS:
        return picker->skips_quiets ? MOVE_NONE : take_next(picker);
    case PICK_LOSING:
        return take_losing(picker);
    case PICK_EVASIONS_START:
        generate(picker, picker->has_all_moves ? GEN_LEGAL : GEN_EVASIONS);
        rate_evasions(picker);
        return take_best(picker);
    case PICK_EVASIONS:
        return take_best(picker);
    case PICK_CHECKS_START:
        generate(picker, GEN_CHECKS);
        return take_check(picker);
    case PICK_CHECKS:
        return take_check(picker);
    default:
        return MOVE_NONE;
    }
}

static PickStage stage_after(MovePicker *picker) {
    switch (picker->stage) {
    case PICK_CAPTURES_START:
    case PICK_CAPTURES:
        if (!picker->is_quiescence) {
            return PICK_REFUTATIONS;
        }
        return picker->has_checks ? PICK_CHECKS_START : PICK_END;
    case PICK_REFUTATIONS:
        return PICK_QUIETS_START;
    case PICK_QUIETS_START:
    case PICK_QUIETS:
        picker->next = 0;
        return PICK_LOSING;
    default:
        return PICK_END;
    }
}

Move movepick_next(MovePicker *picker) {
    if (picker->stage == PICK_TABLE) {
        picker->stage = pos_in_check(picker->pos) ? PICK_EVASIONS_START : PICK_CAPTURES_START;
        return picker->table_move;
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
