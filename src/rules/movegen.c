/* movegen.c: chooses the sets of origins and destinations, which depend on the kind of list and on
 * whether the side to move is in check, then writes the moves of each piece. */
#include "rules/movegen.h"

#include "rules/attacks.h"
#include "rules/legality.h"
#include "rules/position.h"

/* The data besides the position that determine a list of moves. These data are computed once per
 * call, then only read.
 *
 * The kind of list determines three sets for each piece: the destinations of its plain moves, of
 * its promotions, and of its non-promotions (declined promotions that are never better, see
 * GenKind). These sets are the same for all pieces, except in a list of checks, where they depend
 * on the type and on whether the piece can give a discovered check. */
typedef struct Generator {
    const Position *pos;
    Move *out;
    Color us;
    GenKind kind;
    Square king;            /* square of the side to move's king, or SQ_NONE */
    Bitboard targets;       /* squares that moves of pieces other than the king may go to */
    Bitboard drop_targets;  /* empty squares that drops may go to */
    Bitboard plain;         /* destinations of unpromoted moves, without non-promotions */
    Bitboard promote;       /* destinations of promotions */
    Bitboard non_promotion; /* destinations of non-promotions */
    Bitboard
        uncoverers; /* checks only: our pieces that give a discovered check by leaving their line */
    const Bitboard
        *check; /* checks only: by type, the squares from which it checks the enemy king */
} Generator;

FORCE_INLINE Move *write_targets(Move *out, Square from, Bitboard to_set, int flags) {
    int high = flags | from << 7;
    while (to_set.word[0] != 0) {
        *out++ = (Move)(high | BITS_LOWEST(to_set.word[0]));
        to_set.word[0] &= to_set.word[0] - 1;
    }
    while (to_set.word[1] != 0) {
        *out++ = (Move)(high | (63 + BITS_LOWEST(to_set.word[1])));
        to_set.word[1] &= to_set.word[1] - 1;
    }
    return out;
}

/* The sets for one piece. */
typedef struct PieceSets {
    Bitboard plain, promote, non_promotion;
} PieceSets;

FORCE_INLINE PieceSets sets_for(const Generator *gen, Square from, PieceType type) {
    if (gen->kind != GEN_CHECKS) {
        return (PieceSets){gen->plain, gen->promote, gen->non_promotion};
    }
    Bitboard uncovered = BB_EMPTY;
    if (bb_has(gen->uncoverers, from)) {
        uncovered = bb_not(bb_line(gen->pos->king[color_flip(gen->us)], from));
    }
    Bitboard direct = bb_or(uncovered, gen->check[type]);
    Bitboard promoted = BB_EMPTY;
    if (pt_can_promote(type)) {
        promoted = bb_or(uncovered, gen->check[pt_promote(type)]);
    }
    return (PieceSets){direct, promoted, direct};
}

/* Adds all moves of one piece, which is not the king, to the squares of `reach`, a subset of
 * targets. */
FORCE_INLINE void add_piece_moves(Generator *gen, Square from, PieceType type, Bitboard reach) {
    Color us = gen->us;
    PieceSets sets = sets_for(gen, from, type);
    if (!pt_can_promote(type)) {
        gen->out = write_targets(gen->out, from, bb_and(reach, sets.plain), 0);
        return;
    }
    Bitboard zone = sq_in_zone(us, from) ? BB_ALL : bb_relative_ranks(us, 0, 2);
    Bitboard promotable = bb_and(reach, zone);
    gen->out = write_targets(gen->out, from, bb_and(promotable, sets.promote), MOVE_PROMOTE);
    Bitboard declined = bb_and(promotable, bb_better_promoted(us, type));
    Bitboard unpromoted =
        bb_or(bb_and(bb_andnot(reach, declined), sets.plain), bb_and(declined, sets.non_promotion));
    gen->out = write_targets(gen->out, from, bb_and(unpromoted, bb_living_ranks(us, type)), 0);
}

FORCE_INLINE void add_type(Generator *gen, PieceType type, Bitboard movers, Bitboard targets) {
    Bitboard occupied = pos_occupied(gen->pos);
    while (bb_any(movers)) {
        Square from = bb_pop(&movers);
        Bitboard reach = bb_and(attacks_of_known(gen->us, type, from, occupied), targets);
        add_piece_moves(gen, from, type, reach);
    }
}

/* Adds the moves of pawns. Each destination has one origin, so most pawns, which have no move of
 * the kind, cost nothing. */
