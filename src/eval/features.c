/* features.c: piece numbers, snapshots of positions, and their differences, for every feature set.
 */
#include "eval/features.h"

#include <string.h>

#define FEATURE_SET(name) &name,
static const FeatureSet *const sets[] = {
#include "eval/features.def"
};
#undef FEATURE_SET

const FeatureSet *features_at(int index) {
    return index < (int)COUNTOF(sets) ? sets[index] : NULL;
}

const FeatureSet *features_named(const char *name) {
    int i = 0;
    while (strcmp(sets[i]->name, name) != 0) {
        i++;
    }
    return sets[i];
}

const FeatureSet *features_own(bool has_threats) {
    return has_threats ? &features_komadori : &features_pieces;
}

/* ---- piece numbers --------------------------------------------------------------------------- */

int features_foreign_board(bool is_own, PieceType type) {
    enum { FIRST_BOARD = 90 };
    static const uint8_t plane[PIECE_TYPE_NB] = {
        [PAWN] = 0,     [LANCE] = 2,     [KNIGHT] = 4,     [SILVER] = 6,     [GOLD] = 8,
        [PRO_PAWN] = 8, [PRO_LANCE] = 8, [PRO_KNIGHT] = 8, [PRO_SILVER] = 8, [BISHOP] = 10,
        [HORSE] = 12,   [ROOK] = 14,     [DRAGON] = 16,    [KING] = 18};
    return FIRST_BOARD + SQ_NB * (plane[type] + !is_own);
}

_Static_assert(90 + SQ_NB * 18 == FOREIGN_PIECES, "kings come last");

int features_foreign_hand(bool is_own, PieceType type) {
    static const uint8_t first[HAND_TYPE_NB][2] = {
        [PAWN] = {20, 1},  [LANCE] = {44, 39},  [KNIGHT] = {54, 49}, [SILVER] = {64, 59},
        [GOLD] = {74, 69}, [BISHOP] = {82, 79}, [ROOK] = {88, 85}};
    return first[type][is_own];
}

/* The number on square 0; FEATURE_NONE if the set has none. */
static int plane_of(const FeatureSet *set, bool is_own, PieceType type) {
    if (set->has_places_only || (type == KING && !set->has_kings)) {
        return FEATURE_NONE;
    }
    return features_is_own(set)
               ? (!is_own * NNUE_KINDS + (int)type - 1) * SQ_NB
               : features_foreign_board(is_own || (type == KING && set->merges_kings), type);
}

static const uint8_t first_in_hand[HAND_TYPE_NB] = {0, 0, 18, 22, 26, 34, 36, 30};

/* The input of the first piece of a type in hand. */
static int hand_input_of(const FeatureSet *set, bool is_own, PieceType type) {
    return features_is_own(set) ? NNUE_BOARD_INPUTS + !is_own * NNUE_HAND_SIDE + first_in_hand[type]
                                : features_foreign_hand(is_own, type);
}

static Square square_of(NnueView view, Square sq) {
    Square seen = view.side == BLACK ? sq : sq_turn(sq);
    return view.is_mirrored ? features_mirror(seen) : seen;
}

int features_other_side(int input) {
    ASSERT(input >= 0 && input < NNUE_PIECE_INPUTS);
    if (input < NNUE_BOARD_INPUTS) {
        Square sq = input % SQ_NB;
        int half = NNUE_BOARD_INPUTS / 2;
        int other = input < half ? input + half : input - half;
        return other - sq + sq_turn(sq);
    }
    return input < NNUE_BOARD_INPUTS + NNUE_HAND_SIDE ? input + NNUE_HAND_SIDE
                                                      : input - NNUE_HAND_SIDE;
}

int features_mirrored(int input) {
    ASSERT(input >= 0 && input < NNUE_PIECE_INPUTS);
    Square sq = input % SQ_NB;
    return input >= NNUE_BOARD_INPUTS ? input : input - sq + features_mirror(sq);
}

int features_missing(const Position *pos) {
    int count = bb_count(pos_occupied(pos));
    count -= (pos->king[BLACK] != SQ_NONE) + (pos->king[WHITE] != SQ_NONE);
    for (int color = BLACK; color <= WHITE; color++) {
        for (int type = PAWN; type <= GOLD; type++) {
            count += hand_count(pos->hand[color], (PieceType)type);
        }
    }
    return int_max(NNUE_MAX_PIECES - 2 - count, 0);
}

/* ---- snapshots ------------------------------------------------------------------------------- */

/* Without a branch, which would often be mispredicted. */
FORCE_INLINE int board_entry(Piece piece, Square sq) {
    int number = ENTRY_PIECES / SQ_NB - 1 + (int)piece_color(piece) * NNUE_KINDS;
    return (piece == NO_PIECE ? 0 : number + (int)piece_type(piece)) * SQ_NB + sq;
}

