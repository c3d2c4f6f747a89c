/* threats.c: counts the attackers and guards of each square with bitboards of both colours at once,
 * and derives the network inputs from these counts. */
#include "eval/threats.h"

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

_Static_assert(ATTACKER_NB <= 1 << THREAT_KIND_BITS, "a kind fits its bits");

/* ---- bitboards of both colours --------------------------------------------------------------- */

FORCE_INLINE SidePair both_of(Bitboard black, Bitboard white) {
    return (SidePair){{{black.word[0], white.word[0]}, {black.word[1], white.word[1]}}};
}

FORCE_INLINE SidePair both_same(Bitboard a) {
    return both_of(a, a);
}

FORCE_INLINE Bitboard both_get(SidePair a, Color color) {
    return (Bitboard){{a.word[0][color], a.word[1][color]}};
}

/* Exchanges the colours. */
FORCE_INLINE SidePair sides_swap(SidePair a) {
    return (SidePair){{{a.word[0][1], a.word[0][0]}, {a.word[1][1], a.word[1][0]}}};
}

FORCE_INLINE SidePair both_and(SidePair a, SidePair b) {
    return (SidePair){{a.word[0] & b.word[0], a.word[1] & b.word[1]}};
}

FORCE_INLINE SidePair both_or(SidePair a, SidePair b) {
    return (SidePair){{a.word[0] | b.word[0], a.word[1] | b.word[1]}};
}

FORCE_INLINE SidePair both_andnot(SidePair a, SidePair b) {
    return (SidePair){{a.word[0] & ~b.word[0], a.word[1] & ~b.word[1]}};
}

/* The squares of both colours in one bitboard. */
FORCE_INLINE Lanes both_union(SidePair a) {
    return (Lanes){a.word[0][0], a.word[1][0]} | (Lanes){a.word[0][1], a.word[1][1]};
}

/* A step up in the first lane and down in the second. */
FORCE_INLINE Lanes step_apart(Lanes a, uint64_t first_rank, uint64_t mask) {
    const Lanes up = {~(first_rank << 8), 0}, down = {0, ~first_rank & mask};
    return (a >> 1 & up) | (a << 1 & down);
}

/* A step up in the second lane and down in the first. */
FORCE_INLINE Lanes step_together(Lanes a, uint64_t first_rank, uint64_t mask) {
    const Lanes up = {0, ~(first_rank << 8)}, down = {~first_rank & mask, 0};
    return (a >> 1 & up) | (a << 1 & down);
}

/* Move each colour's squares one step forward or backward, as that colour sees the board. */
FORCE_INLINE SidePair both_forward(SidePair a) {
    return (SidePair){{step_apart(a.word[0], BB_FILE_UNIT0, BB_WORD0_MASK),
                       step_apart(a.word[1], BB_FILE_UNIT1, BB_WORD1_MASK)}};
}

FORCE_INLINE SidePair both_backward(SidePair a) {
    return (SidePair){{step_together(a.word[0], BB_FILE_UNIT0, BB_WORD0_MASK),
                       step_together(a.word[1], BB_FILE_UNIT1, BB_WORD1_MASK)}};
}

FORCE_INLINE SidePair both_left(SidePair a) {
    return (SidePair){
        {a.word[0] << 9 & BB_WORD0_MASK, (a.word[1] << 9 & BB_WORD1_MASK) | a.word[0] >> 54}};
}

FORCE_INLINE SidePair both_right(SidePair a) {
    return (SidePair){{a.word[0] >> 9 | (a.word[1] & 0x1FF) << 54, a.word[1] >> 9}};
}

/* The squares and their neighbours in all eight directions. */
FORCE_INLINE SidePair both_spread(SidePair a) {
    SidePair wide = both_or(a, both_or(both_left(a), both_right(a)));
    return both_or(wide, both_or(both_forward(wide), both_backward(wide)));
}

/* ---- attackers and guards -------------------------------------------------------------------- */

/* The squares that at least one, two or three pieces attack. */
typedef struct Counts {
    SidePair once;
    SidePair twice;
    SidePair thrice;
} Counts;

