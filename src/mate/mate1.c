/* mate1.c: tests one candidate check at a time. For each check it determines which squares are left
 * to the king, whether the checking piece can be captured, and whether a piece can interpose. */
#include "mate/mate1.h"

#include "rules/attacks.h"
#include "rules/movegen.h"
#include "rules/position.h"

/* The data shared by all candidate moves of a position. `them` is the defender. */
typedef struct Finder {
    const Position *pos;
    Color us;
    Color them;
    Square king;           /* square of the defender's king */
    Bitboard targets;      /* squares that moves of pieces other than our king may go to */
    Bitboard drop_targets; /* empty squares that drops may go to */
    Bitboard escapes;      /* king steps to squares that we do not attack now */
    Bitboard guarded;      /* king steps to squares that we attack now */
    Bitboard attacked;     /* squares next to the king that we attack now, also occupied ones */
    Bitboard lines; /* squares that our sliders attack: a piece that leaves one opens a line */
    Bitboard check[PIECE_TYPE_NB]; /* squares from which a piece of this type gives check */
    bool can_block;     /* the defender has a piece in hand that can be dropped on any square */
    bool has_pawn_trap; /* a pawn dropped to block could mate our king */
} Finder;

/* The board after a candidate move. The moved piece is in `occupied` but not in `own`; the squares
 * it attacks, computed without the king on the board, are in `reach`. */
typedef struct After {
    Square to;
    Bitboard occupied;
    Bitboard own;
    Bitboard reach;
} After;

/* The pieces of our side, except the moved one, that attack sq after the candidate. */
static Bitboard attackers_after(const Finder *finder, const After *after, Square sq,
                                Bitboard occupied) {
    Bitboard set = pos_attackers(finder->pos, sq, finder->us, occupied);
    return bb_and(set, after->own);
}

/* True if the king can make one of the given steps after the candidate. */
static bool can_step(const Finder *finder, const After *after, Bitboard steps) {
    Bitboard without_king = bb_xor(after->occupied, bb_square(finder->king));
    while (bb_any(steps)) {
        if (!bb_any(attackers_after(finder, after, bb_pop(&steps), without_king))) {
            return true;
        }
    }
    return false;
}

/* True if the king can step out of check after the candidate. Squares that are guarded now may be
 * unguarded then, because the move removes a guard or blocks its line. The square of the candidate
 * counts as guarded too: the king may capture there if nothing guards it. */
static bool king_escapes(const Finder *finder, const After *after) {
    if (can_step(finder, after, bb_andnot(finder->escapes, after->reach))) {
        return true;
    }
    Bitboard taking = bb_and(attacks_king(finder->king), bb_square(after->to));
    Bitboard guarded = bb_andnot(bb_or(finder->guarded, taking), after->reach);
    return can_step(finder, after, guarded);
}

/* The pieces that are alone between the defender's king and one of our sliders after the
 * candidate. */
static Bitboard pinned_after(const Finder *finder, const After *after, PieceType moved) {
    Bitboard snipers =
        attacks_snipers(finder->pos->type_bb, after->own, finder->them, finder->king);
    if (bb_has(attack_empty[finder->us][moved][after->to], finder->king)) {
        snipers = bb_or(snipers, bb_square(after->to));
    }
    return attacks_blockers(finder->king, snipers, after->occupied);
}

/* True if a defending piece other than the king can move to sq, to capture the checking piece or to
 * block its line. */
static bool can_move_to(const Finder *finder, const After *after, PieceType moved, Square sq) {
    Bitboard movers = pos_attackers(finder->pos, sq, finder->them, after->occupied);
    movers = bb_andnot(movers, bb_square(finder->king));
    if (sq != after->to) {
        movers = bb_andnot(movers, bb_square(after->to));
    }
    if (!bb_any(movers)) {
        return false;
    }
    Bitboard pinned = pinned_after(finder, after, moved);
    while (bb_any(movers)) {
        Square from = bb_pop(&movers);
        if (!bb_has(pinned, from) || sq_aligned(finder->king, from, sq)) {
            return true;
        }
    }
    return false;
}

