/* position.c: keeps mailbox, bitboards, hands and keys consistent while moves are made and undone,
 * and updates checks and pins for each state. */
#include "rules/position.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "rules/attacks.h"

static void fill_tables(void) {
    attacks_init();
    setup_init_zobrist();
    pos_init_king_zones();
}

void pos_init_tables(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_tables);
}

void pos_init(Position *pos) {
    memset(pos, 0, sizeof(*pos));
    pos->king[BLACK] = SQ_NONE;
    pos->king[WHITE] = SQ_NONE;
    pos->ply = 1;
    pos->states = xmem_grow(NULL, &pos->state_cap, 64, sizeof(State));
    pos->now = pos->states;
    memset(pos->now, 0, sizeof(*pos->now));
}

void pos_free(Position *pos) {
    free(pos->states);
    memset(pos, 0, sizeof(*pos));
}

void pos_copy(Position *to, const Position *from) {
    size_t count = (size_t)(from->now - from->states) + 1;
    if (to->state_cap < count) {
        to->states = xmem_grow(to->states, &to->state_cap, count, sizeof(State));
    }
    State *states = to->states;
    size_t cap = to->state_cap;
    *to = *from;
    to->states = states;
    to->state_cap = cap;
    to->now = states + count - 1;
    memcpy(states, from->states, count * sizeof(State));
}

void pos_init_copy(Position *copy, const Position *from) {
    pos_init(copy);
    pos_copy(copy, from);
}

Setup pos_get(const Position *pos) {
    Setup setup = {.side = pos->side, .ply = pos->ply};
    memcpy(setup.board, pos->board, sizeof(setup.board));
    setup.hand[BLACK] = pos->hand[BLACK];
    setup.hand[WHITE] = pos->hand[WHITE];
    return setup;
}

/* ---- attacks --------------------------------------------------------------------------------- */

Bitboard pos_attackers(const Position *pos, Square sq, Color by, Bitboard occupied) {
    Color from = color_flip(by);
    const Bitboard *type = pos->type_bb;
    Bitboard horses_dragons = bb_or(type[HORSE], type[DRAGON]);
    Bitboard king_like = bb_or(horses_dragons, type[KING]);
    Bitboard set = bb_and(attacks_pawn(from, sq), type[PAWN]);
    set = bb_or(set, bb_and(attacks_knight(from, sq), type[KNIGHT]));
    set = bb_or(set, bb_and(attacks_silver(from, sq), type[SILVER]));
    set = bb_or(set, bb_and(attacks_gold(from, sq), type[SET_GOLDS]));
    set = bb_or(set, bb_and(attacks_king(sq), king_like));
    Bitboard own = pos->color_bb[by];
    Bitboard rooks = bb_and(bb_or(type[ROOK], type[DRAGON]), own);
    if (bb_meets(rooks, bb_straights(sq))) {
        set = bb_or(set, bb_and(attacks_rook(sq, occupied), rooks));
    }
    Bitboard bishops = bb_and(bb_or(type[BISHOP], type[HORSE]), own);
    if (bb_meets(bishops, bb_diagonals(sq))) {
        set = bb_or(set, bb_and(attacks_bishop(sq, occupied), bishops));
    }
    Bitboard lances = bb_and(type[LANCE], own);
    if (bb_meets(lances, bb_before(from, sq))) {
        set = bb_or(set, bb_and(attacks_lance(from, sq, occupied), lances));
    }
    return bb_and(set, own);
}

Bitboard pos_attackers_of_both(const Position *pos, Square sq, Bitboard occupied) {
    const Bitboard *type = pos->type_bb;
    Bitboard set = BB_EMPTY;
    for (int color = BLACK; color <= WHITE; color++) {
        Color from = color_flip((Color)color);
        Bitboard steps = bb_and(attacks_pawn(from, sq), type[PAWN]);
        steps = bb_or(steps, bb_and(attacks_knight(from, sq), type[KNIGHT]));
        steps = bb_or(steps, bb_and(attacks_silver(from, sq), type[SILVER]));
        steps = bb_or(steps, bb_and(attacks_gold(from, sq), type[SET_GOLDS]));
        set = bb_or(set, bb_and(steps, pos->color_bb[color]));
    }
    Bitboard king_like = bb_or(bb_or(type[HORSE], type[DRAGON]), type[KING]);
    set = bb_or(set, bb_and(attacks_king(sq), king_like));
    return bb_or(set, pos_sliders_on(pos, sq, occupied));
}

