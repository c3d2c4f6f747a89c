/* matemoves.c: lists checks and evasions, sets their initial numbers, and links moves that stay
 * hidden until another move has failed. */
#include "mate/matemoves.h"

#include <string.h>

#include "base/xmem.h"
#include "rules/attacks.h"
#include "rules/movegen.h"
#include "rules/position.h"

NO_INLINE Move *matemoves_list(const Position *pos, GenKind kind, int *count) {
    Move list[MAX_MOVES];
    *count = gen_moves(pos, kind, list);
    Move *moves = xmem_alloc((size_t)*count + 1, sizeof(Move));
    memcpy(moves, list, (size_t)*count * sizeof(Move));
    return moves;
}

/* Added to the proof number of a check without promotion if the attacker has no king. */
enum { DECLINED_COST = 6 };

static int distance(Square a, Square b) {
    int files = sq_file(a) - sq_file(b);
    int ranks = sq_rank(a) - sq_rank(b);
    return int_max(files < 0 ? -files : files, ranks < 0 ? -ranks : ranks);
}

/* True for a non-promotion that is never better than the promotion, except to avoid a pawn-drop
 * mate. In problems, where the attacker has no king, such a check is often the key, and it may be
 * far harder to show that the promotion fails than to show the mate. There the check is not hidden
 * but only gets a higher proof number. Elsewhere it stays hidden until the promotion has failed. */
static bool is_declined(const Position *pos, Move move) {
    if (move_is_drop(move) || move_is_promotion(move)) {
        return false;
    }
    Color us = pos->side;
    Square to = move_to(move);
    if (!sq_in_zone(us, to) && !sq_in_zone(us, move_from(move))) {
        return false;
    }
    return bb_has(bb_better_promoted(us, pos_moved_type(pos, move)), to);
}

/* Hides the move at `later` until the move at `earlier` has failed. No other move may be linked to
 * `earlier` yet. */
static void hide_behind(MateMove *list, int earlier, int later) {
    ASSERT(list[earlier].next < 0);
    list[earlier].next = (int16_t)later;
    list[later].is_hidden = true;
}

static void chain_declined(const Position *pos, MateMove *list, int count) {
    for (int i = 1; i < count; i++) {
        if (!is_declined(pos, list[i].move)) {
            continue;
        }
        for (int k = i - 1; k >= 0; k--) {
            if (list[k].move == (list[i].move | MOVE_PROMOTE)) {
                hide_behind(list, k, i);
                break;
            }
        }
    }
}

/* The squares to which the enemy king could move before the check. */
static Bitboard king_freedom(const Position *pos) {
    Color them = color_flip(pos->side);
    Bitboard around = bb_andnot(attacks_king(pos->king[them]), pos->color_bb[them]);
    return bb_andnot(around, pos_king_danger(pos, them));
}

/* The number of squares in `open` that the moved piece leaves to the enemy king. */
static int count_escapes(const Position *pos, Move move, Bitboard open, bool is_supported) {
    Color us = pos->side;
    Square to = move_to(move);
    PieceType type = pos_moved_type(pos, move);
    type = move_is_promotion(move) ? pt_promote(type) : type;
    Bitboard seen = bb_andnot(pos_occupied(pos), bb_square(pos->king[color_flip(us)]));
    Bitboard covered = attacks_of(us, type, to, seen);
    if (is_supported) {
        covered = bb_or(covered, bb_square(to));
    }
    return bb_count(bb_andnot(open, covered));
}

/* Sets the initial numbers of a check. Checks that leave the king few squares look best. `open` is
 * the set of squares that the king can move to before the check. A square counts double in
 * problems; in games, where both sides have a king, counting it once finds mates sooner. */
static void guess_check(const Position *pos, Bitboard open, MateMove *entry) {
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
    int weight = pos->king[us] == SQ_NONE ? 2 : 1;
    entry->pn = (uint8_t)(entry->pn + weight * count_escapes(pos, move, open, support > 0));
    entry->order = (int8_t)(away * 2 - move_is_promotion(move) + (move_is_drop(move) ? 1 : 0));
}

int matemoves_checks(const Position *pos, MateMove *list) {
    Move moves[MAX_MOVES];
    int count = gen_moves(pos, GEN_CHECKS, moves);
    if (count == 0) {
        return 0;
    }
    Bitboard open = king_freedom(pos);
    bool is_problem = pos->king[pos->side] == SQ_NONE;
    for (int i = 0; i < count; i++) {
        list[i] = (MateMove){.move = moves[i], .next = -1};
        guess_check(pos, open, &list[i]);
        bool is_dear = is_problem && is_declined(pos, moves[i]);
        list[i].pn = (uint8_t)(list[i].pn + (is_dear ? DECLINED_COST : 0));
    }
    if (!is_problem) {
        chain_declined(pos, list, count);
    }
    return count;
}

static void guess_evasion(const Position *pos, MateMove *entry) {
    Color us = pos->side;
    Move move = entry->move;
    Square to = move_to(move);
    if (move_is_drop(move)) {
        entry->pn = 2;
        entry->order = (int8_t)(10 + distance(pos->king[us], to));
    } else if (move_from(move) == pos->king[us]) {
        entry->pn = pos_is_capture(pos, move) ? 3 : 2;
        entry->order = 5;
    } else if (pos_is_capture(pos, move)) {
        entry->pn = 4;
        entry->order = 0;
    } else {
        entry->pn = 3;
        entry->order = 8;
    }
}

