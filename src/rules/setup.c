/* setup.c: checks the pieces, kings and pawns of a set-up position, and computes its keys. */
#include "rules/setup.h"

#include "base/rng.h"
#include "rules/attacks.h"

Setup setup_start(void) {
    static const PieceType home[FILE_NB] = {LANCE, KNIGHT, SILVER, GOLD, KING,
                                            GOLD,  SILVER, KNIGHT, LANCE};
    Setup setup = {.side = BLACK, .ply = 1};
    for (int file = 0; file < FILE_NB; file++) {
        setup.board[sq_make(file, 0)] = piece_make(WHITE, home[file]);
        setup.board[sq_make(file, 2)] = piece_make(WHITE, PAWN);
        setup.board[sq_make(file, 6)] = piece_make(BLACK, PAWN);
        setup.board[sq_make(file, 8)] = piece_make(BLACK, home[file]);
    }
    setup.board[SQ(2, 2)] = piece_make(WHITE, BISHOP);
    setup.board[SQ(8, 2)] = piece_make(WHITE, ROOK);
    setup.board[SQ(8, 8)] = piece_make(BLACK, BISHOP);
    setup.board[SQ(2, 8)] = piece_make(BLACK, ROOK);
    return setup;
}

uint64_t setup_zobrist_board[PIECE_NB][SQ_NB];
uint64_t setup_zobrist_hand[COLOR_NB][HAND_TYPE_NB];
uint64_t setup_zobrist_side;

void setup_init_zobrist(void) {
    Rng rng = rng_init(0x6b6f6d61646f7269);
    for (int color = BLACK; color <= WHITE; color++) {
        for (int type = PAWN; type < PIECE_TYPE_NB; type++) {
            for (Square sq = 0; sq < SQ_NB; sq++) {
                setup_zobrist_board[piece_make((Color)color, (PieceType)type)][sq] = rng_next(&rng);
            }
        }
        for (int type = PAWN; type <= GOLD; type++) {
            setup_zobrist_hand[color][type] = rng_next(&rng);
        }
    }
    setup_zobrist_side = rng_next(&rng);
}

void setup_keys(const Setup *setup, uint64_t *board_key, uint64_t *hand_key) {
    *board_key = setup->side == WHITE ? setup_zobrist_side : 0;
    *hand_key = 0;
    for (Square sq = 0; sq < SQ_NB; sq++) {
        *board_key ^= setup_zobrist_board[setup->board[sq]][sq];
    }
    for (int color = BLACK; color <= WHITE; color++) {
        for (int type = PAWN; type <= GOLD; type++) {
            uint64_t held = (uint64_t)hand_count(setup->hand[color], (PieceType)type);
            *hand_key += setup_zobrist_hand[color][type] * held;
        }
    }
}

/* Finds the first piece that exceeds the number of its type in a set, on the board first and then
 * in the hands. */
static bool has_too_many(const Setup *setup, Square *where) {
    int count[KING + 1] = {0};
    for (Square sq = 0; sq < SQ_NB; sq++) {
        PieceType type = pt_raw(piece_type(setup->board[sq]));
        if (type != NO_PIECE_TYPE && ++count[type] > pt_total(type)) {
            *where = sq;
            return true;
        }
    }
    for (int type = PAWN; type <= GOLD; type++) {
        count[type] += hand_count(setup->hand[BLACK], (PieceType)type) +
                       hand_count(setup->hand[WHITE], (PieceType)type);
        if (count[type] > pt_total((PieceType)type)) {
            *where = SQ_NONE;
            return true;
        }
    }
    return false;
}

void setup_add_missing(Setup *setup, Color side) {
    int count[KING + 1] = {0};
    for (Square sq = 0; sq < SQ_NB; sq++) {
        count[pt_raw(piece_type(setup->board[sq]))]++;
    }
    for (PieceType type = PAWN; type <= GOLD; type++) {
        int held = hand_count(setup->hand[BLACK], type) + hand_count(setup->hand[WHITE], type);
        for (int i = count[type] + held; i < pt_total(type); i++) {
            setup->hand[side] = hand_add(setup->hand[side], type);
        }
    }
}

static KmdError check_pieces(const Setup *setup, bool is_strict, Square *where) {
    bool has_king[COLOR_NB] = {false, false};
    bool has_pawn[COLOR_NB][FILE_NB] = {{false}, {false}};
    for (Square sq = 0; sq < SQ_NB; sq++) {
        Piece piece = setup->board[sq];
        Color color = piece_color(piece);
        *where = sq;
        if (piece_type(piece) == KING) {
            if (has_king[color]) {
                return KMD_ERROR_SFEN_TWO_KINGS;
            }
            has_king[color] = true;
        }
        if (piece_type(piece) == PAWN && is_strict) {
            if (has_pawn[color][sq_file(sq)]) {
                return KMD_ERROR_SFEN_NIFU;
            }
            has_pawn[color][sq_file(sq)] = true;
        }
        if (is_strict && pt_is_dead_on(piece_type(piece), color, sq)) {
            return KMD_ERROR_SFEN_DEAD_PIECE;
        }
    }
    *where = SQ_NONE;
    return KMD_OK;
}

/* The square of the king of the side that is not to move, if that king is in check; otherwise
 * SQ_NONE. */
static Square king_en_prise(const Setup *setup) {
    Color them = color_flip(setup->side);
    Bitboard occupied = BB_EMPTY;
    Square king = SQ_NONE;
    for (Square sq = 0; sq < SQ_NB; sq++) {
        if (setup->board[sq] != NO_PIECE) {
            occupied = bb_or(occupied, bb_square(sq));
            king = setup->board[sq] == piece_make(them, KING) ? sq : king;
        }
    }
    for (Square sq = 0; sq < SQ_NB && king != SQ_NONE; sq++) {
        Piece piece = setup->board[sq];
        if (piece != NO_PIECE && piece_color(piece) == setup->side &&
            bb_has(attacks_of(setup->side, piece_type(piece), sq, occupied), king)) {
            return king;
        }
    }
    return SQ_NONE;
}

/* Returns the first fault that concerns the whole position. Faults that leave the position playable
 * are ignored unless is_strict is true. */
static KmdError check_setup(const Setup *setup, bool is_strict, Square *where) {
    Square place = SQ_NONE;
    KmdError fault = check_pieces(setup, is_strict, &place);
    if (fault == KMD_OK) {
        place = king_en_prise(setup);
        fault = place != SQ_NONE ? KMD_ERROR_SFEN_OPPONENT_IN_CHECK : KMD_OK;
    }
    if (fault == KMD_OK && has_too_many(setup, &place)) {
        fault = KMD_ERROR_SFEN_TOO_MANY;
    }
    if (where != NULL) {
        *where = place;
    }
    return fault;
}

KmdError setup_check(const Setup *setup, Square *where) {
    return check_setup(setup, true, where);
}

bool setup_is_playable(const Setup *setup) {
    return check_setup(setup, false, NULL) == KMD_OK;
}