/* The squares of `between` on which the defender may drop a pawn, ignoring pawn-drop mate. *others
 * becomes the set of squares for lances and knights. */
static Bitboard drops_between(const Finder *finder, const After *after, Bitboard between,
                              Bitboard *others) {
    Hand hand = finder->pos->hand[finder->them];
    *others = BB_EMPTY;
    if (hand_has(hand, KNIGHT)) {
        *others = bb_and(between, bb_living_ranks(finder->them, KNIGHT));
    }
    Bitboard living = bb_and(between, bb_living_ranks(finder->them, LANCE));
    if (hand_has(hand, LANCE)) {
        *others = bb_or(*others, living);
    }
    if (!hand_has(hand, PAWN)) {
        return BB_EMPTY;
    }
    Bitboard pawns = bb_andnot(pos_pieces(finder->pos, finder->them, PAWN), bb_square(after->to));
    return bb_and(living, bb_files_without(pawns));
}

/* True if the defender can drop a pawn on a square of `pawns`, the only answer found. The drop is
 * legal unless it mates our king. Such a mate is rare, so the slow test of making the move is good
 * enough. The copy of the position has its own state array, so no memory is allocated. */
static bool pawn_drop_answers(const Finder *finder, Bitboard pawns, Move move) {
    Square king = finder->pos->king[finder->us];
    Bitboard checks = king == SQ_NONE ? BB_EMPTY : attacks_pawn(finder->us, king);
    if (move_origin(move) == king) {
        checks = attacks_pawn(finder->us, move_to(move));
    }
    if (bb_any(bb_andnot(pawns, checks))) {
        return true;
    }
    State states[2] = {*finder->pos->now};
    Position copy = *finder->pos;
    copy.states = states;
    copy.now = states;
    copy.state_cap = COUNTOF(states);
    pos_do(&copy, move);
    return gen_has_move(&copy);
}

/* True if the check from `checker` through the squares `between` can be blocked. */
static bool can_interpose(const Finder *finder, const After *after, PieceType moved,
                          Bitboard between, Move move) {
    if (finder->can_block) {
        return true;
    }
    Bitboard others;
    Bitboard pawns = drops_between(finder, after, between, &others);
    if (bb_any(others)) {
        return true;
    }
    for (Bitboard rest = between; bb_any(rest);) {
        if (can_move_to(finder, after, moved, bb_pop(&rest))) {
            return true;
        }
    }
    return bb_any(pawns) && pawn_drop_answers(finder, pawns, move);
}

/* The squares that a piece of ours attacks from `to`, through the defender's king, once `from_bb`
 * is empty. */
static Bitboard reach_from(const Finder *finder, PieceType moved, Square to, Bitboard from_bb) {
    Bitboard occupied = bb_andnot(pos_occupied(finder->pos), from_bb);
    return attacks_of(finder->us, moved, to, bb_andnot(occupied, bb_square(finder->king)));
}

/* True if the candidate is mate. The candidate must be pseudo-legal and leave our own king safe;
 * `reach` is what reach_from returns for it. */
static bool is_mated_by(const Finder *finder, Move move, PieceType moved, Bitboard reach) {
    const Position *pos = finder->pos;
    Square to = move_to(move);
    Bitboard to_bb = bb_square(to);
    Bitboard from_bb = move_is_drop(move) ? BB_EMPTY : bb_square(move_from(move));
    After after = {.to = to,
                   .occupied = bb_or(bb_andnot(pos_occupied(pos), from_bb), to_bb),
                   .own = bb_andnot(pos->color_bb[finder->us], from_bb),
                   .reach = reach};
    if (king_escapes(finder, &after)) {
        return false;
    }
    Bitboard checkers = BB_EMPTY;
    if (bb_meets(from_bb, pos->now->blockers[finder->them])) {
        checkers = attackers_after(finder, &after, finder->king, after.occupied);
    }
    if (bb_has(after.reach, finder->king)) {
        checkers = bb_or(checkers, to_bb);
    }
    ASSERT(bb_any(checkers));
    if (bb_has_many(checkers)) {
        return true;
    }
    Square checker = bb_first(checkers);
    Bitboard between = bb_between(finder->king, checker);
    return !can_move_to(finder, &after, moved, checker) &&
           !(bb_any(between) && can_interpose(finder, &after, moved, between, move));
}

