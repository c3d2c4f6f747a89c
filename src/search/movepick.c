/* movepick.c: a staged move picker. Each stage generates its moves when the previous stage has none
 * left, and stores their scores in the upper half of a 32-bit key. Each request then selects the
 * best remaining move. */
#include "search/movepick.h"

#include "eval/values.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"
#include "search/params.h"

/* Values are divided by this to fit 16 bits. */
#define VALUE_UNIT 8

/* Added to the value of captures in check, so that they come before all quiet moves. */
#define CAPTURE_BASE (20000 * VALUE_UNIT)

/* Sets each member separately, because clearing the long array as well would take too long. */
static void init_picker(MovePicker *picker, const Position *pos, const PickContext *context,
                        Move tt_move) {
    bool has_tt_move = tt_move != MOVE_NONE && move_is_legal(pos, tt_move);
    picker->pos = pos;
    picker->context = context;
    picker->tt_move = has_tt_move ? tt_move : MOVE_NONE;
    picker->with_non_promotions = false;
    picker->skips_quiets = false;
    picker->captures_only = false;
    picker->is_front_best = false;
    picker->threshold = 0;
    picker->stage = has_tt_move         ? PICK_TT_MOVE
                    : pos_in_check(pos) ? PICK_EVASIONS_START
                                        : PICK_CAPTURES_START;
    picker->refutation_index = 0;
    picker->next = 0;
    picker->count = 0;
    picker->bad_capture_count = 0;
    picker->first_bad_quiet = 0;
    for (int i = 0; i < PICK_REFUTATION_NB; i++) {
        picker->refutations[i] = MOVE_NONE;
    }
}

void movepick_init(MovePicker *picker, const Position *pos, const PickContext *context,
                   Move tt_move) {
    init_picker(picker, pos, context, tt_move);
    for (int i = 0; i < PICK_REFUTATION_NB; i++) {
        picker->refutations[i] = context->refutations[i];
    }
}

void movepick_init_captures(MovePicker *picker, const Position *pos, const PickContext *context,
                            Move tt_move, int threshold) {
    bool is_wanted = tt_move == MOVE_NONE || pos_in_check(pos) || !pos_is_quiet(pos, tt_move);
    init_picker(picker, pos, context, is_wanted ? tt_move : MOVE_NONE);
    picker->captures_only = true;
    picker->threshold = threshold;
}

/* ---- scoring --------------------------------------------------------------------------------- */

static int32_t make_key(int value, Move move) {
    return int_clamp(value / VALUE_UNIT, INT16_MIN, INT16_MAX) * 65536 + move;
}

static Move move_of(int32_t key) {
    return (Move)(key & 0xFFFF);
}

/* Captures and promotions: what they gain, the history, and a small piece before a large one. */
static int capture_value(const MovePicker *picker, Move move) {
    const Position *pos = picker->pos;
    int value = *history_capture(picker->context->history, pos, move) / P_ORDER_CAPTURE_HISTORY;
    value += P_ORDER_GAIN * values_move_gain(pos, move);
    return value - values_piece(pos_moved_type(pos, move)) / P_ORDER_MOVER_DIVISOR;
}

/* The histories of the quiet moves of one origin, each a row of values by destination. */
typedef struct QuietRows {
    const int16_t *quiet;
    const int16_t *pawn;
    const int16_t *continuations[CONTINUATION_NB];
    const int16_t *low_ply; /* NULL below the first plies */
    int low_ply_divisor;
} QuietRows;

static QuietRows quiet_rows(const MovePicker *picker, int origin) {
    const PickContext *context = picker->context;
    int piece_index = origin < SQ_NB ? (int)piece_type(picker->pos->board[origin])
                                     : PIECE_TYPE_NB + (origin - SQ_NB);
    QuietRows rows = {.quiet = context->history->quiet[picker->pos->side][origin],
                      .pawn = (*context->pawn_history)[piece_index],
                      .low_ply_divisor = 1 + context->ply};
    for (int i = 0; i < CONTINUATION_NB; i++) {
        rows.continuations[i] = (*context->continuations[i])[piece_index];
    }
    if (context->ply < LOW_PLIES) {
        rows.low_ply = context->history->low_ply[context->ply][origin];
    }
    return rows;
}

