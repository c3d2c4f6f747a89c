/* helpmate.c: depth-first search with increasing length, with a table of positions known to have no
 * solution in the remaining plies. */
#include "mate/helpmate.h"

#include <string.h>

#include "base/xmem.h"
#include "mate/mate1.h"
#include "rules/movegen.h"
#include "rules/position.h"

enum { WAYS = 4, POLL_NODES = 4096 };

typedef struct Search {
    Position *pos;
    const HelpmateOptions *options;
    HelpmateAnswer answer;
    /* Hashes of positions without a solution, together with the remaining plies. */
    uint64_t *failures;
    size_t count; /* a multiple of WAYS */
    Move line[HELPMATE_MAX];
    int len; /* the length being searched */
    bool is_over;
} Search;

/* Searches every move. The attacker is to move if `left` is odd. Returns true if some line mates
 * after exactly `left` plies. */
static bool search_plies(Search *search, int left) {
    Position *pos = search->pos;
    bool attacks = left % 2 == 1;
    if (left == 0) {
        bool is_mate = !gen_has_move(pos);
        if (is_mate) {
            search->answer.solutions++;
            search->options->tell(search->options->context, search->line, search->len);
        }
        return is_mate;
    }
    if (left == 1 && mate1_find(pos) == MOVE_NONE) {
        return false;
    }
    /* The hash of the position and the remaining plies, never 0. A collision of all 63 bits is too
     * unlikely to matter. */
    uint64_t key = (pos_key(pos) + (uint64_t)left) * 0x9E3779B97F4A7C15;
    key = (key ^ key >> 29) | 1;
    uint64_t *failed = &search->failures[(key >> 32) * (search->count / WAYS) >> 32 << 2];
    if (left > 1 &&
        (failed[0] == key || failed[1] == key || failed[2] == key || failed[3] == key)) {
        return false;
    }
    Move list[MAX_MOVES];
    int count = gen_moves(pos, attacks ? GEN_CHECKS : GEN_LEGAL, list);
    bool mates = false;
    const HelpmateOptions *options = search->options;
    for (int i = 0; i < count && !search->is_over; i++) {
        uint64_t nodes = ++search->answer.nodes;
        search->is_over = (options->nodes > 0 && nodes >= options->nodes) ||
                          (nodes % POLL_NODES == 0 && options->is_to_end != NULL &&
                           options->is_to_end(options->context));
        if (search->is_over) {
            break;
        }
        search->line[search->len - left] = list[i];
        pos_do(pos, list[i]);
        mates |= search_plies(search, left - 1);
        pos_undo(pos);
    }
    if (!mates && !search->is_over && left > 1) {
        /* The newest failure goes to the front, and the oldest is dropped. */
        memmove(failed + 1, failed, (WAYS - 1) * sizeof(*failed));
        failed[0] = key;
    }
    return mates;
}

HelpmateAnswer helpmate_solve(Position *pos, const HelpmateOptions *options) {
    Search search = {.pos = pos, .options = options};
    search.count = options->bytes / sizeof(uint64_t) / WAYS * WAYS + WAYS;
    search.failures = xmem_try_large(search.count * sizeof(uint64_t), XMEM_SMALL_PAGES);
    if (search.failures == NULL) {
        return search.answer;
    }
    search.answer.has_memory = true;
    for (int len = 1; len <= options->plies && len <= HELPMATE_MAX && !search.is_over; len += 2) {
        search.len = len;
        if (search_plies(&search, len)) {
            search.answer.len = len;
            break;
        }
    }
    search.answer.is_whole = !search.is_over;
    xmem_free_large(search.failures, search.count * sizeof(uint64_t));
    return search.answer;
}
