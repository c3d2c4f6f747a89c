/* threats.c: counts the attackers and guards of each square with bitboards and turns them into
 * network inputs. */
#include "eval/threats.h"

#include <string.h>

#include "rules/attacks.h"

/* The first number of each kind of threat within an owner's half of the inputs: king zone, attacked
 * pieces, checking drops and king mobility. */
enum {
    ZONE_SIDE = 5,
    ZONE_STATES = 27,
    ATTACKED_AT = ZONE_SIDE * ZONE_SIDE * ZONE_STATES,
    CHECKS_AT = ATTACKED_AT + NNUE_KINDS * 10 * 2,
    CHECKS_MAX = 7,
    MOBILITY_AT = CHECKS_AT + 7 * (CHECKS_MAX + 1),
};

/* The first place of each kind of threat. The 81 squares of attacked pieces come first, then the
 * places of the other kinds for both owners. */
enum {
    ZONE_PLACES = SQ_NB,
    CHECKS_PLACES = ZONE_PLACES + 2 * ZONE_SIDE * ZONE_SIDE,
    MOBILITY_PLACES = CHECKS_PLACES + 2 * 7,
};

_Static_assert(MOBILITY_PLACES + 2 <= NNUE_PLACES, "arch.h has room for all places");
_Static_assert(MOBILITY_AT + 9 == NNUE_THREAT_SIDE, "arch.h has room for all of them");

/* Kinds of attackers, from the least valuable to the most. */
typedef enum Attacker {
    BY_PAWN,
    BY_LANCE,
    BY_KNIGHT,
    BY_SILVER,
    BY_GOLD, /* a gold, or a piece that moves like one */
    BY_BISHOP,
    BY_ROOK,
    BY_HORSE,
    BY_DRAGON,
    BY_KING,
    ATTACKER_NB
} Attacker;

enum { KIND_BITS = 4 };

_Static_assert(ATTACKER_NB <= 1 << KIND_BITS, "a kind fits its bits");

/* A bitboard in one vector register. */
typedef uint64_t Pair VECTOR_OF(16);

/* The squares that a side attacks. `by` has a set for each kind of attacker. `guards` has the
 * squares attacked by at least one, two or three pieces other than the king; `all` has the same
 * with the king included. */
typedef struct Reach {
    Bitboard by[ATTACKER_NB];
    Bitboard guards[3];
    Bitboard all[3];
} Reach;

/* ---- attackers and guards -------------------------------------------------------------------- */

typedef struct Counts {
    Pair once;
    Pair twice;
    Pair thrice;
} Counts;

FORCE_INLINE Pair pair_of(Bitboard a) {
    return (Pair){a.word[0], a.word[1]};
}

FORCE_INLINE Bitboard board_of(Pair a) {
    return (Bitboard){{a[0], a[1]}};
}

/* Adds one attacker to the count of each of these squares. */
FORCE_INLINE void count_in(Counts *counts, Bitboard squares) {
    Pair more = pair_of(squares);
    counts->thrice |= counts->twice & more;
    counts->twice |= counts->once & more;
    counts->once |= more;
}

/* Adds an attacker to the squares beside these pieces, and returns these squares. No two pieces
 * that step in the same direction reach the same square, so each direction needs only one addition
 * for all pieces of a kind. */
FORCE_INLINE Bitboard count_beside(Counts *counts, Bitboard squares) {
    Bitboard left = bb_left(squares), right = bb_right(squares);
    count_in(counts, left);
    count_in(counts, right);
    return bb_or(left, right);
}

FORCE_INLINE Bitboard count_silvers(Counts *counts, Color us, Bitboard silvers) {
    Bitboard ahead = bb_forward(us, silvers);
    count_in(counts, ahead);
    Bitboard reach = bb_or(ahead, count_beside(counts, ahead));
    return bb_or(reach, count_beside(counts, bb_backward(us, silvers)));
}

