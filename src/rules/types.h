/* types.h: the basic types of the game: colours, squares, pieces, hands, moves.
 *
 * These are plain values with inline accessors. All layers above base/ use them. */
#ifndef KMD_RULES_TYPES_H
#define KMD_RULES_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "komadori/shogi.h"

/* BLACK (sente) starts at the bottom, ranks 7 to 9, and moves towards rank 1. */
typedef enum Color { BLACK = KMD_BLACK, WHITE = KMD_WHITE, COLOR_NB } Color;

static inline Color color_flip(Color color) {
    return (Color)(color ^ 1);
}

/* A square is (file - 1) * 9 + (rank - 1). As black sees the board, file 1 is at the far right and
 * rank 1 (USI letter a) at the top. One step towards rank 9 is +1, one file to the left is +9. */
typedef KmdSquare Square;

enum { FILE_NB = 9, RANK_NB = 9, SQ_NB = KMD_SQUARE_COUNT, SQ_NONE = KMD_SQUARE_NONE };

/* A square by file and rank, as KIF and CSA write them: SQ(7, 7) is 7g. */
#define SQ(file, rank) KMD_SQUARE(file, rank)

/* Inside the program, files and ranks are counted from 0: number 0 means file 1 or rank a. */
static inline int sq_file(Square sq) {
    ASSERT(sq >= 0 && sq < SQ_NB);
    return sq / 9;
}

static inline int sq_rank(Square sq) {
    ASSERT(sq >= 0 && sq < SQ_NB);
    return sq % 9;
}

static inline Square sq_make(int file, int rank) {
    ASSERT(file >= 0 && file < FILE_NB && rank >= 0 && rank < RANK_NB);
    return file * 9 + rank;
}

/* The square from the other side's view: the board rotated by half a turn. */
static inline Square sq_turn(Square sq) {
    return SQ_NB - 1 - sq;
}

/* The rank as `color` sees it: 0 is the farthest from home, so 0 to 2 are the promotion zone. */
static inline int sq_relative_rank(Color color, Square sq) {
    return color == BLACK ? sq_rank(sq) : RANK_NB - 1 - sq_rank(sq);
}

static inline bool sq_in_zone(Color color, Square sq) {
    return sq_relative_rank(color, sq) < 3;
}

/* Piece types. A promoted type is the type plus PROMOTED; gold and king do not promote. */
typedef enum PieceType {
    NO_PIECE_TYPE = KMD_NO_PIECE_TYPE,
    PAWN = KMD_PAWN,
    LANCE = KMD_LANCE,
    KNIGHT = KMD_KNIGHT,
    SILVER = KMD_SILVER,
    BISHOP = KMD_BISHOP,
    ROOK = KMD_ROOK,
    GOLD = KMD_GOLD,
    KING = KMD_KING,
    PRO_PAWN = KMD_PRO_PAWN,
    PRO_LANCE = KMD_PRO_LANCE,
    PRO_KNIGHT = KMD_PRO_KNIGHT,
    PRO_SILVER = KMD_PRO_SILVER,
    HORSE = KMD_HORSE,
    DRAGON = KMD_DRAGON,
    PIECE_TYPE_NB = 15,
    PROMOTED = KMD_PROMOTED,
    HAND_TYPE_NB = 8 /* hands hold PAWN .. GOLD */
} PieceType;

static inline bool pt_is_promoted(PieceType type) {
    return type > KING;
}

static inline bool pt_can_promote(PieceType type) {
    return type >= PAWN && type <= ROOK;
}

static inline PieceType pt_promote(PieceType type) {
    ASSERT(pt_can_promote(type));
    return (PieceType)(type | PROMOTED);
}

/* GOLD and the four promoted minor pieces. */
FORCE_INLINE bool pt_moves_as_gold(PieceType type) {
    return type == GOLD || (type >= PRO_PAWN && type <= PRO_SILVER);
}

/* True for a pawn, lance or knight that has no move from this square even on an empty board. */
static inline bool pt_is_dead_on(PieceType type, Color color, Square sq) {
    int rank = sq_relative_rank(color, sq);
    return ((type == PAWN || type == LANCE) && rank == 0) || (type == KNIGHT && rank <= 1);
}

/* The unpromoted type, as it is held in hand. KING stays KING. */
static inline PieceType pt_raw(PieceType type) {
    return type == KING ? KING : (PieceType)(type & 7);
}

/* A piece on the board: bits 0-3 the type, bit 4 the colour. 0 is an empty square. */
typedef uint8_t Piece;

enum { NO_PIECE = 0, PIECE_NB = 32 };

static inline Piece piece_make(Color color, PieceType type) {
    return (Piece)((int)color << 4 | (int)type);
}