FORCE_INLINE void add_pawns(Generator *gen, Bitboard pawns, Bitboard targets) {
    Color us = gen->us;
    Bitboard reach = bb_and(bb_forward(us, pawns), targets);
    Bitboard zone = bb_relative_ranks(us, 0, 2);
    Bitboard promoted = bb_and(bb_and(reach, zone), gen->promote);
    Bitboard declined = bb_and(bb_and(reach, gen->non_promotion), bb_relative_ranks(us, 1, 2));
    Bitboard unpromoted = bb_or(bb_and(bb_andnot(reach, zone), gen->plain), declined);
    int back = us == BLACK ? 1 : -1;
    for (Bitboard rest = bb_or(promoted, unpromoted); bb_any(rest);) {
        Square to = bb_pop(&rest);
        if (bb_has(promoted, to)) {
            *gen->out++ = move_make_promotion(to + back, to);
        }
        if (bb_has(unpromoted, to)) {
            *gen->out++ = move_make(to + back, to);
        }
    }
}

/* The pieces that need to be considered: a stepping piece gives check only near the enemy king, or
 * by discovery. */
FORCE_INLINE Bitboard able_pieces(const Generator *gen, int step, Bitboard pieces) {
    Square king = gen->pos->king[color_flip(gen->us)];
    if (gen->kind != GEN_CHECKS || king == SQ_NONE) {
        return pieces;
    }
    return bb_and(pieces, bb_or(gen->uncoverers, attack_checkers[gen->us][step][king]));
}

FORCE_INLINE void add_steppers(Generator *gen, PieceType type, int step, Bitboard pieces,
                               Bitboard targets) {
    add_type(gen, type, able_pieces(gen, step, pieces), targets);
}

/* Adds the moves of the pieces in `movers` (without the king) to `targets`. */
FORCE_INLINE void add_board_moves(Generator *gen, Bitboard movers, Bitboard targets) {
    const Bitboard *type = gen->pos->type_bb;
    if (gen->kind == GEN_CHECKS) {
        add_steppers(gen, PAWN, STEP_PAWN, bb_and(type[PAWN], movers), targets);
    } else {
        add_pawns(gen, bb_and(type[PAWN], movers), targets);
    }
    add_type(gen, LANCE, bb_and(type[LANCE], movers), targets);
    add_steppers(gen, KNIGHT, STEP_KNIGHT, bb_and(type[KNIGHT], movers), targets);
    add_steppers(gen, SILVER, STEP_SILVER, bb_and(type[SILVER], movers), targets);
    add_type(gen, BISHOP, bb_and(type[BISHOP], movers), targets);
    add_type(gen, ROOK, bb_and(type[ROOK], movers), targets);
    add_type(gen, HORSE, bb_and(type[HORSE], movers), targets);
    add_type(gen, DRAGON, bb_and(type[DRAGON], movers), targets);
    add_steppers(gen, GOLD, STEP_GOLD, bb_and(type[SET_GOLDS], movers), targets);
}

/* Adds the moves of pinned pieces, which stay on the line of the pin, and returns the end of the
 * list. A copy of the generator is passed, so that the compiler can keep the original in registers.
 */
static NO_INLINE Move *add_pinned(Generator gen, Bitboard pinned) {
    while (bb_any(pinned)) {
        Square from = bb_pop(&pinned);
        PieceType type = piece_type(gen.pos->board[from]);
        Bitboard targets = bb_and(gen.targets, bb_line(gen.king, from));
        Bitboard reach = bb_and(attacks_of(gen.us, type, from, pos_occupied(gen.pos)), targets);
        add_piece_moves(&gen, from, type, reach);
    }
    return gen.out;
}

static void add_king_moves(Generator *gen) {
    const Position *pos = gen->pos;
    PieceSets sets = sets_for(gen, gen->king, KING);
    Bitboard reach = bb_andnot(attacks_king(gen->king), pos->color_bb[gen->us]);
    reach = bb_and(reach, sets.plain);
    if (bb_any(reach)) {
        reach = bb_andnot(reach, pos_king_danger(pos, gen->us));
        gen->out = write_targets(gen->out, gen->king, reach, 0);
    }
}

/* The square in front of the enemy king if a pawn dropped there would be mate, otherwise SQ_NONE.
 * `squares` are the squares on which a pawn may be dropped otherwise. */