/* Adds one attacker to the count of each of these squares. */
FORCE_INLINE void count_attacker(Counts *counts, SidePair squares) {
    counts->thrice = both_or(counts->thrice, both_and(counts->twice, squares));
    counts->twice = both_or(counts->twice, both_and(counts->once, squares));
    counts->once = both_or(counts->once, squares);
}

/* Adds an attacker to the squares beside these pieces, and returns these squares. No two pieces
 * that step in the same direction reach the same square, so each direction needs only one addition
 * for all pieces of a kind. */
FORCE_INLINE SidePair count_beside(Counts *counts, SidePair squares) {
    SidePair left = both_left(squares), right = both_right(squares);
    count_attacker(counts, left);
    count_attacker(counts, right);
    return both_or(left, right);
}

FORCE_INLINE SidePair count_silvers(Counts *counts, SidePair silvers) {
    SidePair ahead = both_forward(silvers);
    count_attacker(counts, ahead);
    SidePair reach = both_or(ahead, count_beside(counts, ahead));
    return both_or(reach, count_beside(counts, both_backward(silvers)));
}

FORCE_INLINE SidePair count_golds(Counts *counts, SidePair golds) {
    SidePair ahead = both_forward(golds), behind = both_backward(golds);
    count_attacker(counts, ahead);
    count_attacker(counts, behind);
    SidePair reach = both_or(both_or(ahead, behind), count_beside(counts, ahead));
    return both_or(reach, count_beside(counts, golds));
}

/* Moves each colour's squares `steps` ranks forward. Squares that leave the board at the end of a
 * file come back in the next one. */
FORCE_INLINE SidePair both_shift(SidePair a, int steps) {
    const Lanes black = {~(uint64_t)0, 0}, white = {0, ~(uint64_t)0};
    return (SidePair){{(a.word[0] >> steps & black) | (a.word[0] << steps & white),
                       (a.word[1] >> steps & black) | (a.word[1] << steps & white)}};
}

/* Adds the squares that lances attack. Each pass doubles the number of empty squares that a lance
 * has passed; `way` contains the squares entered over that many empty ones, without the rank on
 * which a shift would enter from another file. No two lances of a colour attack the same square.
 * Source: the fill of Kogge and Stone, as chess programs use it. */
FORCE_INLINE SidePair count_lances(Counts *counts, SidePair lances, Bitboard occupied) {
    SidePair way = both_of(bb_andnot(bb_relative_ranks(BLACK, 0, 7), occupied),
                           bb_andnot(bb_relative_ranks(WHITE, 0, 7), occupied));
    for (int steps = 1; steps <= 4; steps *= 2) {
        lances = both_or(lances, both_and(way, both_shift(lances, steps)));
        way = both_and(way, both_shift(way, steps));
    }
    SidePair reach = both_forward(lances);
    count_attacker(counts, reach);
    return reach;
}

/* The squares that each side attacks. `by` has a set for each kind of attacker. `guards` counts the
 * pieces other than the king; `all` includes the king. */
typedef struct Reach {
    SidePair by[ATTACKER_NB];
    Counts guards;
    Counts all;
} Reach;

/* Adds bishops, rooks, horses and dragons. One loop serves all of them, because the branch at the
 * end of a loop is often mispredicted. */
FORCE_INLINE void count_sliders(const Position *pos, Reach *reach) {
    const Bitboard *type_bb = pos->type_bb;
    Bitboard occupied = pos_occupied(pos);
    SidePair none = {{{0}, {0}}};
    for (int kind = BY_BISHOP; kind <= BY_DRAGON; kind++) {
        reach->by[kind] = none;
    }
    Bitboard rest =
        bb_or(bb_or(type_bb[BISHOP], type_bb[ROOK]), bb_or(type_bb[HORSE], type_bb[DRAGON]));
    while (bb_any(rest)) {
        Square sq = bb_pop(&rest);
        Piece piece = pos->board[sq];
        bool is_promoted = pt_is_promoted(piece_type(piece));
        bool is_rook = pt_raw(piece_type(piece)) == ROOK;
        Bitboard squares = bb_or(attacks_line(sq, is_rook ? LINE_FILE : LINE_FALLING, occupied),
                                 attacks_line(sq, is_rook ? LINE_RANK : LINE_RISING, occupied));
        squares = is_promoted ? bb_or(squares, attacks_king(sq)) : squares;
        uint64_t white = (uint64_t)0 - (uint64_t)piece_color(piece);
        Lanes side = {~white, white};
        SidePair seen = {{side & squares.word[0], side & squares.word[1]}};
        SidePair *by = &reach->by[BY_BISHOP + is_rook + 2 * is_promoted];
        *by = both_or(*by, seen);
        count_attacker(&reach->guards, seen);
    }
}