/* True if the king has a step to a square that we do not attack now and that a piece on `to` could
 * not cover even on an empty board. That rejects most checks without computing lines. */
static bool leaves_escape(const Finder *finder, PieceType type, Square to) {
    Bitboard covered = bb_or(attack_empty[finder->us][type][to], bb_square(to));
    return bb_any(bb_andnot(finder->escapes, covered));
}

/* A drop that mates. Pawns are not tried, because a pawn drop must not mate. */
static Move find_mating_drop(const Finder *finder) {
    static const PieceType order[] = {GOLD, SILVER, ROOK, LANCE, BISHOP, KNIGHT};
    Hand hand = finder->pos->hand[finder->us];
    Bitboard near = attacks_king(finder->king);
    for (size_t i = 0; i < COUNTOF(order); i++) {
        PieceType type = order[i];
        if (!hand_has(hand, type)) {
            continue;
        }
        /* Leave out the squares where the king could capture the piece and, if the defender can
         * interpose, those that are not next to the king. A square from which the piece gives check
         * is never on a rank where it could not move. */
        Bitboard squares = bb_and(finder->check[type], finder->drop_targets);
        squares = bb_andnot(squares, bb_andnot(near, finder->guarded));
        if (finder->can_block && type != KNIGHT) {
            squares = bb_and(squares, near);
        }
        while (bb_any(squares)) {
            Square to = bb_pop(&squares);
            if (leaves_escape(finder, type, to)) {
                continue;
            }
            /* A drop only adds the attacks of one piece. */
            Bitboard reach = reach_from(finder, type, to, BB_EMPTY);
            Bitboard left = bb_andnot(finder->escapes, bb_or(reach, bb_square(to)));
            Move move = move_make_drop(type, to);
            if (!bb_any(left) && is_mated_by(finder, move, type, reach)) {
                return move;
            }
        }
    }
    return MOVE_NONE;
}

/* A mating move of one piece to one of the squares `to_set`, on which it becomes `moved`. */
static Move find_among(const Finder *finder, Square from, PieceType moved, Bitboard to_set,
                       int flags) {
    bool opens_line = bb_has(finder->lines, from);
    while (bb_any(to_set)) {
        Square to = bb_pop(&to_set);
        if (!opens_line && leaves_escape(finder, moved, to)) {
            continue;
        }
        Move move = (Move)(flags | move_make(from, to));
        if (is_mated_by(finder, move, moved, reach_from(finder, moved, to, bb_square(from)))) {
            return move;
        }
    }
    return MOVE_NONE;
}

/* The squares on which not promoting may help a mate in one although promotion is possible, because
 * the unpromoted piece gives a check that the promoted piece does not give. The unpromoted piece
 * may also be unable to capture a pawn that blocks the check, so that this block is an illegal
 * pawn-drop mate. */
static Bitboard useful_unpromoted(const Finder *finder, PieceType type) {
    Bitboard living = bb_living_ranks(finder->us, type);
    return finder->has_pawn_trap ? living : bb_andnot(living, bb_better_promoted(finder->us, type));
}