/* The drops that block a check: for each square, the first and the last of a chain of linked
 * drops. */
typedef struct Blocks {
    Bitboard squares;
    int16_t first[SQ_NB];
    int16_t last[SQ_NB];
} Blocks;

static void chain_by_square(MateMove *list, int count, Blocks *blocks) {
    blocks->squares = BB_EMPTY;
    for (int i = 0; i < count; i++) {
        if (!move_is_drop(list[i].move)) {
            continue;
        }
        Square to = move_to(list[i].move);
        if (bb_has(blocks->squares, to)) {
            hide_behind(list, blocks->last[to], i);
        } else {
            blocks->first[to] = (int16_t)i;
            blocks->squares = bb_or(blocks->squares, bb_square(to));
        }
        blocks->last[to] = (int16_t)i;
    }
}

/* On each square, hides the other drops until the first has failed. Does the same with whole
 * squares on which a piece has no support and makes no threat, starting next to the king. */
static void chain_drops(const Position *pos, MateMove *list, int count) {
    Blocks blocks;
    chain_by_square(list, count, &blocks);
    Color us = pos->side;
    Square king = pos->king[us], their_king = pos->king[color_flip(us)];
    Bitboard occupied = pos_occupied(pos);
    Bitboard rest = blocks.squares;
    if (their_king != SQ_NONE) {
        /* From these squares a piece could check the enemy king, so a block there is a threat. */
        Bitboard lines =
            bb_or(attacks_dragon(their_king, occupied), attacks_horse(their_king, occupied));
        rest = bb_andnot(rest, bb_or(lines, attacks_knight(color_flip(us), their_king)));
    }
    if (!bb_has_many(rest)) {
        return;
    }
    int last = -1;
    for (int away = 2; away < RANK_NB; away++) {
        for (Bitboard left = rest; bb_any(left);) {
            Square to = bb_pop(&left);
            if (distance(king, to) == away && !pos_is_attacked(pos, to, us, occupied)) {
                if (last >= 0) {
                    hide_behind(list, last, blocks.first[to]);
                }
                last = blocks.last[to];
            }
        }
    }
}

int matemoves_evasions(const Position *pos, MateMove *list) {
    Move moves[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, moves);
    for (int i = 0; i < count; i++) {
        list[i] = (MateMove){.move = moves[i], .next = -1, .dn = 1};
        guess_evasion(pos, &list[i]);
    }
    chain_declined(pos, list, count);
    chain_drops(pos, list, count);
    return count;
}

/* ---- brinkmates ------------------------------------------------------------------------------ */

/* True if a move may threaten the enemy king, because its destination is near the king or it
 * attacks a square next to the king. */
static bool is_near(const Position *pos, Move move) {
    Square king = pos->king[color_flip(pos->side)];
    Square to = move_to(move);
    if (distance(king, to) <= 2) {
        return true;
    }
    PieceType type = pos_moved_type(pos, move);
    type = move_is_promotion(move) ? pt_promote(type) : type;
    Bitboard covered = attacks_of(pos->side, type, to, pos_occupied(pos));
    return bb_meets(covered, attacks_king(king));
}

/* Numbers for attacks while the attacker is in check: escaping matters then, not the distance to
 * the enemy king. */
enum { ESCAPE_PN = 4, ESCAPE_ORDER = 10 };

int matemoves_attacks(const Position *pos, MateMove *list) {
    Move moves[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, moves);
    Bitboard open = king_freedom(pos);
    bool is_evading = pos_in_check(pos);
    int listed = 0;
    int last = -1;
    for (int pass = 0; pass < 3; pass++) {
        for (int i = 0; i < count; i++) {
            bool is_check = pos_gives_check(pos, moves[i]);
            int kind = is_check ? 0 : is_evading || is_near(pos, moves[i]) ? 1 : 2;
            if (kind != pass) {
                continue;
            }
            MateMove *entry = &list[listed];
            *entry = (MateMove){.move = moves[i], .next = -1};
            if (is_check) {
                guess_check(pos, open, entry);
            } else if (is_evading) {
                entry->pn = ESCAPE_PN;
                entry->dn = 1;
                entry->order = ESCAPE_ORDER;
            } else {
                /* The numbers are higher than for checks, and grow with the distance. */
                int away = distance(pos->king[color_flip(pos->side)], move_to(moves[i]));
                bool is_capture = pos_is_capture(pos, moves[i]);
                entry->pn = (uint8_t)(8 + 2 * away - (is_capture ? 2 : 0));
                entry->dn = 1;
                entry->order = (int8_t)(20 + away);
            }
            if (kind == 2 && last >= 0) {
                hide_behind(list, last, listed);
            }
            last = kind == 0 ? -1 : listed;
            listed++;
        }
    }
    return listed;
}

int matemoves_replies(const Position *pos, MateMove *list) {
    Move moves[MAX_MOVES];
    Blocks blocks;
    int count = gen_moves(pos, GEN_LEGAL, moves);
    for (int i = 0; i < count; i++) {
        list[i] = (MateMove){.move = moves[i], .next = -1, .dn = 1};
        guess_evasion(pos, &list[i]);
    }
    chain_by_square(list, count, &blocks);
    return count;
}