FORCE_INLINE void find_reach(const Position *pos, SidePair own, SidePair king_steps, Reach *reach) {
    const Bitboard *type = pos->type_bb;
    SidePair *by = reach->by;
    Counts *guards = &reach->guards;
    by[BY_PAWN] = both_forward(both_and(own, both_same(type[PAWN])));
    *guards = (Counts){.once = by[BY_PAWN]};
    by[BY_LANCE] = count_lances(guards, both_and(own, both_same(type[LANCE])), pos_occupied(pos));
    SidePair knights = both_and(own, both_same(type[KNIGHT]));
    by[BY_KNIGHT] = count_beside(guards, both_forward(both_forward(knights)));
    by[BY_SILVER] = count_silvers(guards, both_and(own, both_same(type[SILVER])));
    by[BY_GOLD] = count_golds(guards, both_and(own, both_same(type[SET_GOLDS])));
    count_sliders(pos, reach);
    by[BY_KING] = king_steps;
    reach->all = *guards;
    count_attacker(&reach->all, king_steps);
}

/* ---- the threats of a position --------------------------------------------------------------- */

/* Sets the planes of attacked pieces. */
FORCE_INLINE void find_pieces(const Position *pos, SidePair own, const Reach *reach, Threats *out) {
    SidePair pieces = both_andnot(own, both_same(pos->type_bb[KING]));
    SidePair attacked = both_and(pieces, sides_swap(reach->all.once));
    /* The kind of the least valuable attacker, one bit of its number at a time. */
    SidePair least[THREAT_KIND_BITS] = {{{{0}, {0}}}};
    SidePair seen = {{{0}, {0}}};
    for (int kind = 0; kind < ATTACKER_NB; kind++) {
        SidePair first = both_andnot(reach->by[kind], seen);
        seen = both_or(seen, reach->by[kind]);
        for (int bit = 0; bit < THREAT_KIND_BITS; bit++) {
            least[bit] = (kind >> bit & 1) != 0 ? both_or(least[bit], first) : least[bit];
        }
    }
    for (int bit = 0; bit < THREAT_KIND_BITS; bit++) {
        out->pieces[PIECE_KIND + bit] = both_union(both_and(attacked, sides_swap(least[bit])));
    }
    out->pieces[PIECE_GUARDED] = both_union(both_and(attacked, reach->all.once));
    out->pieces[PIECE_ATTACKED] = both_union(attacked);
}

/* Sets the planes of the king zones. */
FORCE_INLINE void find_zones(const Position *pos, SidePair own, SidePair king_steps,
                             const Reach *reach, Threats *out) {
    SidePair kings = both_and(own, both_same(pos->type_bb[KING]));
    SidePair around = both_andnot(both_spread(king_steps), kings);
    SidePair attacked = both_and(around, sides_swap(reach->all.once));
    out->zones[ZONE_ATTACKED] = attacked;
    out->zones[ZONE_TWICE] = both_and(attacked, sides_swap(reach->all.twice));
    out->zones[ZONE_THRICE] = both_and(attacked, sides_swap(reach->all.thrice));
    out->zones[ZONE_GUARDED] = both_and(attacked, reach->guards.once);
    out->zones[ZONE_GUARDED_TWICE] = both_and(attacked, reach->guards.twice);
    out->zones[ZONE_OWN] = both_and(attacked, own);
    out->zones[ZONE_ENEMY] = both_and(attacked, sides_swap(own));
}

/* A byte of the notes: 1 + the number of squares where a drop of this type gives check. */
FORCE_INLINE uint64_t note_checks(Hand hand, PieceType type, Bitboard squares) {
    uint64_t note = (uint64_t)(1 + int_min(bb_count(squares), CHECKS_MAX));
    return hand_has(hand, type) ? note << 8 * ((int)type - 1) : 0;
}

