#include "search/movepick.h"

#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "search/evaluate.h"
#include "search/history.h"

/* Captures come before every quiet move in a mixed list. */
#define CAPTURE_BASE 100000

static void init(MovePicker *picker, const Position *pos, const History *history, Move table_move) {
    picker->pos = pos;
    picker->history = history;
    picker->table_move = MOVE_NONE;
    picker->killers[0] = MOVE_NONE;
    picker->killers[1] = MOVE_NONE;
    picker->has_all_moves = false;
    picker->is_tactical = false;
    picker->stage = pos_in_check(pos) ? PICK_EVASIONS_START : PICK_CAPTURES_START;
    picker->killer_index = 0;
    picker->next = 0;
    picker->count = 0;
    if (table_move != MOVE_NONE && move_is_legal(pos, table_move)) {
        picker->table_move = table_move;
        picker->stage = PICK_TABLE;
    }
}

void movepick_init(MovePicker *picker, const Position *pos, const History *history, Move table_move,
                   const Move killers[2]) {
    init(picker, pos, history, table_move);
    picker->killers[0] = killers[0];
    picker->killers[1] = killers[1];
}

static bool is_tactical_move(const Position *pos, Move move) {
    return pos_is_capture(pos, move) || move_is_promotion(move);
}

void movepick_init_tactical(MovePicker *picker, const Position *pos, const History *history,
                            Move table_move) {
    bool is_fit = table_move != MOVE_NONE && (pos_in_check(pos) || !move_is_real(table_move) ||
                                              is_tactical_move(pos, table_move));
    init(picker, pos, history, is_fit ? table_move : MOVE_NONE);
    picker->is_tactical = true;
}

/* The most valuable victim first, taken by the least valuable attacker. */
static int tactical_value(const Position *pos, Move move) {
    PieceType mover = pos_moved_type(pos, move);
    int value = -piece_value(mover) / 16;
    if (pos_is_capture(pos, move)) {
        value += capture_value(piece_type(pos_piece(pos, move_to(move))));
    }
    if (move_is_promotion(move)) {
        value += piece_value(pt_promote(mover)) - piece_value(mover);
    }
    return value;
}

static void rate(MovePicker *picker) {
    for (int i = picker->next; i < picker->count; i++) {
        Move move = picker->moves[i];
        if (is_tactical_move(picker->pos, move)) {
            picker->values[i] = CAPTURE_BASE + tactical_value(picker->pos, move);
        } else {
            picker->values[i] = history_quiet(picker->history, picker->pos->side, move);
        }
    }
}

static void generate(MovePicker *picker, GenKind kind) {
    picker->next = 0;
    picker->count = gen_moves(picker->pos, kind, picker->moves);
    if (kind == GEN_QUIETS && picker->has_all_moves) {
        picker->count += gen_moves(picker->pos, GEN_DECLINED, picker->moves + picker->count);
    }
    rate(picker);
    picker->stage++;
}

static void swap_to_front(MovePicker *picker, int from) {
    Move move = picker->moves[from];
    int32_t value = picker->values[from];
    picker->moves[from] = picker->moves[picker->next];
    picker->values[from] = picker->values[picker->next];
    picker->moves[picker->next] = move;
    picker->values[picker->next] = value;
}

/* The best of what is left in the list, MOVE_NONE at its end. */
static Move take_best(MovePicker *picker) {
    while (picker->next < picker->count) {
        int best = picker->next;
        for (int i = picker->next + 1; i < picker->count; i++) {
            best = picker->values[i] > picker->values[best] ? i : best;
        }
        swap_to_front(picker, best);
        Move move = picker->moves[picker->next++];
        if (move != picker->table_move) {
            return move;
        }
    }
    return MOVE_NONE;
}

static bool is_killer(const MovePicker *picker, Move move) {
    return move == picker->killers[0] || move == picker->killers[1];
}

/* A killer that is a quiet legal move here; a used-up slot is cleared so that the list of quiet
 * moves leaves out only what was really given. */
static Move take_killer(MovePicker *picker) {
    while (picker->killer_index < 2) {
        Move *killer = &picker->killers[picker->killer_index++];
        if (*killer != MOVE_NONE && *killer != picker->table_move &&
            !is_tactical_move(picker->pos, *killer) && move_is_legal(picker->pos, *killer)) {
            return *killer;
        }
        *killer = MOVE_NONE;
    }
    return MOVE_NONE;
}

static Move take_quiet(MovePicker *picker) {
    Move move;
    do {
        move = take_best(picker);
    } while (move != MOVE_NONE && is_killer(picker, move));
    return move;
}

/* The next move of the current stage, MOVE_NONE when the stage is over. */
static Move pick_from_stage(MovePicker *picker) {
    switch (picker->stage) {
    case PICK_CAPTURES_START:
        generate(picker, GEN_CAPTURES);
        return take_best(picker);
    case PICK_EVASIONS_START:
        generate(picker, picker->has_all_moves ? GEN_LEGAL : GEN_EVASIONS);
        return take_best(picker);
    case PICK_CAPTURES:
    case PICK_EVASIONS:
        return take_best(picker);
    case PICK_KILLERS:
        return take_killer(picker);
    case PICK_QUIETS_START:
        generate(picker, GEN_QUIETS);
        return take_quiet(picker);
    case PICK_QUIETS:
        return take_quiet(picker);
    default:
        return MOVE_NONE;
    }
}

static PickStage stage_after(const MovePicker *picker) {
    switch (picker->stage) {
    case PICK_CAPTURES:
        return picker->is_tactical ? PICK_END : PICK_KILLERS;
    case PICK_KILLERS:
        return PICK_QUIETS_START;
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
