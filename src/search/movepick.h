/* movepick.h: the legal moves of a node, the most promising first, generated only when needed:
 *
 *   main search   table move, good captures, killers and counter move, quiet moves by history, bad
 *                 captures, quiet moves that did badly; which captures are good depends on their
 *                 exchange and their history
 *   in check      table move, all evasions
 *   tactical      table move, captures and promotions, quiet checks if requested
 *
 * The picker prefetches the table entry of the position after the next move, while the move before
 * it is searched.
 *
 * Belongs to one node; the position must be unchanged whenever the next move is requested. */
#ifndef KMD_SEARCH_MOVEPICK_H
#define KMD_SEARCH_MOVEPICK_H

#include "search/history.h"
#include "search/tt.h"

/* Each list has a START stage that generates and scores it, followed by the stage that returns its
 * moves. */
typedef enum PickStage {
    PICK_TABLE,
    PICK_CAPTURES_START,
    PICK_CAPTURES,
    PICK_REFUTATIONS,
    PICK_QUIETS_START,
    PICK_QUIETS,
    PICK_LOSING_START,
    PICK_LOSING,
    PICK_BAD_QUIETS_START,
    PICK_BAD_QUIETS,
    PICK_EVASIONS_START,
    PICK_EVASIONS,
    PICK_CHECKS_START,
    PICK_CHECKS,
    PICK_END
} PickStage;

enum {
    PICK_REFUTATION_NB = 3,
    PICK_BLOCK = 16 /* keys compared together; a power of two */
};

/* The inputs of the picker besides the position. */
typedef struct PickContext {
    History *history;
    const TransTable *table;                        /* fetched from */
    PieceToHistory *continuations[CONTINUATION_NB]; /* after the moves before */
    PieceToHistory *pawn_history;                   /* with the pawns of the position */
    Move refutations[PICK_REFUTATION_NB]; /* two killers and the counter move; MOVE_NONE: none */
    int ply;                              /* below the root */
} PickContext;

typedef struct MovePicker {
    const Position *pos;
    const PickContext *context;
    Move table_move;
    Move refutations[PICK_REFUTATION_NB];
    bool has_all_moves; /* non-promotions too */
    bool skips_quiets;  /* may be set at any time: the remaining quiet moves are left out */
    bool has_checks;    /* if is_tactical: quiet checks after the captures */
    bool is_tactical;   /* as movepick_init_tactical says */
    PickStage stage;
    int threshold; /* the least gain by exchange (see_reaches): captures below it come last, or
                    * never if is_tactical */
    int refutation_index;
    int losing_count; /* postponed captures: keys[0 .. losing_count - 1] */
    int bad_quiets;   /* where the quiet moves that did badly begin */
    int next;         /* the list of the stage: keys[next .. count - 1] is still to come */
    int count;
    /* A move in the lower 16 bits, its value in the upper. A block after the list has the least
     * value.
     */
    int32_t keys[MAX_MOVES + PICK_BLOCK];
} MovePicker;

/* For a node of the main search. The table move and the refutations need not be legal here. */
void movepick_init(MovePicker *picker, const Position *pos, const PickContext *context,
                   Move table_move);

/* For quiescence and ProbCut: captures and promotions whose exchange gains at least `threshold`
 * centipawns (negative: loses at most as much), or in check all evasions. */
void movepick_init_tactical(MovePicker *picker, const Position *pos, const PickContext *context,
                            Move table_move, int threshold);

/* The next move, MOVE_NONE at the end. Each legal move comes at most once (non-promotions
 * only with has_all_moves, which may be set after the init). */
Move movepick_next(MovePicker *picker);

/* Neither takes nor promotes. */
static inline bool move_is_quiet(const Position *pos, Move move) {
    return !pos_is_capture(pos, move) && !move_is_promotion(move);
}

#endif