/* Notes the drops by `owner` on squares of `safe` that give check. */
FORCE_INLINE uint64_t find_checks(const Position *pos, Color owner, Bitboard safe) {
    Color enemy = color_flip(owner);
    Hand hand = pos->hand[owner];
    Square king = pos->king[enemy];
    if (hand == 0 || king == SQ_NONE) {
        return 0;
    }
    Bitboard occupied = pos_occupied(pos);
    Bitboard rook = bb_and(safe, attacks_rook(king, occupied));
    return note_checks(hand, PAWN, bb_and(safe, attacks_pawn(enemy, king))) |
           note_checks(hand, LANCE, bb_and(rook, bb_before(enemy, king))) |
           note_checks(hand, KNIGHT, bb_and(safe, attacks_knight(enemy, king))) |
           note_checks(hand, SILVER, bb_and(safe, attacks_silver(enemy, king))) |
           note_checks(hand, BISHOP, bb_and(safe, attacks_bishop(king, occupied))) |
           note_checks(hand, ROOK, rook) |
           note_checks(hand, GOLD, bb_and(safe, attacks_gold(enemy, king)));
}

/* The number of bytes that are not 0; all of them are small. */
FORCE_INLINE int count_notes(uint64_t notes) {
    return BITS_COUNT((notes + 0x7F7F7F7F7F7F7F7F) & 0x8080808080808080);
}

void threats_find(const Position *pos, Snapshot *snapshot) {
    Threats *out = &snapshot->more.threats;
    Bitboard steps[COLOR_NB];
    for (int c = BLACK; c <= WHITE; c++) {
        steps[c] = pos->king[c] == SQ_NONE ? BB_EMPTY : attacks_king(pos->king[c]);
    }
    SidePair own = both_of(pos->color_bb[BLACK], pos->color_bb[WHITE]);
    SidePair king_steps = both_of(steps[BLACK], steps[WHITE]);
    Reach reach;
    find_reach(pos, own, king_steps, &reach);
    find_pieces(pos, own, &reach, out);
    find_zones(pos, own, king_steps, &reach, out);

    /* The empty squares where each side cannot capture a piece that the opponent drops. */
    SidePair escapes = both_andnot(king_steps, sides_swap(reach.all.once));
    SidePair empty = both_same(bb_not(pos_occupied(pos)));
    SidePair safe = both_andnot(both_andnot(empty, reach.guards.once), escapes);
    SidePair mobility = both_andnot(escapes, own);
    const Lanes *attacked = &out->pieces[PIECE_ATTACKED];
    int count = BITS_COUNT((*attacked)[0]) + BITS_COUNT((*attacked)[1]);
    for (int c = BLACK; c <= WHITE; c++) {
        Color owner = (Color)c;
        uint64_t notes = find_checks(pos, owner, both_get(safe, color_flip(owner)));
        if (pos->king[owner] != SQ_NONE) {
            uint64_t squares = (uint64_t)bb_count(both_get(mobility, owner));
            notes |= (1 + squares) << 8 * NOTE_MOBILITY;
        }
        out->notes[c] = notes;
        count += bb_count(both_get(out->zones[ZONE_ATTACKED], owner)) + count_notes(notes);
    }
    out->is_cut = count > NNUE_MAX_THREATS;
}

/* ---- the inputs ------------------------------------------------------------------------------ */

