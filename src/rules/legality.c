/* legality.c: checks a move step by step, from the piece on its origin to king safety, and returns
 * the first reason against it. */
#include "rules/legality.h"

#include "rules/attacks.h"
#include "rules/position.h"

bool legality_is_drop_mate(const Position *pos, Square to) {
    return legality_drop_mates(pos, pos->side, to, pos->now->blockers[color_flip(pos->side)]);
}

bool legality_drop_mates(const Position *pos, Color us, Square to, Bitboard blockers) {
    Color them = color_flip(us);
    Square king = pos->king[them];
    ASSERT(king != SQ_NONE && bb_has(attacks_pawn(us, to), king));
    /* Can a piece capture the pawn? The capturing piece must not be pinned, unless along this file.
     * The pawn itself changes no pin, because it stands next to the king on the only line through
     * both. */
    Bitboard occupied = bb_or(pos_occupied(pos), bb_square(to));
    Bitboard takers = pos_attackers(pos, to, them, occupied);
    takers = bb_andnot(takers, bb_square(king));
    Bitboard pinned = bb_and(takers, blockers);
    if (bb_any(bb_andnot(takers, pinned)) || bb_meets(pinned, bb_line(king, to))) {
        return false;
    }
    /* Can the king capture the pawn or step aside? The pawn may have blocked the line of one of our
     * own sliders. */
    Bitboard without_king = bb_xor(occupied, bb_square(king));
    Bitboard escapes = bb_andnot(attacks_king(king), pos->color_bb[them]);
    while (bb_any(escapes)) {
        if (!pos_is_attacked(pos, bb_pop(&escapes), us, without_king)) {
            return false;
        }
    }
    return true;
}

static KmdLegality drop_legality(const Position *pos, Move move) {
    Color us = pos->side;
    PieceType type = move_drop_type(move);
    Square to = move_to(move);
    if (type < PAWN || type > GOLD || move_is_promotion(move)) {
        return KMD_ILLEGAL_NOT_A_MOVE;
    }
    if (!hand_has(pos->hand[us], type)) {
        return KMD_ILLEGAL_NOT_IN_HAND;
    }
    if (pos->board[to] != NO_PIECE) {
        return KMD_ILLEGAL_OCCUPIED;
    }
    if (pt_is_dead_on(type, us, to)) {
        return KMD_ILLEGAL_DEAD_PIECE;
    }
    if (type == PAWN && bb_meets(pos_pieces(pos, us, PAWN), bb_file(sq_file(to)))) {
        return KMD_ILLEGAL_NIFU;
    }
    Bitboard checkers = pos->now->checkers;
    if (bb_any(checkers) &&
        (bb_has_many(checkers) || !bb_has(bb_between(pos->king[us], bb_first(checkers)), to))) {
        return KMD_ILLEGAL_IGNORES_CHECK;
    }
    Square their_king = pos->king[color_flip(us)];
    if (type == PAWN && their_king != SQ_NONE && bb_has(attacks_pawn(us, to), their_king) &&
        legality_is_drop_mate(pos, to)) {
        return KMD_ILLEGAL_UCHIFUZUME;
    }
    return KMD_LEGAL;
}

/* Checks king safety after a board move that is legal otherwise. */
static KmdLegality king_safety(const Position *pos, Square from, Square to) {
    Color us = pos->side;
    Square king = pos->king[us];
    Bitboard checkers = pos->now->checkers;
    if (king == SQ_NONE) {
        return KMD_LEGAL;
    }
    if (from == king) {
        Bitboard occupied = bb_xor(pos_occupied(pos), bb_square(king));
        if (!pos_is_attacked(pos, to, color_flip(us), occupied)) {
            return KMD_LEGAL;
        }
        return KMD_ILLEGAL_KING_IN_CHECK;
    }
    if (bb_any(checkers)) {
        Square checker = bb_first(checkers);
        if (bb_has_many(checkers) || (to != checker && !bb_has(bb_between(king, checker), to))) {
            return KMD_ILLEGAL_IGNORES_CHECK;
        }
    }
    if (bb_has(pos->now->blockers[us], from) && !sq_aligned(king, from, to)) {
        return KMD_ILLEGAL_KING_IN_CHECK;
    }
    return KMD_LEGAL;
}

static KmdLegality board_legality(const Position *pos, Move move) {
    Color us = pos->side;
    Square from = move_from(move), to = move_to(move);
    Piece piece = pos->board[from], target = pos->board[to];
    PieceType type = piece_type(piece);
    if (piece == NO_PIECE) {
        return KMD_ILLEGAL_NO_PIECE;
    }
    if (piece_color(piece) != us) {
        return KMD_ILLEGAL_NOT_YOURS;
    }
    if (target != NO_PIECE && piece_color(target) == us) {
        return KMD_ILLEGAL_OCCUPIED;
    }
    if (!attacks_square(us, type, from, to, pos_occupied(pos))) {
        return KMD_ILLEGAL_PIECE_MOVE;
    }
    if (move_is_promotion(move)) {
        if (!pt_can_promote(type) || !(sq_in_zone(us, from) || sq_in_zone(us, to))) {
            return KMD_ILLEGAL_PROMOTION;
        }
    } else if (pt_is_dead_on(type, us, to)) {
        return KMD_ILLEGAL_DEAD_PIECE;
    }
    return king_safety(pos, from, to);
}

KmdLegality legality_of(const Position *pos, Move move) {
    if (move >> 15 != 0 || move_to(move) >= SQ_NB || move_origin(move) > SQ_NB + GOLD ||
        !move_is_real(move)) {
        return KMD_ILLEGAL_NOT_A_MOVE;
    }
    return move_is_drop(move) ? drop_legality(pos, move) : board_legality(pos, move);
}

bool move_is_legal(const Position *pos, Move move) {
    return legality_of(pos, move) == KMD_LEGAL;
}

const char *legality_text(KmdLegality reason) {
    static const char *const text[] = {
        [KMD_LEGAL] = "legal",
        [KMD_ILLEGAL_NOT_A_MOVE] = "not a move",
        [KMD_ILLEGAL_NO_PIECE] = "no piece on the origin",
        [KMD_ILLEGAL_NOT_YOURS] = "the piece belongs to the opponent",
        [KMD_ILLEGAL_NOT_IN_HAND] = "the piece is not in hand",
        [KMD_ILLEGAL_OCCUPIED] = "the target is occupied",
        [KMD_ILLEGAL_PIECE_MOVE] = "not how the piece moves",
        [KMD_ILLEGAL_PROMOTION] = "the piece cannot promote there",
        [KMD_ILLEGAL_DEAD_PIECE] = "the piece could never move again",
        [KMD_ILLEGAL_NIFU] = "two pawns on the file (nifu)",
        [KMD_ILLEGAL_IGNORES_CHECK] = "the king stays in check",
        [KMD_ILLEGAL_KING_IN_CHECK] = "the king would be in check",
        [KMD_ILLEGAL_UCHIFUZUME] = "mate by dropping a pawn (uchifuzume)",
    };
    ASSERT((size_t)reason < COUNTOF(text));
    return text[reason];
}
