/* recorddiff.c: walks the tree of a game and finds the same nodes in its copy. */
#include "record/recorddiff.h"

#include <stdlib.h>

#include "base/xmem.h"
#include "record/handicap.h"
#include "record/words.h"

static bool contains(StrView text, StrView part) {
    return part.len == 0 || sv_find(text, part) < text.len;
}

static bool same_start(const Setup *a, const Setup *b) {
    bool is_same =
        a->side == b->side && a->hand[BLACK] == b->hand[BLACK] && a->hand[WHITE] == b->hand[WHITE];
    for (Square sq = 0; sq < SQ_NB; sq++) {
        is_same = is_same && a->board[sq] == b->board[sq];
    }
    return is_same;
}

/* True if a header only names the handicap from which a game starts. */
static bool names_start(StrView key, StrView value, const Setup *start) {
    const Handicap *handicap =
        sv_equal(key, SV("手合割")) ? handicap_by_name(word_trim(value)) : NULL;
    if (handicap == NULL) {
        return false;
    }
    Setup named = handicap_setup(handicap);
    return same_start(&named, start);
}

static int lost_headers(const Record *record, const Record *copy) {
    for (int i = 0; i < record->header_count; i++) {
        StrView key = record_text(record, record->headers[i].key);
        StrView value = record_text(record, record->headers[i].value);
        if (!sv_equal(sv_trim(value), sv_trim(record_header(copy, key))) &&
            !names_start(key, value, &copy->start)) {
            return KMD_HOLDS_HEADERS;
        }
    }
    return 0;
}

/* The child of a node in the copy that corresponds to a node; KMD_NODE_NONE if there is none. */
static int find_child(const Record *copy, int parent, const RecordNode *node) {
    int child = copy->nodes[parent].child;
    while (child != KMD_NODE_NONE &&
           (copy->nodes[child].move != node->move ||
            (copy->nodes[child].ending == KMD_END_NONE) != (node->ending == KMD_END_NONE))) {
        child = copy->nodes[child].sibling;
    }
    return child;
}

/* True if the copy of a node has its remark. Formats without a line for the start position write
 * the remark of the root above it. */
static bool has_remark(const Record *copy, const RecordNode *b, StrView remark, bool is_root) {
    return contains(record_text(copy, b->remark), remark) ||
           (is_root && contains(record_text(copy, copy->head_remark), remark));
}

/* The parts of a node, apart from its move or ending, that its copy lacks. The copy is NULL if the
 * node itself is lost. */
static int lost_in_node(const Record *record, const RecordNode *a, const Record *copy,
                        const RecordNode *b) {
    static const RecordNode none = {.time_ms = -1};
    b = b != NULL ? b : &none;
    int lost = 0;
    bool is_ending = a->ending != KMD_END_NONE;
    StrView label = record_text(record, a->label);
    if (a->time_ms >= 0 && a->time_ms != b->time_ms) {
        bool is_fraction = b->time_ms >= 0 && a->time_ms / 1000 == b->time_ms / 1000;
        lost |= is_fraction ? KMD_HOLDS_FRACTIONS : KMD_HOLDS_TIMES;
    }
    if (!contains(record_text(copy, b->comment), record_text(record, a->comment))) {
        lost |= KMD_HOLDS_COMMENTS;
    }
    bool is_root = a == &record->nodes[KMD_ROOT];
    if (!has_remark(copy, b, record_text(record, a->remark), is_root)) {
        lost |= KMD_HOLDS_REMARKS;
    }
    if (!is_ending && !sv_equal(label, record_text(copy, b->label))) {
        lost |= KMD_HOLDS_BOOKMARKS;
    }
    if (is_ending && (a->ending != b->ending || (a->ending == KMD_END_OTHER &&
                                                 !sv_equal(label, record_text(copy, b->label))))) {
        lost |= KMD_HOLDS_ENDINGS;
    }
    if (a->foul.move != b->foul.move || a->foul.piece != b->foul.piece) {
        lost |= KMD_HOLDS_ILLEGAL;
    }
    return lost;
}

/* Parents come before their children in the array of nodes. */
int recorddiff_lost(const Record *record, const Record *copy) {
    enum { UNREACHABLE = -2 };
    const RecordNode *nodes = record->nodes;
    size_t cap = 0;
    int *found = xmem_grow(NULL, &cap, (size_t)record->node_count, sizeof(int));
    int lost = lost_headers(record, copy);
    if (!same_start(&record->start, &copy->start)) {
        lost |= KMD_HOLDS_MOVES;
    } else if (record->start.ply != copy->start.ply) {
        lost |= KMD_HOLDS_NUMBER;
    }
    lost |= contains(record_text(copy, copy->head_remark), record_text(record, record->head_remark))
                ? 0
                : KMD_HOLDS_REMARKS;
    found[KMD_ROOT] = KMD_ROOT;
    lost |= lost_in_node(record, &nodes[KMD_ROOT], copy, &copy->nodes[KMD_ROOT]);
    for (int i = KMD_ROOT + 1; i < record->node_count; i++) {
        int parent = nodes[i].parent;
        found[i] = UNREACHABLE;
        if (parent == KMD_NODE_NONE || found[parent] == UNREACHABLE) {
            continue; /* removed, or in a variation that is lost as a whole */
        }
        found[i] = found[parent] == KMD_NODE_NONE ? KMD_NODE_NONE
                                                  : find_child(copy, found[parent], &nodes[i]);
        if (found[i] == KMD_NODE_NONE && record_is_variation(record, i)) {
            lost |= KMD_HOLDS_VARIATIONS;
            found[i] = UNREACHABLE;
            continue;
        }
        if (found[i] == KMD_NODE_NONE && nodes[i].ending == KMD_END_NONE) {
            lost |= KMD_HOLDS_MOVES;
        }
        lost |= lost_in_node(record, &nodes[i], copy,
                             found[i] == KMD_NODE_NONE ? NULL : &copy->nodes[found[i]]);
    }
    free(found);
    return lost;
}
