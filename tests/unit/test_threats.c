#include "eval/threats.h"

#include <stdlib.h>
#include <string.h>

#include "random_net.h"
#include "randpos.h"
#include "rules/attacks.h"
#include "unit.h"

enum { ZONE = 25 * 27, ATTACKED = 14 * 10 * 2, CHECKS = 7 * 8 };

static int compare_inputs(const void *a, const void *b) {
    return (int)(*(const uint32_t *)a) - (int)(*(const uint32_t *)b);
}

static void sort_inputs(uint32_t *inputs, int count) {
    qsort(inputs, (size_t)count, sizeof(uint32_t), compare_inputs);
}

/* ---- by the definition, square by square ----------------------------------------------------- */

static void put(NnueInputs *list, Color owner, int number) {
    list->input[list->count++] = (uint32_t)(2344 + (int)owner * 1020 + number);
}

static int attackers(const Position *pos, Square sq, Color by, bool with_king) {
    Bitboard all = pos_attackers(pos, sq, by, pos_occupied(pos));
    return bb_count(with_king ? all : bb_andnot(all, pos->type_bb[KING]));
}

static int kind_of(PieceType type) {
    switch (type) {
    case PAWN:
        return 0;
    case LANCE:
        return 1;
    case KNIGHT:
        return 2;
    case SILVER:
        return 3;
    case BISHOP:
        return 5;
    case ROOK:
        return 6;
    case HORSE:
        return 7;
    case DRAGON:
        return 8;
    case KING:
        return 9;
    default:
        return 4;
    }
}

static void list_ring(const Position *pos, Color owner, NnueInputs *list) {
    Square king = pos->king[owner];
    Color enemy = color_flip(owner);
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            int file = sq_file(king) + dx, rank = sq_rank(king) + dy;
            if (file < 0 || file > 8 || rank < 0 || rank > 8 || (dx == 0 && dy == 0)) {
                continue;
            }
            Square sq = sq_make(file, rank);
            int by = attackers(pos, sq, enemy, true);
            int guards = attackers(pos, sq, owner, false);
            Piece piece = pos->board[sq];
            int stands = piece == NO_PIECE ? 0 : piece_color(piece) == owner ? 1 : 2;
            int place = (dy + 2) * 5 + dx + 2;
            if (by > 0) {
                put(list, owner,
                    place * 27 + (int_min(by, 3) - 1) * 9 + int_min(guards, 2) * 3 + stands);
            }
        }
    }
}

static void list_prey(const Position *pos, Color owner, NnueInputs *list) {
    for (Square sq = 0; sq < SQ_NB; sq++) {
        Piece piece = pos->board[sq];
        if (piece == NO_PIECE || piece_color(piece) != owner || piece_type(piece) == KING) {
            continue;
        }
        int least = 99;
        Bitboard by = pos_attackers(pos, sq, color_flip(owner), pos_occupied(pos));
        while (bb_any(by)) {
            least = int_min(least, kind_of(piece_type(pos->board[bb_pop(&by)])));
        }
        if (least < 99) {
            int guarded = attackers(pos, sq, owner, true) > 0;
            put(list, owner, ZONE + (((int)piece_type(piece) - 1) * 10 + least) * 2 + guarded);
        }
    }
}

static void list_checks(const Position *pos, Color owner, NnueInputs *list) {
    Color enemy = color_flip(owner);
    Square king = pos->king[enemy];
    for (int type = PAWN; type <= GOLD; type++) {
        int count = 0;
        for (Square sq = 0; sq < SQ_NB; sq++) {
            bool checks = pos->board[sq] == NO_PIECE &&
                          bb_has(attacks_of(owner, (PieceType)type, sq, pos_occupied(pos)), king);
            bool by_king = bb_has(attacks_king(king), sq) && attackers(pos, sq, owner, true) == 0;
            count += checks && !by_king && attackers(pos, sq, enemy, false) == 0;
        }
        if (hand_count(pos->hand[owner], (PieceType)type) > 0) {
            put(list, owner, ZONE + ATTACKED + (type - 1) * 8 + int_min(count, 7));
        }
    }
}

