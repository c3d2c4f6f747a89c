/* features.c: the table of the feature sets, and their piece numbers. */
#include "eval/features.h"

#include <string.h>

#include "eval/threats.h"

/* ---- attacks of halfkpe9 --------------------------------------------------------------------- */

enum { MAX_COUNTED = 2, COUNT_STEPS = MAX_COUNTED + 1, E9_INPUTS = SQ_NB * FIELD_PLACES };

static int field_plane(bool is_own, PieceType type);

/* A piece's class is three times the number of its own side's attackers plus that of the
 * opponent's, each at most 2. Kings count, pins do not. */
static void e9_find(const Position *pos, Places *out) {
    memset(out, 0, sizeof(*out));
    Bitboard occupied = pos_occupied(pos);
    for (Bitboard rest = occupied; bb_any(rest);) {
        Square sq = bb_pop(&rest);
        PieceType type = piece_type(pos->board[sq]);
        if (type != KING) {
            int black = int_min(bb_count(pos_attackers(pos, sq, BLACK, occupied)), MAX_COUNTED);
            int white = int_min(bb_count(pos_attackers(pos, sq, WHITE, occupied)), MAX_COUNTED);
            int number = field_plane(piece_color(pos->board[sq]) == BLACK, type) + sq;
            out->at[sq] = (uint16_t)(1 + FIELD_PLACES * (COUNT_STEPS * black + white) + number);
        }
    }
}

static int e9_input(NnueView view, int found) {
    enum { FIRST_BOARD = 90 };
    int number = (found - 1) % FIELD_PLACES, class_of = (found - 1) / FIELD_PLACES;
    if (view.side == WHITE && number >= FIRST_BOARD) {
        int plane = (number - FIRST_BOARD) / SQ_NB, sq = (number - FIRST_BOARD) % SQ_NB;
        number = FIRST_BOARD + (plane ^ 1) * SQ_NB + sq_turn(sq);
        class_of = class_of % COUNT_STEPS * COUNT_STEPS + class_of / COUNT_STEPS;
    }
    return number + class_of * E9_INPUTS;
}