/* A mating move of one piece other than our king. */
static Move find_piece(const Finder *finder, Square from, Bitboard pinned) {
    const Position *pos = finder->pos;
    Color us = finder->us;
    PieceType type = piece_type(pos->board[from]);
    bool can_promote = pt_can_promote(type);
    Bitboard uncovered = BB_EMPTY;
    if (bb_has(pos->now->blockers[finder->them], from)) {
        uncovered = bb_not(bb_line(finder->king, from));
    }
    Bitboard checks = bb_or(finder->check[type], uncovered);
    Bitboard promoted_checks = BB_EMPTY;
    if (can_promote) {
        promoted_checks = bb_or(finder->check[pt_promote(type)], uncovered);
    }
    Bitboard on_empty_board = bb_and(attack_empty[us][type][from], finder->targets);
    if (!bb_meets(on_empty_board, bb_or(checks, promoted_checks))) {
        return MOVE_NONE;
    }
    Bitboard reach = bb_and(attacks_of(us, type, from, pos_occupied(pos)), finder->targets);
    if (bb_has(pinned, from)) {
        reach = bb_and(reach, bb_line(pos->king[us], from));
    }
    if (can_promote) {
        Bitboard zone = sq_in_zone(us, from) ? BB_ALL : bb_relative_ranks(us, 0, 2);
        Bitboard promoting = bb_and(reach, zone);
        if (bb_any(promoting)) {
            Bitboard to_set = bb_and(promoting, promoted_checks);
            Move move = find_among(finder, from, pt_promote(type), to_set, MOVE_PROMOTE);
            if (move != MOVE_NONE) {
                return move;
            }
            reach = bb_andnot(reach, bb_andnot(promoting, useful_unpromoted(finder, type)));
        }
    }
    return find_among(finder, from, type, bb_and(reach, checks), 0);
}

/* A mating move of our king, which can only give a discovered check. The king must not step into
 * check itself. */
static Move find_king_move(const Finder *finder) {
    const Position *pos = finder->pos;
    Square king = pos->king[finder->us];
    if (king == SQ_NONE || !bb_has(pos->now->blockers[finder->them], king)) {
        return MOVE_NONE;
    }
    Bitboard reach = bb_andnot(attacks_king(king), pos->color_bb[finder->us]);
    reach = bb_andnot(reach, bb_line(finder->king, king));
    Bitboard occupied = bb_xor(pos_occupied(pos), bb_square(king));
    while (bb_any(reach)) {
        Square to = bb_pop(&reach);
        Move move = move_make(king, to);
        if (!pos_is_attacked(pos, to, finder->them, occupied) &&
            is_mated_by(finder, move, KING, reach_from(finder, KING, to, bb_square(king)))) {
            return move;
        }
    }
    return MOVE_NONE;
}

/* The pieces of our side that may be able to give check in one move: stepping pieces near the king,
 * all sliders, and pieces that can discover a check. */
static Bitboard candidate_pieces(const Finder *finder) {
    const Bitboard *type = finder->pos->type_bb;
    Color us = finder->us;
    Square king = finder->king;
    Bitboard set = bb_and(type[PAWN], attack_checkers[us][STEP_PAWN][king]);
    set = bb_or(set, bb_and(type[KNIGHT], attack_checkers[us][STEP_KNIGHT][king]));
    set = bb_or(set, bb_and(type[SILVER], attack_checkers[us][STEP_SILVER][king]));
    set = bb_or(set, bb_and(type[SET_GOLDS], attack_checkers[us][STEP_GOLD][king]));
    set = bb_or(set, bb_or(bb_or(type[LANCE], type[BISHOP]), bb_or(type[ROOK], type[HORSE])));
    set = bb_or(set, bb_or(type[DRAGON], finder->pos->now->blockers[finder->them]));
    return bb_andnot(bb_and(set, finder->pos->color_bb[us]), type[KING]);
}

static Move find_board_move(const Finder *finder) {
    const Position *pos = finder->pos;
    Bitboard pinned = pos->king[finder->us] == SQ_NONE ? BB_EMPTY : pos->now->blockers[finder->us];
    Bitboard movers = candidate_pieces(finder);
    while (bb_any(movers)) {
        Move move = find_piece(finder, bb_pop(&movers), pinned);
        if (move != MOVE_NONE) {
            return move;
        }
    }
    return MOVE_NONE;
}

/* Separates the squares that the defender's king can step to into those that we attack and those
 * that we do not. */
static void find_escapes(Finder *finder) {
    const Position *pos = finder->pos;
    Bitboard steps = bb_andnot(attacks_king(finder->king), pos->color_bb[finder->them]);
    Bitboard danger = pos_king_danger_lines(pos, finder->them, &finder->lines);
    finder->guarded = bb_and(steps, danger);
    finder->escapes = bb_andnot(steps, danger);
    finder->attacked = bb_and(attacks_king(finder->king), danger);
}