Bitboard pos_sliders_on(const Position *pos, Square sq, Bitboard occupied) {
    const Bitboard *type = pos->type_bb;
    Bitboard bishops = bb_or(type[BISHOP], type[HORSE]);
    Bitboard up = bb_and(bb_before(WHITE, sq), pos_pieces(pos, BLACK, LANCE));
    Bitboard down = bb_and(bb_before(BLACK, sq), pos_pieces(pos, WHITE, LANCE));
    Bitboard straight = bb_or(bb_or(type[ROOK], type[DRAGON]), bb_or(up, down));
    Bitboard set = BB_EMPTY;
    if (bb_meets(straight, bb_straights(sq))) {
        set = bb_and(attacks_rook(sq, occupied), straight);
    }
    if (bb_meets(bishops, bb_diagonals(sq))) {
        set = bb_or(set, bb_and(attacks_bishop(sq, occupied), bishops));
    }
    return set;
}

bool pos_is_attacked(const Position *pos, Square sq, Color by, Bitboard occupied) {
    return bb_any(pos_attackers(pos, sq, by, occupied));
}

FORCE_INLINE Bitboard find_blockers(const Position *pos, Color color) {
    Square king = pos->king[color];
    if (king == SQ_NONE) {
        return BB_EMPTY;
    }
    Bitboard enemies = pos->color_bb[color_flip(color)];
    Bitboard snipers = attacks_snipers(pos->type_bb, enemies, color, king);
    return attacks_blockers(king, snipers, pos_occupied(pos));
}

Bitboard pos_find_blockers(const Position *pos, Color color) {
    return find_blockers(pos, color);
}

Bitboard pos_check_squares(const Position *pos, PieceType type) {
    Square king = pos->king[color_flip(pos->side)];
    return king == SQ_NONE ? BB_EMPTY
                           : attacks_of(color_flip(pos->side), type, king, pos->type_bb[SET_ALL]);
}

void pos_all_check_squares(const Position *pos, Bitboard check[PIECE_TYPE_NB]) {
    for (int type = NO_PIECE_TYPE; type < PIECE_TYPE_NB; type++) {
        check[type] = BB_EMPTY;
    }
    Square king = pos->king[color_flip(pos->side)];
    if (king == SQ_NONE) {
        return;
    }
    Color them = color_flip(pos->side);
    Bitboard occupied = pos_occupied(pos);
    Bitboard gold = attacks_gold(them, king);
    check[PAWN] = attacks_pawn(them, king);
    check[KNIGHT] = attacks_knight(them, king);
    check[SILVER] = attacks_silver(them, king);
    check[BISHOP] = attacks_bishop(king, occupied);
    check[ROOK] = attacks_rook(king, occupied);
    check[LANCE] = bb_and(check[ROOK], bb_before(them, king));
    check[HORSE] = bb_or(check[BISHOP], attacks_king(king));
    check[DRAGON] = bb_or(check[ROOK], attacks_king(king));
    check[GOLD] = check[PRO_PAWN] = check[PRO_LANCE] = check[PRO_KNIGHT] = check[PRO_SILVER] = gold;
}

bool pos_gives_check(const Position *pos, Move move) {
    Color them = color_flip(pos->side);
    Square king = pos->king[them];
    if (king == SQ_NONE) {
        return false;
    }
    Square to = move_to(move);
    if (move_is_drop(move)) {
        return attacks_square(pos->side, move_drop_type(move), to, king, pos->type_bb[SET_ALL]);
    }
    Square from = move_from(move);
    PieceType type = piece_type(pos->board[from]);
    if (move_is_promotion(move)) {
        type = pt_promote(type);
    }
    Bitboard occupied = bb_or(bb_xor(pos->type_bb[SET_ALL], bb_square(from)), bb_square(to));
    return attacks_square(pos->side, type, to, king, occupied) ||
           (bb_has(pos->now->blockers[them], from) && !sq_aligned(king, from, to));
}