FORCE_INLINE Bitboard count_golds(Counts *counts, Color us, Bitboard golds) {
    Bitboard ahead = bb_forward(us, golds), behind = bb_backward(us, golds);
    count_in(counts, ahead);
    count_in(counts, behind);
    Bitboard reach = bb_or(bb_or(ahead, behind), count_beside(counts, ahead));
    return bb_or(reach, count_beside(counts, golds));
}

FORCE_INLINE Bitboard count_sliders(Counts *counts, Color us, PieceType type, Bitboard pieces,
                                    Bitboard occupied) {
    Bitboard reach = BB_EMPTY;
    while (bb_any(pieces)) {
        Bitboard squares = attacks_of_known(us, type, bb_pop(&pieces), occupied);
        count_in(counts, squares);
        reach = bb_or(reach, squares);
    }
    return reach;
}

FORCE_INLINE void find_reach(const Position *pos, Color us, Reach *reach) {
    const Bitboard *type = pos->type_bb;
    Bitboard own = pos->color_bb[us];
    Bitboard occupied = pos_occupied(pos);
    Bitboard *by = reach->by;
    Counts counts = {{0}, {0}, {0}};
    by[BY_PAWN] = bb_forward(us, bb_and(own, type[PAWN]));
    count_in(&counts, by[BY_PAWN]);
    by[BY_LANCE] = count_sliders(&counts, us, LANCE, bb_and(own, type[LANCE]), occupied);
    by[BY_KNIGHT] =
        count_beside(&counts, bb_forward(us, bb_forward(us, bb_and(own, type[KNIGHT]))));
    by[BY_SILVER] = count_silvers(&counts, us, bb_and(own, type[SILVER]));
    by[BY_GOLD] = count_golds(&counts, us, bb_and(own, type[SET_GOLDS]));
    by[BY_BISHOP] = count_sliders(&counts, us, BISHOP, bb_and(own, type[BISHOP]), occupied);
    by[BY_ROOK] = count_sliders(&counts, us, ROOK, bb_and(own, type[ROOK]), occupied);
    by[BY_HORSE] = count_sliders(&counts, us, HORSE, bb_and(own, type[HORSE]), occupied);
    by[BY_DRAGON] = count_sliders(&counts, us, DRAGON, bb_and(own, type[DRAGON]), occupied);
    by[BY_KING] = pos->king[us] == SQ_NONE ? BB_EMPTY : attacks_king(pos->king[us]);
    reach->guards[0] = board_of(counts.once);
    reach->guards[1] = board_of(counts.twice);
    reach->guards[2] = board_of(counts.thrice);
    count_in(&counts, by[BY_KING]);
    reach->all[0] = board_of(counts.once);
    reach->all[1] = board_of(counts.twice);
    reach->all[2] = board_of(counts.thrice);
}

/* ---- the inputs ------------------------------------------------------------------------------ */

/* The threats found so far. */
typedef struct Found {
    int count;
    uint16_t *at;
} Found;

FORCE_INLINE void find(Found *found, int place, Color owner, int number) {
    found->at[place] = (uint16_t)((int)owner * NNUE_THREAT_SIDE + number + 1);
    found->count++;
}

static void find_mobility(const Position *pos, Color owner, const Reach *enemy, Found *found) {
    Bitboard squares = bb_andnot(attacks_king(pos->king[owner]), pos->color_bb[owner]);
    find(found, MOBILITY_PLACES + (int)owner, owner,
         MOBILITY_AT + bb_count(bb_andnot(squares, enemy->all[0])));
}

/* Squares from which a piece of this type dropped by `by` checks the king on `king`. */
FORCE_INLINE Bitboard check_squares(PieceType type, Color by, Square king, Bitboard occupied) {
    return attacks_of_known(color_flip(by), type, king, occupied);
}

