/* movepick.h: returns the legal moves of a node, the most promising first, and generates them only
 * when needed. The order is:
 *
 *   main search     hash move, good captures, killers and counter move, quiet moves by history, bad
 *                   captures, quiet moves with a bad history. A capture is good or bad by its
 *                   static exchange and its history
 *   in check        hash move, all evasions
 *   captures only   hash move, captures and promotions
 *
 * A picker belongs to one node. Whenever a move is requested, the position must be that of the
 * node. */
#ifndef KMD_SEARCH_MOVEPICK_H
#define KMD_SEARCH_MOVEPICK_H

#include "search/history.h"

/* A START stage generates and scores a list, the stage after it returns its moves. */
typedef enum PickStage {
    PICK_TT_MOVE,
    PICK_CAPTURES_START,
    PICK_CAPTURES,
    PICK_REFUTATIONS,
    PICK_QUIETS_START,
    PICK_QUIETS,
    PICK_BAD_CAPTURES,
    PICK_BAD_QUIETS,
    PICK_EVASIONS_START,
    PICK_EVASIONS,
    PICK_END
} PickStage;

enum {
    PICK_REFUTATION_NB = 3,
    PICK_BLOCK = 16 /* keys compared at a time; a power of two */
};

/* The inputs of the picker besides the position. */
typedef struct PickContext {
    History *history;
    PieceToHistory *continuations[CONTINUATION_NB]; /* one for each earlier move */
    PieceToHistory *pawn_history;                   /* history for the position's pawn structure */
    Move refutations[PICK_REFUTATION_NB]; /* two killers and the counter move; MOVE_NONE: none */
    int ply;                              /* distance from the root */
} PickContext;

typedef struct MovePicker {
    const Position *pos;
    const PickContext *context;
    Move tt_move;
    Move refutations[PICK_REFUTATION_NB];
    bool with_non_promotions; /* also return non-promotions of pawn, lance, bishop and rook */
    bool skips_quiets;        /* may be set at any time: leave out the remaining quiet moves, but no
                                 evasions */
    bool captures_only;       /* see movepick_init_captures */
    bool is_front_best;       /* keys[next] is the best remaining one */
    PickStage stage;
    int threshold; /* least gain by static exchange (pos_see_reaches); captures below it come last
                      or, if captures_only, are never returned */
    int refutation_index;
    int bad_capture_count; /* postponed captures: keys[0 .. bad_capture_count - 1] */
    int first_bad_quiet;   /* index of the first quiet move with a bad history */
    int next;              /* the remaining moves of this stage are keys[next .. count - 1] */
    int count;
    /* Each key has a move in the lower 16 bits and its value in the upper 16. The list is padded
     * with one block of keys of the lowest value. */
    int32_t keys[MAX_MOVES + PICK_BLOCK];
} MovePicker;

/* Initialises a picker for a node of the main search. The hash move and the refutations may be
 * illegal in this position. */
void movepick_init(MovePicker *picker, const Position *pos, const PickContext *context,
                   Move tt_move);

/* Initialises a picker for quiescence search or ProbCut. Such a picker returns the hash move, if it
 * captures or promotes, then captures and promotions whose static exchange gains at least
 * `threshold` centipawns (if negative: loses at most that much); or all evasions if in check. */
void movepick_init_captures(MovePicker *picker, const Position *pos, const PickContext *context,
                            Move tt_move, int threshold);

/* The next move, or MOVE_NONE at the end. No move is returned twice. Apart from the hash move and
 * the refutations, non-promotions are returned only with with_non_promotions, which may be set
 * after the init. */
Move movepick_next(MovePicker *picker);

#endif
