/* position.h: the board, the hands, the side to move, and the moves that led here.
 *
 * A Position owns a growing stack of states, one per move done since it was set up, so undo,
 * repetition and the rules of perpetual check need nothing else. It belongs to one thread; copies
 * are deep. Nothing here prints or fails but for lack of memory. */
#ifndef KMD_RULES_POSITION_H
#define KMD_RULES_POSITION_H

#include "rules/bitboard.h"
#include "rules/setup.h"
#include "rules/types.h"

/* The results of the last move, kept so that undo needs no work. */
typedef struct State {
    uint64_t board_key;          /* pieces on squares and the side to move */
    uint64_t hand_key;           /* both hands */
    Bitboard checkers;           /* enemy pieces that give check to the side to move */
    Bitboard blockers[COLOR_NB]; /* pieces of either side alone between a slider and [c]'s king */
    Hand hand[COLOR_NB];         /* as they are now */
    int plies_since_null;        /* moves since set-up or since the last null move */
    int check_run[COLOR_NB];     /* how many of [c]'s latest moves in a row gave check */
    Move move;                   /* the move that led here; MOVE_NONE at set-up, MOVE_NULL */
    Piece captured;              /* what it took, as it stood on the board */
    Piece moved;                 /* what moved or was dropped, as it stands after the move */
} State;

/* Sets of pieces by type, both colours together. Index 0 is every piece; SET_GOLDS are GOLD and
 * the four promoted minor pieces, all that move as a gold. */
enum { SET_ALL = 0, SET_GOLDS = 15, SET_NB = 16 };

typedef struct Position {
    Bitboard type_bb[SET_NB];
    Bitboard color_bb[COLOR_NB];
    Hand hand[COLOR_NB];
    Color side;
    Square king[COLOR_NB]; /* SQ_NONE for a side without a king */
    int ply;               /* number of the next move, from 1 */
    Piece board[SQ_NB];
    State *states; /* states[0] is the set-up */
    State *now;    /* the latest of them */
    size_t state_cap;
} Position;

/* An empty board at first; must be followed by pos_set. Free with pos_free. */
void pos_init(Position *pos);
void pos_free(Position *pos);

/* Sets up a position without history. setup_is_playable(setup) must hold. */
void pos_set(Position *pos, const Setup *setup);

/* The position as it stands, without its history. */
Setup pos_get(const Position *pos);

/* *to becomes a deep copy of *from, history included; *to must have been initialised. */
void pos_copy(Position *to, const Position *from);

/* pos_init and pos_copy. */
void pos_init_copy(Position *copy, const Position *from);

/* Plays a legal move; takes the last one back. Undo never goes below the set-up. */
void pos_do(Position *pos, Move move);
void pos_undo(Position *pos);

/* Passes; the side to move must not be in check. Undone by pos_undo_null only. */
void pos_do_null(Position *pos);
void pos_undo_null(Position *pos);

/* Number of moves done since the set-up. */
static inline int pos_moves_done(const Position *pos) {
    return (int)(pos->now - pos->states);
}

/* Board, hands and side in one key. */
static inline uint64_t pos_key(const Position *pos) {
    return pos->now->board_key ^ pos->now->hand_key;
}

/* The key after a legal move, without playing it. */
uint64_t pos_key_after(const Position *pos, Move move);

/* The same of the board and the side to move alone. */
uint64_t pos_board_key_after(const Position *pos, Move move);

/* The key after a pass. */
uint64_t pos_key_after_null(const Position *pos);

static inline Piece pos_piece(const Position *pos, Square sq) {
    ASSERT(sq >= 0 && sq < SQ_NB);
    return pos->board[sq];
}

static inline Bitboard pos_occupied(const Position *pos) {
    return pos->type_bb[SET_ALL];
}

static inline Bitboard pos_pieces(const Position *pos, Color color, PieceType type) {
    return bb_and(pos->color_bb[color], pos->type_bb[type]);
}

static inline bool pos_in_check(const Position *pos) {
    return bb_any(pos->now->checkers);
}

