/* record.c: stores the tree as an array of nodes with parent, first child and next sibling, and all
 * text in one buffer. */
#include "record/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmem.h"
#include "rules/outcome.h"

static const RecordNode EMPTY_NODE = {.parent = KMD_NODE_NONE,
                                      .child = KMD_NODE_NONE,
                                      .last = KMD_NODE_NONE,
                                      .sibling = KMD_NODE_NONE,
                                      .time_ms = -1};

void record_clear(Record *record) {
    record->start = setup_start();
    record->node_count = 1;
    record->nodes[KMD_ROOT] = EMPTY_NODE;
    record->header_count = 0;
    record->head_remark = (TextRef){0, 0};
    record->note_count = record->skipped = 0;
    strbuf_clear(&record->text);
}

void record_init(Record *record) {
    *record = (Record){.text = STRBUF_INIT};
    record->nodes = xmem_grow(NULL, &record->node_cap, 256, sizeof(RecordNode));
    record_clear(record);
}

void record_free(Record *record) {
    free(record->nodes);
    free(record->headers);
    strbuf_free(&record->text);
    *record = (Record){.text = STRBUF_INIT};
}

void record_restart(Record *record, const Setup *start) {
    record->start = *start;
    record->node_count = 1;
    record->nodes[KMD_ROOT] = EMPTY_NODE;
}

static int append_node(Record *record, int parent, Move move, KmdEnding ending) {
    ASSERT(parent >= 0 && parent < record->node_count);
    ASSERT(record->nodes[parent].ending == KMD_END_NONE);
    if (record->node_count == RECORD_MAX_NODES) {
        return KMD_NODE_NONE;
    }
    int node = record->node_count++;
    record->nodes =
        xmem_grow(record->nodes, &record->node_cap, (size_t)record->node_count, sizeof(RecordNode));
    RecordNode *fresh = &record->nodes[node];
    *fresh = EMPTY_NODE;
    fresh->parent = parent;
    fresh->depth = record->nodes[parent].depth + 1;
    fresh->move = move;
    fresh->ending = ending;
    if (record->nodes[parent].child == KMD_NODE_NONE) {
        record->nodes[parent].child = node;
    } else {
        record->nodes[record->nodes[parent].last].sibling = node;
    }
    record->nodes[parent].last = node;
    return node;
}

int record_add_move(Record *record, int parent, Move move) {
    ASSERT(move_is_real(move));
    return append_node(record, parent, move, KMD_END_NONE);
}

int record_add_ending(Record *record, int parent, KmdEnding ending) {
    ASSERT(ending != KMD_END_NONE);
    return append_node(record, parent, MOVE_NONE, ending);
}

/* Removes a node from its parent's list of children. */
static void unlink_node(Record *record, int node) {
    RecordNode *nodes = record->nodes;
    RecordNode *parent = &nodes[nodes[node].parent];
    int before = KMD_NODE_NONE;
    for (int child = parent->child; child != node; child = nodes[child].sibling) {
        before = child;
    }
    *(before == KMD_NODE_NONE ? &parent->child : &nodes[before].sibling) = nodes[node].sibling;
    parent->last = parent->last == node ? before : parent->last;
    nodes[node].sibling = KMD_NODE_NONE;
}

/* Children come after their parents in the array, so one pass finds all nodes to remove. */
void record_remove(Record *record, int node) {
    RecordNode *nodes = record->nodes;
    if (node == KMD_ROOT || nodes[node].parent == KMD_NODE_NONE) {
        return;
    }
    unlink_node(record, node);
    nodes[node].parent = KMD_NODE_NONE;
    for (int i = node; i < record->node_count; i++) {
        int parent = nodes[i].parent;
        if (i == node || (parent >= node && nodes[parent].parent == KMD_NODE_NONE)) {
            nodes[i] = EMPTY_NODE;
        }
    }
}

void record_set_order(Record *record, int node, int index) {
    RecordNode *nodes = record->nodes;
    int parent = nodes[node].parent;
    int before = KMD_NODE_NONE;
    if (parent == KMD_NODE_NONE) {
        return;
    }
    unlink_node(record, node);
    for (int next = nodes[parent].child; index-- > 0 && next != KMD_NODE_NONE;
         next = nodes[next].sibling) {
        before = next;
    }
    int *place = before == KMD_NODE_NONE ? &nodes[parent].child : &nodes[before].sibling;
    nodes[node].sibling = *place;
    *place = node;
    if (nodes[node].sibling == KMD_NODE_NONE) {
        nodes[parent].last = node;
    }
}

StrView record_text(const Record *record, TextRef ref) {
    return ref.len == 0 ? (StrView){NULL, 0} : (StrView){record->text.ptr + ref.at, ref.len};
}