static inline PieceType piece_type(Piece piece) {
    return (PieceType)(piece & 15);
}

static inline Color piece_color(Piece piece) {
    return (Color)(piece >> 4 & 1);
}

/* A hand in one word. Each count has a guard bit above it that is always 0:
 *
 *   bit   27 26-25 24 23-22 21 20-18 17 16-14 13 12-10  9  8-6  5  4-0
 *         g  ROOK  g  BISH. g  GOLD  g  SILV. g  KNI.   g  LAN. g  PAWN
 *
 * One subtraction is therefore enough to test whether one hand has at least as many pieces of every
 * type as another (hand_covers). */
typedef uint32_t Hand;

#define HAND_GUARDS ((Hand)0x09222220)

/* The lowest bit of a piece type's count, and the mask of that count. */
static inline int hand_shift(PieceType type) {
    static const uint8_t shift[HAND_TYPE_NB] = {0, 0, 6, 10, 14, 22, 25, 18};
    ASSERT(type >= PAWN && type <= GOLD);
    return shift[type];
}

static inline Hand hand_mask(PieceType type) {
    static const uint8_t mask[HAND_TYPE_NB] = {0, 31, 7, 7, 7, 3, 3, 7};
    ASSERT(type >= PAWN && type <= GOLD);
    return mask[type];
}

static inline Hand hand_unit(PieceType type) {
    return (Hand)1 << hand_shift(type);
}

static inline int hand_count(Hand hand, PieceType type) {
    return (int)(hand >> hand_shift(type) & hand_mask(type));
}

static inline bool hand_has(Hand hand, PieceType type) {
    return (hand & hand_mask(type) << hand_shift(type)) != 0;
}

static inline Hand hand_add(Hand hand, PieceType type) {
    return hand + hand_unit(type);
}

static inline Hand hand_remove(Hand hand, PieceType type) {
    ASSERT(hand_has(hand, type));
    return hand - hand_unit(type);
}

/* True if a has at least as many pieces of every type as b. */
static inline bool hand_covers(Hand a, Hand b) {
    return (((a | HAND_GUARDS) - b) & HAND_GUARDS) == HAND_GUARDS;
}

/* The number of pieces of a type in a shogi set, counting both sides, so that there are 2 kings. */
static inline int pt_total(PieceType type) {
    static const uint8_t total[KING + 1] = {0, 18, 4, 4, 4, 2, 2, 4, 2};
    ASSERT(type >= PAWN && type <= KING);
    return total[type];
}

/* A move in 16 bits:
 *
 *   bit  15  14       13-7             6-0
 *        0   promote  from | 81+type   to        drops have 81 + PAWN .. 81 + GOLD as origin
 *
 * The colour is that of the side to move. The position shows which piece moves and which is
 * captured. */
typedef KmdMove Move;

enum {
    MOVE_NONE = KMD_MOVE_NONE, /* no move: from and to are square 0 */
    MOVE_PROMOTE = 1 << 14,
    MOVE_NULL = KMD_MOVE_PASS,     /* null move or pass: from and to are square 1 */
    MOVE_RESIGN = KMD_MOVE_RESIGN, /* only as an answer, never made on a board */
    MOVE_WIN = KMD_MOVE_WIN        /* a declaration; only as an answer, never made on a board */
};

/* No position has more legal moves than this. This limit has been proved for all positions that a
 * set of pieces can form. */
enum { MAX_MOVES = KMD_MAX_MOVES };

static inline Move move_make(Square from, Square to) {
    return (Move)(from << 7 | to);
}

static inline Move move_make_promotion(Square from, Square to) {
    return (Move)(MOVE_PROMOTE | from << 7 | to);
}

static inline Move move_make_drop(PieceType type, Square to) {
    return (Move)((SQ_NB + (int)type) << 7 | to);
}

static inline Square move_to(Move move) {
    return move & 127;
}

/* The origin square, or 81 + type for a drop. */
static inline int move_origin(Move move) {
    return move >> 7 & 127;
}

static inline bool move_is_drop(Move move) {
    return move_origin(move) >= SQ_NB;
}

static inline Square move_from(Move move) {
    ASSERT(!move_is_drop(move));
    return move_origin(move);
}

static inline PieceType move_drop_type(Move move) {
    ASSERT(move_is_drop(move));
    return (PieceType)(move_origin(move) - SQ_NB);
}

static inline bool move_is_promotion(Move move) {
    return (move & MOVE_PROMOTE) != 0;
}

/* False for the special values, such as MOVE_NONE and MOVE_RESIGN. */
static inline bool move_is_real(Move move) {
    return move_to(move) != move_origin(move);
}

#endif