/* The pieces of `by` that attack sq if exactly the squares of `occupied` are occupied. */
Bitboard pos_attackers(const Position *pos, Square sq, Color by, Bitboard occupied);

/* The sliders of both sides that bear on sq if exactly the squares of `occupied` are occupied; a
 * slider need not be among them. */
Bitboard pos_sliders_on(const Position *pos, Square sq, Bitboard occupied);

/* As pos_attackers, of both sides together. */
Bitboard pos_attackers_of_both(const Position *pos, Square sq, Bitboard occupied);

/* As pos_attackers, but only whether there are any. */
bool pos_is_attacked(const Position *pos, Square sq, Color by, Bitboard occupied);

/* Pieces of either colour that stand alone between [color]'s king and an enemy slider, computed
 * from the sets; pos->now has them ready. */
Bitboard pos_find_blockers(const Position *pos, Color color);

/* The squares from which a piece of `type` of the side to move would attack the enemy king; empty
 * when there is no enemy king. */
Bitboard pos_check_squares(const Position *pos, PieceType type);

/* The same for every type. */
void pos_all_check_squares(const Position *pos, Bitboard check[PIECE_TYPE_NB]);

/* True when the legal move gives check, directly or by discovery. */
bool pos_gives_check(const Position *pos, Move move);

/* True when the move takes a piece. */
static inline bool pos_is_capture(const Position *pos, Move move) {
    return !move_is_drop(move) && pos->board[move_to(move)] != NO_PIECE;
}

/* The type that moves (before promotion) or is dropped. */
static inline PieceType pos_moved_type(const Position *pos, Move move) {
    return move_is_drop(move) ? move_drop_type(move) : piece_type(pos->board[move_from(move)]);
}

/* Recomputes everything from the mailbox and compares; debug builds call it after do and undo. */
bool pos_ok(const Position *pos);

/* The sets alone, for rules/: mailbox, hands, keys and state stay. Turning them over twice leaves
 * them as they were. */

/* Turns squares over in the sets of a kind of piece: puts it there or takes it away. */
FORCE_INLINE void pos_flip_type(Position *pos, PieceType type, Bitboard set) {
    pos->type_bb[type] = bb_xor(pos->type_bb[type], set);
    if (pt_moves_as_gold(type)) {
        pos->type_bb[SET_GOLDS] = bb_xor(pos->type_bb[SET_GOLDS], set);
    }
}

FORCE_INLINE void pos_flip_color(Position *pos, Color color, Bitboard set) {
    pos->color_bb[color] = bb_xor(pos->color_bb[color], set);
}

FORCE_INLINE void pos_flip_all(Position *pos, Bitboard set) {
    pos->type_bb[SET_ALL] = bb_xor(pos->type_bb[SET_ALL], set);
}

/* Puts a piece on an empty square, or removes it from its square: the sets change in the same way.
 */
FORCE_INLINE void pos_flip_piece(Position *pos, Square sq, Piece piece) {
    Bitboard set = bb_square(sq);
    pos_flip_all(pos, set);
    pos_flip_type(pos, piece_type(piece), set);
    pos_flip_color(pos, piece_color(piece), set);
}

/* The sets after a move over the board or its taking back: `before` is the piece on `from`,
 * `after` the piece on `to`, `captured` what only the position before has there. */
FORCE_INLINE void pos_flip_move(Position *pos, Square from, Square to, Piece before, Piece after,
                                Piece captured) {
    Bitboard origin = bb_square(from), target = bb_square(to);
    if (before == after) {
        pos_flip_type(pos, piece_type(before), bb_or(origin, target));
    } else {
        pos_flip_type(pos, piece_type(before), origin);
        pos_flip_type(pos, piece_type(after), target);
    }
    pos_flip_color(pos, piece_color(before), bb_or(origin, target));
    if (captured == NO_PIECE) {
        pos_flip_all(pos, bb_or(origin, target));
    } else {
        pos_flip_all(pos, origin);
        pos_flip_type(pos, piece_type(captured), target);
        pos_flip_color(pos, piece_color(captured), target);
    }
}

#endif
