/* history.h: histories, which record how well moves have done elsewhere in the tree, for move
 * ordering and reductions; and correction histories, which record the errors of the static
 * evaluation.
 *
 * A History belongs to one worker. Each update moves an entry towards its positive or negative
 * limit. The closer the entry already is to that limit, the less it moves ("gravity").
 * Sources: history heuristic (Schaeffer 1983); continuation histories (countermove history, Winands
 * et al. 2005, and later engines); correction histories (Caissa and Stockfish, 2023-24), here keyed
 * by the castles, the hands, the sliders and the pawns. */
#ifndef KMD_SEARCH_HISTORY_H
#define KMD_SEARCH_HISTORY_H

#include <stddef.h>
#include <stdlib.h>

#include "rules/position.h"
#include "rules/types.h"
#include "search/search.h"

enum {
    HISTORY_ORIGINS = SQ_NB + HAND_TYPE_NB,
    HISTORY_MAX = 8192,               /* limit of quiet, low-ply and pawn histories */
    HISTORY_CONTINUATION_MAX = 30000, /* limit of continuation histories */
    HISTORY_CAPTURE_MAX = 10692,      /* limit of capture histories */
    LOW_PLIES = 5,                    /* the first plies below the root have their own history */
    PAWN_HISTORY_SIZE = 1 << 13,      /* number of pawn structure slots */
    /* A piece index is the type of the piece for a move on the board, PIECE_TYPE_NB + type for a
     * drop. */
    PIECE_INDEX_NB = PIECE_TYPE_NB + HAND_TYPE_NB,
    CORRECTION_SIZE = 1 << 16,
    CORRECTION_MAX = 1024 /* limit of an entry; its worth depends on CORRECTION_FULL (history.c) */
};

/* How well moves did after one particular earlier move, indexed by [piece_index][to]. */
typedef int16_t PieceToHistory[PIECE_INDEX_NB][SQ_NB];

/* The continuation histories of a node follow the moves made 1, 2, 3, 4 and 6 plies before it. */
enum { CONTINUATION_NB = 5 };

/* The error of the static evaluation after one particular earlier move, indexed by [piece moved
 * last][its destination]. */
typedef int16_t PieceToCorrection[PIECE_NB][SQ_NB];

/* The continuation corrections of a node follow the moves made 2 and 4 plies before it. */
enum { CONTINUATION_CORRECTION_NB = 2 };

typedef enum CorrectionKind {
    CORRECT_CASTLES, /* kings, silvers, and all pieces that move like golds */
    CORRECT_HANDS,
    CORRECT_SLIDERS, /* rooks and bishops, promoted or not, and lances */
    CORRECT_PAWNS,   /* pawns and knights */
    CORRECTION_NB
} CorrectionKind;

/* The entries of a History that apply to one position. */
typedef struct HistoryPlace {
    int16_t *entries[CORRECTION_NB];
    int16_t *continuations[CONTINUATION_CORRECTION_NB]; /* NULL where there is no such move */
    PieceToHistory *pawn_history; /* the history of quiet moves with this pawn structure */
} HistoryPlace;

/* The tables take 84 MB, of which a short game writes a few: a bit for each HISTORY_PAGE bytes says
 * whether they have been written since the last history_clear. */
enum { HISTORY_PAGE = 4096, HISTORY_WRITTEN_WORDS = 400 };

/* All histories of a worker. Zero-initialise it before use. Write entries only by history_add and
 * history_set_counter, which mark their page. */
