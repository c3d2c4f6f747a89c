/* matecheck_futile.c: a mate as players and composers count it: without futile interpositions.
 *
 * A futile interposition is a piece dropped to block a distant check that the checking piece can
 * simply capture. The mate then continues as before, without needing the captured piece.
 *
 * The rule is this. Let Q be a position with the defender in check and to move. The length of Q is
 * that of the longest answer that counts, or 0 if no answer counts. Moves on the board always
 * count. A drop counts unless it is futile: the checking piece can capture it with check, and if
 * the captured piece is given back to the defender, the mate from there is no longer than the mate
 * of Q without the drop. Board moves are examined first, then the drops, those with the shortest
 * mates first, so that each drop is compared with the answers that count.
 *
 * The attacker mates in the fewest moves that count. This is not always the shortest mate with
 * every interposition: a check from a distance may allow many futile drops and still be the
 * composer's move.
 *
 * The main line of a problem in which the attacker has no king leaves nothing in the attacker's
 * hand. A defence after which the attacker can leave a piece there without mating later is a
 * variation. If all longest defences are variations, the longest line without leftover pieces is
 * the main line, as long as it is at most four plies shorter. A choice between checks in the last
 * three plies does not count. The attacker's checks along the main line are ones that mate soonest.
 *
 * This is an exact search for the length without futile interpositions. It knows which positions
 * mate at all from the replayed solution, so that only the checks that mate have to be compared,
 * and bounds the length as in alpha-beta. The main line is then looked for among the lines of the
 * exact length and those a few plies shorter; start reading at matecheck_solve_futile. */
#include <stdlib.h>

#include "base/xmem.h"
#include "mate/matecheck.h"
#include "mate/matemoves.h"
#include "rules/legality.h"
#include "rules/movegen.h"
#include "rules/position.h"

/* Longer than any length. This value means that there is no mate, that none is short enough, or
 * that none was found. */
enum { TOO_LONG = 1 << 20 };

/* A defence after which the attacker can leave a piece in his hand may last SLACK plies longer than
 * the main line (a rule of modern composers); in a mate of at least LONG_MATE plies it may last
 * LONG_SLACK plies longer, as old problems need. In the last FREE_PLIES plies of a line, the
 * attacker may choose among the shortest mates. */
enum { SLACK = 2, LONG_SLACK = 4, LONG_MATE = 15, FREE_PLIES = 3 };

/* The first move of a main line, and its length: 0 if no main line has at least `least` plies. */
typedef struct MainLine {
    Move move;
    int len;
    int least; /* TOO_LONG: not searched */
} MainLine;

/* What is known about the length of a position: above `low`, and at most `high`. */
typedef struct Known {
    uint64_t key; /* 0: an empty slot */
    int low;
    int high;
    Move move; /* the attacker's move with which the mate lasts at most `high` plies */
    MainLine main;
} Known;

typedef struct LengthSearch {
    const FutileOptions *options;
    bool is_over; /* the limits are reached */
    Known *slots; /* open addressing; slot_count is a power of two */
    size_t slot_count;
    size_t used;
} LengthSearch;

/* One answer to a check. */
typedef struct LengthAnswer {
    Move move;
    int replayed;    /* the length including futile drops; TOO_LONG: not known */
    int length;      /* the length if the answer counts; -1: not known yet */
    bool is_settled; /* the answer makes no difference to the result */
} LengthAnswer;

/* The answers to a check: first `moves` moves on the board, then drops. */
typedef struct LengthAnswers {
    LengthAnswer *answers;
    int moves, count;
} LengthAnswers;

/* ---- what is known --------------------------------------------------------------------------- */

static Known *slot_of(const LengthSearch *search, uint64_t key) {
    size_t i = (size_t)(key * 0x9E3779B97F4A7C15 >> 20) & (search->slot_count - 1);
    while (search->slots[i].key != 0 && search->slots[i].key != key) {
        i = (i + 1) & (search->slot_count - 1);
    }
    return &search->slots[i];
}

static void clear_known(LengthSearch *search, size_t slot_count) {
    free(search->slots);
    search->slots = xmem_calloc(slot_count, sizeof(Known));
    search->slot_count = slot_count;
    search->used = 0;
}

static Known known_of(const LengthSearch *search, const Position *pos) {
    const Known *slot = slot_of(search, pos_key(pos) | 1);
    return slot->key != 0
               ? *slot
               : (Known){
                     .key = pos_key(pos) | 1, .low = -1, .high = TOO_LONG, .main.least = TOO_LONG};
}

