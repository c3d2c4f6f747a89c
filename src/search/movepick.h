/* movepick.h: the legal moves of a node, the most promising first, generated only when needed: the
 * table's move, captures and promotions, killers, the rest by history. Belongs to one node; the
 * position must be as it was whenever the next move is asked for. */
#ifndef KMD_SEARCH_MOVEPICK_H
#define KMD_SEARCH_MOVEPICK_H

#include "rules/types.h"

struct Position;
struct History;

typedef enum PickStage {
    PICK_TABLE,
    PICK_CAPTURES_START,
    PICK_CAPTURES,
    PICK_KILLERS,
    PICK_QUIETS_START,
    PICK_QUIETS,
    PICK_EVASIONS_START,
    PICK_EVASIONS,
    PICK_END
} PickStage;

typedef struct MovePicker {
    const struct Position *pos;
    const struct History *history;
    Move table_move;
    Move killers[2];
    bool has_all_moves; /* declined promotions too */
    bool is_tactical;   /* captures and promotions only */
    PickStage stage;
    int killer_index;
    int next;
    int count;
    Move moves[MAX_MOVES];
    int32_t values[MAX_MOVES];
} MovePicker;

/* For a node of the main search. table_move and the two killers need not be legal here. */
void movepick_init(MovePicker *picker, const struct Position *pos, const struct History *history,
                   Move table_move, const Move killers[2]);

/* For quiescence: captures and promotions, or in check all evasions. */
void movepick_init_tactical(MovePicker *picker, const struct Position *pos,
                            const struct History *history, Move table_move);

/* The next move, MOVE_NONE at the end. Each legal move comes once (declined promotions only with
 * has_all_moves, which may be set after the init). */
Move movepick_next(MovePicker *picker);

#endif
