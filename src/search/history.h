/* history.h: how moves fared elsewhere in the tree, for move ordering and reductions, and
 * corrections of the static evaluation where it was wrong before.
 *
 * A History belongs to one worker. Entries move towards +-HISTORY_MOST the slower the nearer they
 * are ("gravity"). Sources: history heuristic (Schaeffer 1983); continuation histories (countermove
 * history, Winands et al. 2005, and later engines); correction histories (Caissa and Stockfish,
 * 2023-24), here keyed by the castles, the hands, the sliders and the pawns. */
#ifndef KMD_SEARCH_HISTORY_H
#define KMD_SEARCH_HISTORY_H

#include "rules/position.h"
#include "rules/types.h"
#include "search/score.h"

enum {
    HISTORY_ORIGINS = SQ_NB + HAND_TYPE_NB,
    HISTORY_MOST = 8192,               /* of quiet and low-ply entries */
    HISTORY_CONTINUATION_MOST = 30000, /* of continuation histories */
    HISTORY_CAPTURE_MOST = 10692,
    LOW_PLIES = 5,               /* the first plies have a history of their own */
    PAWN_HISTORY_SIZE = 1 << 13, /* slots for pawn structures */
    /* A mover: a piece type on the board, or PIECE_TYPE_NB + type for a drop. */
    MOVER_NB = PIECE_TYPE_NB + HAND_TYPE_NB,
    CORRECTION_SIZE = 1 << 16,
    CORRECTION_MOST = 1024 /* of an entry, worth CORRECTION_FULL (history.c) */
};

/* How the pieces moved fared after one certain earlier move: [mover][to]. */
typedef int16_t PieceToHistory[MOVER_NB][SQ_NB];

/* Continuation histories: those after the moves 1, 2, 3, 4 and 6 plies before one. */
enum { CONTINUATION_NB = 5 };

/* How far off the static evaluation was after one certain earlier move: [last piece moved][its to].
 */
typedef int16_t PieceToCorrection[PIECE_NB][SQ_NB];

/* Continuation corrections: those after the moves 2 and 4 plies before. */
enum { CONTINUATION_CORRECTION_NB = 2 };

typedef enum CorrectionKind {
    CORRECT_CASTLES, /* kings, silvers, and all that move as golds */
    CORRECT_HANDS,
    CORRECT_SLIDERS, /* rooks and bishops, promoted or not, and lances */
    CORRECT_PAWNS,   /* pawns and knights */
    CORRECTION_NB
} CorrectionKind;

/* The places of one position's entries in a History. */
typedef struct CorrectionPlace {
    int16_t *entries[CORRECTION_NB];
    int16_t *continuations[CONTINUATION_CORRECTION_NB]; /* NULL where there is no such move */
    PieceToHistory *pawn_history;                       /* how quiet moves fared with these pawns */
} CorrectionPlace;

/* Zero-initialised it knows nothing. */
typedef struct History {
    int16_t quiet[COLOR_NB][HISTORY_ORIGINS][SQ_NB];
    int16_t low_ply[LOW_PLIES][HISTORY_ORIGINS][SQ_NB]; /* cleared before each search */
    /* [..][mover][to][taken, raw; 0: none] */
    int16_t capture[COLOR_NB][PIECE_TYPE_NB][SQ_NB][HAND_TYPE_NB];
    PieceToHistory pawn[PAWN_HISTORY_SIZE]; /* by the pawns and the side to move */
    /* [the move before was made in check][it captured][the piece it moved][its to] */
    PieceToHistory continuation[2][2][PIECE_NB][SQ_NB];
    Move counter[PIECE_NB][SQ_NB];
    int16_t correction[CORRECTION_NB][COLOR_NB][CORRECTION_SIZE];
    PieceToCorrection continuation_correction[PIECE_NB][SQ_NB]; /* [earlier piece moved][its to] */
} History;

static inline int history_mover(const Position *pos, Move move) {
    return move_is_drop(move) ? PIECE_TYPE_NB + (int)move_drop_type(move)
                              : (int)piece_type(pos->board[move_from(move)]);
}

/* The same when the move, which was no promotion, has been made: `moved` is what stands there now.
 */