static void list_escapes(const Position *pos, Color owner, NnueInputs *list) {
    int count = 0;
    for (Bitboard to = attacks_king(pos->king[owner]); bb_any(to);) {
        Square sq = bb_pop(&to);
        bool own = pos->board[sq] != NO_PIECE && piece_color(pos->board[sq]) == owner;
        count += !own && attackers(pos, sq, color_flip(owner), true) == 0;
    }
    put(list, owner, ZONE + ATTACKED + CHECKS + count);
}

static void list_slowly(const Position *pos, NnueInputs *list) {
    list->count = 0;
    for (int owner = BLACK; owner <= WHITE; owner++) {
        list_prey(pos, (Color)owner, list);
        if (pos->king[owner] != SQ_NONE) {
            list_ring(pos, (Color)owner, list);
            list_escapes(pos, (Color)owner, list);
        }
        if (pos->king[color_flip((Color)owner)] != SQ_NONE) {
            list_checks(pos, (Color)owner, list);
        }
    }
    sort_inputs(list->input, list->count);
}

/* Lists the threats in a view. */
static void list_view(const Position *pos, NnueView view, NnueInputs *list) {
    features_list(features_own(true), pos, view, list);
    sort_inputs(list->input, list->count);
    int pieces = 0;
    while (pieces < list->count && list->input[pieces] < NNUE_PIECE_INPUTS) {
        pieces++;
    }
    list->count -= pieces;
    memmove(list->input, list->input + pieces, (size_t)list->count * sizeof(uint32_t));
}

/* Lists the threats with their numbers in black's unmirrored view. */
static void list_found(const Position *pos, NnueInputs *list) {
    list_view(pos, (NnueView){BLACK, false, 0}, list);
}

static bool is_right(const Position *pos) {
    NnueInputs want, got;
    list_slowly(pos, &want);
    list_found(pos, &got);
    if (want.count > NNUE_MAX_THREATS) {
        return got.count == NNUE_MAX_THREATS;
    }
    return got.count == want.count &&
           memcmp(got.input, want.input, (size_t)want.count * sizeof(uint32_t)) == 0;
}

static void random_games(void) {
    Rng rng = rng_init(31);
    Position pos = position_at("startpos");
    Setup start = pos_get(&pos);
    for (int game = 0; game < 40; game++) {
        pos_set(&pos, &start);
        for (int ply = 0; ply < 200; ply++) {
            Move move = random_move(&rng, &pos);
            if (move == MOVE_NONE) {
                break;
            }
            pos_do(&pos, move);
            if (!is_right(&pos)) {
                CHECK_INT(ply, -1);
                game = 40;
                break;
            }
        }
    }
    pos_free(&pos);
}

static void odd_positions(void) {
    static const char *const sfens[] = {
        "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1",
        "9/9/9/9/9/9/9/9/9 b - 1",
        "1K7/+R8/9/9/9/9/9/9/7k1 w 18P 1",
    };
    for (size_t i = 0; i < COUNTOF(sfens); i++) {
        Position pos = position_at(sfens[i]);
        CHECK(is_right(&pos));
        pos_free(&pos);
    }
    Rng rng = rng_init(32);
    Position pos = position_at("startpos");
    for (int i = 0; i < 2000; i++) {
        randpos_set(&rng, &pos, 30);
        CHECK(is_right(&pos));
    }
    pos_free(&pos);
}

/* Puts all pieces of a set on a small area of the board, many of them promoted, so that there are
 * more threats than the list can hold. Returns false if the position is invalid. */