/* ---- do and undo ----------------------------------------------------------------------------- */

void pos_set(Position *pos, const Setup *setup) {
    ASSERT(setup_is_playable(setup));
    State *states = pos->states;
    size_t cap = pos->state_cap;
    memset(pos, 0, sizeof(*pos));
    pos->states = states;
    pos->state_cap = cap;
    pos->now = states;
    pos->king[BLACK] = SQ_NONE;
    pos->king[WHITE] = SQ_NONE;
    pos->side = setup->side;
    pos->ply = setup->ply;
    for (Square sq = 0; sq < SQ_NB; sq++) {
        Piece piece = setup->board[sq];
        if (piece != NO_PIECE) {
            pos_flip_piece(pos, sq, piece);
            pos->board[sq] = piece;
            if (piece_type(piece) == KING) {
                pos->king[piece_color(piece)] = sq;
            }
        }
    }
    Color them = color_flip(pos->side);
    Square king = pos->king[pos->side];
    *pos->now = (State){0};
    setup_keys(setup, &pos->now->board_key, &pos->now->hand_key);
    for (int color = BLACK; color <= WHITE; color++) {
        pos->hand[color] = pos->now->hand[color] = setup->hand[color];
        pos->now->blockers[color] = pos_find_blockers(pos, (Color)color);
    }
    if (king != SQ_NONE) {
        pos->now->checkers = pos_attackers(pos, king, them, pos->type_bb[SET_ALL]);
    }
    ASSERT(pos_ok(pos));
}

/* Pushes a new state; its contents are undefined. */
FORCE_INLINE State *push_state(Position *pos) {
    size_t count = (size_t)(pos->now - pos->states) + 1;
    if (UNLIKELY(count == pos->state_cap)) {
        pos->states = xmem_grow(pos->states, &pos->state_cap, count + 1, sizeof(State));
    }
    pos->now = pos->states + count;
    return pos->now;
}

/* The pieces that check `king` after a move of the other side to `to`. `was_blocker` is true if the
 * piece on the origin of the move was alone between the king and one of the mover's sliders. */
static Bitboard find_checkers(const Position *pos, Square king, Square to, bool was_blocker) {
    Color mover = piece_color(pos->board[to]);
    if (was_blocker) {
        return pos_attackers(pos, king, mover, pos->type_bb[SET_ALL]);
    }
    bool gives_check =
        attacks_square(mover, piece_type(pos->board[to]), to, king, pos->type_bb[SET_ALL]);
    return gives_check ? bb_square(to) : BB_EMPTY;
}

/* Moves the pieces, and updates keys and hands in *state. */
static void move_pieces(Position *pos, Move move, State *state) {
    Color us = pos->side;
    Square to = move_to(move);
    if (move_is_drop(move)) {
        PieceType type = move_drop_type(move);
        Piece piece = piece_make(us, type);
        ASSERT(pos->board[to] == NO_PIECE);
        pos_flip_piece(pos, to, piece);
        pos->board[to] = piece;
        state->moved = piece;
        pos->hand[us] = hand_remove(pos->hand[us], type);
        state->board_key ^= setup_zobrist_board[piece][to];
        state->hand_key -= setup_zobrist_hand[us][type];
        return;
    }
    Square from = move_from(move);
    Piece piece = pos->board[from], captured = pos->board[to];
    ASSERT(piece != NO_PIECE && piece_color(piece) == us);
    if (captured != NO_PIECE) {
        ASSERT(piece_color(captured) != us && piece_type(captured) != KING);
        PieceType type = pt_raw(piece_type(captured));
        pos->hand[us] = hand_add(pos->hand[us], type);
        state->board_key ^= setup_zobrist_board[captured][to];
        state->hand_key += setup_zobrist_hand[us][type];
        state->captured = captured;
    }
    Piece after = move_is_promotion(move) ? piece | PROMOTED : piece;
    pos_flip_move(pos, from, to, piece, after, captured);
    pos->board[from] = NO_PIECE;
    pos->board[to] = after;
    state->moved = after;
    state->board_key ^= setup_zobrist_board[piece][from] ^ setup_zobrist_board[after][to];
    if (piece_type(piece) == KING) {
        pos->king[us] = to;
    }
}