static int hand_entry(Color owner, PieceType type, int index) {
    ASSERT(index >= 0 && index < pt_total(type));
    return ENTRY_PIECES + NNUE_BOARD_INPUTS + (int)owner * NNUE_HAND_SIDE + first_in_hand[type] +
           index;
}

void features_snapshot(const FeatureSet *set, const Position *pos, int missing, Snapshot *out) {
    memcpy(out->board, pos->board, sizeof(out->board));
    memcpy(out->hand, pos->hand, sizeof(out->hand));
    memcpy(out->king, pos->king, sizeof(out->king));
    out->board_key = pos->now->board_key;
    out->hand_key = pos->now->hand_key;
    out->missing = missing;
    if (set->find_places != NULL) {
        memset(&out->more.places, 0, sizeof(out->more.places));
        set->find_places(pos, &out->more.places);
    } else if (set->find != NULL) {
        set->find(pos, out);
    }
}

/* A bit for each of the eight bytes that are not 0. The product moves the high bits of all bytes to
 * the highest byte. */
FORCE_INLINE uint64_t nonzero_bytes(uint64_t word) {
    const uint64_t low = 0x7F7F7F7F7F7F7F7F;
    uint64_t high = (((word & low) + low) | word) & ~low;
    return (high >> 7) * 0x0102040810204080 >> 56;
}

/* The squares whose pieces differ. */
static Bitboard moved_between(const Piece *before, const Piece *now) {
    enum { WORD = 8 };
    uint64_t different[2] = {0, 0}; /* squares 0 to 63, and the others */
    for (Square start = 0; start + WORD <= SQ_NB; start += WORD) {
        uint64_t one, two;
        memcpy(&one, before + start, sizeof(one));
        memcpy(&two, now + start, sizeof(two));
        different[start / 64] |= nonzero_bytes(one ^ two) << start % 64;
    }
    different[1] |= (uint64_t)(before[SQ_NB - 1] != now[SQ_NB - 1]) << (SQ_NB - 1 - 64);
    return (Bitboard){{different[0] & BB_WORD0_MASK, different[1] << 1 | different[0] >> 63}};
}

int features_distance(const FeatureSet *set, const Snapshot *before, const Snapshot *now) {
    uint8_t count = 0; /* a byte, so that the loop becomes short vector code */
    for (Square sq = 0; sq < SQ_NB; sq++) {
        count = (uint8_t)(count + (before->board[sq] != now->board[sq]));
    }
    if (set->find_places != NULL) {
        for (Square sq = 0; sq < SQ_NB; sq++) {
            count = (uint8_t)(count + (before->more.places.at[sq] != now->more.places.at[sq]));
        }
    }
    return count + (set->distance != NULL ? set->distance(before, now) : 0);
}

/* The type whose count has the lowest bit of a word in the layout of a hand. */
FORCE_INLINE PieceType lowest_type(Hand bits) {
    static const uint8_t type[] = {
        [0] = PAWN,    [1] = PAWN,    [2] = PAWN,    [3] = PAWN,    [4] = PAWN,    [6] = LANCE,
        [7] = LANCE,   [8] = LANCE,   [10] = KNIGHT, [11] = KNIGHT, [12] = KNIGHT, [14] = SILVER,
        [15] = SILVER, [16] = SILVER, [18] = GOLD,   [19] = GOLD,   [20] = GOLD,   [22] = BISHOP,
        [23] = BISHOP, [25] = ROOK,   [26] = ROOK};
    return (PieceType)type[BITS_LOWEST((uint64_t)bits)];
}

static void change_hand(Hand before, Hand now, Color owner, NnueChanges *changes) {
    for (Hand rest = before ^ now; rest != 0;) {
        PieceType type = lowest_type(rest);
        rest &= ~(hand_mask(type) << hand_shift(type));
        int gone = int_min(hand_count(before, type), pt_total(type));
        int come = int_min(hand_count(now, type), pt_total(type));
        for (int i = int_min(gone, come); i < int_max(gone, come); i++) {
            int entry = hand_entry(owner, type, i);
            changes_add(changes, i < gone ? entry : ENTRY_NONE, i < come ? entry : ENTRY_NONE);
        }
    }
}