FORCE_INLINE void find_checks_by(const Position *pos, Color owner, PieceType type, Bitboard safe,
                                 Found *found) {
    if (hand_count(pos->hand[owner], type) == 0) {
        return;
    }
    Square king = pos->king[color_flip(owner)];
    Bitboard squares = bb_and(check_squares(type, owner, king, pos_occupied(pos)), safe);
    int count = int_min(bb_count(squares), CHECKS_MAX);
    int number = (int)type - 1;
    find(found, CHECKS_PLACES + 7 * (int)owner + number, owner,
         CHECKS_AT + number * (CHECKS_MAX + 1) + count);
}

static void find_checks(const Position *pos, Color owner, const Reach *own, const Reach *enemy,
                        Found *found) {
    Square king = pos->king[color_flip(owner)];
    Bitboard taken = bb_or(enemy->guards[0], bb_andnot(attacks_king(king), own->all[0]));
    Bitboard safe = bb_andnot(bb_andnot(BB_ALL, pos_occupied(pos)), taken);
    find_checks_by(pos, owner, PAWN, safe, found);
    find_checks_by(pos, owner, LANCE, safe, found);
    find_checks_by(pos, owner, KNIGHT, safe, found);
    find_checks_by(pos, owner, SILVER, safe, found);
    find_checks_by(pos, owner, BISHOP, safe, found);
    find_checks_by(pos, owner, ROOK, safe, found);
    find_checks_by(pos, owner, GOLD, safe, found);
}

/* The position of a square's bit in a bitboard, which allows access without a branch. */
typedef struct Bit {
    int word;
    int shift;
} Bit;

FORCE_INLINE Bit bit_at(Square sq) {
    int word = sq >= 63;
    return (Bit){word, sq - 63 * word};
}

FORCE_INLINE int bit_of(const Bitboard *a, Bit bit) {
    return (int)(a->word[bit.word] >> bit.shift & 1);
}

/* Finds the kind of the least valuable attacker of each attacked square. The result has one
 * bitboard for each bit of the kind's number. */
FORCE_INLINE void find_least(const Reach *enemy, Bitboard least[KIND_BITS]) {
    Pair bits[KIND_BITS] = {{0}};
    for (int kind = ATTACKER_NB - 1; kind >= 0; kind--) {
        Pair by = pair_of(enemy->by[kind]);
        for (int bit = 0; bit < KIND_BITS; bit++) {
            bits[bit] = (kind >> bit & 1) != 0 ? bits[bit] | by : bits[bit] & ~by;
        }
    }
    for (int bit = 0; bit < KIND_BITS; bit++) {
        least[bit] = board_of(bits[bit]);
    }
}

static void find_attacked(const Position *pos, Color owner, const Reach *own, const Reach *enemy,
                          Found *found) {
    Bitboard least[KIND_BITS];
    find_least(enemy, least);
    Bitboard attacked = bb_andnot(pos->color_bb[owner], pos->type_bb[KING]);
    for (attacked = bb_and(attacked, enemy->all[0]); bb_any(attacked);) {
        Square sq = bb_pop(&attacked);
        Bit bit = bit_at(sq);
        int kind = 0;
        for (int i = 0; i < KIND_BITS; i++) {
            kind += bit_of(&least[i], bit) << i;
        }
        int type = (int)piece_type(pos->board[sq]) - 1;
        int is_guarded = bit_of(&own->all[0], bit);
        find(found, sq, owner, ATTACKED_AT + (type * ATTACKER_NB + kind) * 2 + is_guarded);
    }
}

/* The squares and their neighbours in all eight directions. */
FORCE_INLINE Bitboard spread(Bitboard a) {
    Bitboard wide = bb_or(a, bb_or(bb_left(a), bb_right(a)));
    return bb_or(wide, bb_or(bb_up(wide), bb_down(wide)));
}

FORCE_INLINE int zone_place(Color owner, int place) {
    return ZONE_PLACES + (int)owner * ZONE_SIDE * ZONE_SIDE + place;
}

/* The place in a king's zone that the square on file 1 and rank 1 would have. */
FORCE_INLINE int zone_center(Square king) {
    return sq_file(king) - ZONE_SIDE / 2 + ZONE_SIDE * (sq_rank(king) - ZONE_SIDE / 2);
}