static void keep(LengthSearch *search, const Known *known) {
    if (search->used >= search->slot_count / 2) {
        Known *old = search->slots;
        size_t old_count = search->slot_count;
        search->slots = NULL;
        clear_known(search, old_count * 2);
        for (size_t i = 0; i < old_count; i++) {
            if (old[i].key != 0) {
                *slot_of(search, old[i].key) = old[i];
                search->used++;
            }
        }
        free(old);
    }
    Known *slot = slot_of(search, known->key);
    search->used += slot->key == 0;
    *slot = *known;
}

/* ---- drops ----------------------------------------------------------------------------------- */

/* Sets *to to the position after the drop and its capture, with the captured piece given back.
 * Returns false if the capture is illegal or gives no check. */
static bool give_back(Position *pos, Move drop, Move capture, Position *to) {
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

/* The capture of a dropped piece by the checking piece, without promotion. */
static Move capture_of(const Position *pos, Move drop) {
    return move_make(bb_first(pos->now->checkers), move_to(drop));
}

/* The length of a position with the attacker or the defender to move, if it is above `low` and at
 * most `most`. Otherwise any value at most `low` that the length does not exceed, or TOO_LONG. */
static int length_of_attack(LengthSearch *search, Position *pos, int low, int most);
static int length_of_defence(LengthSearch *search, Position *pos, int low, int most);

/* True if the drop does not prolong a mate that otherwise lasts `most` more plies. All drops on the
 * same square are equivalent, because the position after the capture is the same. */
static bool is_futile(LengthSearch *search, Position *pos, Move drop, int most) {
    Position after;
    pos_init(&after);
    bool found = false;
    for (int i = 0; i < 2 && !found; i++) {
        Move capture = (Move)(capture_of(pos, drop) | (i == 0 ? MOVE_PROMOTE : 0));
        if (give_back(pos, drop, capture, &after)) {
            found = length_of_defence(search, &after, most, most) <= most;
        }
    }
    pos_free(&after);
    return found;
}

/* ---- the defender's answers ------------------------------------------------------------------ */

/* The length of an answer, which counts as a ply; at least TOO_LONG if it is above `most`. */
static int length_of_answer(LengthSearch *search, Position *pos, Move move, int low, int most) {
    pos_do(pos, move);
    int len = length_of_attack(search, pos, low - 1, most - 1);
    pos_undo(pos);
    return len + 1;
}

/* Lists the answers to a check, moves on the board first, then drops, each with the longest mates
 * first; the caller frees the list. The list is not on the stack, because a mate can be thousands
 * of plies deep. */
static NO_INLINE LengthAnswer *rank_answers(const LengthSearch *search, Position *pos, int *moves,
                                            int *count) {
    const MateChecker *checker = search->options->checker;
    Move list[MAX_MOVES];
    *count = gen_moves(pos, GEN_LEGAL, list);
    LengthAnswer *answers = xmem_alloc((size_t)*count, sizeof(LengthAnswer));
    int first = 0;
    int listed = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < *count; i++) {
            if (move_is_drop(list[i]) != (pass == 1)) {
                continue;
            }
            LengthAnswer answer = {.move = list[i], .length = -1};
            int len;
            pos_do(pos, list[i]);
            bool is_known = matecheck_move(checker, pos, BRINK_MATE, &len) != MOVE_NONE;
            pos_undo(pos);
            answer.replayed = is_known ? len + 1 : TOO_LONG;
            int k = listed++;
            for (; k > first && answers[k - 1].replayed < answer.replayed; k--) {
                answers[k] = answers[k - 1];
            }
            answers[k] = answer;
        }
        *moves = pass == 0 ? listed : *moves;
        first = listed;
    }
    return answers;
}

/* Of the drops that count and last longer than `longest`, the length without them, returns the
 * shortest, or NULL if there is none. Marks drops that make no difference as settled. */
static LengthAnswer *next_drop(LengthSearch *search, Position *pos, LengthAnswer *drops, int count,
                               int longest, int most) {
    LengthAnswer *shortest = NULL;
    Bitboard asked = BB_EMPTY;
    Bitboard futile = BB_EMPTY;
    for (int i = 0; i < count && !search->is_over; i++) {
        LengthAnswer *drop = &drops[i];
        drop->is_settled |= drop->replayed <= longest;
        if (drop->is_settled) {
            continue;
        }
        Bitboard to = bb_square(move_to(drop->move));
        if (!bb_meets(asked, to) && is_futile(search, pos, drop->move, longest)) {
            futile = bb_or(futile, to);
        }
        asked = bb_or(asked, to);
        if (bb_meets(futile, to)) {
            drop->is_settled = true;
            continue;
        }
        if (drop->length < 0) {
            drop->length = length_of_answer(search, pos, drop->move, longest, most);
        }
        if (drop->length > longest && (shortest == NULL || drop->length < shortest->length)) {
            shortest = drop;
        }
    }
    return shortest;
}