/* The blockers of [color]'s king after a move that touched these squares. The blockers are the same
 * as before unless one of the squares is on a line with the king. If the king itself moved, its new
 * square is one of these squares, so its blockers are found anew. */
FORCE_INLINE Bitboard update_blockers(const Position *pos, Color color, Bitboard touched,
                                      Bitboard before) {
    Square king = pos->king[color];
    if (king == SQ_NONE) {
        return BB_EMPTY;
    }
    Bitboard lines = bb_or(bb_or(bb_diagonals(king), bb_straights(king)), bb_square(king));
    return bb_meets(lines, touched) ? find_blockers(pos, color) : before;
}

void pos_do(Position *pos, Move move) {
    ASSERT(move_is_real(move));
    Color us = pos->side, them = color_flip(us);
    Square their_king = pos->king[them];
    bool was_blocker = !move_is_drop(move) && bb_has(pos->now->blockers[them], move_from(move));
    State *state = push_state(pos);
    const State *before = state - 1;
    state->board_key = before->board_key ^ setup_zobrist_side;
    state->hand_key = before->hand_key;
    state->plies_since_null = before->plies_since_null + 1;
    state->move = move;
    state->captured = NO_PIECE;
    move_pieces(pos, move, state);
    state->hand[BLACK] = pos->hand[BLACK];
    state->hand[WHITE] = pos->hand[WHITE];
    state->checkers = their_king == SQ_NONE
                          ? BB_EMPTY
                          : find_checkers(pos, their_king, move_to(move), was_blocker);
    state->check_run[us] = bb_any(state->checkers) ? before->check_run[us] + 1 : 0;
    state->check_run[them] = before->check_run[them];
    Bitboard touched = bb_square(move_to(move));
    if (!move_is_drop(move)) {
        touched = bb_or(touched, bb_square(move_from(move)));
    }
    state->blockers[us] = update_blockers(pos, us, touched, before->blockers[us]);
    state->blockers[them] = update_blockers(pos, them, touched, before->blockers[them]);
    pos->side = them;
    pos->ply++;
    ASSERT(pos_ok(pos));
}

void pos_undo(Position *pos) {
    ASSERT(pos->now > pos->states && move_is_real(pos->now->move));
    Color us = color_flip(pos->side);
    Move move = pos->now->move;
    Square to = move_to(move);
    Piece after = pos->board[to];
    if (move_is_drop(move)) {
        pos_flip_piece(pos, to, after);
        pos->board[to] = NO_PIECE;
    } else {
        Square from = move_from(move);
        Piece piece = move_is_promotion(move) ? after & (Piece)~PROMOTED : after;
        pos_flip_move(pos, from, to, piece, after, pos->now->captured);
        pos->board[from] = piece;
        pos->board[to] = pos->now->captured;
        if (piece_type(piece) == KING) {
            pos->king[us] = from;
        }
    }
    pos->now--;
    pos->hand[us] = pos->now->hand[us];
    pos->side = us;
    pos->ply--;
    ASSERT(pos_ok(pos));
}

void pos_undo_moves(Position *pos, int count) {
    while (count-- > 0) {
        pos_undo(pos);
    }
}

void pos_do_null(Position *pos) {
    ASSERT(!pos_in_check(pos));
    State *state = push_state(pos);
    *state = state[-1];
    state->board_key ^= setup_zobrist_side;
    state->plies_since_null = 0;
    state->check_run[pos->side] = 0;
    state->move = MOVE_NULL;
    state->captured = NO_PIECE;
    state->moved = NO_PIECE;
    pos->side = color_flip(pos->side);
    pos->ply++;
    ASSERT(pos_ok(pos));
}