static void find_zone(const Position *pos, Color owner, const Reach *own, const Reach *enemy,
                      Found *found) {
    Square king = pos->king[owner];
    int center = zone_center(king);
    Bitboard around = bb_andnot(spread(spread(bb_square(king))), bb_square(king));
    for (Bitboard rest = bb_and(around, enemy->all[0]); bb_any(rest);) {
        Square sq = bb_pop(&rest);
        int place = sq_file(sq) + ZONE_SIDE * sq_rank(sq) - center;
        Bit bit = bit_at(sq);
        int attackers = bit_of(&enemy->all[1], bit) + bit_of(&enemy->all[2], bit);
        int guards = bit_of(&own->guards[0], bit) + bit_of(&own->guards[1], bit);
        int occupant =
            bit_of(&pos->color_bb[owner], bit) + 2 * bit_of(&pos->color_bb[color_flip(owner)], bit);
        find(found, zone_place(owner, place), owner,
             place * ZONE_STATES + (attackers * 3 + guards) * 3 + occupant);
    }
}

/* Removes threats beyond the limit: first those of white's king zone, from its last square back,
 * then those of black's, and finally, in positions that no game reaches, those of attacked
 * pieces. */
static void cut(const Position *pos, Found *found) {
    for (int c = WHITE; c >= BLACK; c--) {
        if (pos->king[c] == SQ_NONE) {
            continue;
        }
        Bitboard around = bb_square(pos->king[c]);
        around = bb_andnot(spread(spread(around)), around);
        for (Square sq = SQ_NB - 1; sq >= 0; sq--) {
            int place = sq_file(sq) + ZONE_SIDE * sq_rank(sq) - zone_center(pos->king[c]);
            uint16_t *at = bb_has(around, sq) ? &found->at[zone_place((Color)c, place)] : NULL;
            if (at != NULL && *at != 0 && found->count > NNUE_MAX_THREATS) {
                *at = 0;
                found->count--;
            }
        }
    }
    for (Square sq = SQ_NB - 1; sq >= 0 && found->count > NNUE_MAX_THREATS; sq--) {
        found->count -= found->at[sq] != 0;
        found->at[sq] = 0;
    }
}

void threats_find(const Position *pos, Places *out) {
    Reach reach[COLOR_NB];
    Found found = {.count = 0, .at = out->at};
    memset(out, 0, sizeof(*out));
    find_reach(pos, BLACK, &reach[BLACK]);
    find_reach(pos, WHITE, &reach[WHITE]);
    for (int c = BLACK; c <= WHITE; c++) {
        if (pos->king[c] != SQ_NONE) {
            find_mobility(pos, (Color)c, &reach[c ^ 1], &found);
            find_checks(pos, color_flip((Color)c), &reach[c ^ 1], &reach[c], &found);
            find_zone(pos, (Color)c, &reach[c], &reach[c ^ 1], &found);
        }
        find_attacked(pos, (Color)c, &reach[c], &reach[c ^ 1], &found);
    }
    if (UNLIKELY(found.count > NNUE_MAX_THREATS)) {
        cut(pos, &found);
    }
}

/* Converts a place of the king zone: rotates it by half a turn for white, and mirrors it if the
 * view is mirrored. */
static int place_of(NnueView view, int place) {
    place = view.side == WHITE ? ZONE_SIDE * ZONE_SIDE - 1 - place : place;
    return view.is_mirrored ? place + ZONE_SIDE - 1 - 2 * (place % ZONE_SIDE) : place;
}

int threats_input(NnueView view, int input) {
    int number = input - NNUE_PIECE_INPUTS;
    int owner = number >= NNUE_THREAT_SIDE;
    number -= owner * NNUE_THREAT_SIDE;
    if (number < ATTACKED_AT) {
        number = place_of(view, number / ZONE_STATES) * ZONE_STATES + number % ZONE_STATES;
    }
    return NNUE_PIECE_INPUTS + (owner ^ (view.side == WHITE)) * NNUE_THREAT_SIDE + number;
}