/* The length of the longest answer, within `low` and `most` as above. */
static int length_of_answers(LengthSearch *search, Position *pos, const LengthAnswers *list,
                             int low, int most) {
    LengthAnswer *answers = list->answers;
    int moves = list->moves, count = list->count;
    int longest = 0;
    /* The test whether a drop is futile depends on the exact length without it. */
    int exact_from = count > moves ? 0 : low;
    for (int i = 0; i < moves && longest <= most; i++) {
        int from = int_max(longest, exact_from);
        answers[i].length = answers[i].replayed <= from
                                ? answers[i].replayed
                                : length_of_answer(search, pos, answers[i].move, from, most);
        longest = int_max(longest, answers[i].length);
    }
    while (longest <= most) {
        const LengthAnswer *next =
            next_drop(search, pos, answers + moves, count - moves, longest, most);
        if (next == NULL) {
            break;
        }
        longest = next->length;
    }
    return longest <= most && !search->is_over ? longest : TOO_LONG;
}

static int length_of_defence(LengthSearch *search, Position *pos, int low, int most) {
    Known known = known_of(search, pos);
    if (known.high <= low || (known.high <= most && known.low >= known.high - 1)) {
        return known.high;
    }
    if (known.low >= most || search->is_over) {
        return TOO_LONG;
    }
    int moves;
    int count;
    LengthAnswer *answers = rank_answers(search, pos, &moves, &count);
    int longest = 0;
    for (int i = 0; i < count; i++) {
        longest = int_max(longest, answers[i].replayed);
    }
    if (longest > low) {
        longest =
            length_of_answers(search, pos, &(LengthAnswers){answers, moves, count}, low, most);
    }
    free(answers);
    if (search->is_over) {
        return TOO_LONG;
    }
    if (longest > most) {
        known.low = int_max(known.low, most);
    } else {
        known.high = int_min(known.high, longest);
        known.low = longest > low ? longest - 1 : known.low;
    }
    keep(search, &known);
    return longest;
}

/* ---- the attacker's checks ------------------------------------------------------------------- */

/* Lists the checks, `first` before the others; the caller frees the list. */
static NO_INLINE Move *list_checks(const Position *pos, Move first, int *count) {
    Move list[MAX_MOVES];
    int found = gen_moves(pos, GEN_CHECKS, list);
    Move *checks = xmem_alloc((size_t)found + 1, sizeof(Move));
    checks[0] = first;
    *count = 1;
    for (int i = 0; i < found; i++) {
        if (list[i] != first) {
            checks[(*count)++] = list[i];
        }
    }
    return checks;
}

static int length_of_attack(LengthSearch *search, Position *pos, int low, int most) {
    Known known = known_of(search, pos);
    if (known.high <= low || (known.high <= most && known.low >= known.high - 1)) {
        return known.high;
    }
    if (most < 1 || known.low >= most) {
        return TOO_LONG;
    }
    if (search->is_over || !matecheck_step(search->options->checker)) {
        search->is_over = true;
        return TOO_LONG;
    }
    /* The replayed mate. It is replayed now if the checker does not know it. */
    MateChecker *checker = search->options->checker;
    int len;
    Move first = matecheck_move(checker, pos, BRINK_MATE, &len);
    if (first == MOVE_NONE) {
        (void)matecheck_run(checker, pos, MATECHECK_MAX);
        first = matecheck_move(checker, pos, BRINK_MATE, &len);
    }
    if (first == MOVE_NONE) {
        known.low = TOO_LONG;
        keep(search, &known);
        return TOO_LONG;
    }
    if (len == 1 || len <= low) {
        known.high = int_min(known.high, len);
        known.low = len == 1 ? 0 : known.low;
        known.move = first;
        keep(search, &known);
        return len;
    }
    int count = 1;
    Move *checks = list_checks(pos, first, &count);
    int bound = most;
    int best = TOO_LONG;
    for (int i = 0; i < count && bound >= 1 && bound > known.low && best > low; i++) {
        if (i > 0 && !search->options->is_shortest) {
            break;
        }
        pos_do(pos, checks[i]);
        int rest = length_of_defence(search, pos, int_max(low - 1, 0), bound - 1);
        pos_undo(pos);
        if (rest + 1 <= bound) {
            best = rest + 1;
            bound = best - 2;
            known.high = best;
            known.move = checks[i];
        }
    }
    free(checks);
    if (search->is_over) {
        return TOO_LONG;
    }
    if (best > low) {
        known.low = int_max(known.low, best <= most ? best - 1 : most);
    }
    keep(search, &known);
    return best;
}