static bool set_crowd(Rng *rng, Position *pos) {
    static const int count[] = {
        [PAWN] = 18, [LANCE] = 4, [KNIGHT] = 4, [SILVER] = 4, [BISHOP] = 2, [ROOK] = 2, [GOLD] = 4};
    Setup setup = {.side = BLACK, .ply = 1};
    setup.board[sq_make(4, 5)] = piece_make(BLACK, KING);
    setup.board[sq_make(4, 3)] = piece_make(WHITE, KING);
    for (int type = PAWN; type <= GOLD; type++) {
        for (int left = count[type]; left > 0;) {
            Square sq = sq_make((int)rng_below(rng, 9), (int)rng_below(rng, 9));
            bool is_promoted = pt_can_promote((PieceType)type) && rng_below(rng, 4) != 0;
            PieceType as = is_promoted ? pt_promote((PieceType)type) : (PieceType)type;
            if (setup.board[sq] == NO_PIECE) {
                setup.board[sq] = piece_make((Color)rng_below(rng, 2), as);
                left--;
            }
        }
    }
    if (!setup_is_playable(&setup)) {
        return false;
    }
    pos_set(pos, &setup);
    return true;
}

static void more_than_there_is_room_for(void) {
    Rng rng = rng_init(33);
    Position pos = position_at("startpos");
    int crowded = 0;
    for (int i = 0; i < 20000; i++) {
        NnueInputs list;
        if (set_crowd(&rng, &pos)) {
            list_slowly(&pos, &list);
            crowded += list.count > NNUE_MAX_THREATS;
            CHECK(is_right(&pos));
        }
    }
    CHECK(crowded > 10);
    pos_free(&pos);
}

/* Takes an entry out of a sorted or unsorted list. Returns false if it is not there. */
static bool take(NnueInputs *list, int entry) {
    for (int i = 0; i < list->count; i++) {
        if (list->input[i] == (uint32_t)entry) {
            list->input[i] = list->input[--list->count];
            return true;
        }
    }
    return false;
}

/* The entries of one position without what has gone and with what has come are those of the
 * other. */
static void check_changes(const FeatureSet *set, const Position *before, const Position *now) {
    static const Snapshot empty;
    Snapshot one, two;
    NnueChanges all, changes;
    NnueInputs list = {.count = 0};
    all.table = changes.table = 0;
    features_snapshot(set, before, 0, &one);
    features_snapshot(set, now, 0, &two);
    features_change(set, &empty, &one, &all);
    for (int i = 0; i < all.count; i++) {
        CHECK(all.gone[i] < ENTRY_PIECES);
        list.input[list.count++] = all.come[i];
    }
    features_change(set, &one, &two, &changes);
    for (int i = 0; i < changes.count; i++) {
        CHECK(changes.gone[i] < ENTRY_PIECES || take(&list, changes.gone[i]));
        if (changes.come[i] >= ENTRY_PIECES) {
            list.input[list.count++] = changes.come[i];
        }
    }
    features_change(set, &empty, &two, &all);
    CHECK_INT(list.count, all.count);
    for (int i = 0; i < all.count; i++) {
        CHECK(take(&list, all.come[i]));
    }
    features_change(set, &two, &two, &changes);
    CHECK(changes.count == 0 || (set == features_own(true) && two.more.threats.is_cut));
}

/* Between positions one or more moves apart, in games and where there are too many threats. */
static void changes_between_positions(void) {
    Rng rng = rng_init(34);
    Position pos = position_at("startpos");
    Position before = position_at("9/9/9/9/9/9/9/9/9 b - 1");
    Setup start = pos_get(&pos);
    for (int game = 0; game < 60; game++) {
        if (game % 3 != 0 || !set_crowd(&rng, &pos)) {
            pos_set(&pos, &start);
        }
        for (int ply = 0; ply < 100; ply++) {
            check_changes(features_own(true), &before, &pos);
            check_changes(features_named("pieces"), &before, &pos);
            check_changes(features_named("halfkpe9"), &before, &pos);
            Move move = random_move(&rng, &pos);
            if (move == MOVE_NONE) {
                break;
            }
            if (rng_below(&rng, 3) == 0) {
                pos_copy(&before, &pos);
            }
            pos_do(&pos, move);
        }
    }
    pos_free(&pos);
    pos_free(&before);
}