/* True if there is no mate for reasons that cost little to test. If we attack no square next to the
 * king, only knights and sliders from afar can give a check that the king cannot answer by
 * capturing the piece. A knight covers no square next to the king; a slider covers two, or a dragon
 * four, and a piece dropped in between answers its check. */
static bool has_no_mate(const Finder *finder) {
    const Bitboard *type = finder->pos->type_bb;
    Bitboard own = finder->pos->color_bb[finder->us];
    Bitboard knights = bb_and(type[KNIGHT], attack_checkers[finder->us][STEP_KNIGHT][finder->king]);
    if (bb_any(finder->attacked) || bb_meets(own, finder->pos->now->blockers[finder->them]) ||
        bb_meets(own, knights) ||
        (!bb_any(finder->escapes) && hand_has(finder->pos->hand[finder->us], KNIGHT))) {
        return false;
    }
    Bitboard rooks = bb_or(type[ROOK], type[DRAGON]);
    Bitboard others = bb_or(type[LANCE], bb_or(type[BISHOP], type[HORSE]));
    return finder->can_block || (bb_count(finder->escapes) > (bb_meets(own, rooks) ? 4 : 2) &&
                                 !bb_meets(finder->lines, bb_and(own, bb_or(rooks, others))));
}

/* Finds the squares from which pieces give check; only those next to the king and those of knights
 * if all other checks can be blocked. */
static void find_check_squares(Finder *finder) {
    const Position *pos = finder->pos;
    if (!finder->can_block) {
        pos_all_check_squares(pos, finder->check);
        return;
    }
    Square king = finder->king;
    Bitboard *check = finder->check;
    Bitboard near = attacks_king(king), gold = attacks_gold(finder->them, king);
    check[PAWN] = check[LANCE] = attacks_pawn(finder->them, king);
    check[KNIGHT] = attacks_knight(finder->them, king);
    check[SILVER] = attacks_silver(finder->them, king);
    check[BISHOP] = bb_and(near, bb_diagonals(king));
    check[ROOK] = bb_and(near, bb_straights(king));
    check[HORSE] = check[DRAGON] = near;
    check[GOLD] = check[PRO_PAWN] = check[PRO_LANCE] = check[PRO_KNIGHT] = check[PRO_SILVER] = gold;
}

Move mate1_find(const Position *pos) {
    Color us = pos->side;
    Color them = color_flip(us);
    if (pos->king[them] == SQ_NONE) {
        return MOVE_NONE;
    }
    Bitboard checkers = pos->now->checkers;
    Finder finder = {.pos = pos,
                     .us = us,
                     .them = them,
                     .king = pos->king[them],
                     .targets = bb_not(pos->color_bb[us]),
                     .drop_targets = bb_not(pos_occupied(pos)),
                     .can_block = (pos->hand[them] & (hand_mask(SILVER) << hand_shift(SILVER) |
                                                      hand_mask(GOLD) << hand_shift(GOLD) |
                                                      hand_mask(BISHOP) << hand_shift(BISHOP) |
                                                      hand_mask(ROOK) << hand_shift(ROOK))) != 0};
    if (pos->king[us] != SQ_NONE && hand_has(pos->hand[them], PAWN)) {
        Bitboard lines = bb_or(bb_diagonals(finder.king), bb_straights(finder.king));
        finder.has_pawn_trap = bb_meets(lines, attacks_pawn(us, pos->king[us]));
    }
    find_escapes(&finder);
    if (has_no_mate(&finder)) {
        return MOVE_NONE;
    }
    find_check_squares(&finder);
    Move move = MOVE_NONE;
    if (!bb_has_many(checkers)) {
        if (bb_any(checkers)) {
            finder.drop_targets = bb_between(pos->king[us], bb_first(checkers));
            finder.targets = bb_or(finder.drop_targets, checkers);
        }
        move = find_mating_drop(&finder);
        move = move != MOVE_NONE ? move : find_board_move(&finder);
    }
    return move != MOVE_NONE ? move : find_king_move(&finder);
}
