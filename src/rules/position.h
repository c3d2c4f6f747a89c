/* position.h: the board, the hands, the side to move, and the moves that led here.
 *
 * A Position owns a growing stack of states, one for each move since it was set up. Undo and the
 * rules of repetition and perpetual check need no other history. A position belongs to one thread;
 * copies are deep. Nothing here prints, and nothing fails unless memory runs out. */
#ifndef KMD_RULES_POSITION_H
#define KMD_RULES_POSITION_H

#include "rules/bitboard.h"
#include "rules/setup.h"
#include "rules/types.h"

/* Data about the position after a move. The data are kept so that undo computes nothing. */
typedef struct State {
    uint64_t board_key;          /* key of the pieces on the board and the side to move */
    uint64_t hand_key;           /* key of both hands */
    Bitboard checkers;           /* enemy pieces that check the side to move */
    Bitboard blockers[COLOR_NB]; /* pieces of either side that are alone between [c]'s king and an
                                    enemy slider */
    Hand hand[COLOR_NB];         /* the current hands */
    int plies_since_null;        /* moves since the set-up or the last null move */
    int check_run[COLOR_NB];     /* number of consecutive last moves of [c] that gave check */
    Move move;      /* the move that led here; MOVE_NONE for the set-up, or MOVE_NULL */
    Piece captured; /* the captured piece, as it was on the board */
    Piece moved;    /* the piece moved or dropped, as it is after the move */
} State;

/* Sets of pieces by type, both colours together. Index 0 is all pieces; SET_GOLDS is all pieces
 * that move like a gold (GOLD and the four promoted minor pieces). */
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
    State *now;    /* the last state */
    size_t state_cap;
} Position;

/* Fills all tables of rules/, once for the whole process. Call it, from any thread, before any
 * other function of rules/. Later calls do nothing. */
void pos_init_tables(void);

/* Creates an empty board; call pos_set next. Free with pos_free. */
void pos_init(Position *pos);
void pos_free(Position *pos);

/* Sets up a position without history. setup_is_playable(setup) must be true. */
void pos_set(Position *pos, const Setup *setup);

/* The current position without its history. */
Setup pos_get(const Position *pos);

/* Makes *to a deep copy of *from, including the history. *to must have been initialised. */
void pos_copy(Position *to, const Position *from);

/* Initialises *copy and makes it a deep copy of *from. */
void pos_init_copy(Position *copy, const Position *from);

/* Make a legal move, or take back the last one. The set-up cannot be undone. */
void pos_do(Position *pos, Move move);
void pos_undo(Position *pos);

/* Takes back the last moves, at least 0. */
void pos_undo_moves(Position *pos, int count);

/* Makes a null move; the side to move must not be in check. Undo it with pos_undo_null only. */
void pos_do_null(Position *pos);
void pos_undo_null(Position *pos);

/* Number of moves made since the set-up. */
static inline int pos_moves_done(const Position *pos) {
    return (int)(pos->now - pos->states);
}

/* True if a null move was made since the set-up: the moves are no game. */
static inline bool pos_has_passed(const Position *pos) {
    return pos->now->plies_since_null < pos_moves_done(pos);
}

/* The key of board, hands and side to move. */
static inline uint64_t pos_key(const Position *pos) {
    return pos->now->board_key ^ pos->now->hand_key;
}

/* The key after a legal move, without making it. */
uint64_t pos_key_after(const Position *pos, Move move);

/* Like pos_key_after, but the key of the board and the side to move only. */
uint64_t pos_board_key_after(const Position *pos, Move move);

/* The key after a null move. */
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

/* The pieces of `by` that would attack sq if exactly the squares of `occupied` were occupied. */
Bitboard pos_attackers(const Position *pos, Square sq, Color by, Bitboard occupied);

/* The sliders of both sides that would attack sq if exactly the squares of `occupied` were
 * occupied. The sliders themselves need not be on these squares. */
Bitboard pos_sliders_on(const Position *pos, Square sq, Bitboard occupied);

/* Like pos_attackers, but for both sides together. */
Bitboard pos_attackers_of_both(const Position *pos, Square sq, Bitboard occupied);

