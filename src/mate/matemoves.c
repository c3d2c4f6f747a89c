#include "mate/matemoves.h"

#include "rules/attacks.h"
#include "rules/movegen.h"
#include "rules/position.h"

static int distance(Square a, Square b) {
    int files = sq_file(a) - sq_file(b);
    int ranks = sq_rank(a) - sq_rank(b);
    return int_max(files < 0 ? -files : files, ranks < 0 ? -ranks : ranks);
}

/* True for a move that refuses a promotion which is never worse but for pawn-drop mates. */
static bool is_declined(const Position *pos, Move move) {
    if (move_is_drop(move) || move_is_promotion(move)) {
        return false;
    }
    Color us = pos->side;
    Square to = move_to(move);
    if (!sq_in_zone(us, to) && !sq_in_zone(us, move_from(move))) {
        return false;
    }
    switch (piece_type(pos->board[move_from(move)])) {
    case PAWN:
    case BISHOP:
    case ROOK:
        return true;
    case LANCE:
        return sq_relative_rank(us, to) == 1;
    default:
        return false;
    }
}

/* Lets the move at `later` wait for the one at `first`, behind all that wait for it already. */
static void chain(MateMove *list, int first, int later) {
    while (list[first].next >= 0) {
        first = list[first].next;
    }
    list[first].next = (int16_t)later;
    list[later].is_hidden = true;
}

static void chain_declined(const Position *pos, MateMove *list, int count) {
    for (int i = 1; i < count; i++) {
        if (!is_declined(pos, list[i].move)) {
            continue;
        }
        for (int k = i - 1; k >= 0; k--) {
            if (list[k].move == (list[i].move | MOVE_PROMOTE)) {
                chain(list, k, i);
                break;
            }
        }
    }
}

static void guess_check(const Position *pos, MateMove *entry) {
    Color us = pos->side;
    Color them = color_flip(us);
    Move move = entry->move;
    Square to = move_to(move);
    Square king = pos->king[them];
    Bitboard occupied = pos_occupied(pos);
    int support = bb_count(pos_attackers(pos, to, us, occupied)) - !move_is_drop(move);
    Bitboard guards = bb_andnot(pos_attackers(pos, to, them, occupied), bb_square(king));
    int defence = bb_count(guards);
    int away = distance(king, to);
    if (away == 1 || pos_moved_type(pos, move) == KNIGHT) {
        bool is_safe = support > defence || (support > 0 && defence == 0);
        entry->pn = is_safe ? 1 : support > 0 || defence == 0 ? 3 : 5;
        entry->dn = is_safe ? 4 : 2;
    } else {
        entry->pn = defence > support ? 5 : 4;
        entry->dn = 2;
    }
    if (pos_is_capture(pos, move)) {
        entry->pn = (uint8_t)int_max(1, entry->pn - 1);
        entry->dn += 1;
    }
    entry->order = (int8_t)(away * 2 - move_is_promotion(move) + (move_is_drop(move) ? 1 : 0));
}

int matemoves_checks(const Position *pos, MateMove *list) {
    Move moves[MAX_MOVES];
    int count = gen_moves(pos, GEN_CHECKS, moves);
    for (int i = 0; i < count; i++) {
        list[i] = (MateMove){.move = moves[i], .next = -1};
        guess_check(pos, &list[i]);
    }
    chain_declined(pos, list, count);
    return count;
}

static void guess_evasion(const Position *pos, MateMove *entry) {
    Color us = pos->side;
    Move move = entry->move;
    Square to = move_to(move);
    if (move_is_drop(move)) {
        entry->pn = 2;
        entry->dn = 2;
        entry->order = (int8_t)(10 + distance(pos->king[us], to));
    } else if (move_from(move) == pos->king[us]) {
        entry->pn = pos_is_capture(pos, move) ? 3 : 2;
        entry->dn = 2;
        entry->order = 5;
    } else if (pos_is_capture(pos, move)) {
        entry->pn = 4;
        entry->dn = 2;
        entry->order = 0;
    } else {
        entry->pn = 3;
        entry->dn = 2;
        entry->order = 8;
    }
}

/* The first drop on each square leads a chain of the others there. The squares without support
 * follow one another, beginning next to the king. */
static void chain_drops(const Position *pos, MateMove *list, int count) {
    int first[SQ_NB];
    Bitboard lonely = BB_EMPTY;
    Color us = pos->side;
    for (int i = 0; i < count; i++) {
        if (!move_is_drop(list[i].move)) {
            continue;
        }
        Square to = move_to(list[i].move);
        if (i == 0 || !bb_has(lonely, to)) {
            first[to] = i;
            lonely = bb_or(lonely, bb_square(to));
        } else {
            chain(list, first[to], i);
        }
    }
    if (!bb_has_many(lonely)) {
        return;
    }
    int previous = -1;
    Square king = pos->king[us];
    for (int away = 1; away < RANK_NB; away++) {
        for (Bitboard rest = lonely; bb_any(rest);) {
            Square to = bb_pop(&rest);
            if (distance(king, to) != away || pos_is_attacked(pos, to, us, pos_occupied(pos))) {
                continue;
            }
            if (previous >= 0) {
                chain(list, previous, first[to]);
            }
            previous = previous >= 0 ? previous : first[to];
        }
    }
}

int matemoves_evasions(const Position *pos, MateMove *list) {
    Move moves[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, moves);
    for (int i = 0; i < count; i++) {
        list[i] = (MateMove){.move = moves[i], .next = -1};
        guess_evasion(pos, &list[i]);
    }
    chain_declined(pos, list, count);
    chain_drops(pos, list, count);
    return count;
}