void features_change(const FeatureSet *set, const Snapshot *before, const Snapshot *now,
                     NnueChanges *changes) {
    changes->count = 0;
    Bitboard moved = moved_between(before->board, now->board);
    for (Bitboard rest = moved; bb_any(rest);) {
        Square sq = bb_pop(&rest);
        changes_add(changes, board_entry(before->board[sq], sq), board_entry(now->board[sq], sq));
    }
    change_hand(before->hand[BLACK], now->hand[BLACK], BLACK, changes);
    change_hand(before->hand[WHITE], now->hand[WHITE], WHITE, changes);
    for (int i = before->missing; i < now->missing; i++) {
        changes_add(changes, ENTRY_NONE, ENTRY_MISSING);
    }
    for (int i = now->missing; i < before->missing; i++) {
        changes_add(changes, ENTRY_MISSING, ENTRY_NONE);
    }
    if (set->find_places != NULL) {
        const uint16_t *gone = before->more.places.at, *come = now->more.places.at;
        for (Square sq = 0; sq < SQ_NB; sq++) {
            if (gone[sq] != come[sq]) {
                changes_add(changes, gone[sq], come[sq]);
            }
        }
    } else if (set->change != NULL) {
        set->change(before, now, moved, changes);
    }
}

void features_change_move(const State *state, NnueChanges *changes) {
    if (!move_is_real(state->move)) {
        return;
    }
    Piece piece = state->moved;
    Color us = piece_color(piece);
    int come = board_entry(piece, move_to(state->move));
    if (move_is_drop(state->move)) {
        int left = hand_count(state->hand[us], piece_type(piece));
        changes_add(changes, hand_entry(us, piece_type(piece), left), come);
        return;
    }
    Piece before = move_is_promotion(state->move) ? piece & (Piece)~PROMOTED : piece;
    changes_add(changes, board_entry(before, move_from(state->move)), come);
    if (state->captured != NO_PIECE) {
        PieceType type = pt_raw(piece_type(state->captured));
        int gone = board_entry(state->captured, move_to(state->move));
        changes_add(changes, gone, hand_entry(us, type, hand_count(state->hand[us], type) - 1));
    }
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* The input of a piece in hand, from its number as in features.h. */
static int hand_input(const FeatureSet *set, NnueView view, int number) {
    Color owner = number < NNUE_HAND_SIDE ? BLACK : WHITE;
    int index = number % NNUE_HAND_SIDE;
    PieceType type = PAWN;
    while (index < first_in_hand[type] || index >= first_in_hand[type] + pt_total(type)) {
        type = (PieceType)(type + 1);
    }
    return hand_input_of(set, owner == view.side, type) + index - first_in_hand[type];
}

int features_inputs(const FeatureSet *set, NnueView view, int entry, int inputs[2]) {
    if (entry < ENTRY_PIECES) {
        return 0;
    }
    if (entry == ENTRY_MISSING) {
        inputs[0] = 0;
        return 1;
    }
    if (entry >= ENTRY_MORE) {
        inputs[0] = set->input(view, entry - ENTRY_MORE);
        return 1;
    }
    int number = entry - ENTRY_PIECES;
    if (number >= NNUE_BOARD_INPUTS) {
        inputs[0] = hand_input(set, view, number - NNUE_BOARD_INPUTS);
        return 1;
    }
    bool is_own = (number < NNUE_BOARD_INPUTS / 2) == (view.side == BLACK);
    PieceType type = (PieceType)(number / SQ_NB % NNUE_KINDS + 1);
    Square sq = square_of(view, number % SQ_NB);
    int count = 0, plane = plane_of(set, is_own, type);
    if (plane != FEATURE_NONE) {
        inputs[count++] = plane + sq;
    }
    if (type == KING && set->king_planes > 0) {
        inputs[count++] = set->king_planes + !is_own * SQ_NB + sq;
    }
    return count;
}

void features_list(const FeatureSet *set, const Position *pos, NnueView view, NnueInputs *out) {
    /* All active entries are those by which the position differs from an empty snapshot. */
    const Snapshot empty = {.missing = 0};
    Snapshot now;
    NnueChanges changes;
    changes.table = 0;
    features_snapshot(set, pos, features_counts_missing(set) ? features_missing(pos) : 0, &now);
    features_change(set, &empty, &now, &changes);
    out->count = 0;
    for (int i = 0; i < changes.count; i++) {
        int inputs[2], count = features_inputs(set, view, changes.come[i], inputs);
        for (int k = 0; k < count; k++) {
            out->input[out->count++] = (uint32_t)(view.base + inputs[k]);
        }
    }
}

int features_entry(const FeatureSet *set, const Position *pos, Piece piece, Square sq, int index) {
    if (sq == SQ_NONE) {
        return hand_entry(piece_color(piece), piece_type(piece), index);
    }
    if (set->has_places_only) {
        Snapshot now;
        features_snapshot(set, pos, 0, &now);
        return now.more.places.at[sq];
    }
    return board_entry(piece, sq);
}