/* ---- the composer's main line ---------------------------------------------------------------- */

static int main_of_defence(LengthSearch *search, Position *pos, int len, int least);

/* Returns the length of the main line, 0 if it is known to be shorter than `least`, or -1 if it
 * must be searched. */
static int known_main(const LengthSearch *search, const Position *pos, int least) {
    MainLine line = known_of(search, pos).main;
    if (line.len > 0 && line.len >= least) {
        return line.len;
    }
    return line.least <= least ? 0 : -1;
}

static int keep_main(LengthSearch *search, const Position *pos, MainLine line) {
    Known known = known_of(search, pos);
    known.main = line;
    keep(search, &known);
    return line.len;
}

/* A check that players call mate and that leaves nothing in the attacker's hand; MOVE_NONE if there
 * is none. */
static NO_INLINE Move clean_mate(Position *pos) {
    Color attacker = pos->side;
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_CHECKS, list);
    Move found = MOVE_NONE;
    for (int i = 0; i < count && found == MOVE_NONE; i++) {
        pos_do(pos, list[i]);
        found = pos->hand[attacker] == 0 && matecheck_is_players_mate(pos) ? list[i] : MOVE_NONE;
        pos_undo(pos);
    }
    return found;
}

/* The main line from a position whose mate lasts len plies. The attacker gives checks that mate
 * soonest, and leaves a piece in his hand if he can; the defender plays for the longest line in
 * which nothing is left. Returns its length if it has at least `least` plies, otherwise 0. */
static int main_of_attack(LengthSearch *search, Position *pos, int len, int least) {
    int found = known_main(search, pos, least);
    if (found >= 0) {
        return found;
    }
    if (search->is_over || !matecheck_step(search->options->checker)) {
        search->is_over = true;
        return 0;
    }
    MainLine line = {.least = least};
    if (len == 1) {
        line.move = clean_mate(pos);
        line.len = line.move != MOVE_NONE;
        return keep_main(search, pos, line);
    }
    int count = 1;
    Move *checks = list_checks(pos, known_of(search, pos).move, &count);
    /* If some choice of the attacker leaves a piece in his hand, the line is a variation and not
     * the main line. His choices in the last FREE_PLIES plies do not count. */
    bool is_free = len <= FREE_PLIES;
    bool is_first = true;
    for (int i = 0; i < count && (is_first || line.len != (is_free ? len : 0)); i++) {
        pos_do(pos, checks[i]);
        if (length_of_defence(search, pos, len - 2, len - 1) == len - 1) {
            int rest = main_of_defence(search, pos, len - 1, least - 1);
            int plies = rest > 0 ? rest + 1 : 0;
            if (is_first || (is_free ? plies > line.len : plies < line.len)) {
                line.len = plies;
                line.move = checks[i];
            }
            is_first = false;
        }
        pos_undo(pos);
    }
    free(checks);
    return search->is_over ? 0 : keep_main(search, pos, line);
}

/* Like main_of_attack, with the defender to move. */
static int main_of_defence(LengthSearch *search, Position *pos, int len, int least) {
    int found = known_main(search, pos, least);
    if (found >= 0) {
        return found;
    }
    int moves;
    int count;
    LengthAnswer *answers = rank_answers(search, pos, &moves, &count);
    MainLine line = {.least = least};
    int board = 0;
    for (int i = 0; i < moves; i++) {
        answers[i].length = length_of_answer(search, pos, answers[i].move, 0, len);
        board = int_max(board, answers[i].length);
    }
    for (int wanted = len; wanted >= least && wanted > line.len; wanted -= 2) {
        for (int i = 0; i < count && line.len < wanted; i++) {
            LengthAnswer *answer = &answers[i];
            if (answer->length < 0) { /* a drop, which is compared with the answers on the board */
                bool counts = !is_futile(search, pos, answer->move, board);
                answer->length = counts ? length_of_answer(search, pos, answer->move, 0, len) : 0;
            }
            if (answer->length == wanted) {
                int shortest = int_max(least, line.len + 2) - 1;
                pos_do(pos, answer->move);
                int rest = main_of_attack(search, pos, wanted - 1, shortest);
                pos_undo(pos);
                if (rest > 0) {
                    line.len = rest + 1;
                    line.move = answer->move;
                }
            }
        }
    }
    free(answers);
    return search->is_over ? 0 : keep_main(search, pos, line);
}

