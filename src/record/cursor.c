/* cursor.c: goes up from the current node to the common ancestor with the target, undoing moves,
 * then plays the moves down to the target. */
#include "record/cursor.h"

#include <stdlib.h>

#include "base/xmem.h"

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