void pos_undo_null(Position *pos) {
    ASSERT(pos->now > pos->states && pos->now->move == MOVE_NULL);
    pos->now--;
    pos->side = color_flip(pos->side);
    pos->ply--;
}

uint64_t pos_board_key_after(const Position *pos, Move move) {
    uint64_t key = pos->now->board_key ^ setup_zobrist_side;
    Square to = move_to(move);
    if (move_is_drop(move)) {
        return key ^ setup_zobrist_board[piece_make(pos->side, move_drop_type(move))][to];
    }
    Square from = move_from(move);
    Piece piece = pos->board[from];
    key ^= setup_zobrist_board[piece][from];
    key ^= setup_zobrist_board[move_is_promotion(move) ? piece | PROMOTED : piece][to];
    return pos->board[to] != NO_PIECE ? key ^ setup_zobrist_board[pos->board[to]][to] : key;
}

uint64_t pos_key_after(const Position *pos, Move move) {
    uint64_t hand_key = pos->now->hand_key;
    if (move_is_drop(move)) {
        hand_key -= setup_zobrist_hand[pos->side][move_drop_type(move)];
    } else if (pos->board[move_to(move)] != NO_PIECE) {
        hand_key += setup_zobrist_hand[pos->side][pt_raw(piece_type(pos->board[move_to(move)]))];
    }
    return pos_board_key_after(pos, move) ^ hand_key;
}

uint64_t pos_key_after_null(const Position *pos) {
    return pos_key(pos) ^ setup_zobrist_side;
}

/* ---- self check ------------------------------------------------------------------------------ */

static bool sets_ok(const Position *pos) {
    Bitboard by_type[SET_NB] = {BB_EMPTY};
    Bitboard by_color[COLOR_NB] = {BB_EMPTY};
    Square king[COLOR_NB] = {SQ_NONE, SQ_NONE};
    for (Square sq = 0; sq < SQ_NB; sq++) {
        Piece piece = pos->board[sq];
        if (piece == NO_PIECE) {
            continue;
        }
        PieceType type = piece_type(piece);
        Bitboard set = bb_square(sq);
        by_type[SET_ALL] = bb_or(by_type[SET_ALL], set);
        by_type[type] = bb_or(by_type[type], set);
        by_type[SET_GOLDS] =
            pt_moves_as_gold(type) ? bb_or(by_type[SET_GOLDS], set) : by_type[SET_GOLDS];
        by_color[piece_color(piece)] = bb_or(by_color[piece_color(piece)], set);
        king[piece_color(piece)] = type == KING ? sq : king[piece_color(piece)];
    }
    return memcmp(by_type, pos->type_bb, sizeof(by_type)) == 0 &&
           memcmp(by_color, pos->color_bb, sizeof(by_color)) == 0 &&
           king[BLACK] == pos->king[BLACK] && king[WHITE] == pos->king[WHITE];
}

static bool keys_ok(const Position *pos, const Setup *setup) {
    uint64_t board_key, hand_key;
    setup_keys(setup, &board_key, &hand_key);
    for (int color = BLACK; color <= WHITE; color++) {
        if ((pos->hand[color] & HAND_GUARDS) != 0 || pos->hand[color] != pos->now->hand[color]) {
            return false;
        }
    }
    return board_key == pos->now->board_key && hand_key == pos->now->hand_key;
}

bool pos_ok(const Position *pos) {
    Setup setup = pos_get(pos);
    if (!sets_ok(pos) || !keys_ok(pos, &setup) || pos->ply < 1) {
        return false;
    }
    Square king = pos->king[pos->side];
    Bitboard checkers =
        king == SQ_NONE ? BB_EMPTY
                        : pos_attackers(pos, king, color_flip(pos->side), pos->type_bb[SET_ALL]);
    return setup_is_playable(&setup) && bb_equal(checkers, pos->now->checkers) &&
           bb_equal(pos_find_blockers(pos, BLACK), pos->now->blockers[BLACK]) &&
           bb_equal(pos_find_blockers(pos, WHITE), pos->now->blockers[WHITE]);
}
