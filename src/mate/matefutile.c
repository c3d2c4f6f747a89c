/* matefutile.c: computes the length without futile interpositions from a replayed solution. */
#include "mate/matefutile.h"

#include <stdlib.h>

#include "base/xmem.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"

/* Longer than any length. This value means that there is no mate, that none is short enough, or
 * that none was found. */
enum { TOO_LONG = 1 << 20 };

static int length_of_attack(MateChecker *checker, Position *pos, int most);
static int length_of_defence(MateChecker *checker, Position *pos, int most);

/* One answer to a check. */
typedef struct Answer {
    Move move;
    int length;      /* the length if the answer counts; -1: not known yet */
    bool is_settled; /* the answer makes no difference to the result */
} Answer;

/* Sets *to to the position after the drop and its capture, with the captured piece given back.
 * Returns false if the capture is illegal or gives no check. */
static bool take_back(Position *pos, Move drop, Move capture, Position *to) {
    pos_do(pos, drop);
    bool is_good = move_is_legal(pos, capture) && pos_gives_check(pos, capture);
    if (is_good) {
        Color attacker = pos->side;
        pos_do(pos, capture);
        Setup setup = pos_get(pos);
        PieceType type = move_drop_type(drop);
        setup.hand[attacker] = hand_remove(setup.hand[attacker], type);
        setup.hand[color_flip(attacker)] = hand_add(setup.hand[color_flip(attacker)], type);
        pos_set(to, &setup);
        pos_undo(pos);
    }
    pos_undo(pos);
    return is_good;
}

/* True if the drop does not prolong a mate that otherwise lasts `most` more plies. All drops on the
 * same square are equivalent, because the position after the capture is the same. */
static bool is_futile(MateChecker *checker, Position *pos, Move drop, int most) {
    Move capture = move_make(bb_first(pos->now->checkers), move_to(drop));
    Position after;
    pos_init(&after);
    bool found = false;
    for (int i = 0; i < 2 && !found; i++) {
        if (take_back(pos, drop, (Move)(capture | (i == 0 ? MOVE_PROMOTE : 0)), &after)) {
            found = length_of_defence(checker, &after, most) <= most;
        }
    }
    pos_free(&after);
    return found;
}

static int length_of_answer(MateChecker *checker, Position *pos, Move move, int most) {
    pos_do(pos, move);
    int len = length_of_attack(checker, pos, most - 1);
    pos_undo(pos);
    return len + 1;
}

/* The replayed length of the mate against an answer, including futile drops. */
static int replayed_length(const MateChecker *checker, Position *pos, Move move) {
    Move reply;
    pos_do(pos, move);
    int len = matecheck_known(checker, pos, &reply);
    pos_undo(pos);
    return len < 0 ? TOO_LONG : len + 1;
}

/* The length against the longest answer that is a board move. */
static int length_of_moves(MateChecker *checker, Position *pos, const Answer *moves, int count,
                           int most) {
    int longest = 0;
    for (int i = 0; i < count && longest <= most; i++) {
        if (replayed_length(checker, pos, moves[i].move) > longest) {
            longest = int_max(longest, length_of_answer(checker, pos, moves[i].move, most));
        }
    }
    return longest;
}

/* Of the drops that count and last longer than `longest`, the length without them, takes the
 * shortest and returns its length; 0 if there is none. Marks drops that make no difference as
 * settled. */
static int next_drop(MateChecker *checker, Position *pos, Answer *drops, int count, int longest,
                     int most) {
    int shortest = 0;
    Bitboard asked = BB_EMPTY;
    Bitboard futile = BB_EMPTY;
    for (int i = 0; i < count; i++) {
        Answer *drop = &drops[i];
        drop->is_settled |= replayed_length(checker, pos, drop->move) <= longest;
        if (drop->is_settled) {
            continue;
        }
        Bitboard to = bb_square(move_to(drop->move));
        if (!bb_meets(asked, to) && is_futile(checker, pos, drop->move, longest)) {
            futile = bb_or(futile, to);
        }
        asked = bb_or(asked, to);
        if (bb_meets(futile, to)) {
            drop->is_settled = true;
            continue;
        }
        if (drop->length < 0) {
            drop->length = length_of_answer(checker, pos, drop->move, most);
        }
        if (drop->length > longest && (shortest == 0 || drop->length < shortest)) {
            shortest = drop->length;
        }
    }
    return shortest;
}

/* Lists the answers to a check, moves on the board first, then drops; the caller frees the list.
 * The list is not on the stack, because a mate can be thousands of plies deep. */
static NO_INLINE Answer *list_answers(const Position *pos, int *moves, int *count) {
    Move list[MAX_MOVES];
    *count = gen_moves(pos, GEN_LEGAL, list);
    Answer *answers = xmem_alloc((size_t)*count, sizeof(Answer));
    int listed = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < *count; i++) {
            if (move_is_drop(list[i]) == (pass == 1)) {
                answers[listed++] = (Answer){.move = list[i], .length = -1};
            }
        }
        *moves = pass == 0 ? listed : *moves;
    }
    return answers;
}

static int length_of_defence(MateChecker *checker, Position *pos, int most) {
    int moves;
    int count;
    Answer *answers = list_answers(pos, &moves, &count);
    int longest = length_of_moves(checker, pos, answers, moves, most);
    while (longest <= most) {
        int next = next_drop(checker, pos, answers + moves, count - moves, longest, most);
        if (next == 0) {
            break;
        }
        longest = next;
    }
    free(answers);
    return longest <= most ? longest : TOO_LONG;
}

/* Searches for a mate that is not in the replay, first within the length that matters. */
static int length_of_attack(MateChecker *checker, Position *pos, int most) {
    Move move;
    if (most < 1 || !matecheck_step(checker)) {
        return TOO_LONG;
    }
    int len = matecheck_known(checker, pos, &move);
    if (len < 0 || len > most) {
        if (matecheck_run(checker, pos, most) < 0 && len < 0) {
            matecheck_run(checker, pos, MATECHECK_MOST);
        }
        len = matecheck_known(checker, pos, &move);
    }
    if (len <= 1) {
        return len < 0 ? TOO_LONG : len;
    }
    pos_do(pos, move);
    int rest = length_of_defence(checker, pos, most - 1);
    pos_undo(pos);
    return rest + 1;
}

int matefutile_length(MateChecker *checker, Position *pos) {
    Move move;
    int len = matecheck_known(checker, pos, &move);
    int counted = length_of_attack(checker, pos, len);
    return int_min(len, counted);
}

/* True if the checking piece can capture the dropped piece, and players call the result mate
 * too. */
static bool is_no_defence(Position *pos, Move drop) {
    Move capture = move_make(bb_first(pos->now->checkers), move_to(drop));
    Position after;
    pos_init(&after);
    bool found = take_back(pos, drop, capture, &after) && matefutile_is_mate(&after);
    found = found || (take_back(pos, drop, (Move)(capture | MOVE_PROMOTE), &after) &&
                      matefutile_is_mate(&after));
    pos_free(&after);
    return found;
}

bool matefutile_is_mate(Position *pos) {
    int moves;
    int count;
    Answer *answers = list_answers(pos, &moves, &count);
    bool is_mate = moves == 0;
    Bitboard asked = BB_EMPTY;
    for (int i = 0; i < count && is_mate; i++) {
        Bitboard to = bb_square(move_to(answers[i].move));
        is_mate = bb_meets(asked, to) || is_no_defence(pos, answers[i].move);
        asked = bb_or(asked, to);
    }
    free(answers);
    return is_mate;
}