static int threat_input(NnueView view, int found) {
    return threats_input(view, NNUE_PIECE_INPUTS + found - 1);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const FeatureSet sets[] = {
    {.name = "komadori",
     .inputs = NNUE_INPUTS,
     .mirror = MIRROR_FILES_1_TO_4,
     .has_kings = true,
     .place_inputs = 2 * NNUE_THREAT_SIDE,
     .find_places = threats_find,
     .place_input = threat_input},
    {.name = "pieces",
     .inputs = NNUE_PIECE_INPUTS,
     .mirror = MIRROR_FILES_1_TO_4,
     .has_kings = true},
    {.name = "kp", .title = "K+P", .inputs = 1710, .has_kings = true, .hash = 0x3F5717FF},
    {.name = "ka2",
     .title = "K+A2",
     .inputs = 1791,
     .has_kings = true,
     .merges_kings = true,
     .king_planes = 1629,
     .hash = 0x97D5765E},
    {.name = "halfkp",
     .title = "HalfKP(Friend)",
     .inputs = 125388,
     .per_king = 1548,
     .hash = 0x5D69D5B8},
    {.name = "halfkpvm",
     .title = "HalfKP_vm(Friend)",
     .inputs = 69660,
     .per_king = 1548,
     .mirror = MIRROR_FILES_6_TO_9,
     .hash = 0x0B6B1D9A},
    {.name = "halfka1",
     .title = "HalfKA1(Friend)",
     .inputs = 138510,
     .per_king = 1710,
     .has_kings = true,
     .hash = 0x5F134CB8},
    {.name = "halfkahm1",
     .title = "HalfKA_hm1(Friend)",
     .inputs = 76950,
     .per_king = 1710,
     .mirror = MIRROR_FILES_6_TO_9,
     .has_kings = true,
     .hash = 0x7F134CB8},
    {.name = "halfka2",
     .title = "HalfKA2(Friend)",
     .inputs = 131949,
     .per_king = 1629,
     .has_kings = true,
     .merges_kings = true,
     .hash = 0x5F234CB8},
    {.name = "halfkahm2",
     .title = "HalfKA_hm2(Friend)",
     .inputs = 73305,
     .per_king = 1629,
     .mirror = MIRROR_FILES_6_TO_9,
     .has_kings = true,
     .merges_kings = true,
     .hash = 0x7F234CB8},
    {.name = "halfkpe9",
     .title = "HalfKPE9(Friend)",
     .inputs = 9 * E9_INPUTS,
     .per_king = 1548,
     .place_inputs = COUNT_STEPS * COUNT_STEPS * FIELD_PLACES,
     .find_places = e9_find,
     .place_input = e9_input,
     .has_places_only = true,
     .hash = 0x5D69D5B8},
};

const FeatureSet *features_at(int index) {
    return index < (int)COUNTOF(sets) ? &sets[index] : NULL;
}

const FeatureSet *features_named(const char *name) {
    const FeatureSet *set = sets;
    while (strcmp(set->name, name) != 0) {
        set++;
    }
    return set;
}

const FeatureSet *features_own(bool has_threats) {
    return &sets[has_threats ? 0 : 1];
}

/* ---- piece numbers --------------------------------------------------------------------------- */

/* The field's number of a piece on square 0. Golds and what moves like them share their numbers. */
static int field_plane(bool is_own, PieceType type) {
    enum { FIRST_BOARD = 90 };
    static const uint8_t plane[PIECE_TYPE_NB] = {
        [PAWN] = 0,     [LANCE] = 2,     [KNIGHT] = 4,     [SILVER] = 6,     [GOLD] = 8,
        [PRO_PAWN] = 8, [PRO_LANCE] = 8, [PRO_KNIGHT] = 8, [PRO_SILVER] = 8, [BISHOP] = 10,
        [HORSE] = 12,   [ROOK] = 14,     [DRAGON] = 16,    [KING] = 18};
    return FIRST_BOARD + SQ_NB * (plane[type] + !is_own);
}

_Static_assert(90 + SQ_NB * 18 == FIELD_PLACES, "kings come last");

static int plane_of(const FeatureSet *set, bool is_own, PieceType type) {
    if (set->has_places_only || (type == KING && !set->has_kings)) {
        return FEATURE_NONE;
    }
    return set->title == NULL ? (!is_own * NNUE_KINDS + (int)type - 1) * SQ_NB
                              : field_plane(is_own || (type == KING && set->merges_kings), type);
}

static int hand_of(const FeatureSet *set, bool is_own, PieceType type) {
    static const uint8_t own[HAND_TYPE_NB] = {0, 0, 18, 22, 26, 34, 36, 30};
    static const uint8_t field[HAND_TYPE_NB][2] = {
        [PAWN] = {20, 1},  [LANCE] = {44, 39},  [KNIGHT] = {54, 49}, [SILVER] = {64, 59},
        [GOLD] = {74, 69}, [BISHOP] = {82, 79}, [ROOK] = {88, 85}};
    return set->title == NULL ? NNUE_BOARD_INPUTS + !is_own * NNUE_HAND_SIDE + own[type]
                              : field[type][is_own];
}

void features_map(const FeatureSet *set, FeatureMap *map) {
    for (int view = BLACK; view <= WHITE; view++) {
        for (int color = BLACK; color <= WHITE; color++) {
            for (int type = PAWN; type < PIECE_TYPE_NB; type++) {
                Piece piece = piece_make((Color)color, (PieceType)type);
                map->plane[view][piece] = (uint16_t)plane_of(set, color == view, (PieceType)type);
            }
            for (int type = PAWN; type <= GOLD; type++) {
                map->hand[view][color][type] =
                    (uint16_t)hand_of(set, color == view, (PieceType)type);
            }
        }
        for (Square sq = 0; sq < SQ_NB; sq++) {
            Square seen = view == BLACK ? sq : sq_turn(sq);
            map->square[view][0][sq] = (uint8_t)seen;
            map->square[view][1][sq] = (uint8_t)features_mirror(seen);
        }
    }
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

/* ---- lists ----------------------------------------------------------------------------------- */

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

static void list_add(NnueInputs *out, NnueView view, int input) {
    out->input[out->count++] = (uint32_t)(view.base + input);
}

static void list_places(const FeatureSet *set, const Position *pos, NnueView view,
                        NnueInputs *out) {
    Places places;
    set->find_places(pos, &places);
    for (int i = 0; i < NNUE_PLACES; i++) {
        if (places.at[i] != 0) {
            list_add(out, view, set->place_input(view, places.at[i]));
        }
    }
}

void features_list(const FeatureSet *set, const Position *pos, NnueView view, NnueInputs *out) {
    FeatureMap map;
    features_map(set, &map);
    out->count = 0;
    for (Bitboard rest = pos_occupied(pos); bb_any(rest);) {
        Square sq = bb_pop(&rest);
        int plane = map.plane[view.side][pos->board[sq]];
        if (plane != FEATURE_NONE) {
            list_add(out, view, plane + map.square[view.side][view.is_mirrored][sq]);
        }
    }
    for (int color = BLACK; color <= WHITE; color++) {
        for (int type = PAWN; type <= GOLD; type++) {
            int count =
                int_min(hand_count(pos->hand[color], (PieceType)type), pt_total((PieceType)type));
            for (int i = 0; i < count; i++) {
                list_add(out, view, map.hand[view.side][color][type] + i);
            }
        }
    }
    for (int color = BLACK; color <= WHITE && set->king_planes > 0; color++) {
        if (pos->king[color] != SQ_NONE) {
            list_add(out, view,
                     set->king_planes + (color != (int)view.side) * SQ_NB +
                         map.square[view.side][view.is_mirrored][pos->king[color]]);
        }
    }
    for (int i = features_count_missing(set) ? features_missing(pos) : 0; i > 0; i--) {
        list_add(out, view, 0);
    }
    if (set->find_places != NULL) {
        list_places(set, pos, view, out);
    }
}

int features_find(const FeatureSet *set, const NnueInputs *list, NnueView view, Piece piece,
                  Square sq, int index) {
    FeatureMap map;
    features_map(set, &map);
    Color owner = piece_color(piece);
    PieceType type = piece_type(piece);
    int number;
    if (sq == SQ_NONE) {
        number = map.hand[view.side][owner][type] + index;
    } else {
        number = map.square[view.side][view.is_mirrored][sq];
        number += set->has_places_only ? field_plane(owner == view.side, type)
                                       : map.plane[view.side][piece];
    }
    for (int i = 0; i < list->count; i++) {
        int input = (int)list->input[i];
        if ((set->has_places_only ? input % E9_INPUTS : input) == view.base + number) {
            return i;
        }
    }
    return -1;
}
