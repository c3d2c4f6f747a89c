/* cursor.h: a position that walks over a record, from node to node.
 *
 * Belongs to one thread; the record must outlive it. */
#ifndef KMD_KIFU_CURSOR_H
#define KMD_KIFU_CURSOR_H

#include <stddef.h>
#include <stdint.h>

#include "kifu/record.h"
#include "rules/position.h"

/* A position that walks over a record. It is at `node`, with the position after that node's move
 * (for an ending, the position where it happened). */
typedef struct RecordCursor {
    const Record *record;
    Position pos;
    int node;
    int64_t spent_ms[COLOR_NB]; /* sum of the times on the way here; correct as long as no time is
                                   changed */
    int *path;                  /* scratch for cursor_go */
    size_t path_cap;
} RecordCursor;

/* Starts at the root. The record's start must be a legal set-up. The record must outlive the
 * cursor. Nodes may be added while the cursor is in use, but if the start changes, call
 * cursor_restart. */
void cursor_init(RecordCursor *cursor, const Record *record);
void cursor_restart(RecordCursor *cursor);
void cursor_free(RecordCursor *cursor);

/* Walks to any node by the shortest path. */
void cursor_go(RecordCursor *cursor, int node);

#endif
