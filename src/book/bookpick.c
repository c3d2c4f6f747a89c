/* bookpick.c: filters the moves of a position by the rules, then chooses one at random by
 * weight. */
#include "book/bookpick.h"

#include "book/bookread.h"

#include <math.h>

#include "rules/legality.h"
#include "rules/repetition.h"

/* In centipawns: a move that is worse than the best by this much has a weight of 1 / e, about a
 * third. */
enum { MAX_SCALE = 25 };

/* NarrowBook: a move is used only if it was played in at least one of this many games of the
 * position. */
enum { NARROW_SHARE = 10 };

BookPickOptions bookpick_free_rules(int eval_diff) {
    return (BookPickOptions){.book_moves = INT32_MAX,
                             .book_eval_diff = eval_diff,
                             .book_eval_limit = {-BOOK_MAX_SCORE, -BOOK_MAX_SCORE},
                             .find = {.ignore_book_ply = true, .flipped_book = true}};
}

bool bookpick_has_score(const BookMove *move) {
    return move->score != BOOK_NO_SCORE;
}

/* True if the move leads back to an earlier position. */
static bool repeats(Position *pos, Move move) {
    pos_do(pos, move);
    bool is_again = repetition_count(pos) > 1;
    pos_undo(pos);
    return is_again;
}

/* The values of a position that are compared with the limits. */
typedef struct Outline {
    bool has_scores;
    int best;
    uint64_t games;
} Outline;

static Outline outline_of(const BookEntry *entry) {
    Outline outline = {.best = -BOOK_MAX_SCORE};
    for (int i = 0; i < entry->count; i++) {
        const BookMove *move = &entry->moves[i];
        outline.games += book_games(move);
        if (bookpick_has_score(move)) {
            outline.has_scores = true;
            outline.best = int_max(outline.best, move->score);
        }
    }
    return outline;
}

static bool is_allowed(const BookMove *move, const BookPickOptions *options, const Outline *outline,
                       Color side) {
    if (options->book_depth_limit > 0 && move->depth < options->book_depth_limit) {
        return false;
    }
    if (options->narrow_book && book_games(move) * NARROW_SHARE < outline->games) {
        return false;
    }
    if (!outline->has_scores) {
        return true;
    }
    return bookpick_has_score(move) && move->score >= outline->best - options->book_eval_diff &&
           move->score >= options->book_eval_limit[side];
}

/* Sorts the best move to the front. */
static void order(BookEntry *entry) {
    BookNode node = {.moves = entry->moves, .count = entry->count};
    book_order_moves(&node);
}

bool bookpick_candidates(const BookReader *reader, const Position *pos,
                         const BookPickOptions *options, BookEntry *entry) {
    if (pos->ply > options->book_moves || !bookread_find(reader, pos, &options->find, entry)) {
        return false;
    }
    Outline outline = outline_of(entry);
    Position scratch;
    int kept = 0;
    pos_init_copy(&scratch, pos);
    for (int i = 0; i < entry->count; i++) {
        BookMove move = entry->moves[i];
        if (is_allowed(&move, options, &outline, pos->side) && !repeats(&scratch, move.move)) {
            entry->moves[kept++] = move;
        }
    }
    pos_free(&scratch);
    entry->count = kept;
    order(entry);
    return kept > 0;
}

static double weight_of(const BookMove *move, const BookMove *best,
                        const BookPickOptions *options) {
    double games = (double)book_games(move) + 1;
    if (!bookpick_has_score(move)) {
        return games;
    }
    int scale = int_clamp(options->book_eval_diff / 2, 1, MAX_SCALE);
    double weight = exp((double)(move->score - best->score) / scale);
    return options->consider_book_move_count ? weight * games : weight;
}

int bookpick_choose(const BookEntry *entry, const BookPickOptions *options, Rng *rng) {
    double sum = 0;
    for (int i = 0; i < entry->count; i++) {
        sum += weight_of(&entry->moves[i], &entry->moves[0], options);
    }
    double place = rng_unit(rng) * sum;
    int chosen = 0;
    for (; chosen < entry->count - 1; chosen++) {
        place -= weight_of(&entry->moves[chosen], &entry->moves[0], options);
        if (place < 0) {
            break;
        }
    }
    return chosen;
}

int bookpick_line(const BookReader *reader, const Position *pos, const BookMove *move,
                  const BookFind *how, Move *line, int most) {
    Position walk;
    BookEntry entry;
    int len = 0;
    Move next = move->move, reply = move->reply;
    pos_init_copy(&walk, pos);
    while (len < most && move_is_legal(&walk, next)) {
        line[len++] = next;
        pos_do(&walk, next);
        if (repetition_count(&walk) > 1) {
            break;
        }
        next = reply;
        reply = MOVE_NONE;
        if (bookread_find(reader, &walk, how, &entry)) {
            order(&entry);
            int choice = 0;
            for (int i = 0; i < entry.count; i++) {
                choice = entry.moves[i].move == next ? i : choice;
            }
            next = entry.moves[choice].move;
            reply = entry.moves[choice].reply;
        }
    }
    pos_free(&walk);
    return len;
}

int bookpick_walk(const BookReader *reader, const BookPickOptions *options, Rng *rng, Position *pos,
                  int *score) {
    BookEntry entry;
    int count = 0;
    *score = BOOK_NO_SCORE;
    while (bookpick_candidates(reader, pos, options, &entry)) {
        const BookMove *move = &entry.moves[bookpick_choose(&entry, options, rng)];
        *score = bookpick_has_score(move) ? -move->score : BOOK_NO_SCORE;
        pos_do(pos, move->move);
        count++;
    }
    return count;
}