/* The sum of the histories of one destination. */
static int quiet_value(const QuietRows *rows, Square to) {
    int value = 2 * rows->quiet[to] + P_ORDER_PAWN_HISTORY * rows->pawn[to];
    for (int i = 0; i < CONTINUATION_NB; i++) {
        value += rows->continuations[i][to];
    }
    if (rows->low_ply != NULL) {
        value += P_ORDER_LOW_PLY * rows->low_ply[to] / rows->low_ply_divisor;
    }
    return value;
}

static void score_captures(MovePicker *picker) {
    for (int i = picker->next; i < picker->count; i++) {
        Move move = move_of(picker->keys[i]);
        picker->keys[i] = make_key(capture_value(picker, move), move);
    }
}

/* Moves are listed by origin, so the rows are found once for each piece. */
static void score_quiets(MovePicker *picker) {
    const Position *pos = picker->pos;
    Color them = color_flip(pos->side);
    Bitboard their_pawns = bb_and(pos->type_bb[PAWN], pos->color_bb[them]);
    Bitboard pawn_attacks = bb_forward(them, their_pawns);
    Bitboard check[PIECE_TYPE_NB];
    pos_all_check_squares(pos, check);
    for (int i = picker->next; i < picker->count;) {
        int origin = move_origin(move_of(picker->keys[i]));
        bool is_drop = origin >= SQ_NB;
        PieceType type = is_drop ? (PieceType)(origin - SQ_NB) : piece_type(pos->board[origin]);
        QuietRows rows = quiet_rows(picker, origin);
        /* Avoid moving pieces worth more than a pawn to squares that pawns attack, and prefer to
         * move them away from such squares. */
        Bitboard shunned = type == PAWN || type == KING ? BB_EMPTY : pawn_attacks;
        int escape = !is_drop && bb_has(shunned, origin) ? P_ORDER_PAWN_THREAT : 0;
        do {
            Move move = move_of(picker->keys[i]);
            Square to = move_to(move);
            int value = quiet_value(&rows, to);
            value += bb_has(shunned, to) ? -P_ORDER_PAWN_THREAT : escape;
            value += bb_has(check[type], to) ? P_ORDER_CHECK : 0;
            picker->keys[i++] = make_key(value, move);
        } while (i < picker->count && move_origin(move_of(picker->keys[i])) == origin);
    }
}

static void score_evasions(MovePicker *picker) {
    for (int i = picker->next; i < picker->count; i++) {
        Move move = move_of(picker->keys[i]);
        int value;
        if (pos_is_quiet(picker->pos, move)) {
            QuietRows rows = quiet_rows(picker, move_origin(move));
            value = quiet_value(&rows, move_to(move));
        } else {
            value = CAPTURE_BASE + capture_value(picker, move);
        }
        picker->keys[i] = make_key(value, move);
    }
}

/* ---- selecting ------------------------------------------------------------------------------- */