/* Worked out by hand: white's king is on 5a, and black has a gold on 5c and a pawn in hand. The
 * gold attacks 6b, 5b and 4b next to the king, 6c and 4c, and 5d, which is too far away. Only a
 * drop on 5b, where the gold guards it, gives check. The king may go to 6a and 4a. */
static void a_gold_before_the_king(void) {
    Position pos = position_at("4k4/9/4G4/9/9/9/9/9/4K4 b P 1");
    const int place[] = {5 * 3 + 1, 5 * 3 + 2, 5 * 3 + 3, 5 * 4 + 1, 5 * 4 + 3};
    uint32_t want[16];
    int count = 0;
    want[count++] = 2344 + ZONE + ATTACKED + CHECKS + 5; /* black's king can move freely */
    want[count++] = 2344 + ZONE + ATTACKED + 1;          /* one square for a pawn drop with check */
    want[count++] = 2344 + 1020 + ZONE + ATTACKED + CHECKS + 2;
    for (size_t i = 0; i < COUNTOF(place); i++) {
        want[count++] = (uint16_t)(2344 + 1020 + place[i] * 27);
    }
    NnueInputs got;
    list_found(&pos, &got);
    sort_inputs(want, count);
    CHECK_INT(got.count, count);
    for (int i = 0; i < count; i++) {
        CHECK_INT(got.input[i], want[i]);
    }
    pos_free(&pos);
}

static void sorted_view(const Position *pos, Color side, NnueInputs *inputs) {
    list_view(pos, features_view(features_own(true), pos, side), inputs);
}

static void check_same(const char *a, Color side_a, const char *b, Color side_b) {
    Position one = position_at(a), two = position_at(b);
    NnueInputs left, right;
    sorted_view(&one, side_a, &left);
    sorted_view(&two, side_b, &right);
    CHECK(left.count > 4 && left.count == right.count);
    CHECK(memcmp(left.input, right.input, (size_t)left.count * sizeof(uint32_t)) == 0);
    pos_free(&one);
    pos_free(&two);
}

/* Rotating the board or exchanging left and right does not change the views. */
static void symmetry(void) {
    const char *plain = "7k1/7p1/5+R3/9/9/9/2P6/2r6/1K7 b B2Pg 1";
    const char *mirrored = "1k7/1p7/3+R5/9/9/9/6P2/6r2/7K1 b B2Pg 1";
    const char *turned = "7k1/6R2/6p2/9/9/9/3+r5/1P7/1K7 w Gb2p 1";
    for (int side = BLACK; side <= WHITE; side++) {
        check_same(plain, (Color)side, mirrored, (Color)side);
        check_same(plain, (Color)side, turned, color_flip((Color)side));
    }
}

static void views_are_one_to_one(void) {
    for (int view = 0; view < 4; view++) {
        NnueView seen = {view / 2 == 0 ? BLACK : WHITE, view % 2 != 0, 0};
        static uint8_t is_there[NNUE_INPUTS];
        memset(is_there, 0, sizeof(is_there));
        for (int i = NNUE_PIECE_INPUTS; i < NNUE_INPUTS; i++) {
            int input = threats_input(seen, i);
            CHECK(input >= NNUE_PIECE_INPUTS && input < NNUE_INPUTS && !is_there[input]);
            is_there[input] = 1;
        }
    }
}

UNIT_MAIN({"random games", random_games}, {"odd positions", odd_positions},
          {"more than there is room for", more_than_there_is_room_for},
          {"changes between positions", changes_between_positions},
          {"a gold before the king", a_gold_before_the_king}, {"symmetry", symmetry},
          {"views are one to one", views_are_one_to_one})