static inline int history_mover_after(Piece moved, Move move) {
    return (move_is_drop(move) ? PIECE_TYPE_NB : 0) + (int)piece_type(moved);
}

static inline int16_t *history_quiet(History *history, Color us, Move move) {
    return &history->quiet[us][move_origin(move)][move_to(move)];
}

static inline int16_t *history_low_ply(History *history, int ply, Move move) {
    return &history->low_ply[ply][move_origin(move)][move_to(move)];
}

/* For captures and promotions. */
static inline int16_t *history_capture(History *history, const Position *pos, Move move) {
    PieceType taken = pt_raw(piece_type(pos->board[move_to(move)]));
    ASSERT(taken < HAND_TYPE_NB);
    return &history->capture[pos->side][pos_moved_type(pos, move)][move_to(move)][taken];
}

/* The same when the move has been made: `moved` is what stands there now, `taken` what it took. */
static inline int16_t *history_capture_after(History *history, Move move, Piece moved,
                                             Piece taken) {
    PieceType type = move_is_promotion(move) ? pt_raw(piece_type(moved)) : piece_type(moved);
    return &history->capture[piece_color(moved)][type][move_to(move)][pt_raw(piece_type(taken))];
}

/* Moves *entry, which stays within -most .. most, by the bonus with gravity. */
void history_add(int16_t *entry, int bonus, int most);

/* Locates the position's corrections, except those of the moves before, and prefetches them: they
 * are rarely in the cache. */
CorrectionPlace history_locate(History *history, const Position *pos);

/* The recent error of the static evaluation in such positions, in centipawns, to be added to it. */
Score history_correction(const CorrectionPlace *place);

/* The search found the position `difference` centipawns better than its evaluation, at `depth`. */
void history_correct(const CorrectionPlace *place, int depth, Score difference);

/* In history_update.c: the updates of a node after its moves have been tried: histories for move
 * ordering, and corrections of the static evaluation.
 *
 * Writes the worker's history, which holds the counter moves, and the killers of the node's stack
 * entry. The worker's position must be the node's. */

struct Worker;

enum { TRIED_MOST = 64 };

/* Moves of a node that did not refute it, the first of each kind. */
typedef struct Tried {
    int quiet_count;
    Move quiets[TRIED_MOST];
    int capture_count;
    Move captures[TRIED_MOST]; /* and promotions */
} Tried;

/* Empties the lists by their counts only, because the arrays are long and most nodes try few moves.
 */
void history_tried_clear(Tried *tried);

void history_tried_add(Tried *tried, Move move, bool is_quiet);

/* A node whose best move is known. */
typedef struct HistoryCut {
    int ply;
    int depth;          /* that the node was searched to */
    Move best;          /* reached alpha, or beta */
    bool is_table_move; /* the table had it */
    const Tried *tried; /* those that did not refute */
} HistoryCut;

/* The best move gets a bonus, and all moves tried before it a malus. After a refutation, the quiet
 * move that led here gets a malus, too, if it was the first of its node. */
void history_update_best(struct Worker *worker, const HistoryCut *cut);

/* The table's score refuted the node by `move`: a quiet move gets a bonus, and the quiet move that
 * led here a malus if it was among the first. */
void history_update_table_cut(struct Worker *worker, int ply, int depth, Move move);

/* No move reached alpha in the node at `ply` (at least 1), searched `depth` plies deep with the
 * score `best`: the move that led there gets a bonus, the greater the more the score surprises. */
void history_update_fail_low(struct Worker *worker, int ply, int depth, Score best);

/* The side that moved into the node at `ply` gained `gain` centipawns: the static evaluations
 * before and after are compared. */
void history_update_eval(struct Worker *worker, int ply, Score gain);

/* The quiet move made at `ply`, whose position the worker's is, was searched again at a greater
 * depth and confirmed. */
void history_update_reduced(struct Worker *worker, int ply);

/* The node at `ply` has the score `score`, exact or a bound, by the move `best` (MOVE_NONE: none
 * reached alpha). Says nothing of the static evaluation in check, by a capture or when the score
 * is a mate, or a win or loss by repetition. */
void history_update_correction(struct Worker *worker, int ply, int depth, Move best, Score score,
                               Bound bound);

#endif