/* Appends moves to the list, not yet scored. */
static void append_generated(MovePicker *picker, GenKind kind) {
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

/* The best remaining key of the list, which must not be empty; it is swapped to the front. Most
 * nodes end after a few moves, so selecting one at a time is cheaper than sorting. Both loops run
 * over whole blocks so that the compiler can vectorise them. No two keys are equal, so the second
 * loop adds up exactly one index. */
static int32_t peek_best(MovePicker *picker) {
    int32_t *keys = picker->keys + picker->next;
    if (picker->is_front_best) {
        return keys[0];
    }
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
    keys[place] = keys[0];
    keys[0] = best;
    picker->is_front_best = true;
    return best;
}

/* Returns the best remaining move of the list, or MOVE_NONE at its end. */
static Move take_best(MovePicker *picker) {
    while (picker->next < picker->count) {
        Move move = move_of(peek_best(picker));
        picker->is_front_best = false;
        picker->next++;
        if (move != picker->tt_move) {
            return move;
        }
    }
    return MOVE_NONE;
}

/* True if the capture is tried before the quiet moves. With a good history a capture may lose
 * material, with a bad history it must gain some. */
static bool is_good_capture(const MovePicker *picker, Move move) {
    const Position *pos = picker->pos;
    int threshold = picker->threshold;
    if (!picker->captures_only) {
        int history = *history_capture(picker->context->history, pos, move);
        threshold =
            -(P_ORDER_GOOD_GAIN * values_move_gain(pos, move) + history) / P_ORDER_GOOD_DIVISOR;
    }
    return pos_see_reaches(pos, move, threshold, values_for_see());
}

/* True if the refutation with this index is new, quiet and legal here. */
static bool is_good_refutation(const MovePicker *picker, int index) {
    Move move = picker->refutations[index];
    bool is_new = move != MOVE_NONE && move != picker->tt_move;
    for (int i = 0; i < index; i++) {
        is_new = is_new && move != picker->refutations[i];
    }
    return is_new && pos_is_quiet(picker->pos, move) && move_is_legal(picker->pos, move);
}

static bool was_refutation(const MovePicker *picker, Move move) {
    for (int i = 0; i < PICK_REFUTATION_NB; i++) {
        if (move == picker->refutations[i]) {
            return true;
        }
    }
    return false;
}

Move movepick_next(MovePicker *picker) {
    const Position *pos = picker->pos;
    Move move;
    switch (picker->stage) {
    case PICK_TT_MOVE:
        picker->stage = pos_in_check(pos) ? PICK_EVASIONS_START : PICK_CAPTURES_START;
        return picker->tt_move;

    case PICK_CAPTURES_START:
        append_generated(picker, GEN_CAPTURES);
        score_captures(picker);
        picker->stage = PICK_CAPTURES;
        /* fall through */

    case PICK_CAPTURES:
        while ((move = take_best(picker)) != MOVE_NONE) {
            if (is_good_capture(picker, move)) {
                return move;
            }
            /* The bad ones move to the front of the list, where moves already taken were. */
            picker->keys[picker->bad_capture_count++] = move;
        }
        if (picker->captures_only) {
            picker->stage = PICK_END;
            return MOVE_NONE;
        }
        picker->stage = PICK_REFUTATIONS;
        /* fall through */

    case PICK_REFUTATIONS:
        while (!picker->skips_quiets && picker->refutation_index < PICK_REFUTATION_NB) {
            int index = picker->refutation_index++;
            if (is_good_refutation(picker, index)) {
                return picker->refutations[index];
            }
            /* Cleared, so that the quiet stages skip only moves that were really returned. */
            picker->refutations[index] = MOVE_NONE;
        }
        picker->stage = PICK_QUIETS_START;
        /* fall through */

    case PICK_QUIETS_START:
        picker->next = picker->count = picker->bad_capture_count;
        picker->is_front_best = false;
        if (!picker->skips_quiets) {
            append_generated(picker, GEN_QUIETS);
            if (picker->with_non_promotions) {
                append_generated(picker, GEN_NON_PROMOTIONS);
            }
            score_quiets(picker);
        }
        picker->stage = PICK_QUIETS;
        /* fall through */

    case PICK_QUIETS:
        while (!picker->skips_quiets && picker->next < picker->count &&
               peek_best(picker) / 65536 >= -P_ORDER_BAD_QUIET / VALUE_UNIT) {
            move = take_best(picker);
            if (move != MOVE_NONE && !was_refutation(picker, move)) {
                return move;
            }
        }
        picker->first_bad_quiet = picker->next;
        picker->next = 0;
        picker->stage = PICK_BAD_CAPTURES;
        /* fall through */

    case PICK_BAD_CAPTURES:
        if (picker->next < picker->bad_capture_count) {
            return move_of(picker->keys[picker->next++]);
        }
        picker->next = picker->first_bad_quiet;
        picker->is_front_best = false;
        picker->stage = PICK_BAD_QUIETS;
        /* fall through */

    case PICK_BAD_QUIETS:
        while (!picker->skips_quiets && (move = take_best(picker)) != MOVE_NONE) {
            if (!was_refutation(picker, move)) {
                return move;
            }
        }
        return MOVE_NONE;

    case PICK_EVASIONS_START:
        append_generated(picker, picker->with_non_promotions ? GEN_LEGAL : GEN_EVASIONS);
        score_evasions(picker);
        picker->stage = PICK_EVASIONS;
        /* fall through */

    case PICK_EVASIONS:
        return take_best(picker);

    case PICK_END:
        break;
    }
    return MOVE_NONE;
}