/* True if pos_attackers would find any piece. */
bool pos_is_attacked(const Position *pos, Square sq, Color by, Bitboard occupied);

/* Computes the pieces of either colour that are alone between `color`'s king and an enemy slider.
 * For the current position, pos->now already contains them. */
Bitboard pos_find_blockers(const Position *pos, Color color);

/* The squares from which the side to move's pieces of this type would check the enemy king; empty
 * if there is no enemy king. */
Bitboard pos_check_squares(const Position *pos, PieceType type);

/* Like pos_check_squares, for all types. */
void pos_all_check_squares(const Position *pos, Bitboard check[PIECE_TYPE_NB]);

/* True if the legal move gives check, directly or by discovery. */
bool pos_gives_check(const Position *pos, Move move);

/* The squares around the king of `color` that the enemy attacks, so that the king cannot go there.
 * The king must exist. The set is complete for the king's square and its neighbours, and attacks
 * along lines pass through the king; attacked squares further away may be missing. Reads only the
 * bitboards and kings, not the mailbox or the state. */
Bitboard pos_king_danger(const Position *pos, Color color);

/* The same. *lines becomes the squares that its sliders attack along their lines. */
Bitboard pos_king_danger_lines(const Position *pos, Color color, Bitboard *lines);

/* The squares attacked by those of `pieces` that are stepping pieces of `color`. Kings, and the
 * single steps of horses and dragons, are included. */
Bitboard pos_step_attacks(const Position *pos, Color color, Bitboard pieces);

/* Static exchange evaluation: true if the exchange that `move` starts on its square gains at least
 * `threshold`. Each side captures with its least valuable piece, and stops when stopping is better.
 * value[type] is the gain from capturing a piece of the type: in shogi, its value on the board plus
 * its value in hand. Pins and further promotions are ignored. A king captures last, and only if the
 * piece is unguarded. Source: the swap-off algorithm of chess programs, with a threshold (Romstad,
 * 2000s). */
bool pos_see_reaches(const Position *pos, Move move, int threshold, const int16_t *value);

/* True if the move captures. */
static inline bool pos_is_capture(const Position *pos, Move move) {
    return !move_is_drop(move) && pos->board[move_to(move)] != NO_PIECE;
}

/* True if the move neither captures nor promotes. */
static inline bool pos_is_quiet(const Position *pos, Move move) {
    return !pos_is_capture(pos, move) && !move_is_promotion(move);
}

/* The type of the piece moved (before promotion) or dropped. */
static inline PieceType pos_moved_type(const Position *pos, Move move) {
    return move_is_drop(move) ? move_drop_type(move) : piece_type(pos->board[move_from(move)]);
}

/* Recomputes everything from the mailbox and compares it with the stored values. Debug builds call
 * it after do and undo. */
bool pos_ok(const Position *pos);

/* What follows is for use in rules/. */

/* For each square of a king of `color`: the squares from which an enemy piece may attack it or a
 * neighbouring square. Pieces outside these sets do not affect the king's moves. */
typedef struct KingZone {
    Bitboard steps[COLOR_NB];
    Bitboard lances[COLOR_NB];
    Bitboard bishops;
    Bitboard rooks;
} KingZone;

/* The entry for SQ_NONE (no king) includes all sliders but no stepping pieces. */
extern KingZone pos_king_zones[SQ_NB + 1];

/* Fills the table, after attacks_init; pos_init_tables calls it. */
void pos_init_king_zones(void);

/* These functions change only the bitboards, not the
 * mailbox, hands, keys and state. Applying one of them twice restores the bitboards. */

/* Flips squares in the bitboards of a piece type: adds or removes the piece. */
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

/* Adds a piece on an empty square, or removes it from its square: both flip the same bits. */
FORCE_INLINE void pos_flip_piece(Position *pos, Square sq, Piece piece) {
    Bitboard set = bb_square(sq);
    pos_flip_all(pos, set);
    pos_flip_type(pos, piece_type(piece), set);
    pos_flip_color(pos, piece_color(piece), set);
}

/* Makes or takes back a move on the board. `before` is the piece on `from`, `after` the piece on
 * `to`, and `captured` the captured piece. */
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