/* Stores text; the result is empty if the record already has 4 GiB of text. */
static TextRef keep_text(Record *record, StrView text) {
    if (text.len == 0 || record->text.len + text.len > UINT32_MAX) {
        return (TextRef){0, 0};
    }
    TextRef ref = {(uint32_t)record->text.len, (uint32_t)text.len};
    strbuf_add(&record->text, text);
    return ref;
}

void record_set_time(Record *record, int node, int64_t time_ms) {
    bool is_known = node != KMD_ROOT && time_ms >= 0 && time_ms / 1000 <= RECORD_MAX_TIME_S;
    record->nodes[node].time_ms = is_known ? time_ms : -1;
}

/* The size of a comment or a remark in the buffer, a power of two. Lines that alternate with other
 * text would otherwise be copied each time. */
static size_t text_room(size_t len) {
    size_t room = len > 0;
    while (room < len) {
        room *= 2;
    }
    return room;
}

/* Appends line breaks and a text without CRs to a comment or a remark, which is moved to the end of
 * the buffer if its room is used up. Does nothing if the buffer is full. */
static void append_text(Record *record, TextRef *ref, size_t breaks, StrView text) {
    StrBuf *all = &record->text;
    size_t room = text_room(ref->len + breaks + text.len);
    if (breaks + text.len == 0 || all->len + room > UINT32_MAX) {
        return;
    }
    if (room > text_room(ref->len)) {
        strbuf_reserve(all, room);
        memset(all->ptr + all->len, 0, room + 1);
        memcpy(all->ptr + all->len, all->ptr + ref->at, ref->len);
        ref->at = (uint32_t)all->len;
        all->len += room;
    }
    char *end = all->ptr + ref->at + ref->len;
    memset(end, '\n', breaks);
    end += breaks;
    for (size_t i = 0; i < text.len; i++) {
        *end = text.ptr[i];
        end += text.ptr[i] != '\r';
    }
    ref->len = (uint32_t)(end - all->ptr) - ref->at;
}

void record_set_comment(Record *record, int node, StrView text) {
    record->nodes[node].comment = (TextRef){0, 0};
    append_text(record, &record->nodes[node].comment, 0, text);
}

void record_add_comment(Record *record, int node, StrView line) {
    RecordNode *n = &record->nodes[node];
    bool is_first = n->comment.len == 0;
    if (is_first && line.len == 0) {
        n->blank_lines++;
    } else {
        append_text(record, &n->comment, is_first ? n->blank_lines : 1, line);
    }
}

void record_add_remark(Record *record, int node, StrView line) {
    TextRef *remark = node == KMD_NODE_NONE ? &record->head_remark : &record->nodes[node].remark;
    append_text(record, remark, 0, line);
    append_text(record, remark, 1, (StrView){NULL, 0});
}

void record_set_label(Record *record, int node, StrView text) {
    TextRef kept = keep_text(record, text);
    for (uint32_t i = 0; i < kept.len; i++) {
        char *c = &record->text.ptr[kept.at + i];
        *c = (char)(*c == '\n' || *c == '\r' ? ' ' : *c);
    }
    record->nodes[node].label = kept;
}

static int find_header(const Record *record, StrView key) {
    for (int i = 0; i < record->header_count; i++) {
        if (sv_equal(record_text(record, record->headers[i].key), key)) {
            return i;
        }
    }
    return -1;
}

/* The key under which a header is stored. The players of handicap games are stored under the keys
 * of even games. */
static StrView usual_key(StrView key) {
    return sv_equal(key, SV("下手")) ? SV("先手") : sv_equal(key, SV("上手")) ? SV("後手") : key;
}

StrView record_header(const Record *record, StrView key) {
    key = usual_key(key);
    int index = find_header(record, key);
    return index < 0 ? (StrView){NULL, 0} : record_text(record, record->headers[index].value);
}

void record_set_header(Record *record, StrView key, StrView value) {
    enum { MAX_HEADERS = 1000 };
    key = usual_key(key);
    int index = find_header(record, key);
    if (index < 0) {
        if (key.len == 0 || record->header_count == MAX_HEADERS) {
            return;
        }
        index = record->header_count++;
        record->headers = xmem_grow(record->headers, &record->header_cap,
                                    (size_t)record->header_count, sizeof(RecordHeader));
        record->headers[index].key = keep_text(record, key);
    }
    record->headers[index].value = keep_text(record, value);
}

StrView record_player(const Record *record, Color color) {
    StrView name = record_header(record, color == BLACK ? SV("先手") : SV("後手"));
    StrView key = color == BLACK ? SV("先手省略名") : SV("後手省略名");
    return name.len > 0 ? name : record_header(record, key);
}

int record_main_end(const Record *record) {
    int node = KMD_ROOT;
    while (record->nodes[node].child != KMD_NODE_NONE) {
        node = record->nodes[node].child;
    }
    return node;
}