typedef struct History {
    int16_t quiet[COLOR_NB][HISTORY_ORIGINS][SQ_NB];
    int16_t low_ply[LOW_PLIES][HISTORY_ORIGINS][SQ_NB]; /* cleared before each search */
    /* [side][type moved][to][type captured, unpromoted; 0: none] */
    int16_t capture[COLOR_NB][PIECE_TYPE_NB][SQ_NB][HAND_TYPE_NB];
    PieceToHistory pawn[PAWN_HISTORY_SIZE]; /* indexed by pawn structure and side to move */
    /* [the earlier move was made in check][it was a capture][piece it moved][its destination] */
    PieceToHistory continuation[2][2][PIECE_NB][SQ_NB];
    Move counter[PIECE_NB][SQ_NB];
    int16_t correction[CORRECTION_NB][COLOR_NB][CORRECTION_SIZE];
    PieceToCorrection continuation_correction[PIECE_NB]
                                             [SQ_NB]; /* [earlier piece moved][its destination] */
    uint64_t written[HISTORY_WRITTEN_WORDS];          /* bit n: the page at n * HISTORY_PAGE */
} History;

_Static_assert(offsetof(History, written) <= HISTORY_WRITTEN_WORDS * 64 * (size_t)HISTORY_PAGE,
               "a bit for each page");

static inline int history_piece(const Position *pos, Move move) {
    return move_is_drop(move) ? PIECE_TYPE_NB + (int)move_drop_type(move)
                              : (int)piece_type(pos->board[move_from(move)]);
}

/* The piece index of a move that has already been made. The move must not be a promotion. `moved`
 * is the piece now on its destination. */
static inline int history_piece_after(Piece moved, Move move) {
    return (move_is_drop(move) ? PIECE_TYPE_NB : 0) + (int)piece_type(moved);
}

static inline int16_t *history_quiet(History *history, Color us, Move move) {
    return &history->quiet[us][move_origin(move)][move_to(move)];
}

static inline int16_t *history_low_ply(History *history, int ply, Move move) {
    return &history->low_ply[ply][move_origin(move)][move_to(move)];
}

/* The history entry of a capture or promotion. */
static inline int16_t *history_capture(History *history, const Position *pos, Move move) {
    PieceType taken = pt_raw(piece_type(pos->board[move_to(move)]));
    ASSERT(taken < HAND_TYPE_NB);
    return &history->capture[pos->side][pos_moved_type(pos, move)][move_to(move)][taken];
}

/* The history entry of a capture or promotion that has already been made. `moved` is the piece now
 * on its destination, `taken` the captured piece. */
static inline int16_t *history_capture_after(History *history, Move move, Piece moved,
                                             Piece taken) {
    PieceType type = move_is_promotion(move) ? pt_raw(piece_type(moved)) : piece_type(moved);
    return &history->capture[piece_color(moved)][type][move_to(move)][pt_raw(piece_type(taken))];
}

/* Clears everything that was written, without touching the rest. */
void history_clear(History *history);

/* Marks the page of an entry as written. */
static inline void history_mark(History *history, const void *entry) {
    size_t page = (size_t)((const char *)entry - (const char *)history) / HISTORY_PAGE;
    history->written[page / 64] |= (uint64_t)1 << page % 64;
}

/* Adds the bonus to *entry, which is an entry of this history, with gravity; the result stays
 * within -limit .. limit. Inline, because dividing by a constant limit is much faster. */
static inline void history_add(History *history, int16_t *entry, int bonus, int limit) {
    history_mark(history, entry);
    int step = int_clamp(bonus, -limit, limit);
    *entry = (int16_t)(*entry + step - *entry * abs(step) / limit);
}

/* Sets the counter move of a move of `piece` to `to`. */
void history_set_counter(History *history, Piece piece, Square to, Move counter);

/* Finds the position's correction entries, except the continuation corrections, and prefetches
 * them, since they are rarely in the cache. */
HistoryPlace history_locate(History *history, const Position *pos);

/* The correction in centipawns that should be added to the position's static evaluation. */
Score history_correction(const HistoryPlace *place);

/* Records that a search of `depth` plies scored the position `difference` centipawns above its
 * static evaluation. */
void history_learn_error(History *history, const HistoryPlace *place, int depth, Score difference);

#endif