static Square uchifuzume_square(const Position *pos, Color us, Bitboard squares) {
    Square their_king = pos->king[color_flip(us)];
    if (their_king == SQ_NONE) {
        return SQ_NONE;
    }
    Bitboard check = bb_and(attacks_pawn(color_flip(us), their_king), squares);
    if (!bb_any(check)) {
        return SQ_NONE;
    }
    Square to = bb_first(check);
    return legality_is_drop_mate(pos, to) ? to : SQ_NONE;
}

static void add_drops(Generator *gen) {
    const Position *pos = gen->pos;
    Color us = gen->us;
    Hand hand = pos->hand[us];
    for (int t = PAWN; t <= GOLD; t++) {
        PieceType type = (PieceType)t;
        if (!hand_has(hand, type)) {
            continue;
        }
        Bitboard squares = bb_and(gen->drop_targets, bb_living_ranks(us, type));
        if (gen->kind == GEN_CHECKS) {
            squares = bb_and(squares, gen->check[type]);
        }
        if (type == PAWN) {
            squares = bb_and(squares, bb_files_without(pos_pieces(pos, us, PAWN)));
            Square mate = uchifuzume_square(pos, us, squares);
            squares = mate == SQ_NONE ? squares : bb_andnot(squares, bb_square(mate));
        }
        gen->out = write_targets(gen->out, SQ_NB + t, squares, 0);
    }
}

/* Computes the sets that depend on the kind of list. The check squares must be set already. */
static void choose_sets(Generator *gen) {
    const Position *pos = gen->pos;
    Bitboard theirs = pos->color_bb[color_flip(gen->us)];
    Bitboard empty = bb_not(pos_occupied(pos));
    Bitboard everywhere = bb_or(theirs, empty);
    switch (gen->kind) {
    case GEN_LEGAL:
        gen->plain = gen->promote = gen->non_promotion = everywhere;
        break;
    case GEN_EVASIONS:
        gen->plain = gen->promote = everywhere;
        break;
    case GEN_CAPTURES:
        gen->plain = theirs;
        gen->promote = everywhere;
        break;
    case GEN_QUIETS:
        gen->plain = empty;
        break;
    case GEN_NON_PROMOTIONS:
        gen->non_promotion = everywhere;
        break;
    case GEN_CHECKS:
        gen->uncoverers = bb_and(pos->now->blockers[color_flip(gen->us)], pos->color_bb[gen->us]);
        break;
    }
}

static bool kind_has_drops(GenKind kind) {
    return kind != GEN_CAPTURES && kind != GEN_NON_PROMOTIONS;
}

/* `kind` is a constant in one of the two calls, so lists of checks have code of their own. */
FORCE_INLINE int generate_kind(const Position *pos, GenKind kind, Move *list) {
    Color us = pos->side;
    Bitboard checkers = pos->now->checkers;
    Bitboard empty = bb_not(pos_occupied(pos));
    Generator gen = {.pos = pos,
                     .out = list,
                     .us = us,
                     .kind = kind,
                     .king = pos->king[us],
                     .targets = bb_not(pos->color_bb[us]),
                     .drop_targets = empty};
    Bitboard check[PIECE_TYPE_NB];
    if (kind == GEN_CHECKS) {
        pos_all_check_squares(pos, check);
        gen.check = check;
    }
    choose_sets(&gen);
    if (gen.king != SQ_NONE) {
        if (kind != GEN_NON_PROMOTIONS) {
            add_king_moves(&gen);
        }
        if (bb_has_many(checkers)) {
            return (int)(gen.out - list);
        }
    }
    if (bb_any(checkers)) {
        gen.drop_targets = bb_between(gen.king, bb_first(checkers));
        gen.targets = bb_or(gen.drop_targets, checkers);
    }
    Bitboard pinned = bb_and(pos->now->blockers[us], pos->color_bb[us]);
    Bitboard movers = bb_andnot(pos->color_bb[us], pinned);
    add_board_moves(&gen, movers, gen.targets);
    if (bb_any(pinned)) {
        gen.out = add_pinned(gen, pinned);
    }
    if (kind_has_drops(kind)) {
        add_drops(&gen);
    }
    return (int)(gen.out - list);
}

int gen_moves(const Position *pos, GenKind kind, Move *list) {
    ASSERT(kind != GEN_EVASIONS || pos_in_check(pos));
    if (kind == GEN_CHECKS) {
        return generate_kind(pos, GEN_CHECKS, list);
    }
    return generate_kind(pos, kind, list);
}

bool gen_has_move(const Position *pos) {
    return gen_count(pos) > 0;
}