int record_main_length(const Record *record) {
    const RecordNode *end = &record->nodes[record_main_end(record)];
    return end->depth - (end->ending != KMD_END_NONE);
}

int record_variation_count(const Record *record) {
    int count = 0;
    for (int i = 0; i < record->node_count; i++) {
        count += record->nodes[i].sibling != KMD_NODE_NONE;
    }
    return count;
}

bool record_is_variation(const Record *record, int node) {
    int parent = record->nodes[node].parent;
    return parent != KMD_NODE_NONE && record->nodes[parent].child != node;
}

int record_next(const Record *record, int node) {
    const RecordNode *nodes = record->nodes;
    if (nodes[node].child != KMD_NODE_NONE) {
        return nodes[node].child;
    }
    while (node != KMD_NODE_NONE && nodes[node].sibling == KMD_NODE_NONE) {
        node = nodes[node].parent;
    }
    return node == KMD_NODE_NONE ? KMD_NODE_NONE : nodes[node].sibling;
}

Color record_side(const Record *record, int node) {
    const RecordNode *n = &record->nodes[node];
    int moves = n->depth - (n->ending != KMD_END_NONE);
    return moves % 2 == 0 ? record->start.side : color_flip(record->start.side);
}

Color record_winner_by(KmdEnding ending, Color to_move) {
    switch (ending) {
    case KMD_END_RESIGN:
    case KMD_END_MATE:
    case KMD_END_TIMEOUT:
    case KMD_END_ILLEGAL_LOSS:
    case KMD_END_FORFEIT_LOSS:
    case KMD_END_TRY:
    case KMD_END_NO_MOVES:
    case KMD_END_PERPETUAL_LOSS:
        return color_flip(to_move);
    case KMD_END_ILLEGAL_WIN:
    case KMD_END_DECLARATION:
    case KMD_END_FORFEIT_WIN:
    case KMD_END_PERPETUAL_WIN:
        return to_move;
    default:
        return COLOR_NB;
    }
}

Color record_winner(const Record *record, int ending_node) {
    const RecordNode *node = &record->nodes[ending_node];
    return node->ending == KMD_END_OTHER
               ? word_winner(record_text(record, node->label))
               : record_winner_by(node->ending, record_side(record, ending_node));
}

KmdWinner record_result(const Record *record) {
    int end = record_main_end(record);
    switch (record->nodes[end].ending) {
    case KMD_END_SENNICHITE:
    case KMD_END_IMPASSE:
    case KMD_END_DRAW:
    case KMD_END_MAX_MOVES:
        return KMD_WINNER_DRAW;
    default:
        break;
    }
    Color winner = record_winner(record, end);
    return winner == COLOR_NB ? KMD_WINNER_NONE : outcome_winner(winner);
}

/* ---- cursors --------------------------------------------------------------------------------- */

/* A cursor goes up from its node to the common ancestor with the target, undoing moves, then plays
 * the moves down to the target. */

void cursor_init(RecordCursor *cursor, const Record *record) {
    *cursor = (RecordCursor){.record = record, .node = KMD_ROOT};
    pos_init(&cursor->pos);
    pos_set(&cursor->pos, &record->start);
}

void cursor_restart(RecordCursor *cursor) {
    pos_set(&cursor->pos, &cursor->record->start);
    cursor->node = KMD_ROOT;
    cursor->spent_ms[BLACK] = cursor->spent_ms[WHITE] = 0;
}

void cursor_free(RecordCursor *cursor) {
    pos_free(&cursor->pos);
    free(cursor->path);
    *cursor = (RecordCursor){.node = KMD_ROOT};
}

void cursor_go(RecordCursor *cursor, int node) {
    const RecordNode *nodes = cursor->record->nodes;
    int here = cursor->node;
    int target = node;
    int length = 0;
    /* Go up from both nodes until they meet, and record the path down to the target. */
    while (here != target) {
        if (nodes[here].depth >= nodes[target].depth) {
            if (nodes[here].ending == KMD_END_NONE) {
                pos_undo(&cursor->pos);
            }
            cursor->spent_ms[cursor->pos.side] -= i64_max(nodes[here].time_ms, 0);
            here = nodes[here].parent;
        } else {
            cursor->path =
                xmem_grow(cursor->path, &cursor->path_cap, (size_t)length + 1, sizeof(int));
            cursor->path[length++] = target;
            target = nodes[target].parent;
        }
    }
    while (length > 0) {
        const RecordNode *step = &nodes[cursor->path[--length]];
        cursor->spent_ms[cursor->pos.side] += i64_max(step->time_ms, 0);
        if (step->ending == KMD_END_NONE) {
            pos_do(&cursor->pos, step->move);
        }
    }
    cursor->node = node;
}
