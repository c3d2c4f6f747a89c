/* declare.c: counts points and pieces in the zone, and judges a declaration by the given rule. */
#include "rules/declare.h"

#include "rules/legality.h"
#include "rules/position.h"

/* Pieces that must be in the promotion zone besides the king. */
enum { MIN_PIECES_IN_ZONE = 10 };

enum { POINTS_BIG_PIECE = 5, POINTS_SMALL_PIECE = 1 };

/* 27-point rule: the points that black and white need. All pieces together are worth 54 points, so
 * both sides cannot have enough. */
enum { POINTS_27_BLACK = 28, POINTS_27_WHITE = 27 };

/* 24-point rule: the points that either side needs for a win and for a draw. */
enum { POINTS_24_WIN = 31, POINTS_24_DRAW = 24 };

static int piece_points(PieceType raw) {
    return raw == ROOK || raw == BISHOP ? POINTS_BIG_PIECE : POINTS_SMALL_PIECE;
}

static Square try_square(Color side) {
    return side == BLACK ? SQ(5, 1) : SQ(5, 9);
}

static bool is_king_attacked(const Position *pos, Color side) {
    Square king = pos->king[side];
    return king != SQ_NONE && pos_is_attacked(pos, king, color_flip(side), pos_occupied(pos));
}

/* The pieces of `side` in its promotion zone, including the king. */
static Bitboard pieces_in_zone(const Position *pos, Color side) {
    return bb_and(pos->color_bb[side], bb_relative_ranks(side, 0, 2));
}

KmdDeclareCount declare_count(const Position *pos, Color side) {
    Square king = pos->king[side];
    KmdDeclareCount count = {
        .king_in_zone = king != SQ_NONE && sq_in_zone(side, king),
        .in_check = is_king_attacked(pos, side),
    };
    for (PieceType raw = PAWN; raw <= GOLD; raw++) {
        count.points += hand_count(pos->hand[side], raw) * piece_points(raw);
        if (side == WHITE) { /* white gives the handicap: the pieces that are missing in the game */
            int there = bb_count(pos->type_bb[raw]) + hand_count(pos->hand[BLACK], raw) +
                        hand_count(pos->hand[WHITE], raw);
            there += pt_can_promote(raw) ? bb_count(pos->type_bb[pt_promote(raw)]) : 0;
            count.handicap_points += (pt_total(raw) - there) * piece_points(raw);
        }
    }
    for (Bitboard rest = pieces_in_zone(pos, side); bb_any(rest);) {
        PieceType raw = pt_raw(piece_type(pos_piece(pos, bb_pop(&rest))));
        if (raw != KING) {
            count.pieces_in_zone++;
            count.points += piece_points(raw);
        }
    }
    return count;
}

KmdDeclaration declare_result_for(const Position *pos, KmdDeclareRule rule, Color side) {
    if (rule == KMD_DECLARE_NONE) {
        return KMD_DECLARATION_REFUSED;
    }
    if (rule == KMD_DECLARE_TRY) {
        bool is_there = pos->king[side] == try_square(side);
        return is_there && !is_king_attacked(pos, side) ? KMD_DECLARATION_WIN
                                                        : KMD_DECLARATION_REFUSED;
    }
    /* Too few pieces even with the king, which is the case at nearly all search nodes. */
    if (bb_count(pieces_in_zone(pos, side)) <= MIN_PIECES_IN_ZONE) {
        return KMD_DECLARATION_REFUSED;
    }
    KmdDeclareCount count = declare_count(pos, side);
    if (!count.king_in_zone || count.in_check || count.pieces_in_zone < MIN_PIECES_IN_ZONE) {
        return KMD_DECLARATION_REFUSED;
    }
    bool adds_handicap = rule == KMD_DECLARE_24H || rule == KMD_DECLARE_27H;
    int points = count.points + (adds_handicap ? count.handicap_points : 0);
    if (rule == KMD_DECLARE_27 || rule == KMD_DECLARE_27H) {
        int needed = side == BLACK ? POINTS_27_BLACK : POINTS_27_WHITE;
        return points >= needed ? KMD_DECLARATION_WIN : KMD_DECLARATION_REFUSED;
    }
    return points >= POINTS_24_WIN    ? KMD_DECLARATION_WIN
           : points >= POINTS_24_DRAW ? KMD_DECLARATION_DRAW
                                      : KMD_DECLARATION_REFUSED;
}

KmdDeclaration declare_result(const Position *pos, KmdDeclareRule rule) {
    return declare_result_for(pos, rule, pos->side);
}

Move declare_try_move(const Position *pos) {
    Square king = pos->king[pos->side];
    Square target = try_square(pos->side);
    if (king == SQ_NONE || king == target) {
        return MOVE_NONE;
    }
    Move move = move_make(king, target);
    return move_is_legal(pos, move) ? move : MOVE_NONE;
}

const char *declare_rule_name(int rule) {
    static const char *const names[] = {
        [KMD_DECLARE_NONE] = "NoEnteringKing", [KMD_DECLARE_24] = "CSARule24",
        [KMD_DECLARE_24H] = "CSARule24H",      [KMD_DECLARE_27] = "CSARule27",
        [KMD_DECLARE_27H] = "CSARule27H",      [KMD_DECLARE_TRY] = "TryRule"};
    return rule < (int)COUNTOF(names) ? names[rule] : NULL;
}