/* ---- the line -------------------------------------------------------------------------------- */

/* The longest answer that counts to the check in *pos; MOVE_NONE if none counts. */
static Move longest_answer(LengthSearch *search, Position *pos, int len) {
    int moves;
    int count;
    LengthAnswer *answers = rank_answers(search, pos, &moves, &count);
    Move found = MOVE_NONE;
    if (length_of_answers(search, pos, &(LengthAnswers){answers, moves, count}, 0, len) == len) {
        for (int i = 0; i < count && found == MOVE_NONE; i++) {
            /* The first one is exact: lengths that do not exceed an earlier one are bounds. */
            found = answers[i].length == len ? answers[i].move : MOVE_NONE;
        }
    }
    free(answers);
    return found;
}

/* Writes the line of len plies. Its moves come from the main line if that has the same length. */
static int write_line(LengthSearch *search, Position *pos, int len, Move *line, int room) {
    int count = 0;
    for (; count < len && count < room; count++) {
        bool is_attack = (count % 2 == 0) != search->options->is_defence;
        int left = len - count;
        MainLine wanted = known_of(search, pos).main;
        Move move = wanted.len == left ? wanted.move
                    : !is_attack       ? longest_answer(search, pos, left)
                    : length_of_attack(search, pos, 0, left) == left ? known_of(search, pos).move
                                                                     : MOVE_NONE;
        if (move == MOVE_NONE) {
            break;
        }
        line[count] = move;
        pos_do(pos, move);
    }
    pos_undo_moves(pos, count);
    return count;
}

FutileAnswer matecheck_solve_futile(const FutileOptions *options, Position *pos, Move *line,
                                    int room) {
    LengthSearch search = {.options = options};
    FutileAnswer answer = {.len = 0};
    int len = MATECHECK_MAX;
    if (!options->is_defence) {
        (void)matecheck_move(options->checker, pos, BRINK_MATE, &len);
    }
    clear_known(&search, 1 << 10);
    answer.len = options->is_defence ? length_of_defence(&search, pos, 0, len)
                                     : length_of_attack(&search, pos, 0, len);
    answer.len = int_min(answer.len, len);
    answer.main_len = answer.len;
    if (!search.is_over) {
        answer.line_len = write_line(&search, pos, answer.len, line, room);
        /* Positions from games, in which the attacker has a king, have no main line. */
        Color attacker = options->is_defence ? color_flip(pos->side) : pos->side;
        int least = int_max(1, answer.len - (answer.len < LONG_MATE ? SLACK : LONG_SLACK));
        int main_len = !options->is_shortest || pos->king[attacker] != SQ_NONE ? 0
                       : options->is_defence ? main_of_defence(&search, pos, answer.len, least)
                                             : main_of_attack(&search, pos, answer.len, least);
        if (main_len > 0) {
            answer.main_len = main_len;
            answer.line_len = write_line(&search, pos, main_len, line, room);
        }
    }
    free(search.slots);
    return answer;
}

/* ---- mate to players ------------------------------------------------------------------------- */

bool matecheck_is_players_mate(Position *pos) {
    Move list[MAX_MOVES];
    int count = gen_moves(pos, GEN_LEGAL, list);
    bool is_mate = true;
    Bitboard asked = BB_EMPTY;
    for (int i = 0; i < count && is_mate; i++) {
        Bitboard to = bb_square(move_to(list[i]));
        is_mate = move_is_drop(list[i]);
        if (is_mate && !bb_meets(asked, to)) {
            /* The checking piece must be able to capture the dropped piece, with mate. */
            Position after;
            pos_init(&after);
            Move capture = capture_of(pos, list[i]);
            is_mate = give_back(pos, list[i], capture, &after) && matecheck_is_players_mate(&after);
            capture |= MOVE_PROMOTE;
            is_mate = is_mate || (give_back(pos, list[i], capture, &after) &&
                                  matecheck_is_players_mate(&after));
            pos_free(&after);
        }
        asked = bb_or(asked, to);
    }
    return is_mate;
}