FORCE_INLINE int entry_of(Color owner, int number) {
    return ENTRY_MORE + (int)owner * NNUE_THREAT_SIDE + number;
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

/* The entry of the piece on a square; 0 if it is not attacked. */
FORCE_INLINE int piece_entry(const Snapshot *snapshot, Square sq, Bit bit) {
    const Lanes *pieces = snapshot->more.threats.pieces;
    int how = 0;
    for (int i = 0; i < PIECE_ATTACKED; i++) {
        how |= (int)(pieces[i][bit.word] >> bit.shift & 1) << i;
    }
    int is_attacked = (int)(pieces[PIECE_ATTACKED][bit.word] >> bit.shift & 1);
    Piece piece = snapshot->board[sq];
    int type = (int)piece_type(piece) - 1;
    int entry = entry_of(piece_color(piece), ATTACKED_AT + type * ATTACKER_NB * 2 + how);
    return entry & -is_attacked;
}

/* The number of a square's place in a zone. */
FORCE_INLINE int zone_place(Square king, Square sq) {
    return sq_file(sq) - sq_file(king) + ZONE_SIDE / 2 +
           ZONE_SIDE * (sq_rank(sq) - sq_rank(king) + ZONE_SIDE / 2);
}

/* The entry of a place of a king's zone; 0 if it is not attacked. */
FORCE_INLINE int zone_entry(const Snapshot *snapshot, Color owner, int place, Bit bit) {
    const SidePair *zones = snapshot->more.threats.zones;
    int has[ZONE_PLANES];
    for (int i = 0; i < ZONE_PLANES; i++) {
        has[i] = (int)(zones[i].word[bit.word][owner] >> bit.shift & 1);
    }
    int attackers = has[ZONE_TWICE] + has[ZONE_THRICE];
    int guards = has[ZONE_GUARDED] + has[ZONE_GUARDED_TWICE];
    int occupant = has[ZONE_OWN] + 2 * has[ZONE_ENEMY];
    int number = place * ZONE_STATES + (attackers * 3 + guards) * 3 + occupant;
    return entry_of(owner, number) & -has[ZONE_ATTACKED];
}

/* The same for the zone's square sq. */
static NO_INLINE int zone_entry_at(const Snapshot *snapshot, Color owner, Square sq) {
    return zone_entry(snapshot, owner, zone_place(snapshot->king[owner], sq), bit_at(sq));
}

/* The entry of a byte of the notes. */
FORCE_INLINE int note_entry(const Snapshot *snapshot, Color owner, int index) {
    int note = (int)(snapshot->more.threats.notes[owner] >> 8 * index & 255);
    return note == 0 ? 0 : entry_of(owner, CHECKS_AT + index * (CHECKS_MAX + 1) + note - 1);
}

/* Lists all entries. If there are too many, leaves out those of white's king zone, from its last
 * square back, then those of black's, and finally, in positions that no game reaches, those of
 * attacked pieces. */
static int list_entries(const Snapshot *snapshot, uint16_t list[NNUE_MAX_THREATS]) {
    const Threats *threats = &snapshot->more.threats;
    int room =
        NNUE_MAX_THREATS - count_notes(threats->notes[BLACK]) - count_notes(threats->notes[WHITE]);
    int count = 0;
    const Lanes *attacked = &threats->pieces[PIECE_ATTACKED];
    for (Bitboard rest = {{(*attacked)[0], (*attacked)[1]}}; bb_any(rest) && count < room;) {
        Square sq = bb_pop(&rest);
        list[count++] = (uint16_t)piece_entry(snapshot, sq, bit_at(sq));
    }
    for (int c = BLACK; c <= WHITE; c++) {
        Bitboard rest = both_get(threats->zones[ZONE_ATTACKED], (Color)c);
        while (bb_any(rest) && count < room) {
            list[count++] = (uint16_t)zone_entry_at(snapshot, (Color)c, bb_pop(&rest));
        }
    }
    for (int c = BLACK; c <= WHITE; c++) {
        for (int i = 0; i < NOTE_NB; i++) {
            int entry = note_entry(snapshot, (Color)c, i);
            if (entry != 0) {
                list[count++] = (uint16_t)entry;
            }
        }
    }
    return count;
}

/* ---- changes --------------------------------------------------------------------------------- */

/* Lists the squares of a zone that is not the same as before. */
static void change_zone(const Snapshot *snapshot, Color owner, bool is_before,
                        NnueChanges *changes) {
    const SidePair *zones = snapshot->more.threats.zones;
    for (Bitboard rest = both_get(zones[ZONE_ATTACKED], owner); bb_any(rest);) {
        int entry = zone_entry_at(snapshot, owner, bb_pop(&rest));
        changes_add(changes, is_before ? entry : 0, is_before ? 0 : entry);
    }
}

/* Lists everything as changed. */
static void change_all(const Snapshot *before, const Snapshot *now, NnueChanges *changes) {
    uint16_t gone[NNUE_MAX_THREATS], come[NNUE_MAX_THREATS];
    int gone_count = list_entries(before, gone), come_count = list_entries(now, come);
    for (int i = 0; i < int_max(gone_count, come_count); i++) {
        changes_add(changes, i < gone_count ? gone[i] : 0, i < come_count ? come[i] : 0);
    }
}

/* The squares of pieces and of king zones of which something else is known. */
FORCE_INLINE Lanes differing_pieces(const Threats *a, const Threats *b) {
    Lanes pieces = {0, 0};
    for (int i = 0; i < PIECE_PLANES; i++) {
        pieces |= a->pieces[i] ^ b->pieces[i];
    }
    return pieces;
}

FORCE_INLINE SidePair differing_zones(const Threats *a, const Threats *b) {
    SidePair zones = {{{0}, {0}}};
    for (int i = 0; i < ZONE_PLANES; i++) {
        zones.word[0] |= a->zones[i].word[0] ^ b->zones[i].word[0];
        zones.word[1] |= a->zones[i].word[1] ^ b->zones[i].word[1];
    }
    return zones;
}

int threats_distance(const Snapshot *before, const Snapshot *now) {
    const Threats *old = &before->more.threats, *new = &now->more.threats;
    Lanes pieces = differing_pieces(old, new);
    SidePair zones = differing_zones(old, new);
    int count = BITS_COUNT(pieces[0]) + BITS_COUNT(pieces[1]);
    for (int c = BLACK; c <= WHITE; c++) {
        SidePair all = before->king[c] == now->king[c]
                           ? zones
                           : both_or(old->zones[ZONE_ATTACKED], new->zones[ZONE_ATTACKED]);
        count += bb_count(both_get(all, (Color)c)) + count_notes(old->notes[c] ^ new->notes[c]);
    }
    return count;
}

void threats_change(const Snapshot *before, const Snapshot *now, Bitboard moved,
                    NnueChanges *changes) {
    const Threats *old = &before->more.threats, *new = &now->more.threats;
    if (UNLIKELY(old->is_cut || new->is_cut)) {
        change_all(before, now, changes);
        return;
    }
    Lanes pieces = differing_pieces(old, new) | (Lanes){moved.word[0], moved.word[1]};
    pieces &= old->pieces[PIECE_ATTACKED] | new->pieces[PIECE_ATTACKED];
    for (Bitboard rest = {{pieces[0], pieces[1]}}; bb_any(rest);) {
        Square sq = bb_pop(&rest);
        Bit bit = bit_at(sq);
        changes_add(changes, piece_entry(before, sq, bit), piece_entry(now, sq, bit));
    }
    SidePair zones = differing_zones(old, new);
    for (int c = BLACK; c <= WHITE; c++) {
        Color owner = (Color)c;
        if (UNLIKELY(before->king[c] != now->king[c])) {
            change_zone(before, owner, true, changes);
            change_zone(now, owner, false, changes);
        } else {
            for (Bitboard rest = both_get(zones, owner); bb_any(rest);) {
                Square sq = bb_pop(&rest);
                Bit bit = bit_at(sq);
                int place = zone_place(now->king[owner], sq);
                changes_add(changes, zone_entry(before, owner, place, bit),
                            zone_entry(now, owner, place, bit));
            }
        }
        for (uint64_t rest = old->notes[c] ^ new->notes[c]; rest != 0;) {
            int index = BITS_LOWEST(rest) / 8;
            rest &= ~((uint64_t)255 << 8 * index);
            changes_add(changes, note_entry(before, owner, index), note_entry(now, owner, index));
        }
    }
}

/* ---- views ----------------------------------------------------------------------------------- */

/* Converts a place of the king zone: rotates it by half a turn for white, and mirrors it if the
 * view is mirrored. */
static int viewed_place(NnueView view, int place) {
    place = view.side == WHITE ? ZONE_SIDE * ZONE_SIDE - 1 - place : place;
    return view.is_mirrored ? place + ZONE_SIDE - 1 - 2 * (place % ZONE_SIDE) : place;
}

int threats_input(NnueView view, int input) {
    int number = input - NNUE_PIECE_INPUTS;
    int owner = number >= NNUE_THREAT_SIDE;
    number -= owner * NNUE_THREAT_SIDE;
    if (number < ATTACKED_AT) {
        number = viewed_place(view, number / ZONE_STATES) * ZONE_STATES + number % ZONE_STATES;
    }
    return NNUE_PIECE_INPUTS + (owner ^ (view.side == WHITE)) * NNUE_THREAT_SIDE + number;
}
